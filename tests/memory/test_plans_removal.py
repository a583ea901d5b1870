"""What goes with a memory that is deleted, and which one undo means."""

import os
from pathlib import Path

import pytest

from memory.conftest import Room, after
from wuu.errors import ApprovalRequired, NotFound, StaleRevision, UsageProblem
from wuu.memory import actions
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED

ID, OTHER = "00000000000000aa", "00000000000000bb"


def linking(kind: str = "supports") -> str:
    links = f"link-{ID}: {kind}\r\n# mine\r\nlink-{OTHER}: related\r\n"
    return f"---\r\nstatus: saved\r\n{links}---\r\n\r\nSee there\r\n"


class TestDelete:
    @pytest.mark.parametrize("status", [SAVED, PENDING, ARCHIVED])
    def test_the_file_goes_whatever_its_status(self, room: Room, status: str) -> None:
        entry = room.put(ID, f"---\nstatus: {status}\n---\n\nOne\n")
        change = room.change("delete", ID[:-1])
        assert (change.verb, change.before, change.after) == ("removed", entry, None)
        assert room.tree() == {}
        with pytest.raises(NotFound):
            room.change("delete", ID)

    def test_links_to_it_go_from_every_shelf_of_the_home_and_nothing_else_does(self, room: Room) -> None:
        room.project("other")
        room.put(ID, "---\nstatus: saved\n---\n\nOne\n", "user")
        linked = [
            room.put("0000000000000001", linking(), "user"),
            room.put("0000000000000002", linking("conflicts")),
            room.put("0000000000000003", linking(), project="other"),
            room.put("0000000000000004", linking(), "session", session="s1"),
            room.put("0000000000000005", linking(), "user", profile="work"),
        ]
        alone = room.put("0000000000000006", f"---\nstatus: saved\n---\n\nlink-{ID}: supports\n")
        untouched = room.file(alone).read_bytes()
        room.change("delete", ID)
        for entry in linked:
            expected = linking().replace(f"link-{ID}: supports\r\n", "")
            assert room.file(entry).read_bytes().decode() == expected
            assert room.entry(entry).links == ((OTHER, "related"),)
        assert room.file(alone).read_bytes() == untouched

    def test_archiving_keeps_links(self, room: Room) -> None:
        room.put(ID, "---\nstatus: saved\n---\n\nOne\n")
        linked = room.put(OTHER, f"---\nstatus: saved\nlink-{ID}: supports\n---\n\nTwo\n")
        room.change("archive", ID)
        room.change("archive", OTHER)
        assert room.entry(linked).links == ((ID, "supports"),)

    def test_a_memory_that_links_to_itself_goes_as_well(self, room: Room) -> None:
        room.put(ID, f"---\nstatus: saved\nlink-{ID}: supports\n---\n\nOne\n")
        room.change("delete", ID)
        assert room.tree() == {}

    def test_o06_one_that_is_no_text_can_still_go(self, room: Room) -> None:
        room.put(ID, b"---\nstatus: saved\n---\n\nOne \xff\n")
        with pytest.raises(ApprovalRequired):
            room.change("delete", ID, agent=True)
        assert room.change("delete", ID).verb == "removed"
        assert room.tree() == {}

    def test_a_file_with_a_link_that_is_no_text_is_left_alone(self, room: Room) -> None:
        room.put(ID, "---\nstatus: saved\n---\n\nOne\n")
        broken = room.put(OTHER, f"---\nlink-{ID}: supports\n---\n\n".encode() + b"\xff")
        data = room.file(broken).read_bytes()
        room.change("delete", ID)
        assert room.file(broken).read_bytes() == data

    def test_it_takes_no_direction(self, room: Room) -> None:
        room.put(ID, "---\nstatus: saved\n---\n\nOne\n")
        with pytest.raises(UsageProblem):
            room.change("delete", ID, to="saved")


class TestUndo:
    def test_in_a_session_it_is_the_newest_that_was_saved_there_then_the_one_before(self, room: Room) -> None:
        first = after(room.add("One", "user", session="s1"))
        second = after(room.add("Two", session="s1"))
        third = after(room.add("Three", "session", session="s1"))
        others = [after(room.add("Four", session="s2")), after(room.add("Five"))]
        for expected in (third, second, first):
            assert actions.find_undo(room.asks(session="s1")).entry == expected
            change = room.undo(session="s1")
            assert (change.verb, change.before) == ("removed", expected)
        with pytest.raises(NotFound, match="The session s1 has no saved memory"):
            room.undo(session="s1")
        assert sorted(room.entries()) == sorted(others)

    def test_without_a_session_it_is_the_newest_that_a_person_saved_here(self, room: Room) -> None:
        room.project("other")
        mine = after(room.add("One", session="s1"))
        user = after(room.add("Two", "user"))
        room.add("Three", agent=True)
        room.put(ID, "---\nstatus: saved\nproposer: dream\ncreated: 2999-01-01T00:00:00Z\n---\n\nFour\n")
        room.add("Five", project="other")
        room.add("Six", "session", session="s1")
        assert room.undo().before == user
        assert room.undo().before == mine
        with pytest.raises(NotFound, match="nothing to undo"):
            room.undo()

    @pytest.mark.parametrize("verb", ["archive", "restore"])
    def test_only_what_is_saved_counts(self, room: Room, verb: str) -> None:
        one = after(room.add("One", session="s1"))
        two = after(room.add("Two", session="s1"))
        room.change(verb, two.id, to=None if verb == "archive" else "pending")
        assert room.undo(session="s1").before == one

    def test_what_waited_and_was_saved_in_a_session_counts_there(self, room: Room) -> None:
        waiting = after(room.add("One", agent=True, session="s1"))
        with pytest.raises(NotFound):
            actions.find_undo(room.asks(session="s1"))
        room.add("One", session="s1")
        assert actions.find_undo(room.asks(session="s1")).entry.id == waiting.id

    def test_hand_written_times_are_compared_as_times(self, room: Room) -> None:
        room.put(ID, "---\nstatus: saved\ncreated: 2026-05-01T23:00:00-04:00\n---\n\nOne\n")
        room.put(OTHER, "---\nstatus: saved\ncreated: 2026-05-02T01:00:00Z\n---\n\nTwo\n")
        room.put("00000000000000cc", "---\nstatus: saved\n---\n\nThree\n")
        assert actions.find_undo(room.asks()).entry.id == ID

    def test_links_to_it_go_too_and_edits_stay_done(self, room: Room) -> None:
        other = after(room.add("One", session="s1"))
        entry = after(room.add("Two", session="s1"))
        path = room.file(other)
        path.write_text(path.read_text().replace("proposer", f"link-{entry.id}: related\nproposer"))
        room.edit(other.id, text="One, edited", session="s1")
        room.undo(session="s1")
        left = room.entry(other)
        assert (left.text, left.links) == ("One, edited", ())

    def test_what_a_person_saw_is_what_goes(self, room: Room) -> None:
        room.add("One")
        seen = actions.find_undo(room.asks())
        newer = after(room.add("Two"))
        with pytest.raises(StaleRevision):
            room.undo(seen.revision)
        assert room.undo(actions.find_undo(room.asks()).revision).before == newer
        assert room.undo(seen.revision).before == seen.entry

    def test_an_agent_undoes_nothing(self, room: Room) -> None:
        room.add("One", session="s1")
        with pytest.raises(ApprovalRequired):
            room.undo(session="s1", agent=True)


def test_a_deleted_text_is_nowhere_in_home_and_cache(room: Room) -> None:
    words = ("quokkaword", "wombatword", "numbatword")
    entry = after(room.add(f"The {words[0]} sleeps", tags=(words[0],)))
    room.add("Something else")

    def found_by(word: str) -> int:
        return actions.search_memories(room.asks(), word, actions.Filters()).total

    assert found_by(words[0]) == 1
    room.edit(entry.id, text=f"The {words[1]} sleeps", tags=())
    assert found_by(words[1]) == 1
    room.edit(entry.id, scope="user")
    assert found_by(words[1]) == 1
    room.edit(entry.id, text=f"The {words[2]} sleeps")
    assert found_by(words[2]) == 1
    room.change("delete", entry.id)
    folders = (room.root, Path(os.environ["XDG_CACHE_HOME"]))
    places = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert any(path.suffix == ".sqlite" for path in places)
    assert [path for path in places for word in words if word.encode() in path.read_bytes().lower()] == []
