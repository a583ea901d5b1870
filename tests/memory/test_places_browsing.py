"""Views over several projects: merged, each memory once, and nothing of another profile."""

import os
from typing import Any

import pytest

from memory.conftest import Room, after
from wuu.errors import Ambiguous, NotFound, UsageProblem, WuuError
from wuu.memory import actions as door
from wuu.memory.places import actions
from wuu.memory.places.browsing import Browsed
from wuu.memory.values import Filters


@pytest.fixture
def filled(room: Room) -> Room:
    room.project("tower")
    room.add("Shop one")
    room.add("Tower one", project="tower")
    room.add("Mine", "user")
    room.add("Theirs", "user", profile="work")
    room.add("Of a session", "session", project="tower", session="s1")
    return room


def browse(
    room: Room, view: str = "current", limit: int = 200, who: str = "shop", **named: object
) -> Browsed:
    return actions.browse(room.asks(project=who), view, Filters(**named), limit)


def texts(found: Browsed) -> list[str]:
    return sorted(one.entry.text for one in found.memories)


def test_each_view_has_its_memories_and_the_user_s_once(filled: Room) -> None:
    assert texts(browse(filled)) == ["Mine", "Shop one"]
    assert texts(browse(filled, "user")) == ["Mine"]
    assert texts(browse(filled, "all")) == ["Mine", "Shop one", "Tower one"]
    assert texts(browse(filled, str(filled.place / "tower"))) == ["Mine", "Tower one"]
    assert texts(browse(filled, "all", who="")) == ["Mine", "Shop one", "Tower one"]
    assert texts(browse(filled, who="")) == ["Mine"]


def test_current_is_what_list_shows(filled: Room) -> None:
    listed = door.list_memories(filled.asks(), Filters())
    assert browse(filled).memories == listed.memories


def test_filters_are_those_of_list(filled: Room) -> None:
    filled.add("Waits", agent=True, project="tower")
    assert texts(browse(filled, "all", text="ONE")) == ["Shop one", "Tower one"]
    assert texts(browse(filled, "all", scope="project", status="saved")) == ["Shop one", "Tower one"]
    assert texts(browse(filled, "all", scope="user")) == ["Mine"]
    assert texts(browse(filled, "all", status="pending")) == ["Waits"]
    assert texts(browse(filled, "all", scope="session")) == ["Of a session"]
    assert "Of a session" in texts(browse(filled, "all", session="all"))
    assert "Of a session" in texts(browse(filled, "all", session="s1"))
    assert "Of a session" not in texts(browse(filled, "all", session="s2"))


@pytest.mark.parametrize(
    "named", [{"scope": "global"}, {"status": "x"}, {"session": "../x"}, {"older_than": -1}]
)
def test_what_cannot_be_asked_for_is_refused(filled: Room, named: dict[str, Any]) -> None:
    with pytest.raises(UsageProblem):
        browse(filled, "all", **named)
    with pytest.raises(UsageProblem):
        browse(filled, "all", 0)


def test_without_a_project_there_is_no_current_one(filled: Room) -> None:
    with pytest.raises(WuuError, match="belongs to no project"):
        browse(filled, who="", scope="project")


def test_a_memory_of_another_project_is_told_as_it_is_there(filled: Room) -> None:
    there = after(filled.add("Linked", project="tower"))
    filled.put("0" * 16, f"---\nstatus: saved\nlink-{there.id}: supports\n---\nHolder", project="tower")
    shown = {one.entry.id: one for one in browse(filled, "all").memories}[there.id]
    assert shown == door.show_memory(filled.asks(project="tower"), there.id)
    value = door.memory_value(shown)
    assert value["workspace"] == str(filled.place / "tower")
    assert os.path.exists(value["path"])


def test_the_revision_of_one_s_own_memory_is_that_of_this_call(filled: Room) -> None:
    (mine,) = browse(filled, "user").memories
    holder = f"---\nstatus: saved\nlink-{mine.entry.id}: supports\n---\nHolder"
    filled.put("0" * 16, holder, project="tower")
    for who, view in (("shop", "all"), ("tower", "all"), ("shop", "user"), ("tower", "user")):
        found = {one.entry.id: one for one in browse(filled, view, who=who).memories}[mine.entry.id]
        assert found == door.show_memory(filled.asks(project=who), mine.entry.id)


def test_the_graph_counts_saved_ones_across_projects(filled: Room) -> None:
    (mine,) = browse(filled, "user").memories
    document = "---\nstatus: {}\nlink-{}: conflicts\n---\nText {}"
    filled.put("0" * 16, document.format("saved", mine.entry.id, "a"))
    filled.put("1" * 16, document.format("pending", mine.entry.id, "b"))
    filled.put("2" * 16, document.format("saved", "0" * 16, "c"), project="tower")
    assert browse(filled, "all").graph == (5, 2, 2, 2)
    assert browse(filled).graph == (3, 1, 1, 1)
    assert browse(filled, "all", 1).graph == (5, 2, 2, 2)
    assert browse(filled, "all", session="all").graph == (5, 2, 2, 2)


def test_a_limit_says_what_it_left_out_and_the_newest_come_first(filled: Room) -> None:
    found = browse(filled, "all", 2)
    assert [one.entry.text for one in found.memories] == ["Mine", "Tower one"]
    assert (found.total, found.omitted) == (3, 1)


def test_a_project_is_named_by_key_prefix_or_path(filled: Room) -> None:
    filled.project("towers")
    filled.add("Other", project="towers")
    (one,) = [one for one in browse(filled, "all").memories if one.entry.text == "Tower one"]
    key = str(one.entry.shelf.workspace)
    for name in (key, key[:-3], f"{filled.place}/tower/", f"{filled.place}/shop/../tower"):
        found = browse(filled, name)
        assert (found.view, found.project and found.project.key) == (key, key)
    with pytest.raises(Ambiguous):
        browse(filled, "tower")
    for name in ("", "nothing", "/nowhere", str(filled.place)):
        with pytest.raises(NotFound):
            browse(filled, name)


def test_looking_writes_nothing_and_unreadable_files_are_told(filled: Room) -> None:
    filled.put("3" * 16, b"\xff", project="tower")
    before = filled.tree()
    assert [one.code for one in browse(filled, "all").caveats] == ["not_utf8"]
    assert browse(filled).caveats == ()
    assert filled.tree() == before
