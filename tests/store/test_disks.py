"""Real disks that refuse: full, read-only, and folders that may not be written (cases O-05 and O-18)."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from store import writer
from store.checking import leftovers, make_home, plan_of, tree
from wuu.errors import DiskFull, IoProblem, ReadOnlyDisk
from wuu.store import files
from wuu.store.home import Home, open_home
from wuu.store.recovery import pending_intents, read_conflicts
from wuu.store.transaction import commit, preview

_IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
_POWERS = "-dac_override,-dac_read_search,-fowner"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 1 MB, or skip the test."""
    place = tmp_path / "disk"
    place.mkdir()
    if not _IS_ROOT or not shutil.which("mount"):
        pytest.skip("only root can mount a small disk")
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def _fill(place: Path, leave: int) -> None:
    """Fill the disk up to `leave` bytes."""
    free = os.statvfs(place).f_bavail * os.statvfs(place).f_frsize
    (place / "ballast").write_bytes(b"x" * (free - leave))


@pytest.mark.parametrize(
    ("leave", "count"), [(0, 1), (4_096, 1), (12_288, 1), (16_384, 2), (28_672, 2), (65_536, 5), (81_920, 5)]
)
def test_o05_a_full_disk_leaves_everything_as_it_was(small_disk: Path, leave: int, count: int) -> None:
    home = make_home(str(small_disk / "home"), {"memory/a.md": b"old\n" * 2_000, "memory/b.md": b"b\n"})
    _fill(small_disk, leave)
    before = tree(home.root)
    changes = {f"memory/{number}.md": b"new\n" * 3_000 for number in range(count)} | {
        "memory/a.md": b"a" * 9_000
    }
    with pytest.raises(DiskFull, match="No space left") as raised:
        commit(home, plan_of(changes), command="test")
    assert "recorded" not in raised.value.details
    assert {**tree(home.root), ".lock.json": b""} == {**before, ".lock.json": b""}
    os.unlink(small_disk / "ballast")
    commit(home, plan_of(changes), command="test")
    assert home.read("memory/0.md") == b"new\n" * 3_000
    assert leftovers(home) == []


def test_o05_a_read_only_disk_is_named_and_can_be_read(small_disk: Path) -> None:
    home = make_home(str(small_disk / "home"), {"memory/a.md": b"old\n"})
    before = tree(home.root)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    try:
        with pytest.raises(ReadOnlyDisk) as raised:
            commit(home, plan_of({"memory/a.md": b"new\n"}), command="test")
        assert "recorded" not in raised.value.details
        with pytest.raises(ReadOnlyDisk):
            commit(Home(str(small_disk / "none")), plan_of({"memory/a.md": b"new\n"}), command="test")
        assert open_home(home.root).read("memory/a.md") == b"old\n"
        assert pending_intents(home) == read_conflicts(home) == []
        assert preview(home, plan_of({"memory/a.md": b"new\n"})).changes
        assert tree(home.root) == before
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)


# --- folders that may not be written: in a process that has no powers over them -------------------------


def _write(home: Home, *sizes: int) -> dict[str, Any]:
    command = [sys.executable, writer.__file__, "sizes", home.root, "0", *map(str, sizes)]
    if _IS_ROOT:
        if not shutil.which("setpriv"):
            pytest.skip("root may write everywhere, and cannot be told not to here")
        command = ["setpriv", "--bounding-set", _POWERS, *command]
    output = subprocess.run(command, capture_output=True, check=False).stdout
    return json.loads(output.splitlines()[-1])


@pytest.mark.parametrize(
    ("folder", "mode"),
    [(".", 0o000), *((name, mode) for name in ("memory", "journal", "receipts") for mode in (0o500, 0o000))],
)
def test_a_folder_that_may_not_be_written_is_named_and_nothing_is_written(
    tmp_path: Path, folder: str, mode: int
) -> None:
    home = make_home(str(tmp_path / "home"), {"memory/0.md": b"old\n", "memory/1.md": b"old\n"})
    os.unlink(home.place(".lock.json"))
    before = tree(home.root)
    os.chmod(home.place(folder), mode)
    try:
        said = _write(home, 100, 100)
    finally:
        os.chmod(home.place(folder), 0o700)
    assert said["code"] == "io_error"
    assert "recorded" not in said["details"]
    assert "Permission denied" in said["message"]
    assert said["details"]["path"].startswith((home.place(folder), "home.json", "memory/0.md"))
    after = tree(home.root)
    after.pop(".lock.json", None)
    assert after == before
    assert _write(home, 100, 100)["code"] is None


def test_a_file_that_may_not_be_read_is_neither_empty_nor_replaced(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {"memory/0.md": b"old\n"})
    os.chmod(home.place("memory/0.md"), 0o000)
    said = _write(home, 100)
    os.chmod(home.place("memory/0.md"), 0o600)
    assert said["code"] == "io_error"
    assert said["details"]["path"] == "memory/0.md"
    assert home.read("memory/0.md") == b"old\n"


def test_a_file_that_is_read_only_is_replaced_and_stays_read_only(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {"memory/0.md": b"old\n"})
    os.chmod(home.place("memory/0.md"), 0o400)
    assert _write(home, 100)["code"] is None
    assert os.stat(home.place("memory/0.md")).st_mode & 0o777 == 0o400
    assert home.read("memory/0.md") == b"x" * 100


def test_a_home_in_a_folder_that_may_not_be_written_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    said = _write(Home(str(tmp_path / "closed" / "home")), 100)
    assert said["code"] == "io_error"
    assert os.listdir(tmp_path / "closed") == []


def test_a_folder_that_is_removed_under_a_writer_is_an_error(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {"memory/0.md": b"old\n"})

    def stage(place: str, data: bytes) -> str:
        shutil.rmtree(home.root)
        return real(place, data)

    real = files.stage
    with mock.patch.object(files, "stage", stage), pytest.raises(IoProblem) as raised:
        commit(home, plan_of({"memory/0.md": b"new\n", "memory/1.md": b"new\n"}), command="test")
    assert "recorded" not in raised.value.details
    assert os.listdir(tmp_path) == []
