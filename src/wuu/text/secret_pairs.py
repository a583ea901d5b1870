"""Credentials that have a name: `reset_token: …`, `"password": "…"`, `--passphrase …`, `<password>…`.

Owns how names and values are written next to each other in settings, code, JSON (also inside a JSON string),
markup, commands and prose. What a name promises is in `secret_names`, what a value can be in `secret_values`.
A value never reaches beyond the string literal that it began in, so that taking it out leaves JSON valid.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from wuu.text.secret_names import kind_of_name
from wuu.text.secret_values import ASSIGNED, LOOSE, QUOTED, SAID, is_credible

LONGEST_VALUE = 8192
"""Characters of a value in quotation marks that are looked at."""

# Beyond ASCII names are found as they are written.
FOREIGN_NAMES = {
    "密码": "password",
    "密碼": "password",
    "口令": "password",
    "パスワード": "password",
    "暗証番号": "password",
    "비밀번호": "password",
    "암호": "password",
    "пароль": "password",
    "Пароль": "password",
    "contraseña": "password",
    "Contraseña": "password",
    "CONTRASEÑA": "password",
    "密钥": "key",
    "密鑰": "key",
    "令牌": "token",
    "トークン": "token",
    "토큰": "token",
}

_NO_LETTER = r"(?:\\u00(?:[01]|2[0267]|3[cCeE]))"
_ESCAPED = rf"(?!{_NO_LETTER})\\u[0-9a-fA-F]{{4}}|\\/|\\(?![\\\s\"'/nrtbfu])"
_NEXT_PAIR = r"[&;,](?!(?:quot|apos|amp|lt|gt|nbsp|#x?\w{1,5});?|[\w .\"'-]{1,40}[=:])"
_OPEN = r"[^\s\"'`<>|\\,;&(){}\[\]\u2000-\ufffe]"
_BARE = rf"(?:{_OPEN}|{_ESCAPED}|{_NEXT_PAIR})+"
_WIDE = rf"(?:{_OPEN}|{_ESCAPED}|{_NEXT_PAIR}|[(){{}}|\[\]<](?![/A-Za-z]*>))+"
_CLOSE = r"(?P<close>\\*[\"'`])?[\])]?(?:\*\*|__)?"
_SOURCES = {
    # the sign between a name and its value; `password (staging):` has a remark before it
    "sign": rf"{_CLOSE}(?:[ \t]?\([^()\n\"']{{1,30}}\))?(?P<before>[ \t\u3000]{{0,8}})"
    r"(?P<sign>:=|=>|->|[=!]==?|:(?!:)|[=：＝|])(?:\*\*|__)?(?P<after>[ \t\u3000]{0,8})",
    "typed": r"[ \t]?:?[ \t]?[A-Za-z_&*?][\w.&*<>\[\]?| ]{0,40}=[ \t]?(?=\\*[\"'`])",
    "attribute": r"\\*[\"']?[\s,]{0,20}\\*[\"']?value\\*[\"']?[ \t]?[:=][ \t]?",
    "argument": r"\\*[\"'][ \t]?,[ \t]?(?=\\*[\"'])",
    "said": r"(?:[ \t](?:for|of|für|de|del|para|du|zum|zur)[ \t][^\n:=.,;\"'`]{1,40}?)?"
    r"(?:[ \t]?(?P<colon>[:：])|[ \t](?:is|ist|lautet|es|est|é)(?=[ \t:])[ \t]?:?)[ \t]?",
    "foreign": r"[ \t]?(?:[はを是为為는은]|[:：=＝])[ \t]?",
    "call": r"\((?=[\"'`])",
    "space": r"[ \t]{1,4}",
    "element": r"(?:[ \t][^<>\n]{0,80})?>\s{0,80}(?:<!\[CDATA\[)?(?P<value>[^<>\n\"\\\]]{1,500})"
    r"(?=\s*(?:\\[nrt])*\s*<|\]\]>)",
    "next line": r"(?P<close>\\*[\"'])?[ \t]?:[ \t]*(?:[>|][+-]?)?[ \t]*\r?\n[ \t]+(?:-[ \t]+)?(?=\S+[ \t]*(?:\r?\n|$))",
    "list": r"\\*[\"']?[ \t]?[:=](?:\s{0,8}\[\s{0,80}(?=\\*[\"'])|[ \t]?\r?\n[ \t]*-[ \t]+)",
    "comma": r"\\*[\"']\s{0,80},\s{0,80}(?=\\*[\"'])",
    "dash": r"[\"']?[ \t]?\r?\n[ \t]*-[ \t]+",
    "quote": r"[bBrRuUfF]{0,2}(?P<quote>\\*[\"'`])",
    "pair of quotes": r"“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|‘[^’\n]*’",
    "scheme": r"(?:base64:|(?:bearer|token|basic)[ \t]+)",
    "default": r"\$\{\w+:?[-=](?P<value>[^{}\"'\\]+)\}",
    "bare": _BARE,
    "wide": _WIDE,
    "line": r"(?:\\[nrt]|[\"'`]|^)[ \t>#*-]*(?:(?:export|set|setx|env|ENV|ARG|local)[ \t]+)?(?:\$env:)?[\w.-]*$",
}


class _Value(NamedTuple):
    start: int
    end: int
    context: int


def find_pairs(text: str, folded: bytes, names: Iterable[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each credential that follows one of the `names` (their offsets)."""
    done = 0
    for start, end in names:
        if start < done:
            continue
        if folded[end - 1 : end] == b"s" and (kind := _kind_of(text, folded, start, end - 1)):
            for place in _find_listed(text, end, kind):
                yield kind, *place
                done = place[1]
        kind = _kind_of(text, folded, start, end)
        value = _find_value(text, start, end, kind) if kind else None
        if kind and value and _is_credible(text, start, end, kind, value):
            done = value.end
            yield ("password" if kind == "mnemonic" else kind), value.start, value.end


def _find_listed(text: str, at: int, kind: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each credential in the list that follows a name: `["…", "…"]`, or lines with `-`."""
    found = _pattern("list").match(text, at)
    dashes = found is not None and "[" not in found.group()
    while found:
        value = _read_value(text, found.end(), LOOSE, kind)
        if value is None:
            return
        if is_credible(kind, text[value.start : value.end], LOOSE):
            yield value.start, value.end
        found = _pattern("dash" if dashes else "comma").match(text, value.end)


def _is_credible(text: str, start: int, end: int, kind: str, value: _Value) -> bool:
    said = text[value.start : value.end]
    if text[start:end].lower().endswith(said.lower()):
        return False
    as_argument = (
        value.context == ASSIGNED and text[value.end : value.end + 1] in (",", ")") and text[start] != "-"
    )
    return is_credible(kind, said, LOOSE if as_argument else value.context)


def _kind_of(text: str, folded: bytes, start: int, end: int) -> str | None:
    if not text[start].isascii() or not text[end - 1].isascii() or "ñ" in text[start:end]:
        return FOREIGN_NAMES.get(text[start:end])
    name = text[start:end]
    loud = not any(map(str.islower, name))
    return kind_of_name(folded[start:end], folded[max(0, start - 40) : start], loud=loud)


def _find_value(text: str, start: int, end: int, kind: str) -> _Value | None:
    """Return the value that belongs to the name in `text[start:end]`, in the first form that fits."""
    return (
        _after_element(text, start, end)
        or _after_sign(text, start, end, kind)
        or _after_words(text, start, end, kind)
    )


def _after_element(text: str, start: int, end: int) -> _Value | None:
    opening = text.rfind("<", max(0, start - 24), start)
    if opening < 0 or not text[opening + 1 : start].replace(":", "").isidentifier() and opening + 1 != start:
        return None
    found = _pattern("element").match(text, end)
    return _stripped(text, found.start("value"), found.end(), QUOTED) if found else None


def _after_sign(text: str, start: int, end: int, kind: str) -> _Value | None:
    if typed := _pattern("typed").match(text, end):
        return _read_value(text, typed.end(), QUOTED, kind)
    found = _pattern("sign").match(text, end)
    if found:
        if found["sign"] == "|" and ("|" not in text[max(0, start - 8) : start] or not found["after"]):
            return None
        context = _context(text, start, found)
        value = _read_value(
            text, found.end(), context, kind, wide=context == ASSIGNED and _is_line(text, start)
        )
        if value:
            return None if _is_end_of_string(text, found, value) else value
    for form, context in (("attribute", ASSIGNED), ("argument", LOOSE), ("next line", LOOSE)):
        found = _pattern(form).match(text, end)
        if found:
            value = _read_value(text, found.end(), context, kind)
            return value._replace(context=LOOSE) if value and form == "argument" else value
    return None


def _after_words(text: str, start: int, end: int, kind: str) -> _Value | None:
    variable = text[max(0, start - 5) : start].lower().endswith(("setx ", "env "))
    if (text[start] == "-" or variable) and (found := _pattern("space").match(text, end)):
        return _read_value(text, found.end(), SAID, kind)
    if not text[start].isascii() and (found := _pattern("foreign").match(text, end)):
        return _read_value(text, found.end(), LOOSE, kind)
    found = _pattern("said").match(text, end)
    if found:
        return _read_value(text, found.end(), LOOSE if found["colon"] else SAID, kind)
    for form in ("call", "space"):
        found = _pattern(form).match(text, end)
        if found and _pattern("quote").match(text, found.end()) and (form == "call" or kind == "password"):
            value = _read_value(text, found.end(), LOOSE, kind)
            return value._replace(context=LOOSE) if value and form == "call" else value
    return None


def _context(text: str, start: int, sign: re.Match[str]) -> int:
    if sign["close"] and sign["sign"] == ":":
        return ASSIGNED if text[sign.end() : sign.end() + 4].isdigit() else LOOSE
    tight = sign["sign"] == "=" and not sign["before"] and not sign["after"]
    if tight and (text[max(0, start - 1) : start] in ("?", "&", ";") or text[start] == "-"):
        return ASSIGNED
    return ASSIGNED if tight and _is_line(text, start) else LOOSE


def _is_line(text: str, start: int) -> bool:
    """Say whether a name is that of a variable: in capitals, or the first of its line or string."""
    name = text[start : start + 64].split("=")[0]
    if name.isupper():
        return True
    line = text[max(0, start - 40) : start].rpartition("\n")[2]
    return _pattern("line").search(line) is not None


def _is_end_of_string(text: str, sign: re.Match[str], value: _Value) -> bool:
    """Say whether the mark after `name:` closed a string instead of opening the value."""
    opened = value.context == QUOTED and text[value.start - 1] == '"' and not sign["close"]
    return opened and text[value.start] in ",:}] \t\r\n"


def _read_value(text: str, at: int, context: int, kind: str, *, wide: bool = False) -> _Value | None:
    if found := _pattern("pair of quotes").match(text, at):
        return _unwrapped(text, at + 1, found.end() - 1, QUOTED)
    found = _pattern("quote").match(text, at)
    if found:
        if text[at : at + 3] in ('"""', "'''"):
            found = _pattern("quote").match(text, at + 2) or found
        end = _end_of_quoted(text, found.end(), found["quote"])
        if end is not None:
            return _unwrapped(text, found.end(), end, QUOTED)
        at = found.end()
    if kind == "mnemonic":
        end = min(text.find("\n", at) % (len(text) + 1), at + LONGEST_VALUE)
        return _stripped(text, at, end, QUOTED)
    return _read_bare(text, at, context, wide=wide)


def _read_bare(text: str, at: int, context: int, *, wide: bool) -> _Value | None:
    scheme = _pattern("scheme").match(text, at)
    at = scheme.end() if scheme else at
    found = _pattern("wide" if wide else "bare").match(text, at)
    if not found:
        return None
    end = at + len(found.group().rstrip(".,;:*"))
    if text[end : end + 1] in ("(", "[") and not wide:
        return None
    for opening, closing in ("()", "[]", "{}"):
        if text[end - 1 : end] == closing and opening not in text[at:end]:
            end -= 1
    return _unwrapped(text, at, end, context)


def _end_of_quoted(text: str, start: int, quote: str) -> int | None:
    """Return where a string ends that began with `quote`, which has one backslash per level it is nested."""
    level, mark, at = len(quote), quote[-1], start
    limit = min(len(text), start + LONGEST_VALUE)
    stop = text.find("\n", start, limit)
    limit = limit if stop < 0 else stop
    while (at := text.find(mark, at, limit)) >= 0:
        slashes = at - len(text[start:at].rstrip("\\")) - start
        if slashes < level - 1 or slashes % (2 * level) == level - 1:
            closed = at - min(slashes, level - 1) if level > 1 else at
            return _before_outer_end(text, start, closed) if mark != '"' else closed
        at += 1
    return None


def _before_outer_end(text: str, start: int, end: int) -> int | None:
    """Return `end`, or None if a string around this one, in other marks, ends before it."""
    at = start
    while (at := text.find('"', at, end)) >= 0:
        if text[at + 1 : at + 2] in ("", *",:}] \t\r\n"):
            return None
        at += 1
    return end


def _unwrapped(text: str, start: int, end: int, context: int) -> _Value | None:
    """Take off what is no part of the credential: `base64:`, `Bearer`, `${NAME:-…}`."""
    found = _pattern("default").fullmatch(text, start, end)
    if found:
        return _Value(found.start("value"), found.end("value"), ASSIGNED)
    scheme = _pattern("scheme").match(text, start, end)
    start = scheme.end() if scheme else start
    return _Value(start, end, context) if start < end else None


def _stripped(text: str, start: int, end: int, context: int) -> _Value | None:
    value = text[start:end]
    start += len(value) - len(value.lstrip())
    end = start + len(value.strip())
    return _Value(start, end, context) if start < end else None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_SOURCES[name], re.IGNORECASE if name in ("scheme", "attribute", "said") else 0)
