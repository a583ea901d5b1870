"""A Markdown file with frontmatter, kept byte for byte.

Owns where the frontmatter block begins and ends, how its keys are read, and how one key is changed without
touching another character. It works on text decoded as strict UTF-8, which encodes back to the same bytes,
and never rewrites a file whole. The rules are those of FACTS ("Wuu notebook") and cases O-07 to O-13.
"""

from typing import NamedTuple

from wuu.text.block_lines import FENCE, Block, KeySpan, find_block
from wuu.text.scalars import decode_list, decode_scalar

BOM = "\ufeff"

NESTING_KEY = "metadata"
"""The one key whose nested keys answer as if they stood at the top (FACTS, "Wuu notebook")."""


class Field(NamedTuple):
    """One key of the block: its value as written, and the characters that it occupies.

    `line` counts from 1 in the whole file. `value_at` is where the value begins, `end` the offset behind the
    last line that belongs to the key, its line ending included; `rest` holds the lines after the first, each
    with a line feed, without comments.
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
    """A file split into block and body.

    `text[body_at:]` is the body; without a block all of the text is, but for a byte order mark.
    """

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
    stand key lines with what belongs to them and nothing else, or no line at all (case O-10). A key may be
    quoted; one that holds blanks (`date created: …`) counts beside at least one that does not.
    """
    start = len(BOM) if text.startswith(BOM) else 0
    newline = _first_newline(text)
    block = find_block(text, start)
    if block is None:
        return Document(text, newline, (), None, start)
    fields = tuple(_field(block, span) for span in block.spans)
    return Document(text, newline, fields, block.end, block.body_at)


def find_field(document: Document, key: str) -> Field | None:
    """Return the field that answers for `key`: the last at the top, else the last under `metadata`."""
    nested = None
    for field in reversed(document.fields):
        if field.key == key and field.parent is None:
            return field
        if field.key == key and field.parent == NESTING_KEY:
            nested = nested or field
    return nested


def field_text(document: Document, key: str) -> str | None:
    """Return the value of `key` as one line of text, or None if the key is absent or empty (case O-13)."""
    field = find_field(document, key)
    return None if field is None else on_one_line(decode_scalar(field.raw, field.rest)) or None


def field_list(document: Document, key: str) -> tuple[str, ...]:
    """Return the items of `key`, each one line: a list in any YAML or JSON form, or text with commas."""
    field = find_field(document, key)
    return () if field is None else tuple(map(on_one_line, decode_list(field.raw, field.rest)))


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
    """Return `text` without the lines of `key`, every one of them; nothing else changes.

    Where nothing but comments and blank lines would be left, which are no block, the key stays without value.
    """
    while fields := _answering(parse_document(text), key):
        shorter = _without(text, fields)
        if not parse_document(shorter).has_block:
            return _without(_emptied(text, fields[-1]), fields[:-1])
        text = shorter
    return text


def with_body(text: str, body: str) -> str:
    """Return `text` with everything after its block replaced by `body`, which begins on a line of its own."""
    document = parse_document(text)
    head = text[: document.body_at]
    is_open = body and document.has_block and not head.endswith("\n")
    return head + (document.newline if is_open else "") + body


def on_one_line(value: str) -> str:
    """Return `value`, with every run of white space as one blank if it holds a line break (case O-13)."""
    return value if value.splitlines() in ([], [value]) else " ".join(value.split())


def _field(block: Block, span: KeySpan) -> Field:
    first, last = block.lines[span.first], block.lines[span.last]
    value_at = first.start + span.value_at
    line = span.first + 2  # the opening fence is the first
    return Field(span.key, span.parent, span.raw, block.rest(span), line, first.start, value_at, last.end)


def _answering(document: Document, key: str) -> list[Field]:
    parents = (None,) if key == NESTING_KEY else (None, NESTING_KEY)
    return [field for field in document.fields if field.key == key and field.parent in parents]


def _without(text: str, fields: list[Field]) -> str:
    parts, at = [], 0
    for field in fields:
        parts.append(text[at : max(at, field.start)])
        at = max(at, field.end)
    return "".join(parts) + text[at:]


def _emptied(text: str, field: Field) -> str:
    ending = _ending(text[field.start : field.end])
    return text[: field.value_at].rstrip(" \t") + ending + text[field.end :]


def _spaced(text: str, field: Field, rendered: str) -> str:
    """Return `rendered` with the line ending of the field, and a blank where the old line had none."""
    blank = "" if text[field.value_at - 1] in " \t" else " "
    return blank + rendered + _ending(text[field.start : field.end])


def _first_newline(text: str) -> str:
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _ending(lines: str) -> str:
    return "\r\n" if lines.endswith("\r\n") else "\n"
