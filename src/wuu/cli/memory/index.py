"""`wuu memory index`: the search index, which is made of the files and can always be made again."""

from typing import Any

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import Lazy, LazyGroup, command
from wuu.cli.output import Reply, Rows
from wuu.memory import actions

COMMANDS = {
    "status": Lazy("wuu.cli.memory.index:status_command", "Where the index is and what is in it."),
    "rebuild": Lazy("wuu.cli.memory.index:rebuild_command", "Build the index anew from the files."),
}

_COLUMNS = ("folder", "state", "memories", "indexed", "waiting", "bytes")


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    name="index",
    examples=("wuu memory index status", "wuu memory index rebuild"),
)
def group() -> None:
    """The search index. It is derived from the files: every search brings it up to date first."""


@command(name="status", examples=("wuu memory index status",))
@pass_call
def status_command(call: Call) -> Reply:
    """Show the index of each folder of memories that this call searches."""
    return _reply(actions.index_status(call.situation))


@command(name="rebuild", examples=("wuu memory index rebuild",))
@pass_call
def rebuild_command(call: Call) -> Reply:
    """Build the index of each folder of memories anew, from the files; no memory is touched."""
    return _reply(actions.rebuild_index(call.situation))


def _reply(found: list[dict[str, Any]]) -> Reply:
    rows = [tuple(str(one[name]) for name in _COLUMNS) for one in found]
    return Reply({"indexes": found}, Rows(tuple(name.upper() for name in _COLUMNS), rows))
