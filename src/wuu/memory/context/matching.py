"""Which memories of a shelf match a prompt, how well, and how sure that is (`search/strength.py`).

A memory may share words with any piece of a prompt; the piece that it fits best counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from wuu.memory.context import weights
from wuu.memory.indexing import searchable_text
from wuu.memory.shelves import Shelf
from wuu.memory.standing import read_current
from wuu.search import strength
from wuu.search.index import SearchIndex
from wuu.search.pieces import Piece
from wuu.search.ranking import Matches, Scored, weigh_query
from wuu.store.home import Home
from wuu.text.words import words

MOST_EXAMINED = 40
"""Most candidates of a shelf whose match is examined, the best ones first."""


class Found(NamedTuple):
    """A file that matches: the share of the prompt's rarity that it has, how strong that is, and its time."""

    name: str
    share: float
    strength: float
    at: float


class Looked(NamedTuple):
    """The best matches of a shelf, best first, and how many more there are."""

    best: tuple[Found, ...]
    more: int


def find_matches(
    index: SearchIndex,
    *,
    home: Home,
    shelf: Shelf,
    pieces: Sequence[Piece],
    left_out: frozenset[str],
    now: float,
) -> Looked:
    """Return the files that hold a word of a prompt, but for those `left_out`; `now` is in seconds."""
    found = [one.without(left_out) if left_out else one for one in index.find_pieces(pieces)]
    scored = [one.scored() for one in found]
    shares = _best_shares(found, scored)
    near = _near_the_best(shares)
    rows = {one.row: one.name for some in scored for one in some if one.name in near}
    times = index.read_times(rows.keys())
    at = {name: times.get(row, 0.0) for row, name in rows.items()}
    chosen = _strongest(near, at, now)
    strengths = _strengths(index, home, shelf, found, [_of(some, chosen) for some in scored])
    best = tuple(Found(name, shares[name], strengths.get(name, 0.0), at[name]) for name in chosen)
    return Looked(best, len(shares) - len(best))


def _best_shares(found: Sequence[Matches], scored: Sequence[Sequence[Scored]]) -> dict[str, float]:
    """Return for each file its share of the piece that it fits best.

    A piece of a few common words weighs as much as two rare ones, so that it cannot outdo the others.
    """
    shares: dict[str, float] = {}
    for matches, some in zip(found, scored, strict=True):
        total = len(matches.documents)
        whole = weigh_query(matches.counts, total)
        damping = min(whole / (strength.FEWEST_RARE_WORDS * strength.rarity(1, total)), 1.0) if total else 1.0
        for one in some:
            shares[one.name] = max(shares.get(one.name, 0.0), one.share * damping)
    return shares


def _near_the_best(shares: dict[str, float]) -> dict[str, float]:
    """Return the files that can be among the best ones, however new they are."""
    if len(shares) <= MOST_EXAMINED:
        return shares
    best = nlargest(MOST_EXAMINED, shares.values())
    least = best[-1] - weights.RECENCY * best[0]
    return {name: share for name, share in shares.items() if share >= least}


def _strongest(shares: Mapping[str, float], at: Mapping[str, float], now: float) -> list[str]:
    """Return the best matches, best first; of equally good ones the newest."""
    best = max(shares.values(), default=1.0)
    key = {
        name: weights.FULL_MATCH * share / best + weights.recency(at[name], now)
        for name, share in shares.items()
    }
    return nlargest(MOST_EXAMINED, shares, key=lambda name: (key[name], name))


def _of(some: Iterable[Scored], names: Sequence[str]) -> list[Scored]:
    wanted = frozenset(names)
    return [one for one in some if one.name in wanted]


def _strengths(
    index: SearchIndex, home: Home, shelf: Shelf, found: Sequence[Matches], scored: Sequence[Sequence[Scored]]
) -> dict[str, float]:
    """Return for each file the strength of the piece that it fits best."""
    rarities = _file_rarities(index, home, shelf, found, scored)
    strengths: dict[str, float] = {}
    for matches, some in zip(found, scored, strict=True):
        total = len(matches.documents)
        prompt = strength.prompt_rarity(matches.counts, total)
        known = strength.known_share(matches.counts, total)
        for one in some:
            value = strength.strength(one.shared, prompt, rarities.get(one.name), known, total)
            strengths[one.name] = max(strengths.get(one.name, 0.0), value)
    return strengths


def _file_rarities(
    index: SearchIndex, home: Home, shelf: Shelf, found: Sequence[Matches], scored: Sequence[Sequence[Scored]]
) -> dict[str, float]:
    """Return the rarity of each file that has fewer words than a piece it shares words with."""
    short = {
        one.name
        for matches, some in zip(found, scored, strict=True)
        for one in some
        if one.length < len(matches.counts)
    }
    if not short:
        return {}
    total = len(found[0].documents)
    entries = read_current(home, [(shelf, name) for name in sorted(short)])
    own = {name: dict.fromkeys(words(searchable_text(entry))) for (_, name), entry in entries.items()}
    counts = index.count(word for some in own.values() for word in some)
    return {
        name: strength.rarity_of([counts[word] for word in some if word in counts], total)
        for name, some in own.items()
    }
