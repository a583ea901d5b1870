"""The keys of a memory's file, read tolerantly: what breaks a rule becomes a flaw, and never an exception.

Owns how one file is taken apart, quickly where it looks as wuu writes it, and which of several values of a
key counts. Which keys there are, and what they mean, is the business of `entry`.
"""

import re
from typing import Any, NamedTuple

from wuu.memory.format.stored_json import find_json
from wuu.memory.format.times import find_time, is_date
from wuu.text import document as md
from wuu.text.safety import single_line_problem
from wuu.text.scalars import decode_list, decode_scalar

LINK_PREFIX = "link-"
INVALID, DOUBLE = "entry_invalid", "duplicate_key"
NO_BLOCK = "it has no frontmatter"

_PLAIN_BLOCK = re.compile(r"---\n((?:[a-z_][a-z0-9_-]*: [^\n]*\n)+)---(?:\n|\Z)")
_LINKED = rf"{LINK_PREFIX}([0-9a-f]{{16}})"
_SHARE = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]-?[0-9]{1,3})?"
_QUOTES = ("", '"', "'")
_SURELY_SHORT = 256  # characters, of which none has more than four bytes
_SHOWN = 40


class Value(NamedTuple):
    """A value as it is written: what stands beside the key, and the lines below."""

    raw: str
    rest: str = ""


class Flaw(NamedTuple):
    """A rule that a file breaks: in words, the key that breaks it, and the code that a check gives to it."""

    words: str
    key: str | None = None
    code: str = INVALID

    @property
    def is_missing_block(self) -> bool:
        """Whether it is that there are no keys at all."""
        return self.words == NO_BLOCK


class Parts(NamedTuple):
    """A file taken apart: whether it has a block, the values of each key (the last one counts), the text.

    `doubles` are the keys that have several values.
    """

    has_block: bool
    values: dict[str, tuple[Value, ...]]
    text: str
    doubles: tuple[str, ...] = ()


def parse_parts(text: str) -> Parts:
    """Take the file `text` apart. Keys under `metadata` count like the others, but less (`document`)."""
    return _parse_plain(text) or _parse_any(text)


def parse_text(text: str) -> str:
    """Return the text of the memory whose file is `text`, and nothing else of it."""
    plain = _PLAIN_BLOCK.match(text)
    return clean_text(text[plain.end() :] if plain else md.parse_document(text).body)


def clean_text(text: str) -> str:
    r"""Return `text` as memories have it: `\n` is its only line ending, and stands at neither end."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.strip("\n")


class Fields:
    """The values of one file. Each method reads one key, and adds to `flaws` what it finds wrong with it.

    A key of `known` that has several values is a flaw from the start.
    """

    __slots__ = ("_values", "flaws")

    def __init__(self, parts: Parts, known: tuple[str, ...]) -> None:
        self._values = parts.values
        self.flaws = [
            Flaw(f"the key {key} stands {len(parts.values[key])} times", key, DOUBLE)
            for key in parts.doubles
            if key in known or key.startswith(LINK_PREFIX)
        ]

    def flaw(self, words: str, key: str | None = None, code: str = INVALID) -> None:
        """Note a rule that is broken."""
        self.flaws.append(Flaw(words, key, code))

    def text(self, key: str) -> str | None:
        """Return a value of one line."""
        found = self._text(key)
        if found is not None and (problem := _line_problem(found)):
            self.flaw(f"{key} {problem}", key)
        return found

    def choice(self, key: str, ranked: tuple[str, ...], unknown: str) -> str | None:
        """Return one of `ranked`, written in any case, or None if the key is absent.

        Every other word counts as `unknown`.
        `ranked` begins with what is least privileged: that is what counts where the key stands twice.
        """
        values = self._values.get(key)
        if values is None:
            return None
        if len(values) == 1 and values[0].raw in ranked and not values[0].rest:
            return values[0].raw
        texts = [text for text in map(_text_of, values) if text is not None]
        found = [self._chosen(key, text, ranked, unknown) for text in texts]
        return min(found, key=ranked.index, default=None)

    def flag(self, key: str) -> bool:
        """Return whether the value is true."""
        return self.choice(key, ("false", "true"), "false") == "true"

    def share(self, key: str) -> float | None:
        """Return a number from 0 to 1."""
        value = self._text(key)
        if value is None:
            return None
        if re.fullmatch(_SHARE, value) and (number := float(value)) <= 1:
            return number
        self.flaw(f"{key} is {_shown(value)}, and is a number from 0 to 1", key)
        return None

    def time(self, key: str) -> str | None:
        """Return a time in the canonical form (see `times`)."""
        value = self._text(key)
        if value is None:
            return None
        found = find_time(value)
        if found is None:
            self.flaw(f"{key} is {_shown(value)}, and is a time such as 2026-05-01T07:30:00Z", key)
        return found

    def date(self, key: str) -> str | None:
        """Return a date, `YYYY-MM-DD`."""
        value = self._text(key)
        if value is None or is_date(value):
            return value
        self.flaw(f"{key} is {_shown(value)}, and is a date such as 2026-05-01", key)
        return None

    def list(self, key: str) -> tuple[str, ...]:
        """Return the items of a list in any form, each of them one line."""
        values = self._values.get(key)
        if values is None:
            return ()
        raw, rest = values[-1]
        if raw.startswith("[") and not (rest or raw).rstrip().endswith("]"):
            self.flaw(f"{key} is a list that is not closed", key)
        items = tuple(map(md.on_one_line, decode_list(raw, rest)))
        for problem in filter(None, map(_line_problem, items)):
            self.flaw(f"an item of {key} {problem}", key)
        return items

    def json(self, key: str, kind: type, absent: Any) -> Any:
        """Return a JSON list or object, as `kind` says; `absent` where there is none that can be read."""
        values = self._values.get(key)
        if values is None or not (values[-1].raw + values[-1].rest).strip():
            return absent
        found = find_json("\n".join(values[-1]))
        if isinstance(found, kind):
            return found
        self.flaw(f"{key} is no JSON {'list' if kind is list else 'object'} that can be read", key)
        return absent

    def links(self, kinds: tuple[str, ...], own_id: str) -> tuple[tuple[str, str], ...]:
        """Return the links as (other id, kind), by id."""
        found = []
        for key in sorted([key for key in self._values if key.startswith(LINK_PREFIX)]):
            kind = self._text(key)
            if kind is None:
                continue
            linked = re.fullmatch(_LINKED, key)
            if linked is None or linked[1] == own_id:
                self.flaw(f"{key} names no other memory", key)
            elif kind.lower() in kinds:
                found.append((linked[1], kind.lower()))
            else:
                self.flaw(f"{key} is {_shown(kind)}, and is one of {', '.join(kinds)}", key)
        return tuple(found)

    def _text(self, key: str) -> str | None:
        values = self._values.get(key)
        return None if values is None else _text_of(values[-1])

    def _chosen(self, key: str, text: str, ranked: tuple[str, ...], unknown: str) -> str:
        word = text.strip().lower()
        if word in ranked:
            return word
        self.flaw(f"{key} is {_shown(text)}, and is one of {', '.join(ranked)}", key)
        return unknown


def _parse_plain(text: str) -> Parts | None:
    """Take apart a file as wuu writes it, or return None: the result is always that of `_parse_any`."""
    plain = _PLAIN_BLOCK.match(text)
    if plain is None:
        return None
    values: dict[str, tuple[Value, ...]] = {}
    for line in plain[1].split("\n")[:-1]:
        key, _, raw = line.partition(": ")
        if key in values:
            return None
        values[key] = (Value(raw.strip()),)
    return Parts(True, values, clean_text(text[plain.end() :]))


def _parse_any(text: str) -> Parts:
    document = md.parse_document(text)
    values: dict[str, tuple[Value, ...]] = {}
    for parent in (md.NESTING_KEY, None):
        for field in document.fields:
            if field.parent == parent:
                values[field.key] = (*values.get(field.key, ()), Value(field.raw, field.rest))
    doubles = tuple(key for key in values if len(values[key]) > 1)
    return Parts(document.has_block, values, clean_text(document.body), doubles)


def _text_of(value: Value) -> str | None:
    raw, rest = value
    if not rest and raw.isprintable() and raw[:1] not in _QUOTES:  # the empty value is one of them
        return raw
    return md.on_one_line(decode_scalar(*value)) or None


def _line_problem(value: str) -> str | None:
    is_fine = len(value) <= _SURELY_SHORT and value.isprintable()
    return None if is_fine else single_line_problem(value)


def _shown(value: str) -> str:
    return repr(value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…")
