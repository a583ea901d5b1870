"""`commit`: all files or none, decided inside the lock, told truly, and the same request only once."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from store.checking import (
    SCENARIOS,
    attempt,
    leftovers,
    make_home,
    make_interrupted_home,
    objections,
    plan_of,
    put,
    read_state,
    receipts_of,
    tree,
)
from wuu.errors import (
    ChangedOnDisk,
    Corrupt,
    IoProblem,
    Refused,
    RequestIdReused,
    TooLarge,
    UnsafeFile,
    WuuError,
)
from wuu.store import files, journal, transaction
from wuu.store.changes import Change, ChangeSet, Request, digest_of
from wuu.store.home import JOURNAL, RECEIPTS, Home
from wuu.store.locks import is_held
from wuu.store.transaction import commit, preview


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(str(tmp_path / "home"), {"memory/a.md": b"one\n", "memory/b.md": b"two\n"})


def _made(*changes: Change) -> Callable[[Home], ChangeSet[str]]:
    return lambda _: ChangeSet(changes, "outcome")


def test_several_files_change_together_and_leave_a_receipt(home: Home) -> None:
    after = {"memory/a.md": b"ONE\n", "memory/b.md": None, "new/c.md": b"three\n"}
    done = commit(home, plan_of(after), command="test")
    assert read_state(home, after) == after
    assert done.receipt is not None
    assert done.receipt.files == (
        ("memory/a.md", digest_of(b"one\n"), digest_of(b"ONE\n")),
        ("memory/b.md", digest_of(b"two\n"), None),
        ("new/c.md", None, digest_of(b"three\n")),
    )
    assert os.listdir(home.place(RECEIPTS)) == [journal.receipt_name(done.receipt)]
    assert (done.replayed, done.recovered) == (False, ())
    assert leftovers(home) == []


def test_a_single_file_is_written_without_ceremony(home: Home) -> None:
    done = commit(home, plan_of({"memory/a.md": b"ONE\n"}), command="test")
    assert home.read("memory/a.md") == b"ONE\n"
    assert done.receipt is None
    assert os.listdir(home.place(RECEIPTS)) == os.listdir(home.place(JOURNAL)) == []


def test_the_outcome_of_the_plan_comes_back(home: Home) -> None:
    assert commit(home, _made(Change("memory/c.md", None, b"x")), command="test").outcome == "outcome"


def test_a_change_that_changes_nothing_writes_nothing(home: Home) -> None:
    before = tree(home.root)
    done = commit(home, plan_of({"memory/a.md": b"one\n", "memory/none.md": None}), command="test")
    assert (done.changes, done.receipt) == ((), None)
    after = tree(home.root)
    assert {path for path in after if after[path] != before.get(path)} <= {".lock.json"}
    assert after.keys() == before.keys()


def test_what_stays_as_it_is_is_no_part_of_the_change(home: Home) -> None:
    done = commit(home, plan_of({"memory/a.md": b"one\n", "memory/b.md": b"TWO\n"}), command="test")
    assert [one.path for one in done.changes] == ["memory/b.md"]


def test_a_preview_takes_no_lock_and_writes_nothing(home: Home) -> None:
    before = tree(home.root)
    seen = []

    def plan(one: Home) -> ChangeSet[None]:
        seen.append(is_held(one))
        return plan_of({"memory/a.md": b"ONE\n", "memory/b.md": b"two\n"})(one)

    assert [one.path for one in preview(home, plan).changes] == ["memory/a.md"]
    assert seen == [False]
    assert tree(home.root) == before
    commit(home, plan, command="test")
    assert seen == [False, True]


def test_a_plan_that_refuses_leaves_everything_as_it_was(home: Home) -> None:
    def refuse(_: Home) -> ChangeSet[None]:
        raise Refused("no")

    before = tree(home.root)
    before.pop(".lock.json")
    with pytest.raises(Refused):
        commit(home, refuse, command="test", request=Request("r", "d"))
    after = tree(home.root)
    after.pop(".lock.json")
    assert after == before
    assert not is_held(home)


@pytest.mark.parametrize("other", [True, False], ids=["with another file", "alone"])
@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("memory/a.md", digest_of(b"another\n")),
        ("memory/a.md", None),
        ("memory/none.md", digest_of(b"gone\n")),
        ("none/none.md", digest_of(b"gone\n")),
    ],
)
def test_a_file_that_is_not_as_it_was_read_stops_everything(
    home: Home, path: str, before: str | None, *, other: bool
) -> None:
    changes = [Change(path, before, b"new\n")]
    if other:
        changes.insert(0, Change("memory/b.md", digest_of(b"two\n"), b"new\n"))
    kept = tree(home.root)
    with pytest.raises(ChangedOnDisk) as raised:
        commit(home, _made(*changes), command="test")
    assert raised.value.details["path"] == path
    assert {**tree(home.root), ".lock.json": b""} == {**kept, ".lock.json": b""}


@pytest.mark.parametrize("paths", [["memory/a.md"], ["memory/b.md", "memory/a.md"]])
def test_an_edit_while_the_bytes_are_staged_is_noticed(home: Home, paths: list[str]) -> None:
    """Flushing takes its time, and an editor may save in it."""

    def slow(descriptor: int) -> None:
        flush(descriptor)
        put(home, {"memory/a.md": b"edited\n"})

    flush = files._sync
    with mock.patch.object(files, "_sync", slow), pytest.raises(ChangedOnDisk):
        commit(home, plan_of(dict.fromkeys(paths, b"new\n")), command="test")
    assert read_state(home, ["memory/a.md", "memory/b.md"]) == {
        "memory/a.md": b"edited\n",
        "memory/b.md": b"two\n",
    }
    assert leftovers(home) == []
    assert os.listdir(home.place(RECEIPTS)) == []


def test_an_edit_that_cannot_be_heeded_is_said_to_be_recorded(home: Home) -> None:
    """The intent stands and cannot be taken back: the next writer will park it."""

    def publish(temp: str, place: str) -> None:
        os.replace(temp, place)
        put(home, {"memory/a.md": b"edited\n"})

    refused = IoProblem("refused", path="x")
    with (
        mock.patch.object(files, "publish", publish),
        mock.patch.object(files, "remove", side_effect=refused),
        pytest.raises(IoProblem) as raised,
    ):
        commit(home, plan_of({"memory/a.md": b"new\n", "memory/b.md": b"new\n"}), command="test")
    assert raised.value.details["recorded"] is True
    assert isinstance(raised.value.__cause__, ChangedOnDisk)
    assert [one.outcome for one in commit(home, plan_of({}), command="next").recovered] == ["parked"]
    assert home.read("memory/a.md") == b"edited\n"


@pytest.mark.parametrize("missing", [["journal"], ["receipts"], ["journal", "receipts", "memory"]])
def test_folders_that_are_gone_are_made_again(home: Home, missing: list[str]) -> None:
    for name in missing:
        shutil.rmtree(home.place(name))
    commit(
        home, plan_of({"memory/a.md": b"x", "memory/c.md": b"y"}), command="test", request=Request("r", "d")
    )
    assert read_state(home, ["memory/a.md", "memory/c.md"]) == {"memory/a.md": b"x", "memory/c.md": b"y"}
    assert len(os.listdir(home.place(RECEIPTS))) == 1
    assert {os.stat(home.place(name)).st_mode & 0o777 for name in ("journal", "receipts")} == {0o700}


def test_a_request_is_answered_again_and_made_once(home: Home) -> None:
    request = Request("request-1", "digest")
    plans = []

    def append(one: Home) -> ChangeSet[str]:
        plans.append("planned")
        old = one.read("memory/a.md") or b""
        return ChangeSet((Change("memory/a.md", digest_of(old), old + b"more\n"),), "outcome")

    first = commit(home, append, command="test", request=request)
    again = commit(home, append, command="test", request=request)
    assert home.read("memory/a.md") == b"one\nmore\n"
    assert plans == ["planned"]
    assert (again.receipt, again.replayed, again.outcome, again.changes) == (first.receipt, True, None, ())
    assert not first.replayed


def test_a_request_id_with_another_request_is_refused(home: Home) -> None:
    commit(home, plan_of({"memory/a.md": b"x"}), command="test", request=Request("r", "one"))
    before = tree(home.root)
    with pytest.raises(RequestIdReused) as raised:
        commit(home, plan_of({"memory/a.md": b"y"}), command="test", request=Request("r", "two"))
    assert raised.value.details == {"request_id": "r"}
    assert {**tree(home.root), ".lock.json": b""} == {**before, ".lock.json": b""}


def test_a_request_that_changes_nothing_is_remembered_too(home: Home) -> None:
    request = Request("r", "d")
    first = commit(home, plan_of({"memory/a.md": b"one\n"}), command="test", request=request)
    assert first.receipt is not None
    assert first.receipt.files == ()
    put(home, {"memory/a.md": b"edited\n"})
    assert commit(home, plan_of({"memory/a.md": b"one\n"}), command="test", request=request).replayed
    assert home.read("memory/a.md") == b"edited\n"


def test_a_receipt_that_cannot_be_read_does_not_make_the_request_again(home: Home) -> None:
    request = Request("r", "d")
    commit(home, plan_of({"memory/a.md": b"x"}), command="test", request=request)
    (name,) = os.listdir(home.place(RECEIPTS))
    Path(home.place(f"{RECEIPTS}/{name}")).write_text("torn")
    with pytest.raises(Corrupt):
        commit(home, plan_of({"memory/a.md": b"y"}), command="test", request=request)
    assert home.read("memory/a.md") == b"x"


def test_an_interrupted_request_is_finished_and_then_answered(tmp_path: Path) -> None:
    scenario = SCENARIOS[-1]
    home = make_interrupted_home(str(tmp_path / "home"), scenario)
    done = attempt(home, scenario)
    assert done.replayed
    assert [one.outcome for one in done.recovered] == ["completed"]
    assert read_state(home, scenario.after) == scenario.after
    assert len(receipts_of(home)) == 1


def test_recovery_comes_before_the_plan(tmp_path: Path) -> None:
    home = make_interrupted_home(str(tmp_path / "home"), SCENARIOS[0])
    seen = {}

    def plan(one: Home) -> ChangeSet[None]:
        seen.update(read_state(one, SCENARIOS[0].after))
        return ChangeSet((), None)

    done = commit(home, plan, command="test")
    assert seen == SCENARIOS[0].after
    assert [(one.outcome, one.paths) for one in done.recovered] == [
        ("completed", ("memory/MEMORY.md", "memory/owl.md"))
    ]


def test_several_files_of_one_path_are_refused(home: Home) -> None:
    digest = digest_of(b"one\n")
    with pytest.raises(UnsafeFile):
        commit(
            home, _made(Change("memory/a.md", digest, b"x"), Change("memory/a.md", digest, b"y")), command="t"
        )
    assert home.read("memory/a.md") == b"one\n"


def test_two_paths_to_one_file_are_refused(home: Home) -> None:
    os.symlink("a.md", home.place("memory/alias.md"))
    os.symlink("memory", home.place("notes"))
    for alias in ("memory/alias.md", "notes/a.md"):
        with pytest.raises(UnsafeFile) as raised:
            commit(home, plan_of({"memory/a.md": b"x", alias: b"y"}), command="test")
        assert "memory/a.md" in raised.value.message
    assert home.read("memory/a.md") == b"one\n"


@pytest.mark.parametrize(
    "path",
    [
        *(".lock", ".lock.json", ".LOCK", "journal/x.intent", "receipts/x.json", "Conflicts/x"),
        *("memory/.wuu-tmp-0", "../evil", "/evil", "memory/../b.md", "memory//a.md", "a\0b"),
    ],
    ids=ascii,
)
def test_o17_no_plan_reaches_the_store_itself_or_leaves_the_home(
    home: Home, path: str, tmp_path: Path
) -> None:
    before = tree(str(tmp_path))
    for changes in ([Change(path, None, b"x")], [Change("ok.md", None, b"x"), Change(path, None, b"x")]):
        with pytest.raises(UnsafeFile):
            commit(home, _made(*changes), command="test")
    after = tree(str(tmp_path))
    before.pop("home/.lock.json")
    after.pop("home/.lock.json")
    assert after == before


def test_more_than_an_intent_carries_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_CHANGE_BYTES", 1_000)
    with pytest.raises(TooLarge):
        commit(home, plan_of({"memory/a.md": b"x" * 600, "memory/b.md": b"x" * 600}), command="test")
    with pytest.raises(TooLarge):
        commit(home, plan_of({"memory/a.md": b"x" * 1_001}), command="test")
    assert home.read("memory/a.md") == b"one\n"


@pytest.mark.parametrize("size", [300_000, 2_000_000])
def test_files_larger_than_a_topic_can_be_changed_and_recovered(tmp_path: Path, size: int) -> None:
    """Working notes hold a million bytes, run reports more."""
    home = make_home(str(tmp_path / "home"), {})
    for letter in (b"a", b"b"):
        digest = digest_of(home.read("notes/a.json", limit=size))
        commit(home, _made(Change("notes/a.json", digest, letter * size)), command="test")
    big = SCENARIOS[0]._replace(before={}, after={"notes/a.json": b"c" * size, "notes/b.json": b"d" * size})
    interrupted = make_interrupted_home(str(tmp_path / "other"), big)
    assert [one.outcome for one in commit(interrupted, plan_of({}), command="test").recovered] == [
        "completed"
    ]
    assert interrupted.read("notes/b.json", limit=size) == b"d" * size


@pytest.mark.parametrize("kind", ["folder", "fifo"])
def test_what_is_no_file_is_neither_read_nor_replaced(home: Home, kind: str) -> None:
    place = home.place("memory/x.md")
    os.mkdir(place) if kind == "folder" else os.mkfifo(place)
    for changes in ([], [Change("memory/b.md", digest_of(b"two\n"), b"x")]):
        with pytest.raises(UnsafeFile):
            commit(home, _made(*changes, Change("memory/x.md", None, b"x")), command="test")
    assert not os.path.isfile(place)
    assert home.read("memory/b.md") == b"two\n"


def test_a_file_where_a_folder_should_be_is_named_before_anything_is_written(home: Home) -> None:
    with pytest.raises(Corrupt):
        commit(home, plan_of({"memory/a.md/x.md": b"x", "memory/b.md": b"x"}), command="test")
    assert home.read("memory/b.md") == b"two\n"
    assert leftovers(home) == []


def test_temps_of_the_killed_are_swept_where_the_next_one_writes(home: Home) -> None:
    for folder in ("memory", "journal", "receipts", "."):
        Path(home.place(f"{folder}/.wuu-tmp-old")).write_text("half")
    commit(home, plan_of({"memory/a.md": b"x"}), command="test")
    assert leftovers(home) == []


def test_a_change_that_is_recorded_and_not_made_leaves_only_its_intent(home: Home) -> None:
    refused = mock.Mock(side_effect=IoProblem("refused"))
    with mock.patch.object(transaction, "publish_all", refused), pytest.raises(IoProblem) as raised:
        commit(home, plan_of({"memory/a.md": b"x", "memory/b.md": b"y"}), command="test")
    assert raised.value.details["recorded"] is True
    assert leftovers(home) == [f"{JOURNAL}/{name}" for name in journal.intent_names(home)]


def test_old_receipts_go(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "RECEIPTS_KEPT", 2)
    for number in range(4):
        request = Request(f"r{number}", "d")
        commit(home, plan_of({"memory/a.md": b"%d" % number}), command="test", request=request)
    assert len(os.listdir(home.place(RECEIPTS))) == 2


@pytest.mark.parametrize("call", ["remove", "names_in"])
def test_what_comes_after_the_receipt_cannot_fail_the_change(tmp_path: Path, call: str) -> None:
    """A lingering intent whose receipt is there is no change that is left to do."""
    scenario = SCENARIOS[0]
    home = make_home(str(tmp_path / "home"), scenario.before)
    real = getattr(files, call)

    def refuse(place: str) -> object:
        if JOURNAL in place or RECEIPTS in place:
            raise IoProblem("refused")
        return real(place)

    with mock.patch.object(transaction.files, call, refuse), mock.patch.object(transaction, "recover", list):
        done = attempt(home, scenario)
    assert done.receipt is not None
    put(home, {"memory/owl.md": b"edited afterwards\n"})
    commit(home, plan_of({}), command="test")
    assert home.read("memory/owl.md") == b"edited afterwards\n"
    assert leftovers(home) == []


def test_the_next_writer_finds_a_sound_home_after_a_plan_that_broke(home: Home) -> None:
    for wrong in (ValueError, RecursionError, KeyboardInterrupt):
        with pytest.raises(wrong):
            commit(home, mock.Mock(side_effect=wrong), command="test")
    commit(home, plan_of({"memory/a.md": b"x"}), command="test")
    assert home.read("memory/a.md") == b"x"


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit])
def test_an_interruption_at_the_commit_point_leaves_all_or_nothing(
    tmp_path: Path, interruption: type[BaseException]
) -> None:
    scenario = SCENARIOS[0]
    for number in range(1, 8):
        home = make_home(str(tmp_path / str(number)), scenario.before)
        flushed = mock.Mock(side_effect=[None] * (number - 1) + [interruption] + [None] * 20)
        with mock.patch.object(files, "_sync", flushed), pytest.raises(interruption):
            attempt(home, scenario)
        commit(home, plan_of({"memory/other.md": b"elsewhere\n"}), command="test")
        assert list(objections(home, scenario)) == []
        assert flushed.call_count >= number


def test_an_interruption_stays_one_even_if_its_intent_cannot_be_taken_back(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), SCENARIOS[0].before)
    interrupted = mock.Mock(side_effect=[None] * 4 + [KeyboardInterrupt])  # at the name of the intent
    refused = mock.Mock(side_effect=IoProblem("refused"))
    with (
        mock.patch.object(files, "_sync", interrupted),
        mock.patch.object(files, "remove", refused),
        pytest.raises(KeyboardInterrupt),
    ):
        attempt(home, SCENARIOS[0])
    assert refused.called
    commit(home, plan_of({"memory/other.md": b"elsewhere\n"}), command="next")
    assert list(objections(home, SCENARIOS[0], made=True)) == []


def test_every_refusal_is_an_error_of_wuu(home: Home) -> None:
    """A plan may be wrong in any way; what it gets is an answer."""
    for path in ("x" * 300, "memory/" + "語" * 100, "a/" * 3_000 + "b"):
        with pytest.raises(WuuError):
            commit(home, _made(Change(path, None, b"x")), command="test")
    assert leftovers(home) == []
