"""Making what is left of a change that an intent describes, as often as it takes.

Says of each file whether it is as it was, as it shall be, or neither, and never replaces the last kind unless
told to. Does not decide what becomes of an intent: that is `recovery.py`.
"""

import errno

from wuu.errors import ChangedOnDisk, IoProblem, TooLarge, UnsafeFile
from wuu.store import files, journal
from wuu.store.apply import (
    Target,
    current_digest,
    discard_all,
    make_room,
    publish_all,
    refuse_unfit,
    stage_all,
    sync_all,
    would_replace_another,
)
from wuu.store.changes import Change
from wuu.store.home import RECEIPTS, Home
from wuu.store.journal import Intent
from wuu.store.paths import resolve

PREPARED, BEFORE, CHANGED = "prepared", "before", "changed"
_SHORTAGES = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM))  # of the process, not of the file


def state_of(home: Home, intent: Intent, one: Change) -> str:
    """Return how a file of `intent` is now: `prepared`, `before`, or `changed`, which is not ours to replace.

    Raises:
        IoProblem: The process is out of memory or descriptors, which says nothing about the file.
    """
    try:
        found = current_digest(home, one.path)
        strange = would_replace_another(home, one, intent.changes)
    except (UnsafeFile, TooLarge):
        return CHANGED
    except IoProblem as error:
        if error.details.get("errno") in _SHORTAGES:
            raise
        return CHANGED
    if strange:
        return CHANGED
    if found == one.after_digest:
        return PREPARED
    return BEFORE if found == one.before else CHANGED


def finish(home: Home, intent: Intent, *, careful: bool) -> None:
    """Make what is left of a change and leave its receipt; `careful`: only if no file was changed meanwhile.

    Raises:
        ChangedOnDisk: `careful`, and a file is neither as it was nor as it shall be; nothing was written.
        AlreadyExists: The disk takes two of the files for one.
        Corrupt: Something is in the way of a folder.
        UnsafeFile: A path leaves the home, is the store's own, or is the same file as another one.
        TooLarge: More than 64 MiB at once.
        IoProblem: The system refused; what was made stays made.
    """
    refuse_unfit(home, intent.changes)
    if careful:
        _refuse_changed(home, intent)
    left = [one for one in intent.changes if state_of(home, intent, one) != PREPARED]
    make_room(home, intent.changes, RECEIPTS)
    targets: list[Target] = []
    try:
        stage_all(home, left, targets)
        if careful:
            _refuse_changed(home, intent)
        publish_all(targets)
    except BaseException:
        discard_all(targets)
        raise
    sync_all(resolve(home.root, one.path) for one in intent.changes)
    receipt = intent.receipt()
    place = home.place(f"{RECEIPTS}/{journal.receipt_name(receipt)}")
    files.write_atomic(place, journal.render_receipt(receipt))


def _refuse_changed(home: Home, intent: Intent) -> None:
    for one in intent.changes:
        if state_of(home, intent, one) == CHANGED:
            raise ChangedOnDisk(f"{one.path} is not what it was.", path=one.path)
