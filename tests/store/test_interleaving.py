"""A second writer comes at any call of the first: the lock keeps it out; without it something is lost."""

import functools
import shutil
from pathlib import Path
from unittest import mock

import pytest

from store.checking import Copies, leftovers, make_home, outcome_under, plan_of
from store.faults import Call, no_fault
from wuu.errors import Locked, WuuError
from wuu.store import locks, transaction
from wuu.store.changes import Change, ChangeSet, change
from wuu.store.home import HOLDER, Home
from wuu.store.transaction import commit

LINES = "memory/lines.md"

pytestmark = pytest.mark.usefixtures("unflushed")


def append(home: Home, line: str) -> None:
    """Add a line to the one file that everybody adds to, and leave a file of its own."""

    def plan(reader: Home) -> ChangeSet[None]:
        old = reader.read(LINES) or b""
        own = f"memory/{line}.md"
        return ChangeSet(
            (change(LINES, old, old + line.encode() + b"\n"), Change(own, None, line.encode())), None
        )

    commit(home, plan, command=f"append {line}")


def interleaved(home: Home, number: int) -> tuple[BaseException | None, BaseException | None]:
    """Let a second writer come at call `number` of the first; return how both ended."""
    ended: list[BaseException | None] = []

    def come(call: Call) -> None:
        if call.number == number:
            try:
                append(home, "second")
            except WuuError as error:
                ended.append(error)
            else:
                ended.append(None)

    first, _ = outcome_under(come, append, home, "first")
    return first, ended[0]


def interleaving_objections(place: Path) -> list[str]:
    """Try every call; object to a change that was said to be made and is not there, or to the reverse."""
    copies = Copies(place, make_home(str(place / "home"), {LINES: b"old\n"}))
    _, calls = outcome_under(no_fault, append, copies.fresh(), "first")
    taken = next(call.number for call in calls if call.path.endswith(HOLDER))
    found = []
    with mock.patch.object(transaction, "hold", functools.partial(locks.hold, wait=0)):
        for call in calls:
            home = copies.fresh()
            outcomes = dict(zip(("first", "second"), interleaved(home, call.number), strict=True))
            commit(home, plan_of({"memory/next.md": b"next\n"}), command="next")
            for line, ended in outcomes.items():
                there = [
                    line in (home.read(LINES) or b"").decode().split(),
                    bool(home.read(f"memory/{line}.md")),
                ]
                if there != [ended is None] * 2:
                    found.append(
                        f"second writer at {call}: {line} ended with {ended!r} and is there: {there}"
                    )
            found += [f"second writer at {call}: left behind: {path}" for path in leftovers(home)]
            if call.number > taken and not isinstance(outcomes["second"], Locked):
                found.append(f"second writer at {call}: it was not kept out")
            shutil.rmtree(home.root)
    return found


def test_a_second_writer_is_kept_out_at_every_call(quick_place: Path) -> None:
    assert interleaving_objections(quick_place) == []


def test_the_checker_objects_to_a_lock_that_is_not_taken(quick_place: Path) -> None:
    with mock.patch.object(locks, "_lock", return_value=True):
        found = interleaving_objections(quick_place)
    assert [one for one in found if "ended with" in one] != []
