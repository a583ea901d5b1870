r"""Text in which letters beyond ASCII are written as JSON may write them: `contrase\u00f1a`.

Owns reading such text as what it says, and the way back to where it stands. Escapes of ASCII stay: they can
stand for quotation marks, which decide where a string ends.
"""

import re
from bisect import bisect_right
from functools import cache
from typing import NamedTuple

_MASK = 0xFFFF


class Unescaped(NamedTuple):
    """A text with letters for escapes; from `places[n]` on, its offsets are `shifts[n]` too small."""

    text: str
    places: tuple[int, ...]
    shifts: tuple[int, ...]

    def original(self, at: int) -> int:
        """Return where the character at the offset `at` stands in the text as it was."""
        return at + self.shifts[bisect_right(self.places, at) - 1]


def unescape(text: str) -> Unescaped:
    r"""Return `text` with a letter for each `\u` escape beyond ASCII, whatever the number of backslashes."""
    pieces, places, shifts = [], [0], [0]
    at = 0
    for found in _escape().finditer(text):
        code = int(found[1], 16)
        if 0x80 <= code < _MASK:
            pieces += [text[at : found.start()], chr(code)]
            places.append(found.start() - shifts[-1] + 1)
            shifts.append(shifts[-1] + found.end() - found.start() - 1)
            at = found.end()
    return Unescaped("".join([*pieces, text[at:]]), tuple(places), tuple(shifts))


@cache
def _escape() -> re.Pattern[str]:
    return re.compile(r"(?<!\\)\\+u([0-9a-fA-F]{4})")
