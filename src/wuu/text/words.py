"""The word rule of search: one function makes words of documents and of queries alike.

Owns how text becomes words; must not know the index, rank, or read queries as expressions. Regular English
endings stay on: the Porter tokenizer of the index takes them off. ARCHITECTURE 4, cases O-22 and O-23.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import chain, groupby
from operator import add

from wuu.text.irregular import IRREGULAR, SHORT_NAMES, STOP_WORDS

LONGEST_WORD = 64

_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)

# A chunk is a name with everything that may glue its parts together, and the plus or sharp of `C++` and `C#`.
_CHUNK = "{run}(?:[-_/.:'][_:/]{{0,2}}{run})*(?:\\+\\+|[+#](?!{letter}))?"
_ASCII_CHUNKS = re.compile(_CHUNK.format(letter="[A-Za-z0-9]", run="[A-Za-z0-9]+"))

_PLUS_OR_SHARP = {"+": "plus", "#": "sharp"}
_NEGATION = r"[^\W_]+n't(?!\w)"
_CLITIC = r"'(?:s|re|ve|ll|d|m)(?!\w)"
_SEGMENT_MARKS = re.compile(r"[/.:]+_*")
_PART_MARKS = re.compile(
    r"[-_']+"
    r"|(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])"  # camelCase, md5Sum
    r"|(?<=[A-Z])(?=[A-Z][a-z])(?!s(?![a-z]))(?![A-Z]s(?![a-z]))"  # HTTPServer, but not IDs
)

# Accents and vowel points, and what is invisible inside a word (soft hyphen, joiners, byte order mark).
_DROPPED = (
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u1dc0-\u1dff\u20d0-\u20ff\u00ad\u200c\u200d\u2060\ufeff]+"
)
_PLAIN = str.maketrans("’ʼ‐øØłŁđĐħĦı", "''-oOlLdDhHi", "") | str.maketrans(
    {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe"}
)

_REMEMBERED = 1 << 15


class _Expansions(dict[str, tuple[str, ...]]):
    """The words of each chunk seen so far: text repeats itself, and a look-up costs a tenth of the rule."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        expansion = tuple(_expand(chunk))
        if len(chunk) <= LONGEST_WORD:
            self[chunk] = expansion
        return expansion


_expansions = _Expansions()


def words(text: str) -> list[str]:
    """Return the words that `text` is searched by, in order and with repetitions.

    Case and accents are folded; an identifier gives its parts and itself without marks; Chinese, Japanese and
    Korean runs give pairs of characters; stop words give nothing, nor do words under three letters but in
    capitals (`CI`, `Go`), with a digit, or in a script without capitals. A word has at most `LONGEST_WORD`
    characters. ARCHITECTURE 4.
    """
    return list(chain.from_iterable(map(_expansions.__getitem__, _chunks(_quieten(text)))))


def is_pair(word: str) -> bool:
    """Tell whether a word is two neighbouring characters of a Chinese, Japanese or Korean text."""
    return len(word) == 2 and word >= "\u1100" and _cjk().match(word) is not None


def _quieten(text: str) -> str:
    """Return a shouted text in small letters: where all is in capitals, `THE` and `IT` are no names."""
    shouted = text.isupper() and text.isascii() and len(text.split()) > 2
    return text.lower() if shouted else text


def _chunks(text: str) -> Iterable[str]:
    """Cut text into chunks; lines beyond ASCII cost twice as much, so the others are spared that."""
    if text.isascii():
        return _ASCII_CHUNKS.findall(text)
    lines = groupby(text.split("\n"), str.isascii)
    return chain.from_iterable(_chunks_of_lines("\n".join(group), plain) for plain, group in lines)


def _chunks_of_lines(text: str, plain: bool) -> list[str]:
    return _ASCII_CHUNKS.findall(text) if plain else _other_chunks().findall(_fold_accents(text))


def _fold_accents(text: str) -> str:
    plain = re.sub(_DROPPED, "", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", plain).translate(_PLAIN)


@cache
def _other_chunks() -> re.Pattern[str]:
    """Build the pattern for text beyond ASCII, where vowel signs of Indic scripts belong to their word."""
    marks = "".join(c for c in map(chr, range(0x700, 0x1DC0)) if unicodedata.category(c)[0] == "M")
    letter = f"[^\\W_{_CJK}]"
    run = f"{letter}+(?:[{marks}]+{letter}*)*"
    return re.compile(f"[{_CJK}]+|{_CHUNK.format(letter=letter, run=run)}")


@cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{_CJK}]")


def _expand(chunk: str) -> list[str]:
    if chunk[0] >= "\u1100" and _cjk().match(chunk):
        return list(map(add, chunk, chunk[1:])) or [chunk]
    if "'" in chunk:
        chunk = re.sub(_CLITIC, "", re.sub(_NEGATION, "", chunk, flags=re.IGNORECASE), flags=re.IGNORECASE)
    name = chunk.rstrip("+#")
    segments = [parts for segment in _SEGMENT_MARKS.split(name) if (parts := _parts(segment))]
    parts = list(chain.from_iterable(segments))
    if name != chunk and parts:
        spelled = parts[-1] + "".join(_PLUS_OR_SHARP[mark] for mark in chunk[len(name) :])
        # `C++` is one word, `cplusplus`; a longer name like `GTK+` is found by `gtk` too.
        parts[-1:] = [spelled] if len(parts[-1]) == 1 else [parts[-1], spelled]
        segments[-1][-1] = spelled
    return [word for word in map(_word, parts + _joined(segments)) if word]


def _parts(segment: str) -> list[str]:
    return [part for part in _PART_MARKS.split(segment) if part]


def _joined(segments: list[list[str]]) -> list[str]:
    """Return each segment and the whole without marks, where they have several parts and are not too long."""
    names = ["".join(parts) for parts in segments if len(parts) > 1]
    if len(segments) > 1:
        names.append("".join(map("".join, segments)))
    return [name for name in names if len(name) <= LONGEST_WORD]


def _word(part: str) -> str:
    """Return the word for one part as it is written, or nothing where the part does not count."""
    word = part.casefold()
    if word in STOP_WORDS:
        return word if 1 < len(part) < 4 and part.isupper() else ""
    if len(word) < 3 and part.isalpha() and part.islower() and word not in SHORT_NAMES:
        return ""
    return IRREGULAR.get(word, word)[:LONGEST_WORD]
