"""One protocol for every write: all files of a change or none, whatever happens in between.

`commit` is the only way to change a home. In order (ARCHITECTURE 3, with one difference: every byte is on the
disk before the commit point, so that a full disk can only be noticed before it):

1. lock, recover, answer a request id that was seen before, work out the change with the lock held;
2. verify what every file was, now;
3. stage each new file and the receipt as durable siblings;
4. write the intent with the prepared bytes and make it durable: **the commit point**; since all that took a
   while, verify once more, and take the intent back if somebody edited a file meanwhile;
5. rename, remove, make the folders durable; publish the receipt; remove the intent.
"""

import contextlib
import os
from collections.abc import Callable
from typing import TypeVar

from wuu import clock
from wuu.errors import IoProblem, RequestIdReused, WuuError
from wuu.ids import new_id
from wuu.store import files, journal
from wuu.store.apply import (
    Progress,
    Target,
    discard_all,
    make_room,
    publish_all,
    refuse_changed,
    refuse_unfit,
    stage_all,
    sync_all,
)
from wuu.store.changes import Change, ChangeSet, Committed, Receipt, Recovered, Request
from wuu.store.home import JOURNAL, RECEIPTS, Home, prepare_home
from wuu.store.journal import Intent
from wuu.store.locks import Waiting, hold
from wuu.store.recovery import recover, refuse_blocked, refuse_parked

T = TypeVar("T")
Plan = Callable[[Home], ChangeSet[T]]

_FINISHED_LATER = "The change is recorded; the next command that writes will finish it."
_NOT_CONFIRMED = "The change is made, but the disk did not confirm that it will last. Do not make it again."
_UNKNOWN = "Whether the change was recorded will show after the next command that writes."


def preview(home: Home, plan: Plan[T]) -> ChangeSet[T]:
    """Return what `commit` would do now, without the lock and without writing."""
    planned = plan(home)
    return planned._replace(changes=tuple(one for one in planned.changes if one.before != one.after_digest))


def commit(
    home: Home,
    plan: Plan[T],
    *,
    command: str,
    request: Request | None = None,
    waiting: Waiting | None = None,
    progress: Progress | None = None,
) -> Committed[T]:
    """Change the home by `plan`, which is called with the lock held and only reads.

    Args:
        home: The home, which is made if it is not there.
        plan: Reads the home and returns the change; it may refuse by raising, then nothing is written.
        command: What is being done, for the receipt and for whoever waits.
        request: The caller's id for this write; a repetition returns the first receipt and writes nothing.
        waiting: Told once when the lock takes longer than a second.
        progress: Told after each of several files how many are on the disk, and of how many.

    Raises:
        Locked: Another writer held the lock for ten seconds.
        ChangedOnDisk: A file is not what the plan read.
        AlreadyExists: The disk ignores case and has one of the files in another spelling (case O-20).
        RequestIdReused: The id came before with another request.
        RecoveryNeeded: An interrupted change of one of these files, or this very request, waits for a person.
        UnsafeFile: A path leaves the home, is the store's own, or is the same file as another one.
        TooLarge: More than 64 MiB at once.
        Corrupt: The description of the home or the receipt of this request cannot be read, or something is in
            the way of a folder.
        FormatTooNew: A newer wuu wrote this home.
        IoProblem: The system refused, and nothing was written, unless `details["recorded"]` is there: True,
            the change is made or the next writer will finish it; None, the disk does not tell.
    """
    with hold(home, command, waiting=waiting):
        prepare_home(home)
        recovered = recover(home)
        if request is not None:
            receipt = journal.find_receipt(home, request.id)
            if receipt is not None:
                return _answer_again(receipt, request, recovered)
            refuse_parked(home, request)
        changes, outcome = preview(home, plan)
        refuse_unfit(home, changes)
        refuse_blocked(home, changes)
        refuse_changed(home, changes)
        receipt = _write(home, changes, command, request, progress)
        return Committed(outcome, changes, receipt, replayed=False, recovered=recovered)


def _answer_again(receipt: Receipt, request: Request, recovered: tuple[Recovered, ...]) -> Committed[T]:
    if receipt.request_digest != request.digest:
        raise RequestIdReused(
            f"The request id {request.id!r} was used for another request before.",
            hint="Use a new id for a new request.",
            request_id=request.id,
        )
    return Committed(None, (), receipt, replayed=True, recovered=recovered)


def _write(
    home: Home,
    changes: tuple[Change, ...],
    command: str,
    request: Request | None,
    progress: Progress | None,
) -> Receipt | None:
    """Write several files, or any with a request id, by the full path; a single one is atomic by itself."""
    if request is not None or len(changes) > 1:
        intent = Intent(new_id(), command, clock.rfc3339(clock.now()), request, changes)
        return _write_all(home, intent, progress)
    if changes:
        _write_one(home, changes[0])
    return None


def _write_one(home: Home, one: Change) -> None:
    make_room(home, [one])
    targets: list[Target] = []
    try:
        stage_all(home, [one], targets)
        refuse_changed(home, [one])
        publish_all(targets)
    except BaseException:
        discard_all(targets)
        raise
    try:
        sync_all(target.place for target in targets)
    except IoProblem as error:
        raise _with_word(error, _NOT_CONFIRMED, recorded=True) from error


def _write_all(home: Home, intent: Intent, progress: Progress | None) -> Receipt:
    """Take the full path: stage, commit by the intent, publish, leave the receipt."""
    receipt = intent.receipt()
    receipt_place = home.place(f"{RECEIPTS}/{journal.receipt_name(receipt)}")
    intent_place = home.place(f"{JOURNAL}/{intent.id}{journal.INTENT_ENDING}")
    prepared = journal.render_intent(intent)
    make_room(home, intent.changes, JOURNAL, RECEIPTS)
    targets: list[Target] = []
    try:
        stage_all(home, intent.changes, targets, progress)
        targets.append(Target(receipt_place, files.stage(receipt_place, journal.render_receipt(receipt))))
        files.write_atomic(intent_place, prepared)
        refuse_changed(home, intent.changes)
    except BaseException as error:
        discard_all(targets)
        _withdraw(intent_place, error)
        raise
    try:
        _publish(targets[:-1])
        _publish(targets[-1:])
    except IoProblem as error:
        discard_all(targets)
        raise _with_word(error, _FINISHED_LATER, recorded=True) from error
    with contextlib.suppress(IoProblem):  # the receipt tells that all is done; the next writer tidies up
        files.remove(intent_place)
        journal.prune_receipts(home)
    return receipt


def _publish(targets: list[Target]) -> None:
    publish_all(targets)
    sync_all(target.place for target in targets)


def _withdraw(intent_place: str, cause: BaseException) -> None:
    """Take back an intent on which nothing was done yet; if that is not certain, the error says so."""
    if not os.path.lexists(intent_place):
        return
    try:
        files.remove(intent_place)
        files.sync_folder(os.path.dirname(intent_place))
    except IoProblem as problem:
        if not isinstance(cause, WuuError):
            return
        error = cause if isinstance(cause, IoProblem) else problem
        if os.path.lexists(intent_place):
            raise _with_word(error, _FINISHED_LATER, recorded=True) from cause
        raise _with_word(error, _UNKNOWN, recorded=None) from cause


def _with_word(error: IoProblem, hint: str, *, recorded: bool | None) -> IoProblem:
    """Return the same error with word of what became of the change."""
    return type(error)(error.message, hint=hint, **{**error.details, "recorded": recorded})
