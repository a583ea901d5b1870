"""`wuu memory edit`: a memory changed by options, or its text in an editor."""

import functools

import click

from wuu.cli.bodies import read_body
from wuu.cli.call import Call, pass_call
from wuu.cli.commands import writing_command
from wuu.cli.credentials import secret_options, with_answer
from wuu.cli.drafts import ask_editor, kept
from wuu.cli.memory.changed import reply_of
from wuu.cli.memory.options import (
    CATEGORIES,
    CATEGORY,
    REVISION,
    SCOPES,
    SENSITIVITY,
    VERIFIED,
    date_of,
    names_of,
)
from wuu.cli.output import Reply
from wuu.memory import actions
from wuu.memory.values import EditMemory
from wuu.situation.writing import WriteOptions, refuse_read_only


@writing_command(
    name="edit",
    examples=(
        "wuu memory edit 3f2a",
        "wuu memory edit 3f2a --text 'The staging database is reset on Tuesdays.' --verified today",
        "wuu memory edit 3f2a --scope user --add-tag habit",
    ),
)
@click.argument("memory_id", metavar="ID")
@click.option("--text", metavar="TEXT", help="The new text; - takes it from stdin.")
@CATEGORY
@CATEGORIES
@click.option("--tag", "tags", multiple=True, metavar="T", help="Its tags from now on; '' for none.")
@click.option("--add-tag", "add_tags", multiple=True, metavar="T", help="One more tag; repeatable.")
@click.option("--remove-tag", "remove_tags", multiple=True, metavar="T", help="One tag less; repeatable.")
@SENSITIVITY
@VERIFIED
@click.option("--pin/--no-pin", "pinned", default=None, help="Have it always in the context, or not.")
@click.option("--scope", type=click.Choice(SCOPES), help="Move it there; its id and its links stay.")
@REVISION
@secret_options
@pass_call
def edit_command(
    call: Call,
    memory_id: str,
    text: str | None,
    category: str | None,
    categories: tuple[str, ...],
    tags: tuple[str, ...],
    add_tags: tuple[str, ...],
    remove_tags: tuple[str, ...],
    sensitivity: str | None,
    verified: str | None,
    pinned: bool | None,
    scope: str | None,
    revision: str | None,
    dry_run: bool,
    request_id: str | None,
    secrets: str,
) -> Reply:
    """Change the memory ID: by options, all of them or none, or its text in your editor.

    ID may be shortened as long as it is unique. --category, --categories and --tag replace what is there.
    Nothing is locked while the editor is open; if the memory changed meanwhile, nothing is written and your
    text is kept in a file that is named.
    """
    request = EditMemory(
        memory_id,
        read_body(text, None),
        category,
        names_of(categories) if categories else None,
        tuple(filter(None, tags)) if tags else None,
        add_tags,
        remove_tags,
        sensitivity,
        verified=date_of(verified),
        pinned=pinned,
        scope=scope,
        revision=revision,
    )
    options = call.write_options(dry_run, request_id, secrets)
    if request == EditMemory(memory_id, revision=revision):
        return _edit_in_editor(call, request, options)
    return _edit(call, request, options)


def _edit(call: Call, request: EditMemory, options: WriteOptions) -> Reply:
    edit = functools.partial(actions.edit_memory, call.situation, request)
    return reply_of(call, with_answer(call, options, edit))


def _edit_in_editor(call: Call, request: EditMemory, options: WriteOptions) -> Reply:
    """Have the text edited, once it is sure that this caller may; what was shown is what is changed."""
    refuse_read_only(call.situation)
    shown = actions.show_memory(call.situation, request.id)
    request = EditMemory(shown.entry.id, revision=request.revision or shown.revision)
    actions.edit_memory(call.situation, request, options._replace(dry_run=True))
    name = f"{shown.entry.id}.md"
    removal = "wuu memory delete removes a memory."
    text = f"{shown.entry.text}\n"
    text = ask_editor(call, text, name, instead="--text or a field to change", removal=removal)
    with kept(call, name, text):
        return _edit(call, request._replace(text=text), options)
