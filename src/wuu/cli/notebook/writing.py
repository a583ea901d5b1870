"""The commands of `wuu notebook` that change topics."""

import functools

import click

from wuu.cli.bodies import read_body
from wuu.cli.call import Call, pass_call
from wuu.cli.commands import writing_command
from wuu.cli.credentials import ALLOW_SECRET, secret_options, with_answer
from wuu.cli.drafts import ask_editor, kept
from wuu.cli.notebook.bodies import file_and_body
from wuu.cli.notebook.changed import reply_of
from wuu.cli.notebook.fields import SOURCE, date_of, field_options
from wuu.cli.output import Reply
from wuu.notebook import actions
from wuu.notebook.values import EditTopic, Fields, ForgetTopic, RenameTopic, WriteTopic
from wuu.situation.writing import refuse_read_only

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
@secret_options
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
    secrets: str,
) -> Reply:
    """Write the topic FILE with BODY, and its line in MEMORY.md.

    BODY is text, or - for stdin; without it the body comes from --file, or from your editor. Without FILE the
    name is made from --name. A body that opens with frontmatter is taken as a whole document. An existing
    topic is left alone unless --replace is given. What looks like a credential is not written: at a terminal
    you are asked, elsewhere --redact or --allow-secret decides.
    """
    file, body = file_and_body(file, body, body_file, is_named=fields.name is not None)
    text = read_body(body, body_file)
    options = call.write_options(dry_run, request_id, secrets)
    request = WriteTopic(file, text or "", fields, replace, revision)
    write = functools.partial(actions.write_topic, call.situation)
    if text is not None:
        return reply_of(call, with_answer(call, options, lambda chosen: write(request, chosen)))
    actions.check_write(call.situation, request, options)
    name = fields.name or (file or "").removesuffix(".md")
    template = f"# {name}\n\n" if name else ""
    instead = "BODY, - for stdin, or --file PATH"
    edited = ask_editor(call, template, file or "topic.md", instead=instead, is_new=True)
    whole = request._replace(body=edited)
    with kept(call, file or "topic.md", edited):
        return reply_of(call, with_answer(call, options, lambda chosen: write(whole, chosen)))


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
@secret_options
@pass_call
def edit_command(
    call: Call,
    file: str,
    append: str | None,
    revision: str | None,
    dry_run: bool,
    request_id: str | None,
    fields: Fields,
    secrets: str,
) -> Reply:
    """Change the topic FILE: in your editor, or by options, which leave every other byte as it is.

    Nothing is locked while the editor is open. What others wrote meanwhile is merged; where both changed the
    same lines nothing is written and your text is kept in a file that is named.
    """
    options = call.write_options(dry_run, request_id, secrets)
    if append is not None or fields.any():
        request = EditTopic(file, fields, read_body(append, None), revision)
        edit = functools.partial(actions.edit_topic, call.situation, request)
        return reply_of(call, with_answer(call, options, edit))
    draft = actions.open_draft(call.situation, file, revision)
    removal = "wuu notebook forget removes a topic."
    edited = ask_editor(
        call, draft.text, draft.file, instead="--append or a field to change", removal=removal
    )
    save = functools.partial(actions.save_draft, call.situation, draft, edited)
    with kept(call, file, edited):
        return reply_of(call, with_answer(call, options, save))


@writing_command(name="verify", examples=("wuu notebook verify deploy-steps.md --source session:42",))
@click.argument("file")
@click.option("--date", "verified", default="today", metavar="DATE", help="YYYY-MM-DD.  [default: today]")
@SOURCE
@REVISION
@secret_options
@pass_call
def verify_command(
    call: Call,
    file: str,
    verified: str,
    sources: tuple[str, ...],
    revision: str | None,
    dry_run: bool,
    request_id: str | None,
    secrets: str,
) -> Reply:
    """Note that the topic FILE was checked against evidence today, and by which sources."""
    request = EditTopic(file, Fields(verified=date_of(verified), sources=sources), None, revision)
    options = call.write_options(dry_run, request_id, secrets)
    edit = functools.partial(actions.edit_topic, call.situation, request)
    return reply_of(call, with_answer(call, options, edit))


@writing_command(name="rename", examples=("wuu notebook rename deploy.md deploy-steps.md",))
@click.argument("file")
@click.argument("new")
@REVISION
@ALLOW_SECRET
@pass_call
def rename_command(
    call: Call,
    file: str,
    new: str,
    revision: str | None,
    dry_run: bool,
    request_id: str | None,
    allow_secret: bool,
) -> Reply:
    """Give the topic FILE the file name NEW; its index line follows, its text stays."""
    request = RenameTopic(file, new, revision)
    options = call.write_options(dry_run, request_id, "keep" if allow_secret else "refuse")
    rename = functools.partial(actions.rename_topic, call.situation, request)
    return reply_of(call, with_answer(call, options, rename))


@writing_command(name="forget", asks=True, examples=("wuu notebook forget old-notes.md --yes",))
@click.argument("file")
@REVISION
@pass_call
def forget_command(
    call: Call, file: str, revision: str | None, dry_run: bool, request_id: str | None, yes: bool
) -> Reply:
    """Remove the topic FILE and its index line. There is no undo; asks first."""
    request = ForgetTopic(file, revision)
    if not dry_run:
        refuse_read_only(call.situation)
        if request_id is None:  # a repetition finds the topic gone, and is answered all the same
            actions.check_forget(call.situation, request)
        call.confirm(f"Forget {file} for good?", yes=yes)
    return reply_of(
        call, actions.forget_topic(call.situation, request, call.write_options(dry_run, request_id))
    )
