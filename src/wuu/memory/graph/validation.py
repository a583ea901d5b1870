"""What is wrong with the links between saved memories, apart from how well these are linked (health).

Reads alone. Judged are the files that a call can see. A link to what another profile or another project
keeps is fine and says nothing about it; only a link to what is nowhere in the home dangles.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from wuu.errors import Caveat
from wuu.memory.caveats import reading_caveats
from wuu.memory.entries import read_catalogue
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.format.fields import LINK_PREFIX
from wuu.memory.graph.overview import overview_of
from wuu.memory.graph.values import MAX_LINKS
from wuu.memory.links import SYMMETRIC, all_links, settled_pairs
from wuu.memory.reading import file_caveats
from wuu.memory.shelves import Shelf, every_shelf, id_of, session_shelves, visible_shelves
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.home import Home, open_home

ERROR, WARNING = "error", "warning"

_WARNINGS = ("not_saved", "misplaced", "session_memory")
_SUPERSEDES = "supersedes"
_NAMED = 5  # memories of a circle that are named


class Flaw(NamedTuple):
    """A rule that a link breaks. `id` is the memory that it is about, `other` the other end."""

    code: str
    severity: str
    id: str
    other: str | None
    message: str


class Validation(NamedTuple):
    """The flaws by id, code and other end, and beside them the health, nodes and links of the graph."""

    problems: tuple[Flaw, ...]
    health: str
    memories: int
    links: int
    caveats: tuple[Caveat, ...]


class _Graph(NamedTuple):
    """What can be seen, by id and of every status; what of it is saved; and the one link of each pair."""

    known: Mapping[str, Entry]
    saved: Mapping[str, Entry]
    pairs: tuple[tuple[str, str, str], ...]


def validate_graph(situation: Situation) -> Validation:
    """Return what is wrong with the links of the saved memories of this project and profile.

    Errors are `dangling`, `doubled`, `link_limit`, `supersedes_circle`, `unreadable_link`; warnings are
    `not_saved`, `misplaced`, `session_memory`. FACTS, "Ours, links"; seed 002, "Links".

    Raises:
        UnsafeFile, IoProblem: A whole shelf cannot be read.
    """
    home = open_home(situation.home)
    shelves = visible_shelves(situation)
    catalogue = read_catalogue(home, shelves)
    known = catalogue.by_id()
    saved = {one: entry for one, entry in known.items() if entry.status == SAVED}
    held = {(entry.id, *link) for entry in known.values() for link in entry.links}
    graph = _Graph(known, saved, tuple(settled_pairs(held)))
    found = [
        *_unreadable(graph),
        *_astray(home, situation, graph),
        *_doubled(graph),
        *_misplaced(graph),
        *_full(graph),
        *_in_circles(graph),
    ]
    overview = overview_of(catalogue, 0)
    problems = tuple(sorted(found, key=lambda one: (one.id, one.code, one.other or "", one.message)))
    caveats = (*file_caveats(home, shelves, catalogue), *reading_caveats(home, situation))
    return Validation(problems, overview.health, overview.memories, overview.links, caveats)


def _flaw(code: str, memory_id: str, other: str | None, message: str) -> Flaw:
    return Flaw(code, WARNING if code in _WARNINGS else ERROR, memory_id, other, message)


def _unreadable(graph: _Graph) -> Iterator[Flaw]:
    """Yield the link keys that say no link, or several; the words are those of `format/fields`."""
    for entry in graph.saved.values():
        for words in entry.problems:
            key = words.removeprefix("the key ")
            if key.startswith(LINK_PREFIX):
                other = id_of(f"{key.removeprefix(LINK_PREFIX).split(' ')[0]}.md")
                yield _flaw("unreadable_link", entry.id, other, f"In the file of {entry.id}, {words}.")


def _astray(home: Home, situation: Situation, graph: _Graph) -> Iterator[Flaw]:
    """Yield the links that lead to no node."""
    links = [(entry.id, other) for entry in graph.saved.values() for other, _ in entry.links]
    missing = {other for _, other in links if other not in graph.known}
    places = _find_places(home, situation, missing) if missing else {}
    for memory_id, other in links:
        what = places.get(other) if other in missing else _status_flaw(graph.known[other])
        if what:
            code, words = what
            yield _flaw(code, memory_id, other, f"{memory_id} is linked to {other}, which {words}.")


def _status_flaw(target: Entry) -> tuple[str, str] | None:
    if target.status == SAVED:
        return None
    return "not_saved", f"is {target.status}, so the link is not in the graph"


def _find_places(home: Home, situation: Situation, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return what is wrong with links to what no visible shelf shows, nothing for what is kept elsewhere."""
    found = situation.workspace
    sessions = () if isinstance(found, NoProject) else session_shelves(home, found.key)
    visible, everywhere = visible_shelves(situation), tuple(every_shelf(home))
    places = {}
    for one in ids:
        if _stands(home, visible, one):
            places[one] = ("not_saved", "cannot be read, so the link is not in the graph")
        elif _stands(home, sessions, one):
            places[one] = ("session_memory", "belongs to a session, so the link is not in the graph")
        elif not _stands(home, everywhere, one):
            places[one] = ("dangling", "is nowhere")
    return places


def _stands(home: Home, shelves: Iterable[Shelf], memory_id: str) -> bool:
    return any(os.path.lexists(home.place(shelf.path(memory_id))) for shelf in shelves)


def _doubled(graph: _Graph) -> Iterator[Flaw]:
    """Yield the pairs of which both files hold a link; one of them at least is saved."""
    for holder, target, kind in graph.pairs:
        other = graph.known.get(target)
        again = None if other is None else dict(other.links).get(holder)
        if again and (holder in graph.saved or target in graph.saved):
            files = f"{holder} ({kind}) and {target} ({again})"
            note = f"The files of {files} both hold a link of the pair; that of {holder} counts."
            yield _flaw("doubled", holder, target, note)


def _misplaced(graph: _Graph) -> Iterator[Flaw]:
    """Yield the symmetric links that count and are not in the file where they belong."""
    for holder, target, kind in graph.pairs:
        if kind in SYMMETRIC and target < holder and holder in graph.saved and target in graph.known:
            note = f"The {kind} link of {holder} to {target} belongs into the file of {target}."
            yield _flaw("misplaced", holder, target, note)


def _full(graph: _Graph) -> Iterator[Flaw]:
    """Yield the memories with more links than one can have, at both ends together."""
    for memory_id, links in all_links(graph.known.values()).items():
        if len(links) > MAX_LINKS and memory_id in graph.saved:
            note = f"{memory_id} has {len(links)} links; a memory has at most {MAX_LINKS}."
            yield _flaw("link_limit", memory_id, None, note)


def _in_circles(graph: _Graph) -> Iterator[Flaw]:
    """Yield each circle of memories that supersede one another, by the smallest id in it."""
    edges = [
        (holder, target)
        for holder, target, kind in graph.pairs
        if kind == _SUPERSEDES and holder in graph.saved and target in graph.saved
    ]
    for circle in _find_circles(edges):
        more = f" and {len(circle) - _NAMED:,} more" if len(circle) > _NAMED else ""
        note = f"These supersede one another in a circle: {', '.join(circle[:_NAMED])}{more}."
        yield _flaw("supersedes_circle", circle[0], circle[1], note)


def _find_circles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the sets of nodes that can all be reached from one another, each of them sorted.

    Kosaraju's way: whoever was left last going forward is asked first who leads there.
    """
    after: dict[str, list[str]] = {}
    before: dict[str, list[str]] = {}
    for source, target in edges:
        after.setdefault(source, []).append(target)
        before.setdefault(target, []).append(source)
    order = [node for group in _groups(after, after) for node in group]
    found = _groups(before, reversed(order))
    return [sorted(group) for group in found if len(group) > 1]


def _groups(following: Mapping[str, list[str]], starts: Iterable[str]) -> list[list[str]]:
    """Return what each start reaches that none before it did, in the order in which it was left."""
    seen: set[str] = set()
    return [_reach(start, following, seen) for start in starts if start not in seen]


def _reach(start: str, following: Mapping[str, list[str]], seen: set[str]) -> list[str]:
    left: list[str] = []
    seen.add(start)
    path = [(start, iter(following.get(start, ())))]
    while path:
        node, rest = path[-1]
        fresh = next((one for one in rest if one not in seen), None)
        if fresh is None:
            left.append(node)
            path.pop()
        else:
            seen.add(fresh)
            path.append((fresh, iter(following.get(fresh, ()))))
    return left
