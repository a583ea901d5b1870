"""`wuu memory browse`: memories of another project, of all, or only your own."""

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import command
from wuu.cli.memory.options import filter_options
from wuu.cli.memory.rendering import COLUMNS, row_of
from wuu.cli.output import Reply, Rows
from wuu.memory.places import actions
from wuu.memory.values import Filters, Shown

_COLUMNS = (*COLUMNS[:-1], "PROJECT", COLUMNS[-1])


@command(
    name="browse",
    examples=(
        "wuu memory browse all --text staging",
        "wuu memory browse user",
        "wuu memory browse shop-c05b",
    ),
)
@click.argument("view", default="current", metavar="[current|user|all|PROJECT]")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=actions.MAX_SHOWN,
    show_default=True,
    metavar="N",
    help="At most N memories.",
)
@pass_call
@filter_options
def browse_command(call: Call, view: str, limit: int, filters: Filters) -> Reply:
    """List memories of this project and yours, of yours alone, of all projects, or of a recorded PROJECT.

    PROJECT is a key, or the beginning of one, as wuu memory workspaces list shows them, or the absolute path
    of the project. Your own memories are listed once, those of other profiles never. With --session all those
    of sessions come as well. It changes nothing, not even which project this is.
    """
    found = actions.browse(call.situation, view, filters, limit)
    graph = found.graph
    notice = f"Of the saved ones: {_counted(graph.links, 'link')}, {graph.isolated} without any, "
    notice += f"{_counted(graph.conflicts, 'conflict')}."
    if not found.memories:
        notice = "No memory is there, or none that is like that."
    elif found.omitted:
        notice = f"{found.omitted} more; a higher --limit shows them. {notice}"
    data = actions.browsed_value(found) if call.json else {}
    return Reply(data, Rows(_COLUMNS, [_row(one) for one in found.memories]), notice, found.caveats)


def _row(one: Shown) -> tuple[str, ...]:
    *first, text = row_of(one)
    return (*first, one.entry.shelf.workspace or "-", text)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
