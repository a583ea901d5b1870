"""Counting what waits: right after every edit, whatever became of what was counted before."""

import os
from pathlib import Path

import pytest

from memory.conftest import Room, after
from wuu import clock
from wuu.memory.approving import waiting
from wuu.memory.shelves import find_shelf, session_shelf, visible_shelves
from wuu.situation.workspace import NoProject

PENDING = "---\nstatus: pending\nproposer: agent\n---\n\n{}\n"
IDS = [f"{number:016x}" for number in range(1, 6)]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count a minute after what the test writes, so that what was counted is kept."""
    real = clock.now
    monkeypatch.setattr(clock, "now", lambda: real() + 60)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the folders whose files were read to count them."""
    folders: list[str] = []
    real = waiting.count_statuses

    def counting(home: object, shelves: tuple[waiting.Shelf, ...]) -> dict[str, int]:
        folders.extend(shelf.folder for shelf in shelves)
        return real(home, shelves)  # type: ignore[arg-type]

    monkeypatch.setattr(waiting, "count_statuses", counting)
    return folders


def count(room: Room) -> int:
    return int(waiting.count_waiting_value(room.asks())["waiting"])


def kept(tmp_path: Path) -> list[Path]:
    cache = os.environ.get("XDG_CACHE_HOME") or str(tmp_path)
    return sorted(Path(cache).rglob("waiting-*.json"))


def test_nothing_waits_in_a_home_that_is_not_there(room: Room, tmp_path: Path) -> None:
    found = waiting.count_waiting_value(room.asks())
    assert found == {"waiting": 0, "by_scope": {"user": 0, "project": 0, "session": 0}}
    assert not room.root.exists()
    assert kept(tmp_path) == []


def test_every_scope_counts_and_every_session_of_the_project(room: Room) -> None:
    room.add("The mast is oak.")
    room.put(IDS[0], PENDING.format("The keel is iron."))
    room.put(IDS[1], PENDING.format("I like tea."), scope="user")
    found = room.asks().workspace
    assert not isinstance(found, NoProject)
    folder = room.root / session_shelf(found.key, "s9").folder
    folder.mkdir(parents=True)
    (folder / f"{IDS[2]}.md").write_text(PENDING.format("Only now."))
    value = waiting.count_waiting_value(room.asks())
    assert value == {"waiting": 3, "by_scope": {"user": 1, "project": 1, "session": 1}}
    assert waiting.count_waiting(room.home, visible_shelves(room.asks())) == 2


def test_a_shelf_that_looks_the_same_is_not_read_again(room: Room, later: None, reads: list[str]) -> None:
    room.put(IDS[0], PENDING.format("The keel is iron."))
    assert [count(room), count(room), count(room)] == [1, 1, 1]
    assert len(reads) == 1


def test_o21_an_edit_in_the_same_tick_is_seen(room: Room, reads: list[str]) -> None:
    entry = room.put(IDS[0], PENDING.format("The keel is iron."))
    assert count(room) == 1
    path = room.file(entry)
    before = path.stat()
    path.write_text(path.read_text().replace("pending", "saved  "))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert count(room) == 0
    assert len(reads) == 2


@pytest.mark.parametrize("how", ["in place", "renamed", "removed", "added"])
def test_an_edit_by_any_editor_is_seen_by_the_next_count(room: Room, later: None, how: str) -> None:
    entry = room.put(IDS[0], PENDING.format("The keel is iron."))
    room.put(IDS[1], PENDING.format("The mast is oak."))
    assert count(room) == 2
    path = room.file(entry)
    saved = path.read_text().replace("pending", "saved  ")
    if how == "in place":
        path.write_text(saved)
    elif how == "renamed":
        other = path.with_suffix(".tmp")
        other.write_text(saved)
        other.replace(path)
    elif how == "removed":
        path.unlink()
    else:
        room.put(IDS[2], PENDING.format("The sail is red."))
    assert count(room) == (3 if how == "added" else 1)


def test_what_cannot_be_read_does_not_wait_and_does_not_fail(room: Room) -> None:
    room.put(IDS[0], PENDING.format("The keel is iron."))
    room.put(IDS[1], b"---\nstatus: pending\n---\n\n\xff\xfe\n")
    path = room.file(room.put(IDS[2], "gone"))
    path.unlink()
    path.symlink_to("/nowhere")
    assert count(room) == 1


@pytest.mark.parametrize(
    "damage",
    [b"", b"[]", b"\xff" * 90, b"0" * 64 + b"{}", "cut", "flipped"],
    ids=lambda value: str(value)[:9],
)
def test_a_damaged_file_means_counting_anew(
    room: Room, later: None, reads: list[str], tmp_path: Path, damage: bytes | str
) -> None:
    room.put(IDS[0], PENDING.format("The keel is iron."))
    assert count(room) == 1
    (place,) = kept(tmp_path)
    data = place.read_bytes()
    changed = data[:-3] if damage == "cut" else data.replace(b", 1, ", b", 7, ")
    assert changed != data
    place.write_bytes(damage if isinstance(damage, bytes) else changed)
    assert count(room) == 1
    assert len(reads) == 2
    assert place.read_bytes()[:64] != b"0" * 64


def test_a_cache_that_cannot_be_written_is_no_failure(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    room.put(IDS[0], PENDING.format("The keel is iron."))
    assert [count(room), count(room)] == [1, 1]


def test_counting_leaves_the_home_as_it_is(room: Room, later: None) -> None:
    room.put(IDS[0], PENDING.format("The keel is iron."))
    before = room.tree()
    count(room)
    assert room.tree() == before


def test_it_agrees_with_the_status_as_proposals_come_and_go(room: Room, later: None) -> None:
    first = after(room.propose("The mast is oak."))
    assert count(room) == 1
    room.propose("The keel is iron.")
    assert count(room) == 2
    room.approve(first.id)
    assert count(room) == 1
    assert waiting.count_by_shelf(room.home, [find_shelf(room.asks(), "project")]).popitem()[1] == 1
