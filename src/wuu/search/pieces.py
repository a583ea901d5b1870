r"""A long prompt taken apart: it is looked up sentence by sentence, since no file is about all that it says.

Owns where a prompt is cut. Pure rules over text; it knows no index.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from wuu.text.words import words

SHORT_WORDS = 16
"""A prompt with at most so many distinct words is one piece."""

FEWEST_WORDS, MOST_WORDS = 3, 24
"""A sentence with fewer distinct words goes with the one before; a longer one is cut."""

MOST_PIECES = 32
"""A prompt has at most so many pieces: the last ones are left out."""

LONGEST_PROMPT = 8_000
"""Characters of a prompt that are looked at: half of them at its beginning, half at its end."""

# A point counts only before a blank: `wuu.toml` is one name. CJK text has no blank behind its stops.
_SENTENCE = r"\n+|(?<=[.?!;:])\s+|(?<=[\u3002\uff01\uff1f\uff1b])"

Piece = tuple[str, ...]


def cut_prompt(prompt: str, more: Sequence[str] = ()) -> tuple[Piece, ...]:
    """Return the distinct words of each piece of a prompt, in order; none where it has no words.

    `more` are words that belong to a prompt of one piece, such as the days that it names; of a longer one
    they are a piece of their own.
    """
    if len(prompt) > LONGEST_PROMPT:
        half = LONGEST_PROMPT // 2
        prompt = f"{prompt[:half]}\n{prompt[-half:]}"
    whole = _distinct((*words(prompt), *more))
    if len(whole) <= SHORT_WORDS:
        return (whole,) if whole else ()
    pieces = _joined(
        piece for sentence in re.split(_SENTENCE, prompt) for piece in _cut(_distinct(words(sentence)))
    )
    found = (*pieces, *((_distinct(more),) if more else ()))
    return tuple(dict.fromkeys(found))[:MOST_PIECES]


def _cut(sentence: Piece) -> Iterator[Piece]:
    for start in range(0, len(sentence), MOST_WORDS):
        yield sentence[start : start + MOST_WORDS]


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces, those with few words together with the one before them or, if first, behind."""
    found: list[Piece] = []
    for piece in filter(None, pieces):
        if found and (len(piece) < FEWEST_WORDS or len(found[-1]) < FEWEST_WORDS):
            found[-1] = _distinct((*found[-1], *piece))
        else:
            found.append(piece)
    return found


def _distinct(found: Iterable[str]) -> Piece:
    return tuple(dict.fromkeys(found))
