"""Reading is bounded and tolerant, names the real cause, and never waits (cases O-05, O-06, O-18)."""

import errno
import os
import socket
from pathlib import Path
from typing import Self
from unittest import mock

import pytest

from wuu.errors import DiskFull, IoProblem, NotUtf8, ReadOnlyDisk, TooLarge, UnsafeFile
from wuu.store import reads
from wuu.store.reads import (
    MAX_FILE_BYTES,
    decode,
    disk_errors,
    names_in,
    problem_of,
    read_bytes,
    scan_directory,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def _descriptors() -> list[str]:
    return os.listdir("/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd")


@pytest.mark.parametrize(
    ("code", "expected", "status", "word"),
    [
        (errno.ENOSPC, DiskFull, 8, "space"),
        (errno.EDQUOT, DiskFull, 8, "quota"),
        (errno.EFBIG, DiskFull, 8, "ulimit"),
        (errno.EROFS, ReadOnlyDisk, 8, ""),
        (errno.EACCES, IoProblem, 8, ""),
        (errno.EIO, IoProblem, 8, ""),
    ],
)
def test_o05_the_error_names_the_cause_and_the_advice_fits_it(
    code: int, expected: type[IoProblem], status: int, word: str
) -> None:
    problem = problem_of(OSError(code, "x"), "memory/a.md")
    assert type(problem) is expected
    assert problem.exit_status == status
    assert "memory/a.md" in problem.message
    assert "\n" not in problem.message
    assert word in (problem.hint or "")
    assert "permission" not in (problem.hint or "").lower()


def test_an_error_without_a_number_keeps_its_words() -> None:
    problem = problem_of(OSError("the tape is torn"), "a.md")
    assert "the tape is torn" in problem.message
    assert problem.details == {"path": "a.md", "errno": 0}


def test_only_errors_of_the_system_are_turned_into_problems() -> None:
    with pytest.raises(IoProblem) as raised, disk_errors("a.md"):
        raise PermissionError(errno.EACCES, "no")
    assert isinstance(raised.value.__cause__, PermissionError)
    with pytest.raises(ZeroDivisionError), disk_errors("a.md"):
        raise ZeroDivisionError


@pytest.mark.parametrize("size", [0, 1, MAX_FILE_BYTES])
def test_a_file_is_read_whole_up_to_the_limit(root: Path, size: int) -> None:
    (root / "a.md").write_bytes(b"x" * size)
    assert read_bytes(str(root), "a.md") == b"x" * size


def test_one_byte_more_is_too_large(root: Path) -> None:
    (root / "a.md").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    with pytest.raises(TooLarge) as raised:
        read_bytes(str(root), "a.md")
    assert raised.value.details == {"path": "a.md", "limit": MAX_FILE_BYTES}
    assert read_bytes(str(root), "a.md", limit=MAX_FILE_BYTES + 1) is not None


def test_a_file_without_end_is_not_read_to_its_end(root: Path) -> None:
    with (root / "sparse.md").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(TooLarge):
        read_bytes(str(root), "sparse.md")


@pytest.mark.parametrize("path", ["none.md", "none/none.md", "file.md/none.md"])
def test_what_is_not_there_is_none(root: Path, path: str) -> None:
    (root / "file.md").write_text("x")
    assert read_bytes(str(root), path) is None


def test_nothing_but_a_regular_file_is_read_and_nobody_waits_or_leaks(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)  # the path of a socket has to be short
    os.mkfifo(root / "fifo")
    (root / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        before = _descriptors()
        for name in ("fifo", "folder", "socket"):
            with pytest.raises(UnsafeFile) as raised:
                read_bytes(str(root), name)
            assert raised.value.details == {"path": name}
        assert _descriptors() == before


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no /dev/null")
def test_a_device_is_not_read(root: Path) -> None:
    with pytest.raises(UnsafeFile):
        read_bytes("/dev", "null")


def test_o18_a_link_is_read_inside_only_and_only_if_wanted(root: Path) -> None:
    (root / "real.md").write_text("owl")
    (root / "in.md").symlink_to("real.md")
    (root / "out.md").symlink_to("/etc/hosts")
    (root / "loop.md").symlink_to("loop.md")
    (root / "nowhere.md").symlink_to("none.md")
    assert read_bytes(str(root), "in.md") == b"owl"
    assert read_bytes(str(root), "nowhere.md") is None
    for name in ("out.md", "loop.md"):
        with pytest.raises(UnsafeFile):
            read_bytes(str(root), name)
    for name in ("in.md", "out.md", "loop.md", "nowhere.md"):
        with pytest.raises(UnsafeFile):
            read_bytes(str(root), name, follow=False)


@pytest.mark.parametrize("function", [read_bytes, scan_directory])
def test_a_refusal_of_the_system_is_not_an_empty_answer(root: Path, function: object) -> None:
    refused = mock.Mock(side_effect=PermissionError(errno.EACCES, "no"))
    with (
        mock.patch.object(reads.os, "open", refused),
        mock.patch.object(reads.os, "scandir", refused),
        pytest.raises(IoProblem) as raised,
    ):
        function(str(root), "memory")
    assert raised.value.details["errno"] == errno.EACCES


def test_a_long_name_is_a_problem_and_not_a_crash(root: Path) -> None:
    with pytest.raises(IoProblem):
        read_bytes(str(root), "x" * 300)


def test_o06_the_first_bad_byte_is_named() -> None:
    assert decode("été".encode(), "a.md") == "été"
    with pytest.raises(NotUtf8) as raised:
        decode(b"soup \xe9t\xe9 \xff\n", "bad.md")
    assert raised.value.details == {"path": "bad.md", "offset": 5}
    assert "bad.md" in raised.value.message
    assert "5" in raised.value.message


def test_a_directory_lists_its_files_and_names_what_it_does_not_follow(root: Path) -> None:
    folder = root / "memory"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("four")
    (folder / "link.md").symlink_to("a.md")
    os.mkfifo(folder / "fifo")
    listing = scan_directory(str(root), "memory")
    info = (folder / "a.md").stat()
    assert [tuple(one) for one in listing.stats()] == [
        ("a.md", 4, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)
    ]
    assert sorted(listing.irregular) == ["fifo", "link.md"]


def test_a_missing_directory_is_empty_and_a_file_is_none(root: Path) -> None:
    (root / "file.md").write_text("x")
    assert scan_directory(str(root), "none") == ([], [], [])
    assert names_in(str(root / "none")) == []
    for path in ("file.md", "file.md/none"):
        with pytest.raises(IoProblem):
            scan_directory(str(root), path)
        with pytest.raises(IoProblem):
            names_in(str(root / path))


def test_o18_a_directory_behind_a_link_out_is_not_listed(root: Path) -> None:
    (root / "dir").symlink_to("/")
    with pytest.raises(UnsafeFile):
        scan_directory(str(root), "dir")


class _Vanishing:
    """An entry of a folder whose file goes before anybody asks for it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def is_file(self, *, follow_symlinks: bool) -> bool:
        return True

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        raise FileNotFoundError(errno.ENOENT, "gone", self.name)


def test_a_file_that_goes_while_its_folder_is_listed_does_not_take_the_others_along(root: Path) -> None:
    for name in ("a.md", "b.md"):
        (root / name).write_text("x")
    scan = os.scandir

    class Scan:
        def __init__(self, place: str) -> None:
            self._real = scan(place)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            self._real.close()

        def __iter__(self) -> object:
            yield _Vanishing("gone.md")
            yield from self._real

    (root / "memory").symlink_to(".")
    with mock.patch.object(reads.os, "scandir", Scan):
        listing = scan_directory(str(root), "memory")
    assert sorted(one.name for one in listing.stats()) == ["a.md", "b.md"]
    assert len(listing.numbers) == 4 * len(listing.names)


def test_a_fingerprint_tells_any_difference_between_two_scans(root: Path) -> None:
    folder = root / "memory"
    folder.mkdir()
    seen = [scan_directory(str(root), "memory").fingerprint()]
    (folder / "a.md").write_text("one")
    seen.append(scan_directory(str(root), "memory").fingerprint())
    os.utime(folder / "a.md", ns=(1, 1))
    seen.append(scan_directory(str(root), "memory").fingerprint())
    (folder / "a.md").rename(folder / "b.md")
    seen.append(scan_directory(str(root), "memory").fingerprint())
    assert len(set(seen)) == 4
    assert scan_directory(str(root), "memory").fingerprint() == seen[-1]
