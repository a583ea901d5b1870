"""Scoring of what the index found: pure arithmetic over values, no disk and no database.

Owns which words of a query count and the order of the hits. Must not know where rows come from. ARCHITECTURE 4.
"""

from collections.abc import Collection, Mapping, Sequence
from heapq import nsmallest
from math import log
from typing import NamedTuple

SATURATION = 0.5  # k1 of BM25
LENGTH_SHARE = 0.75  # b of BM25
SHORTEST_IN_MEDIANS = 3
FEWEST_WORDS = 16
MOST_WORDS = 32
COMMON_SHARE = 5


class Document(NamedTuple):
    """One indexed file: its row, its name, and its length in words (at least 1)."""

    row: int
    name: str
    length: int


class Hit(NamedTuple):
    """A file that holds at least one word of the query; a higher score is better."""

    name: str
    score: float


class Hits(NamedTuple):
    """How many files matched, and the best of them, best first."""

    total: int
    best: tuple[Hit, ...]


def rank(documents: Sequence[Document], holders: Mapping[str, Collection[int]], limit: int) -> Hits:
    """Return the best `limit` of `documents`, given for each word of the query the rows that hold it.

    BM25 in which a word is found or not, `idf = log(1 + N/n)`, and a length counts as at least three times the
    median, so that a short text is not rewarded for being short. Equal scores are in the order of the names.
    """
    weights = _weigh(documents, holders)
    if not weights:
        return Hits(0, ())
    lengths = sorted(document.length for document in documents)
    shortest = SHORTEST_IN_MEDIANS * lengths[len(lengths) // 2]
    mean = sum(max(length, shortest) for length in lengths) / len(lengths)
    hits = [
        Hit(name, weights[row] * _share(max(length, shortest) / mean))
        for row, name, length in documents
        if row in weights
    ]
    return Hits(len(hits), tuple(nsmallest(limit, hits, key=_best_first)))


def choose_words(holders: Mapping[str, Collection[int]], total: int) -> list[str]:
    """Return the words that count, rarest first: those that are found, and in a long query only the rarest.

    Sixteen always count; up to thirty-two do while they are in at most a fifth of the `total` files.
    """
    found = sorted((len(rows), word) for word, rows in holders.items() if rows)
    kept = found[:FEWEST_WORDS]
    kept += [pair for pair in found[FEWEST_WORDS:MOST_WORDS] if pair[0] * COMMON_SHARE <= total]
    return [word for _, word in kept]


def rarity(total: int, holding: int) -> float:
    """Return the weight of a word that `holding` of `total` files hold (both at least 1)."""
    return log(1 + total / holding)


def _weigh(documents: Sequence[Document], holders: Mapping[str, Collection[int]]) -> dict[int, float]:
    """Return for each row the sum of the weights of the words that it holds."""
    total = len(documents)
    weights: dict[int, float] = {}
    for word in choose_words(holders, total):
        weight = rarity(total, len(holders[word]))
        for row in holders[word]:
            weights[row] = weights.get(row, 0.0) + weight
    return weights


def _share(relative_length: float) -> float:
    """Return what BM25 makes of one occurrence in a text of that length (1 is the mean)."""
    return (SATURATION + 1) / (1 + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative_length))


def _best_first(hit: Hit) -> tuple[float, str]:
    return (-hit.score, hit.name)
