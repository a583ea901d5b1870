"""`wuu memory`: the group and its table; the commands are in the modules of this package."""

import click

from wuu.cli.commands import Lazy, LazyGroup

_ADDING, _READING = "wuu.cli.memory.adding:", "wuu.cli.memory.reading:"
_CONTEXT = "wuu.cli.memory.context:"
_PLACES = "wuu.cli.memory."
_DECIDING = "wuu.cli.memory.deciding:"
_EDITING, _CHANGING = "wuu.cli.memory.editing:", "wuu.cli.memory.changing:"

COMMANDS = {
    "add": Lazy(_ADDING + "add_command", "Remember something."),
    "propose": Lazy(_ADDING + "propose_command", "Propose a memory, or a change of one, for review."),
    "list": Lazy(_READING + "list_command", "The memories of this project and of yours, newest first."),
    "search": Lazy(_READING + "search_command", "Memories that hold these words, best first."),
    "show": Lazy(_READING + "show_command", "One memory with everything that is known of it."),
    "context": Lazy(_CONTEXT + "context_command", "Print the block that an agent gets for a prompt."),
    "why": Lazy(_CONTEXT + "why_command", "Tell why a memory is shown for a prompt, or is not."),
    "budget": Lazy("wuu.cli.memory.budget:budget_command", "What every session gets before a word is typed."),
    "graph": Lazy("wuu.cli.memory.graph:group", "The links between memories, and what they make."),
    "edit": Lazy(_EDITING + "edit_command", "Change a memory, in an editor or by options."),
    "review": Lazy("wuu.cli.memory.review:review_command", "Walk through what waits, at a terminal."),
    "approve": Lazy(_DECIDING + "approve_command", "Save what was proposed, or make a proposed change."),
    "reject": Lazy(_DECIDING + "reject_command", "Remove proposals; they are not made again."),
    "delete": Lazy(_CHANGING + "delete_command", "Remove memories for good."),
    "archive": Lazy(_CHANGING + "archive_command", "Put memories away; they are kept and not used."),
    "restore": Lazy(_CHANGING + "restore_command", "Take memories back into use."),
    "pin": Lazy(_CHANGING + "pin_command", "Have memories always in the context."),
    "unpin": Lazy(_CHANGING + "unpin_command", "Have them there only when they match."),
    "undo": Lazy(_CHANGING + "undo_command", "Delete the newest memory of this session."),
    "model": Lazy("wuu.cli.memory.model:model_command", "Memories as a tool of a model: JSON in, JSON out."),
    "status": Lazy(_READING + "status_command", "How many there are, what waits, and what is switched on."),
    "categories": Lazy(_READING + "categories_command", "The known categories and what they are for."),
    "browse": Lazy(_PLACES + "browse:browse_command", "Memories of another project, of all, or only yours."),
    "workspaces": Lazy(_PLACES + "workspaces:group", "The projects that are known; relink one that moved."),
    "policy": Lazy("wuu.cli.memory.policy:group", "What becomes of proposals in each category."),
    "config": Lazy("wuu.cli.memory.config:group", "The settings, for all projects or for this one."),
    "index": Lazy("wuu.cli.memory.index:group", "The search index, which can always be built anew."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    name="memory",
    examples=("wuu memory add 'The staging database is reset on Mondays.'", "wuu memory search staging"),
)
def group() -> None:
    """Facts worth keeping, one Markdown file each: for this project, for you everywhere, or for a session."""
