"""Text that must not reach a prompt, a terminal or a single-line field as it is.

Owns the rule for unsafe lines of memory text (FACTS, "A line is unsafe"), what a terminal is shown in place
of characters that cannot be seen, and the check of single-line fields. It changes no stored text and redacts
no secrets. Patterns are compiled at first need, so that importing this module costs nothing.
"""

import re
from functools import cache
from typing import NamedTuple

REMOVED_LINE = "[memory line removed: security]"
"""What stands in a prompt in place of an unsafe line."""

MAX_FIELD_BYTES = 1024
"""Longest single-line field, in UTF-8 bytes (FACTS, "Other decisions")."""

_BOM = "\ufeff"
_LINE_BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"

# What a ZWJ may join: symbols that have an emoji form.
_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_STRAY_ZWJ = f"(?<![{_EMOJI}])(?<![{_EMOJI}]\ufe0f)\u200d|\u200d(?![{_EMOJI}])"

_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_HIDDEN = (
    _CONTROLS + r"\u00ad\u200b\u200c\u202a-\u202e\u2060\u2066-\u2069\ufeff\U000e0000-\U000e007f\ud800-\udfff"
)
# More that nobody can see: marks of direction, line separators, fillers, interlinear and musical controls.
_UNSEEN = (
    _HIDDEN + r"\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200e\u200f\u2028\u2029\u2061-\u2065\u206a-\u206f"
    r"\u3164\uffa0\ufff0-\ufffb\ufffe\uffff\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
_SELECTORS = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"

_FILLER = r"(?:any|of|the|my|your|previous|all|above|prior)\s+"
_IGNORE = (
    rf"\bignore\s+(?:(?:any|of|the|my|your)\s+)*(?:previous|all|above|prior)\s+(?:{_FILLER})*instructions"
)
_DISREGARD = rf"\bdisregard\s+(?:your|all|any)\s+(?:{_FILLER})*(?:instructions|rules|guidelines)"
_HAVE_NO = r"(?:have\s+no|(?:do\s+not|don['\u2019]?t)\s+have(?:\s+any)?)"
_ACT_AS = rf"\bact\s+as\s+(?:if|though)\s+you\s+{_HAVE_NO}\s+(?:restrictions|limits|rules)"

# Case-folded text only. Each needle is in every match of the pattern beside it once white space is collapsed.
_PHRASES = (
    ("ignore ", _IGNORE),
    ("you are now ", r"\byou\s+are\s+now\s"),
    ("do not tell the user", r"\bdo\s+not\s+tell\s+the\s+user"),
    ("system prompt override", r"\bsystem\s+prompt\s+override"),
    ("disregard ", _DISREGARD),
    ("act as ", _ACT_AS),
    ("authorized_keys", "authorized_keys"),
    ("/.ssh", r"(?:~|\$home|\$\{home\})/\.ssh"),
    (".env", r"(?:(?:~|\$home|\$\{home\})/\.wuu|\$wuu_home|\$\{wuu_home\})/\.env"),
)

# A command and what it must not touch: (needles, command, target). Two steps instead of one pattern with `.*`
# between them, which would take quadratic time on a long line.
_COMMANDS = (
    (("curl ", "wget "), r"\b(?:curl|wget)\s", r"\$\{?\w*(?:key|token|secret|password|credential|api)"),
    (("cat ",), r"\bcat\s", r"(?<!\w)\.env\b|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc"),
)

_NEEDLES = (*(needle for needle, _ in _PHRASES), *(word for words, _, _ in _COMMANDS for word in words))


class SanitisedText(NamedTuple):
    """Text fit for a prompt, and the numbers (from 1) of the lines that were replaced."""

    text: str
    removed_lines: tuple[int, ...]


def sanitise_prompt_text(text: str) -> SanitisedText:
    """Return `text` with each unsafe line replaced by `REMOVED_LINE` and all else as it was (FACTS)."""
    removed = find_unsafe_lines(text)
    if not removed:
        return SanitisedText(text, ())
    lines = text.split("\n")
    for number in removed:
        ending = "\r" if number < len(lines) and lines[number - 1].endswith("\r") else ""
        lines[number - 1] = REMOVED_LINE + ending
    return SanitisedText("\n".join(lines), removed)


def find_unsafe_lines(text: str) -> tuple[int, ...]:
    """Return the numbers (from 1) of the lines that must not reach a prompt (FACTS, "A line is unsafe").

    Lines end at a line feed, with or without a carriage return before it. Two neighbours that are unsafe only
    when read as one are both unsafe. A byte order mark at the very start of `text` is fine.
    """
    body = text.removeprefix(_BOM).replace("\r\n", "\n")
    seen, harmless = _has_no_hidden(body.replace("\n", "")), not _may_say_unsafe(body)
    if seen and harmless:
        return ()
    lines = [line.casefold() for line in body.split("\n")]
    alone = [_is_unsafe(line) for line in lines]
    unsafe = list(alone)
    for at in range(0 if harmless else len(lines) - 1):
        if not (alone[at] or alone[at + 1]) and _are_unsafe_together(lines[at], lines[at + 1]):
            unsafe[at] = unsafe[at + 1] = True
    return tuple(number for number, found in enumerate(unsafe, 1) if found)


def visible(text: str, *, tabs: bool = True) -> str:
    r"""Return `text` as a terminal may show it: what cannot be seen or would act becomes `\x1b` or `\u202e`.

    Escaped are controls, direction marks, zero-width and other invisible characters, and lone surrogates.
    Line feeds, CRLF, a byte order mark at the start and emoji sequences stay; so do tabs, unless `tabs` is
    False.
    """
    probe = text.replace("\n", "").replace("\t", "" if tabs else "\t")
    if probe.isascii() and probe.isprintable():
        return text
    head = _BOM if text.startswith(_BOM) else ""
    shown = _unseen().sub(lambda found: _escape(found.group()), text.removeprefix(_BOM))
    return head + (shown if tabs else shown.replace("\t", r"\x09"))


def single_line_problem(value: str, limit: int = MAX_FIELD_BYTES) -> str | None:
    """Say why `value` cannot stand in a single-line field, as the end of a sentence, or return None.

    `limit` is in UTF-8 bytes (FACTS, "Other decisions"; case O-13).
    """
    for character in value:
        if character in _LINE_BREAKS:
            return "holds a line break"
        if character < " " or "\x7f" <= character <= "\x9f":
            return f"holds the control character {_escape(character)}"
        if "\ud800" <= character <= "\udfff":
            return f"holds half a character ({_escape(character)})"
    length = len(value.encode())
    if length > limit:
        return f"is {length} bytes long; at most {limit} are allowed"
    return None


def _has_no_hidden(line: str) -> bool:
    """Look quickly and overlook nothing: a line that is not clean may still be harmless."""
    return line.replace("\t", "").isprintable()


def _may_say_unsafe(text: str) -> bool:
    """Look quickly and overlook nothing: most texts pass before any pattern is compiled."""
    folded = " ".join(text.casefold().split()) + " "
    return any(needle in folded for needle in _NEEDLES)


def _is_unsafe(line: str) -> bool:
    if not _has_no_hidden(line) and _hidden().search(line):
        return True
    return _may_say_unsafe(line) and (_phrases().search(line) is not None or _touches_secrets(line))


def _touches_secrets(line: str) -> bool:
    return any(
        (found := command.search(line)) is not None and target.search(line, found.end()) is not None
        for command, target, _ in _commands()
    )


def _are_unsafe_together(first: str, second: str) -> bool:
    """Read two lines, harmless alone, as one: a phrase that wraps, a command with its argument below."""
    joined = f"{first.rstrip()} {second.lstrip()}"
    if not first.strip() or not second.strip() or not _may_say_unsafe(joined):
        return False
    if _phrases().search(joined):
        return True
    return any(command.search(first + " ") and opens.match(second) for command, _, opens in _commands())


@cache
def _hidden() -> re.Pattern[str]:
    return re.compile(rf"[{_HIDDEN}\r]|{_STRAY_ZWJ}")


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile("|".join(pattern for _, pattern in _PHRASES))


@cache
def _commands() -> tuple[tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]], ...]:
    """Return per command the patterns of its name, its target, and a next line beginning with the target."""
    return tuple(
        (re.compile(command), re.compile(target), re.compile(rf"\s*(?:-\S+\s+)*\S*?(?:{target})"))
        for _, command, target in _COMMANDS
    )


@cache
def _unseen() -> re.Pattern[str]:
    # A variation selector is fine behind a visible character; a row of them hides data.
    stray_selector = rf"(?<![^\s{_SELECTORS}])[{_SELECTORS}]"
    return re.compile(rf"[{_UNSEEN}]|\r(?!\n)|{_STRAY_ZWJ}|{stray_selector}")


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
