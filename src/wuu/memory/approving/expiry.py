"""Proposals that waited too long are put away by the next change of memories (setting memoryPendingDays).

Owns what "too long" means and what is added to a plan for it. Pure, as plans are: it runs with the lock held,
reads, and writes nothing. With the setting at 0 it does not even read.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from wuu import clock
from wuu.errors import Caveat, ChangedOnDisk, TooLarge
from wuu.memory.entries import created_time
from wuu.memory.folder import ids_of, read_texts, scan_names
from wuu.memory.format.entry import PENDING, Entry, find_status, parse_entry
from wuu.memory.format.times import render_time
from wuu.memory.shelves import Shelf, visible_shelves
from wuu.memory.values import Decisions, MemoryChange
from wuu.memory.writing import lifecycle
from wuu.memory.writing.rewriting import Rewritten, rewritten
from wuu.situation.situation import Situation
from wuu.store.changes import ChangeSet
from wuu.store.home import Home

SETTING = "memoryPendingDays"
MOST_AT_ONCE = 1_000
"""Most proposals that one command puts away; the next one goes on."""

_DAY_SECONDS = 86_400
_Outcome = TypeVar("_Outcome", MemoryChange, Decisions)


def overdue(entry: Entry, days: int, now: float) -> bool:
    """Tell whether `entry` waits and was made more than `days` days before `now` (seconds); 0 days: never.

    A proposed change counts too; one whose file does not say when it was made is never overdue.
    """
    if days <= 0 or entry.status != PENDING:
        return False
    return "" < created_time(entry) < render_time(now - days * _DAY_SECONDS)


def with_overdue(home: Home, situation: Situation, planned: ChangeSet[_Outcome]) -> ChangeSet[_Outcome]:
    """Return `planned` with what is overdue on the visible shelves archived as well, and a caveat `lapsed`.

    A plan that changes nothing stays like that, and so do files that it touches. A proposed change keeps
    saying what it proposes, so it can be restored.

    Raises:
        SettingsInvalid: The settings cannot be read.
        UnsafeFile, IoProblem: A whole shelf cannot be read.
    """
    days = situation.settings.integer(SETTING) if planned.changes else 0
    if days <= 0:
        return planned
    touched = frozenset(change.path for change in planned.changes)
    found = [one for one in _overdue(home, situation, days) if one.path not in touched]
    lapsed: tuple[Rewritten, ...] = tuple(_archived(home, found[:MOST_AT_ONCE]))
    if not lapsed:
        return planned
    outcome: _Outcome = planned.outcome._replace(
        caveats=(*planned.outcome.caveats, _caveat([one.after.id for one in lapsed], days))
    )
    changes = (*planned.changes, *(change for one in lapsed for change in one.changes))
    return ChangeSet(changes, outcome)


def _overdue(home: Home, situation: Situation, days: int) -> list[Entry]:
    """Return what is overdue on the visible shelves, the oldest first."""
    now = clock.now()
    pending = (entry for shelf in visible_shelves(situation) for entry in _pending(home, shelf))
    found = [entry for entry in pending if overdue(entry, days, now)]
    return sorted(found, key=lambda entry: (created_time(entry), entry.id))


def _pending(home: Home, shelf: Shelf) -> Iterator[Entry]:
    """Yield what waits on a shelf, as far as it can be read; the rest of a file is read only then."""
    for memory_id, text in read_texts(home, shelf.folder, ids_of(scan_names(home, shelf.folder))):
        if isinstance(text, str) and find_status(text) == PENDING:
            yield parse_entry(memory_id, shelf, text)


def _archived(home: Home, entries: Sequence[Entry]) -> Iterator[Rewritten]:
    """Yield the changes that put `entries` away; what cannot be changed now is left alone."""
    now = render_time(clock.now())
    for entry in entries:
        away = lifecycle.step(entry, lifecycle.ARCHIVE, None, None).entry
        with contextlib.suppress(ChangedOnDisk, TooLarge):
            yield rewritten(home, entry, away, now)


def _caveat(ids: list[str], days: int) -> Caveat:
    what = "One proposal" if len(ids) == 1 else f"{len(ids)} proposals"
    note = f"{what} waited more than {days} days and went to the archive: {', '.join(ids[:3])}"
    note += " …" if len(ids) > 3 else "."
    return Caveat("lapsed", note, {"ids": ids, "days": days})
