"""Memories on the disk: one read, shelves read, an id found, links seen from both ends. Writes nothing.

Owns what is made of files that cannot be read (named, never dropped) and of an id that stands in two places
(ARCHITECTURE 2: the least privileged reading wins).
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wuu.errors import Ambiguous, Caveat, NotFound, WuuError
from wuu.memory.folder import ids_of, read_texts, scan_names
from wuu.memory.format.entry import (
    LEAST_PRIVILEGED_SENSITIVITY,
    LEAST_PRIVILEGED_STATUS,
    STATUSES,
    Entry,
    find_status,
    parse_entry,
)
from wuu.memory.format.fields import LINK_PREFIX, parse_text
from wuu.memory.format.times import find_time
from wuu.memory.links import SYMMETRIC, Link, all_links, links_of, revision_of
from wuu.memory.shelves import Shelf, check_prefix
from wuu.store import files
from wuu.store.home import Home

__all__ = [
    "SYMMETRIC",
    "UNREADABLE",
    "Catalogue",
    "Link",
    "all_links",
    "count_statuses",
    "created_time",
    "get_entry",
    "ids_in",
    "least_privileged",
    "linkers",
    "links_of",
    "proposers",
    "read_bodies",
    "read_catalogue",
    "read_entry",
    "revision_of",
    "text_of",
]

UNREADABLE = "unreadable"

_CANDIDATES_NAMED = 10
_FULL_ID = 16


class Catalogue(NamedTuple):
    """Every memory of some shelves, each id once, and what could not be read of them."""

    entries: tuple[Entry, ...]
    caveats: tuple[Caveat, ...]

    def by_id(self) -> dict[str, Entry]:
        """Return the memories by id."""
        return {entry.id: entry for entry in self.entries}


def read_entry(home: Home, shelf: Shelf, memory_id: str) -> Entry | None:
    """Return a memory, or None if there is none.

    Raises:
        NotUtf8, UnsafeFile, TooLarge, IoProblem: The file cannot be read.
    """
    path = shelf.path(memory_id)
    data = home.read(path, follow=False)
    return None if data is None else parse_entry(memory_id, shelf, files.decode(data, path))


def read_catalogue(home: Home, shelves: Iterable[Shelf]) -> Catalogue:
    """Return every memory of `shelves`, in the order of shelves and ids; unreadable files are caveats.

    Raises:
        UnsafeFile, IoProblem: A whole shelf cannot be read, which is not an empty one.
    """
    found: dict[str, Entry] = {}
    caveats: list[Caveat] = []
    for shelf in shelves:
        for memory_id, text in _texts(home, shelf, caveats):
            entry = parse_entry(memory_id, shelf, text)
            known = found.get(memory_id)
            found[memory_id] = entry if known is None else least_privileged(known, entry)
    return Catalogue(tuple(found.values()), tuple(caveats))


def read_bodies(home: Home, shelves: Iterable[Shelf]) -> Iterator[tuple[Shelf, str, str]]:
    """Yield shelf, id and text of every memory that can be read, in order: what finding duplicates takes.

    Raises:
        UnsafeFile, IoProblem: See `read_catalogue`.
    """
    for shelf in shelves:
        for memory_id, document in _texts(home, shelf, []):
            yield shelf, memory_id, parse_text(document)


def count_statuses(home: Home, shelves: Iterable[Shelf]) -> dict[str, int]:
    """Return how many memories of `shelves` have each status, and how many are `unreadable`.

    It looks for nothing else in the files. A memory in two places counts twice.

    Raises:
        UnsafeFile, IoProblem: See `read_catalogue`.
    """
    caveats: list[Caveat] = []
    counts = dict.fromkeys(STATUSES, 0)
    for shelf in shelves:
        for _, text in _texts(home, shelf, caveats):
            counts[find_status(text)] += 1
    return {**counts, UNREADABLE: len(caveats)}


def ids_in(home: Home, shelf: Shelf) -> list[str]:
    """Return the ids of the files of a shelf, sorted.

    Raises:
        UnsafeFile, IoProblem: The shelf cannot be read.
    """
    return ids_of(scan_names(home, shelf.folder))


def get_entry(home: Home, shelves: Sequence[Shelf], prefix: str) -> Entry:
    """Return the one memory whose id begins with `prefix`.

    Raises:
        UsageProblem: `prefix` cannot begin an id.
        NotFound: There is none.
        Ambiguous: There are several, or the id stands in two places.
        NotUtf8, UnsafeFile, TooLarge, IoProblem: Its file cannot be read.
    """
    wanted = check_prefix(prefix)
    found = _find_places(home, shelves, wanted)
    if not found:
        hint = "wuu memory list shows what there is."
        raise NotFound(f"There is no memory {wanted}.", hint=hint, id=wanted)
    if len(found) > 1:
        raise _ambiguous(wanted, found)
    memory_id, shelf = found[0]
    entry = read_entry(home, shelf, memory_id)
    if entry is None:
        raise NotFound(f"The memory {memory_id} is gone.", id=memory_id)
    return entry


def least_privileged(one: Entry, other: Entry) -> Entry:
    """Return the one reading of an id that stands in two places: less may be done with it, never more.

    The text and all else is that of the lesser status, since nobody approved that text.
    """
    first, second = sorted((one, other), key=lambda entry: LEAST_PRIVILEGED_STATUS.index(entry.status))
    sensitivities = (one.sensitivity, other.sensitivity)
    note = f"the same id is in {one.path} and in {other.path}"
    return first._replace(
        sensitivity=min(sensitivities, key=LEAST_PRIVILEGED_SENSITIVITY.index),
        pinned=first.pinned and second.pinned,
        problems=(*first.problems, *second.problems, note),
    )


def linkers(home: Home, shelves: Iterable[Shelf], memory_id: str) -> list[Entry]:
    """Return the memories of `shelves` whose files hold a link to `memory_id`, as far as they can be read."""
    needle = f"{LINK_PREFIX}{memory_id}"
    candidates = (
        parse_entry(other, shelf, text)
        for shelf in shelves
        for other, text in _texts(home, shelf, [])
        if needle in text
    )
    return [entry for entry in candidates if any(target == memory_id for target, _ in entry.links)]


def proposers(home: Home, shelves: Iterable[Shelf], memory_id: str) -> list[Entry]:
    """Return the memories of `shelves` that propose a change of `memory_id`, as far as they can be read."""
    candidates = (
        parse_entry(other, shelf, text)
        for shelf in shelves
        for other, text in _texts(home, shelf, [])
        if memory_id in text and "proposal" in text
    )
    return [entry for entry in candidates if (entry.proposal or {}).get("target") == memory_id]


def created_time(entry: Entry) -> str:
    """Return when a memory was made, in a form whose order is that of time; "" if its file does not say."""
    return find_time(entry.created_at or "") or ""


def text_of(document: str) -> str:
    """Return the text of a memory's file, as `parse_entry` does, and nothing else of it."""
    return parse_text(document)


def _texts(home: Home, shelf: Shelf, caveats: list[Caveat]) -> Iterator[tuple[str, str]]:
    """Yield id and file of every memory that can be read; what cannot is added to `caveats`."""
    names = scan_names(home, shelf.folder)
    for memory_id, found in read_texts(home, shelf.folder, ids_of(names)):
        if isinstance(found, WuuError):
            caveats.append(
                Caveat(found.code, found.message, {"file": shelf.path(memory_id), **found.details})
            )
        else:
            yield memory_id, found


def _find_places(home: Home, shelves: Iterable[Shelf], wanted: str) -> list[tuple[str, Shelf]]:
    """Return where memories stand whose id begins with `wanted`; a whole id needs no look into folders."""
    if len(wanted) == _FULL_ID:
        return [(wanted, shelf) for shelf in shelves if os.path.lexists(home.place(shelf.path(wanted)))]
    return [
        (memory_id, shelf)
        for shelf in shelves
        for memory_id in ids_in(home, shelf)
        if memory_id.startswith(wanted)
    ]


def _ambiguous(prefix: str, found: Sequence[tuple[str, Shelf]]) -> Ambiguous:
    ids = sorted({memory_id for memory_id, _ in found})
    if len(ids) == 1:
        paths = [shelf.path(memory_id) for memory_id, shelf in found]
        note = f"The memory {ids[0]} stands in two places: {' and '.join(paths)}."
        return Ambiguous(note, hint="Remove one of the files.", id=ids[0], paths=paths)
    named = ", ".join(ids[:_CANDIDATES_NAMED]) + (" …" if len(ids) > _CANDIDATES_NAMED else "")
    return Ambiguous(f"{prefix} begins {len(ids)} ids: {named}.", hint="Give more digits.", ids=ids)
