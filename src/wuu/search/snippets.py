"""The line to show for a hit, cut to fit.

Owns which line of a text is shown and where it is cut. Must not rank files or read them; what comes out is one
line without control characters, but still text of a note: whoever prints it makes it safe for its terminal.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from typing import NamedTuple

from wuu.text.words import words

WIDTH = 160
_CUT = "…"
_LEAD = 4  # a cut line starts a quarter of its width before what was found

_LINE_END = re.compile(r"\r\n|\r|\n")
_PIECE = re.compile(r"\S+")
_BLANKS = re.compile(r"\s+")
# Characters that move the cursor, break the line, or turn the direction of what follows.
_UNPRINTED = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Snippet(NamedTuple):
    """A line of a text, counted from 1, and what of it fits."""

    line: int
    text: str


class _Match(NamedTuple):
    start: int
    word: str
    exact: bool


def find_snippet(text: str, query_words: Collection[str], width: int = WIDTH) -> Snippet:
    """Return the line that holds most of `query_words`, cut to `width` characters around them.

    A word counts less where only a word of the same stem stands. Where no line holds any, it is the first line
    that is not blank; an empty text gives line 1 and no text. Lines end with LF, CRLF or CR (case O-07).
    """
    wanted = frozenset(query_words)
    best, best_value = Snippet(1, ""), -1
    for number, line in enumerate(_LINE_END.split(text), 1):
        if not line or line.isspace():
            continue
        matches = list(_matches(line, wanted))
        value = _value(matches)
        if value > best_value:
            best, best_value = Snippet(number, _cut(line, matches, width)), value
    return best
