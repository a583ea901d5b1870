"""`wuu memory add` and its short way, `wuu remember`."""

import functools
from collections.abc import Callable

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
    SENSITIVITY,
    VERIFIED,
    date_of,
    names_of,
    scope_options,
)
from wuu.cli.output import Reply
from wuu.memory import actions
from wuu.memory.values import AddMemory
from wuu.situation.writing import WriteOptions, refuse_read_only

_DRAFT = "memory.md"
_ANY_TEXT = "Anything."

_OPTIONS = (
    scope_options,
    CATEGORY,
    CATEGORIES,
    click.option("--tag", "tags", multiple=True, metavar="T", help="A tag; repeatable."),
    click.option("--pin", is_flag=True, help="Have it always in the context."),
    SENSITIVITY,
    VERIFIED,
    click.option(
        "--source", "sources", multiple=True, metavar="REF", help="Where it comes from; repeatable."
    ),
)


def _adding(function: Callable[..., Reply]) -> Callable[..., Reply]:
    """Give a command what can be said of a new memory; it gets a `request` that has no text yet."""

    @functools.wraps(function)
    def gathered(
        *args: object,
        scope: str,
        category: str | None,
        categories: tuple[str, ...],
        tags: tuple[str, ...],
        pin: bool,
        sensitivity: str | None,
        verified: str | None,
        sources: tuple[str, ...],
        **others: object,
    ) -> Reply:
        evidence = tuple({"kind": "source", "ref": source} for source in sources)
        date, further = date_of(verified), names_of(categories)
        request = AddMemory(
            "", scope, category, further, tags, pin, sensitivity, verified=date, evidence=evidence
        )
        return function(*args, request=request, **others)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return secret_options(gathered)


@writing_command(
    name="remember",
    examples=(
        "wuu remember 'The staging database is reset on Mondays.'",
        "wuu remember --user 'I like short commit messages.'",
    ),
)
@click.argument("text", nargs=-1)
@_adding
@pass_call
def remember_command(
    call: Call,
    text: tuple[str, ...],
    dry_run: bool,
    request_id: str | None,
    request: AddMemory,
    secrets: str,
) -> Reply:
    """Remember TEXT for this project; the short way of wuu memory add."""
    return _reply(call, text, request, call.write_options(dry_run, request_id, secrets))


@writing_command(
    name="add",
    examples=(
        "wuu memory add 'The staging database is reset on Mondays.' --category stack --tag staging",
        "wuu memory add --user 'I like short commit messages.' --pin",
        "git log -1 --format=%B | wuu memory add - --source commit:HEAD",
    ),
)
@click.argument("text", nargs=-1)
@_adding
@pass_call
def add_command(
    call: Call,
    text: tuple[str, ...],
    dry_run: bool,
    request_id: str | None,
    request: AddMemory,
    secrets: str,
) -> Reply:
    """Remember TEXT: one fact, for this project unless you say otherwise.

    TEXT may be several words, or - for stdin; without it your editor opens. What a person adds is saved at
    once, what an agent adds waits for a person. A text that is remembered already is not stored again. What
    looks like a credential is not written: at a terminal you are asked, elsewhere --redact or --allow-secret
    decides.
    """
    return _reply(call, text, request, call.write_options(dry_run, request_id, secrets))


def _reply(call: Call, text: tuple[str, ...], request: AddMemory, options: WriteOptions) -> Reply:
    given = _read(text)
    if given is not None:
        return _add(call, request._replace(text=given), options)
    return _add_from_editor(call, request, options)


def _add(call: Call, request: AddMemory, options: WriteOptions) -> Reply:
    add = functools.partial(actions.add_memory, call.situation, request)
    return reply_of(call, with_answer(call, options, add), wanted_scope=request.scope)


def _add_from_editor(call: Call, request: AddMemory, options: WriteOptions) -> Reply:
    """Ask for the text, once it is sure that nothing else stands in the way."""
    refuse_read_only(call.situation)
    actions.add_memory(call.situation, request._replace(text=_ANY_TEXT), options._replace(dry_run=True))
    text = ask_editor(call, "", _DRAFT, instead="TEXT, or - for stdin", is_new=True)
    with kept(call, _DRAFT, text):
        return _add(call, request._replace(text=text), options)


def _read(words: tuple[str, ...]) -> str | None:
    """Return the text of an argument of several words, or of stdin; None if there is none."""
    return read_body(" ".join(words), None) if words else None
