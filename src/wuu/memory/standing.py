"""Memories as their files stand now, named by what an index or a scan said a moment ago.

What is shown is always read again (ARCHITECTURE 4). It owns what becomes of an id on several shelves.
"""

from collections.abc import Iterable, Mapping

from wuu.memory.folder import read_texts
from wuu.memory.format.entry import Entry, parse_entry
from wuu.memory.shelves import Shelf, id_of
from wuu.store.files import Scan
from wuu.store.home import Home


def standing_twice(scans: Mapping[Shelf, Scan]) -> dict[str, tuple[Shelf, ...]]:
    """Return the names that are on several shelves, with these."""
    seen: set[str] = set()
    several: set[str] = set()
    for scan in scans.values():
        several.update(seen.intersection(scan.names))
        seen.update(scan.names)
    names = sorted(name for name in several if id_of(name))
    return {name: tuple(shelf for shelf, scan in scans.items() if name in scan.names) for name in names}


def read_current(home: Home, places: Iterable[tuple[Shelf, str]]) -> dict[tuple[Shelf, str], Entry]:
    """Return the memories of these files; one that is gone or broken since is left out."""
    ids: dict[Shelf, dict[str, None]] = {}
    for shelf, name in places:
        ids.setdefault(shelf, {})[id_of(name) or ""] = None
    return {
        (shelf, f"{memory_id}.md"): parse_entry(memory_id, shelf, text)
        for shelf, wanted in ids.items()
        for memory_id, text in read_texts(home, shelf.folder, wanted)
        if isinstance(text, str)
    }
