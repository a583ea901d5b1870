"""The report of the proof: every case, every sync left out once, every weakened protocol.

Owns what is looked at quickly and what in full, and how it reads; prints nothing.
"""

import contextlib
import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from store.checking import SCENARIOS
from store.crash_cases import all_cases, commit_case, settle_case, unsynced_recovery_case
from store.crash_states import Case, Report, explore, syncs_of
from store.faults import Call
from store.weakened import WEAKENED, Weakened

Tell = Callable[[str], object]

ENOUGH = 20  # objections to a weakened protocol
EVERY = 10  # in full, recovery is cut after every killed state and after every so many others
# Quickly, these alone are looked at; recovery is cut only where the text reads so.
QUICK = {
    **{scenario.name: None for scenario in SCENARIOS},
    SCENARIOS[4].name: "fsync of memory",
    "settle: keep disk": None,
    "settle: keep prepared": None,
}
_MEMORY_DISK = "/dev/shm"
_WIDTHS = (6, 6, 8, 10, 9, 8, 12)
_HEAD = ("calls", "cuts", "killed", "no power", "nested", "capped", "objections")


class Sync(NamedTuple):
    """A sync of the protocol, and what is objected to when only this one is left out."""

    case: str
    name: str
    objection: str | None


@contextlib.contextmanager
def in_memory() -> Iterator[Path]:
    """Yield a folder for thousands of small files: in memory, where the system has such a disk."""
    place = Path(
        tempfile.mkdtemp(prefix="wuu-proof-", dir=_MEMORY_DISK if os.path.isdir(_MEMORY_DISK) else None)
    )
    yield place
    shutil.rmtree(place)


def prove(place: Path, tell: Tell, *, quick: bool) -> bool:
    """Tell the whole report line by line; return whether all is as it has to be."""
    return all(
        [
            _tell_cases(place, tell, quick=quick),
            _tell_syncs(place, tell, quick=quick),
            _tell_weakened(place, tell, enough=1 if quick else ENOUGH),
        ]
    )


def reports(place: Path, *, quick: bool) -> Iterator[Report]:
    """Go through the cases, in full or quickly."""
    for case in all_cases():
        if not quick:
            yield explore(case, place, nested=EVERY)
        elif case.name in QUICK:
            yield quickly(case, place, QUICK[case.name])


def quickly(case: Case, place: Path, where: str | None) -> Report:
    """Go through a case, and through the recovery from what a kill leaves where it reads like `where`."""
    return explore(case, place, nested=None if where is None else 0, where=where or "")


def syncs(place: Path, cases: tuple[Case, ...]) -> Iterator[Sync]:
    """Leave out each sync of these cases, one at a time."""
    for case in cases:
        good: set[object] = set()
        explore(case, place, known=good)
        for left_out in syncs_of(case, place):
            report = explore(case, place, keep=_all_but(left_out), enough=1, known=set(good))
            yield Sync(case.name, _name(left_out), next(iter(report.objections), None))


def weakened(place: Path, one: Weakened, enough: int) -> Report:
    """Go through the case of a weakened protocol until enough was objected to."""
    with one.patch():
        nested = None if one.where is None else 0
        return explore(one.case, place, nested=nested, where=one.where or "", enough=enough)


def cases_with_syncs(*, quick: bool) -> tuple[Case, ...]:
    """Return the cases whose syncs are left out."""
    one = commit_case(SCENARIOS[3])
    more = (commit_case(SCENARIOS[0]), commit_case(SCENARIOS[1]), settle_case(keep_prepared=True))
    return (one,) if quick else (one, *more, unsynced_recovery_case())


def _tell_cases(place: Path, tell: Tell, *, quick: bool) -> bool:
    tell(_row("scenario", *_HEAD))
    found = []
    for one in reports(place, quick=quick):
        found.append(one)
        numbers = (one.calls, one.cuts, one.killed, one.powerless, one.nested, one.capped)
        tell(_row(one.name, *numbers, len(one.objections)))
        for text in one.objections[:3]:
            tell(f"    {text}")
    judged = sum(report.judged for report in found)
    tell(f"{len(found)} scenarios, {judged:,} distinct states put on a disk, each left to the next writer")
    return not any(report.objections for report in found)


def _row(name: str, *values: object) -> str:
    return f"{name:<58}" + "".join(f"{value:>{width}}" for value, width in zip(values, _WIDTHS, strict=True))


def _tell_syncs(place: Path, tell: Tell, *, quick: bool) -> bool:
    tell("")
    tell("every sync left out, one at a time")
    for name, group in itertools.groupby(syncs(place, cases_with_syncs(quick=quick)), lambda one: one.case):
        tell(name)
        for one in group:
            tell(f"    {one.name:<42}{_short(one.objection or 'no state of the model misses it')}")
    return True


def _tell_weakened(place: Path, tell: Tell, *, enough: int) -> bool:
    tell("")
    tell("weakened protocols: how many objections, and the first")
    missed = 0
    for one in WEAKENED:
        report = weakened(place, one, enough)
        count = len(report.objections)
        missed += count == 0
        more = "+" if count == enough else " "
        tell(f"{one.name:<52}{count:>4}{more}  {_short(next(iter(report.objections), 'MISSED'))}")
    tell(f"{len(WEAKENED) - missed} of {len(WEAKENED)} caught")
    return not missed


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:159] + "…"


def _all_but(left_out: Call) -> Callable[[Call], bool]:
    return lambda call: call != left_out


def _name(call: Call) -> str:
    return f"{call.number}: {call.path.removeprefix('home/')}"
