"""`wuu memory policy`: what becomes of a proposal, by category, and who decided that."""

from collections.abc import Mapping
from typing import Any

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import Lazy, LazyGroup, command, writing_command
from wuu.cli.output import Reply, Rows
from wuu.errors import Caveat, UsageProblem
from wuu.memory.categories import Category
from wuu.situation.policy_writing import PolicyChange, PolicyWord, change_policies
from wuu.situation.settings import POLICIES, POLICY_TABLE, PROJECTS, Settings
from wuu.situation.writing import Written

_HERE = "wuu.cli.memory.policy:"
COMMANDS = {
    "list": Lazy(_HERE + "list_command", "Every category with its policy."),
    "set": Lazy(_HERE + "set_command", "Say what becomes of proposals in a category."),
    "reset": Lazy(_HERE + "reset_command", "Take that back; the default holds again."),
}
_EFFECTS = {
    "auto": "Proposals are saved at once.",
    "review": "Proposals are kept pending.",
    "never": "Proposals are dropped.",
}
_SAFEGUARDS = (
    "What you save yourself is always saved.",
    "A proposal in which a credential was redacted always waits.",
)
_APPROVAL = "While memoryRequireApproval is on, as here, what an agent proposes waits even in auto."
_COLUMNS = ("CATEGORY", "POLICY", "SET", "EFFECT", "MEANING")
_DEFAULT = "default"

PROJECT = click.option(
    "--project", is_flag=True, help="For this project only; it wins over the general policy."
)


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    name="policy",
    examples=("wuu memory policy list", "wuu memory policy set commands auto --project"),
)
def group() -> None:
    """What becomes of proposals: saved at once, kept for review, or dropped, by category."""


@command(name="list", examples=("wuu memory policy list", "wuu memory policy list --json"))
@pass_call
def list_command(call: Call) -> Reply:
    """List every category with its policy here, whether that is the default, and what it does."""
    settings = call.situation.settings
    table = settings.table(POLICY_TABLE)
    origins = {key: settings.origin(f"{POLICY_TABLE}.{key}") for key in table}
    found = [_value(one, table, origins) for one in Category.every()]
    rows = [
        (one["category"], one["policy"], _difference(one), one["effect"], one["meaning"]) for one in found
    ]
    waits = settings.flag("memoryRequireApproval")
    notice = "\n".join((*_SAFEGUARDS, *([_APPROVAL] if waits else [])))
    data = {"policies": found, "require_approval": waits}
    return Reply(data, Rows(_COLUMNS, rows), notice, (*settings.caveats, *_unknown(settings)))


@writing_command(
    name="set",
    examples=("wuu memory policy set commands auto", "wuu memory policy set security never --project"),
)
@click.argument("category")
@click.argument("policy", type=click.Choice(POLICIES))
@PROJECT
@pass_call
def set_command(
    call: Call, category: str, policy: str, project: bool, dry_run: bool, request_id: str | None
) -> Reply:
    """Give CATEGORY a policy: auto saves proposals at once, review keeps them pending, never drops them.

    A policy that would hold anyway is not written down. Only a person changes policies.
    """
    options = call.write_options(dry_run, request_id)
    known = Category.get(category)
    words = (PolicyWord(known.id, known.default, policy),)
    done = change_policies(call.situation, words, _counts, options, project=project)
    return _reply_of(call, (known,), done)


@writing_command(
    name="reset",
    examples=("wuu memory policy reset commands", "wuu memory policy reset --all --project"),
)
@click.argument("categories", nargs=-1, metavar="[CATEGORY]...")
@click.option("--all", "everything", is_flag=True, help="Every category.")
@PROJECT
@pass_call
def reset_command(
    call: Call,
    categories: tuple[str, ...],
    everything: bool,
    project: bool,
    dry_run: bool,
    request_id: str | None,
) -> Reply:
    """Take away the policy that was set for each CATEGORY; what holds without it holds again.

    That is the default, or with --project the general policy. Only a person changes policies.
    """
    options = call.write_options(dry_run, request_id)
    if everything == bool(categories):
        hint = "wuu memory policy reset CATEGORY, or --all for every one."
        raise UsageProblem("Name categories, or give --all.", hint=hint)
    named = [Category.get(one) for one in categories]
    known = Category.every() if everything else tuple(dict.fromkeys(named))
    words = () if everything else tuple(PolicyWord(one.id, one.default) for one in known)
    done = change_policies(call.situation, words, _counts, options, project=project, everything=everything)
    return _reply_of(call, known, done, everything=everything)


def _counts(category: str, spelling: str) -> bool:
    return Category.get(category).counts(spelling)


def _value(category: Category, table: Mapping[str, str], origins: Mapping[str, str]) -> dict[str, Any]:
    policy = category.policy(table)
    sources = [origins[key] for key in table if category.counts(key)]
    return {
        "category": category.id,
        "policy": policy,
        "default": category.default,
        "differs": policy != category.default,
        "meaning": category.meaning,
        "effect": _EFFECTS.get(policy, ""),
        "origin": sources[-1] if sources else _DEFAULT,
    }


def _difference(value: Mapping[str, Any]) -> str:
    if value["origin"] == _DEFAULT:
        return _DEFAULT
    where = "set for this project" if PROJECTS in value["origin"] else "set here"
    return f"{where} (default {value['default']})"


def _unknown(settings: Settings) -> list[Caveat]:
    """Return a caveat for each key of the table that is no known category, and so decides nothing."""
    table = settings.table(POLICY_TABLE)
    unknown = [key for key in table if not any(one.counts(key) for one in Category.every())]
    note = "is no known category and decides nothing"
    return [
        Caveat(
            "policy_unknown",
            f"{settings.path}: {POLICY_TABLE}: {key!r} {note}.",
            {"file": settings.path, "key": key},
        )
        for key in unknown
    ]


def _reply_of(
    call: Call, known: tuple[Category, ...], done: Written[PolicyChange], *, everything: bool = False
) -> Reply:
    change = done.outcome
    values = [_value(one, change.policies, change.origins) for one in known] if change else []
    data: dict[str, Any] = {
        "policies": values,
        "notice": _notice(done, known, values, everything=everything),
        "dry_run": done.dry_run,
        "replayed": done.replayed,
    }
    caveats = (*done.caveats, *(change.caveats if change else ()))
    if done.dry_run:
        from wuu.cli.difference import render_difference  # noqa: PLC0415  (only dry runs show one)

        data["diff"] = render_difference(call.situation.home, done.changes)
        return Reply(data, data["diff"], data["notice"], caveats)
    return Reply(data, "" if call.quiet else f"{data['notice']}\n", "", caveats, done.receipt)


def _notice(
    done: Written[PolicyChange],
    known: tuple[Category, ...],
    values: list[dict[str, Any]],
    *,
    everything: bool,
) -> str:
    names = "all categories" if everything else ", ".join(one.id for one in known)
    if done.outcome is None:
        return f"Done before · {names}"
    verb = "Policy changed" if done.changes else "Nothing to change"
    said = names if everything else ", ".join(f"{one['category']} is {one['policy']}" for one in values)
    origins = "" if everything else " · " + ", ".join(dict.fromkeys(one["origin"] for one in values))
    return ("Dry run · " if done.dry_run else "") + f"{verb} · {said}{origins}"
