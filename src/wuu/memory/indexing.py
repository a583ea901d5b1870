"""The search index of each shelf: what of a memory goes into it, and when its words leave it again.

One index a shelf, since rarity must not mix scopes (ARCHITECTURE 4). It is derived, and lies in the cache.
Beside the words it has a note of each memory that is not simply saved or has links: so a search need not read
every file to know which memories wait, and which link to the ones it found.
"""

import contextlib
import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from wuu.errors import WuuError
from wuu.memory.categories import OTHER, PREFERRED, fold_category
from wuu.memory.entries import read_entry
from wuu.memory.format.days import day_text
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.format.times import find_time, seconds_of
from wuu.memory.shelves import Shelf, id_of
from wuu.search.index import Refresh, SearchIndex, discard_index, open_index
from wuu.search.rows import Noted
from wuu.situation.cache import find_cache, prepare_cache
from wuu.store.files import FileStat, Scan
from wuu.store.home import Home

_PINNED, _PREFERRED, _PLAIN = "p", "c", "-"


class Note(NamedTuple):
    """What the index knows of a memory without reading its file; links are those its file holds, with kinds.

    `ranks_higher`: it is in a category that a context prefers (`categories.PREFERRED`).
    """

    status: str
    pinned: bool = False
    ranks_higher: bool = False
    links: tuple[tuple[str, str], ...] = ()

    @property
    def linked(self) -> tuple[str, ...]:
        """The ids that it links to."""
        return tuple(other for other, _ in self.links)


def parse_note(note: str) -> Note:
    """Return what a note of the index says."""
    parts = note.split()
    status, flags = (*parts, "", "")[:2]  # a damaged index says less, and is no reason to fail
    pairs = tuple((other, kind) for other, _, kind in (link.partition(":") for link in parts[2:]))
    return Note(status, _PINNED in flags, _PREFERRED in flags, pairs)


def render_note(entry: Entry) -> str:
    """Return the note of a memory; one that is saved and in no way special needs none."""
    preferred = any(fold_category(one) in PREFERRED for one in entry.all_categories)
    flags = (_PINNED if entry.pinned else "") + (_PREFERRED if preferred else "")
    if entry.status == SAVED and not entry.links and not flags:
        return ""
    return " ".join((entry.status, flags or _PLAIN, *(f"{other}:{kind}" for other, kind in entry.links)))


def has_index(home: Home, shelf: Shelf, scan: Scan) -> bool:
    """Tell whether a shelf has anything to search, or an index of what it once had."""
    return bool(scan.names) or find_cache(home.root, shelf.folder) is not None


def refresh(index: SearchIndex, home: Home, shelf: Shelf, scan: Scan) -> Refresh:
    """Bring the index of a shelf up to date with its files, as `scan` saw them."""
    return index.refresh(
        lambda: memories_in(scan), lambda name: _searchable(home, shelf, name), fingerprint=scan.fingerprint()
    )


def memories_in(scan: Scan) -> list[FileStat]:
    """Return the files of a scan that are memories by their name."""
    return [stat for stat in scan.stats() if id_of(stat.name)]


def purge(home: Home, shelves: Iterable[Shelf]) -> None:
    """Take the words of memories that are gone or changed out of the indexes, or remove these (FACTS)."""
    for shelf in shelves:
        place = find_cache(home.root, shelf.folder)
        if place is None:
            continue
        with open_index(place) as index:
            kept_elsewhere = refresh(index, home, shelf, home.scan(shelf.folder)).in_memory
        if kept_elsewhere:
            discard_index(place)


def state_of(home: Home, shelf: Shelf) -> dict[str, Any]:
    """Return how the index of a shelf stands: `missing`, `stale` or `current`. It is not brought up to date.

    `memories` counts the files of the shelf, `indexed` those that the index has, and `waiting` those that the
    next search looks at: new, changed and gone ones, and ones that changed just before they were indexed.
    """
    stats = memories_in(home.scan(shelf.folder))
    place = find_cache(home.root, shelf.folder)
    indexed, waiting, size = 0, len(stats), 0
    if place is not None:
        with open_index(place) as index:
            indexed, waiting = index.compare(stats)
        with contextlib.suppress(OSError):
            size = os.stat(place).st_size
    state = "missing" if stats and not indexed else "stale" if waiting else "current"
    numbers = {"memories": len(stats), "indexed": indexed, "waiting": waiting, "bytes": size}
    return {**_named(shelf), "state": state, "path": place, **numbers}


def rebuild(home: Home, shelf: Shelf) -> dict[str, Any]:
    """Throw the index of a shelf away and build it anew; return how it stands.

    `in_memory` says that it could not be kept.
    """
    place = find_cache(home.root, shelf.folder)
    if place is not None:
        discard_index(place)
    scan = home.scan(shelf.folder)
    in_memory = False
    if scan.names:
        with open_index(prepare_cache(home.root, shelf.folder)) as index:
            in_memory = refresh(index, home, shelf, scan).in_memory
    return {**state_of(home, shelf), "in_memory": in_memory}


def _named(shelf: Shelf) -> dict[str, Any]:
    names = {"profile": shelf.profile, "workspace": shelf.workspace, "session_id": shelf.session}
    return {"scope": shelf.scope, "folder": shelf.folder, **names}


def _searchable(home: Home, shelf: Shelf, name: str) -> Noted | None:
    try:
        entry = read_entry(home, shelf, id_of(name) or "")
    except WuuError:
        return None
    return (
        None if entry is None else Noted(searchable_text(entry), render_note(entry), changed_seconds(entry))
    )


def changed_seconds(entry: Entry) -> float:
    """Return when a memory was changed, or else made, in seconds since the epoch; 0 if nothing says it."""
    changed = find_time(entry.updated_at or "") or find_time(entry.created_at or "")
    return 0.0 if changed is None else seconds_of(changed)


def searchable_text(entry: Entry) -> str:
    """Return what a memory is found by: its text, tags and categories, and its day; `other` says nothing."""
    categories = [folded for one in entry.all_categories if (folded := fold_category(one)) != OTHER]
    created = find_time(entry.created_at or "")
    days = [day_text(created)] if created else []
    return "\n".join((entry.text, *entry.tags, *categories, *days))
