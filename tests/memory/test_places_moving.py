"""A project that moved: the first write stops, readers are told, and clones side by side never are (O-27)."""

import shutil

import pytest

from memory.conftest import Room, after, codes, git
from wuu.errors import WorkspaceMoved
from wuu.memory import actions as memories
from wuu.memory.context.actions import build_context
from wuu.memory.context.values import ContextRequest
from wuu.memory.graph.actions import read_overview
from wuu.memory.places import actions
from wuu.memory.places.moving import Moved, find_moved
from wuu.memory.values import Filters

ORIGIN = "git@git.example.org:team/shop.git"


@pytest.fixture
def moved(room: Room) -> Room:
    """The project `shop` with a memory, moved to `store` since then."""
    repository(room, "shop")
    room.add("The mast is oak.")
    (room.place / "shop").rename(room.place / "store")
    return room


def repository(room: Room, name: str, origin: str = ORIGIN) -> None:
    git(room.project(name), "init")
    git(room.project(name), "remote", "add", "origin", origin)


def found(room: Room, project: str) -> tuple[Moved, ...]:
    return find_moved(room.home, room.asks(project=project))


def test_the_first_write_stops_and_says_what_to_do(moved: Room) -> None:
    (one,) = found(moved, "store")
    before = moved.tree()
    for scope, who in (("project", {}), ("session", {"session": "s1"}), ("project", {"agent": True})):
        with pytest.raises(WorkspaceMoved) as stopped:
            moved.add("The sail is red.", scope, project="store", **who)
        assert str(moved.place / "shop") in stopped.value.message
        assert one.key in str(stopped.value.hint)
        assert stopped.value.details["candidates"] == [one._asdict()]
    assert moved.tree() == before


def test_readers_are_warned(moved: Room) -> None:
    (caveat,) = actions.moved_caveats(moved.home, moved.asks(project="store"))
    assert (caveat.code, caveat.details["root"]) == ("workspace_moved", str(moved.place / "shop"))
    assert caveat.details["key"] in caveat.message


def test_every_reader_passes_the_warning_on(moved: Room) -> None:
    asks = moved.asks(project="store")
    told = (
        memories.list_memories(asks, Filters()).caveats,
        memories.search_memories(asks, "mast", Filters()).caveats,
        build_context(asks, ContextRequest("mast")).caveats,
        read_overview(asks).caveats,
    )
    assert [[one.code for one in caveats] for caveats in told] == [["workspace_moved"]] * 4
    assert memories.list_memories(moved.asks(), Filters()).caveats == ()


def test_what_holds_everywhere_can_still_be_kept(moved: Room) -> None:
    assert codes(moved.add("Mine", "user", project="store")) == []


def test_o28_it_is_found_in_a_folder_and_in_a_worktree_of_it_as_well(moved: Room) -> None:
    moved.project("store/src")
    git(moved.place / "store", "commit", "--allow-empty", "-m", "x")
    git(moved.place / "store", "worktree", "add", str(moved.place / "side"))
    assert found(moved, "store/src") == found(moved, "side") == found(moved, "store") != ()


def test_the_old_place_is_another_project_by_now(moved: Room) -> None:
    repository(moved, "shop", "https://git.example.org/team/other")
    assert [one.root for one in found(moved, "store")] == [str(moved.place / "shop")]


@pytest.mark.parametrize("origin", ["https://git.example.org/team/other", ""])
def test_another_origin_or_none_is_another_project(moved: Room, origin: str) -> None:
    shutil.rmtree(moved.place / "store")
    moved.project("store")
    if origin:
        repository(moved, "store", origin)
    assert found(moved, "store") == ()
    moved.add("Mine", project="store")


def test_o27_two_clones_side_by_side_are_two_projects(room: Room) -> None:
    for name in ("shop", "clone"):
        repository(room, name)
    first = after(room.add("In shop"))
    second = after(room.add("In the clone", project="clone"))
    assert first.shelf != second.shelf
    assert [entry.text for entry in room.entries(project="clone")] == ["In the clone"]
    (room.place / "shop").rename(room.place / "gone")
    assert found(room, "clone") == ()
    assert len(found(room, "gone")) == 1


def test_one_that_is_known_already_is_not_looked_for(moved: Room) -> None:
    known = find_moved(moved.home, moved.asks(project="store"))
    moved.put("0" * 16, "---\nstatus: saved\n---\nBy hand", project="store")
    assert known != ()
    assert found(moved, "store") == ()


def test_without_a_project_or_a_home_nothing_has_moved(room: Room) -> None:
    repository(room, "shop")
    assert found(room, "shop") == ()
    assert found(room, "") == ()
    assert not room.root.exists()


def test_a_description_that_cannot_be_read_is_passed_over(moved: Room) -> None:
    (one,) = found(moved, "store")
    (moved.root / f"workspaces/{one.key}/workspace.json").write_bytes(b"[")
    assert found(moved, "store") == ()
