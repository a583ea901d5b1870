"""The indexes themselves: their state, building them anew, and that nothing deleted stays in them."""

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from memory.by_hand import memory, number
from memory.conftest import Room, after
from wuu import clock
from wuu.errors import ReadOnlyMode
from wuu.memory.find import index_status, purge, rebuild_index, search_memories
from wuu.memory.format.entry import Entry
from wuu.memory.indexing import Note, parse_note, render_note
from wuu.memory.shelves import find_shelf, user_shelf
from wuu.memory.values import Filters
from wuu.situation.cache import find_cache

PLAIN = Filters()


def place_of(room: Room, scope: str = "project") -> Path:
    found = find_cache(room.home.root, find_shelf(room.asks(), scope).folder)
    assert found is not None
    return Path(found)


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the files that were just written be old, on the clock of wuu."""
    now = clock.now
    monkeypatch.setattr(clock, "now", lambda: now() + 10)


def states(room: Room) -> dict[str, tuple[str, int, int, int]]:
    return {
        one["scope"]: (one["state"], one["memories"], one["indexed"], one["waiting"])
        for one in index_status(room.asks())
    }


class TestState:
    def test_it_is_missing_current_or_stale_and_asking_changes_nothing(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        room.put(number(1), memory("bell"))
        room.put(number(2), memory("rope"))
        assert states(room) == {"user": ("current", 0, 0, 0), "project": ("missing", 2, 0, 2)}
        later(monkeypatch)
        search_memories(room.asks(), "bell", PLAIN)
        assert states(room)["project"] == ("current", 2, 2, 0)
        room.put(number(3), memory("quay"))
        room.put(number(1), memory("bells"))
        for _ in range(2):
            assert states(room)["project"] == ("stale", 3, 2, 2)
        search_memories(room.asks(), "bell", PLAIN)
        room.file(room.put(number(2), memory("rope"))).unlink()
        assert states(room)["project"] == ("stale", 2, 3, 1)

    def test_it_says_whose_index_it_is_and_where(self, room: Room) -> None:
        room.put(number(1), memory("bell"), scope="session", session="s-1")
        search_memories(room.asks(), "bell", Filters(session="all"))
        user, project, session = index_status(room.asks())
        assert (user["profile"], user["workspace"], user["path"]) == ("default", None, None)
        assert project["folder"] == find_shelf(room.asks(), "project").folder
        assert (session["scope"], session["session_id"]) == ("session", "s-1")
        assert session["bytes"] == os.path.getsize(session["path"]) > 0

    def test_a_damaged_one_is_missing_and_the_next_search_builds_it(self, room: Room) -> None:
        room.put(number(1), memory("bell"))
        search_memories(room.asks(), "bell", PLAIN)
        place_of(room).write_bytes(b"no database at all" * 500)
        assert states(room)["project"] == ("missing", 1, 0, 1)
        assert search_memories(room.asks(), "bell", PLAIN).total == 1

    def test_it_can_be_deleted_at_will(self, room: Room) -> None:
        room.put(number(1), memory("bell"))
        search_memories(room.asks(), "bell", PLAIN)
        place_of(room).unlink()
        assert search_memories(room.asks(), "bell", PLAIN).total == 1


class TestRebuild:
    def test_every_index_of_the_call_is_built_anew(self, room: Room) -> None:
        room.put(number(1), memory("bell"))
        room.put(number(2), memory("bell"), scope="user")
        room.put(number(3), memory("bell"), scope="session", session="s-1")
        search_memories(room.asks(), "bell", PLAIN)
        place_of(room).write_bytes(b"")
        found = rebuild_index(room.asks())
        assert [(one["scope"], one["indexed"], one["in_memory"]) for one in found] == [
            *(("user", 1, False), ("project", 1, False), ("session", 1, False))
        ]

    def test_an_empty_shelf_gets_none(self, room: Room) -> None:
        found = rebuild_index(room.asks())
        assert [(one["scope"], one["path"]) for one in found] == [("user", None), ("project", None)]

    def test_it_says_if_it_cannot_be_kept(
        self, room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file" / "below"))
        room.put(number(1), memory("bell"))
        assert rebuild_index(room.asks())[-1]["in_memory"] is True
        assert search_memories(room.asks(), "bell", PLAIN).total == 1

    def test_read_only_mode_refuses(self, room: Room) -> None:
        with pytest.raises(ReadOnlyMode):
            rebuild_index(room.asks(read_only=True))


class TestPurge:
    SECRET = "zanzibarquay"

    def holds(self, room: Room) -> bool:
        """Tell whether any file of the home or the cache has the word in it."""
        folders = (room.root, Path(os.environ["XDG_CACHE_HOME"]))
        files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
        return any(self.SECRET.encode() in path.read_bytes() for path in files)

    @pytest.fixture(autouse=True)
    def _memories(self, room: Room) -> None:
        for at in range(40):
            room.put(number(at), memory(f"bell {at}"))
        room.put(number(99), memory(f"the {self.SECRET} rope", status="pending", tags=f'["{self.SECRET}"]'))
        search_memories(room.asks(), "bell", PLAIN)
        assert self.SECRET.encode() in place_of(room).read_bytes()

    def test_what_was_deleted_by_hand_leaves_the_index_at_once(self, room: Room) -> None:
        shelf = find_shelf(room.asks(), "project")
        (room.root / shelf.path(number(99))).unlink()
        purge(room.home, (shelf, find_shelf(room.asks(), "user")))
        assert not self.holds(room)
        assert search_memories(room.asks(), "bell", PLAIN).total == 40

    def test_what_was_edited_too(self, room: Room) -> None:
        room.put(number(99), memory("nothing of it"))
        purge(room.home, (find_shelf(room.asks(), "project"),))
        assert not self.holds(room)

    def test_the_commands_do_it(self, room: Room) -> None:
        entry = after(room.add(f"another {self.SECRET}"))
        search_memories(room.asks(), "another", PLAIN)
        room.change("delete", number(99))
        room.edit(entry.id, text="Something else.")
        assert not self.holds(room)

    def test_where_it_cannot_be_written_the_whole_file_goes(self, room: Room) -> None:
        shelf = find_shelf(room.asks(), "project")
        (room.root / shelf.path(number(99))).unlink()
        place = place_of(room)
        busy = sqlite3.connect(place, isolation_level=None)
        busy.execute("BEGIN IMMEDIATE")
        purge(room.home, (shelf,))
        busy.close()
        assert not place.exists()
        assert not self.holds(room)

    def test_without_an_index_there_is_nothing_to_do_and_none_is_made(self, room: Room) -> None:
        place = place_of(room)
        place.unlink()
        purge(room.home, (find_shelf(room.asks(), "project"),))
        assert not place.exists()


def noted(**fields: Any) -> Note:
    entry = Entry(
        "0" * 16, user_shelf("default"), **{"status": "saved", "text": "The mast is oak.", **fields}
    )
    return parse_note(render_note(entry))


def test_a_saved_memory_that_is_in_no_way_special_needs_no_note() -> None:
    assert render_note(Entry("0" * 16, user_shelf("default"), "saved", "The mast is oak.")) == ""


def test_a_note_says_status_pin_preference_and_links_with_their_kinds() -> None:
    assert noted(status="pending") == Note("pending")
    assert noted(pinned=True) == Note("saved", pinned=True)
    assert noted(category="Project.Security") == Note("saved", ranks_higher=True)
    assert noted(categories=("preferences",)) == Note("saved", ranks_higher=True)
    links = (("1" * 16, "supersedes"), ("2" * 16, "related"))
    assert noted(links=links, pinned=True) == Note("saved", pinned=True, links=links)
    assert noted(links=links).linked == ("1" * 16, "2" * 16)


@pytest.mark.parametrize("damaged", ["", "saved", "x", "saved -  :", "saved p aa"])
def test_a_damaged_note_says_less_and_is_no_reason_to_fail(damaged: str) -> None:
    assert isinstance(parse_note(damaged), Note)
