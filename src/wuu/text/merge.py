"""Two edits of one text brought together, or the plain answer that they cannot be.

Owns the line-based three-way merge of case O-02. Lines are exact: an ending belongs to its line, and a last
line without one is another line than the same words with one. It never guesses and writes no conflict marks.
"""

from itertools import pairwise
from typing import NamedTuple

_MAX_COMPARISONS = 50_000


class _Hunk(NamedTuple):
    """Lines `start` to `end` (exclusive) of the base, replaced by `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]


def merge3(base: str, mine: str, theirs: str) -> str | None:
    """Return `base` with the changes of `mine` and of `theirs`, or None when they overlap or touch.

    Changes touch when no unchanged line stands between them. The same change on both sides is made once.
    Texts so large and repetitive that comparing them would take seconds are not merged either.
    """
    if theirs in (mine, base):
        return mine
    if mine == base:
        return theirs
    lines = _lines(base)
    ours, others = _changes(lines, _lines(mine)), _changes(lines, _lines(theirs))
    if ours is None or others is None:
        return None
    hunks = sorted({*ours, *others})
    if any(after.start <= before.end for before, after in pairwise(hunks)):
        return None
    return _apply(lines, hunks)


def _lines(text: str) -> list[str]:
    """Split at line feeds only, each line with its ending (case O-08)."""
    pieces = [piece + "\n" for piece in text.split("\n")]
    pieces[-1] = pieces[-1][:-1]
    return pieces if pieces[-1] else pieces[:-1]


def _changes(base: list[str], changed: list[str]) -> list[_Hunk] | None:
    """Return what turns `base` into `changed`, or None when working it out would take too long."""
    from difflib import SequenceMatcher  # noqa: PLC0415  (0.1 x bare Python; only conflicts need it)

    head = _common(base, changed)
    tail = _common(base[head:][::-1], changed[head:][::-1])
    old, new = base[head : len(base) - tail], changed[head : len(changed) - tail]
    if _comparisons(old, new) > _MAX_COMPARISONS:
        return None
    codes = SequenceMatcher(None, old, new).get_opcodes()
    return [
        _Hunk(head + start, head + end, tuple(new[low:high]))
        for tag, start, end, low, high in codes
        if tag != "equal"
    ]


def _common(one: list[str], other: list[str]) -> int:
    """Return how many lines both have in common at the beginning."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _comparisons(old: list[str], new: list[str]) -> int:
    """Return how many pairs of equal lines the matcher looks at in its first round.

    In a long text it starts no match at a line that makes up more than a hundredth, such as an empty one.
    """
    counts: dict[str, int] = {}
    for line in new:
        counts[line] = counts.get(line, 0) + 1
    most = len(new) // 100 + 1 if len(new) >= 200 else len(new)
    return sum(count for line in old if (count := counts.get(line, 0)) <= most)


def _apply(base: list[str], hunks: list[_Hunk]) -> str:
    parts: list[str] = []
    at = 0
    for hunk in hunks:
        parts += base[at : hunk.start]
        parts += hunk.lines
        at = hunk.end
    return "".join(parts + base[at:])
