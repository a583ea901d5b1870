"""One member of a JSON object set or removed in its text; every other byte stays as people wrote it.

It knows no file and no setting. The text has to be JSON whose top is an object: whoever calls has parsed it.
Of a key that stands twice the last one counts, as it does for readers.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

_BLANKS = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_INDENT = "  "


class _Member(NamedTuple):
    """A member of an object by its offsets: where its key begins, where its value begins and ends."""

    key: str
    start: int
    value: int
    end: int


class _Object(NamedTuple):
    """An object by the offset of its braces, with its members."""

    start: int
    end: int
    members: tuple[_Member, ...]

    def find(self, key: str) -> _Member | None:
        return next((one for one in reversed(self.members) if one.key == key), None)


def with_member(text: str, path: Sequence[str], value: Any) -> str:
    """Return `text` with the member at `path` (keys, outermost first) set to `value`.

    Objects on the way are made where they are missing. What is new is laid out like its neighbours.

    Raises:
        ValueError: Something on the way is there and is no object.
    """
    layout, found = _layout(text), _root(text)
    for depth, key in enumerate(path[:-1]):
        member = found.find(key)
        if member is None:
            return _inserted(text, found, key, _nested(path[depth + 1 :], value), layout.deeper(depth))
        found = _inner(text, member)
    layout = layout.deeper(len(path) - 1)
    member = found.find(path[-1])
    if member is None:
        return _inserted(text, found, path[-1], value, layout)
    return text[: member.value] + layout.rendered(value) + text[member.end :]


def without_member(text: str, path: Sequence[str]) -> str:
    """Return `text` without any member at `path`; objects that are empty by that go as well.

    Raises:
        ValueError: Something on the way is there and is no object.
    """
    found = _root(text)
    for key in path[:-1]:
        member = found.find(key)
        if member is None:
            return text
        found = _inner(text, member)
    going = [one for one in found.members if one.key == path[-1]]
    for member in reversed(going):
        text = _removed(text, found, member)
        found = _object(text, found.start)
    is_empty_now = going and not found.members and len(path) > 1
    return without_member(text, path[:-1]) if is_empty_now else text


class _Layout(NamedTuple):
    """How an object is laid out: how lines end (empty: all in one line), a level's indent, how deep it is."""

    newline: str
    unit: str
    depth: int = 0

    def deeper(self, depth: int) -> "_Layout":
        return self._replace(depth=depth)

    def rendered(self, value: Any) -> str:
        """Return JSON as the value of a member of this object."""
        lines = _dumped(value, self.unit if self.newline else None)
        return lines.replace("\n", self.line(1)) if self.newline else lines

    def line(self, more: int) -> str:
        """Return the start of a new line, `more` levels deeper than this."""
        return self.newline + self.unit * (self.depth + more) if self.newline else ""


def _layout(text: str) -> _Layout:
    """Return how `text` is laid out; one that holds nothing yet gets lines of two blanks more each."""
    members = _root(text).members
    if not members:
        return _Layout("\r\n" if "\r\n" in text else "\n", _INDENT)
    if "\n" not in text.strip():
        return _Layout("", "")
    head, _, before = text[: members[0].start].rpartition("\n")
    unit = before if head and before and not before.strip(" \t") else _INDENT
    return _Layout("\r\n" if "\r\n" in text else "\n", unit)


def _root(text: str) -> _Object:
    return _object(text, _after_blanks(text, 1 if text.startswith("\ufeff") else 0))


def _inner(text: str, member: _Member) -> _Object:
    if text[member.value] != "{":
        raise ValueError(f"{member.key} is no object")
    return _object(text, member.value)


def _object(text: str, start: int) -> _Object:
    """Return the object whose brace opens at `start`."""
    members = []
    at = _after_blanks(text, start + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        value = _after_blanks(text, _after_blanks(text, end) + 1)
        _, end = _DECODER.raw_decode(text, value)
        members.append(_Member(key, at, value, end))
        at = _after_blanks(text, end)
        if text[at] == ",":
            at = _after_blanks(text, at + 1)
    return _Object(start, at, tuple(members))


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _inserted(text: str, found: _Object, key: str, value: Any, layout: _Layout) -> str:
    """Return `text` with a new last member of `found`; `layout` is that of `found`."""
    member = f"{_dumped(key)}: {layout.rendered(value)}"
    if not found.members:
        inside = layout.line(1) + member + layout.line(0)
        return f"{text[: found.start + 1]}{inside}{text[found.end :]}"
    last = found.members[-1]
    before = found.members[-2].end if len(found.members) > 1 else found.start + 1
    gap = text[before : last.start].rpartition(",")[2] or " "
    return f"{text[: last.end]},{gap}{member}{text[last.end :]}"


def _removed(text: str, found: _Object, member: _Member) -> str:
    at = found.members.index(member)
    if len(found.members) == 1:
        return text[: found.start + 1] + text[found.end :]
    if at == len(found.members) - 1:
        return text[: found.members[at - 1].end] + text[member.end :]
    return text[: member.start] + text[found.members[at + 1].start :]


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _dumped(value: Any, indent: str | None = None) -> str:
    r"""Return `value` as JSON; only what UTF-8 cannot hold is escaped, as `\udc80`."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent, allow_nan=False)
    return text
