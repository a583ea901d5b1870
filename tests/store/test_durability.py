"""The order in which the store makes things durable, read off the log of its calls (ARCHITECTURE 3).

Only what a power failure would show is at stake here. The checker is itself tested: it must miss every single
`fsync` that is taken out of a good log.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from store.checking import (
    SCENARIOS,
    Scenario,
    attempt,
    make_home,
    make_interrupted_home,
    outcome_under,
    put,
    write_elsewhere,
)
from store.faults import Call, kill_at, no_fault
from wuu.store import journal
from wuu.store.files import TEMP_PREFIX
from wuu.store.home import JOURNAL, RECEIPTS, Home
from wuu.store.recovery import read_conflicts, settle

FULL = [scenario for scenario in SCENARIOS if scenario.leaves_receipt]
SINGLE = [scenario for scenario in SCENARIOS if not scenario.leaves_receipt]


class Order:
    """What of a home is not durable yet, call after call, and what should have been."""

    def __init__(self, home: Home, *, full: bool, uncertain: Iterable[str] = ()) -> None:
        self._root, self._full = home.root, full
        self._names = {self._inside(path) for path in uncertain}  # made, moved or removed, and not synced
        self._bytes = {path for path in self._names if path.endswith(journal.INTENT_ENDING)}
        self._decided = bool(self._bytes)
        self.objections: list[str] = []

    def follow(self, calls: Iterable[Call]) -> list[str]:
        for call in calls:
            step = getattr(self, f"_{call.name}", None)
            if step is not None and call.path.startswith(self._root):
                step(self._inside(call.path), call.more)
        left = {name for name in self._names if not name.startswith(JOURNAL)}
        self._object_if(left, f"is the end, and not durable: {sorted(left)}")
        return self.objections

    def _inside(self, path: str) -> str:
        return os.path.relpath(path, self._root)

    def _object_if(self, wrong: object, what: str) -> None:
        if wrong:
            self.objections.append(what)

    def _open(self, path: str, new: object) -> None:
        if new:
            self._object_if(os.path.dirname(path) in self._names, f"{path} is made in a folder that may go")

    def _mkdir(self, path: str, _: object) -> None:
        self._names.add(path)

    def _write(self, path: str, _: object) -> None:
        self._bytes.add(path)

    def _fsync(self, path: str, _: object) -> None:
        self._bytes.discard(path)
        self._names = {name for name in self._names if (os.path.dirname(name) or ".") != path}

    def _replace(self, temp: str, place: str) -> None:
        place = self._inside(place)
        self._object_if(temp in self._bytes, f"{place} is put in place before its bytes are durable")
        self._touch(place)
        if place.startswith(JOURNAL):
            self._decided = True

    def _link(self, _: str, place: str) -> None:
        self._touch(self._inside(place))

    def _unlink(self, path: str, _: object) -> None:
        if path.startswith(JOURNAL) and path.endswith(journal.INTENT_ENDING):
            late = [name for name in self._names if not name.startswith(JOURNAL)]
            self._object_if(late, f"the intent goes before these are durable: {late}")
            self._names.add(path)
        elif not os.path.basename(path).startswith(TEMP_PREFIX):
            self._touch(path)

    def _touch(self, path: str) -> None:
        in_journal = [name for name in self._names | self._bytes if name.startswith(JOURNAL)]
        if path.startswith(RECEIPTS):
            self._object_if(self._names, f"the receipt comes before these are durable: {sorted(self._names)}")
        elif self._full and not path.startswith(JOURNAL):
            self._object_if(in_journal or not self._decided, f"{path} changes before that is decided durably")
        self._names.add(path)


def _log(home: Home, scenario: Scenario) -> list[Call]:
    return outcome_under(no_fault, attempt, home, scenario)[1]


def _without_each_sync(calls: list[Call]) -> Iterable[tuple[Call, list[Call]]]:
    for number, call in enumerate(calls):
        if call.name == "fsync":
            yield call, calls[:number] + calls[number + 1 :]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_everything_is_durable_before_the_next_thing_relies_on_it(scenario: Scenario, tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), scenario.before)
    calls = _log(home, scenario)
    assert Order(home, full=scenario.leaves_receipt).follow(calls) == []
    for dropped, fewer in _without_each_sync(calls):
        assert Order(home, full=scenario.leaves_receipt).follow(fewer) != [], f"nobody misses {dropped}"


def test_two_files_of_a_folder_cost_seven_flushes(tmp_path: Path) -> None:
    """Two files, the receipt, the intent and its name, the folder of the files, the name of the receipt."""
    scenario = SCENARIOS[0]
    home = make_home(str(tmp_path / "home"), scenario.before)
    assert [call.name for call in _log(home, scenario)].count("fsync") == 7


def test_one_file_costs_two_flushes(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), SINGLE[0].before)
    assert [call.name for call in _log(home, SINGLE[0])].count("fsync") == 2


def test_the_first_write_of_a_home_makes_its_folders_durable(tmp_path: Path) -> None:
    home = Home(str(tmp_path / "far" / "home"))
    calls = _log(home, SCENARIOS[0]._replace(before={}))
    assert Order(home, full=False).follow(calls) == []
    made = [call.path for call in calls if call.name == "mkdir"]
    assert os.path.dirname(home.root) in made
    for place in made:
        after = calls[[call.path for call in calls].index(place) :]
        synced = next(call for call in after if call.name == "fsync")
        assert synced.path == os.path.dirname(place)


def test_a_folder_that_a_killed_writer_may_have_made_is_made_durable(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {})
    os.makedirs(home.place("memory"))
    calls = _log(home, SCENARIOS[4])
    assert Order(home, full=False, uncertain=[home.place("memory")]).follow(calls) == []


@pytest.mark.parametrize("scenario", FULL, ids=lambda scenario: scenario.name)
def test_recovery_makes_durable_what_it_found_before_it_relies_on_it(
    scenario: Scenario, tmp_path: Path
) -> None:
    home = make_interrupted_home(str(tmp_path / "home"), scenario)
    uncertain = [home.place(f"{JOURNAL}/{name}") for name in journal.intent_names(home)]
    _, calls = outcome_under(no_fault, write_elsewhere, home, scenario)
    until = next(
        number for number, call in enumerate(calls) if call.path == uncertain[0] and call.name == "unlink"
    )
    recovery = calls[: until + 1]
    assert Order(home, full=True, uncertain=uncertain).follow(recovery) == []
    for dropped, fewer in _without_each_sync(recovery):
        if not dropped.path.startswith(os.path.dirname(home.root) + os.sep) or dropped.path == home.root:
            continue
        order = Order(home, full=True, uncertain=uncertain)
        assert order.follow(fewer) != [], f"nobody misses {dropped}"


def test_recovery_does_not_rely_on_names_that_it_did_not_see_synced(tmp_path: Path) -> None:
    """The writer died between publishing and syncing: the files look finished, and may still go."""
    scenario = SCENARIOS[0]
    home = make_home(str(tmp_path / "home"), scenario.before)
    calls = _log(make_home(str(tmp_path / "twin"), scenario.before), scenario)
    last = [call.number for call in calls if call.name == "replace" and str(call.more).endswith(".md")][-1]
    outcome_under(kill_at(last + 1), attempt, home, scenario)
    uncertain = [home.place(f"{JOURNAL}/{name}") for name in journal.intent_names(home)]
    uncertain += [home.place(path) for path in scenario.after]
    _, calls = outcome_under(no_fault, write_elsewhere, home, scenario)
    until = next(
        number for number, call in enumerate(calls) if call.path == uncertain[0] and call.name == "unlink"
    )
    assert Order(home, full=True, uncertain=uncertain).follow(calls[: until + 1]) == []


def test_a_receipt_that_recovery_finds_is_made_durable_before_the_intent_goes(tmp_path: Path) -> None:
    scenario = SCENARIOS[0]
    home = make_home(str(tmp_path / "home"), scenario.before)
    calls = _log(make_home(str(tmp_path / "twin"), scenario.before), scenario)
    last = [call.number for call in calls if call.name == "replace"][-1]
    outcome_under(kill_at(last + 1), attempt, home, scenario)
    (receipt,) = [name for name in os.listdir(home.place(RECEIPTS)) if not name.startswith(TEMP_PREFIX)]
    uncertain = [home.place(f"{JOURNAL}/{name}") for name in journal.intent_names(home)]
    _, calls = outcome_under(no_fault, write_elsewhere, home, scenario)
    until = next(
        number for number, call in enumerate(calls) if call.path == uncertain[0] and call.name == "unlink"
    )
    uncertain.append(home.place(f"{RECEIPTS}/{receipt}"))
    assert Order(home, full=True, uncertain=uncertain).follow(calls[: until + 1]) == []


def test_parking_never_loses_the_intent(tmp_path: Path) -> None:
    """The new name is durable before the old one may go, and settling lasts."""
    scenario = SCENARIOS[0]
    home = make_interrupted_home(str(tmp_path / "home"), scenario)
    put(home, {"memory/owl.md": b"edited\n"})
    _, calls = outcome_under(no_fault, write_elsewhere, home, scenario)
    named = next(call.number for call in calls if call.name == "link")
    steps = [(call.name, os.path.basename(call.path)) for call in calls[named:] if call.changes]
    intent = os.path.basename(calls[named - 1].path)
    assert steps[:3] == [("fsync", "conflicts"), ("unlink", intent), ("fsync", "journal")]
    (conflict,) = read_conflicts(home)
    _, calls = outcome_under(no_fault, settle, home, conflict.id, keep_prepared=False)
    assert [(call.name, os.path.basename(call.path)) for call in calls if call.changes] == [
        ("unlink", f"{conflict.id}.intent"),
        ("fsync", "conflicts"),
    ]
