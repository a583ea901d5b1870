"""What the indexes of the visible shelves know for a prompt, before any memory is read for the block.

Owns which memories are candidates and which of them match. Scores nothing else and places nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from wuu.memory import indexing
from wuu.memory.context import matching
from wuu.memory.format.days import days_named
from wuu.memory.format.entry import SAVED
from wuu.memory.indexing import Note, parse_note
from wuu.memory.shelves import Shelf, id_of
from wuu.memory.standing import read_current
from wuu.search import pieces
from wuu.search.index import open_index
from wuu.search.pieces import Piece
from wuu.situation.cache import prepare_cache
from wuu.store.files import Scan
from wuu.store.home import Home
from wuu.text.words import words

Value = TypeVar("Value")

MOST_REST = 100
"""Most memories of a shelf that may come up without matching."""


class Match(NamedTuple):
    """A saved memory that holds a word of the prompt; see `matching.Found`."""

    id: str
    share: float
    strength: float


class Known(NamedTuple):
    """What is known of a shelf: `saved` is how many saved memories it has, everything else is by id.

    `times` (seconds) has those that are noted, newest or matching. `more_matches` counts those
    that hold a word of the prompt beyond the best ones. `unreadable` are file names.
    """

    shelf: Shelf
    saved: int = 0
    notes: Mapping[str, Note] = {}
    times: Mapping[str, float] = {}
    newest: tuple[str, ...] = ()
    matches: tuple[Match, ...] = ()
    more_matches: int = 0
    unreadable: tuple[str, ...] = ()

    def is_saved(self, memory_id: str) -> bool:
        """Tell whether a memory of this shelf, if there is one of this id, is saved."""
        note = self.notes.get(memory_id)
        return note is None or note.status == SAVED


def cut_prompt(prompt: str) -> tuple[Piece, ...]:
    """Return the words by which a prompt is looked up, piece by piece."""
    return pieces.cut_prompt(prompt, words(days_named(prompt)))


def look(home: Home, shelf: Shelf, scan: Scan, wanted: Sequence[Piece], now: float) -> Known:
    """Bring the index of a shelf up to date and ask it; `now` is in seconds."""
    if not indexing.has_index(home, shelf, scan):
        return Known(shelf)
    with open_index(prepare_cache(home.root, shelf.folder)) as index:
        indexing.refresh(index, home, shelf, scan)
        notes = dict(_by_id({name: parse_note(note) for name, note in index.read_notes().items()}))
        times = dict(_by_id(index.read_noted_times()))
        newest = dict(_by_id(dict(index.read_newest(MOST_REST + len(notes)))))
        known = Known(
            shelf,
            saved=index.count_readable() - sum(note.status != SAVED for note in notes.values()),
            notes=notes,
            times=times | newest,
            newest=tuple(newest),
            unreadable=tuple(index.find_unreadable()),
        )
        if not wanted:
            return known
        unsaved = frozenset(f"{one}.md" for one in notes if not known.is_saved(one))
        looked = matching.find_matches(
            index, home=home, shelf=shelf, pieces=wanted, left_out=unsaved, now=now
        )
    return known._replace(
        matches=tuple(Match(id_of(one.name) or "", one.share, one.strength) for one in looked.best),
        times={**known.times, **{id_of(one.name) or "": one.at for one in looked.best}},
        more_matches=looked.more,
    )


def add_linked(
    home: Home,
    knowns: Sequence[Known],
    scans: Mapping[Shelf, Scan],
    strong: Iterable[str],
    near: Mapping[str, Sequence[str]],
) -> tuple[Known, ...]:
    """Return what is known, with the times of what is linked to one of `strong` as well."""
    known_already = {one for known in knowns for one in known.times}
    wanted = {other for one in strong for other in near.get(one, ())} - known_already
    if not wanted:
        return tuple(knowns)
    names = {f"{one}.md" for one in wanted}
    places = [(shelf, name) for shelf, scan in scans.items() for name in names.intersection(scan.names)]
    times: dict[Shelf, dict[str, float]] = {}
    for (shelf, _), entry in read_current(home, places).items():
        if entry.status == SAVED:
            times.setdefault(shelf, {})[entry.id] = indexing.changed_seconds(entry)
    return tuple(one._replace(times={**one.times, **times.get(one.shelf, {})}) for one in knowns)


def _by_id(by_name: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    return ((memory_id, value) for name, value in by_name.items() if (memory_id := id_of(name)))
