"""The lock of a home: one writer at a time, told who holds it, and nobody else is held up (case O-04)."""

import errno
import json
import os
from pathlib import Path
from unittest import mock

import portalocker
import pytest

from store.checking import make_home, plan_of
from wuu.errors import Corrupt, IoProblem, Locked, ReadOnlyDisk
from wuu.store import locks
from wuu.store.home import HOLDER, LOCK, Home
from wuu.store.locks import hold, is_held
from wuu.store.transaction import commit


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(str(tmp_path / "home"), {})


def test_the_holder_is_named_to_whoever_waits_in_vain(home: Home) -> None:
    with hold(home, "notebook write"), pytest.raises(Locked) as raised, hold(home, "other", wait=0.05):
        pytest.fail("two held the lock")
    assert raised.value.exit_status == 6
    holder = raised.value.details["holder"]
    assert holder["pid"] == os.getpid()
    assert holder["command"] == "notebook write"
    for told in (str(os.getpid()), holder["since"], "notebook write", home.root):
        assert told in raised.value.message


@pytest.mark.parametrize(
    "note", [b"", b"{", b"[]", b"\xff", b"null", b"[" * 5_000, b"x" * 5_000], ids=lambda note: str(note[:3])
)
def test_a_holder_that_cannot_be_read_is_somebody(note: bytes, home: Home) -> None:
    with hold(home, "test"):
        Path(home.place(HOLDER)).write_bytes(note)
        with pytest.raises(Locked, match="another process") as raised, hold(home, "other", wait=0):
            pytest.fail("two held the lock")
    assert raised.value.details["holder"] == {}


def test_a_pipe_in_the_place_of_the_note_keeps_nobody_waiting(home: Home) -> None:
    os.unlink(home.place(HOLDER))
    os.mkfifo(home.place(HOLDER))
    with hold(home, "test"), pytest.raises(Locked, match="another process"), hold(home, "other", wait=0):
        pytest.fail("two held the lock")


def test_who_waits_is_told_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE_SECONDS", 0.0)
    told: list[str] = []
    with hold(home, "test"), pytest.raises(Locked), hold(home, "other", waiting=told.append, wait=0.1):
        pytest.fail("two held the lock")
    assert len(told) == 1
    assert str(os.getpid()) in told[0]


@pytest.mark.parametrize("ending", [ValueError, KeyboardInterrupt, SystemExit])
def test_the_lock_is_given_back_however_the_work_ends(home: Home, ending: type[BaseException]) -> None:
    with pytest.raises(ending), hold(home, "test"):
        raise ending
    assert not is_held(home)
    with hold(home, "next", wait=0):
        assert is_held(home)


def test_a_lock_that_cannot_be_given_back_goes_with_its_file(home: Home) -> None:
    with (
        mock.patch.object(portalocker, "unlock", side_effect=portalocker.LockException("no")),
        hold(home, "test"),
    ):
        pass
    assert not is_held(home)


def test_looking_whether_it_is_held_writes_nothing_and_takes_nothing(home: Home, tmp_path: Path) -> None:
    before = os.stat(home.place(LOCK))
    assert not is_held(home)
    assert not is_held(Home(str(tmp_path / "none")))
    assert os.stat(home.place(LOCK)) == before
    with hold(home, "test", wait=0):
        assert is_held(home)
        assert is_held(home)
    assert sorted(os.listdir(tmp_path)) == ["home"]


def test_looking_leaks_no_descriptor(home: Home) -> None:
    before = os.listdir("/dev/fd")
    for _ in range(3):
        is_held(home)
        with hold(home, "test"):
            is_held(home)
            with pytest.raises(Locked), hold(home, "other", wait=0):
                pytest.fail("two held the lock")
    assert os.listdir("/dev/fd") == before


def test_o18_the_lock_is_not_looked_for_outside(home: Home, tmp_path: Path) -> None:
    os.unlink(home.place(LOCK))
    os.symlink(tmp_path / "outside", home.place(LOCK))
    with pytest.raises(IoProblem), hold(home, "test"):
        pytest.fail("held a link")
    assert not (tmp_path / "outside").exists()
    assert not is_held(home)


def test_a_lock_that_was_replaced_while_somebody_waited_protects_nothing(home: Home) -> None:
    """The home was moved or cleaned: whoever gets the old lock has to take the new one."""
    real = locks._lock
    replaced = []

    def slow(descriptor: int) -> bool:
        if not replaced:
            os.unlink(home.place(LOCK))
            replaced.append(os.open(home.place(LOCK), os.O_RDWR | os.O_CREAT, 0o600))
            portalocker.lock(replaced[0], portalocker.LOCK_EX | portalocker.LOCK_NB)
        return real(descriptor)

    with mock.patch.object(locks, "_lock", slow), pytest.raises(Locked), hold(home, "test", wait=0.05):
        pytest.fail("held a lock that is not there")
    os.close(replaced[0])
    with hold(home, "test", wait=0):
        assert is_held(home)


def test_a_home_that_goes_while_somebody_waits_is_an_error(home: Home) -> None:
    def gone(_: int) -> bool:
        os.rename(home.root, home.root + "-moved")
        return False

    with mock.patch.object(locks, "_lock", gone), pytest.raises(IoProblem), hold(home, "test"):
        pytest.fail("held a lock that is not there")
    assert not os.path.exists(home.root)


@pytest.mark.parametrize(
    ("code", "expected"), [(errno.EACCES, IoProblem), (errno.EROFS, ReadOnlyDisk), (errno.ENOLCK, IoProblem)]
)
def test_a_system_that_refuses_the_lock_is_quoted(code: int, expected: type[IoProblem], home: Home) -> None:
    def refuse(*_: object) -> None:
        cause = OSError(code, os.strerror(code))
        raise portalocker.LockException(cause) from cause

    with mock.patch.object(portalocker, "lock", refuse), pytest.raises(expected) as raised:
        commit(home, plan_of({"a.md": b"x"}), command="test")
    assert raised.value.details["path"] == home.place(LOCK)
    assert home.read("a.md") is None


def test_a_system_that_refuses_without_a_reason_is_quoted_too(home: Home) -> None:
    with (
        mock.patch.object(portalocker, "lock", side_effect=portalocker.LockException("strange")),
        pytest.raises(IoProblem, match="strange"),
        hold(home, "test"),
    ):
        pytest.fail("held")


def test_the_lock_file_is_never_replaced_and_never_goes(home: Home) -> None:
    before = os.stat(home.place(LOCK)).st_ino
    for number in range(3):
        commit(home, plan_of({"a.md": b"%d" % number, "b.md": b"%d" % number}), command="test")
    assert os.stat(home.place(LOCK)).st_ino == before
    assert json.loads(Path(home.place(HOLDER)).read_bytes())["command"] == "test"


def test_a_file_in_the_way_of_the_home_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("x")
    with pytest.raises(Corrupt), hold(Home(str(tmp_path / "home")), "test"):
        pytest.fail("held")
