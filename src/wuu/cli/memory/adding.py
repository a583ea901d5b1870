"""`wuu memory add` and its short way, `wuu remember`."""

import functools
from collections.abc import Callable

import click

from wuu.cli.bodies import read_body
from wuu.cli.call import Call, pass_call
from wuu.cli.commands import writing_command
from wuu.cli.credentials import secret_options, with_answer
from wuu.cli.drafts import ask_editor, kept
from wuu.cli.memory.asking import Act, asked_on_card
from wuu.cli.memory.changed import reply_of
from wuu.cli.memory.options import (
    CATEGORIES,
    CATEGORY,
    PROJECT,
    SENSITIVITY,
    VERIFIED,
    date_of,
    names_of,
    scope_options,
)
from wuu.cli.output import Reply
from wuu.errors import UsageProblem
from wuu.memory import actions
from wuu.memory.values import AddMemory, EditMemory, ProposeChange
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
    click.option("--message", metavar="TEXT", help="Of an agent: what the person typed, to the letter."),
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
        message: str | None,
        **others: object,
    ) -> Reply:
        evidence = tuple({"kind": "source", "ref": source} for source in sources)
        date, further = date_of(verified), names_of(categories)
        request = AddMemory(
            "", scope, category, further, tags, pin, sensitivity, None, date, evidence, message
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
    once. What an agent adds waits for a person, unless --message is what the person typed last in this
    session and asks for this very fact to be remembered. A text that is remembered already is not stored
    again. What looks like a credential is not written: at a terminal you are asked, elsewhere --redact or
    --allow-secret decides.
    """
    return _reply(call, text, request, call.write_options(dry_run, request_id, secrets))


@writing_command(
    name="propose",
    examples=(
        "wuu memory propose 'The staging database is reset on Mondays.' --category stack",
        "wuu memory propose --update 3f2a 'The staging database is reset on Tuesdays.'",
        "wuu memory propose --archive 3f2a --source ticket:41",
    ),
)
@click.argument("text", nargs=-1)
@click.option("--update", metavar="ID", help="Propose a change of this memory: TEXT, category or tags.")
@click.option("--archive", metavar="ID", help="Propose to put this memory away.")
@_adding
@pass_call
def propose_command(
    call: Call,
    text: tuple[str, ...],
    update: str | None,
    archive: str | None,
    dry_run: bool,
    request_id: str | None,
    request: AddMemory,
    secrets: str,
) -> Reply:
    """Propose to remember TEXT, or with --update or --archive a change of a saved memory; a person decides.

    What was rejected before, or is there already, is not proposed again. Credentials are redacted. A proposed
    change holds for the memory as it is now: if that changes in any way, the proposal can only be rejected.
    """
    options = call.write_options(dry_run, request_id, secrets)
    if update is None and archive is None:
        return _reply(call, text, request, options, actions.propose_memory)
    wanted = _wanted_change(_read(text), update, archive, request)
    return reply_of(call, actions.propose_change(call.situation, wanted, options))


def _wanted_change(
    text: str | None, update: str | None, archive: str | None, request: AddMemory
) -> ProposeChange:
    if update is not None and archive is not None:
        raise UsageProblem("--update and --archive exclude each other.")
    if request.pinned or request.scope != PROJECT:
        hint = "wuu memory edit ID --scope moves a memory, wuu memory pin ID pins it."
        raise UsageProblem("A scope or a pin does not go with --update and --archive.", hint=hint)
    fields = EditMemory(
        update or archive or "",
        text,
        request.category,
        request.categories or None,
        request.tags or None,
        sensitivity=request.sensitivity,
        verified=request.verified,
    )
    if archive is not None:
        if fields != EditMemory(archive):
            raise UsageProblem("Nothing but --source goes with --archive.")
        return ProposeChange(archive, None, request.evidence)
    if fields == EditMemory(fields.id):
        raise UsageProblem("What is to change is missing.", hint="Give TEXT, --category or --tag.")
    return ProposeChange(fields.id, fields, request.evidence)


def _reply(
    call: Call,
    text: tuple[str, ...],
    request: AddMemory,
    options: WriteOptions,
    act: Act = actions.add_memory,
) -> Reply:
    given = _read(text)
    if given is not None:
        return _add(call, request._replace(text=given), options, act)
    return _add_from_editor(call, request, options, act)


def _add(call: Call, request: AddMemory, options: WriteOptions, act: Act) -> Reply:
    if call.situation.caller.is_agent and call.can_ask and not options.dry_run:
        answered = asked_on_card(call, request, options, act)
        if answered.text != request.text:
            with kept(call, _DRAFT, answered.text):
                return _add_now(call, answered, options, act)
        request = answered
    return _add_now(call, request, options, act)


def _add_now(call: Call, request: AddMemory, options: WriteOptions, act: Act) -> Reply:
    add = functools.partial(act, call.situation, request)
    return reply_of(call, with_answer(call, options, add), wanted_scope=request.scope)


def _add_from_editor(call: Call, request: AddMemory, options: WriteOptions, act: Act) -> Reply:
    """Ask for the text, once it is sure that nothing else stands in the way."""
    refuse_read_only(call.situation)
    act(call.situation, request._replace(text=_ANY_TEXT), options._replace(dry_run=True))
    text = ask_editor(call, "", _DRAFT, instead="TEXT, or - for stdin", is_new=True)
    with kept(call, _DRAFT, text):
        return _add(call, request._replace(text=text), options, act)


def _read(words: tuple[str, ...]) -> str | None:
    """Return the text of an argument of several words, or of stdin; None if there is none."""
    return read_body(" ".join(words), None) if words else None
