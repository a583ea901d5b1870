"""Whatever call the system refuses, the error tells the truth, and all is whole afterwards (case O-05)."""

import errno
import itertools
import shutil
from collections.abc import Callable
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
    plan_of,
    put,
    said_to_be_made,
    tree,
    write_elsewhere,
)
from store.faults import Call, Fault, fail_at, fail_from, kill_at, no_fault
from store.thorough import THOROUGH
from wuu.errors import DiskFull, IoProblem, ReadOnlyDisk, WuuError
from wuu.store import transaction
from wuu.store.home import HOLDER, JOURNAL, Home
from wuu.store.recovery import read_conflicts, settle
from wuu.store.transaction import commit

CODES = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EROFS: "read_only",
    errno.EIO: "io_error",
    errno.EACCES: "io_error",
}
GONE = (errno.EIO, errno.EROFS)  # with which a disk refuses everything from one call on
FULL = [scenario for scenario in SCENARIOS if scenario.leaves_receipt]

pytestmark = pytest.mark.usefixtures("unflushed")

# What the store does after a refusal hangs on the call; on the code hangs how it is named and whether it may
# pass. So every code is tried in the scenario with the most kinds of calls, and in the others the one code
# with which single calls and whole disks fail.
TRIED = [
    (scenario, code)
    for scenario, code in itertools.product(SCENARIOS, CODES)
    if THOROUGH or scenario == SCENARIOS[1] or code == errno.EIO
]


def _named(one: Scenario | int) -> str:
    return one.name if isinstance(one, Scenario) else errno.errorcode[one]


def fault_objections(copies: Copies, scenario: Scenario, code: int) -> list[str]:
    """Let each call fail once, and the disk fail from each call on; let the next writer come, and look."""
    _, calls = outcome_under(no_fault, attempt, copies.fresh(), scenario)
    before = _files(copies.fresh())
    found = []
    for kind, call in itertools.product(_kinds(code), calls):
        home = copies.fresh()
        ended, _ = outcome_under(kind(call.number, code), attempt, home, scenario)
        found += [f"{kind.__name__} {call}: {one}" for one in error_objections(ended, code)]
        if kind is fail_at and said_to_be_made(ended) is False and _files(home) != before:
            found.append(f"{call}: something is left behind: {_files(home).keys() - before.keys()}")
        write_elsewhere(home, scenario)
        made = said_to_be_made(ended)
        found += [f"{kind.__name__} {call}: {one}" for one in objections(home, scenario, made=made)]
        shutil.rmtree(home.root)
    return found


def _kinds(code: int) -> tuple[Callable[[int, int], Fault], ...]:
    return (fail_at, fail_from) if code in GONE else (fail_at,)


def error_objections(ended: BaseException | None, code: int) -> list[str]:
    """Object to an error that does not say what the system said."""
    if ended is None or (isinstance(ended, WuuError) and ended.code == CODES[code]):
        return []
    return [f"{type(ended).__name__} for {errno.errorcode[code]}"]


def _files(home: Home) -> dict[str, bytes]:
    """Return every file but the one that says who holds the lock; an empty folder may stay behind."""
    found = tree(home.root)
    return {path: data for path, data in found.items() if not path.endswith("/") and path != HOLDER}


@pytest.mark.parametrize(("scenario", "code"), TRIED, ids=_named)
def test_the_error_says_truly_whether_anything_was_recorded(
    scenario: Scenario, code: int, quick_place: Path
) -> None:
    copies = Copies(quick_place, make_home(str(quick_place / "home"), scenario.before))
    assert fault_objections(copies, scenario, code) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (errno.ENOSPC, DiskFull),
        (errno.EDQUOT, DiskFull),
        (errno.EFBIG, DiskFull),
        (errno.EROFS, ReadOnlyDisk),
        (errno.EACCES, IoProblem),
        (errno.EIO, IoProblem),
    ],
)
def test_o05_a_write_that_fails_names_the_real_cause_and_leaves_all_as_it_was(
    code: int, expected: type[IoProblem], quick_place: Path
) -> None:
    home = make_home(str(quick_place / "home"), SCENARIOS[0].before)
    before = tree(home.root)
    copy = Copies(quick_place, home).fresh()
    _, calls = outcome_under(no_fault, attempt, copy, SCENARIOS[0])
    number = next(call.number for call in calls if call.name == "write")
    ended, _ = outcome_under(fail_at(number, code), attempt, home, SCENARIOS[0])
    assert type(ended) is expected
    assert "recorded" not in ended.details
    assert ended.details["path"] == home.place("memory/MEMORY.md")
    after = tree(home.root)
    assert after.pop(".lock.json") != before.pop(".lock.json")
    assert after == before


def test_a_disk_that_cannot_tell_is_quoted_as_such(quick_place: Path) -> None:
    """The intent was put in place and taken back, and neither is known to last: a power failure will show."""
    home = make_home(str(quick_place / "home"), SCENARIOS[0].before)

    def fault(call: Call) -> None:
        if call.name == "fsync" and call.path == home.place(JOURNAL):
            raise OSError(errno.EIO, "broken")

    ended, _ = outcome_under(fault, attempt, home, SCENARIOS[0])
    assert isinstance(ended, IoProblem)
    assert ended.details["recorded"] is None
    write_elsewhere(home, SCENARIOS[0])
    assert list(objections(home, SCENARIOS[0], made=False)) == []


def test_a_full_disk_is_noticed_before_anything_is_decided(quick_place: Path) -> None:
    home = make_home(str(quick_place / "home"), SCENARIOS[1].before)
    copies = Copies(quick_place, home)
    _, calls = outcome_under(no_fault, attempt, copies.fresh(), SCENARIOS[1])
    writes = [call.number for call in calls if call.name in ("write", "mkdir") or call.more == "new"]
    for number in writes:
        ended, _ = outcome_under(fail_from(number, errno.ENOSPC), attempt, copies.fresh(), SCENARIOS[1])
        assert isinstance(ended, DiskFull)
        assert "recorded" not in ended.details


def _keep_quiet(error: IoProblem, hint: str, *, recorded: bool | None) -> IoProblem:
    return error


def test_the_checker_objects_to_an_error_that_keeps_quiet(quick_place: Path) -> None:
    copies = Copies(quick_place, make_home(str(quick_place / "home"), SCENARIOS[0].before))
    with mock.patch.object(transaction, "_with_word", _keep_quiet):
        assert fault_objections(copies, SCENARIOS[0], errno.EIO) != []


def _only_recover(home: Home) -> None:
    commit(home, plan_of({}), command="next")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "code"),
    [*((FULL[0], code) for code in CODES), *((scenario, errno.EIO) for scenario in FULL[1:])],
    ids=_named,
)
def test_recovery_may_be_refused_anything(scenario: Scenario, code: int, quick_place: Path) -> None:
    copies = Copies(quick_place, make_interrupted_home(str(quick_place / "home"), scenario))
    _, calls = outcome_under(no_fault, _only_recover, copies.fresh())
    for kind, call in itertools.product(_kinds(code), calls):
        home = copies.fresh()
        ended, _ = outcome_under(kind(call.number, code), _only_recover, home)
        assert error_objections(ended, code) == [], f"{kind.__name__} {call}"
        write_elsewhere(home, scenario)
        for conflict in read_conflicts(home):
            settle(home, conflict.id, keep_prepared=True)
        assert list(objections(home, scenario, made=True)) == [], f"{kind.__name__} {call}"


def test_what_lasts_is_parked_and_holds_nobody_up(quick_place: Path) -> None:
    """A file that cannot be replaced blocks itself, not the home."""
    home = make_home(str(quick_place / "home"), SCENARIOS[0].before)
    _, calls = outcome_under(no_fault, attempt, Copies(quick_place, home).fresh(), SCENARIOS[0])
    published = [call for call in calls if call.name == "replace" and str(call.more).endswith(".md")]
    outcome_under(kill_at(published[1].number), attempt, home, SCENARIOS[0])
    stubborn = home.place("memory/owl.md")

    def refuse(call: Call) -> None:
        if call.name == "replace" and call.more == stubborn:
            raise PermissionError(errno.EPERM, "not permitted", stubborn)

    ended, _ = outcome_under(refuse, write_elsewhere, home, SCENARIOS[0])
    assert ended is None
    (conflict,) = read_conflicts(home)
    assert {file.path: file.state for file in conflict.files} == {
        "memory/MEMORY.md": "prepared",
        "memory/owl.md": "before",
    }
    assert leftovers(home) == [f"conflicts/{conflict.id}.intent"]
    settle(home, conflict.id, keep_prepared=True)
    assert list(objections(home, SCENARIOS[0], made=True)) == []


def test_what_may_pass_is_tried_again(quick_place: Path) -> None:
    """A full disk during recovery is no conflict: the next writer finishes the change."""
    home = make_interrupted_home(str(quick_place / "home"), SCENARIOS[0])

    def full(call: Call) -> None:
        if call.name == "write":
            raise OSError(errno.ENOSPC, "full", call.path)

    ended, _ = outcome_under(full, write_elsewhere, home, SCENARIOS[0])
    assert isinstance(ended, DiskFull)
    assert read_conflicts(home) == []
    write_elsewhere(home, SCENARIOS[0])
    assert list(objections(home, SCENARIOS[0], made=True)) == []


def test_a_person_s_edit_survives_a_refused_settlement(quick_place: Path) -> None:
    home = make_interrupted_home(str(quick_place / "home"), SCENARIOS[0])
    put(home, {"memory/owl.md": b"edited\n"})
    write_elsewhere(home, SCENARIOS[0])
    (conflict,) = read_conflicts(home)
    copies = Copies(quick_place, home)
    _, calls = outcome_under(no_fault, settle, copies.fresh(), conflict.id, keep_prepared=True)
    for call in calls:
        copy = copies.fresh()
        outcome_under(fail_at(call.number, errno.EIO), settle, copy, conflict.id, keep_prepared=True)
        assert b"edited\n" in tree(copy.root).values(), str(call)
