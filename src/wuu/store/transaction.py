"""One protocol for every write: all files of a change or none, whatever happens in between.

`commit` is the only way to change a home. In order (ARCHITECTURE 3, with one difference: every byte is on the disk
before the commit point, so that a full disk can only be noticed before it):

1. lock, recover, answer a request id that was seen before, work out the change with the lock held;
2. verify what every file was, now;
3. stage each new file and the receipt as durable siblings;
4. write the intent with the prepared bytes and make it durable: **the commit point**;
5. rename, remove, make the folders durable; publish the receipt; remove the intent.
"""

import contextlib
import os
from collections.abc import Callable
from typing import TypeVar

from wuu import clock
from wuu.errors import ChangedOnDisk, IoProblem, RequestIdReused
from wuu.ids import new_id
from wuu.store import files, journal
from wuu.store.apply import Target, current_digest, discard_all, make_room, publish_all, stage_change
from wuu.store.changes import Change, ChangeSet, Committed, Receipt, Recovered, Request
from wuu.store.home import JOURNAL, RECEIPTS, Home, prepare_home
from wuu.store.journal import Intent
from wuu.store.locks import Waiting, hold
from wuu.store.recovery import recover, refuse_blocked

T = TypeVar("T")
Plan = Callable[[Home], ChangeSet[T]]


def preview(home: Home, plan: Plan[T]) -> ChangeSet[T]:
    """Return what `commit` would do now, without the lock and without writing."""
    planned = plan(home)
    return planned._replace(changes=tuple(one for one in planned.changes if one.before != one.after_digest))


def commit(
    home: Home, plan: Plan[T], *, command: str, request: Request | None = None, waiting: Waiting | None = None
) -> Committed[T]:
    """Change the home by `plan`, which is called with the lock held and only reads.

    Args:
        home: The home, which is made if it is not there.
        plan: Reads the home and returns the change; it may refuse by raising, then nothing is written.
        command: What is being done, for the receipt and for whoever waits.
        request: The caller's id for this write; a repetition returns the first receipt and writes nothing.
        waiting: Told once when the lock takes longer than a second.

    Raises:
        Locked: Another writer held the lock for ten seconds.
        ChangedOnDisk: A file is not what the plan read.
        RequestIdReused: The id came before with another request.
        RecoveryNeeded: An interrupted change of one of these files waits for a person to settle it.
        IoProblem: The system refused. `details["recorded"]` tells whether the next writer will finish the change;
            without it nothing was written.
    """
    with hold(home, command, waiting=waiting):
        prepare_home(home)
        recovered = recover(home)
        if request is not None and (receipt := journal.find_receipt(home, request.id)) is not None:
            return _answer_again(receipt, request, recovered)
        changes, outcome = preview(home, plan)
        refuse_blocked(home, changes)
        _verify(home, changes)
        receipt = _write(home, changes, command, request)
        return Committed(outcome, changes, receipt, replayed=False, recovered=recovered)


def _answer_again(receipt: Receipt, request: Request, recovered: tuple[Recovered, ...]) -> Committed[T]:
    if receipt.request_digest != request.digest:
        raise RequestIdReused(
            f"The request id {request.id!r} was used for another request before.",
            hint="Use a new id for a new request.",
            request_id=request.id,
        )
    return Committed(None, (), receipt, replayed=True, recovered=recovered)


def _verify(home: Home, changes: tuple[Change, ...]) -> None:
    for one in changes:
        if current_digest(home, one.path) != one.before:
            hint = "Look at it, then run the command again."
            raise ChangedOnDisk(f"{one.path} changed while this was worked out.", hint=hint, path=one.path)


def _write(home: Home, changes: tuple[Change, ...], command: str, request: Request | None) -> Receipt | None:
    """Write several files, or any with a request id, by the full path; a single one is atomic by itself."""
    if request is not None or len(changes) > 1:
        return _write_all(home, Intent(new_id(), command, clock.rfc3339(clock.now()), request, changes))
    if changes:
        make_room(home, changes)
        _publish(changes, [stage_change(home, changes[0])])
    return None


def _publish(changes: tuple[Change, ...], targets: list[Target]) -> None:
    try:
        publish_all(targets)
    except BaseException:
        discard_all(targets)
        raise


def _write_all(home: Home, intent: Intent) -> Receipt:
    """Take the full path: stage, commit by the intent, publish, leave the receipt."""
    receipt = intent.receipt()
    receipt_place = home.place(f"{RECEIPTS}/{journal.receipt_name(receipt)}")
    intent_place = home.place(f"{JOURNAL}/{intent.id}{journal.INTENT_ENDING}")
    make_room(home, intent.changes, JOURNAL, RECEIPTS)
    targets: list[Target] = []
    try:
        for one in intent.changes:
            targets.append(stage_change(home, one))
        targets.append(Target(receipt_place, files.stage(receipt_place, journal.render_receipt(receipt))))
        files.write_atomic(intent_place, journal.render_intent(intent))
    except BaseException as error:
        discard_all(targets)
        if not _withdraw(intent_place) and isinstance(error, IoProblem):
            raise _recorded(error) from error
        raise
    try:
        publish_all(targets[:-1])
        publish_all(targets[-1:])
    except IoProblem as error:
        raise _recorded(error) from error
    files.remove(intent_place)
    journal.prune_receipts(home)
    return receipt


def _withdraw(intent_place: str) -> bool:
    """Take an intent back that failed to become durable; tell whether it is gone."""
    with contextlib.suppress(IoProblem):
        files.remove(intent_place)
        files.sync_folder(os.path.dirname(intent_place))
    return not os.path.lexists(intent_place)


def _recorded(error: IoProblem) -> IoProblem:
    """Return the same error with word that the change is decided and will be finished."""
    hint = "The change is recorded; the next command that writes will finish it."
    return type(error)(error.message, hint=hint, **{**error.details, "recorded": True})
