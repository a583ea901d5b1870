"""How strong a match is: whether a file says something about a prompt, or only shares words by chance.

Pure arithmetic over values. The strength of a match is what it shares with the prompt, as a share of the
rarity of the prompt or of the file, whichever is smaller; times the share of the prompt that is known here.
The rule and its numbers were chosen on one half of LoCoMo and measured on the other: `benchmarks/silence.py`.
"""

from collections.abc import Iterable, Mapping
from heapq import nlargest
from math import log

from wuu.text.words import is_pair

DEFAULT_FLOOR = 0.31
"""The weakest best match that counts, unless the settings say otherwise (`memoryMatchFloor`)."""

WEAKER_SHARE = 0.5
"""Once one match is strong enough, others count from this share of the floor on."""

FEWEST_RARE_WORDS = 2.0
"""A prompt and a file count as at least so many words of one file: one common word is never enough."""

SETTLED_FILES = 200
"""With so many files, a word that none of them has counts half as rare as one that a single file has.

That a handful of files does not have a word says next to nothing about it.
"""

PAIR_SHARE = 0.5
"""An unknown pair of characters counts half: every other pair of a text without blanks joins two words."""

MOST_WORDS = 16
"""The rarest words of either side that count."""


def rarity(holders: int, total: int) -> float:
    """Return how much a word says that `holders` of `total` files have; see `SETTLED_FILES` for none."""
    if holders:
        return log(1 + total / holders)
    return log(1 + total) * total / (total + SETTLED_FILES)


def rarity_of(counts: Iterable[int], total: int) -> float:
    """Return the rarity of a text, given how many of `total` files have each of its words."""
    return sum(nlargest(MOST_WORDS, (rarity(holders, total) for holders in counts)))


def prompt_rarity(counts: Mapping[str, int], total: int) -> float:
    """Return the same for a prompt, by word: what no file has counts, and pairs of characters less."""
    return sum(nlargest(MOST_WORDS, (_word_rarity(*pair, total) for pair in counts.items())))


def known_share(counts: Mapping[str, int], total: int) -> float:
    """Return which share of the rarity of a prompt is in words that some file has, from 0 to 1."""
    whole = prompt_rarity(counts, total)
    known = rarity_of([holders for holders in counts.values() if holders], total)
    return min(known / whole, 1.0) if whole else 0.0


def strength(shared: float, prompt: float, file: float | None, known: float, total: int) -> float:
    """Return how strong a match is: about 0 to 1.

    `shared`, `prompt` and `file` are the rarities of the words that both have, of the prompt, and of the file
    (None where the prompt is the smaller side anyway); `known` is the `known_share` of the prompt.
    """
    smaller = prompt if file is None else min(prompt, file)
    least = FEWEST_RARE_WORDS * rarity(1, total)
    whole = max(smaller, least)
    return shared / whole * known if whole else 0.0


def strong_enough(strengths: Mapping[str, float], floor: float) -> frozenset[str]:
    """Return which of some matches count: all with a floor of 0, else none unless the best one reaches it."""
    if max(strengths.values(), default=0.0) < floor:
        return frozenset()
    return frozenset(name for name, value in strengths.items() if value >= WEAKER_SHARE * floor)


def _word_rarity(word: str, holders: int, total: int) -> float:
    share = PAIR_SHARE if not holders and is_pair(word) else 1.0
    return share * rarity(holders, total)
