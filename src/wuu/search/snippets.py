"""The line to show for a hit, cut to fit.

Owns which line of a text is shown and where it is cut. Must not rank files or read them. What comes out is
one line without control characters, but still text of a note: whoever prints it makes it safe for its reader.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from wuu.text.words import words

WIDTH = 160

_CUT = "…"
_NEAREST_BLANK = 12  # how far a cut moves to fall between words
_MOST_PLACES = 100
_LINE_END = re.compile(r"\r\n|\r|\n")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x9f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_PIECE = re.compile(r"\S+")
_JOINER = "\u200d"
# A joiner, the skin colours, Hangul letters within a syllable, and the tags of a flag; marks are asked for.
_TAILS = frozenset(
    map(chr, (0x200D, *range(0x1F3FB, 0x1F400), *range(0x1160, 0x1200), *range(0xE0020, 0xE0080)))
)
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_LETTER = "[a-z0-9\u00df-\u024f\u0370-\u052f]"


class Snippet(NamedTuple):
    """A line of a text, counted from 1, and what of it fits."""

    line: int
    text: str


def find_snippet(text: str, query_words: Collection[str], width: int = WIDTH) -> Snippet:
    """Return the line that holds most of `query_words`, cut to `width` characters around them.

    A word counts half where only a relative of it stands (`deployed` for `deploy`). Where no line holds any,
    it is the first line that is not blank; a blank text gives line 1 and no text. Lines end with LF, CRLF or
    CR (case O-07).
    """
    relatives = _relatives(frozenset(query_words))
    lines = _LINE_END.split(text)
    number = _best_line(lines, relatives) if len(lines) > 1 else 1
    shown = _clean(lines[number - 1])
    return Snippet(number, _cut(shown, relatives.places_in(shown) if len(shown) > width else (), width))


def find_phrase(text: str, phrase: str, width: int = WIDTH) -> Snippet | None:
    """Return the first line that holds `phrase` as it is typed, ignoring case, or None.

    This is for queries that give no words, such as `*`, `_`, `it's` or a single character inside a Chinese
    word (cases O-22 and O-23). A phrase that begins or ends with a letter does so at the edge of a word.
    """
    wanted = _fold(phrase)
    if not wanted:
        return None
    pattern = re.compile(_edge(wanted[0], "<!") + re.escape(wanted) + _edge(wanted[-1], "!"))
    for number, line in enumerate(_LINE_END.split(text), 1):
        found = pattern.search(_fold(line))
        if found:
            return Snippet(number, _cut(_clean(line), (found.start(),), width))
    return None


class _Relatives(dict[str, tuple[str, int]]):
    """For each word of a text the word of the query that it stands for, and what that is worth (0 to 2)."""

    def __init__(self, query_words: frozenset[str]) -> None:
        super().__init__()
        self._wanted = query_words
        self._places: dict[str, Sequence[int]] = {}
        self._by_start: dict[str, list[str]] = {}
        for word in sorted(self._wanted):
            self._by_start.setdefault(word[:3], []).append(word)

    def __missing__(self, word: str) -> tuple[str, int]:
        self[word] = (word, 2) if word in self._wanted else self._relative_of(word)
        return self[word]

    def _relative_of(self, word: str) -> tuple[str, int]:
        near = (other for other in self._by_start.get(word[:3], ()) if _are_related(word, other))
        return next(((other, 1) for other in near), (word, 0))

    def value_of(self, line: str) -> int:
        """Return the sum over the words of the query of their best value in the line."""
        best: dict[str, int] = {}
        for word in words(line):
            wanted, value = self[word]
            if value > best.get(wanted, 0):
                best[wanted] = value
        return sum(best.values())

    def places_in(self, line: str) -> Sequence[int]:
        """Return where in the line words of the query stand, in order."""
        return sorted(
            piece.start() + at for piece in _PIECE.finditer(line) for at in self._places_of(piece.group())
        )

    def _places_of(self, piece: str) -> Sequence[int]:
        """Return where in a piece without blanks they stand; pieces come again and again."""
        if piece not in self._places:
            folded = piece.casefold()
            self._places[piece] = [max(0, folded.find(word)) for word in words(piece) if self[word][1]]
        return self._places[piece]


@lru_cache(maxsize=1)
def _relatives(query_words: frozenset[str]) -> _Relatives:
    """Return the table of a query, which all hits of a search share."""
    return _Relatives(query_words)


def _best_line(lines: Sequence[str], relatives: _Relatives) -> int:
    """Return the number of the line that holds most of the query, of several the first, never a blank one."""
    best, best_value = 1, -1
    for number, line in enumerate(lines, 1):
        value = relatives.value_of(line)
        if value > best_value and _clean(line):
            best, best_value = number, value
    return best


def _are_related(one: str, other: str) -> bool:
    """Tell whether two words may have the same stem: all of the shorter one but its last letter is shared."""
    short, long = sorted((one, other), key=len)
    shared = max(3, len(short) - 1)
    return (
        len(long) - len(short) <= max(4, len(short)) and len(short) >= 3 and short[:shared] == long[:shared]
    )


def _edge(character: str, direction: str) -> str:
    """Return the pattern for the edge of a word, where `character` is of a script that has such edges."""
    return f"(?{direction}{_LETTER})" if re.match(_LETTER, character) else ""


def _clean(line: str) -> str:
    """Return the line with single blanks, no control characters and no half characters."""
    plain = " ".join(_CONTROLS.sub(" ", line.removeprefix("\ufeff")).split())
    return _SURROGATES.sub("\ufffd", plain)


def _fold(line: str) -> str:
    return unicodedata.normalize("NFKC", _clean(line)).casefold().replace("’", "'")


def _cut(line: str, places: Sequence[int], width: int) -> str:
    """Return at most `width` characters of the line, around the stretch with most of the `places`."""
    if len(line) <= width:
        return line
    room = max(width - 2 * len(_CUT), 0)
    start = min(max(_densest(places, room * 3 // 4) - room // 4, 0), len(line) - room)
    if start:
        blank = line.find(" ", start, start + _NEAREST_BLANK) + 1
        start = _next_edge(line, blank or start)
    end = min(start + room, len(line))
    if end < len(line):
        blank = line.rfind(" ", max(start, end - _NEAREST_BLANK), end + 1)
        end = _last_edge(line, blank if blank > start else end)
    stretch = line[start:end].strip(" ")
    return (_CUT if start else "") + stretch + (_CUT if end < len(line) else "")


def _densest(places: Sequence[int], room: int) -> int:
    """Return the place that most others follow within `room` characters, 0 if there is none."""
    near = places[:_MOST_PLACES]
    return max(near, key=lambda at: sum(at <= other < at + room for other in near), default=0)


def _next_edge(line: str, at: int) -> int:
    while at < len(line) and _is_inside(line, at):
        at += 1
    return at


def _last_edge(line: str, at: int) -> int:
    while at > 0 and _is_inside(line, at):
        at -= 1
    return at


def _is_inside(line: str, at: int) -> bool:
    """Tell whether a cut before `line[at]` would part what is shown as one character."""
    after = line[at]
    if line[at - 1] == _JOINER or after in _TAILS or unicodedata.category(after)[0] == "M":
        return True
    before = line[:at]
    return after in _FLAG_LETTERS and (len(before) - len(before.rstrip(_FLAG_LETTERS))) % 2 == 1
