"""What a killed writer left is finished or parked, and a person settles what is parked (ARCHITECTURE 3)."""

import errno
import os
from pathlib import Path
from unittest import mock

import pytest

from store.checking import (
    COMMAND,
    SCENARIOS,
    Scenario,
    attempt,
    leftovers,
    make_home,
    make_interrupted_home,
    objections,
    outcome_under,
    plan_of,
    put,
    read_state,
    receipts_of,
    tree,
    write_elsewhere,
)
from store.faults import Call, watching
from wuu.errors import Corrupt, IoProblem, NotFound, RecoveryNeeded, UnsafeFile
from wuu.ids import new_id
from wuu.store import files, journal, recovery
from wuu.store.changes import Change, Receipt, Request, digest_of
from wuu.store.home import CONFLICTS, JOURNAL, RECEIPTS, Home
from wuu.store.journal import Intent
from wuu.store.locks import hold
from wuu.store.recovery import pending_intents, read_conflicts, recover, settle
from wuu.store.transaction import commit

EDITED = b"edited by hand\n"
SCENARIO = SCENARIOS[0]
INDEX, OWL = SCENARIO.after


@pytest.fixture
def interrupted(tmp_path: Path) -> Home:
    """Return a home in which a change is decided and not begun."""
    return make_interrupted_home(str(tmp_path / "home"), SCENARIO)


@pytest.fixture
def parked(interrupted: Home) -> Home:
    """Return a home in which a change is parked: one file made, the other edited in between."""
    put(interrupted, {OWL: SCENARIO.after[OWL], INDEX: EDITED})
    commit(interrupted, plan_of({"else.md": b"x"}), command="next")
    return interrupted


def _plant(home: Home, *changes: Change, request: Request | None = None, folder: str = JOURNAL) -> Intent:
    intent = Intent(new_id(), "planted", "2026-05-01T07:30:00Z", request, changes)
    files.ensure_folder(home.place(folder))
    files.write_atomic(home.place(f"{folder}/{intent.id}.intent"), journal.render_intent(intent))
    return intent


def test_what_was_decided_is_finished_once(interrupted: Home) -> None:
    (recovered,) = commit(interrupted, plan_of({"else.md": b"x"}), command="next").recovered
    assert (recovered.outcome, recovered.paths) == ("completed", (INDEX, OWL))
    assert read_state(interrupted, SCENARIO.after) == SCENARIO.after
    assert len(receipts_of(interrupted)) == 1
    assert commit(interrupted, plan_of({"else.md": b"y"}), command="next").recovered == ()
    assert leftovers(interrupted) == []


@pytest.mark.parametrize("made", [(), (INDEX,), (OWL,), (INDEX, OWL)], ids=len)
def test_it_does_not_matter_how_far_it_came(interrupted: Home, made: tuple[str, ...]) -> None:
    put(interrupted, {path: SCENARIO.after[path] for path in made})
    write_elsewhere(interrupted, SCENARIO)
    assert list(objections(interrupted, SCENARIO, made=True)) == []


def test_a_file_that_is_right_already_is_not_written_again(interrupted: Home) -> None:
    put(interrupted, {INDEX: SCENARIO.after[INDEX]})
    before = os.stat(interrupted.place(INDEX))
    write_elsewhere(interrupted, SCENARIO)
    after = os.stat(interrupted.place(INDEX))
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_recovery_of_recovery_changes_nothing(interrupted: Home) -> None:
    with hold(interrupted, "test"):
        assert len(recover(interrupted)) == 1
        before = tree(interrupted.root)
        assert recover(interrupted) == ()
    assert tree(interrupted.root) == before


def test_a_removal_is_finished_even_if_its_folder_is_gone(tmp_path: Path) -> None:
    home = make_interrupted_home(str(tmp_path / "home"), SCENARIOS[2])
    put(home, {"a/one.md": None})
    os.rmdir(home.place("a"))
    write_elsewhere(home, SCENARIOS[2])
    assert list(objections(home, SCENARIOS[2], made=True)) == []


@pytest.mark.parametrize(
    ("path", "edit"),
    [(INDEX, EDITED), (OWL, EDITED), (INDEX, None), (INDEX, b"x" * 300_000), (OWL, b"x" * 300_000)],
    ids=["edited", "made", "removed", "grown", "made large"],
)
def test_an_edit_in_between_stops_it_and_stays(interrupted: Home, path: str, edit: bytes | None) -> None:
    put(interrupted, {path: edit})
    (recovered,) = commit(interrupted, plan_of({"else.md": b"x"}), command="next").recovered
    assert recovered.outcome == "parked"
    assert interrupted.read(path, limit=1_000_000) == edit
    other = OWL if path == INDEX else INDEX
    assert interrupted.read(other) == SCENARIO.before.get(other)
    assert leftovers(interrupted) == [f"{CONFLICTS}/{recovered.id}.intent"]
    assert receipts_of(interrupted) == []


def test_an_edit_that_was_seen_costs_no_staging(interrupted: Home) -> None:
    put(interrupted, {INDEX: EDITED})
    with watching() as calls, hold(interrupted, "test"):
        (recovered,) = recover(interrupted)
    assert recovered.outcome == "parked"
    assert not [call for call in calls if call.name == "write"]


def test_an_edit_while_recovery_stages_is_noticed(interrupted: Home) -> None:
    def slow(place: str, data: bytes) -> str:
        put(interrupted, {INDEX: EDITED})
        return stage(place, data)

    stage = files.stage
    with mock.patch.object(files, "stage", slow):
        (recovered,) = commit(interrupted, plan_of({}), command="next").recovered
    assert recovered.outcome == "parked"
    assert interrupted.read(INDEX) == EDITED
    assert interrupted.read(OWL) is None
    assert leftovers(interrupted) == [f"{CONFLICTS}/{recovered.id}.intent"]


def test_recovery_that_fails_leaves_no_temps(interrupted: Home) -> None:
    def full(call: Call) -> None:
        if call.name == "replace" and call.more == interrupted.place(INDEX):
            raise OSError(errno.ENOSPC, "full", call.path)

    ended, _ = outcome_under(full, commit, interrupted, plan_of({}), command="next")
    assert isinstance(ended, IoProblem)
    assert leftovers(interrupted) == [f"{JOURNAL}/{name}" for name in journal.intent_names(interrupted)]


@pytest.mark.parametrize("kind", ["folder", "fifo", "link out", "file for its folder"])
def test_what_came_in_the_way_is_not_replaced_and_holds_nobody_up(
    interrupted: Home, kind: str, tmp_path: Path
) -> None:
    place = interrupted.place(OWL)
    if kind == "folder":
        os.mkdir(place)
    elif kind == "fifo":
        os.mkfifo(place)
    elif kind == "link out":
        os.symlink(tmp_path, place)
    else:
        os.rename(interrupted.place("memory"), interrupted.place("moved"))
        Path(interrupted.place("memory")).write_bytes(EDITED)
    (recovered,) = commit(interrupted, plan_of({"else.md": b"x"}), command="next").recovered
    assert recovered.outcome == "parked"
    with pytest.raises((UnsafeFile, Corrupt)), hold(interrupted, "test"):
        settle(interrupted, recovered.id, keep_prepared=True)
    assert [one.id for one in read_conflicts(interrupted)] == [recovered.id]
    with hold(interrupted, "test"):
        settle(interrupted, recovered.id, keep_prepared=False)
    assert read_conflicts(interrupted) == []
    assert interrupted.read("else.md") == b"x"


def test_a_folder_that_became_a_file_does_not_stop_other_writers(tmp_path: Path) -> None:
    scenario = Scenario("deep", {}, {"deep/er/a.md": b"1", "deep/er/b.md": b"2"})
    home = make_interrupted_home(str(tmp_path / "home"), scenario)
    put(
        home,
        dict.fromkeys([path for path in tree(home.root) if path.startswith("deep/") and path[-1] != "/"]),
    )
    os.rmdir(home.place("deep/er"))
    put(home, {"deep/er": EDITED})
    (recovered,) = commit(home, plan_of({"else.md": b"x"}), command="next").recovered
    assert recovered.outcome == "parked"
    assert home.read("deep/er") == EDITED


def test_a_finished_change_is_not_made_again_after_an_edit(tmp_path: Path) -> None:
    """Its receipt tells, even if the intent came back because its removal was never flushed."""
    home = make_home(str(tmp_path / "home"), SCENARIO.before)
    intents: list[tuple[str, bytes]] = []
    real = files.remove

    def keep(place: str) -> None:
        if place.endswith(".intent"):
            intents.append((place, Path(place).read_bytes()))
        real(place)

    with mock.patch.object(files, "remove", keep):
        attempt(home, SCENARIO)
    ((place, data),) = intents
    put(home, {INDEX: EDITED, OWL: None})
    Path(place).write_bytes(data)
    (recovered,) = commit(home, plan_of({"else.md": b"x"}), command="next").recovered
    assert recovered.outcome == "completed"
    assert read_state(home, SCENARIO.after) == {INDEX: EDITED, OWL: None}
    assert read_conflicts(home) == []
    assert len(receipts_of(home)) == 1


@pytest.mark.parametrize("damage", ["torn", "altered", "empty", "folder", "link", "fifo", "huge"])
def test_a_damaged_intent_is_parked_and_holds_nobody_up(
    interrupted: Home, damage: str, tmp_path: Path
) -> None:
    (name,) = journal.intent_names(interrupted)
    place = Path(interrupted.place(f"{JOURNAL}/{name}"))
    whole = place.read_bytes()
    place.unlink()
    if damage in ("torn", "altered", "empty"):
        torn = {"torn": whole[:-3], "altered": whole.replace(b"owl", b"elk"), "empty": b""}
        place.write_bytes(torn[damage])
    elif damage == "folder":
        place.mkdir()
    elif damage == "link":
        (tmp_path / "outside").write_bytes(whole)
        place.symlink_to(tmp_path / "outside")
    elif damage == "fifo":
        os.mkfifo(place)
    else:
        with place.open("wb") as file:
            file.truncate(1 << 33)
    (recovered,) = commit(interrupted, plan_of({"else.md": b"x"}), command="next").recovered
    assert (recovered.outcome, recovered.paths) == ("parked", ())
    (conflict,) = read_conflicts(interrupted)
    assert conflict.damaged
    assert read_state(interrupted, SCENARIO.after) == SCENARIO.state(changed=False)
    commit(interrupted, plan_of({INDEX: b"free\n", OWL: b"free\n"}), command="next")
    with hold(interrupted, "test"):
        with pytest.raises(Corrupt):
            settle(interrupted, conflict.id, keep_prepared=True)
        if damage != "folder":
            assert settle(interrupted, conflict.id, keep_prepared=False) == []
            assert read_conflicts(interrupted) == []


@pytest.mark.parametrize("path", ["../outside.md", "/etc/evil", ".lock", "journal/x.intent", "a\0b"])
def test_o17_a_planted_intent_does_not_leave_the_home(path: str, tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {})
    before = os.listdir(tmp_path)
    _plant(home, Change(path, None, b"evil"))
    (recovered,) = commit(home, plan_of({"else.md": b"x"}), command="next").recovered
    assert recovered.outcome == "parked"
    assert os.listdir(tmp_path) == before
    assert b"evil" not in [data for name, data in tree(home.root).items() if not name.startswith(CONFLICTS)]


def test_a_parked_change_blocks_its_own_files_and_no_others(parked: Home) -> None:
    (conflict,) = read_conflicts(parked)
    assert conflict.command == COMMAND
    assert [tuple(one) for one in conflict.files] == [(INDEX, "changed"), (OWL, "prepared")]
    for changes in ({INDEX: b"x"}, {OWL: b"x"}, {"else.md": b"y", OWL: None}):
        before = read_state(parked, changes)
        with pytest.raises(RecoveryNeeded) as raised:
            commit(parked, plan_of(changes), command="next")
        assert raised.value.exit_status == 7
        assert raised.value.details["conflict"] == conflict.id
        assert set(raised.value.details["paths"]) <= {INDEX, OWL}
        assert "reconcile files" in (raised.value.hint or "")
        assert read_state(parked, changes) == before
    commit(parked, plan_of({"else.md": b"y", "memory/free.md": b"y"}), command="next")


def test_a_parked_change_blocks_its_files_under_any_name(parked: Home) -> None:
    os.symlink("memory", parked.place("notes"))
    with pytest.raises(RecoveryNeeded):
        commit(parked, plan_of({"notes/owl.md": b"x"}), command="next")


def test_a_parked_request_is_not_made_a_second_time(tmp_path: Path) -> None:
    """Made again under new names, and then kept as prepared, it would be there twice."""
    scenario = SCENARIOS[-1]
    home = make_interrupted_home(str(tmp_path / "home"), scenario)
    put(home, {"memory/owl.md": EDITED})
    again = plan_of({"memory/another.md": b"The owl.\n"})
    for _ in range(2):  # when it is parked, and when it was parked before
        with pytest.raises(RecoveryNeeded):
            commit(home, again, command=COMMAND, request=scenario.request)
    assert home.read("memory/another.md") is None
    (conflict,) = read_conflicts(home)
    with hold(home, "test"):
        settle(home, conflict.id, keep_prepared=True)
    assert commit(home, again, command=COMMAND, request=scenario.request).replayed
    assert home.read("memory/another.md") is None


def test_keeping_the_disk_leaves_every_file_as_it_is(parked: Home) -> None:
    (conflict,) = read_conflicts(parked)
    before = read_state(parked, SCENARIO.after)
    with hold(parked, "test"):
        assert settle(parked, conflict.id, keep_prepared=False) == []
    assert read_state(parked, SCENARIO.after) == before
    assert leftovers(parked) == receipts_of(parked) == []
    commit(parked, plan_of({INDEX: b"free\n"}), command="next")


def test_keeping_the_prepared_makes_the_change_and_keeps_a_copy(parked: Home) -> None:
    (conflict,) = read_conflicts(parked)
    with hold(parked, "test"):
        kept = settle(parked, conflict.id, keep_prepared=True)
    assert read_state(parked, SCENARIO.after) == SCENARIO.after
    assert [parked.read(path) for path in kept] == [EDITED]
    assert [os.path.basename(path).endswith("-MEMORY.md") for path in kept] == [True]
    assert os.stat(parked.place(kept[0])).st_mode & 0o777 == 0o600
    assert leftovers(parked) == []
    assert len(receipts_of(parked)) == 1
    assert read_conflicts(parked) == []


def test_a_copy_is_no_conflict_whatever_its_name(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {"a/x.intent": EDITED, "a/y.damaged": EDITED})
    intent = _plant(
        home, Change("a/x.intent", None, b"1"), Change("a/y.damaged", None, b"2"), folder=CONFLICTS
    )
    with hold(home, "test"):
        assert len(settle(home, intent.id, keep_prepared=True)) == 2
    assert read_conflicts(home) == []


def test_o19_a_copy_of_a_file_with_a_long_name_is_kept(tmp_path: Path) -> None:
    path = "memory/" + "語" * 84 + ".md"
    home = make_home(str(tmp_path / "home"), {path: EDITED})
    intent = _plant(home, Change(path, None, b"prepared"), folder=CONFLICTS)
    with hold(home, "test"):
        (kept,) = settle(home, intent.id, keep_prepared=True)
    assert home.read(kept) == EDITED
    assert home.read(path) == b"prepared"


def test_a_copy_of_a_large_file_is_kept_too(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {"memory/a.md": b"x" * 400_000})
    intent = _plant(home, Change("memory/a.md", None, b"prepared"), folder=CONFLICTS)
    with hold(home, "test"):
        (kept,) = settle(home, intent.id, keep_prepared=True)
    assert home.read(kept, limit=400_000) == b"x" * 400_000


def test_nothing_is_replaced_before_its_copy_is_kept(parked: Home) -> None:
    (conflict,) = read_conflicts(parked)
    with (
        mock.patch.object(recovery.files, "write_atomic", side_effect=IoProblem("full")),
        pytest.raises(IoProblem),
        hold(parked, "test"),
    ):
        settle(parked, conflict.id, keep_prepared=True)
    assert parked.read(INDEX) == EDITED
    assert [one.id for one in read_conflicts(parked)] == [conflict.id]


@pytest.mark.parametrize("conflict_id", ["none", "", "../journal/x", "../memory/owl.md", ".", "a/b"])
@pytest.mark.parametrize("keep_prepared", [True, False])
def test_o17_only_what_is_parked_can_be_settled(
    parked: Home, conflict_id: str, *, keep_prepared: bool
) -> None:
    Path(parked.place(f"{JOURNAL}/x.intent")).write_text("x")
    before = tree(parked.root)
    with pytest.raises(NotFound):
        settle(parked, conflict_id, keep_prepared=keep_prepared)
    assert tree(parked.root) == before


def test_a_parked_intent_that_cannot_be_read_is_shown_as_damaged(parked: Home) -> None:
    (conflict,) = read_conflicts(parked)
    Path(parked.place(f"{CONFLICTS}/{conflict.id}.intent")).write_text("torn")
    assert read_conflicts(parked) == [(conflict.id, "", None, (), True)]
    commit(parked, plan_of({INDEX: b"free\n"}), command="next")
    with pytest.raises(Corrupt):
        settle(parked, conflict.id, keep_prepared=True)
    settle(parked, conflict.id, keep_prepared=False)
    assert read_conflicts(parked) == []


def test_a_process_that_is_out_of_descriptors_parks_nothing(interrupted: Home) -> None:
    shortage = IoProblem("too many open files", errno=errno.EMFILE)
    with mock.patch("wuu.store.finishing.current_digest", side_effect=shortage), pytest.raises(IoProblem):
        commit(interrupted, plan_of({"else.md": b"x"}), command="next")
    assert read_conflicts(interrupted) == []
    write_elsewhere(interrupted, SCENARIO)
    assert list(objections(interrupted, SCENARIO, made=True)) == []


def test_several_intents_are_finished_in_the_order_they_were_made(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {"a.md": b"0"})
    steps = [b"%d" % number for number in range(6)]
    for number in range(5):
        intent = _plant(home, Change("a.md", digest_of(steps[number]), steps[number + 1]))
        os.utime(home.place(f"{JOURNAL}/{intent.id}.intent"), ns=(0, number + 1))
    done = commit(home, plan_of({}), command="next")
    assert [one.outcome for one in done.recovered] == ["completed"] * 5
    assert home.read("a.md") == b"5"


# --- readers --------------------------------------------------------------------------------------------


def test_a_reader_is_told_and_changes_nothing(interrupted: Home) -> None:
    before = tree(interrupted.root)
    (pending,) = pending_intents(interrupted)
    assert journal.intent_names(interrupted) == [f"{pending}.intent"]
    assert interrupted.read(INDEX) == SCENARIO.before[INDEX]
    assert tree(interrupted.root) == before
    write_elsewhere(interrupted, SCENARIO)
    assert pending_intents(interrupted) == []


def test_a_change_that_somebody_is_at_is_not_pending(interrupted: Home) -> None:
    with hold(interrupted, "test"):
        assert pending_intents(interrupted) == []
    assert len(pending_intents(interrupted)) == 1


def test_a_writer_that_finishes_while_a_reader_looks_leaves_nothing_pending(interrupted: Home) -> None:
    def finish(home: Home) -> bool:
        write_elsewhere(home, SCENARIO)
        _plant(home, Change("memory/new.md", None, b"x"))  # the next writer is at work already
        return False

    with mock.patch("wuu.store.locks.is_held", finish):
        assert pending_intents(interrupted) == []


def test_where_there_is_no_home_nothing_is_pending_or_parked(tmp_path: Path) -> None:
    home = Home(str(tmp_path / "none"))
    assert pending_intents(home) == []
    assert read_conflicts(home) == []
    assert os.listdir(tmp_path) == []


def test_the_receipt_of_a_recovered_change_is_that_of_the_change(tmp_path: Path) -> None:
    one = make_home(str(tmp_path / "one"), SCENARIO.before)
    other = make_interrupted_home(str(tmp_path / "other"), SCENARIO)
    attempt(one, SCENARIO)
    write_elsewhere(other, SCENARIO)
    assert _facts(one) == _facts(other)


def _facts(home: Home) -> tuple[object, ...]:
    (name,) = receipts_of(home)
    receipt: Receipt = journal._read_receipt(home, name)
    assert name == journal.receipt_name(receipt)
    assert os.path.exists(home.place(f"{RECEIPTS}/{name}"))
    return receipt.command, receipt.request_id, receipt.files


def test_an_intent_with_both_names_that_can_be_made_after_all_is_no_conflict_any_more(
    interrupted: Home,
) -> None:
    """A writer died while it parked the intent, and the edit that stopped it was taken back."""
    (name,) = journal.intent_names(interrupted)
    files.ensure_folder(interrupted.place(CONFLICTS))
    os.link(interrupted.place(f"{JOURNAL}/{name}"), interrupted.place(f"{CONFLICTS}/{name}"))
    commit(interrupted, plan_of({INDEX: b"the next one\n"}), command="next")
    assert interrupted.read(OWL) == SCENARIO.after[OWL]
    assert interrupted.read(INDEX) == b"the next one\n"
    assert read_conflicts(interrupted) == []
    assert journal.intent_names(interrupted) == []
    assert len(receipts_of(interrupted, COMMAND)) == 1
