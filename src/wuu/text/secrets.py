"""Credentials in any text: where they are, and the text without them.

Owns the decision which rules a text needs, and the replacement. Cheap needles decide first, on one lower-case
copy; the rules (`secret_prefixes`, `secret_pairs`, `secret_headers`, `secret_blocks`) are imported and their
patterns compiled only where a needle was found. Call it on whole texts, before anything is cut: a credential
without its beginning is not recognised. What it cannot know is in docs/explanation/secrets.md. It never says,
logs or stores what a credential is.
"""

from collections.abc import Iterator
from typing import NamedTuple


class Secret(NamedTuple):
    """Where a credential stands: `text[start:end]`, in characters, without what surrounds it."""

    kind: str
    start: int
    end: int


class Redacted(NamedTuple):
    """A text without its credentials, and what was found; the offsets are those of the original text."""

    text: str
    found: tuple[Secret, ...]


_MARKER = "[REDACTED:"
_MASK = "\uffff"
_PLAIN = b"abcdefghijklmnopqrstuvwxyz0123456789_-."
_NAME_SHAPE = bytes(119 if code in _PLAIN else 32 for code in range(256))
_WORD_SHAPE = bytes(119 if code in _PLAIN + b"+/=$" else 32 for code in range(256))
_LONG = b"w" * 20
_DIGITS = b"0123456789"
_HEX = b"0123456789abcdef-"

# What the names that promise a credential have in them; `pass` is in passphrase and Passwort, too.
_STEMS = (
    *(b"token", b"secret", b"pass", b"key", b"pw", b"psk", b"auth", b"cred", b"phrase", b"_pat"),
    *(b"kennwort", b"contrase", b"clave", b"senha"),
)
# What the rules of `secret_headers` need: always one of these, or one of those after a stem or a sign.
_LINES = (b"bearer ", b"basic ", b"identified", b"curl ", b" -p", b"hook", b":5432:")
_AFTER_STEM = {
    b"auth": (b"authorization",),
    b"pass": (b"pass:", b"sshpass", b"requirepass", b"login ", b":*:"),
    b"key": (b"key=", b"/key/"),
}
_ASSIGNED = (b"sig=", b"ature=", b"response=", b"cookie")
# The first bytes of Cyrillic, Chinese, Japanese and Korean in UTF-8; all others go.
_NOT_FOREIGN = bytes(code for code in range(256) if code not in (0xD0, 0xD1, *range(0xE3, 0xEE)))
_QUOTES = b"\"'`\\])*_ \t"
_SAYS = (
    *(
        b"is ",
        b"ist ",
        b"lautet ",
        b"es ",
        b"est ",
        b"? ",
        b"for ",
        b"of ",
        b"f?r ",
        b"de ",
        b"del ",
        b"zum ",
    ),
    *(b"zur ", b"para ", b"du "),
)


def redact(text: str, known: str = "") -> Redacted:
    """Return `text` with each credential replaced by `[REDACTED:<kind>]` (FACTS; cases O-29, O-30).

    What is redacted once holds nothing to redact. JSON stays JSON: a number becomes a string. A credential
    that `known` holds as well is left as it is, and not found.
    """
    found = find_secrets(text)
    if known:
        found = tuple(one for one in found if text[one.start : one.end] not in known)
    if not found:
        return Redacted(text, ())
    pieces, at = [], 0
    for kind, start, end in found:
        quote = _quote_for(text, start, end)
        pieces += [text[at:start], quote, _MARKER, kind, "]", quote]
        at = end
    return Redacted("".join([*pieces, text[at:]]), found)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the credentials in `text`, in order; none overlaps another. Takes time linear in its length."""
    masked = _without_markers(text) if _MARKER in text else text
    return _find_in_escaped(masked) if "\\u" in masked else _find_in_plain(masked)


def _find_in_escaped(text: str) -> tuple[Secret, ...]:
    from wuu.text.secret_escapes import unescape  # noqa: PLC0415 -- only where it is needed

    plain = unescape(text)
    return tuple(
        Secret(one.kind, plain.original(one.start), plain.original(one.end))
        for one in _find_in_plain(plain.text)
    )


def _find_in_plain(masked: str) -> tuple[Secret, ...]:
    folded = masked.encode("ascii", "replace").lower()
    stems = [stem for stem in _STEMS if stem in folded]
    found = [*_find_unnamed(masked, folded, stems), *_find_named(masked, folded, stems)]
    return _without_overlap(sorted(found, key=lambda one: (one[1], -one[2]))) if found else ()


def _find_named(text: str, folded: bytes, stems: list[bytes]) -> Iterator[tuple[str, int, int]]:
    names = _names(text, folded, stems) if stems else set()
    if not text.isascii() and text.encode("utf-8", "surrogatepass").translate(None, _NOT_FOREIGN):
        names.update(_foreign_names(text))
    if names:
        from wuu.text.secret_pairs import find_pairs  # noqa: PLC0415

        yield from find_pairs(text, folded, sorted(names))


def _find_unnamed(text: str, folded: bytes, stems: list[bytes]) -> Iterator[tuple[str, int, int]]:
    if words := _long_words(text, folded):
        from wuu.text.secret_prefixes import find_prefixed  # noqa: PLC0415

        yield from find_prefixed(text, folded, words)
    if b"key" in stems and b"private" in folded and (b"private key" in folded or b"private-lines" in folded):
        from wuu.text.secret_blocks import find_blocks  # noqa: PLC0415

        yield from find_blocks(text, folded)
    if _needs_line_rules(folded, stems):
        from wuu.text.secret_headers import find_in_lines  # noqa: PLC0415

        yield from find_in_lines(text, folded)


def _needs_line_rules(folded: bytes, stems: list[bytes]) -> bool:
    needles = [*_LINES, *(_ASSIGNED if b"=" in folded else ())]
    for stem in stems:
        needles += _AFTER_STEM.get(stem, ())
    if any([needle in folded for needle in needles]):  # noqa: C419 -- a list is faster than a generator
        return True
    return b"@" in folded and (b"://" in folded or b":\\/\\/" in folded)


def _long_words(text: str, folded: bytes) -> list[bytes]:
    """Return the long words but slugs, paths, hashes and UUIDs."""
    words = []
    shape = folded.translate(_WORD_SHAPE)
    at = shape.find(_LONG)
    while at >= 0:
        end = shape.find(b" ", at)
        end = len(shape) if end < 0 else end
        word = folded[at:end]
        if word.strip(_HEX) and _may_be_key(word, text[at:end]):
            words.append(word)
        at = shape.find(_LONG, end)
    return words


def _may_be_key(word: bytes, written: str) -> bool:
    has_digit, has_capital = len(word.translate(None, _DIGITS)) < len(word), not written.islower()
    return has_digit and has_capital if b"/" in word else has_digit or has_capital


def _names(text: str, folded: bytes, stems: list[bytes]) -> set[tuple[int, int]]:
    """Return the places of the names that a value may follow."""
    found = set()
    shape = folded.translate(_NAME_SHAPE)
    for stem in stems:
        at = folded.find(stem)
        while at >= 0:
            start, end = _whole_word(folded, shape, at, len(stem))
            if _may_lead_to_value(text, folded, start, end):
                found.add((start, end))
            at = folded.find(stem, max(end, at + len(stem)))
    return found


def _whole_word(folded: bytes, shape: bytes, at: int, length: int) -> tuple[int, int]:
    """Return the bounds of the name around a stem, at most 64 characters to either side."""
    start = shape.rfind(b" ", max(0, at - 64), at) + 1 or max(0, at - 64)
    end = shape.find(b" ", at + length, at + 64)
    end = min(at + 64, len(shape)) if end < 0 else end
    if folded[end : end + 2] == b"?a" and folded.startswith(b"contrase", end - 8):
        end += 2
    if start and folded[start - 1] == 92 and folded[start] in b"nrt":  # a backslash: `\n` and the name
        start += 1
    return start, end - len(folded[start:end]) + len(folded[start:end].rstrip(b".-"))


def _may_lead_to_value(text: str, folded: bytes, start: int, end: int) -> bool:
    """Look quickly and overlook nothing: most words of prose pass before any rule is imported."""
    after = folded[end : end + 48]
    rest = after.lstrip(_QUOTES)
    if rest[:1] in (b":", b"=", b"|", b">") or rest[:2] in (b"->", b"!=") or rest.startswith(_SAYS):
        return True
    if rest[:1] == b"?" and text[end + len(after) - len(rest)] != "?":
        return True
    if after[:1] in (b" ", b"\t") and (after[1:2] in (b'"', b"'") or folded[start] == 45):  # 45: a hyphen
        return True
    if after[:1] == b"(":
        return after[1:].lstrip(b"\\")[:1] in (b'"', b"'", b"`")
    if after[:1] == b" " and folded[max(0, start - 5) : start].endswith((b"setx ", b"env ")):
        return True
    if rest[:1] == b"," and rest[1:].lstrip(b" \\")[:1] in (b'"', b"'"):
        return True
    return b"):" in after or b"value" in after


def _foreign_names(text: str) -> Iterator[tuple[int, int]]:
    from wuu.text.secret_names import FOREIGN_NAMES  # noqa: PLC0415 -- only texts beyond ASCII

    for name in (*FOREIGN_NAMES, "Пароль"):
        at = text.find(name)
        while at >= 0:
            yield at, at + len(name)
            at = text.find(name, at + len(name))


def _without_markers(text: str) -> str:
    import re  # noqa: PLC0415

    return re.sub(r"\[REDACTED:[a-z0-9-]{1,40}\]", lambda found: _MASK * len(found.group()), text)


def _without_overlap(found: list[tuple[str, int, int]]) -> tuple[Secret, ...]:
    kept: list[Secret] = []
    for kind, start, end in found:
        if kept and start < kept[-1].end:
            kept[-1] = kept[-1]._replace(end=max(end, kept[-1].end))
        else:
            kept.append(Secret(kind, start, end))
    return tuple(kept)


def _quote_for(text: str, start: int, end: int) -> str:
    r"""Return the mark that a number of JSON needs around its marker: `"`, or `\"` inside a string."""
    if not text[start:end].replace(".", "").replace("-", "").replace("+", "").isalnum():
        return ""
    before = text[max(0, start - 40) : start].rstrip()
    if not before.endswith(":") or not text[start:end].lstrip("-")[:1].isdigit():
        return ""
    name = before[:-1].rstrip()
    if not name.endswith('"'):
        return ""
    return name[len(name[:-1].rstrip("\\")) :]
