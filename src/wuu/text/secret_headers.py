"""Credentials in headers, in cookies, in addresses and on the command lines of well-known programs.

Owns what each of these looks like. Every pattern is tried only where its needle was seen, and reads a bounded
stretch of text from there.
"""

import re
from collections.abc import Iterator
from functools import cache

from wuu.text.secret_values import ASSIGNED, LOOSE, QUOTED, SAID, is_credible, is_stand_in

_VALUE = r"(?:[A-Za-z0-9._~+/=-]|\\/|%[0-9A-Fa-f]{2})"
_WORD = r"(?:[^\s\"'`\\|;&<>]|[;&](?=[^\s\"'`\\|;&<>]))"
_ARGUMENT = rf"[\"']?(?P<value>(?![,:}}\]]){_WORD}+)"
_GAP = r"(?:\s|\\+[nrt])+"
_SCHEME = r"(?:[A-Za-z][\w-]{1,20}[ \t]+)?"
_LINE = r"(?:[^\n|;&\"\\]|\"[^\"\n\\]{0,100}\"){0,200}?"

# needle, kind, pattern from the needle on, how the value is written
_RULES: tuple[tuple[bytes, str, str, int], ...] = (
    (b"bearer", "bearer-token", rf"bearer[ \t]+(?:\\*[\"'])?(?P<value>{_VALUE}{{8,}})", SAID),
    (
        b"authorization",
        "authorization",
        rf"authorization\\*[\"']?\]?[ \t]*[:=][ \t]*[fb]?\\*[\"'`]?{_SCHEME}(?P<value>{_VALUE}{{6,}})",
        ASSIGNED,
    ),
    (
        b"hooks.slack",
        "webhook",
        r"hooks\.slack(?:-gov)?\.com\\?/(?:services|workflows|triggers)\\?/(?P<value>[A-Za-z0-9/\\]{16,})",
        QUOTED,
    ),
    (b"api/webhooks", "webhook", r"api/webhooks/\d{5,}/(?P<value>[\w-]{20,})", QUOTED),
    (b"webhook.office.com", "webhook", r"webhook\.office\.com/\w+/(?P<value>[\w@/-]{20,})", QUOTED),
    (b"/with/key/", "webhook", r"/with/key/(?P<value>[\w-]{16,})", QUOTED),
    (b"sig=", "signature", r"(?<=[?&;])sig=(?P<value>[\w%+/=-]{16,})", ASSIGNED),
    (b"signature=", "signature", r"signature=(?P<value>[\w%+/=-]{16,})", ASSIGNED),
    (b"key=", "key", r"(?<=[?&;])key=(?P<value>[\w-]{16,})", ASSIGNED),
    (b"response=", "authorization", r"response=\\*\"?(?P<value>[0-9a-f]{32,})", ASSIGNED),
    (b"mysql", "password", rf"mysql\w*[ \t]{_LINE}[ \t]-p{_ARGUMENT}", LOOSE),
    (b"mariadb", "password", rf"mariadb[\w-]*[ \t]{_LINE}[ \t]-p{_ARGUMENT}", LOOSE),
    (b"sshpass", "password", rf"sshpass[ \t]+-p[ \t]?{_ARGUMENT}", ASSIGNED),
    (b"docker login", "password", rf"docker login[ \t]{_LINE}[ \t]?-p[ \t]{_ARGUMENT}", ASSIGNED),
    (
        b"curl",
        "password",
        rf"curl[ \t]{_LINE}[ \t]?(?:-u|--user)[ =]?[\"']?[^\s:\"'\\]{{1,64}}:(?P<value>{_WORD}+)",
        LOOSE,
    ),
    (b"pass:", "password", r"(?<=[ \t])pass:(?P<value>[^\s\"'`\\<]+)", LOOSE),
    (b"requirepass", "password", r"requirepass[ \t]+\"?(?P<value>(?![,:}\]])[^\s\"\\]+)", ASSIGNED),
    (
        b"identified",
        "password",
        r"identified(?:[ \t]+with[ \t]+\w+)?[ \t]+by[ \t]+(?:password[ \t]+)?\\*['\"](?P<value>[^'\"\\\n]+)",
        QUOTED,
    ),
    (
        b"login ",
        "password",
        rf"login{_GAP}[^\s\"\\]+{_GAP}password{_GAP}(?P<value>[^\s\"'\\]+)",
        LOOSE,
    ),
    (
        b"machine ",
        "password",
        rf"machine{_GAP}[^\s\"\\]+{_GAP}login{_GAP}[^\s\"\\]+{_GAP}password{_GAP}(?P<value>[^\s\"\\]+)",
        ASSIGNED,
    ),
    (b":5432:", "password", r":5432:[^\s:\"\\]+:[^\s:\"\\]+:(?P<value>[^\s\"\\]+)", LOOSE),
    (b":*:", "password", r":\*:[^\s:\"\\]+:[^\s:\"\\]+:(?P<value>[^\s\"\\]+)", LOOSE),
)

_PAIR = r"(?P<name>[\w!#$%&'*+.^|~-]+?)=\"?(?P<value>(?![:}\]])[^\s;,\"'`\\<>]+)\"?"
_COOKIE = r"cookie\\*[\"']?(?:[ \t]*[:=][ \t]*|[ \t]+)\\*[\"'`]?"
_ADDRESS = r":(?:\\?/){2}(?P<rest>[^\s\"'`<>\\]{1,512})"
_SESSION = ("sess", "sid", "auth", "token", "csrf", "xsrf", "jwt", "login", "remember")
_BASIC = r"basic[ \t]+(?P<value>[A-Za-z0-9+/]{6,}(?:\\/[A-Za-z0-9+/]+)*={0,2})"
_WEB = ("http", "https", "ws", "wss", "ftp", "ssh", "git")


def find_in_lines(text: str, folded: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each credential that one of these rules finds.

    `folded` is `text` in lower case, one byte a character.
    """
    yield from _find_by_rule(text, folded)
    if b"cookie" in folded:
        yield from _find_in_cookies(text, folded)
    if b"@" in folded:
        yield from _find_in_addresses(text, folded)


def _find_by_rule(text: str, folded: bytes) -> Iterator[tuple[str, int, int]]:
    for number, (needle, kind, _, context) in enumerate(_RULES):
        at = folded.find(needle)
        while at >= 0:
            found = _rule(number).match(text, at)
            if found and _is_credible(kind, _cut(found), context):
                yield kind, found.start("value"), found.start("value") + len(_cut(found))
            at = folded.find(needle, found.end() if found else at + len(needle))
    for at in _places(folded, b"basic "):
        found = _pattern(_BASIC).match(text, at)
        if found and _is_user_and_password(found["value"].replace("\\", "")):
            yield "authorization", found.start("value"), found.end("value")


def _find_in_cookies(text: str, folded: bytes) -> Iterator[tuple[str, int, int]]:
    """Take the values of `Cookie:` and `Set-Cookie:` that stand for a session."""
    at = folded.find(b"cookie")
    while at >= 0:
        opened = _pattern(_COOKIE).match(text, at)
        position = at + 6
        found = _pattern(_PAIR).match(text, opened.end()) if opened else None
        while found:
            if _is_session(found["name"].lower(), found["value"]):
                yield "cookie", found.start("value"), found.end("value")
            position = found.end()
            semicolon = _pattern(r"; {0,2}").match(text, position)
            found = _pattern(_PAIR).match(text, semicolon.end()) if semicolon else None
        at = folded.find(b"cookie", position)


def _find_in_addresses(text: str, folded: bytes) -> Iterator[tuple[str, int, int]]:
    """Take the password, or the token, in the user part of an address."""
    for needle in (b"://", b":\\/\\/"):
        for at in _places(folded, needle):
            found = _pattern(_ADDRESS).match(text, at)
            user = _user_part(text, at, found["rest"]) if found else ""
            if not found or not user:
                continue
            name, colon, password = user.partition(":")
            start = found.start("rest") + len(name) + len(colon)
            if colon and password and password != name and _can_be_of_address(name, password):
                yield "password", start, start + len(password)
            elif not colon and len(name) >= 16 and is_credible("token", name, ASSIGNED):
                yield "token", found.start("rest"), found.start("rest") + len(name)


def _can_be_of_address(name: str, password: str) -> bool:
    """Say whether an address gives a password away; where it has no user, any word is one."""
    return not is_stand_in(password) or (not name and password.isalnum() and len(set(password)) > 1)


def _user_part(text: str, at: int, rest: str) -> str:
    """Return what stands before the `@` of an address; only that of a database may hold a slash."""
    cut = min((rest.find(sign) % (len(rest) + 1) for sign in "/?#"), default=len(rest))
    user, sign, _ = rest[:cut].rpartition("@")
    if sign or ":" not in rest[:cut] or text[max(0, at - 5) : at].lower().endswith(_WEB):
        return user
    user, sign, host = rest.rpartition("@")
    return user if sign and _pattern(r"[\w.-]+(?::\d+)?(?:[/?,].*)?").fullmatch(host) else ""


def _cut(found: re.Match[str]) -> str:
    return str(found["value"]).rstrip(".,;:\\/" if found["value"][-1:] != "=" else ".,;:")


def _is_credible(kind: str, value: str, context: int) -> bool:
    if kind == "webhook":
        return not is_stand_in(value) and len(set(value)) > 6
    return is_credible("password" if kind == "password" else "token", value, context)


def _is_session(name: str, value: str) -> bool:
    if any(word in name for word in _SESSION):
        return is_credible("password", value, ASSIGNED)
    return is_credible("token", value, QUOTED)


def _is_user_and_password(value: str) -> bool:
    from base64 import b64decode  # noqa: PLC0415 -- rarely needed
    from binascii import Error  # noqa: PLC0415

    try:
        decoded = b64decode(value + "=" * (-len(value) % 4), validate=True)
    except Error:
        return False
    user, colon, password = decoded.partition(b":")
    return bool(colon and (user or password)) and decoded.isascii()


def _places(folded: bytes, needle: bytes) -> Iterator[int]:
    at = folded.find(needle)
    while at >= 0:
        yield at
        at = folded.find(needle, at + len(needle))


@cache
def _rule(number: int) -> re.Pattern[str]:
    return re.compile(_RULES[number][2], re.IGNORECASE)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)
