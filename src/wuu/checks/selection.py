"""Which problems count: `--select`, `--ignore` and `--strict`.

Owns the reading of code lists and their effect. The codes themselves are in `wuu.problems`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from wuu.errors import UsageProblem
from wuu.problems import CODES, ERROR, Problem


class Selection(NamedTuple):
    """The codes that are kept (None: all), those that are dropped, and whether warnings become errors."""

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    strict: bool = False

    def apply(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Return the problems that count, in their order, with the severity that counts."""
        kept = (one for one in problems if self._keeps(one.code))
        return tuple(one._replace(severity=ERROR) if self.strict else one for one in kept)

    def _keeps(self, code: str) -> bool:
        return (self.select is None or code in self.select) and code not in self.ignore


def parse_codes(option: str, given: Iterable[str]) -> frozenset[str]:
    """Return the codes named by the values of `option`, each a code or several with commas between them.

    Raises:
        UsageProblem: A code is not known (names the nearest one), or a value names none: what is selected by
            an empty variable would otherwise be nothing, and the check green.
    """
    return frozenset(code for value in given for code in _split(option, value))


def _split(option: str, value: str) -> list[str]:
    codes = [code for part in value.split(",") if (code := part.strip())]
    if not codes:
        raise UsageProblem(f"{option} names no code.", hint=f"Leave out {option}, or name a code.")
    for code in codes:
        if code not in CODES:
            raise _unknown(option, code)
    return codes


def _unknown(option: str, code: str) -> UsageProblem:
    from difflib import get_close_matches  # noqa: PLC0415  (typos are rare)

    near = get_close_matches(code.casefold().replace("-", "_"), CODES, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?" if near else f"The codes are: {', '.join(sorted(CODES))}."
    return UsageProblem(f"{option}: {code!r} is no code of a problem.", hint=hint, option=option, value=code)
