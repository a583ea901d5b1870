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
from wuu.search.ranking import FoundPiece, score_pieces, weigh_query
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
    found = score_pieces(index.find_pieces(pieces), left_out)
    shares = _best_shares(found)
    near = _near_the_best(shares)
    chosen = _strongest(near, index.read_times(near.keys()), now)
    strengths = _strengths(index, home, shelf, found, [one.row for one in chosen])
    names = found[0].documents if found else {}
    best = tuple(
        Found(names[one.row][0], shares[one.row], strengths.get(one.row, 0.0), one.at) for one in chosen
    )
    return Looked(best, len(shares) - len(best))


def _best_shares(found: Iterable[FoundPiece]) -> dict[int, float]:
    """Return for each file, by row, its share of the piece that it fits best.

    A piece of a few common words weighs as much as two rare ones, so that it cannot outdo the others.
    """
    shares: dict[int, float] = {}
    for piece in found:
        least = strength.FEWEST_RARE_WORDS * strength.rarity(1, piece.total)
        damping = min(weigh_query(piece.counts, piece.total) / least, 1.0) if least else 1.0
        for row, share in piece.shares.items():
            if share * damping > shares.get(row, 0.0):
                shares[row] = share * damping
    return shares


def _near_the_best(shares: dict[int, float]) -> dict[int, float]:
    """Return the files that can be among the best ones, however new they are."""
    if len(shares) <= MOST_EXAMINED:
        return shares
    best = nlargest(MOST_EXAMINED, shares.values())
    least = best[-1] - weights.RECENCY * best[0]
    return {row: share for row, share in shares.items() if share >= least}


class _Chosen(NamedTuple):
    """A file by its row, and its time."""

    row: int
    at: float


def _strongest(shares: Mapping[int, float], times: Mapping[int, float], now: float) -> list[_Chosen]:
    """Return the best matches, best first; of equally good ones the newest."""
    best = max(shares.values(), default=1.0)
    found = [_Chosen(row, times.get(row, 0.0)) for row in shares]
    return nlargest(
        MOST_EXAMINED,
        found,
        key=lambda one: (
            weights.FULL_MATCH * shares[one.row] / best + weights.recency(one.at, now),
            one.row,
        ),
    )


def _strengths(
    index: SearchIndex, home: Home, shelf: Shelf, found: Sequence[FoundPiece], rows: Sequence[int]
) -> dict[int, float]:
    """Return for each of some files, by row, the strength of the piece that it fits best."""
    rarities = _file_rarities(index, home, shelf, found, rows)
    strengths: dict[int, float] = {}
    for piece in found:
        prompt = strength.prompt_rarity(piece.counts, piece.total)
        known = strength.known_share(piece.counts, piece.total)
        for row in rows:
            shared = piece.shared.get(row, 0.0)
            value = strength.strength(shared, prompt, rarities.get(row), known, piece.total)
            strengths[row] = max(strengths.get(row, 0.0), value)
    return strengths


def _file_rarities(
    index: SearchIndex, home: Home, shelf: Shelf, found: Sequence[FoundPiece], rows: Iterable[int]
) -> dict[int, float]:
    """Return the rarity of each file that has fewer words than a piece with which it shares one."""
    short = {
        piece.documents[row][0]: row
        for piece in found
        for row in rows
        if row in piece.shared and piece.documents[row][1] < len(piece.counts)
    }
    if not short:
        return {}
    entries = read_current(home, [(shelf, name) for name in sorted(short)])
    own = {name: dict.fromkeys(words(searchable_text(entry))) for (_, name), entry in entries.items()}
    counts = index.count(word for some in own.values() for word in some)
    return {
        short[name]: strength.rarity_of([counts[word] for word in some if word in counts], found[0].total)
        for name, some in own.items()
    }
