"""Credentials that have a name: `reset_token: …`, `"password": "…"`, `--passphrase …`, `<password>…`.

Owns what may stand between a name and its value in settings, code, JSON, markup, commands and prose. What
a name promises is in `secret_names`, where a value ends in `secret_literals`, what it can be in
`secret_values`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from wuu.text.secret_literals import JUDGED, Value, end_of_rest, read_value
from wuu.text.secret_names import FOREIGN_NAMES, kind_of_name
from wuu.text.secret_values import ASSIGNED, LOOSE, QUOTED, SAID, is_credible, is_phrase

# A line break, also as it is written in a string of JSON.
_BREAK = r"(?:\r?\n|(?:\\+r)?\\+n)"
_CLOSE = r"(?P<close>\\*[\"'`])?[\])]?(?:\*\*|__)?"
_SOURCES = {
    # the sign between a name and its value; `password (staging):` has a remark before it
    "sign": rf"{_CLOSE}(?:[ \t]?\([^()\n\"']{{1,30}}\))?(?P<before>[ \t\u3000]{{0,8}})"
    r"(?P<sign>:=|=>|->|[=!]==?|:(?!:)|[=：＝|])(?:\*\*|__)?(?P<after>[ \t\u3000]{0,8})",
    "typed": r"[ \t]?:?[ \t]?[A-Za-z_&*?][\w.&*<>\[\]?| ]{0,40}=[ \t]?(?=\\*[\"'`])",
    "attribute": r"(?i:(?:\\*+[\"'])?(?:[\s,]|\\++[nrt]){0,20}(?:\\*+[\"'])?"
    r"value(?:\\*+[\"'])?[ \t]?[:=][ \t]?)",
    "argument": r"\\*[\"'][ \t]?,[ \t]?(?=\\*[\"'])",
    "next line": r"(?:\\*[\"'])?[ \t]?:[ \t]{0,8}(?:[>|][+-]?)?[ \t]{0,8}"
    rf"{_BREAK}[ \t]{{1,80}}(?:-[ \t]{{1,8}})?(?=\S{{1,{JUDGED}}}?[ \t]{{0,8}}(?:{_BREAK}|\\*\"|$))",
    "said": r"(?i:(?:[ \t](?:for|of|für|de|del|para|du|zum|zur)[ \t][^\n:=.,;\"'`]{1,40}?)?"
    r"(?:[ \t]?(?P<colon>[:：])|[ \t](?:is|ist|lautet|es|est|é)(?=[ \t:])[ \t]?:?)[ \t]?)",
    "foreign": r"[ \t]?(?:[はを是为為는은]|[:：=＝])[ \t]?",
    "call": r"\((?=\\*[\"'`])",
    "space": r"[ \t]{1,4}",
    "element": r"(?:[ \t][^<>\n]{0,80})?>\s{0,80}(?:<!\[CDATA\[)?(?P<value>[^<>\s\"\\\]][^<>\n\"\\\]]{0,500})"
    r"(?=\s{0,80}(?:\\[nrt]|\s){0,20}<|\]\]>)",
    "list": r"\\*[\"']?[ \t]?[:=]"
    rf"(?:\s{{0,8}}\[\s{{0,80}}(?=\\*[\"'])|[ \t]?{_BREAK}[ \t]{{0,80}}-[ \t]{{1,8}})",
    "comma": r"\\*(?P<mark>[\"'])\s{0,80},\s{0,80}(?=\\*(?P=mark))",
    "dash": rf"[\"']?[ \t]?{_BREAK}[ \t]{{0,80}}-[ \t]{{1,8}}",
    "words": r"[ \t]?[:=：]?[ \t\"'`\\]{0,8}(?P<value>[a-z]{3,8}(?:[ \t]{1,3}[a-z]{3,8}){11,23})(?![\w=:])",
    "phrase": r"(?:[ \t]?[:=：][ \t]*|[ \t]+is[ \t]+)"
    r"(?P<value>[a-z]{2,12}(?:[ ][a-z]{2,12}){3,11})(?=\.?[ \t]*(?:[\"'`\\]|\r?\n|\Z))",
    "slug": r"(?:[ \t]{1,4}|=)(?P<value>[a-z]{2,20}(?:-[a-z]{2,20}){2,9})(?![\w-])",
    "line": r"(?:\\[nrt]|[\"'`]|^)[ \t>#*-]*(?:(?:export|set|setx|env|ENV|ARG|local)[ \t]+)?(?:\$env:)?"
    r"[\w.-]*$",
}


def find_pairs(text: str, folded: bytes, names: Iterable[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each credential that follows one of the `names`, given by their offsets.

    `folded` is `text` in lower case, one byte a character.
    """
    done = listed = 0
    for start, end in names:
        if folded[end - 1] == 115 and start >= listed:  # 115: `s`, a plural
            values, listed = _find_listed(text, folded, start, end)
            yield from values
        if end > done:
            for found in _find_after(text, folded, start, end):
                done = found[2]
                yield found


def _find_after(text: str, folded: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the credential behind one name, if it is one."""
    kind = _kind_of(text, folded, start, end)
    if kind == "mnemonic":
        value = _matched("words", text, end, QUOTED)
    elif kind == "password" and folded.endswith(b"passphrase", start, end):
        value = _after_passphrase(text, start, end) or _find_value(text, start, end, kind)
    else:
        value = _find_value(text, start, end, kind) if kind else None
    if kind and value and _is_credible(text, start, end, kind, value):
        yield ("password" if kind == "mnemonic" else kind), value.start, end_of_rest(text, value)


def _find_listed(text: str, folded: bytes, start: int, end: int) -> tuple[list[tuple[str, int, int]], int]:
    """Return the credentials in the list behind a name, `["…", "…"]` or lines with `-`, and where it ends."""
    kind = _kind_of(text, folded, start, end - 1)
    found = _pattern("list").match(text, end) if kind else None
    separator = "comma" if found and "[" in found.group() else "dash"
    values, at = [], end
    while kind and found and (value := read_value(text, found.end(), LOOSE)):
        at = value.end
        if is_credible(kind, text[value.start : at], LOOSE):
            values.append((kind, value.start, at))
        found = _pattern(separator).match(text, at)
        if found and separator == "comma" and found["mark"] != text[value.start - 1]:
            break
    return values, at


def _is_credible(text: str, start: int, end: int, kind: str, value: Value) -> bool:
    said = text[value.start : value.end]
    if text[start:end].lower().endswith(said.lower()):
        return False  # `login(password=password)`
    is_argument = value.context == ASSIGNED and text[value.end : value.end + 1] in (",", ")")
    return is_credible(kind, said, LOOSE if is_argument and text[start] != "-" else value.context)


def _kind_of(text: str, folded: bytes, start: int, end: int) -> str | None:
    name = text[start:end]
    if not name[0].isascii():
        return FOREIGN_NAMES.get(name.lower())
    loud = not any(map(str.islower, name))
    return kind_of_name(folded[start:end], folded[max(0, start - 40) : start], loud=loud)


def _find_value(text: str, start: int, end: int, kind: str) -> Value | None:
    """Return the value that belongs to the name in `text[start:end]`, in the first form that fits."""
    return (
        _after_element(text, start, end)
        or _after_sign(text, start, end)
        or _after_string(text, start, end)
        or _after_words(text, start, end, kind)
    )


def _after_passphrase(text: str, start: int, end: int) -> Value | None:
    """Return a pass phrase of plain words: they would be none behind a name that promises less."""
    phrase = _matched("phrase", text, end, QUOTED)
    if phrase or not text.startswith("--", start):
        return phrase
    slug = _matched("slug", text, end, ASSIGNED)
    return slug if slug and is_phrase(text[slug.start : slug.end].split("-")) else None


def _matched(form: str, text: str, at: int, context: int) -> Value | None:
    found = _pattern(form).match(text, at)
    return Value(found.start("value"), found.end("value"), context) if found else None


def _after_element(text: str, start: int, end: int) -> Value | None:
    opening = text.rfind("<", max(0, start - 24), start)
    prefix = text[opening + 1 : start].replace(":", "") if opening >= 0 else "no element"
    if prefix and not prefix.isidentifier():
        return None
    found = _pattern("element").match(text, end)
    if not found:
        return None
    return Value(found.start("value"), found.start("value") + len(found["value"].rstrip()), QUOTED)


def _after_sign(text: str, start: int, end: int) -> Value | None:
    if typed := _pattern("typed").match(text, end):
        return read_value(text, typed.end(), QUOTED)
    found = _pattern("sign").match(text, end)
    if not found:
        return None
    if found["sign"] == "|" and ("|" not in text[max(0, start - 8) : start] or not found["after"]):
        return None  # no cell of a table
    is_tight = found["sign"] == "=" and not found["before"] and not found["after"]
    is_line = is_tight and _is_line(text, start, end)
    context = ASSIGNED if is_line or _is_assigned(text, start, found, is_tight=is_tight) else LOOSE
    return read_value(text, found.end(), context, wide=is_line, opener=found["close"])


def _after_string(text: str, start: int, end: int) -> Value | None:
    """Return the value of `name="…" value="…"`, of `set("name", "…")`, or on the line below `name:`."""
    if found := _pattern("attribute").match(text, end):
        return read_value(text, found.end(), ASSIGNED, opener='"')
    before = text[max(0, start - 16) : start].rstrip("\"'").rstrip("\\")
    if before.endswith("(") and (found := _pattern("argument").match(text, end)):
        value = read_value(text, found.end(), LOOSE)
        return value._replace(context=LOOSE) if value else None
    found = _pattern("next line").match(text, end)
    return read_value(text, found.end(), LOOSE) if found else None


def _after_words(text: str, start: int, end: int, kind: str) -> Value | None:
    is_variable = text[max(0, start - 5) : start].lower().endswith(("setx ", "env "))
    if (text[start] == "-" or is_variable) and (found := _pattern("space").match(text, end)):
        return read_value(text, found.end(), SAID)
    if not text[start].isascii() and (found := _pattern("foreign").match(text, end)):
        return read_value(text, found.end(), LOOSE)
    if found := _pattern("said").match(text, end):
        return read_value(text, found.end(), LOOSE if found["colon"] else SAID)
    if found := _pattern("call").match(text, end):
        value = read_value(text, found.end(), LOOSE)
        return value._replace(context=LOOSE) if value else None
    found = _pattern("space").match(text, end)
    if kind == "password" and found and text[found.end() : found.end() + 1] in ('"', "'"):
        return read_value(text, found.end(), LOOSE)
    return None


def _is_assigned(text: str, start: int, sign: re.Match[str], *, is_tight: bool) -> bool:
    """Say whether a sign assigns: a number of JSON, a query, a connection string, a flag."""
    if sign["close"] and sign["sign"] == ":":
        return text[sign.end() : sign.end() + 4].isdigit()
    return is_tight and (text[max(0, start - 1) : start] in ("?", "&", ";") or text[start] == "-")


def _is_line(text: str, start: int, end: int) -> bool:
    """Say whether a name is that of a variable: in capitals, or the first of its line or string."""
    if text[start:end].isupper():
        return True
    line = text[max(0, start - 40) : start].rpartition("\n")[2]
    return _pattern("line").search(line) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_SOURCES[name])
