"""What an edit, a move and a step of a memory's life do: all of it or none, and no other byte of the file."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.conftest import Room, after, codes
from wuu.errors import (
    AlreadyExists,
    Ambiguous,
    ApprovalRequired,
    ChangedOnDisk,
    NotFound,
    NotUtf8,
    PinLimit,
    Refused,
    StaleRevision,
    UsageProblem,
)
from wuu.memory import actions
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, edited_entry, parse_entry
from wuu.memory.shelves import project_shelf
from wuu.memory.writing import plans

ID, OTHER = "00000000000000aa", "00000000000000bb"

HANDWRITTEN = (
    "\ufeff---\r\n"
    "# what we ship with\r\n"
    "Title: Release: the steps  \r\n"
    "tags: [no, on, 2026-05-01]\r\n"
    "status:   saved\r\n"
    "sensitivity: low\r\n"
    "pinned: false\r\n"
    "opens: 11:45\r\n"
    "ref: 007\r\n"
    "custom: {a: 1}\r\n"
    f"link-{OTHER}: supports\r\n"
    "created: 2026-03-08T22:15:30-04:00\r\n"
    "updated: 2026-03-08T22:15:30-04:00\r\n"
    "---\r\n"
    "\r\n"
    "    make tag  \r\n"
    "last line  \r\n"
    "\r\n"
)


def changed_lines(before: bytes, now: bytes) -> list[bytes]:
    """Return the lines of `now` that are not in `before`; hold that the others are there in their order."""
    old, new = before.split(b"\n"), now.split(b"\n")
    kept = [line for line in new if line in old]
    assert kept == [line for line in old if line in new]
    return [line for line in new if line not in old]


class TestBytes:
    def test_o07_one_key_changes_and_no_other_byte(self, room: Room) -> None:
        entry = room.put(ID, HANDWRITTEN)
        before = HANDWRITTEN.encode()
        changed = after(room.edit(ID, add_tags=("deploy",)))
        assert changed.tags == ("no", "on", "2026-05-01", "deploy")
        lines = changed_lines(before, room.file(entry).read_bytes())
        assert lines == [
            b'tags: ["no", "on", "2026-05-01", "deploy"]\r',
            f"updated: {changed.updated_at}\r".encode(),
        ]

    @pytest.mark.parametrize(
        ("change", "line"),
        [
            ({"pinned": True}, b"pinned: true\r"),
            ({"category": "release"}, b"category: release\r"),
            ({"sensitivity": "high"}, b"sensitivity: high\r"),
            ({"verified": "2026-05-01"}, b"verified: 2026-05-01\r"),
            ({"confidence": 0.5}, b"confidence: 0.5\r"),
        ],
    )
    def test_o11_every_field_is_set_alone(self, room: Room, change: dict[str, object], line: bytes) -> None:
        entry = room.put(ID, HANDWRITTEN)
        updated = after(room.edit(ID, **change)).updated_at
        lines = changed_lines(HANDWRITTEN.encode(), room.file(entry).read_bytes())
        assert sorted(lines) == sorted([line, f"updated: {updated}\r".encode()])

    def test_pinning_archiving_and_restoring_touch_their_line_alone(self, room: Room) -> None:
        entry = room.put(ID, HANDWRITTEN)
        room.change("pin", ID)
        room.change("unpin", ID)
        room.change("archive", ID)
        done = after(room.change("restore", ID))
        assert done._replace(updated_at=None, digest="") == entry._replace(updated_at=None, digest="")
        gone = {b"pinned: false\r", b"updated: 2026-03-08T22:15:30-04:00\r", b"status:   saved\r"}
        now = room.file(entry).read_bytes().split(b"\n")
        assert gone >= set(HANDWRITTEN.encode().split(b"\n")) - set(now)

    def test_a_move_keeps_the_bytes_too(self, room: Room) -> None:
        entry = room.put(ID, HANDWRITTEN)
        moved = after(room.edit(ID, scope="user"))
        assert not room.file(entry).exists()
        lines = changed_lines(HANDWRITTEN.encode(), room.file(moved).read_bytes())
        assert lines == [f"updated: {moved.updated_at}\r".encode()]

    def test_another_text_keeps_the_block_and_the_line_ends(self, room: Room) -> None:
        entry = room.put(ID, HANDWRITTEN)
        changed = after(room.edit(ID, text="two\nlines"))
        data = room.file(entry).read_bytes()
        assert data.endswith(b"---\r\n\r\ntwo\r\nlines\r\n\r\n")
        assert changed.text == "two\nlines"
        head = data[: data.index(b"\r\n---\r\n")]
        assert changed_lines(HANDWRITTEN.encode().split(b"\r\n---\r\n")[0], head) == [
            f"updated: {changed.updated_at}".encode()
        ]

    def test_an_edit_that_changes_nothing_writes_nothing(self, room: Room) -> None:
        room.put(ID, HANDWRITTEN)
        tree = room.tree()
        for fields in (
            {},
            {"tags": ("no", "on", "2026-05-01")},
            {"text": "    make tag  \nlast line  "},
            {"pinned": False, "scope": "project", "sensitivity": "low"},
            {"remove_tags": ("unknown",), "category": "other"},
        ):
            assert room.edit(ID, **fields).verb == "unchanged"  # type: ignore[arg-type]
        for verb in ("restore", "unpin"):
            assert room.change(verb, ID).verb == "unchanged"
        assert room.tree() == tree

    @given(data=st.data())
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
    def test_what_was_asked_is_what_is_read(self, data: st.DataObject) -> None:
        shelf = project_shelf("shop-0123456789abcdef")
        text = HANDWRITTEN if data.draw(st.booleans()) else HANDWRITTEN.replace("\r\n", "\n")
        old = parse_entry(ID, shelf, text)
        word = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=9)
        word = word.filter(lambda value: "," not in value)
        new = old._replace(
            text="\n".join(data.draw(st.lists(word, min_size=1))),
            category=data.draw(word),
            tags=tuple(data.draw(st.lists(word))),
            status=data.draw(st.sampled_from([SAVED, PENDING, ARCHIVED])),
            sensitivity=data.draw(st.sampled_from(["low", "high"])),
        )
        found = parse_entry(ID, shelf, edited_entry(text, old, new))
        assert found._replace(digest="", problems=()) == new._replace(digest="", problems=())


class TestFields:
    def test_tags_and_categories_replace_add_and_remove(self, room: Room) -> None:
        entry = after(room.add("One", tags=("a", "B"), category="stack", categories=("release",)))
        assert after(room.edit(entry.id, add_tags=("b", "c"), remove_tags=("A",))).tags == ("B", "c")
        assert after(room.edit(entry.id, tags=("x", "y"), add_tags=("z",), remove_tags=("X",))).tags == (
            "y",
            "z",
        )
        assert after(room.edit(entry.id, tags=())).tags == ()
        changed = after(room.edit(entry.id, category="release"))
        assert (changed.category, changed.categories) == ("release", ())
        assert after(room.edit(entry.id, categories=("Release", "other", ""))).categories == ("other",)
        assert after(room.edit(entry.id, category="", categories=())).all_categories == ("other",)

    def test_a_verified_date_can_be_taken_away(self, room: Room) -> None:
        entry = after(room.add("One", verified="2026-05-01"))
        assert after(room.edit(entry.id, verified="")).verified_at is None

    def test_it_says_when_it_was_changed_and_not_otherwise_made(self, room: Room) -> None:
        entry = after(room.add("One"))
        changed = after(room.edit(entry.id, text="Two"))
        assert changed.created_at == entry.created_at
        assert (changed.updated_at or "") > (entry.updated_at or "")

    def test_a_text_that_another_memory_has_is_refused_whatever_its_status(self, room: Room) -> None:
        entry = after(room.add("One"))
        for status, scope in ((SAVED, "user"), (PENDING, "project"), (ARCHIVED, "user")):
            room.put(OTHER, f"---\nstatus: {status}\n---\n\nTwo\n", scope)
            with pytest.raises(AlreadyExists, match=f'{OTHER} "Two" says the same'):
                room.edit(entry.id, text=" two ")
            room.change("delete", OTHER)
        assert after(room.edit(entry.id, text="ONE")).text == "ONE"
        assert after(room.edit(entry.id, text="Two")).text == "Two"

    def test_ids_may_be_short_and_must_be_unique(self, room: Room) -> None:
        room.put(ID, "---\nstatus: saved\n---\n\nOne\n")
        room.put(OTHER, "---\nstatus: saved\n---\n\nTwo\n", "user")
        assert after(room.edit("00000000000000A", text="Three")).id == ID
        with pytest.raises(Ambiguous) as caught:
            room.edit("0000", text="Four")
        assert caught.value.details["ids"] == [ID, OTHER]
        with pytest.raises(NotFound):
            room.edit("f", text="Four")
        with pytest.raises(UsageProblem):
            room.edit("../x", text="Four")

    def test_an_id_in_two_places_is_left_alone(self, room: Room) -> None:
        for scope in ("user", "project"):
            room.put(ID, "---\nstatus: saved\n---\n\nOne\n", scope)
        tree = room.tree()
        for act in (lambda: room.edit(ID, text="Two"), lambda: room.change("archive", ID)):
            with pytest.raises(Ambiguous, match="two places"):
                act()
        assert room.tree() == tree

    def test_session_memories_of_this_project_are_reached_by_id(self, room: Room) -> None:
        room.project("other")
        entry = after(room.add("One", "session", session="s1"))
        assert after(room.edit(entry.id, text="Two", session="s2")).text == "Two"
        assert after(room.change("pin", entry.id)).pinned
        with pytest.raises(NotFound):
            room.edit(entry.id, text="Three", project="other")
        with pytest.raises(NotFound):
            room.edit(after(room.add("Mine", "user")).id, text="Three", profile="work")

    def test_o06_a_file_that_is_no_text_is_named_and_left_alone(self, room: Room) -> None:
        room.put(ID, b"---\nstatus: saved\n---\n\nOne \xff\n")
        with pytest.raises(NotUtf8, match=f"{ID}.md"):
            room.edit(ID, text="Two")


class TestRevisions:
    def test_what_changed_since_it_was_shown_is_left_alone(self, room: Room) -> None:
        entry = after(room.add("One"))
        seen = actions.show_memory(room.asks(), entry.id).revision
        assert after(room.edit(entry.id, text="Two", revision=seen)).text == "Two"
        for act in (
            lambda: room.edit(entry.id, text="Three", revision=seen),
            lambda: room.change("archive", entry.id, revision=seen),
            lambda: room.change("delete", entry.id, revision=seen),
        ):
            with pytest.raises(StaleRevision, match=f"{entry.id} .Two. changed since you looked at it"):
                act()
        assert room.entry(entry).text == "Two"

    def test_a_link_from_elsewhere_and_a_move_change_it_too(self, room: Room) -> None:
        entry = after(room.add("One"))
        seen = actions.show_memory(room.asks(), entry.id).revision
        room.put(OTHER, f"---\nstatus: saved\nlink-{entry.id}: supports\n---\n\nTwo\n", "user")
        with pytest.raises(StaleRevision):
            room.change("pin", entry.id, revision=seen)
        seen = actions.show_memory(room.asks(), entry.id).revision
        room.edit(entry.id, scope="user")
        with pytest.raises(StaleRevision):
            room.change("pin", entry.id, revision=seen)

    def test_o02_a_file_that_is_edited_while_the_change_is_worked_out_is_left_alone(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        entry = after(room.add("One"))
        checked = plans._check_edit

        def edited_meanwhile(*arguments: Any) -> None:
            checked(*arguments)
            room.file(entry).write_text("---\nstatus: saved\n---\n\nBy hand\n")

        monkeypatch.setattr(plans, "_check_edit", edited_meanwhile)
        with pytest.raises(ChangedOnDisk, match=entry.path):
            room.edit(entry.id, text="Two")
        assert room.entry(entry).text == "By hand"


class TestMoves:
    def test_a_move_keeps_id_text_category_status_pin_and_links(self, room: Room) -> None:
        links = {OTHER: "supersedes"}
        lines = "".join(f"link-{other}: {kind}\n" for other, kind in links.items())
        entry = room.put(
            ID, f"---\nstatus: saved\ncategory: stack\npinned: true\ntags: [a]\n{lines}---\n\nOne\n"
        )
        room.put(OTHER, f"---\nstatus: saved\nlink-{ID}: related\n---\n\nTwo\n")
        for scope, session in (("user", None), ("session", "s1"), ("session", "s2"), ("project", None)):
            moved = after(room.edit(ID, scope=scope, session=session))
            assert moved.shelf.scope == scope
            assert moved._replace(shelf=entry.shelf, updated_at=None, digest="") == entry._replace(digest="")
            assert [path for path in room.tree() if path.endswith(f"{ID}.md")] == [moved.path]
        assert room.entries()[1].links == ((ID, "related"),)

    def test_a_move_and_other_edits_are_done_together_or_not_at_all(self, room: Room) -> None:
        entry = after(room.add("One", tags=("a",)))
        moved = after(room.edit(entry.id, scope="user", text="Two", tags=("b",), pinned=True))
        assert (moved.shelf.scope, moved.text, moved.tags, moved.pinned) == ("user", "Two", ("b",), True)
        for number in range(19):
            room.add(f"Fact {number}", "user", pinned=True)
        room.add("Taken")
        tree = room.tree()
        for fields, error in (
            ({"scope": "project", "text": "taken"}, AlreadyExists),
            ({"scope": "project", "tags": ("a,b",)}, UsageProblem),
            ({"scope": "session", "text": "Three"}, UsageProblem),
            ({"scope": "nowhere", "text": "Three"}, UsageProblem),
        ):
            with pytest.raises(error):
                room.edit(entry.id, **fields)  # type: ignore[arg-type]
        another = after(room.add("Another", pinned=True))
        tree = room.tree()
        with pytest.raises(PinLimit):
            room.edit(another.id, scope="user", text="Changed", category="stack")
        assert room.tree() == tree

    def test_a_pinned_one_moves_only_where_there_is_room(self, room: Room) -> None:
        for number in range(20):
            room.add(f"Fact {number}", "user", pinned=True)
        entry = after(room.add("One", pinned=True))
        with pytest.raises(PinLimit) as caught:
            room.edit(entry.id, scope="user")
        assert len(caught.value.details["pinned"]) == 20
        assert room.entry(entry) == entry
        moved = after(room.edit(entry.id, scope="user", pinned=False))
        assert (moved.shelf.scope, moved.pinned) == ("user", False)

    @pytest.mark.parametrize("status", [PENDING, ARCHIVED])
    def test_what_waits_or_is_archived_does_not_change_scope(self, room: Room, status: str) -> None:
        entry = room.put(ID, f"---\nstatus: {status}\n---\n\nOne\n")
        with pytest.raises(Refused, match="change their scope"):
            room.edit(ID, scope="user", text="Two")
        assert room.entry(entry) == entry
        assert after(room.edit(ID, scope="project", text="Two")).text == "Two"

    def test_a_session_is_named_or_the_memory_stays_in_its_own(self, room: Room) -> None:
        entry = after(room.add("One", "session", session="s1"))
        assert after(room.edit(entry.id, scope="session", text="Two")).shelf == entry.shelf
        other = after(room.add("Three"))
        with pytest.raises(UsageProblem, match="session"):
            room.edit(other.id, scope="session")

    def test_the_same_text_on_the_new_shelf_is_refused(self, room: Room) -> None:
        first = after(room.add("One", "session", session="s1"))
        room.add("One", "session", session="s2")
        room.edit(first.id, scope="project")
        (second,) = room.entries("session", session="s2")
        with pytest.raises(AlreadyExists, match=first.id):
            room.edit(second.id, scope="project")

    def test_a_move_into_a_project_leaves_its_description(self, room: Room) -> None:
        entry = after(room.add("One", "user"))
        assert not [path for path in room.tree() if path.endswith("workspace.json")]
        moved = after(room.edit(entry.id, scope="project"))
        assert f"workspaces/{moved.shelf.workspace}/workspace.json" in room.tree()


class TestSteps:
    def test_at_most_twenty_are_pinned_and_one_less_makes_room(self, room: Room) -> None:
        pinned = [after(room.add(f"Fact {number}", pinned=True)) for number in range(20)]
        one = after(room.add("One more"))
        for act in (lambda: room.change("pin", one.id), lambda: room.edit(one.id, pinned=True)):
            with pytest.raises(PinLimit) as caught:
                act()
            assert all(other.id in caught.value.message for other in pinned)
        assert room.change("pin", pinned[0].id).verb == "unchanged"
        assert codes(room.change("archive", pinned[0].id)) == ["unpinned"]
        assert after(room.change("pin", one.id)).pinned

    def test_a_pin_needs_room_only_on_its_own_shelf(self, room: Room) -> None:
        for number in range(20):
            room.add(f"Fact {number}", pinned=True)
        user = after(room.add("One", "user"))
        assert after(room.change("pin", user.id)).pinned

    def test_restoring_and_archiving_read_what_is_there_now(self, room: Room) -> None:
        entry = after(room.add("One", pinned=True))
        room.file(entry).write_text("---\nstatus: saved\npinned: true\nmine: kept\n---\n\nBy hand\n")
        archived = after(room.change("archive", entry.id))
        assert (archived.status, archived.pinned, archived.text) == (ARCHIVED, False, "By hand")
        assert "mine: kept\n" in room.file(entry).read_text()

    def test_a_pin_without_effect_gets_none_by_restoring(self, room: Room) -> None:
        room.put(ID, "---\nstatus: archived\npinned: true\n---\n\nOne\n")
        assert not after(room.change("restore", ID)).pinned

    def test_restoring_makes_no_second_saved_memory_of_one_text(self, room: Room) -> None:
        room.put(ID, "---\nstatus: archived\n---\n\nOne\n")
        room.put(OTHER, "---\nstatus: saved\n---\n\none\n", "user")
        with pytest.raises(AlreadyExists, match=OTHER):
            room.change("restore", ID)
        assert after(room.change("restore", ID, to="pending")).status == PENDING


class TestAgents:
    VERBS = ("archive", "restore", "pin", "unpin", "delete")

    @pytest.mark.parametrize("status", [SAVED, PENDING, ARCHIVED])
    @pytest.mark.parametrize("proposer", ["user", "agent", "dream"])
    def test_an_agent_changes_nothing_but_what_it_proposed_itself(
        self, room: Room, status: str, proposer: str
    ) -> None:
        room.put(ID, f"---\nstatus: {status}\nproposer: {proposer}\n---\n\nOne\n")
        tree = room.tree()
        own = (status, proposer) == (PENDING, "agent")
        proposes = ("archive", "delete") if status == SAVED else ("delete",) if own else ()
        for verb in self.VERBS:
            if verb in proposes:
                continue
            with pytest.raises(ApprovalRequired):
                room.change(verb, ID, agent=True)
        for fields in ({"text": "Two"}, {"pinned": True}, {"pinned": False}, {"scope": "user"}):
            if (own and "text" in fields) or (status == SAVED and "pinned" not in fields):
                continue
            with pytest.raises(ApprovalRequired):
                room.edit(ID, agent=True, **fields)  # type: ignore[arg-type]
        assert room.tree() == tree

    def test_its_own_waiting_proposal_it_can_reword_and_take_back(self, room: Room) -> None:
        entry = after(room.add("One", agent=True))
        changed = after(room.edit(entry.id, text="Two", tags=("a",), agent=True))
        assert (changed.status, changed.text, changed.tags) == (PENDING, "Two", ("a",))
        assert room.change("delete", entry.id, agent=True).verb == "removed"
        assert room.entries() == []

    def test_a_broken_file_is_nobodys_own(self, room: Room) -> None:
        room.put(ID, "---\nstatus: approved\nproposer: robot\n---\n\nOne\n")
        with pytest.raises(ApprovalRequired):
            room.change("delete", ID, agent=True)
