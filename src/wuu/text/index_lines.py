"""MEMORY.md: which topics it names, and the one line of a topic added, replaced, renamed or dropped.

Everything else in the file stays byte for byte (case O-40). An *entry* is a line that is about one topic: a
list item, a table row or a paragraph line that opens with its link or name. A *mention* is any other place
that names a topic; it is reported and never changed. FACTS, "Wuu notebook", lists the shapes in use.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from wuu.text.document import BOM, on_one_line
from wuu.text.markdown_lines import Line, split_lines, starts_block
from wuu.text.mentions import Mention, find_mentions, render_target

_ITEM = re.compile(r"([ \t]*)([-*+]|[0-9]{1,9}[.)])([ \t]+)(?:\[[ xX]\][ \t]+)?")
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)")
_BRACKET = re.compile(r"([\[\]])")
_UNDERLINE = re.compile(r" {0,3}(?:-+|=+)[ \t]*\Z")
_AROUND = "*_`\"' \t"


class Entry(NamedTuple):
    """The line of one topic: its index, the index behind the last line that is part of it, what it names.

    `mentions` are those of its first line, the one that it is about in front. `bullet` is its marker with the
    blanks behind it, or empty where the entry is no bullet or is indented.
    """

    at: int
    end: int
    mentions: tuple[Mention, ...]
    bullet: str


class Index(NamedTuple):
    """A parsed MEMORY.md: the lines (without a BOM), the entries among them, every mention by line index."""

    bom: str
    lines: tuple[Line, ...]
    open_at: int | None
    entries: tuple[Entry, ...]
    mentions: tuple[tuple[int, Mention], ...]

    def line_text(self, at: int) -> str:
        """Return the text of the line at index `at`, without its ending."""
        return self.lines[at].content


def parse_index(text: str) -> Index:
    """Parse the text of a MEMORY.md; any text at all is fine."""
    bom = BOM if text.startswith(BOM) else ""
    lines, open_at = split_lines(text[len(bom) :])
    found = [() if line.literal else find_mentions(line.content, line.open_text) for line in lines]
    entries = [entry for at in range(len(lines)) if (entry := _find_entry(lines, found, at)) is not None]
    mentions = tuple((at, mention) for at, several in enumerate(found) for mention in several)
    return Index(bom, lines, open_at, tuple(entries), mentions)


def render_entry(file: str, title: str, hook: str) -> str:
    """Return the line of a topic in the application's form, `- [Title](file.md) — hook`.

    Without marker and ending; `title` and `hook` may be any text, and come out as text on one line that opens
    no link, code or comment of its own (cases O-13, O-31, O-36).
    """
    link = f"[{_escaped(on_one_line(title).strip(), every=True)}]({render_target(file)})"
    hook = _escaped(on_one_line(hook).strip(), every=False)
    return f"{link} — {hook}" if hook else link


def with_entry(text: str, rendered: str) -> str:
    """Return `text` with one line more: behind the last bullet that is an entry, else at the end.

    Bullets that open with a link go before others, and a fence or comment that nothing closes begins the end.
    """
    return with_entries(text, (rendered,))


def with_entries(text: str, rendered: Sequence[str]) -> str:
    """Return `text` with these lines more, one below the other, where `with_entry` puts one."""
    index = parse_index(text)
    at, bullet = _place(index)
    newline = _newline_near(index, at)
    added = newline.join(f"{bullet}{one}" for one in rendered)
    before = index.bom + _joined(index.lines[:at])
    after = _joined(index.lines[at:])
    if at and not index.lines[at - 1].ending:
        return before + newline + added + after
    return before + added + newline + after


def without_entries(text: str, doomed: list[Entry]) -> str:
    """Return `text` without these entries and the lines that belong to them."""
    index = parse_index(text)
    gone = {at for entry in doomed for at in range(entry.at, entry.end)}
    kept = [line for at, line in enumerate(index.lines) if at not in gone]
    result = _joined(tuple(kept))
    if kept and index.lines and not index.lines[-1].ending and len(index.lines) - 1 in gone:
        result = result[: len(result) - len(kept[-1].ending)]
    return index.bom + result


def with_entry_replaced(text: str, entry: Entry, rendered: str) -> str:
    """Return `text` with the line of `entry` showing `rendered` behind the marker that it has."""
    index = parse_index(text)
    line = index.lines[entry.at]
    return _with_line(index, entry.at, line.content[: _marker_width(line.content)] + rendered)


def with_entry_renamed(text: str, entry: Entry, old_keyed: list[Mention], new: str) -> str:
    """Return `text` with the mentions `old_keyed` of `entry` naming the file `new`, all else as it was.

    A bare name or wiki link that cannot name `new` becomes a link.
    """
    index = parse_index(text)
    content = index.lines[entry.at].content
    for mention in sorted(old_keyed, key=lambda one: one.start, reverse=True):
        content = _renamed(content, mention, new)
    return _with_line(index, entry.at, content)


def entry_text(index: Index, entry: Entry) -> str:
    """Return what stands behind the marker on the first line of `entry`."""
    content = index.lines[entry.at].content
    return content[_marker_width(content) :]


def _find_entry(lines: tuple[Line, ...], found: list[tuple[Mention, ...]], at: int) -> Entry | None:
    mentions = found[at]
    content = lines[at].content
    if not mentions or lines[at].continues or (at and lines[at - 1].continues):
        return None
    if item := _ITEM.match(content):
        if not _opens_with(content, item.end(), mentions[0]):
            return None
        bullet = item.group(2) + item.group(3) if item.group(2) in "-*+" and not item.group(1) else ""
        return Entry(at, _item_end(lines, found, at), mentions, bullet)
    if content.lstrip().startswith("|"):
        mentions = _with_cell_first(content, mentions)
        is_entry = bool(mentions)
    else:
        is_entry = mentions[0].is_link and _opens_with(content, 0, mentions[0]) and _stands_alone(lines, at)
    return Entry(at, at + 1, mentions, "") if is_entry else None


def _opens_with(content: str, at: int, mention: Mention) -> bool:
    """Tell whether only emphasis or a quotation mark stands between `at` and the mention."""
    return at <= mention.outer_start and not content[at : mention.outer_start].strip(_AROUND)


def _with_cell_first(content: str, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Return the mentions of a table row, the first that has a cell for itself in front, or none of them."""
    first = next((mention for mention in mentions if _fills_a_cell(content, mention)), None)
    return () if first is None else (first, *(mention for mention in mentions if mention != first))


def _fills_a_cell(content: str, mention: Mention) -> bool:
    """Tell whether a mention is all that a cell holds, but for emphasis, quotation marks and blanks."""
    start, end = mention.outer_start, mention.outer_end
    while start and content[start - 1] in _AROUND:
        start -= 1
    while end < len(content) and content[end] in _AROUND:
        end += 1
    return content[start - 1 : start] == "|" and content[end : end + 1] in ("|", "")


def _stands_alone(lines: tuple[Line, ...], at: int) -> bool:
    """Tell whether a paragraph has just this line, or the lines around open with links as well."""
    above = lines[at - 1].open_text if at else ""
    below = lines[at + 1].open_text if at + 1 < len(lines) else ""
    begins = not above.strip() or above.lstrip().startswith(("[", "#"))
    ends = starts_block(below) and not _UNDERLINE.match(below)
    return begins and (ends or below.startswith("["))


def _item_end(lines: tuple[Line, ...], found: list[tuple[Mention, ...]], at: int) -> int:
    """Return the index behind the wrapped lines of a list item.

    Nested items, code, comments and lines with links of their own are not part of it.
    """
    indent = _indent(lines[at].content)
    end = at + 1
    while end < len(lines) and not lines[end].literal and all(one.kind == "bare" for one in found[end]):
        content = lines[end].content
        if not content.strip() or _ITEM.match(content) or _indent(content) <= indent or "<!--" in content:
            break
        end += 1
    return end


def _indent(content: str) -> int:
    return len(content) - len(content.lstrip(" \t"))


def _place(index: Index) -> tuple[int, str]:
    """Return where a new line goes, and the bullet it gets."""
    limit = len(index.lines) if index.open_at is None else index.open_at
    bullets = [entry for entry in index.entries if entry.bullet and entry.at < limit]
    linked = [entry for entry in bullets if entry.mentions[0].is_link]
    if not bullets:
        return limit, "- "
    last = (linked or bullets)[-1]
    return _behind_item(index.lines, last.at, limit), last.bullet


def _behind_item(lines: tuple[Line, ...], at: int, limit: int) -> int:
    """Return the index behind everything that a list item holds: wrapped and nested lines, code, comments."""
    end = at + 1
    for near in range(at + 1, limit):
        content, above = lines[near].content, lines[near - 1]
        is_wrapped = near == end and bool(above.open_text.strip()) and not starts_block(content)
        if above.continues or is_wrapped or (content.strip() and _indent(content)):
            end = near + 1
        elif content.strip():
            break
    return end


def _newline_near(index: Index, at: int) -> str:
    if at and index.lines[at - 1].content.endswith("\r"):
        return "\r\n"  # a lone line feed behind it would read as one line ending
    for line in (*reversed(index.lines[:at]), *index.lines[at:]):
        if line.ending:
            return line.ending
    return "\n"


def _joined(lines: tuple[Line, ...]) -> str:
    return "".join(line.content + line.ending for line in lines)


def _with_line(index: Index, at: int, content: str) -> str:
    line = index.lines[at]
    before, after = index.lines[:at], index.lines[at + 1 :]
    return index.bom + _joined(before) + content + line.ending + _joined(after)


def _renamed(content: str, mention: Mention, new: str) -> str:
    if mention.can_name(new):
        return content[: mention.start] + mention.renamed(new) + content[mention.end :]
    behind = content[mention.end : mention.outer_end].removesuffix("]]").lstrip("\\")
    shown = behind.removeprefix("|") if behind.startswith("|") else new.removesuffix(".md")
    return content[: mention.outer_start] + render_entry(new, shown, "") + content[mention.outer_end :]


def _marker_width(content: str) -> int:
    item = _ITEM.match(content)
    return item.end() if item else 0


def _escaped(text: str, *, every: bool) -> str:
    """Return `text` so that it opens no link, code or comment of its own (cases O-31, O-36)."""
    every_bracket = every or "](" in text or "[[" in text
    if every_bracket:
        text = _BACKSLASH.sub(r"\\\\", text)
        text = _BRACKET.sub(r"\\\1", text)
    if every:
        text = text.replace("`", "\\`")
    return text.replace("<!--", "<\\!--")
