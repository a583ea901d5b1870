"""Whatever call a writer dies at, its change is made whole or not at all (MODELS, "Crash safety").

The last tests weaken the protocol on purpose: a checker that lets one of those pass is no good. What a power
failure leaves, and a crash of the recovery, is in `test_crash_states.py`.
"""

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from store.checking import (
    SCENARIOS,
    Copies,
    Scenario,
    attempt,
    leftovers,
    make_home,
    make_interrupted_home,
    objections,
    outcome_under,
    put,
    read_state,
    tree,
    write_elsewhere,
)
from store.faults import Killed, kill_at
from store.weakened import receipt_before_publishing, without_intent
from wuu.store import files, finishing, transaction
from wuu.store.changes import Receipt
from wuu.store.home import JOURNAL, RECEIPTS, Home
from wuu.store.journal import Intent
from wuu.store.locks import hold
from wuu.store.recovery import read_conflicts, settle

EDITED = b"what a person wrote in between\n"

pytestmark = pytest.mark.usefixtures("unflushed")
by_name = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)


class Crash:
    """A home as it was, and a fresh copy of it for every crash."""

    def __init__(self, place: Path, scenario: Scenario) -> None:
        self.scenario = scenario
        self.fresh = Copies(place, make_home(str(place / "home"), scenario.before)).fresh

    def killed_homes(self) -> Iterator[tuple[int, Home]]:
        """Yield a home for every call that the writer can die at."""
        for number in itertools.count(1):
            home = self.fresh()
            ended, _ = outcome_under(kill_at(number), attempt, home, self.scenario)
            if ended is None:
                return
            assert isinstance(ended, Killed)
            yield number, home

    def different_homes(self) -> Iterator[tuple[int, Home]]:
        """Yield only those that differ in what is on the disk, but for random names and times."""
        seen = set()
        for number, home in self.killed_homes():
            state = frozenset(itertools.starmap(_shape, tree(home.root).items()))
            if state not in seen:
                seen.add(state)
                yield number, home


def _shape(path: str, data: bytes) -> tuple[str, bytes | int]:
    """Return a file without what differs from run to run: random names, and ids and times in its bytes."""
    folder, name = os.path.split(path)
    if folder in (JOURNAL, RECEIPTS) or path.startswith((".lock", "home.json")):
        return folder, len(data)
    return (folder if name.startswith(files.TEMP_PREFIX) else path), data


def crash_objections(crash: Crash) -> list[str]:
    """Kill the writer at every call, let the next one do something else, and look."""
    found = []
    for number, home in crash.killed_homes():
        write_elsewhere(home, crash.scenario)
        found += [f"killed before call {number}: {one}" for one in objections(home, crash.scenario)]
    return found


def edit_objections(crash: Crash, path: str) -> list[str]:
    """Kill the writer at every call, let a person edit `path`, then the next writer come, and look."""
    found = []
    for number, home in crash.different_homes():
        put(home, {path: EDITED})
        write_elsewhere(home, crash.scenario)
        if home.read(path) != EDITED:
            found.append(f"killed before call {number}: the edit is lost")
        rest = {one: data for one, data in read_state(home, crash.scenario.after).items() if one != path}
        states = [{one: crash.scenario.state(changed=made)[one] for one in rest} for made in (True, False)]
        if rest not in states and not read_conflicts(home):
            found.append(f"killed before call {number}: half a change, and nothing to settle")
    return found


@by_name
def test_a_change_is_made_whole_or_not_at_all(scenario: Scenario, quick_place: Path) -> None:
    assert crash_objections(Crash(quick_place, scenario)) == []


def test_the_very_first_write_of_a_home_can_die_at_any_call(quick_place: Path) -> None:
    scenario = SCENARIOS[0]._replace(before={})
    for number in itertools.count(1):
        home = Home(str(quick_place / str(number) / "home"))
        ended, _ = outcome_under(kill_at(number), attempt, home, scenario)
        write_elsewhere(home, scenario)
        assert list(objections(home, scenario, made=True if ended is None else None)) == []
        if ended is None:
            break


@pytest.mark.parametrize("path", ["memory/MEMORY.md", "memory/owl.md", "old/birds/bird.md"])
def test_an_edit_after_the_crash_is_never_lost(path: str, quick_place: Path) -> None:
    assert edit_objections(Crash(quick_place, SCENARIOS[1]), path) == []


@pytest.mark.parametrize("keep_prepared", [True, False], ids=["keep-prepared", "keep-disk"])
def test_what_an_edit_stopped_can_be_settled(quick_place: Path, *, keep_prepared: bool) -> None:
    crash = Crash(quick_place, SCENARIOS[0])
    settled = 0
    for _, home in crash.different_homes():
        put(home, {"memory/MEMORY.md": EDITED})
        write_elsewhere(home, crash.scenario)
        parked = read_state(home, crash.scenario.after)
        for conflict in read_conflicts(home):
            with hold(home, "settle"):
                kept = settle(home, conflict.id, keep_prepared=keep_prepared)
            expected = crash.scenario.state(changed=True) if keep_prepared else parked
            assert read_state(home, crash.scenario.after) == expected
            assert [home.read(copy) for copy in kept] == ([EDITED] if keep_prepared else [])
            settled += 1
        assert leftovers(home) == []
    assert settled > 1


@pytest.mark.slow
def test_settling_can_die_at_any_call(quick_place: Path) -> None:
    scenario = SCENARIOS[0]
    killed = make_interrupted_home(str(quick_place / "home"), scenario)
    put(killed, {"memory/MEMORY.md": EDITED})
    write_elsewhere(killed, scenario)
    (conflict,) = read_conflicts(killed)
    copies = Copies(quick_place, killed)
    for number in itertools.count(1):
        home = copies.fresh()
        ended, _ = outcome_under(kill_at(number), settle, home, conflict.id, keep_prepared=True)
        if ended is None:
            break
        write_elsewhere(home, scenario)
        for left in read_conflicts(home):
            settle(home, left.id, keep_prepared=True)
        write_elsewhere(home, scenario)
        assert list(objections(home, scenario, made=True)) == []
        assert EDITED in tree(home.root).values()


# --- a checker that can be fooled is no checker ---------------------------------------------------------


@pytest.mark.parametrize("weakened", [without_intent, receipt_before_publishing])
def test_the_checker_objects_to_a_weakened_protocol(
    weakened: Callable[[Home, Intent], Receipt], quick_place: Path
) -> None:
    with mock.patch.object(transaction, "_write_all", weakened):
        assert crash_objections(Crash(quick_place, SCENARIOS[1])) != []


def test_the_checker_objects_to_a_recovery_that_overwrites_an_edit(quick_place: Path) -> None:
    with mock.patch.object(finishing, "_refuse_changed"):
        assert edit_objections(Crash(quick_place, SCENARIOS[1]), "memory/MEMORY.md") != []
