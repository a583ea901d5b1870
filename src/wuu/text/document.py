"""A Markdown file with frontmatter, kept byte for byte.

Owns where the frontmatter block begins and ends, how its keys are read, and how one key is changed without
touching another character. It works on text decoded as strict UTF-8, which encodes back to the same bytes,
and never rewrites a file whole. The rules are those of FACTS ("Wuu notebook") and cases O-07 to O-13.
"""

import re
from typing import NamedTuple

from wuu.text.scalars import decode_list, decode_scalar

BOM = "\ufeff"
FENCE = "---"

_KEY_LINE = re.compile(r"([^\W\d][\w.-]*)[ \t]*:(?!//)[ \t]*(.*)\Z", re.DOTALL)
_NESTED_KEY = re.compile(r"([ \t]+)([^\W\d][\w.-]*)[ \t]*:(?!//)[ \t]*(.*)\Z", re.DOTALL)
_LIST_ITEM = re.compile(r"-(?:[ \t]|\Z)")


class Field(NamedTuple):
    """One key of the block: its value as written, and the characters that it occupies.

    `line` counts from 1 in the whole file. `value_at` is where the value begins, `end` the offset behind the
    last line that belongs to the key, its line ending included; `rest` holds the lines after the first.
    """

    key: str
    parent: str | None
    raw: str
    rest: str
    line: int
    start: int
    value_at: int
    end: int


class Document(NamedTuple):
    """A file split into block and body. `text[body_at:]` is the body; without a block all of it is (less a BOM)."""

    text: str
    newline: str
    fields: tuple[Field, ...]
    block_end: int | None
    body_at: int

    @property
    def has_block(self) -> bool:
        """Whether the file opens with a frontmatter block, be it empty."""
        return self.block_end is not None

    @property
    def body(self) -> str:
        """The text after the block, exactly."""
        return self.text[self.body_at :]


def parse_document(text: str) -> Document:
    """Split `text` into frontmatter and body.

    A block counts only if the first line is exactly `---`, a later line is exactly `---`, and between them
    stand key lines with what belongs to them and nothing else, or no line at all (case O-10).
    """
    start = len(BOM) if text.startswith(BOM) else 0
    newline = _first_newline(text)
    lines = _lines_of_block(text, start)
    fields = None if lines is None else _parse_fields(lines)
    if lines is None or fields is None:
        return Document(text, newline, (), None, start)
    block_end = lines[-1].end if lines else _line_end(text, start)
    return Document(text, newline, fields, block_end, _line_end(text, block_end))


def find_field(document: Document, key: str) -> Field | None:
    """Return the field that answers for `key`: the last one at the top, else the last one nested a level down."""
    nested = None
    for field in reversed(document.fields):
        if field.key == key:
            if field.parent is None:
                return field
            nested = nested or field
    return nested


def field_text(document: Document, key: str) -> str | None:
    """Return the value of `key` as one string, or None if the key is absent or empty."""
    field = find_field(document, key)
    return None if field is None else decode_scalar(field.raw, field.rest) or None


def field_list(document: Document, key: str) -> tuple[str, ...]:
    """Return the value of `key` as strings: a list in any YAML or JSON form, or text with commas."""
    field = find_field(document, key)
    return () if field is None else decode_list(field.raw, field.rest)


def with_field(text: str, key: str, rendered: str) -> str:
    """Return `text` with `key` set to `rendered`, a value of one line as it shall stand in the file.

    Only the lines of that key change. A new key goes last in its block; a file without a block gets one in
    front of its body, behind a BOM, with the file's own line ending.
    """
    document = parse_document(text)
    field = find_field(document, key)
    if field is not None:
        return text[: field.value_at] + _spaced(text, field, rendered) + text[field.end :]
    line = f"{key}: {rendered}{document.newline}"
    if document.block_end is not None:
        return text[: document.block_end] + line + text[document.block_end :]
    fence = FENCE + document.newline
    return text[: document.body_at] + fence + line + fence + text[document.body_at :]


def without_field(text: str, key: str) -> str:
    """Return `text` without the lines of `key`, every one of them; nothing else changes."""
    while (field := find_field(parse_document(text), key)) is not None:
        text = text[: field.start] + text[field.end :]
    return text


def with_body(text: str, body: str) -> str:
    """Return `text` with everything after its block replaced by `body`."""
    return text[: parse_document(text).body_at] + body


def _first_newline(text: str) -> str:
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _line_end(text: str, start: int) -> int:
    at = text.find("\n", start)
    return len(text) if at < 0 else at + 1


class _Line(NamedTuple):
    number: int
    start: int
    end: int
    content: str


def _lines_of_block(text: str, start: int) -> list[_Line] | None:
    """Return the lines between the fences, or None if there are not two fences."""
    at = _line_end(text, start)
    if text[start:at].rstrip("\r\n") != FENCE:
        return None
    lines: list[_Line] = []
    while at < len(text):
        end = _line_end(text, at)
        content = text[at:end].removesuffix("\n").removesuffix("\r")
        if content == FENCE:
            return lines
        lines.append(_Line(len(lines) + 2, at, end, content))
        at = end
    return None


def _parse_fields(lines: list[_Line]) -> tuple[Field, ...] | None:
    """Return the fields, or None if a line is neither a key nor part of one: then it is no frontmatter."""
    fields: list[Field] = []
    top = -1
    for line in lines:
        if match := _KEY_LINE.match(line.content):
            top = len(fields)
            fields.append(_field(line, match.group(1), None, match.group(2), match.start(2)))
        elif top >= 0 and _is_continuation(line.content, fields[top]):
            fields[top] = _grown(fields[top], line)
            _nest(fields, line, fields[top])
        elif line.content.strip() and not line.content.startswith("#"):
            return None
    return tuple(fields) if fields or not lines else None


def _field(line: _Line, key: str, parent: str | None, raw: str, value_at: int) -> Field:
    return Field(key, parent, raw.strip(), "", line.number, line.start, line.start + value_at, line.end)


def _grown(field: Field, line: _Line) -> Field:
    return field._replace(rest=field.rest + line.content + "\n", end=line.end)


def _is_continuation(content: str, top: Field) -> bool:
    """Tell whether a line belongs to the key above: indented, a list item, or the end of a flow collection."""
    if not content.strip():
        return False
    return content[0] in " \t" or content.rstrip() in ("]", "}") or (not top.raw and bool(_LIST_ITEM.match(content)))


def _nest(fields: list[Field], line: _Line, parent: Field) -> None:
    """Add the key that an indented line holds under a key without a value of its own: one level, no more."""
    match = None if parent.raw else _NESTED_KEY.match(line.content)
    if match is not None and match.group(1) == _first_indent(parent.rest):
        fields.append(_field(line, match.group(2), parent.key, match.group(3), match.start(3)))
    elif fields[-1].parent is not None:
        fields[-1] = _grown(fields[-1], line)


def _first_indent(rest: str) -> str:
    return rest[: len(rest) - len(rest.lstrip(" \t"))]


def _spaced(text: str, field: Field, rendered: str) -> str:
    """Return `rendered` with the line ending of the field, and a blank where the old line had none."""
    blank = "" if text[field.value_at - 1] in " \t" else " "
    tail = text[field.start : field.end]
    return blank + rendered + tail[len(tail.rstrip("\r\n")) :]
