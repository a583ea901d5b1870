"""Finishing what a killed writer began, and the conflicts that only a person can settle.

Only writers and `wuu reconcile files` come here, with the lock held. A file that is neither as it was nor as it was
to become means that somebody edited it in between: then nothing is written, and the intent is parked.
"""

import os
from typing import NamedTuple

from wuu.errors import Corrupt, IoProblem, NotFound, RecoveryNeeded, TooLarge, UnsafeFile
from wuu.ids import new_id
from wuu.store import files, journal
from wuu.store.apply import current_digest, discard_all, make_room, publish_all, stage_change
from wuu.store.changes import Change, Recovered
from wuu.store.home import CONFLICTS, JOURNAL, RECEIPTS, Home
from wuu.store.journal import Intent

DAMAGED_ENDING = ".damaged"


class FileState(NamedTuple):
    """A file of a parked intent: `state` is `prepared`, `before` or `changed`, as it stands on the disk now."""

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
    """Finish or park every intent in the journal, oldest first. Under the lock only."""
    return tuple(_recover_one(home, name) for name in journal.intent_names(home))


def pending_intents(home: Home) -> list[str]:
    """Return the ids of changes that were begun and not finished, as far as a reader can tell.

    A reader never writes; it asks whether a writer is at work right now only if there is something to ask about.
    """
    names = journal.intent_names(home)
    if not names:
        return []
    from wuu.store.locks import is_held

    return [] if is_held(home) else [name.removesuffix(journal.INTENT_ENDING) for name in names]


def refuse_blocked(home: Home, changes: tuple[Change, ...]) -> None:
    """Refuse a change of a file that a parked intent claims.

    Raises:
        RecoveryNeeded: Names the files and the command that settles them.
    """
    paths = {one.path for one in changes}
    for conflict in read_conflicts(home):
        claimed = sorted(paths & {one.path for one in conflict.files})
        if claimed:
            raise RecoveryNeeded(
                f"An interrupted change of {', '.join(claimed)} waits for your decision.",
                hint="wuu reconcile files shows it; --keep-disk or --keep-prepared settles it.",
                conflict=conflict.id,
                paths=claimed,
            )


def read_conflicts(home: Home) -> list[Conflict]:
    """Return every parked intent, with the state of its files now."""
    conflicts = []
    for name in files.names_in(home.place(CONFLICTS)):
        if name.endswith(DAMAGED_ENDING):
            conflicts.append(Conflict(name.removesuffix(DAMAGED_ENDING), "", None, (), damaged=True))
        elif name.endswith(journal.INTENT_ENDING):
            conflicts.append(_conflict(home, name))
    return conflicts


def settle(home: Home, conflict_id: str, *, keep_prepared: bool) -> list[str]:
    """Settle one conflict; return the paths of copies kept of what was replaced. Under the lock only.

    With `keep_prepared` the change is made after all, and what a person had written meanwhile is kept in
    `conflicts/`; otherwise the files stay as they are and the intent goes.

    Raises:
        NotFound: There is no such conflict.
        Corrupt: A damaged intent has no prepared bytes to keep.
    """
    name = conflict_id + journal.INTENT_ENDING
    if os.path.exists(home.place(f"{CONFLICTS}/{conflict_id}{DAMAGED_ENDING}")):
        if keep_prepared:
            raise Corrupt("This intent is damaged; only --keep-disk is left.", conflict=conflict_id)
        name = conflict_id + DAMAGED_ENDING
    elif not os.path.exists(home.place(f"{CONFLICTS}/{name}")):
        raise NotFound(f"There is no conflict {conflict_id}.", hint="wuu reconcile files lists them.", id=conflict_id)
    kept: list[str] = []
    if keep_prepared:
        intent = journal.read_intent(home, CONFLICTS, name)
        kept = [copy for one in intent.changes if (copy := _keep_copy(home, one))]
        _finish(home, intent)
    files.remove(home.place(f"{CONFLICTS}/{name}"))
    files.sync_folder(home.place(CONFLICTS))
    return kept


def _recover_one(home: Home, name: str) -> Recovered:
    intent_id = name.removesuffix(journal.INTENT_ENDING)
    files.sync_file(home.place(f"{JOURNAL}/{name}"))
    files.sync_folder(home.place(JOURNAL))
    try:
        intent = journal.read_intent(home, JOURNAL, name)
    except Corrupt:
        _park(home, name, intent_id + DAMAGED_ENDING)
        return Recovered(intent_id, "parked", ())
    paths = tuple(one.path for one in intent.changes)
    if any(_state(home, one) == "changed" for one in intent.changes):
        _park(home, name, name)
        return Recovered(intent_id, "parked", paths)
    _finish(home, intent)
    files.remove(home.place(f"{JOURNAL}/{name}"))
    return Recovered(intent_id, "completed", paths)


def _park(home: Home, name: str, new_name: str) -> None:
    files.ensure_folder(home.place(CONFLICTS))
    files.publish(home.place(f"{JOURNAL}/{name}"), home.place(f"{CONFLICTS}/{new_name}"))
    files.sync_folder(home.place(CONFLICTS))
    files.sync_folder(home.place(JOURNAL))


def _finish(home: Home, intent: Intent) -> None:
    """Make what is left of a change, and leave its receipt."""
    open_changes = [one for one in intent.changes if current_digest(home, one.path) != one.after_digest]
    make_room(home, intent.changes, RECEIPTS)
    targets = []
    try:
        for one in open_changes:
            targets.append(stage_change(home, one))
        publish_all(targets)
    except BaseException:
        discard_all(targets)
        raise
    for folder in sorted({os.path.dirname(home.place(one.path)) for one in intent.changes}):
        files.sync_folder(folder)
    receipt = intent.receipt()
    if not journal.has_receipt(home, receipt):
        files.write_atomic(home.place(f"{RECEIPTS}/{journal.receipt_name(receipt)}"), journal.render_receipt(receipt))


def _state(home: Home, one: Change) -> str:
    try:
        found = current_digest(home, one.path)
    except (UnsafeFile, TooLarge, IoProblem):
        return "changed"  # whatever it is, it is not ours to replace
    if found == one.after_digest:
        return "prepared"
    return "before" if found == one.before else "changed"


def _conflict(home: Home, name: str) -> Conflict:
    intent_id = name.removesuffix(journal.INTENT_ENDING)
    try:
        intent = journal.read_intent(home, CONFLICTS, name)
    except Corrupt:
        return Conflict(intent_id, "", None, (), damaged=True)
    states = tuple(FileState(one.path, _state(home, one)) for one in intent.changes)
    return Conflict(intent_id, intent.command, intent.created_at, states, damaged=False)


def _keep_copy(home: Home, one: Change) -> str | None:
    """Keep what a person wrote meanwhile before it is replaced; return the path of the copy in the home."""
    if _state(home, one) != "changed":
        return None
    data = home.read(one.path)
    if data is None:
        return None
    path = f"{CONFLICTS}/kept-{new_id()}-{os.path.basename(one.path)}"
    files.write_atomic(home.place(path), data)
    return path
