"""The commands of `wuu memory` that only read."""

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import command
from wuu.cli.memory.options import STALE, filter_options
from wuu.cli.memory.rendering import COLUMNS, STALE_COLUMNS, render_memory, render_status, row_of
from wuu.cli.output import Reply, Rows
from wuu.errors import UsageProblem
from wuu.memory import actions
from wuu.memory.values import Filters

_PENDING = "pending"
_NONE_YET = "No memories yet. Remember one: wuu remember 'The staging database is reset on Mondays.'"
_NONE_LIKE_IT = "No memory is like that. wuu memory list shows all; --session ID those of a session."
_NONE_STALE = "Nothing that waits is stale: all of it can be approved."
_NOT_FOUND = "No memory holds any of these words."


@command(
    name="list",
    examples=(
        "wuu memory list",
        "wuu memory list --status pending --newer-than 7",
        "wuu memory list --stale",
        "wuu memory list --scope session --session all --json",
    ),
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N memories.")
@STALE
@pass_call
@filter_options
def list_command(call: Call, limit: int | None, stale: bool, filters: Filters) -> Reply:
    """List memories, newest first: those of this project and your own, each with its status.

    Memories of sessions come only when asked for: --session ID adds those of one session, --session all those
    of every session of this project, and --scope session leaves out the others. With --status pending all of
    them come, since whatever waits is somebody's to decide.

    --stale lists only proposals that can no longer be applied, each with the reason.
    """
    if stale:
        return _stale(call, filters._replace(limit=limit))
    found = actions.list_memories(call.situation, filters._replace(limit=limit))
    data = {}
    if call.json:
        memories = [actions.memory_value(one) for one in found.memories]
        data = {"memories": memories, "total": found.total, "omitted": found.omitted}
    notice = "" if found.memories else _NONE_YET if filters == Filters() else _NONE_LIKE_IT
    if found.omitted:
        notice = f"{found.omitted} more; a higher --limit shows them."
    return Reply(data, Rows(COLUMNS, [row_of(one) for one in found.memories]), notice, found.caveats)


@command(name="search", examples=("wuu memory search staging database", "wuu memory search release --tag ci"))
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=int, default=20, show_default=True, metavar="N", help="At most N memories.")
@pass_call
@filter_options
def search_command(call: Call, query: tuple[str, ...], limit: int, filters: Filters) -> Reply:
    """Find memories that hold any word of QUERY, best first. The words are plain text, never an expression.

    Looked at are text, tags and categories of saved memories; --status looks at pending or archived ones, or
    at all.
    """
    found = actions.search_memories(call.situation, " ".join(query), filters, limit)
    data = {}
    if call.json:
        memories = [
            {**actions.memory_value(hit.memory), "score": hit.score, "snippet": hit.snippet}
            for hit in found.hits
        ]
        data = {"query": found.query, "memories": memories, "total": found.total}
    rows = [(*row_of(hit.memory)[:-1], hit.snippet) for hit in found.hits]
    notice = "" if rows else _NOT_FOUND
    if found.total > len(rows):
        notice = f"{found.total - len(rows)} more; --limit shows them."
    return Reply(data, Rows(COLUMNS, rows), notice, found.caveats)


@command(name="show", examples=("wuu memory show 3f2a", "wuu memory show 3f2a --json"))
@click.argument("memory_id", metavar="ID")
@pass_call
def show_command(call: Call, memory_id: str) -> Reply:
    """Show the memory ID with everything that is known of it, then its text.

    ID may be shortened as long as it is unique.
    """
    shown = actions.show_memory(call.situation, memory_id)
    if call.json:
        return Reply({"memory": actions.memory_value(shown)}, "")
    changes = shown.entry.status == _PENDING and shown.entry.proposes_change
    preview = actions.preview_approval(call.situation, shown) if changes else None
    return Reply({}, render_memory(shown, preview))


@command(name="status", examples=("wuu memory status", "wuu memory status --json"))
@click.option("--waiting", is_flag=True, help="Only how many wait for a decision: one number, told at once.")
@pass_call
def status_command(call: Call, waiting: bool) -> Reply:
    """Show how many memories there are by scope and status, what waits, and which settings gate their use."""
    if waiting:
        counted = actions.count_waiting(call.situation)
        return Reply(counted, f"{counted['waiting']}\n")
    value = actions.memory_status(call.situation)
    return Reply(value, render_status(value))


@command(name="categories", examples=("wuu memory categories",))
@pass_call
def categories_command(call: Call) -> Reply:
    """List the categories: what becomes of a proposal in each, by default too, and how many memories it has.

    Any other word may be used as well; it is treated as other.
    """
    found = actions.list_categories(call.situation)
    columns = ("id", "policy", "default", "count", "meaning")
    rows = [tuple(str(one[name]) for name in columns) for one in found]
    return Reply({"categories": found}, Rows(tuple(name.upper() for name in columns), rows))


def _stale(call: Call, filters: Filters) -> Reply:
    """Return what `list --stale` says."""
    if filters.status not in (None, _PENDING, "all"):
        raise UsageProblem(f"--stale lists what waits; with --status {filters.status} that is nothing.")
    found = actions.list_stale(call.situation, filters)
    memories = []
    if call.json:
        memories = [
            {**actions.memory_value(one.memory), "stale": one.obstacle._asdict()} for one in found.memories
        ]
    rows = [
        (*cells[:-1], one.obstacle.reason, cells[-1])
        for one in found.memories
        for cells in (row_of(one.memory),)
    ]
    notice = "" if rows else _NONE_STALE
    if found.omitted:
        notice = f"{found.omitted} more; a higher --limit shows them."
    data = {"memories": memories, "total": found.total, "omitted": found.omitted} if call.json else {}
    return Reply(data, Rows(STALE_COLUMNS, rows), notice, found.caveats)
