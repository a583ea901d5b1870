"""The commands of `wuu notebook` that change topics."""

import sys

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import writing_command
from wuu.cli.notebook.changed import reply_of
from wuu.cli.notebook.fields import SOURCE, date_of, field_options
from wuu.cli.output import Reply
from wuu.errors import NotUtf8, TooLarge, UsageProblem
from wuu.notebook import actions
from wuu.notebook.values import EditTopic, Fields, ForgetTopic, RenameTopic, WriteTopic
from wuu.store.files import MAX_FILE_BYTES, disk_errors

REVISION = click.option("--revision", metavar="R", help="Refuse if the topic is not at this revision.")


@writing_command(
    name="write",
    examples=(
        "wuu notebook write --name 'Deploy steps' --description 'How we ship' 'Tag, build, announce.'",
        "wuu notebook write deploy-steps.md --file notes/deploy.md --replace",
        "date | wuu notebook write clock.md -",
    ),
)
@click.argument("file", required=False)
@click.argument("body", required=False)
@field_options
@click.option("--file", "body_file", metavar="PATH", help="Take the body from this file.")
@click.option("--replace", is_flag=True, help="Write an existing topic anew.")
@REVISION
@pass_call
def write_command(
    call: Call,
    file: str | None,
    body: str | None,
    body_file: str | None,
    replace: bool,
    revision: str | None,
    dry_run: bool,
    request_id: str | None,
    fields: Fields,
) -> Reply:
    """Write the topic FILE with BODY, and its line in MEMORY.md.

    BODY is text, or - for stdin; without it the body comes from --file, or from your editor. Without FILE the
    name is made from --name. A body that opens with frontmatter is taken as a whole document. An existing
    topic is left alone unless --replace is given.
    """
    file, body = _file_and_body(file, body, body_file)
    text = _body(call, body, body_file, file, fields)
    request = WriteTopic(file, text, fields, replace, revision)
    return reply_of(
        call, actions.write_topic(call.situation, request, call.write_options(dry_run, request_id))
    )


@writing_command(
    name="edit",
    examples=(
        "wuu notebook edit deploy-steps.md",
        "wuu notebook edit deploy-steps.md --append 'Then tell the team.'",
    ),
)
@click.argument("file")
@field_options
@click.option("--append", metavar="TEXT", help="Add TEXT at the end; - takes it from stdin.")
@REVISION
@pass_call
def edit_command(
    call: Call,
    file: str,
    append: str | None,
    revision: str | None,
    dry_run: bool,
    request_id: str | None,
    fields: Fields,
) -> Reply:
    """Change the topic FILE: in your editor, or by options, which leave every other byte as it is.

    Nothing is locked while the editor is open. What others wrote meanwhile is merged; where both changed the
    same lines nothing is written and your text is kept in a file that is named.
    """
    options = call.write_options(dry_run, request_id)
    if append is not None or fields.any():
        text = _stdin() if append == "-" else _encodable(append) if append is not None else None
        return reply_of(
            call, actions.edit_topic(call.situation, EditTopic(file, fields, text, revision), options)
        )
    draft = actions.open_draft(call.situation, file, revision)
    edited = _ask_editor(call, draft.text, draft.file, "--append or a field to change")
    return reply_of(call, actions.save_draft(call.situation, draft, edited, options))


@writing_command(name="verify", examples=("wuu notebook verify deploy-steps.md --source session:42",))
@click.argument("file")
@click.option("--date", "verified", default="today", metavar="DATE", help="YYYY-MM-DD.  [default: today]")
@SOURCE
@REVISION
@pass_call
def verify_command(
    call: Call,
    file: str,
    verified: str,
    sources: tuple[str, ...],
    revision: str | None,
    dry_run: bool,
    request_id: str | None,
) -> Reply:
    """Note that the topic FILE was checked against evidence today, and by which sources."""
    request = EditTopic(file, Fields(verified=date_of(verified), sources=sources), None, revision)
    return reply_of(
        call, actions.edit_topic(call.situation, request, call.write_options(dry_run, request_id))
    )


@writing_command(name="rename", examples=("wuu notebook rename deploy.md deploy-steps.md",))
@click.argument("file")
@click.argument("new")
@REVISION
@pass_call
def rename_command(
    call: Call, file: str, new: str, revision: str | None, dry_run: bool, request_id: str | None
) -> Reply:
    """Give the topic FILE the file name NEW; its index line follows, its text stays."""
    request = RenameTopic(file, new, revision)
    return reply_of(
        call, actions.rename_topic(call.situation, request, call.write_options(dry_run, request_id))
    )


@writing_command(name="forget", asks=True, examples=("wuu notebook forget old-notes.md --yes",))
@click.argument("file")
@REVISION
@pass_call
def forget_command(
    call: Call, file: str, revision: str | None, dry_run: bool, request_id: str | None, yes: bool
) -> Reply:
    """Remove the topic FILE and its index line. There is no undo; asks first."""
    if not dry_run:
        actions.check_topic(call.situation, file)
        call.confirm(f"Forget {file} for good?", yes=yes)
    request = ForgetTopic(file, revision)
    return reply_of(
        call, actions.forget_topic(call.situation, request, call.write_options(dry_run, request_id))
    )


def _file_and_body(
    file: str | None, body: str | None, body_file: str | None
) -> tuple[str | None, str | None]:
    """Tell which of two optional arguments a single one is: a name ends in `.md`, else it is the body."""
    if body is None and file is not None and body_file is None and not file.endswith(".md"):
        return None, file
    if body is not None and body_file is not None:
        raise UsageProblem("BODY and --file both say what the text is.", hint="Give one of them.")
    return file, body


def _body(call: Call, body: str | None, body_file: str | None, file: str | None, fields: Fields) -> str:
    if body_file is not None:
        with disk_errors(body_file), open(body_file, "rb") as stream:
            return _decoded(stream.read(MAX_FILE_BYTES + 1), body_file)
    if body is not None:
        return _stdin() if body == "-" else _encodable(body)
    name = fields.name or (file or "").removesuffix(".md")
    template = f"# {name}\n\n" if name else ""
    return _ask_editor(call, template, file or "topic.md", "BODY, - for stdin, or --file PATH")


def _ask_editor(call: Call, text: str, name: str, instead: str) -> str:
    from wuu.cli.editor import edit, find_editor  # noqa: PLC0415  (starts processes; most calls do not)

    editor = None if call.no_input else find_editor(can_ask=call.can_ask)
    if editor is None:
        raise UsageProblem("There is no editor to write in.", hint=f"Give {instead}, or set EDITOR.")
    edited = edit(text, name, editor)
    if not edited.strip():
        raise UsageProblem(
            "The text is empty, so nothing was written.", hint="wuu notebook forget removes a topic."
        )
    return edited


def _stdin() -> str:
    return _decoded(sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "stdin")


def _decoded(data: bytes, source: str) -> str:
    if len(data) > MAX_FILE_BYTES:
        raise TooLarge(
            f"{source} has more than {MAX_FILE_BYTES:,} bytes, the most a topic can have.",
            limit=MAX_FILE_BYTES,
        )
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise NotUtf8(
            f"{source} is not UTF-8 at byte {error.start}.", source=source, offset=error.start
        ) from error


def _encodable(text: str) -> str:
    """Refuse an argument whose bytes were not UTF-8, which Python hands over as lone surrogates."""
    return _decoded(text.encode("utf-8", "surrogateescape"), "BODY")
