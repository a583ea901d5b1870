"""The list of the places: what the home has recorded, with counts, and nothing hidden that is broken."""

import shutil
from typing import Any

from memory.conftest import Room, after, git
from wuu.memory.places import actions
from wuu.memory.places.listing import Place, WorkspaceList


def listed(room: Room, limit: int = actions.MAX_SHOWN, **who: Any) -> WorkspaceList:
    return actions.list_workspaces(room.asks(**who), limit)


def projects(found: WorkspaceList) -> list[Place]:
    assert [place.scope for place in found.places[:1]] == ["user"]
    return list(found.places[1:])


def test_nothing_is_known_and_nothing_is_written(room: Room) -> None:
    found = listed(room)
    (own,) = found.places
    assert (own.key, own.profile, own.by_origin) == (None, "default", {"manual": 0, "agent": 0})
    assert (found.total, found.omitted, found.caveats) == (0, 0, ())
    assert not room.root.exists()


def test_a_project_is_told_with_what_is_kept_for_it(room: Room) -> None:
    git(room.project("shop"), "init")
    git(room.project("shop"), "remote", "add", "origin", "git@git.example.org:team/shop.git")
    one = after(room.add("One"))
    room.add("Two", agent=True)
    room.change("archive", one.id)
    room.add("Three", "session", session="s1")
    (place,) = projects(listed(room))
    value = actions.place_value(place)
    assert value["key"] == one.shelf.workspace
    assert value["root"] == str(room.place / "shop")
    assert value["origin"] == "git.example.org/team/shop"
    assert value["parent_group"] == room.place.name
    assert value["counts"] == {
        "by_status": {"pending": 1, "saved": 1, "archived": 1},
        "by_origin": {"manual": 2, "agent": 1},
    }
    assert (value["sessions"], value["exists"], value["current"], value["problem"]) == (1, True, True, None)
    assert value["first_used"] == one.created_at
    assert value["last_used"] > one.created_at


def test_the_last_used_comes_first_and_a_limit_says_what_it_left_out(room: Room) -> None:
    for name in ("one", "two", "three"):
        room.project(name)
        room.add(f"In {name}", project=name)
    found = listed(room, 2)
    assert [place.described.root for place in projects(found)] == [
        str(room.place / name) for name in ("three", "two")
    ]
    assert (found.total, found.omitted) == (3, 1)


def test_only_the_memories_of_this_profile_are_counted_as_yours(room: Room) -> None:
    room.add("Mine", "user")
    room.add("Theirs", "user", profile="work")
    assert listed(room).places[0].by_status["saved"] == 1
    work = listed(room, profile="work").places[0]
    assert (work.profile, work.by_status["saved"]) == ("work", 1)


def test_a_project_that_is_gone_stays_listed(room: Room) -> None:
    room.project("old")
    room.add("One", project="old")
    shutil.rmtree(room.place / "old")
    (place,) = projects(listed(room))
    assert (place.exists, place.current, place.problem) == (False, False, None)


def test_a_broken_description_is_told_and_hides_nothing(room: Room) -> None:
    key = after(room.add("One")).shelf.workspace
    described = room.root / f"workspaces/{key}/workspace.json"
    good = described.read_bytes()
    cases = {b"[": "no JSON object", b"{}": "no root", good.replace(b"/shop", b"/sh"): "another workspace"}
    for data, expected in cases.items():
        described.write_bytes(data)
        found = listed(room)
        (place,) = projects(found)
        assert place.by_status["saved"] == 1
        assert expected in str(place.problem)
        assert [one.code for one in found.caveats] == ["workspace_problem"]
    described.unlink()
    assert "is not there" in str(projects(listed(room))[0].problem)


def test_a_memory_that_cannot_be_read_is_a_problem_of_its_project(room: Room) -> None:
    room.add("One")
    room.put("0" * 16, b"\xff\xfe")
    (place,) = projects(listed(room))
    assert place.by_status["saved"] == 1
    assert "1 unread" in str(place.problem)


def test_a_folder_without_any_file_is_no_project(room: Room) -> None:
    room.add("One")
    (room.root / "workspaces" / "empty-0000000000000000" / "entries").mkdir(parents=True)
    assert len(projects(listed(room))) == 1


def test_a_folder_that_leads_out_of_the_home_is_a_problem_and_not_entered(room: Room) -> None:
    key = after(room.add("One")).shelf.workspace
    room.add("Mine", "user")
    shutil.move(room.root / "entries/default", room.place / "elsewhere")
    (room.root / "entries/default").symlink_to(room.place / "elsewhere")
    (room.root / f"workspaces/{key}/sessions").symlink_to(room.place)
    own, project = listed(room).places
    assert own.by_status["saved"] == 0
    assert own.problem
    assert (project.by_status["saved"], project.sessions) == (1, 0)
    assert "sessions" in str(project.problem)
