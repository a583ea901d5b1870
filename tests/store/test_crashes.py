"""Whatever call a writer dies at, its change is made whole or not at all (MODELS, "Crash safety").

The last tests weaken the protocol on purpose: a checker that lets one of those pass is no good.
"""

import itertools
import os
import shutil
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
from store.faults import Killed, kill_at, no_fault
from wuu.store import files, finishing, journal, recovery, transaction
from wuu.store.apply import Target, make_room, publish_all, stage_all, sync_all
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


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS[:2], ids=lambda scenario: scenario.name)
def test_recovery_can_die_at_any_call_too(scenario: Scenario, quick_place: Path) -> None:
    crash = Crash(quick_place, scenario)
    for number, killed in crash.different_homes():
        copies = Copies(quick_place / str(number), killed)
        _, calls = outcome_under(no_fault, write_elsewhere, copies.fresh(), scenario)
        for call in calls:
            if call.changes:
                home = copies.fresh()
                ended, _ = outcome_under(kill_at(call.number), write_elsewhere, home, scenario)
                assert isinstance(ended, Killed)
                write_elsewhere(home, scenario)
                found = list(objections(home, scenario))
                assert found == [], f"killed before call {number}, and recovery before {call}"
                shutil.rmtree(home.root)


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


def _staged(home: Home, intent: Intent) -> list[Target]:
    targets: list[Target] = []
    make_room(home, intent.changes, JOURNAL, RECEIPTS)
    stage_all(home, intent.changes, targets)
    return targets


def _publish(targets: list[Target]) -> None:
    publish_all(targets)
    sync_all(target.place for target in targets)


def _leave(home: Home, receipt: Receipt) -> Receipt:
    name = journal.receipt_name(receipt)
    files.write_atomic(home.place(f"{RECEIPTS}/{name}"), journal.render_receipt(receipt))
    return receipt


def _intend(home: Home, intent: Intent) -> str:
    place = home.place(f"{JOURNAL}/{intent.id}{journal.INTENT_ENDING}")
    files.write_atomic(place, journal.render_intent(intent))
    return place


def without_intent(home: Home, intent: Intent) -> Receipt:
    _publish(_staged(home, intent))
    return _leave(home, intent.receipt())


def intent_after_publishing(home: Home, intent: Intent) -> Receipt:
    _publish(_staged(home, intent))
    place = _intend(home, intent)
    receipt = _leave(home, intent.receipt())
    files.remove(place)
    return receipt


def receipt_before_publishing(home: Home, intent: Intent) -> Receipt:
    targets = _staged(home, intent)
    place = _intend(home, intent)
    receipt = _leave(home, intent.receipt())
    _publish(targets)
    files.remove(place)
    return receipt


def intent_removed_before_the_receipt(home: Home, intent: Intent) -> Receipt:
    targets = _staged(home, intent)
    place = _intend(home, intent)
    _publish(targets)
    files.remove(place)
    return _leave(home, intent.receipt())


@pytest.mark.parametrize(
    "weakened",
    [
        without_intent,
        intent_after_publishing,
        receipt_before_publishing,
        intent_removed_before_the_receipt,
    ],
)
def test_the_checker_objects_to_a_weakened_protocol(
    weakened: Callable[[Home, Intent], Receipt], quick_place: Path
) -> None:
    with mock.patch.object(transaction, "_write_all", weakened):
        assert crash_objections(Crash(quick_place, SCENARIOS[1])) != []


def test_the_checker_objects_to_a_file_that_is_written_in_place(quick_place: Path) -> None:
    def in_place(temp: str, place: str) -> None:
        with open(temp, "rb") as file:
            files.discard(place)
            descriptor = files.os.open(place, os.O_WRONLY | os.O_CREAT, 0o600)
            files._fill(descriptor, file.read(), temp)
        files.discard(temp)

    with mock.patch.object(files, "publish", in_place):
        assert crash_objections(Crash(quick_place, SCENARIOS[3])) != []


def test_the_checker_objects_to_temps_that_nobody_sweeps(quick_place: Path) -> None:
    with mock.patch.object(files, "sweep", return_value=0):
        assert crash_objections(Crash(quick_place, SCENARIOS[0])) != []


def test_the_checker_objects_to_a_recovery_that_overwrites_an_edit(quick_place: Path) -> None:
    with mock.patch.object(finishing, "_refuse_changed"):
        assert edit_objections(Crash(quick_place, SCENARIOS[1]), "memory/MEMORY.md") != []


def test_the_checker_objects_to_a_recovery_that_forgets_what_it_could_not_finish(quick_place: Path) -> None:
    def forget(home: Home, name: str, new_name: str) -> None:
        files.remove(home.place(f"{JOURNAL}/{name}"))

    with mock.patch.object(recovery, "_park", forget):
        assert edit_objections(Crash(quick_place, SCENARIOS[1]), "memory/MEMORY.md") != []
