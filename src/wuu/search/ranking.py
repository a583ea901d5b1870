"""Scoring of what the index found: pure arithmetic over values, no disk and no database.

Owns which words of a query count, and the order of the hits (ARCHITECTURE 4). Must not know where the rows
come from.
"""

from collections.abc import Collection, Container, Mapping, Sequence
from heapq import nlargest, nsmallest
from math import log
from typing import NamedTuple, TypeAlias

SATURATION = 0.5  # k1 of BM25
LENGTH_SHARE = 0.75  # b of BM25
SHORTEST_IN_MEDIANS = 3
FEWEST_WORDS = 16
MOST_WORDS = 32
COMMON_IN = 5  # a word in more than one file of five is common

# The row of a file, its name, and its length in words. A plain tuple: ten thousand are made for each search.
Document: TypeAlias = tuple[int, str, int]


class Hit(NamedTuple):
    """A file that holds at least one word of the query; a higher score is better."""

    name: str
    score: float


class Hits(NamedTuple):
    """How many files matched, and the best of them, best first."""

    total: int
    best: tuple[Hit, ...]


class Matches(NamedTuple):
    """What an index says of a query: its documents, how many hold each word, and the rows of those that do.

    A word that does not count for the ranking is in `counts` alone.
    """

    documents: Sequence[Document]
    counts: Mapping[str, int]
    holders: Mapping[str, Collection[int]]

    def without(self, names: Container[str]) -> "Matches":
        """Return the same as if the documents of these names were not there."""
        documents = [one for one in self.documents if one[1] not in names]
        left = {row for row, _, _ in documents}
        holders = {word: [row for row in rows if row in left] for word, rows in self.holders.items()}
        fewer = {word: len(rows) for word, rows in holders.items()}
        return Matches(documents, {**self.counts, **fewer}, holders)

    def hits(self, limit: int) -> Hits:
        """Return the best `limit` documents; see `rank`."""
        return rank(self.documents, self.holders, limit)

    def shares(self, limit: int) -> Hits:
        """Return the same with scores that are shares of the rarity of the whole query; see `weigh_query`."""
        weight = weigh_query(self.counts, len(self.documents))
        total, best = self.hits(limit)
        return Hits(total, tuple(Hit(name, score / weight) for name, score in best))


class FoundPiece(NamedTuple):
    """What one of several queries finds, by row: the rarity of what a file shares, and its share as a hit.

    `counts` says how many of the `total` documents hold each word. `documents` are all of them, by row, with
    name and length in words.
    """

    counts: Mapping[str, int]
    total: int
    documents: Mapping[int, tuple[str, int]]
    shared: Mapping[int, float]
    shares: Mapping[int, float]


def score_pieces(found: Sequence[Matches], left_out: Container[str] = ()) -> tuple[FoundPiece, ...]:
    """Return what each of several queries finds, as if the documents of the names `left_out` were not there.

    All of `found` are of one moment, and have the same documents; what these alone decide is worked out once.
    """
    if not found:
        return ()
    documents = {row: (name, length) for row, name, length in found[0].documents if name not in left_out}
    by_length = _shares([length for _, length in documents.values()])
    damping = {row: by_length[length] for row, (_, length) in documents.items()}
    return tuple(_piece(one, documents, damping, all_there=not left_out) for one in found)


def _piece(
    found: Matches,
    documents: Mapping[int, tuple[str, int]],
    damping: Mapping[int, float],
    *,
    all_there: bool,
) -> FoundPiece:
    holders, counts = found.holders, found.counts
    if not all_there:
        holders = {word: [row for row in rows if row in documents] for word, rows in holders.items()}
        counts = {**counts, **{word: len(rows) for word, rows in holders.items()}}
    whole = weigh_query(counts, len(documents))
    shared = _weigh(holders, len(documents))
    shares = {row: weight * damping[row] / whole for row, weight in shared.items()}
    return FoundPiece(counts, len(documents), documents, shared, shares)


def weigh_query(counts: Mapping[str, int], total: int) -> float:
    """Return the rarity of a query, given how many of `total` files hold each word: more than 0.

    That is the sum over its sixteen rarest words; a word in no file counts like one in a single file. A score
    divided by it can be compared between indexes. A raw score grows with the number of files, so that what a
    small index finds would always come behind what a large one finds.
    """
    rarities = [log(1 + total / max(holders, 1)) for holders in counts.values()]
    return sum(nlargest(FEWEST_WORDS, rarities)) or 1.0


def choose_words(counts: Mapping[str, int], total: int, *, rare_only: bool = False) -> list[str]:
    """Return the words of a query that count, rarest first, given how many of `total` files hold each.

    A word in no file says nothing. Of the others the sixteen rarest always count, so that a short query is
    never cut (a common word still tells files apart), and up to thirty-two while they are in at most a fifth
    of the files. With `rare_only` that holds of the sixteen too, if any word is so rare: where a query is one
    of many, a common word says nothing and costs most. ARCHITECTURE 4.
    """
    found = sorted((count, word) for word, count in counts.items() if count)
    if rare_only:
        found = [pair for pair in found if pair[0] * COMMON_IN <= total] or found
    rare = [pair for pair in found[FEWEST_WORDS:MOST_WORDS] if pair[0] * COMMON_IN <= total]
    return [word for _, word in found[:FEWEST_WORDS] + rare]


def rank(documents: Sequence[Document], holders: Mapping[str, Collection[int]], limit: int) -> Hits:
    """Return the best `limit` of `documents`, given for each word that counts the rows that hold it.

    BM25 in which a word is found or not, `idf = log(1 + N/n)`, and a length counts as at least three times
    the median, so that a text is not rewarded for being short. Equal scores are in the order of names.
    ARCHITECTURE 4.
    """
    weights = _weigh(holders, len(documents))
    shares = _shares([length for _, _, length in documents])
    scored = [(-weights[row] * shares[length], name) for row, name, length in documents if row in weights]
    return Hits(len(scored), tuple(Hit(name, -score) for score, name in nsmallest(limit, scored)))


def _weigh(holders: Mapping[str, Collection[int]], total: int) -> dict[int, float]:
    """Return for each row the sum of the rarities of the words that it holds."""
    weights: dict[int, float] = {}
    for word in sorted(holders):  # in a fixed order, for the last digit of the sum depends on it
        rows = holders[word]
        rarity = log(1 + total / len(rows)) if rows else 0.0
        for row in rows:
            weights[row] = weights.get(row, 0.0) + rarity
    return weights


def _shares(lengths: Sequence[int]) -> dict[int, float]:
    """Return for each length in words what one occurrence is worth in a text of that length."""
    if not lengths:
        return {}
    shortest = SHORTEST_IN_MEDIANS * sorted(lengths)[len(lengths) // 2]
    mean = sum(max(length, shortest) for length in lengths) / len(lengths)
    return {length: _share(max(length, shortest) / mean) for length in set(lengths)}


def _share(relative_length: float) -> float:
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative_length)
    return (SATURATION + 1) / (1 + damping)
