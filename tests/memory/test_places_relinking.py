"""A moved project gets what was kept for it: every file, in one change, or nothing."""

import json
import shutil
from typing import Any

import pytest

from memory.conftest import PLAIN, Room, after, git
from store.faults import Killed, kill_at, watching
from wuu.errors import (
    AlreadyExists,
    Ambiguous,
    ApprovalRequired,
    NotFound,
    PinLimit,
    ReadOnlyMode,
    Refused,
    SettingsInvalid,
    UnsafeFile,
    UsageProblem,
)
from wuu.memory import actions as door
from wuu.memory.approving.rejected import find_rejection, text_words
from wuu.memory.places import actions
from wuu.memory.places.moving import find_moved
from wuu.memory.places.relinking import Relink, Relinked
from wuu.memory.shelves import project_shelf
from wuu.memory.values import EditMemory, Filters
from wuu.situation.cache import find_cache
from wuu.situation.workspace import workspace_key
from wuu.situation.writing import WriteOptions

ORIGIN = "git@git.example.org:team/shop.git"


@pytest.fixture
def moved(room: Room) -> Room:
    """The project `shop` with memories of every kind, moved to `store` since then."""
    repository(room, "shop")
    room.add("The mast is oak.", pinned=True)
    room.add("The sail is red.", "session", session="s1")
    room.add("The keel may be elm.", agent=True)
    (room.place / "shop").rename(room.place / "store")
    return room


def repository(room: Room, name: str) -> None:
    git(room.project(name), "init")
    git(room.project(name), "remote", "add", "origin", ORIGIN)


def relink(
    room: Room, source: str | None = None, *, new: bool = False, options: WriteOptions = PLAIN, **who: Any
) -> Relinked:
    situation = room.asks(**{"project": "store", **who})
    done = actions.relink(situation, Relink(source, new), options)
    assert done.outcome is not None
    return done.outcome


def key_of(room: Room, project: str) -> str:
    return workspace_key(str(room.place / project))


def test_everything_goes_along_and_nothing_stays(moved: Room) -> None:
    old, new = key_of(moved, "shop"), key_of(moved, "store")
    before = moved.tree()
    first_used = json.loads(before[f"workspaces/{old}/workspace.json"])["first_used"]
    outcome = relink(moved)
    expected = {path.replace(old, new): data for path, data in before.items()}
    description = moved.tree()[f"workspaces/{new}/workspace.json"]
    assert json.loads(description) == {
        "first_used": first_used,
        "origin": "git.example.org/team/shop",
        "root": str(moved.place / "store"),
    }
    assert moved.tree() == {**expected, f"workspaces/{new}/workspace.json": description}
    assert sorted(outcome.moved) == sorted(path for path in expected if path.endswith(".md"))
    assert (outcome.source and outcome.source.key, outcome.key, outcome.settings) == (old, new, False)


def test_afterwards_the_project_is_known_and_the_old_one_is_not(moved: Room) -> None:
    relink(moved)
    keys = [place.key for place in actions.list_workspaces(moved.asks(project="store")).places]
    assert keys == [None, key_of(moved, "store")]
    assert find_moved(moved.home, moved.asks(project="store")) == ()
    moved.add("The rudder is ash.", project="store")
    with pytest.raises(NotFound):
        relink(moved, key_of(moved, "shop"))


def test_a_project_can_move_again_and_back(moved: Room) -> None:
    before = moved.tree()
    relink(moved)
    (moved.place / "store").rename(moved.place / "shop")
    relink(moved, project="shop")
    assert moved.tree() == before


def test_a_change_that_was_proposed_can_still_be_approved(room: Room) -> None:
    repository(room, "shop")
    target = after(room.add("The mast is oak."))
    room.add("Linked to it.")
    room.put("0" * 16, f"---\nstatus: saved\nlink-{target.id}: supports\n---\nHolder")
    proposal = after(
        room.propose_change(target.id, EditMemory(target.id, text="The mast is elm."), agent=True)
    )
    (room.place / "shop").rename(room.place / "store")
    relink(room)
    (decided,) = room.approve(proposal.id, project="store")
    assert decided.error is None
    assert "The mast is elm." in [entry.text for entry in room.entries(project="store")]


def test_a_move_into_the_project_that_was_proposed_can_still_be_approved(room: Room) -> None:
    repository(room, "shop")
    room.add("The mast is oak.")
    mine = after(room.add("Mine.", "user"))
    proposal = after(room.propose_change(mine.id, EditMemory(mine.id, scope="project"), agent=True))
    (room.place / "shop").rename(room.place / "store")
    relink(room)
    (decided,) = room.approve(proposal.id, project="store")
    assert decided.error is None
    assert "Mine." in [entry.text for entry in room.entries(project="store")]


def test_what_was_rejected_stays_so(room: Room) -> None:
    repository(room, "shop")
    room.add("The mast is oak.")
    proposal = after(room.add("The keel may be elm.", agent=True))
    room.reject(proposal.id)
    (room.place / "shop").rename(room.place / "store")
    relink(room)
    shelf = project_shelf(key_of(room, "store"))
    assert find_rejection(room.home, (shelf,), text_words(proposal.text)) is not None


def test_a_project_that_is_still_there_can_be_merged_into_another(moved: Room) -> None:
    repository(moved, "shop")
    assert find_moved(moved.home, moved.asks(project="store")) == ()
    relink(moved, "shop")
    assert len(moved.entries(project="store")) == 2
    assert moved.entries(project="shop") == []


def test_words_are_found_at_the_new_place_and_leave_the_index_of_the_old(moved: Room) -> None:
    old = moved.asks(project="store", workspace=str(moved.place / "shop"))
    folder = project_shelf(key_of(moved, "shop")).folder
    assert door.search_memories(old, "mast", Filters()).total == 1
    assert find_cache(moved.home.root, folder) is not None
    relink(moved)
    assert find_cache(moved.home.root, folder) is None
    assert door.search_memories(moved.asks(project="store"), "mast", Filters()).total == 1


def test_settings_of_the_project_go_along(moved: Room) -> None:
    old, new = (str(moved.place / name) for name in ("shop", "store"))
    settings = moved.root / "settings.json"
    settings.write_text(json.dumps({"memoryUse": True, "memoryProjects": {old: {"memoryUse": False}}}))
    assert relink(moved).settings
    expected = {"memoryUse": True, "memoryProjects": {new: {"memoryUse": False}}}
    assert json.loads(settings.read_text()) == expected


def test_settings_that_contradict_each_other_stop_the_whole(moved: Room) -> None:
    old, new = (str(moved.place / name) for name in ("shop", "store"))
    projects = {old: {"memoryUse": False, "memoryEnabled": True}, new: {"memoryUse": True}}
    (moved.root / "settings.json").write_text(json.dumps({"memoryProjects": projects}))
    refused(moved, AlreadyExists)
    projects[new]["memoryUse"] = False
    (moved.root / "settings.json").write_text(json.dumps({"memoryProjects": projects}))
    relink(moved)
    found = json.loads((moved.root / "settings.json").read_text())["memoryProjects"]
    assert found == {new: {"memoryUse": False, "memoryEnabled": True}}


@pytest.mark.parametrize("text", ["[", '{"memoryProjects": {"OLD": 1}}'])
def test_settings_that_cannot_be_read_stop_the_whole(moved: Room, text: str) -> None:
    settings = moved.root / "settings.json"
    settings.write_text(text.replace("OLD", str(moved.place / "shop")))
    refused(moved, SettingsInvalid)


def test_settings_without_overrides_are_left_as_they_are(moved: Room) -> None:
    (moved.root / "settings.json").write_text('{"memoryProjects": []}')
    assert not relink(moved).settings


def refused(room: Room, error: type[Exception], source: str | None = None, **named: Any) -> None:
    before = room.tree()
    with pytest.raises(error):
        relink(room, source, **named)
    assert room.tree() == before


def test_who_and_what_is_refused(moved: Room) -> None:
    refused(moved, ApprovalRequired, agent=True)
    refused(moved, ApprovalRequired, agent=True, new=True)
    refused(moved, ReadOnlyMode, read_only=True)
    refused(moved, UsageProblem, key_of(moved, "shop"), new=True)
    refused(moved, NotFound, "nothing")
    refused(moved, NotFound, project="other" if moved.project("other") else "")
    refused(moved, Refused, project="")
    refused(moved, Refused, str(moved.place / "shop"), workspace=str(moved.place / "shop"))


def test_two_that_could_be_meant_have_to_be_told_apart(moved: Room) -> None:
    description = moved.root / f"workspaces/{key_of(moved, 'shop')}/workspace.json"
    gone = str(moved.place / "gone")
    other = moved.root / f"workspaces/{workspace_key(gone)}/workspace.json"
    other.parent.mkdir()
    other.write_text(description.read_text().replace(str(moved.place / "shop"), gone))
    refused(moved, Ambiguous)
    assert len(relink(moved, str(moved.place / "shop")).moved) == 3


def test_what_is_the_same_in_both_is_merged_and_what_is_not_stops_the_whole(moved: Room) -> None:
    old = moved.root / f"workspaces/{key_of(moved, 'shop')}"
    path = next((old / "entries").iterdir()).relative_to(old)
    there = moved.root / f"workspaces/{key_of(moved, 'store')}" / path
    there.parent.mkdir(parents=True)
    there.write_bytes(b"Mine.")
    refused(moved, AlreadyExists)
    there.write_bytes((old / path).read_bytes())
    assert len(relink(moved).moved) == 2
    assert not (old / path).exists()


@pytest.mark.parametrize("name", ["entries/link.md", "dream"])
def test_a_link_stops_the_whole(moved: Room, name: str) -> None:
    link = moved.root / f"workspaces/{key_of(moved, 'shop')}" / name
    link.symlink_to(moved.place / ("store/.git/HEAD" if name.endswith(".md") else "store"))
    refused(moved, UnsafeFile)


def test_files_that_are_no_text_or_large_go_along_byte_for_byte(moved: Room) -> None:
    old = moved.root / f"workspaces/{key_of(moved, 'shop')}"
    files = {"entries/notes.txt": b"\xff\x00", "dream/report.bin": b"x" * 300_000}
    for name, data in files.items():
        (old / name).parent.mkdir(exist_ok=True)
        (old / name).write_bytes(data)
    relink(moved)
    for name, data in files.items():
        assert (moved.root / f"workspaces/{key_of(moved, 'store')}" / name).read_bytes() == data
        assert not (old / name).exists()


def test_rejections_that_cannot_be_read_are_left_alone(moved: Room) -> None:
    (moved.root / "state").mkdir(exist_ok=True)
    (moved.root / "state/rejected.json").symlink_to(moved.place / "store/.git/HEAD")
    assert len(relink(moved).moved) == 3


def test_more_pins_than_a_project_can_have_stop_the_whole(moved: Room) -> None:
    for at in range(20):
        moved.put(f"{at:016x}", f"---\nstatus: saved\npinned: true\n---\nPin {at}", project="store")
    refused(moved, PinLimit)


def test_a_broken_description_is_made_anew(moved: Room) -> None:
    old = key_of(moved, "shop")
    (moved.root / f"workspaces/{old}/workspace.json").write_bytes(b"[")
    relink(moved, old)
    description = moved.tree()[f"workspaces/{key_of(moved, 'store')}/workspace.json"]
    assert json.loads(description)["root"] == str(moved.place / "store")
    assert not [path for path in moved.tree() if old in path]


def test_new_makes_it_a_project_of_its_own(moved: Room) -> None:
    before = moved.tree()
    outcome = relink(moved, new=True)
    assert (outcome.source, outcome.moved) == (None, ())
    added = moved.tree().keys() - before.keys()
    assert added == {f"workspaces/{key_of(moved, 'store')}/workspace.json"}
    moved.add("The rudder is ash.", project="store")
    assert [entry.text for entry in moved.entries(project="store")] == ["The rudder is ash."]
    relink(moved)
    assert len(moved.entries(project="store")) == 3


def test_a_dry_run_and_a_check_write_nothing(moved: Room) -> None:
    before = moved.tree()
    planned = actions.check_relink(moved.asks(project="store"), Relink())
    assert relink(moved, options=WriteOptions(dry_run=True)) == planned
    assert len(planned.moved) == 3
    assert moved.tree() == before


def test_a_kill_leaves_all_of_it_old_or_after_recovery_new(moved: Room) -> None:
    old, new = key_of(moved, "shop"), key_of(moved, "store")
    kept = moved.place / "kept"
    shutil.copytree(moved.root, kept)
    with watching() as calls:
        relink(moved)
    done = moved.tree()
    stops = [call.number for call in calls if call.changes]
    outcomes = []
    for stop in stops[::4]:
        shutil.rmtree(moved.root)
        shutil.copytree(kept, moved.root)
        before = moved.tree()
        with pytest.raises(Killed), watching(kill_at(stop)):
            relink(moved)
        moved.add("After it", "user", project="store")  # whoever writes next finishes what was begun
        left = of_workspaces(moved.tree())
        assert left in (of_workspaces(before), of_workspaces(done))
        outcomes.append(new if any(new in path for path in left) else old)
    assert outcomes[0] == old
    assert outcomes[-1] == new


def of_workspaces(tree: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of all workspaces, but for temporary ones."""
    return {
        path: data for path, data in tree.items() if path.startswith("workspaces") and ".wuu-tmp-" not in path
    }
