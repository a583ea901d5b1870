"""How the file of a memory becomes that of a changed one: in its place, or on another shelf.

Shared by all that plans changes of memories. Every other byte of a file stays; nothing here decides anything.
"""

from typing import NamedTuple

from wuu import clock
from wuu.errors import ChangedOnDisk, TooLarge
from wuu.memory.format.entry import PENDING, SAVED, Entry, edited_entry, parse_entry, render_entry
from wuu.memory.format.times import render_time
from wuu.memory.shelves import USER, Shelf
from wuu.memory.values import MemoryChange
from wuu.memory.writing.workspace_file import plan_workspace
from wuu.situation.situation import Situation
from wuu.store import files
from wuu.store.changes import Change, ChangeSet, change, digest_of
from wuu.store.home import Home

MemoryPlan = ChangeSet[MemoryChange]


class Rewritten(NamedTuple):
    """The changes that give a memory its new form, and what will be read from its file then."""

    changes: tuple[Change, ...]
    after: Entry


def time_now() -> str:
    """Return the time of a change, in the form that files have it."""
    return render_time(clock.now())


def written(home: Home, situation: Situation, entry: Entry) -> Rewritten:
    """Return how a new memory gets its file, and its project what is known of it.

    Raises:
        TooLarge: The file would have more than 256 KiB.
    """
    text = render_entry(entry)
    changes = (change(entry.path, None, _fitting(text, entry)),)
    known = plan_place(home, situation, entry.shelf, entry.created_at or time_now())
    return Rewritten((*changes, *known), parse_entry(entry.id, entry.shelf, text))


def rewritten(home: Home, old: Entry, new: Entry, now: str) -> Rewritten:
    """Return how the file of `old` becomes that of `new`; what waited and is saved now says since when.

    Raises:
        ChangedOnDisk: The file is another one by now.
        TooLarge: It would have more than 256 KiB.
    """
    if old.status == PENDING and new.status == SAVED:
        new = new._replace(saved_at=now)
    text = edited_entry(document_of(home, old), old, new._replace(updated_at=now))
    data = _fitting(text, new)
    after = parse_entry(new.id, new.shelf, text)
    if new.shelf == old.shelf:
        return Rewritten((Change(old.path, old.digest, data),), after)
    return Rewritten((Change(new.path, None, data), Change(old.path, old.digest, None)), after)


def document_of(home: Home, entry: Entry) -> str:
    """Return the whole text of a memory's file, as it was when `entry` was read.

    A file just as wuu writes it need not be read again: its digest tells.

    Raises:
        ChangedOnDisk: It is another one by now.
    """
    written_by_us = render_entry(entry)
    if digest_of(written_by_us.encode("utf-8", "surrogatepass")) == entry.digest:
        return written_by_us
    data = home.read(entry.path, follow=False)
    if data is None or digest_of(data) != entry.digest:
        hint = "Look at it, then run the command again."
        raise ChangedOnDisk(f"{entry.path} changed while this was worked out.", hint=hint, path=entry.path)
    return files.decode(data, entry.path)


def plan_place(home: Home, situation: Situation, shelf: Shelf, now: str) -> tuple[Change, ...]:
    """Plan what is written of a project when the first thing is kept for it.

    Raises:
        WorkspaceMoved: The project may be one that is known under a path that is gone.
    """
    if shelf.scope == USER:
        return ()
    changes = plan_workspace(home, situation.get_workspace(), now)
    if changes:
        from wuu.memory.places.moving import refuse_moved  # noqa: PLC0415  (a project's first memory alone)

        refuse_moved(home, situation)
    return changes


def _fitting(text: str, entry: Entry) -> bytes:
    data = text.encode()
    if len(data) > files.MAX_FILE_BYTES:
        note = f"{entry.path} would be larger than {files.MAX_FILE_BYTES:,} bytes."
        raise TooLarge(note, path=entry.path, limit=files.MAX_FILE_BYTES)
    return data
