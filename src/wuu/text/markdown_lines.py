"""The lines of a Markdown file, each with its ending, and which of them are code or comment.

Owns where fenced code and HTML comments begin and end, so that nothing inside them is taken for an entry of
an index (case O-40). The rules are those of CommonMark, as far as lines are concerned. It changes nothing.
"""

import re
from collections import defaultdict
from typing import NamedTuple

_MARKERS = r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*"
_FENCE = re.compile(rf"{_MARKERS}(`{{3,}}|~{{3,}})(.*)", re.DOTALL)
_COMMENT_BLOCK = re.compile(rf"{_MARKERS}<!--")
_ITEM = re.compile(r" *(?:[-*+]|[0-9]{1,9}[.)])(?: {1,4}(?! )| |(\Z))")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_BLOCK_START = re.compile(
    r"[ \t]*(?:[-*+][ \t]|[0-9]{1,9}[.)][ \t]|#{1,6}(?:[ \t]|\Z)|`{3}|~{3}|[>|]|<[A-Za-z/!?]"
    r"|(?:-+|=+)[ \t]*\Z)"
)
_INLINE = re.compile(r"\\[!-/:-@\[-`{-~]|`+|<!--")
_BACKTICKS = re.compile(r"`+")
_COMMENT_OPEN, _COMMENT_CLOSE = "<!--", "-->"


class Line(NamedTuple):
    """One line: its `content` without the ending, the `ending` (empty at the end of a file), and its mask.

    `open_text` is `content` with comments and the inside of code spans blanked out, of the same length; it is
    all blank inside a fence. `literal` says that the whole line stands inside a fence or a comment,
    `continues` that a fence or a comment is still open behind it.
    """

    content: str
    ending: str
    open_text: str
    literal: bool
    continues: bool = False


class MarkdownLines(NamedTuple):
    """All lines of a text.

    `open_at` is the index of the line that opens a fence or a comment which nothing closes. One in a list
    item ends with its item, so it does not count.
    """

    lines: tuple[Line, ...]
    open_at: int | None


class _Region(NamedTuple):
    """An open fence or comment: what opened it, and where the text of its list item begins (0: in none)."""

    mark: str
    column: int


def split_lines(text: str) -> MarkdownLines:
    """Split `text` at line feeds only; joining every `content + ending` gives `text` back."""
    raw = _raw_lines(text)
    closed_below = _closed_below(raw)
    lines: list[Line] = []
    columns: list[int] = []
    region, opened_at = None, 0
    for at, (content, ending) in enumerate(raw):
        if region is not None and _leaves_item(content, region.column):
            region = None
            lines[-1] = lines[-1]._replace(continues=False)
        if region is None:
            opened_at = at
            _enter_items(columns, content)
        column = columns[-1] if columns else 0
        line, region = _read_line(content, ending, region, column, closes=at in closed_below)
        lines.append(line)
    is_open = region is not None and region.column == 0
    return MarkdownLines(tuple(lines), opened_at if is_open else None)


def starts_block(content: str) -> bool:
    """Tell whether a line is blank or begins something new, rather than going on with the paragraph above."""
    return not content.strip() or bool(_BLOCK_START.match(content) or _RULE.match(content))


def _raw_lines(text: str) -> list[tuple[str, str]]:
    pieces = text.split("\n")
    tail = pieces.pop()
    pairs = [(piece[:-1], "\r\n") if piece.endswith("\r") else (piece, "\n") for piece in pieces]
    return [*pairs, (tail, "")] if tail else pairs


def _closed_below(raw: list[tuple[str, str]]) -> frozenset[int]:
    """Return the indices of lines with a comment that would be closed by a later line of the paragraph."""
    found: set[int] = set()
    if not any(_COMMENT_OPEN in content for content, _ in raw):
        return frozenset()
    for at in range(len(raw) - 2, -1, -1):
        below, _ = raw[at + 1]
        if (at + 1 in found or _COMMENT_CLOSE in below) and not starts_block(below):
            found.add(at)
    return frozenset(found)


def _enter_items(columns: list[int], content: str) -> None:
    """Update `columns`: where the contents of the list items begin that a line stands in, outermost first."""
    if not content.strip():
        return
    expanded = content.expandtabs(4)
    at = _indent(expanded)
    while columns and at < columns[-1]:
        columns.pop()
    if _RULE.match(expanded):
        return
    while match := _ITEM.match(expanded, at):
        at = match.end()
        columns.append(at if match.group(1) is None else at + 1)


def _leaves_item(content: str, column: int) -> bool:
    return column > 0 and bool(content.strip()) and _indent(content) < column


def _indent(content: str) -> int:
    return len(content[: len(content) - len(content.lstrip(" \t"))].expandtabs(4))


def _read_line(
    content: str, ending: str, region: _Region | None, column: int, *, closes: bool
) -> tuple[Line, _Region | None]:
    """Return a line, and what is still open behind it."""
    if region is None and (fence := _opens(content)):
        region = _Region(fence, column)
        return _fenced(content, ending, region), region
    if region is not None and region.mark != _COMMENT_OPEN:
        left = None if _closes(content, region.mark) else region
        return _fenced(content, ending, left), left
    masked, is_open = _mask(content, inside=region is not None, closes=closes)
    literal = region is not None and not masked.strip()
    left = (region or _Region(_COMMENT_OPEN, 0 if closes else column)) if is_open else None
    return Line(content, ending, masked, literal, is_open), left


def _fenced(content: str, ending: str, left: _Region | None) -> Line:
    return Line(content, ending, " " * len(content), literal=True, continues=left is not None)


def _opens(content: str) -> str:
    match = _FENCE.match(content)
    if match is None or (match.group(1)[0] == "`" and "`" in match.group(2)):
        return ""
    return match.group(1)


def _closes(content: str, fence: str) -> bool:
    stripped = content.strip()
    return len(stripped) >= len(fence) and not stripped.strip(fence[0])


def _mask(content: str, *, inside: bool, closes: bool) -> tuple[str, bool]:
    """Blank out comments and code; the second value says whether the next line starts inside a comment."""
    if not inside and _COMMENT_OPEN not in content and "`" not in content:
        return content, False
    last_close = content.rfind(_COMMENT_CLOSE)
    if inside and last_close < 0:
        return " " * len(content), True
    at = _behind_close(content, 0) if inside else 0
    holes = [(0, at)]
    runs = _backtick_runs(content)
    block_at = _behind_block_opener(content)
    while opener := _INLINE.search(content, at):
        mark, start, at = opener.group(), opener.start(), opener.end()
        if mark[0] == "`" and (end := _next_run(runs[len(mark)], at)) >= 0:
            holes.append((at, end))
            at = end + len(mark)
        elif mark == _COMMENT_OPEN and start + 2 <= last_close:  # `<!-->` is a whole comment
            at = _behind_close(content, start + 2)
            holes.append((start, at))
        elif mark == _COMMENT_OPEN and (closes or at == block_at):
            return _blanked(content, [*holes, (start, len(content))]), True
    return _blanked(content, holes), False


def _behind_block_opener(content: str) -> int:
    """Return where the opener of a comment ends that the line begins with, or -1."""
    match = _COMMENT_BLOCK.match(content)
    return match.end() if match else -1


def _behind_close(content: str, start: int) -> int:
    return content.index(_COMMENT_CLOSE, start) + len(_COMMENT_CLOSE)


def _backtick_runs(content: str) -> dict[int, list[int]]:
    """Return where the runs of backticks begin, by their length, the last one first."""
    runs: dict[int, list[int]] = defaultdict(list)
    for run in reversed(list(_BACKTICKS.finditer(content))):
        runs[len(run.group())].append(run.start())
    return runs


def _next_run(starts: list[int], at: int) -> int:
    """Return the first of `starts` that is not before `at`, or -1, and forget those before it."""
    while starts and starts[-1] < at:
        starts.pop()
    return starts[-1] if starts else -1


def _blanked(content: str, holes: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in holes:
        parts += [content[at:start], " " * (end - start)]
        at = end
    return "".join(parts) + content[at:]
