"""Whatever a crash leaves, the next writer makes it whole; and the checker that says so is tested.

Here recovery is cut in two scenarios; `scripts/prove.py` cuts it in all of them.
"""

import os
from pathlib import Path

import pytest

import prove
from store import proof
from store.checking import SCENARIOS, Scenario, attempt, make_home, outcome_under
from store.crash_cases import all_cases, commit_case, unsynced_recovery_case
from store.crash_disk import Disk, Tree, key_of
from store.crash_trees import read_tree, write_tree
from store.faults import Call, Killed, kill_at, no_fault
from store.thorough import THOROUGH
from store.weakened import WEAKENED, Weakened
from wuu.store import files
from wuu.store.home import HOLDER, Home

# What `scripts/prove.py --quick` leaves out, and after which cut recovery is cut too.
REST = {
    SCENARIOS[0].name: "fsync of journal",
    "a second change right after the first": None,
    "the first write of a home": None,
    "recover: add one under a request id": None,
    "recover what is not durable yet": None,
    "rename a topic into a new folder, then MEMORY.md is edited": None,
    "rename a topic into a new folder, then bird.md is edited": None,
    "park what an edit stopped": None,
    "a lying disk: rename a topic into a new folder": None,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [case for case in all_cases() if case.name in REST], ids=lambda case: case.name
)
def test_whatever_a_crash_leaves_is_made_whole(case: proof.Case, quick_place: Path) -> None:
    report = proof.quickly(case, quick_place, REST[case.name])
    assert report.objections == ()
    assert report.capped == 0
    assert report.powerless >= report.killed > 2
    assert (report.nested > 0) is (REST[case.name] is not None)


@pytest.mark.slow
def test_the_script_reports_no_objection_and_no_weakened_protocol_that_passes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert prove.main(["--quick"]) == 0
    report = capsys.readouterr().out
    for name in (*proof.QUICK, *(one.name for one in WEAKENED)):
        assert f"\n{name} " in report
    assert "MISSED" not in report
    assert f"{len(WEAKENED)} of {len(WEAKENED)} caught" in report


def test_the_script_fails_if_a_weakened_protocol_passes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    strong = Weakened("not weakened at all", proof.contextlib.nullcontext, commit_case(SCENARIOS[5]))
    monkeypatch.setattr(proof, "WEAKENED", (strong,))
    monkeypatch.setattr(proof, "QUICK", {SCENARIOS[5].name: None})
    monkeypatch.setattr(proof, "cases_with_syncs", lambda **_: ())
    assert prove.main(["--quick"]) == 1
    assert "MISSED" in capsys.readouterr().out


def test_the_script_fails_if_the_protocol_is_objected_to(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "WEAKENED", ())
    monkeypatch.setattr(proof, "QUICK", {SCENARIOS[3].name: None})
    monkeypatch.setattr(proof, "cases_with_syncs", lambda **_: ())
    monkeypatch.setattr(files, "sweep", lambda _: 0)
    assert prove.main(["--quick"]) == 1
    assert "left behind" in capsys.readouterr().out


# Of the full path, the weakened protocols leave out the syncs that matter group by group.
@pytest.mark.parametrize(
    "scenario", [SCENARIOS[3], *(SCENARIOS[:1] if THOROUGH else ())], ids=lambda scenario: scenario.name
)
def test_every_sync_of_a_commit_is_needed(scenario: Scenario, quick_place: Path) -> None:
    found = list(proof.syncs(quick_place, (commit_case(scenario),)))
    assert len(found) == (7 if scenario.leaves_receipt else 2)
    assert [one.name for one in found if one.objection is None] == []


@pytest.mark.slow
def test_recovery_has_one_sync_that_no_honest_disk_needs(quick_place: Path) -> None:
    """The bytes of an intent were synced before it got its name; one from a backup may not have been."""
    first = next(proof.syncs(quick_place, (unsynced_recovery_case(),)))
    assert (first.name.rpartition(".")[2], first.objection) == ("intent", None)


# --- the model ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_the_model_sees_what_a_real_kill_leaves(scenario: Scenario, quick_place: Path) -> None:
    """Cut by the model or by a kill at the same call: the same files with the same bytes and modes."""
    origin = make_home(str(quick_place / "home"), scenario.before)
    start = read_tree(origin.root)
    before = os.path.join(origin.root, "")
    _, calls = outcome_under(no_fault, attempt, origin, scenario)
    disk = Disk(start)
    for call in calls:
        inside = call._replace(
            path=call.path.removeprefix(before) if call.path != origin.root else "",
            more=call.more.removeprefix(before) if isinstance(call.more, str) else call.more,
        )
        if call.changes and inside.path != HOLDER:
            home = _copy(quick_place / str(call.number), start)
            ended, _ = outcome_under(kill_at(call.number), attempt, home, scenario)
            assert isinstance(ended, Killed)
            here = disk.copy()
            if call.name == "write":
                here.tear(inside)
            assert _shape(here.tree()) == _shape(read_tree(home.root)), str(call)
            disk.apply(inside)
    assert _shape(disk.tree()) == _shape(read_tree(origin.root))


def _copy(place: Path, tree: Tree) -> Home:
    write_tree(str(place), tree)
    return Home(str(place))


def _shape(tree: Tree) -> object:
    """Leave out what differs from run to run: names and bytes of intents and receipts."""
    return frozenset(
        (os.path.dirname(path), content and content[1])
        if path.startswith(("journal/", "receipts/")) or files.TEMP_PREFIX in path
        else (path, content)
        for path, content in tree.items()
    )


def _disk(*calls: tuple[str, str, object], tree: Tree | None = None) -> Disk:
    disk = Disk(tree or {})
    for number, (name, path, more) in enumerate(calls, 1):
        disk.apply(Call(number, name, path, more))  # type: ignore[arg-type]
    return disk


def _survivors(disk: Disk) -> set[object]:
    found, complete = disk.survivors()
    assert complete
    return {key_of(one.tree) for one in found}


def _keys(*trees: Tree) -> set[object]:
    return {key_of(tree) for tree in trees}


OLD, NEW = (b"old", 0o600), (b"newer!", 0o600)


def test_bytes_that_are_not_synced_may_be_absent_cut_or_zeros() -> None:
    disk = _disk(("open", "a", "new"), ("write", "a", b"newer!"), ("fsync", "", None))
    torn = (b"", b"new", b"\0\0\0er!", b"\0" * 6)
    assert _survivors(disk) == _keys({"a": NEW}, *({"a": (data, 0o600)} for data in torn))
    disk.apply(Call(4, "fsync", "a"))
    assert _survivors(disk) == _keys({"a": NEW})


def test_a_name_survives_once_its_folder_is_synced_and_not_by_the_sync_of_its_file() -> None:
    disk = _disk(("open", "a", "new"), ("write", "a", b"newer!"), ("fsync", "a", None))
    assert _survivors(disk) == _keys({}, {"a": NEW})
    disk.apply(Call(4, "fsync", ""))
    assert _survivors(disk) == _keys({"a": NEW})


def test_names_of_one_folder_survive_each_on_its_own() -> None:
    disk = _disk(("unlink", "a", None), ("unlink", "b", None), tree={"a": OLD, "b": OLD})
    assert _survivors(disk) == _keys({}, {"a": OLD}, {"b": OLD}, {"a": OLD, "b": OLD})


def test_a_rename_between_folders_may_be_in_both_or_in_neither() -> None:
    tree: Tree = {"x": None, "y": None, "x/a": OLD}
    disk = _disk(("replace", "x/a", "y/a"), tree=tree)
    folders: Tree = {"x": None, "y": None}
    both: Tree = {**folders, "x/a": OLD, "y/a": (*OLD, "x/a")}  # one file
    assert _survivors(disk) == _keys(tree, folders, both, {**folders, "y/a": OLD})
    disk.apply(Call(2, "fsync", "y"))
    assert _survivors(disk) == _keys(both, {**folders, "y/a": OLD})


def test_a_file_with_two_names_has_them_on_a_real_disk_too(quick_place: Path) -> None:
    disk = _disk(("link", "a", "b"), tree={"a": OLD})
    write_tree(str(quick_place / "disk"), disk.tree())
    assert os.path.samefile(quick_place / "disk" / "a", quick_place / "disk" / "b")
    again = Disk(disk.tree())
    again.apply(Call(1, "fchmod", "b", 0o640))
    assert again.tree() == {"a": (b"old", 0o640), "b": (b"old", 0o640, "a")}


def test_what_is_in_a_folder_goes_with_the_folder() -> None:
    disk = _disk(("mkdir", "x", None), ("open", "x/a", "new"), ("fsync", "x/a", None), ("fsync", "x", None))
    assert _survivors(disk) == _keys({}, {"x": None, "x/a": (b"", 0o600)})


def test_a_mode_is_durable_with_its_file() -> None:
    disk = _disk(("fchmod", "a", 0o640), tree={"a": OLD})
    assert _survivors(disk) == _keys({"a": OLD}, {"a": (b"old", 0o640)})
    disk.apply(Call(2, "fsync", "a"))
    assert _survivors(disk) == _keys({"a": (b"old", 0o640)})


def test_too_many_names_are_said_to_be_too_many() -> None:
    """Above the cap every prefix of what was done and every name alone are still looked at."""
    names = [f"{number}.md" for number in range(12)]
    disk = _disk(*(("unlink", name, None) for name in names), tree=dict.fromkeys(names, OLD))
    found, complete = disk.survivors()
    assert not complete
    keys = {key_of(one.tree) for one in found}
    for number in range(13):
        assert key_of(dict.fromkeys(names[number:], OLD)) in keys
    for name in names:
        assert key_of({name: OLD}) in keys
        assert key_of(dict.fromkeys(set(names) - {name}, OLD)) in keys


def test_what_a_person_writes_replaces_what_was_in_the_air() -> None:
    disk = _disk(("unlink", "a", None), tree={"a": OLD})
    disk.put("a", b"mine")
    disk.put("x/y/b", b"mine")
    assert _survivors(disk) == _keys(
        {"a": (b"mine", 0o600), "x": None, "x/y": None, "x/y/b": (b"mine", 0o600)}
    )
