"""The score of each candidate: which parts it has, and to which group it belongs. Arithmetic over values.

Seed 002, "What the agent sees"; the weights are in `weights`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from wuu.memory.context import weights
from wuu.memory.context.linking import Links
from wuu.memory.context.looking import MOST_REST, Known
from wuu.memory.context.values import MATCH, PINNED, REST, Parts
from wuu.memory.format.entry import SAVED
from wuu.memory.shelves import SESSION, Shelf
from wuu.search.strength import strong_enough


class Candidate(NamedTuple):
    """A saved memory that may be in the block: where it stands, for which group, and the parts of its score.

    `superseded_by` is a saved memory that supersedes it.
    """

    id: str
    shelf: Shelf
    group: str
    parts: Parts
    superseded_by: str | None = None


class Ranking(NamedTuple):
    """The candidates of each group, best first; a memory is in one group at most.

    `weak` ones match too little to count. `superseded` are the ids that a saved memory supersedes.
    """

    pinned: tuple[Candidate, ...]
    matches: tuple[Candidate, ...]
    rest: tuple[Candidate, ...]
    weak: tuple[Candidate, ...]
    superseded: frozenset[str] = frozenset()


def find_strong(knowns: Iterable[Known], floor: float) -> dict[str, float]:
    """Return the matches that count, by id, each as a share of the best one; best first.

    `floor` is `memoryMatchFloor`; see `search/strength.py`.
    """
    found = {one.id: one for known in knowns for one in known.matches}
    enough = strong_enough({one.id: one.strength for one in found.values()}, floor)
    best = max((found[one].share for one in enough), default=1.0)
    return {one: found[one].share / best for one in sorted(enough, key=lambda one: (-found[one].share, one))}


def rank(
    knowns: Sequence[Known], strong: Mapping[str, float], links: Links, shown: Iterable[str], now: float
) -> Ranking:
    """Return the candidates of all visible shelves.

    `strong` are the matches that count (`find_strong`), `shown` the ids that this session saw before.
    """
    shelves = {one: known for known in reversed(knowns) for one in _ids(known)}
    part_of = _scorer(shelves, links, strong, frozenset(shown), now)

    def candidates(ids: Iterable[str], group: str) -> tuple[Candidate, ...]:
        made = [
            Candidate(one, shelves[one].shelf, group, part_of(one), links.superseded.get(one)) for one in ids
        ]
        return tuple(sorted(made, key=lambda one: (-one.parts.score, one.id)))

    pinned = [
        one for known in knowns for one, note in known.notes.items() if note.pinned and known.is_saved(one)
    ]
    taken = set(pinned)
    near = {other for one in strong for other in links.near.get(one, ()) if other in shelves}
    matching = [one for one in (*strong, *sorted(near.difference(strong))) if one not in taken]
    taken.update(matching)
    weak = [
        one.id for known in knowns for one in known.matches if one.id not in strong and one.id not in taken
    ]
    rest = [one for one in _rest(knowns, shelves, shown) if one not in taken and one not in links.superseded]
    best = nlargest(MOST_REST, dict.fromkeys(rest), key=lambda one: (part_of(one).score, one))
    return Ranking(
        candidates(dict.fromkeys(pinned), PINNED),
        candidates(dict.fromkeys(matching), MATCH),
        candidates(best, REST),
        candidates(dict.fromkeys(weak), MATCH),
        frozenset(links.superseded),
    )


def _scorer(
    shelves: Mapping[str, Known], links: Links, strong: Mapping[str, float], shown: frozenset[str], now: float
) -> Callable[[str], Parts]:
    """Return what tells the parts of a memory's score."""

    def part_of(one: str) -> Parts:
        known = shelves[one]
        note = known.notes.get(one)
        linked = max((strong.get(other, 0.0) for other in links.near.get(one, ())), default=0.0)
        return Parts(
            match=weights.FULL_MATCH * strong.get(one, 0.0),
            recency=weights.recency(known.times.get(one, 0.0), now),
            links=weights.LINK * linked,
            category=weights.CATEGORY if note is not None and note.ranks_higher else 0.0,
            session=weights.SESSION if known.shelf.scope == SESSION else 0.0,
            shown=weights.SHOWN if one in shown else 0.0,
            superseded=weights.SUPERSEDED if one in links.superseded else 0.0,
        )

    return part_of


def _rest(knowns: Iterable[Known], shelves: Mapping[str, Known], shown: Iterable[str]) -> Iterable[str]:
    """Yield what may come up without matching: the newest, what ranks higher, and what was shown before."""
    for known in knowns:
        yield from (one for one in known.newest if known.is_saved(one))
        yield from (one for one, note in known.notes.items() if note.ranks_higher and note.status == SAVED)
    yield from (one for one in shown if one in shelves)


def _ids(known: Known) -> Iterable[str]:
    """Return the ids of a shelf that its index told something about."""
    return (*known.times, *known.notes, *(one.id for one in known.matches))
