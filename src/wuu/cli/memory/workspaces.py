"""`wuu memory workspaces`: the projects that the home knows."""

import os
from typing import TYPE_CHECKING, Any

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import Lazy, LazyGroup, command, writing_command
from wuu.cli.memory.changed import difference_of
from wuu.cli.memory.rendering import age_of, flat
from wuu.cli.output import Reply, Rows
from wuu.memory import actions as door
from wuu.memory.places import actions

if TYPE_CHECKING:
    from wuu.memory.places.relinking import Relink, Relinked
    from wuu.situation.writing import Written

_HERE = "wuu.cli.memory.workspaces:"
COMMANDS = {
    "list": Lazy(_HERE + "list_command", "The projects that have memories, last used first."),
    "relink": Lazy(_HERE + "relink_command", "Give this project what was kept for it where it was before."),
}
_COLUMNS = ("KEY", "SAVED", "PENDING", "ARCHIVED", "MANUAL", "AGENT", "USED", "STATE", "ROOT")
_NONE_YET = "No project has memories yet."


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    name="workspaces",
    examples=("wuu memory workspaces list", "wuu memory workspaces relink"),
)
def group() -> None:
    """The projects that memories are kept for, as this home has recorded them."""


@command(name="list", examples=("wuu memory workspaces list", "wuu memory workspaces list --json"))
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=actions.MAX_SHOWN,
    show_default=True,
    metavar="N",
    help="At most N projects.",
)
@pass_call
def list_command(call: Call, limit: int) -> Reply:
    """List your own memories and each project that has any, last used first, with how many there are.

    Sessions count with their project. Projects are those that this home has recorded; the disk is not
    searched. A project whose folder is no longer there is listed as gone.
    """
    found = actions.list_workspaces(call.situation, limit)
    values = [actions.place_value(one) for one in found.places]
    data = {"workspaces": values, "total": found.total, "omitted": found.omitted}
    notice = "" if found.total else _NONE_YET
    if found.omitted:
        notice = f"{found.omitted} more; a higher --limit shows them."
    return Reply(
        data if call.json else {}, Rows(_COLUMNS, [_row(one) for one in values]), notice, found.caveats
    )


@writing_command(
    name="relink",
    asks=True,
    examples=(
        "wuu memory workspaces relink",
        "wuu memory workspaces relink shop-c05b --dry-run",
        "wuu memory workspaces relink --new",
    ),
)
@click.argument("source", required=False, metavar="[FROM]")
@click.option("--new", is_flag=True, help="Nothing moved: this project is one of its own.")
@pass_call
def relink_command(
    call: Call, source: str | None, new: bool, dry_run: bool, request_id: str | None, yes: bool
) -> Reply:
    """Move what is kept for the project FROM to this project, or to the one that --workspace names.

    FROM is the key of a recorded project, the beginning of it, or the path where the project was. Without it,
    it is the one that has the same origin and is no longer where it was. Memories, sessions and the settings
    of the project go along, all of it or nothing. Only a person does this; asks first.
    """
    from wuu.memory.places.relinking import Relink  # noqa: PLC0415  (a list needs none of it)

    request = Relink(source, new)
    if not (dry_run or yes or new):
        request = _confirmed(call, request, request_id)
    done = actions.relink(call.situation, request, call.write_options(dry_run, request_id))
    notice = _told(done)
    data = {**_data(done), "notice": notice} if call.json else {}
    if done.dry_run:
        difference = difference_of(call, done)
        return Reply({**data, "diff": difference}, difference, notice, done.caveats)
    return Reply(data, "" if call.quiet else f"{notice}\n", "", done.caveats, done.receipt)


def _confirmed(call: Call, request: "Relink", request_id: str | None) -> "Relink":
    """Ask a person, and return the request for the very project that they were asked about.

    A repetition finds that it has moved, and is answered all the same.
    """
    here = call.situation.get_workspace().root
    if request_id is not None:
        door.refuse_agent(call.situation, "say where a project went")
        what = request.source or "the project that moved"
        call.confirm(f"Move what is kept for {what} to {here}?", yes=False)
        return request
    planned = actions.check_relink(call.situation, request)
    if planned.source is None:
        return request
    old = planned.source.root or planned.source.key
    there = ", which is still there," if planned.source.root and os.path.isdir(planned.source.root) else ""
    files = _counted(len(planned.moved))
    call.confirm(f"Move {files} kept for {old}{there} to {here}?", yes=False)
    return request._replace(source=planned.source.key)


def _told(done: "Written[Relinked]") -> str:
    outcome = done.outcome
    if outcome is None:
        return "Done before."
    start = "Dry run · " if done.dry_run else ""
    if outcome.source is None:
        known = "A project of its own" if done.changes else "Known already"
        return f"{start}{known} · {outcome.root} · {outcome.key}"
    old = outcome.source.root or outcome.source.key
    settings = " · with its settings" if outcome.settings else ""
    return f"{start}Relinked · {old} → {outcome.root} · {_counted(len(outcome.moved))}{settings}"


def _data(done: "Written[Relinked]") -> dict[str, Any]:
    outcome = done.outcome
    if outcome is None:
        return {"workspace": None, "from": None, "moved": [], "settings": False}
    source = outcome.source
    return {
        "workspace": {"key": outcome.key, "root": outcome.root},
        "from": None if source is None else {"key": source.key, "root": source.root},
        "moved": list(outcome.moved),
        "settings": outcome.settings,
    }


def _counted(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"


def _row(value: dict[str, Any]) -> tuple[str, ...]:
    counts = [value["counts"]["by_status"][name] for name in ("saved", "pending", "archived")]
    counts += [value["counts"]["by_origin"][name] for name in ("manual", "agent")]
    where = flat(value["root"] or "-")
    key = value["key"] or f"user:{value['profile']}"
    return key, *map(str, counts), age_of(value["last_used"]), _state(value), where


def _state(value: dict[str, Any]) -> str:
    if value["problem"]:
        return "problem"
    if value["key"] is None:
        return "-"
    return "current" if value["current"] else "-" if value["exists"] else "gone"
