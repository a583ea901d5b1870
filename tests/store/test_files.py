"""The few steps of writing: private, durable, never in place, and without a trace when they fail."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.faults import Call, ReplacedOs, fail_at, watching
from wuu.errors import Corrupt, DiskFull, IoProblem
from wuu.store import files
from wuu.store.files import (
    MAX_NAME_BYTES,
    TEMP_PREFIX,
    ensure_folder,
    fit_name,
    publish,
    remove,
    stage,
    sweep,
    sync_file,
    sync_folder,
    write_atomic,
    write_courtesy,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path.resolve()


@pytest.fixture(params=[0o022, 0o077, 0o000, 0o027], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    old = os.umask(request.param)
    yield
    os.umask(old)


def _mode(place: Path) -> int:
    return stat.S_IMODE(place.stat().st_mode)


@pytest.mark.usefixtures("_umask")
def test_a_new_file_is_private_and_an_old_one_keeps_its_mode(folder: Path) -> None:
    for name, mode in (("a", 0o644), ("b", 0o600), ("c", 0o400), ("d", 0o664)):
        (folder / name).write_text("old")
        (folder / name).chmod(mode)
        write_atomic(str(folder / name), b"new")
        assert _mode(folder / name) == mode
        assert (folder / name).read_text() == "new"
    write_atomic(str(folder / "fresh"), b"new")
    assert _mode(folder / "fresh") == 0o600


@pytest.mark.usefixtures("_umask")
def test_folders_are_private(folder: Path) -> None:
    ensure_folder(str(folder / "a" / "b" / "c"))
    assert [_mode(folder / name) for name in ("a", "a/b", "a/b/c")] == [0o700] * 3


def test_a_folder_that_is_there_is_left_alone(folder: Path) -> None:
    (folder / "a").mkdir(mode=0o755)
    (folder / "a").chmod(0o755)
    ensure_folder(str(folder / "a"))
    assert _mode(folder / "a") == 0o755


@pytest.mark.parametrize("obstacle", ["file", "link to nowhere", "loop"])
def test_something_else_in_the_way_of_a_folder_is_named(folder: Path, obstacle: str) -> None:
    place = folder / "a"
    if obstacle == "file":
        place.write_text("x")
    else:
        place.symlink_to("a" if obstacle == "loop" else "none")
    for path in (place, place / "b"):
        with pytest.raises(Corrupt) as raised:
            ensure_folder(str(path))
        assert raised.value.details["path"] == str(place)


def test_a_folder_made_by_somebody_else_at_the_same_moment_is_fine(folder: Path) -> None:
    def race(place: str, mode: int) -> None:
        os.makedirs(place)
        raise FileExistsError(errno.EEXIST, "exists", place)

    with mock.patch.object(files, "os", ReplacedOs(mkdir=race)):
        ensure_folder(str(folder / "a"))
    assert (folder / "a").is_dir()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_of_a_file_stays_its_owner(folder: Path) -> None:
    (folder / "a").write_text("old")
    os.chown(folder / "a", 12_345, 23_456)
    (folder / "a").chmod(0o640)
    write_atomic(str(folder / "a"), b"new")
    info = (folder / "a").stat()
    assert (info.st_uid, info.st_gid, _mode(folder / "a")) == (12_345, 23_456, 0o640)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_bits_for_a_group_that_cannot_be_kept_are_not_given_to_another(folder: Path) -> None:
    (folder / "a").write_text("old")
    os.chown(folder / "a", -1, 23_456)
    (folder / "a").chmod(0o664)
    with mock.patch.object(files, "_give", return_value=False):
        write_atomic(str(folder / "a"), b"new")
    assert _mode(folder / "a") == 0o600


def test_a_disk_without_modes_is_no_reason_not_to_write(folder: Path) -> None:
    (folder / "a").write_text("old")
    (folder / "a").chmod(0o644)
    with watching() as calls:
        write_atomic(str(folder / "a"), b"x")
    number = next(call.number for call in calls if call.name == "fchmod")
    with watching(fail_at(number, errno.EPERM)):
        write_atomic(str(folder / "a"), b"new")
    assert (folder / "a").read_text() == "new"


@pytest.mark.parametrize("size", [0, 1, 4_096, 100_003])
@pytest.mark.parametrize("at_once", [1_000, 1 << 20])
def test_a_system_that_takes_a_few_bytes_at_a_time_gets_them_all(
    folder: Path, size: int, at_once: int
) -> None:
    data = os.urandom(size)
    sparing = ReplacedOs(write=lambda descriptor, view: os.write(descriptor, view[:at_once]))
    with mock.patch.object(files, "os", sparing):
        temp = stage(str(folder / "a"), data)
    assert Path(temp).read_bytes() == data
    assert not (folder / "a").exists()


def test_a_staged_file_is_a_hidden_sibling_with_a_name_of_its_own(folder: Path) -> None:
    long = str(folder / ("語" * 85))  # 255 bytes, which leaves no room for an ending
    temps = {stage(long, b"x") for _ in range(5)}
    assert len(temps) == 5
    assert all(os.path.dirname(temp) == str(folder) for temp in temps)
    assert all(os.path.basename(temp).startswith(TEMP_PREFIX) for temp in temps)
    publish(temps.pop(), long)
    assert Path(long).read_bytes() == b"x"


def test_staging_that_fails_leaves_no_temp_and_no_descriptor(folder: Path) -> None:
    with watching() as calls:
        stage(str(folder / "a"), b"data")
    sweep(str(folder))
    before = os.listdir("/dev/fd")
    for call in calls:
        if call.name == "fchmod":
            continue
        with watching(fail_at(call.number, errno.ENOSPC)), pytest.raises(DiskFull) as raised:
            stage(str(folder / "a"), b"data")
        assert raised.value.details["path"] == str(folder / "a")
        assert os.listdir(folder) == []
    assert os.listdir("/dev/fd") == before


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit, MemoryError])
def test_staging_that_is_interrupted_leaves_no_temp(folder: Path, interruption: type[BaseException]) -> None:
    with mock.patch.object(files, "_sync", side_effect=interruption), pytest.raises(interruption):
        stage(str(folder / "a"), b"data")
    assert os.listdir(folder) == []


def test_a_write_that_cannot_be_put_in_place_leaves_everything_as_it_was(folder: Path) -> None:
    (folder / "a").mkdir()
    with pytest.raises(IoProblem) as raised:
        write_atomic(str(folder / "a"), b"data")
    assert raised.value.details["errno"] in (errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY)
    assert os.listdir(folder) == ["a"]


def test_a_file_is_never_open_to_others_while_it_is_written(folder: Path) -> None:
    old = os.umask(0)
    seen = []
    try:
        with mock.patch.object(files, "_sync", side_effect=lambda one: seen.append(os.fstat(one).st_mode)):
            stage(str(folder / "a"), b"data")
    finally:
        os.umask(old)
    assert [stat.S_IMODE(mode) for mode in seen] == [0o600]


def test_removing_twice_is_fine_and_removing_a_folder_is_not(folder: Path) -> None:
    (folder / "a").write_text("x")
    remove(str(folder / "a"))
    remove(str(folder / "a"))
    (folder / "b").mkdir()
    with pytest.raises(IoProblem):
        remove(str(folder / "b"))


def test_sweeping_takes_temps_and_nothing_else(folder: Path) -> None:
    kept = ["a.md", "wuu-tmp-a", ".wuu-tmp", "x.wuu-tmp-1"]
    for name in (*kept, TEMP_PREFIX + "1", TEMP_PREFIX + "2"):
        (folder / name).write_text("x")
    (folder / (TEMP_PREFIX + "folder")).mkdir()
    sweep(str(folder))
    assert sorted(os.listdir(folder)) == sorted([*kept, TEMP_PREFIX + "folder"])
    assert sweep(str(folder / "none")) == 0


def test_o18_a_courtesy_never_goes_through_a_link_and_never_waits(folder: Path) -> None:
    (folder / "precious").write_text("precious")
    (folder / "link").symlink_to("precious")
    os.mkfifo(folder / "fifo")
    for name in ("link", "fifo", "none/none"):
        write_courtesy(str(folder / name), b"x")
    assert (folder / "precious").read_text() == "precious"
    write_courtesy(str(folder / "note"), b"longer")
    write_courtesy(str(folder / "note"), b"short")
    assert (folder / "note").read_text() == "short"
    assert _mode(folder / "note") == 0o600


def test_syncing_never_waits_for_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "fifo")
    with pytest.raises(IoProblem):
        sync_file(str(folder / "fifo"))


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP, errno.ENOSYS])
def test_a_disk_that_cannot_sync_folders_is_used_all_the_same(folder: Path, code: int) -> None:
    with mock.patch.object(files, "_sync", side_effect=OSError(code, "cannot")):
        sync_folder(str(folder))
    with (
        mock.patch.object(files, "_sync", side_effect=OSError(errno.EIO, "broken")),
        pytest.raises(IoProblem),
    ):
        sync_folder(str(folder))


def test_only_an_empty_folder_is_vouched_for_again(folder: Path) -> None:
    (folder / "a").mkdir()
    with watching() as calls:
        ensure_folder(str(folder / "a"))
    assert [call.path for call in calls if call.name == "fsync"] == [str(folder)]
    (folder / "a" / "file").write_text("x")
    with watching() as calls:
        ensure_folder(str(folder / "a"))
    assert not [call for call in calls if call.name == "fsync"]


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"])), st.integers(0, 200))
def test_o19_a_name_is_made_to_fit(name: str, room: int) -> None:
    fitting = fit_name(name, room)
    assert len(os.fsencode(fitting)) <= MAX_NAME_BYTES - room
    if len(os.fsencode(name)) <= MAX_NAME_BYTES - room:
        assert fitting == name


def test_o19_a_name_that_is_too_long_keeps_both_ends() -> None:
    fitting = fit_name("20260501T073000Z-" + "語" * 100 + ".md")
    assert fitting.startswith("20260501T073000Z-")
    assert fitting.endswith(".md")
    assert len(fitting.encode()) > MAX_NAME_BYTES - 4


def _folders(place: Path) -> tuple[Path, Path]:
    for name in ("a", "b"):
        (place / name).mkdir()
    return place / "a" / "file", place / "b" / "file"


def test_a_file_that_moves_has_both_names_until_the_new_one_is_durable(tmp_path: Path) -> None:
    old, new = _folders(tmp_path)
    old.write_bytes(b"x")
    with watching() as calls:
        files.move(str(old), str(new))
    assert [(call.name, call.path) for call in calls if call.changes] == [
        ("link", str(old)),
        ("fsync", str(new.parent)),
        ("unlink", str(old)),
        ("fsync", str(old.parent)),
    ]
    assert (old.exists(), new.read_bytes()) == (False, b"x")


def test_a_file_that_a_killed_writer_left_with_both_names_loses_the_old_one(tmp_path: Path) -> None:
    old, new = _folders(tmp_path)
    old.write_bytes(b"x")
    os.link(old, new)
    files.move(str(old), str(new))
    assert (old.exists(), new.read_bytes()) == (False, b"x")


@pytest.mark.parametrize("kind", ["another file there", "folder", "link", "no hard links"])
def test_what_cannot_have_two_names_is_renamed(kind: str, tmp_path: Path) -> None:
    old, new = _folders(tmp_path)
    if kind == "folder":
        old.mkdir()
    elif kind == "link":
        old.symlink_to(tmp_path / "outside")
        (tmp_path / "outside").write_bytes(b"x")
    else:
        old.write_bytes(b"x")
    if kind == "another file there":
        new.write_bytes(b"y")

    def no_links(call: Call) -> None:
        if kind == "no hard links" and call.name == "link":
            raise PermissionError(errno.EPERM, "no links here")

    with watching(no_links):
        files.move(str(old), str(new))
    assert not os.path.lexists(old)
    assert new.is_symlink() is (kind == "link")
    assert new.is_dir() or new.read_bytes() == b"x"
