"""Text folded to the width of a terminal, so that nothing of it is cut and no line is wider.

Owns `Line` and how stored text stands on a screen: what cannot be seen is escaped, and every line of it is
behind a gutter, so that no text looks like a line of ours. Reads no terminal and prints nothing.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from wuu.text.safety import visible

BOLD, DIM, PLAIN = "bold", "dim", ""
GUTTER, CONTINUED, WARNED = "| ", ": ", "! "

_JOINER = "\u200d"
_MOST_JOINED = 8  # characters that are kept together; a sequence that is longer may be broken anywhere


class Line(NamedTuple):
    """One line of a screen, already fit for it, and how it is shown: `bold`, `dim` or plain."""

    text: str
    style: str = PLAIN


def fold(text: str, width: int) -> list[str]:
    """Return one line of text in pieces of at most `width` cells, which together are the text.

    It is broken behind blanks where that is possible, and inside of longer words. `width` is at least 2.
    """
    lines: list[str] = []
    current, used = "", 0
    for word in _words(text):
        cells = _cells(word)
        if used + cells <= width:
            current, used = current + word, used + cells
            continue
        if current:
            lines.append(current)
        *full, current = _broken(word, width)
        lines += full
        used = _cells(current)
    return [*lines, current]


def guttered(text: str, width: int, first: str = GUTTER, rest: str = CONTINUED) -> list[str]:
    """Return one line of stored text, made visible and folded behind `first` and, further on, `rest`."""
    room = width - max(len(first), len(rest))
    head, *tail = fold(_shown(text), room)
    return [first + head, *(rest + one for one in tail)]


def body_lines(text: str, width: int, warned: tuple[int, ...] = ()) -> list[Line]:
    """Return a whole stored text, each line behind a gutter; those in `warned` (from 1) stand out."""
    lines: list[Line] = []
    for number, line in enumerate(text.split("\n"), 1):
        bad = number in warned
        pieces = guttered(line, width, WARNED if bad else GUTTER)
        lines += [Line(one, BOLD if bad else PLAIN) for one in pieces]
    return lines


def labelled(label: str, value: str, width: int, indent: int) -> list[str]:
    """Return a value in one line behind its label; what does not fit goes on below, indented as far."""
    head, *tail = fold(_shown(value), width - indent)
    return [f"{label:<{indent}}{head}".rstrip(), *(" " * indent + one for one in tail)]


def plain_lines(text: str, width: int, style: str = PLAIN) -> list[Line]:
    """Return words of ours, which may quote stored text, folded to the width."""
    return [Line(one, style) for one in fold(_shown(text), width)]


def _shown(text: str) -> str:
    """Return text in one line as a terminal may show it."""
    line = visible(text.replace("\r\n", "\n").replace("\n", "\\x0a"), tabs=False)
    return line.replace("\ufeff", "\\ufeff")


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text, each with the blanks behind it."""
    start, in_blanks = 0, False
    for at, character in enumerate(text):
        if in_blanks and character != " ":
            yield text[start:at]
            start = at
        in_blanks = character == " "
    yield text[start:]


def _broken(word: str, width: int) -> list[str]:
    """Return a word in pieces of at most `width` cells; characters that belong together stay together."""
    pieces, current, used = [], "", 0
    for cluster in _clusters(word):
        cells = _cells(cluster)
        if current and used + cells > width:
            pieces.append(current)
            current, used = "", 0
        current, used = current + cluster, used + cells
    return [*pieces, current]


def _clusters(word: str) -> Iterator[str]:
    current = ""
    for character in word:
        joins = bool(current) and len(current) < _MOST_JOINED
        if joins and (current[-1] == _JOINER or character == _JOINER or not _cells(character)):
            current += character
            continue
        if current:
            yield current
        current = character
    if current:
        yield current


def _cells(text: str) -> int:
    """Return how many cells a text takes at most: terminals differ in what they join."""
    if text.isascii():
        return len(text)
    return max(_joined_cells(text), sum(map(_joined_cells, text)))


@cache
def _joined_cells(text: str) -> int:
    from rich.cells import cell_len  # noqa: PLC0415  (only what is shown on a terminal)

    return cell_len(text)
