"""How a value is written: in quotation marks of any nesting, with escapes, or bare up to where it must end.

Owns where a value begins and ends. It never reaches beyond the string literal in which it stands, also not
when that is a string of JSON inside a string of JSON, so that taking a value out leaves JSON valid.
"""

import re
from functools import cache
from typing import NamedTuple

from wuu.text.secret_values import ASSIGNED, QUOTED

LONGEST_QUOTED = 8192
"""Characters of a value in quotation marks that are looked at."""
JUDGED = 256
"""Characters of a bare value by which it is judged; it is taken out whole."""

_AFTER_STRING = ",:}] \t\r\n"

# A bare value may hold `\u00e4`, but not a `\u0022` or another escape, which belong to a string around it. It
# ends where the next pair begins (`&id=`, `, user:`), at the entities of HTML, and at wide punctuation.
_NO_LETTER = r"(?:\\u00(?:[01]|2[0267]|3[cCeE]))"
_ESCAPED = rf"(?!{_NO_LETTER})\\u[0-9a-fA-F]{{4}}|\\/|\\(?![\\\s\"'/nrtbfu])"
_NEXT_PAIR = r"[&;,](?!(?:quot|apos|amp|lt|gt|nbsp|#x?\w{1,5});?|[\w .\"'-]{1,40}[=:])"
_OPEN = r"[^\s\"'`<>|\\,;&(){}\[\]\u2000-\ufffe]"
_BARE = rf"(?:{_OPEN}|{_ESCAPED}|{_NEXT_PAIR})"
_WIDE = rf"(?:{_OPEN}|{_ESCAPED}|{_NEXT_PAIR}|[(){{}}|\[\]<](?![/A-Za-z]{{0,20}}>))"
_SOURCES = {
    "bare": rf"{_BARE}{{1,{JUDGED}}}",
    "wide": rf"{_WIDE}{{1,{JUDGED}}}",
    "rest": rf"{_BARE}+",
    "quote": r"[bBrRuUfF]{0,2}(?P<quote>\\*[\"'`])",
    "pair": r"“[^”\"\n]{0,200}”|„[^“”\"\n]{0,200}[“”]|«[^»\"\n]{0,200}»|「[^」\"\n]{0,200}」"
    r"|『[^』\"\n]{0,200}』|‘[^’\"\n]{0,200}’",
    "scheme": r"(?i:base64:|(?:bearer|token|basic)[ \t]{1,4})",
    "default": r"\$\{\w+:?[-=](?P<value>[^{}\"'\\]+)\}",
}


class Value(NamedTuple):
    """Where a value stands, and how it is written (a context of `secret_values`)."""

    start: int
    end: int
    context: int


def read_value(
    text: str, at: int, context: int, *, wide: bool = False, opener: str | None = None
) -> Value | None:
    """Return the value that begins at `at`, or None.

    `wide` lets brackets belong to a bare value. `opener` is the quotation mark around the name, if there is
    one: only then may a value in marks begin with a comma or a space, else the mark is the end of a string.
    """
    if found := _pattern("pair").match(text, at):
        return _unwrapped(text, at + 1, found.end() - 1, QUOTED)
    found = _pattern("quote").match(text, at)
    if not found:
        return _read_bare(text, at, context, wide=wide)
    start, quote = found.end(), found["quote"]
    if text.startswith(quote * 2, start):
        start += 2 * len(quote)  # three marks in a row
    if quote.endswith('"') and quote != opener and text[start : start + 1] in ("", *_AFTER_STRING):
        return None
    end = _end_of_quoted(text, start, quote)
    if end is None:
        return _read_bare(text, start, context, wide=wide)
    return _unwrapped(text, start, end, QUOTED)


def end_of_rest(text: str, value: Value) -> int:
    """Return where a value ends that was cut at `JUDGED` characters."""
    if value.context == QUOTED or value.end - value.start < JUDGED:
        return value.end
    found = _pattern("rest").match(text, value.end)
    return found.end() if found else value.end


def _read_bare(text: str, at: int, context: int, *, wide: bool) -> Value | None:
    scheme = _pattern("scheme").match(text, at)
    at = scheme.end() if scheme else at
    found = _pattern("wide" if wide else "bare").match(text, at)
    if not found:
        return None
    end = at + len(found.group().rstrip(".,;:*"))
    if text[end : end + 1] in ("(", "[") and not wide:
        return None  # a call or a subscript
    for opening, closing in ("()", "[]", "{}"):
        if text[end - 1 : end] == closing and opening not in text[at:end]:
            end -= 1
    return _unwrapped(text, at, end, context)


def _end_of_quoted(text: str, start: int, quote: str) -> int | None:
    """Return where a string ends that began with `quote`, a mark with backslashes if it is nested."""
    depth, mark = len(quote), quote[-1]
    limit = min(len(text), start + LONGEST_QUOTED)
    line_end = text.find("\n", start, limit)
    limit = limit if line_end < 0 else line_end
    at = text.find(mark, start, limit)
    while at >= 0:
        slashes = _backslashes_before(text, at, start)
        if slashes < depth - 1 or slashes % (2 * depth) == depth - 1:
            end = at - min(slashes, depth - 1)
            return end if mark == '"' or not _ends_outside(text, start, end) else None
        at = text.find(mark, at + 1, limit)
    return None


def _backslashes_before(text: str, at: int, start: int) -> int:
    first = at
    while first > start and text[first - 1] == "\\":
        first -= 1
    return at - first


def _ends_outside(text: str, start: int, end: int) -> bool:
    """Say whether a string in double marks, around this one in others, ends before it."""
    at = text.find('"', start, end)
    while at >= 0:
        if text[at + 1 : at + 2] in ("", *_AFTER_STRING):
            return True
        at = text.find('"', at + 1, end)
    return False


def _unwrapped(text: str, start: int, end: int, context: int) -> Value | None:
    """Take off what is no part of the credential: `base64:`, `Bearer`, `${NAME:-…}`."""
    found = _pattern("default").fullmatch(text, start, end)
    if found:
        return Value(found.start("value"), found.end("value"), ASSIGNED)
    scheme = _pattern("scheme").match(text, start, end)
    start = scheme.end() if scheme else start
    return Value(start, end, context) if start < end else None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_SOURCES[name])
