"""The lines of a frontmatter block: where it begins and ends, and which lines belong to which key.

Owns what counts as a block (case O-10) and one level of nesting. It reads no values and changes nothing.
"""

import re
from typing import NamedTuple

FENCE = "---"

_NAME = r"[^\W\d][\w.-]*"
_KEY_LINE = re.compile(rf"([\"']?)({_NAME})\1[ \t]*:(?!//)[ \t]*(.*)\Z", re.DOTALL)
_SPACED_KEY_LINE = (
    rf"(?s)([\"']?)({_NAME}(?:[ \t]++[\w.()/&-]++)++)\1[ \t]*:(?=[ \t]|\Z)[ \t]*(.*)\Z"  # rarely needed
)
_LIST_ITEM = re.compile(r"-(?:[ \t]|\Z)")
_INDENT = re.compile(r"[ \t]*")


class BlockLine(NamedTuple):
    """One line of a block, without its ending, and where it begins and ends in the text."""

    start: int
    end: int
    content: str


class KeySpan(NamedTuple):
    """A key, the first and the last of its lines by index in the block, and how deep the second one stands.

    `raw` is the value beside the key, which begins at `value_at` in its line.
    """

    key: str
    parent: str | None
    raw: str
    value_at: int
    first: int
    last: int
    indent: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the key has no value on its own line; what looks like one may be a comment."""
        return not self.raw or self.raw.startswith("#")

    @property
    def holds_text(self) -> bool:
        """Whether a `#` in the lines below is text: in a block scalar, or in an open quotation."""
        is_open = self.raw[:1] in ("'", '"') and self.raw[0] not in self.raw[1:]
        return is_open or self.raw.startswith(("|", ">"))


class Break(NamedTuple):
    """The line, from 1, on which a block breaks off.

    With `is_stray` that line is neither a key nor part of one; without, it is the last one of the text, and
    the closing fence is missing.
    """

    line: int
    is_stray: bool


class Block(NamedTuple):
    """The lines between the fences, the keys among them, where the closing fence begins, and the body."""

    lines: tuple[BlockLine, ...]
    spans: tuple[KeySpan, ...]
    end: int
    body_at: int

    def rest(self, span: KeySpan) -> str:
        """Return the lines of `span` after the first, each with a line feed, without comments."""
        if span.last == span.first:
            return ""
        below = [line.content for line in self.lines[span.first + 1 : span.last + 1]]
        return "".join(f"{line}\n" for line in below if span.holds_text or not _is_comment(line))


def find_block(text: str, start: int) -> Block | None:
    """Return the block whose opening fence stands at `start`, or None if the text opens with none.

    Both fences are exactly `---`. Between them stand key lines with what belongs to them and nothing else, or
    no line at all. A key with blanks in it counts beside at least one without: prose has colons as well.
    """
    lines = _lines_between_fences(text, start)
    spans = None if lines is None else _parse_spans(lines)
    if lines is None or spans is None:
        return None
    end = lines[-1].end if lines else _line_end(text, start)
    return Block(tuple(lines), tuple(spans), end, _line_end(text, end))


def find_break(text: str, start: int) -> Break | None:
    """Return where a block breaks off that opens at `start` and is none, or None if nothing opens there.

    It opens with a line that is exactly `---` and, as the first line with text below it, a key without
    blanks: a rule in front of prose opens no block.
    """
    lines, is_closed = _lines_below_fence(text, start)
    opening = next((line.content for line in lines if line.content.strip()), "")
    if _KEY_LINE.match(opening) is None:
        return None
    _, stray = _scan_spans(lines)
    if stray is not None:
        return Break(stray + 2, is_stray=True)
    return None if is_closed else Break(len(lines) + 1, is_stray=False)


def _lines_between_fences(text: str, start: int) -> list[BlockLine] | None:
    lines, is_closed = _lines_below_fence(text, start)
    return lines if is_closed else None


def _lines_below_fence(text: str, start: int) -> tuple[list[BlockLine], bool]:
    """Return the lines from the opening fence to the closing one or the end, and whether one closes."""
    lines: list[BlockLine] = []
    at = _line_end(text, start)
    if _content(text, start, at) != FENCE:
        return lines, False
    while at < len(text):
        end = _line_end(text, at)
        content = _content(text, at, end)
        if content == FENCE:
            return lines, True
        lines.append(BlockLine(at, end, content))
        at = end
    return lines, False


def _line_end(text: str, start: int) -> int:
    at = text.find("\n", start)
    return len(text) if at < 0 else at + 1


def _content(text: str, start: int, end: int) -> str:
    return text[start:end].removesuffix("\n").removesuffix("\r")


def _parse_spans(lines: list[BlockLine]) -> list[KeySpan] | None:
    """Return the keys, or None if a line is neither a key nor part of one: then it is no frontmatter."""
    spans, stray = _scan_spans(lines)
    has_plain_key = not lines or any(span.parent is None and len(span.key.split()) == 1 for span in spans)
    return spans if stray is None and has_plain_key else None


def _scan_spans(lines: list[BlockLine]) -> tuple[list[KeySpan], int | None]:
    """Return the keys up to the first line that is neither a key nor part of one, and that line's index."""
    spans: list[KeySpan] = []
    top = -1
    for at, (_, _, content) in enumerate(lines):
        if match := _KEY_LINE.match(content) or re.match(_SPACED_KEY_LINE, content):
            top = len(spans)
            spans.append(_span(match, None, at))
        elif top >= 0 and _is_continuation(content, spans[top], spans[-1]):
            _grow(spans, top, content, at)
        elif content.strip() and not _is_comment(content):
            return spans, at
    return spans, None


def _span(match: re.Match[str], parent: str | None, at: int) -> KeySpan:
    return KeySpan(match.group(2), parent, match.group(3).strip(), match.start(3), at, at)


def _is_continuation(content: str, top: KeySpan, innermost: KeySpan) -> bool:
    """Tell whether a line belongs to the key above: indented, a list item, or the end of a flow list."""
    bare = content.strip()
    if not bare or (_is_comment(content) and not innermost.holds_text):
        return False
    return content[0] in " \t" or bare in ("]", "}") or (top.is_empty and bool(_LIST_ITEM.match(content)))


def _is_comment(content: str) -> bool:
    return content.lstrip().startswith("#")


def _grow(spans: list[KeySpan], top: int, content: str, at: int) -> None:
    """Give a line to the key above, and to the nested key that it is or is part of: one level, no more."""
    indent = spans[top].indent
    if indent is None:
        indent = _indent(content)
    spans[top] = spans[top]._replace(last=at, indent=indent)
    is_level = bool(indent) and spans[top].is_empty and _indent(content) == indent
    match = _KEY_LINE.match(content, len(indent)) if is_level else None
    if match is not None:
        spans.append(_span(match, spans[top].key, at))
    elif spans[-1].parent is not None and _is_below(content, indent, spans[-1]):
        spans[-1] = spans[-1]._replace(last=at)


def _is_below(content: str, indent: str, nested: KeySpan) -> bool:
    """Tell whether a line is part of the nested key: deeper, or beside it a list item or a bracket."""
    depth = _indent(content)
    bare = content[len(depth) :]
    beside = bare.rstrip() in ("]", "}") or (nested.is_empty and bool(_LIST_ITEM.match(bare)))
    return len(depth) > len(indent) or (depth == indent and beside)


def _indent(content: str) -> str:
    match = _INDENT.match(content)
    return match.group() if match else ""
