"""`wuu notebook`: the group and its table; the commands are in `reading` and `writing`."""

import click

from wuu.cli.commands import Lazy, LazyGroup

_READING, _WRITING = "wuu.cli.notebook.reading:", "wuu.cli.notebook.writing:"

COMMANDS = {
    "list": Lazy(_READING + "list_command", "Every topic, with type, reads and date of verification."),
    "read": Lazy(_READING + "read_command", "One topic."),
    "index": Lazy(_READING + "index_command", "The index as a session gets it."),
    "write": Lazy(_WRITING + "write_command", "Write a topic and its index line."),
    "edit": Lazy(_WRITING + "edit_command", "Change a topic, in an editor or by options."),
    "verify": Lazy(_WRITING + "verify_command", "Note that a topic was checked against evidence."),
    "rename": Lazy(_WRITING + "rename_command", "Give a topic another file name."),
    "forget": Lazy(_WRITING + "forget_command", "Remove a topic and its index line."),
    "search": Lazy(_READING + "search_command", "Topics that hold these words, best first."),
    "check": Lazy(
        "wuu.cli.notebook.checking:check_command", "Problems in the notebook, or in any folder of notes."
    ),
    "repair": Lazy(
        "wuu.cli.notebook.repairing:repair_command", "Mend the index; shown first, done with --apply."
    ),
    "budget": Lazy(_READING + "budget_command", "What of the index a session does not get."),
    "path": Lazy(_READING + "path_command", "Where the notebook is."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    name="notebook",
    examples=("wuu notebook list", "wuu notebook write --name 'Deploy steps' 'Tag, build, announce.'"),
)
def group() -> None:
    """Notes about you and for your agents: Markdown topics and their index, in the home's memory/ folder."""
