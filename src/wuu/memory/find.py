"""Searching memories: the index of each shelf is brought up to date first, and what is shown is read anew.

Apart from `actions` because it imports SQLite. Owns which memories a query finds and in which order those of
several shelves come. ARCHITECTURE 4, cases O-21 to O-23.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

from wuu.errors import Caveat, UsageProblem
from wuu.memory import indexing, reach
from wuu.memory.caveats import reading_caveats, unreadable_caveat
from wuu.memory.entries import created_time, least_privileged, read_catalogue
from wuu.memory.filtering import Asked, read_asked
from wuu.memory.folder import irregular_caveats
from wuu.memory.format.days import days_named
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.indexing import Note, parse_note, purge
from wuu.memory.reading import links_into, shown, union
from wuu.memory.shelves import Shelf, visible_shelves
from wuu.memory.standing import read_current, standing_twice
from wuu.memory.values import Filters, MemoryHit, MemorySearch
from wuu.search.index import open_index
from wuu.search.ranking import Hits
from wuu.search.snippets import find_phrase, find_snippet
from wuu.situation.cache import prepare_cache
from wuu.situation.situation import Situation
from wuu.store.files import Scan
from wuu.store.home import Home, open_home
from wuu.text.words import words

__all__ = ["MOST", "index_status", "purge", "rebuild_index", "search_memories"]

MOST = 1_000
"""Most memories that one search returns."""

_READ_AT_ONCE = 500


class _Question(NamedTuple):
    """What is looked for and where: as it was typed, its words, how many hits are wanted, what is asked for.

    `scans` are of all shelves that are asked for or visible, `twice` names the files that stand on several.
    """

    home: Home
    text: str
    words: tuple[str, ...]
    limit: int
    asked: Asked
    scans: Mapping[Shelf, Scan]
    twice: Mapping[str, tuple[Shelf, ...]]

    @property
    def plain(self) -> bool:
        """Whether the indexes alone can tell how many memories qualify."""
        return self.asked.plain and not self.twice


class _Looked(NamedTuple):
    """What the index of a shelf says: notes and hits by file name, and which files could not be read."""

    shelf: Shelf
    notes: Mapping[str, Note]
    hits: Hits
    unreadable: tuple[str, ...]


class _Found(NamedTuple):
    """A memory that qualifies, as its file stands now."""

    entry: Entry
    score: float
    snippet: str


def search_memories(situation: Situation, query: str, filters: Filters, limit: int = 20) -> MemorySearch:
    """Return the memories that hold any word of `query`, best first: saved ones, unless a status is named.

    Text, tags, all categories and the day of creation are searched. A score is the share of the query's
    rarity that a memory holds, so those of different shelves can be compared. Where no memory holds a word,
    the query is looked for as it is typed. What waits or is archived is found on request only (case O-25).

    Raises:
        UsageProblem: The query is empty, `limit` is not between 1 and 1,000, or a filter cannot be.
        Refused: The scope is project or session, and there is no project.
    """
    _check(query, limit)
    home = open_home(situation.home)
    asked = read_asked(home, situation, filters, (SAVED,))
    visible = visible_shelves(situation)
    scans = {shelf: home.scan(shelf.folder) for shelf in union(visible, asked.shelves)}
    wanted = tuple(dict.fromkeys(words(query) + words(days_named(query))))
    question = _Question(home, query, wanted, limit, asked, scans, standing_twice(scans))
    looked = [_look(question, shelf) for shelf in scans]
    found, total = _qualified(question, looked)
    if not found:
        found, total = _literal(question)
    linking = _linking(question, [one for one in looked if one.shelf in visible], found)
    hits = tuple(
        MemoryHit(shown(home, one.entry, linking.get(one.entry.id, ())), round(one.score, 6), one.snippet)
        for one in found
    )
    return MemorySearch(query, hits, total, (*_caveats(question, looked), *reading_caveats(home, situation)))


def index_status(situation: Situation) -> list[dict[str, Any]]:
    """Return the state of the index of each shelf that this call can reach; see `indexing.state_of`."""
    home = open_home(situation.home)
    return [indexing.state_of(home, shelf) for shelf in reach.reachable_shelves(home, situation)]


def rebuild_index(situation: Situation) -> list[dict[str, Any]]:
    """Build the index of each shelf that this call can reach anew; see `indexing.rebuild`.

    Raises:
        ReadOnlyMode: wuu runs read-only.
    """
    from wuu.situation.writing import refuse_read_only  # noqa: PLC0415  (a search need not know how to write)

    refuse_read_only(situation)
    home = open_home(situation.home)
    return [indexing.rebuild(home, shelf) for shelf in reach.reachable_shelves(home, situation)]


def _check(query: str, limit: int) -> None:
    if not query.strip():
        raise UsageProblem("The query is empty.", hint="Give a word to look for.")
    if not 1 <= limit <= MOST:
        raise UsageProblem(f"--limit is between 1 and {MOST:,}; got {limit}.")


def _look(question: _Question, shelf: Shelf) -> _Looked:
    """Bring the index of a shelf up to date and ask it; one that is not asked for gives its notes only."""
    home, scan, asked = question.home, question.scans[shelf], question.asked
    if not indexing.has_index(home, shelf, scan):
        return _Looked(shelf, {}, Hits(0, ()), ())
    with open_index(prepare_cache(home.root, shelf.folder)) as index:
        indexing.refresh(index, home, shelf, scan)
        notes = {name: parse_note(note) for name, note in index.read_notes().items()}
        if shelf not in asked.shelves:
            return _Looked(shelf, notes, Hits(0, ()), ())
        matches, unreadable = index.find(question.words), index.find_unreadable()
    left_out = _left_out(scan, notes, asked)
    most = question.limit if question.plain else len(scan.names)
    hits = (matches.without(left_out) if left_out else matches).shares(most)
    return _Looked(shelf, notes, hits, tuple(unreadable))


def _left_out(scan: Scan, notes: Mapping[str, Note], asked: Asked) -> set[str]:
    """Return the files whose status is not asked for; one without a note is saved."""
    if SAVED in asked.statuses:
        return {name for name, note in notes.items() if note.status not in asked.statuses}
    return set(scan.names) - {name for name, note in notes.items() if note.status in asked.statuses}


def _qualified(question: _Question, looked: Sequence[_Looked]) -> tuple[list[_Found], int]:
    """Return the best hits that are as they should be in their files, and how many there are in all.

    With a filter that the indexes do not know, every hit is read.
    """
    ranked = sorted((-hit.score, hit.name, one.shelf) for one in looked for hit in one.hits.best)
    total = sum(one.hits.total for one in looked)
    found: list[_Found] = []
    seen: set[str] = set()
    for score, name, entry in _read_ranked(question, ranked):
        if question.plain and len(found) == question.limit:
            break
        if entry is None or name in seen or not question.asked.has(entry):
            total -= 1
        elif len(found) < question.limit:
            found.append(_Found(entry, -score, find_snippet(entry.text, question.words).text))
        seen.add(name)
    return found, total


def _read_ranked(
    question: _Question, ranked: Sequence[tuple[float, str, Shelf]]
) -> Iterator[tuple[float, str, Entry | None]]:
    """Yield the hits as they are now; of one that is on several shelves the least privileged reading."""
    size = question.limit if question.plain else _READ_AT_ONCE
    for start in range(0, len(ranked), size):
        chunk = [
            (score, name, question.twice.get(name, (shelf,)))
            for score, name, shelf in ranked[start : start + size]
        ]
        now = read_current(question.home, ((shelf, name) for _, name, shelves in chunk for shelf in shelves))
        for score, name, shelves in chunk:
            entries = [now[shelf, name] for shelf in shelves if (shelf, name) in now]
            yield score, name, reduce(least_privileged, entries) if entries else None


def _literal(question: _Question) -> tuple[list[_Found], int]:
    """Look for the query as it stands in every memory, newest first (cases O-22 and O-23)."""
    entries = read_catalogue(question.home, question.scans).entries
    found = []
    for entry in sorted(filter(question.asked.has, entries), key=created_time, reverse=True):
        snippet = _literal_snippet(entry, question.text)
        if snippet is not None:
            found.append(_Found(entry, 1.0, snippet))
    return found[: question.limit], len(found)


def _literal_snippet(entry: Entry, query: str) -> str | None:
    in_text = find_phrase(entry.text, query)
    if in_text is not None:
        return in_text.text
    named = any(find_phrase(one, query) for one in (*entry.tags, *entry.all_categories))
    return find_snippet(entry.text, ()).text if named else None


def _linking(
    question: _Question, visible: Sequence[_Looked], found: Sequence[_Found]
) -> dict[str, list[Entry]]:
    """Return the visible memories that link to a memory that was found; the notes say which to read."""
    ids = {one.entry.id for one in found}
    names = [
        (one.shelf, name)
        for one in visible
        for name, note in one.notes.items()
        if ids.intersection(note.linked)
    ]
    return links_into(read_current(question.home, names).values())


def _caveats(question: _Question, looked: Sequence[_Looked]) -> Iterator[Caveat]:
    """Yield what of the shelves that were asked for could not be searched (cases O-06 and O-18)."""
    for one in looked:
        if one.shelf not in question.asked.shelves:
            continue
        yield from irregular_caveats(one.shelf, question.scans[one.shelf].irregular)
        yield from (unreadable_caveat(question.home, one.shelf, name) for name in one.unreadable)
