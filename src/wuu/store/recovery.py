"""Finishing what a killed writer began, and the conflicts that only a person can settle.

Only writers and `wuu reconcile files` come here, with the lock held. A file that is neither as it was nor as
it was to become means that somebody edited it in between: then nothing is written, and the intent is parked.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from typing import NamedTuple

from wuu.errors import (
    AlreadyExists,
    ChangedOnDisk,
    Corrupt,
    IoProblem,
    NotFound,
    RecoveryNeeded,
    TooLarge,
    UnsafeFile,
)
from wuu.ids import sha256_hex
from wuu.store import files, journal
from wuu.store.changes import Change, Recovered, Request
from wuu.store.finishing import CHANGED, finish, state_of
from wuu.store.home import CONFLICTS, JOURNAL, RECEIPTS, Home
from wuu.store.journal import Intent
from wuu.store.paths import resolve

DAMAGED_ENDING = ".damaged"
_KEPT = "kept-"
# What the system says of one file, and will say again: the other files of the home need not wait for it.
_LASTING = frozenset(
    (
        *(errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOTEMPTY),
        *(errno.EBUSY, errno.ENAMETOOLONG, errno.ELOOP),
    )
)


class FileState(NamedTuple):
    """A file of a parked intent: `state` is `prepared`, `before` or `changed`, as it is on the disk now."""

    path: str
    state: str


class Conflict(NamedTuple):
    """An interrupted change that waits for a person. A damaged intent has no files that could be named."""

    id: str
    command: str
    created_at: str | None
    files: tuple[FileState, ...]
    damaged: bool


def recover(home: Home) -> tuple[Recovered, ...]:
    """Sweep, then finish or park every intent in the journal, oldest first. Under the lock only.

    Raises:
        IoProblem: The system refused; what could not be finished is tried again by the next writer.
    """
    for folder in (home.root, *(home.place(name) for name in (JOURNAL, RECEIPTS, CONFLICTS))):
        files.sweep(folder)
    return tuple(_recover_one(home, name) for name in journal.intent_names(home))


def pending_intents(home: Home) -> list[str]:
    """Return the ids of changes that were begun and not finished, as far as a reader can tell.

    A reader never writes; it asks whether a writer is at work right now only if there is something to ask
    about, and then looks again, for that writer may just have finished.
    """
    names = journal.intent_names(home)
    if not names:
        return []
    from wuu.store.locks import is_held  # noqa: PLC0415  (portalocker is for writers, and for this)

    if is_held(home):
        return []
    return [name.removesuffix(journal.INTENT_ENDING) for name in journal.intent_names(home) if name in names]


def refuse_blocked(home: Home, changes: tuple[Change, ...]) -> None:
    """Refuse a change of a file that a parked intent claims, by its path or through a link.

    Raises:
        RecoveryNeeded: Names the files and the command that settles them.
    """
    places = {resolve(home.root, one.path) for one in changes}
    for intent_id, intent in _parked(home):
        claimed = sorted(one.path for one in intent.changes if _place_of(home, one) in places)
        if claimed:
            waiting = f"An interrupted change of {', '.join(claimed)} waits for your decision."
            raise _settle_first(waiting, intent_id, claimed)


def refuse_parked(home: Home, request: Request) -> None:
    """Refuse a request that is parked: it may still be made, and then must not have been made twice.

    Raises:
        RecoveryNeeded: Names the request and the command that settles it.
    """
    for intent_id, intent in _parked(home):
        if intent.request is not None and intent.request.id == request.id:
            waiting = f"The request {request.id!r} was interrupted and waits for your decision."
            raise _settle_first(waiting, intent_id, sorted(one.path for one in intent.changes))


def read_conflicts(home: Home) -> list[Conflict]:
    """Return every parked intent, with the state of its files now."""
    return [_conflict(home, intent_id, name) for intent_id, name in _parked_names(home).items()]


def parked_intents(home: Home) -> list[str]:
    """Return the ids of the intents that wait for a person, without reading them."""
    return list(_parked_names(home))


def settle(home: Home, conflict_id: str, *, keep_prepared: bool) -> list[str]:
    """Settle one conflict; return the paths of copies kept of what was replaced. Under the lock only.

    With `keep_prepared` the change is made after all, and what a person had written meanwhile is kept in
    `conflicts/`; otherwise the files stay as they are and the intent goes.

    Raises:
        NotFound: There is no such conflict.
        Corrupt: A damaged intent has no prepared bytes to keep.
        UnsafeFile: What stands in the place of a file is none, and has to be moved away first.
        IoProblem: The system refused; the conflict stays.
    """
    name = _parked_names(home).get(conflict_id)
    if name is None:
        hint = "wuu reconcile files lists them."
        raise NotFound(f"There is no conflict {conflict_id}.", hint=hint, id=conflict_id)
    kept: list[str] = []
    if keep_prepared:
        if name.endswith(DAMAGED_ENDING):
            raise Corrupt("This intent is damaged; only --keep-disk is left.", conflict=conflict_id)
        intent = journal.read_intent(home, CONFLICTS, name)
        kept = [copy for one in intent.changes if (copy := _keep_copy(home, intent, one))]
        finish(home, intent, careful=False)
    files.remove(home.place(f"{CONFLICTS}/{name}"))
    files.sync_folder(home.place(CONFLICTS))
    return kept


def _recover_one(home: Home, name: str) -> Recovered:
    """Finish or park one intent. It and its name are made durable before anything is done on its word."""
    intent_id = name.removesuffix(journal.INTENT_ENDING)
    try:
        intent = journal.read_intent(home, JOURNAL, name)
    except (Corrupt, TooLarge, UnsafeFile):
        _park(home, name, intent_id + DAMAGED_ENDING)
        return Recovered(intent_id, "parked", ())
    place = home.place(f"{JOURNAL}/{name}")
    files.sync_file(place)
    files.sync_folder(os.path.dirname(place))
    paths = tuple(one.path for one in intent.changes)
    if not _is_made(home, intent) and not _can_be_made(home, intent):
        _park(home, name, name)
        _sweep_beside(home, intent)
        return Recovered(intent_id, "parked", paths)
    _forget_parked(home, name)
    files.remove(place)
    return Recovered(intent_id, "completed", paths)


def _forget_parked(home: Home, name: str) -> None:
    """Take back the second name of an intent that was being parked, and that could be made after all."""
    parked = home.place(f"{CONFLICTS}/{name}")
    if os.path.lexists(parked):
        files.remove(parked)
        files.sync_folder(os.path.dirname(parked))


def _is_made(home: Home, intent: Intent) -> bool:
    """Tell whether there is a receipt. Then the files may have changed again, and nothing is left to do."""
    if not journal.has_receipt(home, intent.receipt()):
        return False
    files.sync_folder(home.place(RECEIPTS))
    return True


def _can_be_made(home: Home, intent: Intent) -> bool:
    """Make what is left of a change; tell whether that was possible without replacing what is not ours."""
    try:
        finish(home, intent, careful=True)
    except (AlreadyExists, ChangedOnDisk, Corrupt, TooLarge, UnsafeFile):
        return False
    except IoProblem as error:
        if error.details.get("errno") not in _LASTING:
            raise
        return False
    return True


def _park(home: Home, name: str, new_name: str) -> None:
    """Move an intent to the conflicts, whose folder a killed writer may have made and not made durable."""
    files.ensure_folder(resolve(home.root, CONFLICTS))
    files.move(home.place(f"{JOURNAL}/{name}"), home.place(f"{CONFLICTS}/{new_name}"))


def _sweep_beside(home: Home, intent: Intent) -> None:
    """Sweep what was staged for a parked change: the intent has the bytes, and nobody need write there."""
    places = {place for one in intent.changes if (place := _place_of(home, one)) is not None}
    for folder in sorted({os.path.dirname(place) for place in places}):
        with contextlib.suppress(IoProblem):
            files.sweep(folder)


def _parked_names(home: Home) -> dict[str, str]:
    """Return the file name of each parked intent by its id."""
    names = [name for name in files.names_in(home.place(CONFLICTS)) if not name.startswith(_KEPT)]
    endings = (journal.INTENT_ENDING, DAMAGED_ENDING)
    return {name.removesuffix(ending): name for ending in endings for name in names if name.endswith(ending)}


def _parked(home: Home) -> Iterator[tuple[str, Intent]]:
    """Yield the parked intents that can be read."""
    for intent_id, name in _parked_names(home).items():
        intent = _find_parked(home, name)
        if intent is not None:
            yield intent_id, intent


def _find_parked(home: Home, name: str) -> Intent | None:
    if name.endswith(DAMAGED_ENDING):
        return None
    try:
        return journal.read_intent(home, CONFLICTS, name)
    except (Corrupt, TooLarge, UnsafeFile):
        return None


def _place_of(home: Home, one: Change) -> str | None:
    try:
        return resolve(home.root, one.path)
    except UnsafeFile:
        return None


def _conflict(home: Home, intent_id: str, name: str) -> Conflict:
    intent = _find_parked(home, name)
    if intent is None:
        return Conflict(intent_id, "", None, (), damaged=True)
    states = tuple(FileState(one.path, state_of(home, intent, one)) for one in intent.changes)
    return Conflict(intent_id, intent.command, intent.created_at, states, damaged=False)


def _settle_first(waiting: str, conflict_id: str, paths: list[str]) -> RecoveryNeeded:
    hint = "wuu reconcile files shows it; --keep-disk or --keep-prepared settles it."
    return RecoveryNeeded(waiting, hint=hint, conflict=conflict_id, paths=paths)


def _keep_copy(home: Home, intent: Intent, one: Change) -> str | None:
    """Keep what a person wrote meanwhile before it is replaced; return the path of the copy in the home."""
    if state_of(home, intent, one) != CHANGED:
        return None
    data = home.read(one.path, limit=files.MAX_CHANGE_BYTES)
    if data is None:
        return None
    name = f"{_KEPT}{intent.id}-{sha256_hex(data)[:8]}-{os.path.basename(one.path)}"
    path = f"{CONFLICTS}/{files.fit_name(name)}"
    files.write_atomic(home.place(path), data)
    return path
