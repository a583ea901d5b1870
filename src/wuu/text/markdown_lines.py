"""The lines of a Markdown file, each with its ending, and which of them are code or comment.

Owns where fenced code and HTML comments begin and end, so that nothing inside them is taken for an entry of an
index (case O-40). It changes nothing.
"""

import re
from typing import NamedTuple

_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)")
_COMMENT_OPEN, _COMMENT_CLOSE = "<!--", "-->"
_CODE_SPAN = re.compile(r"(?<![`\\])(`+)(?!`)(.*?)(?<!`)\1(?!`)")


class Line(NamedTuple):
    """One line: its `content` without the ending, the `ending` (empty at the end of a file), and its mask.

    `open_text` is `content` with comments and code spans blanked out, of the same length; it is all blank
    inside a fence. `literal` says that the whole line stands inside a fence or a comment.
    """

    content: str
    ending: str
    open_text: str
    literal: bool


class MarkdownLines(NamedTuple):
    """All lines of a text; `open_at` is the index of the line that opens a fence or comment which nothing closes."""

    lines: tuple[Line, ...]
    open_at: int | None


def split_lines(text: str) -> MarkdownLines:
    """Split `text` at line feeds only; joining every `content + ending` gives `text` back."""
    lines: list[Line] = []
    fence, in_comment, opened_at = "", False, 0
    for content, ending in _raw_lines(text):
        was_open = bool(fence) or in_comment
        if fence:
            masked, literal = " " * len(content), True
            fence = "" if _closes(content, fence) else fence
        elif not in_comment and (fence := _opens(content)):
            masked, literal = " " * len(content), True
        else:
            masked, in_comment = _mask(content, in_comment)
            literal = was_open and not masked.strip()
        if not was_open:
            opened_at = len(lines)
        lines.append(Line(content, ending, masked, literal))
    return MarkdownLines(tuple(lines), opened_at if fence or in_comment else None)


def _raw_lines(text: str) -> list[tuple[str, str]]:
    pieces = text.split("\n")
    tail = pieces.pop()
    pairs = [(piece[:-1], "\r\n") if piece.endswith("\r") else (piece, "\n") for piece in pieces]
    return [*pairs, (tail, "")] if tail else pairs


def _opens(content: str) -> str:
    match = _FENCE.match(content)
    if match is None or (match.group(1)[0] == "`" and "`" in match.group(2)):
        return ""
    return match.group(1)


def _closes(content: str, fence: str) -> bool:
    stripped = content.strip()
    return len(stripped) >= len(fence) and not stripped.strip(fence[0])


def _mask(content: str, inside: bool) -> tuple[str, bool]:
    """Blank out comments and code spans; the second value says whether the next line starts inside a comment."""
    parts: list[str] = []
    at = 0
    while at < len(content):
        rest = content[at:] if inside else _mask_code(content[at:])
        found = rest.find(_COMMENT_CLOSE if inside else _COMMENT_OPEN)
        end = len(rest) if found < 0 else found
        parts.append(" " * end if inside else rest[:end])
        if found < 0:
            break
        width = len(_COMMENT_CLOSE if inside else _COMMENT_OPEN)
        parts.append(" " * width)
        at += end + width
        inside = not inside
    return "".join(parts), inside


def _mask_code(content: str) -> str:
    if "`" not in content:
        return content
    return _CODE_SPAN.sub(lambda match: " " * len(match.group()), content)
