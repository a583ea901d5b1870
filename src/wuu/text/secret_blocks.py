r"""Private keys in blocks: PEM, OpenSSH, PGP and PuTTY, however they were copied.

Owns where such a block begins and ends: over lines, with `\n` escapes, on one line, numbered, quoted, as a
list of strings, or cut before its end. Then it ends with what still looks like base64.
"""

import re
from collections.abc import Iterator
from functools import cache

KIND = "private-key"

_SOURCES = {
    "begin": r"-{2,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{2,5}",
    "putty": r"Private-Lines: \d{1,3}",
    "end": r"-{2,5} ?END[A-Z0-9 ]{0,40}(?:-{2,5})?",
    "header": r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID): ?[^\r\n\"'\\]{0,200}",
    "run": r"(?:[A-Za-z0-9+/=]|\\/)+",
    # white space and escapes of it, then what an editor, a mail or a listing puts before a line
    "gap": r"(?:(?:\s|\\+[nrt]|\\(?=\s))+(?:[ \t]*(?:\d{1,6}(?:\t|\\+t|[ ]*→|[:|][ ])|[>|#*]+|//)[ \t]*)?)?",
    "break": r"\\*[\"'](?:\s|[,+.]|\\+[nrt]){0,40}\\*[\"']",
}
_FULL_LINE, _FIRST_RUN = 40, 16


def find_blocks(text: str, folded: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each piece of a private key; a string of its own is a piece of its own."""
    at = 0
    while (at := folded.find(b"private", at)) >= 0:
        begin = _pattern("begin").search(text, max(0, at - 60), at + 32)
        putty = _pattern("putty").match(text, at)
        end = at + 7
        if begin and begin.end() > at:
            pieces = _walk(text, begin.start(), begin.end())
        elif putty:
            pieces = _walk(text, -1, putty.end())
        else:
            pieces = []
        for start, end in pieces:
            yield KIND, start, end
        at = max(at + 7, end)
        if putty:
            yield from _mac(text, at)


def _walk(text: str, start: int, at: int) -> list[tuple[int, int]]:
    """Return the pieces of a block whose first line ends at `at`; none if no key follows."""
    pieces: list[tuple[int, int]] = []
    last, before = at, 0
    while True:
        begin, is_new = _next_run(text, at)
        if before and (found := _pattern("end").match(text, begin)):
            end = found.end()
        elif not before and (found := _pattern("header").match(text, begin)):
            at = found.end()
            continue
        elif not _belongs(text, begin, end := _match("run", text, begin), before, is_new=is_new):
            break
        if is_new and start < last:
            pieces.append((start, last))
        start = begin if is_new or start < 0 else start
        last = at = end
        if found:
            break
        before = end - begin
    return [*pieces, (start, last)] if before else []


def _next_run(text: str, at: int) -> tuple[int, bool]:
    """Return where the next line of a key begins, and whether it is in a string of its own."""
    gap = _match("gap", text, at)
    found = _pattern("break").match(text, gap)
    return (_match("gap", text, found.end()), True) if found else (gap, False)


def _belongs(text: str, start: int, end: int, before: int, *, is_new: bool) -> bool:
    """Say whether a run of base64 is part of the key; `before` is the length of the last one, 0 for none."""
    run = text[start:end]
    if not before:
        return len(run) >= _FIRST_RUN or run.startswith(("MII", "b3B"))
    if len(run) >= _FULL_LINE or (run and _pattern("end").match(text, _next_run(text, end)[0])):
        return True
    is_alone = text[end : end + 1] in ("", "\n", "\r", '"', "'", "\\", "`") and not is_new
    return len(run) > 1 and before >= _FULL_LINE and is_alone and not run.lstrip("=")[1:].islower()


def _mac(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    found = re.compile(r"(?:\s|\\+[nr]){0,4}Private-MAC: ([0-9a-f]{16,})").match(text, at)
    if found:
        yield KIND, found.start(1), found.end(1)


def _match(name: str, text: str, at: int) -> int:
    found = _pattern(name).match(text, at)
    return found.end() if found else at


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_SOURCES[name])
