"""Values of frontmatter keys: read tolerantly, written so that our reader and a YAML reader agree.

Owns quoting and nothing about files. YAML is asked only where a value spans lines or is a flow collection, always
for strings, without aliases and without deep nesting (FACTS, "Wuu notebook"; cases O-09, O-11, O-12).
"""

import json
import re
from typing import Any

MAX_NESTING = 32
_FLOW = ("[", "{")
_BLOCK = ("|", ">")
_SPECIAL_START = frozenset("-?:,[]{}#&*!|>'\"%@`=~")
_WORDS_YAML_RETYPES = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_NUMBER_OR_TIME = re.compile(r"[-+]?\.?\d[\d_.:eExoXaAbBcCdDfF+\-TtZz ]*|[-+]?\.(?:inf|nan)", re.IGNORECASE)
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def render_scalar(value: str) -> str:
    """Return `value` as it shall stand behind `key: `, quoted only where a YAML reader would trip."""
    if _is_plain(value):
        return value
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(value, ensure_ascii=False))


def render_list(values: tuple[str, ...]) -> str:
    """Return `values` as JSON on one line, which is YAML as well."""
    return json.dumps(list(values), ensure_ascii=False)


def decode_scalar(raw: str, rest: str = "") -> str:
    """Return the text of a value; `rest` holds its further lines. A value that cannot be read is its own text."""
    if rest.strip() and (not raw or raw.startswith((*_BLOCK, *_FLOW)) or _is_open_quote(raw)):
        value = _load_yaml(raw, rest)
        return value.strip() if isinstance(value, str) else ""
    if rest.strip():
        return " ".join([raw, *rest.split()])
    return _unquoted(raw)


def decode_list(raw: str, rest: str = "") -> tuple[str, ...]:
    """Return the texts of a list value: JSON, YAML flow or block, or plain text split at commas."""
    if raw.startswith("[") or rest.strip():
        value = _load_json_list(raw, rest)
        if value is None:
            value = _load_yaml(raw, rest)
        if isinstance(value, list):
            return tuple(text for item in value if isinstance(item, str) and (text := item.strip()))
    parts = decode_scalar(raw, rest).split(",")
    return tuple(text for part in parts if (text := part.strip()))


def _is_plain(value: str) -> bool:
    if not value or value != value.strip() or value[0] in _SPECIAL_START or _UNPRINTABLE.search(value):
        return False
    if ": " in value or " #" in value or ":\t" in value or "\t#" in value or value.endswith(":"):
        return False
    return value.lower() not in _WORDS_YAML_RETYPES and not _NUMBER_OR_TIME.fullmatch(value)


def _unquoted(raw: str) -> str:
    if len(raw) < 2 or raw[0] != raw[-1] or raw[0] not in "\"'":
        return raw
    if raw[0] == "'":
        inner = raw[1:-1].replace("''", "\0")
        return raw if "'" in inner else inner.replace("\0", "'")
    try:
        return str(json.loads(raw))
    except ValueError:
        return raw if _has_bare_quote(raw[1:-1]) else raw[1:-1]


def _has_bare_quote(inner: str) -> bool:
    return '"' in inner.replace('\\"', "")


def _is_open_quote(raw: str) -> bool:
    return raw[:1] in ('"', "'") and (len(raw) < 2 or raw[-1] != raw[0])


def _load_json_list(raw: str, rest: str) -> list[Any] | None:
    if rest.strip():
        return None
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None  # `[1, no]` is JSON too, but every item here is the text that stands there
    return value


def _load_yaml(raw: str, rest: str) -> Any:
    """Return what YAML makes of a value when everything is a string, or None if it makes nothing of it."""
    if max(raw.count(mark) + rest.count(mark) for mark in "[{") > MAX_NESTING:
        return None
    from frontmatter.default_handlers import YAMLHandler  # noqa: PLC0415  (3 x bare Python; rarely needed)

    from wuu.text.plain_yaml import YAML_ERRORS, PlainLoader  # noqa: PLC0415

    try:
        return YAMLHandler().load(f"value: {raw}\n{rest}", Loader=PlainLoader)["value"]
    except (*YAML_ERRORS, KeyError, TypeError):
        return None
