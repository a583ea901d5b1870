"""Values of frontmatter keys: read tolerantly, written so that our reader and a YAML reader agree.

Owns quoting and nothing about files. YAML is asked only where a value spans lines or is a flow collection,
always for strings, without aliases, without deep nesting, and never for more than `MAX_YAML_CHARACTERS`
(FACTS, "Wuu notebook"; cases O-09, O-11, O-12).
"""

import json
import re
from typing import Any

MAX_NESTING = 32
"""How deep a value may nest; a deeper one is not read as YAML."""

MAX_YAML_CHARACTERS = 8_192
"""How long a value may be to be read as YAML: the worst one of this length takes a third of a second."""

_FLOW = ("[", "{")
_BLOCK = ("|", ">")
_NOT_FIRST = frozenset(",[]{}#&*!|>'\"%@`")
_NOT_FIRST_OF_WORD = frozenset("-?:")
_WORDS_YAML_RETYPES = frozenset(
    {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", ".nan"}
)
# Compiled at first need: most files are read without.
_NUMBER = (
    r"(?i)[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-f_]+|\.inf"
    r"|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:e[-+]?[0-9]+)?"
    r"|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)"
)
_TIME = (
    r"(?i)[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
    r"(?:(?:t| +)[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]*)?)?(?: *(?:z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?"
)
_UNPRINTABLE = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
_BLOCK_ITEM = r"([ \t]*)-(?:[ \t]+(.*))?"


def render_scalar(value: str) -> str:
    """Return `value` as it shall stand behind `key: `, quoted only where a YAML reader would trip."""
    return value if _is_plain(value) else _render_json(value)


def render_list(values: tuple[str, ...]) -> str:
    """Return `values` as JSON on one line, which is YAML as well."""
    return _render_json(list(values))


def decode_scalar(raw: str, rest: str = "") -> str:
    """Return the text of a value, `""` for a list or a mapping.

    `rest` holds its further lines. A value that cannot be read is its own text; half a character becomes
    U+FFFD.
    """
    if not rest.strip():
        return _whole_characters(_unquoted(raw))
    if raw.startswith((*_BLOCK, *_FLOW)) or _has_no_value(raw) or _is_open_quote(raw):
        value = _load_yaml(raw, rest)
        if value is not None:
            return _whole_characters(value.strip()) if isinstance(value, str) else ""
    return " ".join([raw, *rest.split()]).strip()


def decode_list(raw: str, rest: str = "") -> tuple[str, ...]:
    """Return the texts of a list value: JSON, YAML flow or block, or plain text split at commas.

    Items lose white space at their ends; empty ones, lists and mappings are left out.
    """
    items = _items_below(raw, rest) if rest.strip() else _items_beside(raw)
    if items is None:
        items = decode_scalar(raw, rest).split(",")
    texts = (_whole_characters(item.strip()) for item in items if isinstance(item, str))
    return tuple(text for text in texts if text)


def _is_plain(value: str) -> bool:
    if not value or value != value.strip() or value[0] in _NOT_FIRST or re.search(_UNPRINTABLE, value):
        return False
    if value[0] in _NOT_FIRST_OF_WORD and value[1:2] in ("", " "):
        return False
    if ": " in value or " #" in value or value.endswith(":"):
        return False
    is_retyped = (
        value.lower() in _WORDS_YAML_RETYPES or re.fullmatch(_NUMBER, value) or re.fullmatch(_TIME, value)
    )
    return not is_retyped


def _render_json(value: str | list[str]) -> str:
    rendered = json.dumps(value, ensure_ascii=False)
    return re.sub(_UNPRINTABLE, lambda match: f"\\u{ord(match.group()):04x}", rendered)


def _unquoted(raw: str) -> str:
    if len(raw) < 2 or raw[0] != raw[-1] or raw[0] not in "\"'":
        return raw
    inner = raw[1:-1]
    if raw[0] == "'":
        return raw if "'" in inner.replace("''", "") else inner.replace("''", "'")
    try:
        return str(json.loads(raw))
    except ValueError:
        value = _load_yaml(raw, "") if "\\" in inner else None  # YAML knows escapes that JSON does not
    if isinstance(value, str):
        return value
    return raw if '"' in inner.replace('\\"', "") else inner


def _has_no_value(raw: str) -> bool:
    """Tell whether the value stands in the lines below; what is beside the key may be a comment."""
    return not raw or raw.startswith("#")


def _is_open_quote(raw: str) -> bool:
    return raw[:1] in ('"', "'") and (len(raw) < 2 or raw[-1] != raw[0])


def _whole_characters(text: str) -> str:
    """Return `text` with surrogate pairs as one character, and what is left of them as U+FFFD (case O-12)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _items_beside(raw: str) -> list[Any] | None:
    """Return the items of a flow list of one line; one that YAML refuses (`[wip, @dana]`) ends at commas."""
    if not raw.startswith("["):
        return None
    value = _load_json_list(raw)
    if value is None:
        value = _load_yaml(raw, "")
    if isinstance(value, list):
        return value
    return [_unquoted(item.strip()) for item in raw[1:-1].split(",")] if raw.endswith("]") else None


def _items_below(raw: str, rest: str) -> list[Any] | None:
    """Return the items of a list below its key: as text where each has one line, else as YAML reads them."""
    items = _split_block_list(rest) if _has_no_value(raw) else None
    if items is not None and all(len(lines) == 1 for lines in items):
        return [_unquoted(text) for (text,) in items]
    value = _load_yaml(raw, rest)
    if isinstance(value, list):
        return value
    return None if items is None else [" ".join(lines) for lines in items]


def _split_block_list(rest: str) -> list[list[str]] | None:
    """Return the lines of each item, without their dash, or None if it is no list."""
    items: list[list[str]] = []
    dash: str | None = None
    for line in filter(str.strip, rest.split("\n")):
        match = re.fullmatch(_BLOCK_ITEM, line)
        if match is not None and dash in (None, match.group(1)):
            dash = match.group(1)
            items.append([(match.group(2) or "").strip()])
        elif dash is not None and line.startswith((dash + " ", dash + "\t")):
            items[-1].append(line.strip())
        else:
            return None
    return items


def _load_json_list(raw: str) -> list[Any] | None:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None  # `[1, no]` is JSON too, but every item here is the text that stands there
    return value


def _load_yaml(raw: str, rest: str) -> Any:
    """Return what YAML makes of a value when everything is a string, or None if it makes nothing of it."""
    if len(raw) + len(rest) > MAX_YAML_CHARACTERS:
        return None
    from frontmatter.default_handlers import YAMLHandler  # noqa: PLC0415  (3 x bare Python; rarely needed)

    from wuu.text.plain_yaml import YAML_ERRORS, PlainLoader  # noqa: PLC0415

    try:
        return YAMLHandler().load(f"value: {raw}\n{rest}", Loader=PlainLoader)["value"]
    except (*YAML_ERRORS, KeyError, TypeError):
        return None
