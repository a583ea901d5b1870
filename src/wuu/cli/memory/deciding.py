"""`wuu memory approve` and `wuu memory reject`: what becomes of the proposals that wait."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import writing_command
from wuu.cli.memory.changed import difference_of, subject_of_change
from wuu.cli.memory.options import REVISION, SCOPES, filter_options
from wuu.cli.memory.rendering import headline
from wuu.cli.output import Reply, Rows, tell
from wuu.cli.progress import shown_progress
from wuu.errors import Partial, UsageProblem
from wuu.memory import actions
from wuu.memory.values import ApproveMemory, Decided, Decisions, Filters, RejectMemory, Shown
from wuu.situation.writing import WriteOptions, Written, refuse_read_only

IDS = click.argument("ids", nargs=-1, metavar="[ID]...")
ALL = click.option("--all", "every", is_flag=True, help="All that wait, or those that the filters let pass.")
_NONE = "Nothing waits."
_NONE_LIKE_IT = "Nothing that waits is like that. wuu memory list --status pending shows all."


@writing_command(
    name="approve",
    asks=True,
    examples=(
        "wuu memory approve 3f2a",
        "wuu memory approve 3f2a --revision sha256:…",
        "wuu memory approve --all --proposer dream --yes",
    ),
)
@IDS
@ALL
@REVISION
@click.option("--to", type=click.Choice(SCOPES), help="With an ID: save it in this scope.")
@click.option("--pin", is_flag=True, help="With an ID: have it always in the context.")
@click.option("--allow-secret", is_flag=True, help="Approve although it holds a credential.")
@pass_call
@filter_options
def approve_command(
    call: Call,
    ids: tuple[str, ...],
    every: bool,
    revision: str | None,
    to: str | None,
    pin: bool,
    allow_secret: bool,
    filters: Filters,
    dry_run: bool,
    request_id: str | None,
    yes: bool,
) -> Reply:
    """Approve each proposal ID: a new memory is saved, a proposed change is made. Only a person may.

    An ID may be shortened as long as it is unique. With --all it is everything that waits, narrowed down by
    the filters; at a terminal you are shown what that is and asked. What changed since it was shown, or whose
    target changed since it was proposed, is refused with a diff. Of several, those that can be approved are;
    the others are named with the reason, and the exit status is 1.
    """
    _check_usage(ids, filters, every=every, revision=revision)
    if (to or pin) and (every or len(ids) > 1):
        raise UsageProblem("--to and --pin go with one ID.")
    requests = [ApproveMemory(one, revision, None, to, pin or None) for one in dict.fromkeys(ids)]
    if every and not (dry_run or yes) and call.can_ask:
        requests = [ApproveMemory(one.entry.id, one.revision) for one in _asked(call, filters, "Approve")]
        if not requests:
            return _empty(filters)
        every = False
    options = call.write_options(dry_run, request_id, "keep" if allow_secret else "refuse")

    def act(how: WriteOptions) -> Written[Decisions]:
        return actions.approve_memories(call.situation, requests, how, filters if every else None)

    return _reply(call, act, options, filters, single=len(ids) == 1)


@writing_command(
    name="reject",
    asks=True,
    examples=(
        "wuu memory reject 3f2a",
        "wuu memory reject 3f2a --reason 'Only true for last sprint.'",
        "wuu memory reject --all --older-than 30 --yes",
    ),
)
@IDS
@ALL
@REVISION
@click.option("--reason", metavar="TEXT", help="Why, in one line; whoever proposes it again is told.")
@pass_call
@filter_options
def reject_command(
    call: Call,
    ids: tuple[str, ...],
    every: bool,
    revision: str | None,
    reason: str | None,
    filters: Filters,
    dry_run: bool,
    request_id: str | None,
    yes: bool,
) -> Reply:
    """Reject each proposal ID: it is removed, and nothing proposes it again. Only a person may.

    Its text is kept nowhere: a keyed digest of it remains, with the date and the reason. You can still add
    such a text yourself. With --all it is everything that waits, narrowed down by the filters; asks first.
    """
    _check_usage(ids, filters, every=every, revision=revision)
    requests = [RejectMemory(one, revision) for one in dict.fromkeys(ids)]
    if every and not (dry_run or yes):
        requests = [RejectMemory(one.entry.id, one.revision) for one in _asked(call, filters, "Reject")]
        if not requests:
            return _empty(filters)
        every = False
    options = call.write_options(dry_run, request_id)

    def act(how: WriteOptions) -> Written[Decisions]:
        chosen = filters if every else None
        return actions.reject_memories(call.situation, requests, how, chosen, reason)

    return _reply(call, act, options, filters, single=len(ids) == 1)


def _check_usage(ids: Sequence[str], filters: Filters, *, every: bool, revision: str | None) -> None:
    if bool(ids) == every:
        hint = "wuu memory list --status pending shows what waits."
        raise UsageProblem("Name proposals by ID, or all of them with --all.", hint=hint)
    if filters.status not in (None, "pending"):
        raise UsageProblem("Only what is pending is decided.", hint="Leave out --status.")
    if ids and filters != Filters():
        raise UsageProblem("Filters go with --all.")
    if revision is not None and len(ids) != 1:
        raise UsageProblem("--revision goes with one ID.")


def _asked(call: Call, filters: Filters, doing: str) -> tuple[Shown, ...]:
    """Ask a person about all that wait, and return what they saw.

    Raises:
        ConfirmationRequired: Nobody can be asked.
        Declined: They would rather not.
    """
    refuse_read_only(call.situation)
    actions.refuse_agent(call.situation, f"{doing.lower()} proposals")
    waiting = actions.list_memories(call.situation, filters._replace(status="pending")).memories
    if waiting:
        for one in reversed(waiting) if call.can_ask else ():
            tell(_line(one))
        what = "proposal" if len(waiting) == 1 else f"{len(waiting)} proposals"
        call.confirm(f"{doing} {'this' if len(waiting) == 1 else 'these'} {what}?", yes=False)
    return waiting


def _line(one: Shown) -> str:
    """Return what would become of a proposal, in a question about several."""
    proposal = one.entry.proposal
    if proposal is None:
        return headline(one)
    return f"{proposal.get('operation', 'change')} of {proposal.get('target', '?')} · {headline(one)}"


def _reply(
    call: Call,
    act: Callable[[WriteOptions], Written[Decisions]],
    options: WriteOptions,
    filters: Filters,
    *,
    single: bool,
) -> Reply:
    with shown_progress(call, "Writing") as advance:
        done = act(options._replace(progress=advance))
    decisions = done.outcome
    if decisions is None:
        return Reply(
            {"results": [], "dry_run": False, "replayed": True}, "Done before.\n", receipt=done.receipt
        )
    if not decisions.results:
        return _empty(filters)
    error = decisions.results[0].error if single else None
    if error is not None and "diff" not in error.details:
        raise error
    if error is not None:  # what approving it now would do is told as well (case O-26)
        return Reply({"results": [_value(decisions.results[0])]}, error.details["diff"], failure=error)
    return _told(call, done, decisions, single=single)


def _told(call: Call, done: Written[Decisions], decisions: Decisions, *, single: bool) -> Reply:
    results = decisions.results
    failed = sum(one.error is not None for one in results)
    data: dict[str, Any] = {
        "results": [_value(one) for one in results],
        "dry_run": done.dry_run,
        "replayed": False,
    }
    if single and call.json:
        data |= _single(call, results[0], dry_run=done.dry_run)
    changes = [one.change for one in results if one.change is not None]
    caveats = (
        *done.caveats,
        *decisions.caveats,
        *(caveat for change in changes for caveat in change.caveats),
    )
    failure = Partial(f"{failed} of {len(results)} were not done.", failed=failed) if failed else None
    if done.dry_run:
        data["diff"] = difference_of(call, done)
        notice = f"Dry run · {len(changes)} would be decided."
        return Reply(data, data["diff"], notice, caveats, failure=failure)
    if single:
        text = "" if call.quiet else f"{notice_of_decision(results[0])}\n"
        return Reply(data, text, "", caveats, done.receipt)
    rows = [_row(one) for one in results if one.error or not call.quiet]
    return Reply(data, Rows(("ID", "OUTCOME", "WHAT"), rows), "", caveats, done.receipt, failure)


def _single(call: Call, one: Decided, *, dry_run: bool) -> dict[str, Any]:
    """Return what the JSON of one decision has beside its result (CONTRACT, "memory approve")."""
    after = one.change.after if one.change else None
    memory = None
    if after is not None and not dry_run:
        memory = actions.memory_value(actions.show_memory(call.situation, after.id))
    return {"memory": memory, "notice": notice_of_decision(one), "duplicate_of": None}


def notice_of_decision(one: Decided) -> str:
    """Return what became of a proposal, in one line."""
    if one.change is None:
        return one.error.message if one.error else ""
    told = {"unchanged": "Already saved", "rejected": "Rejected"}.get(one.change.verb)
    return f"{told or f'Memory {one.change.verb}'} · {subject_of_change(one.change)}"


def _value(one: Decided) -> dict[str, Any]:
    reason, code, details = (
        (one.error.message, one.error.code, one.error.details) if one.error else (None, None, {})
    )
    outcome = one.change.verb if one.change else "failed"
    value: dict[str, Any] = {"id": one.id, "outcome": outcome, "reason": reason, "code": code}
    return value | ({"diff": details["diff"]} if "diff" in details else {})


def _row(one: Decided) -> tuple[str, str, str]:
    if one.change is None:
        return one.id, "failed", one.error.message if one.error else ""
    return one.id, one.change.verb, subject_of_change(one.change)


def _empty(filters: Filters) -> Reply:
    data = {"results": [], "dry_run": False, "replayed": False}
    return Reply(data, "", _NONE if filters == Filters() else _NONE_LIKE_IT)
