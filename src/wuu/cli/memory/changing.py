"""The commands of `wuu memory` that change what becomes of memories: delete, archive, restore, pins, undo."""

import functools
from collections.abc import Sequence

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import writing_command
from wuu.cli.memory.batches import Result, change_all
from wuu.cli.memory.changed import reply_of
from wuu.cli.memory.rendering import headline
from wuu.cli.output import Reply, tell
from wuu.errors import WuuError
from wuu.memory import actions
from wuu.memory.values import ChangeMemory
from wuu.situation.writing import refuse_read_only

_REMOVED = "removed"
IDS = click.argument("ids", nargs=-1, required=True, metavar="ID...")


@writing_command(
    name="delete", asks=True, examples=("wuu memory delete 3f2a", "wuu memory delete 3f2a 91bc --yes")
)
@IDS
@pass_call
def delete_command(
    call: Call, ids: tuple[str, ...], dry_run: bool, request_id: str | None, yes: bool
) -> Reply:
    """Remove each memory ID for good, with every link to it. There is no undo; asks first.

    An ID may be shortened as long as it is unique. Of several, those that can be removed are; the others are
    named with the reason, and the exit status is 1.
    """
    requests, refused = _requests(ids, "delete"), list[Result]()
    if not (dry_run or yes):
        refuse_read_only(call.situation)
        requests, refused = _asked(call, requests, request_id)
    options = call.write_options(dry_run, request_id)
    return change_all(
        call, requests, options, functools.partial(actions.change_memory, call.situation), refused
    )


@writing_command(name="archive", examples=("wuu memory archive 3f2a 91bc",))
@IDS
@pass_call
def archive_command(call: Call, ids: tuple[str, ...], dry_run: bool, request_id: str | None) -> Reply:
    """Put each memory ID away: it is kept with its links, is used no more, and no longer pinned."""
    return _change(call, _requests(ids, "archive"), dry_run, request_id)


@writing_command(name="restore", examples=("wuu memory restore 3f2a", "wuu memory restore 3f2a --to pending"))
@IDS
@click.option(
    "--to", type=click.Choice(("pending", "saved")), help="Where it goes back to.  [default: saved]"
)
@pass_call
def restore_command(
    call: Call, ids: tuple[str, ...], to: str | None, dry_run: bool, request_id: str | None
) -> Reply:
    """Take each memory ID back into use, or with --to pending have it wait for approval again."""
    return _change(call, _requests(ids, "restore", to), dry_run, request_id)


@writing_command(name="pin", examples=("wuu memory pin 3f2a",))
@IDS
@pass_call
def pin_command(call: Call, ids: tuple[str, ...], dry_run: bool, request_id: str | None) -> Reply:
    """Have each memory ID always in the context: at most 20 for you, for a project and for a session."""
    return _change(call, _requests(ids, "pin"), dry_run, request_id)


@writing_command(name="unpin", examples=("wuu memory unpin 3f2a",))
@IDS
@pass_call
def unpin_command(call: Call, ids: tuple[str, ...], dry_run: bool, request_id: str | None) -> Reply:
    """Have each memory ID in the context only when it matches."""
    return _change(call, _requests(ids, "unpin"), dry_run, request_id)


@writing_command(name="undo", asks=True, examples=("wuu memory undo", "wuu memory undo --yes"))
@pass_call
def undo_command(call: Call, dry_run: bool, request_id: str | None, yes: bool) -> Reply:
    """Delete the newest memory that this session saved; run again, the one before.

    Outside of a session it is the newest that a person saved here, and you are asked first. Edits and
    removals are not undone.
    """
    revision = None
    caller = call.situation.caller
    if caller.session is None and not (dry_run or yes or caller.is_agent):
        refuse_read_only(call.situation)
        shown = actions.find_undo(call.situation)
        call.confirm(f"Delete {headline(shown)} for good?", yes=False)
        revision = shown.revision
    options = call.write_options(dry_run, request_id)
    return reply_of(call, actions.undo_memory(call.situation, options, revision))


def _requests(ids: tuple[str, ...], verb: str, to: str | None = None) -> list[ChangeMemory]:
    return [ChangeMemory(one, verb, to) for one in dict.fromkeys(ids)]


def _change(call: Call, requests: Sequence[ChangeMemory], dry_run: bool, request_id: str | None) -> Reply:
    options = call.write_options(dry_run, request_id)
    return change_all(call, requests, options, functools.partial(actions.change_memory, call.situation))


def _asked(
    call: Call, requests: Sequence[ChangeMemory], request_id: str | None
) -> tuple[list[ChangeMemory], list[Result]]:
    """Ask a person about all of them at once, and return what may be done and what is refused anyway.

    What they saw is what is deleted: its revision travels along. A repetition finds the memories gone, and is
    answered all the same.
    """
    if request_id is not None:
        call.confirm(f"Delete {', '.join(one.id for one in requests)} for good?", yes=False)
        return list(requests), []
    seen: list[ChangeMemory] = []
    refused: list[Result] = []
    names: list[str] = []
    for request in requests:
        try:
            shown = actions.show_memory(call.situation, request.id)
            wanted = request._replace(id=shown.entry.id, revision=shown.revision)
            planned = actions.check_change(call.situation, wanted)
        except WuuError as error:
            if len(requests) == 1:
                raise
            refused.append(Result(request.id, error=error))
        else:
            seen.append(wanted)
            if planned.verb == _REMOVED:  # of an agent's wish only a proposal is made
                names.append(headline(shown))
    _confirm(call, names)
    return seen, refused


def _confirm(call: Call, names: Sequence[str]) -> None:
    if len(names) == 1:
        call.confirm(f"Delete {names[0]} for good?", yes=False)
    elif names:
        for name in names if call.can_ask else ():
            tell(name)
        call.confirm(f"Delete these {len(names)} memories for good?", yes=False)
