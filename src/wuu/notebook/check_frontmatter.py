"""Problems of a topic's frontmatter: none, broken, one key twice, no YAML, fields missing or wrong.

Owns what is asked of each field (seed 000; FACTS, "Wuu notebook"). It reads no files.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wuu.notebook.topics import TYPES, Topic, is_date
from wuu.problems import Problem, problem
from wuu.text import document as md
from wuu.text.block_lines import FENCE, Break, find_break
from wuu.text.document import Document, Field
from wuu.text.secrets import redact
from wuu.text.yaml_check import find_yaml_problem

_FIRST_CHARACTERS, _SHOWN_CHARACTERS = 2_000, 60
_READ_BY_WUU = frozenset({"name", "title", "description", "type", "verified", "sources"})


class Dates(NamedTuple):
    """The day of the person who checks, the latest one on Earth, and after how many days a topic is stale."""

    today: str
    latest: str
    stale_days: int | None = None


def find_in_frontmatter(
    topic: Topic, document: Document, dates: Dates, words: Sequence[str]
) -> Iterator[Problem]:
    """Yield what is wrong with the frontmatter of `topic`, which `document` is.

    `words` is what the index says of the topic; it may show that a value was cut.
    """
    file = topic.file
    broken = None if document.has_block else find_break(document.text, document.body_at)
    if broken is not None:
        yield _broken(file, broken)
        return
    if document.has_block:
        yield from _duplicates(file, document.fields)
        yield from _not_yaml(file, document)
        yield from _missing(topic, document)
        yield from _cut(file, document, words)
        yield from _values(topic, document, dates)
    else:
        fix = f"Add it: wuu notebook edit {file} --name … --description …"
        yield problem("frontmatter_missing", file, None, f"{file} does not open with frontmatter.", fix)
    yield from _stale(topic, document, dates)


def _broken(file: str, found: Break) -> Problem:
    where = f"breaks off on line {found.line}, which belongs to no key"
    note = f"The frontmatter of {file} {where if found.is_stray else 'is never closed'}."
    fix = f"Close it with a line that is exactly {FENCE}, and keep only key: value lines in it."
    return problem("frontmatter_broken", file, found.line, note, fix)


def _line_of(document: Document, key: str) -> int | None:
    field = md.find_field(document, key)
    return None if field is None else field.line


def _duplicates(file: str, fields: tuple[Field, ...]) -> Iterator[Problem]:
    """Yield keys that stand twice side by side, and fields that contradict themselves under `metadata`."""
    top: dict[str, Field] = {}
    below: dict[str, Field] = {}
    for field in fields:
        if field.parent is None:
            below = {}
        seen = top if field.parent is None else below
        if field.key in seen:
            note = f"{file} has the key {field.key} on line {seen[field.key].line} and on line {field.line}."
            yield problem("duplicate_key", file, field.line, note, "Keep one: only the last one counts.")
        seen[field.key] = field
    for field in fields:
        other = top.get(field.key) if field.parent == md.NESTING_KEY and field.key in _READ_BY_WUU else None
        if other is not None and (other.raw, other.rest) != (field.raw, field.rest):
            note = (
                f"{file} has the key {field.key} on line {other.line} and, with another value, under"
                f" {md.NESTING_KEY} on line {field.line}."
            )
            fix = "Keep one: wuu takes the one that is not nested, other programs take the other."
            yield problem("duplicate_key", file, field.line, note, fix)


def _not_yaml(file: str, document: Document) -> Iterator[Problem]:
    begin = document.text.find("\n") + 1
    found = find_yaml_problem(document.text[begin : document.block_end])
    if found is not None:
        note = f"The frontmatter of {file} is no YAML that can be read: {found.reason}."
        fix = "Put double quotes around the value." if "quotes" in found.reason else None
        yield problem("frontmatter_not_yaml", file, found.line + 1, note, fix)


def _missing(topic: Topic, document: Document) -> Iterator[Problem]:
    file = topic.file
    if md.field_text(document, "name") is None and md.field_text(document, "title") is None:
        fix = f"Add it: wuu notebook edit {file} --name …"
        yield problem("name_missing", file, None, f"The frontmatter of {file} has no name.", fix)
    if topic.description is None:
        fix = f"Add it: wuu notebook edit {file} --description …"
        yield problem(
            "description_missing", file, None, f"The frontmatter of {file} has no description.", fix
        )


def _cut(file: str, document: Document, words: Sequence[str]) -> Iterator[Problem]:
    """Yield names and descriptions that end at a `#` for YAML readers, or that such a reader cut already.

    That one was cut is shown by text which begins with it and goes on with ` #`: the first line of the topic,
    or what the index says of it.
    """
    longer = [text for text in (*words, _first_words(document)) if " #" in text]
    if not longer and "#" not in document.text[: document.body_at]:
        return
    for key in ("name", "title", "description"):
        field = md.find_field(document, key)
        value = None if field is None else md.field_text(document, key)
        if field is None or value is None:
            continue
        if _has_comment(field):
            note = f"YAML readers take the {key} of {file} for ended at the # on line {field.line}."
            yield problem("value_cut_at_hash", file, field.line, note, "Put double quotes around all of it.")
        elif any(text.startswith(value + " #") for text in longer):
            note = f"The {key} of {file} was cut at a #: its text goes on elsewhere."
            yield problem("value_cut_at_hash", file, field.line, note, "Complete it, in double quotes.")


def _first_words(document: Document) -> str:
    begin = document.text[document.body_at : document.body_at + _FIRST_CHARACTERS]
    return begin.lstrip("#*_> \t\r\n")


def _has_comment(field: Field) -> bool:
    """Tell whether a value of one line without quotes holds a `#` that opens a comment in YAML."""
    if field.rest or field.raw.startswith(("'", '"', "|", ">", "[", "{")):
        return False
    return field.raw.startswith("#") or " #" in field.raw or "\t#" in field.raw


def _values(topic: Topic, document: Document, dates: Dates) -> Iterator[Problem]:
    file, verified = topic.file, topic.verified
    if topic.type is not None and topic.type not in TYPES:
        note = f"The type of {file} is {_shown(topic.type)}, which is none of {', '.join(TYPES)}."
        yield problem(
            "unknown_type", file, _line_of(document, "type"), note, f"wuu notebook edit {file} --type …"
        )
    if verified is not None and not is_date(verified):
        note = f"The verified date of {file} is {_shown(verified)}, which is no date of the form YYYY-MM-DD."
        fix = f"wuu notebook verify {file}"
        yield problem("verified_invalid", file, _line_of(document, "verified"), note, fix)
    elif verified is not None and verified > dates.latest:
        note = f"{file} says that it was verified on {verified}, which has not come yet."
        fix = f"wuu notebook verify {file}"
        yield problem("verified_in_future", file, _line_of(document, "verified"), note, fix)


def _stale(topic: Topic, document: Document, dates: Dates) -> Iterator[Problem]:
    file, verified = topic.file, topic.verified
    if dates.stale_days is None or (verified is not None and not is_date(verified)):
        return
    fix = f"Compare it with the facts, then: wuu notebook verify {file}"
    if verified is None:
        yield problem("verified_stale", file, None, f"{file} was never verified.", fix)
        return
    days = _ordinal(dates.today) - _ordinal(verified)
    if days > dates.stale_days:
        note = f"{file} was verified {days:,} days ago, on {verified}; {dates.stale_days:,} are allowed."
        yield problem("verified_stale", file, _line_of(document, "verified"), note, fix)


def _shown(value: str) -> str:
    """Return a value as a message may repeat it: short, printable, without a credential."""
    return repr(redact(value).text[:_SHOWN_CHARACTERS])


def _ordinal(date: str) -> int:
    return dt.date.fromisoformat(date).toordinal()
