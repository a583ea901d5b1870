"""Listing and showing: order, filters, limits, links of both ends, and files that are not right."""

import os

import pytest

from memory.by_hand import memory, number
from memory.conftest import Room, after
from wuu import clock
from wuu.errors import Ambiguous, NotFound, NotUtf8, Refused, UsageProblem
from wuu.memory.entries import Link
from wuu.memory.format.times import render_time
from wuu.memory.reading import list_memories, show_memory
from wuu.memory.values import Filters, MemoryList
from wuu.store.journal import INTENT_ENDING

NOW = 1_790_000_000.0
EVERYTHING = Filters()


def listed(room: Room, filters: Filters = EVERYTHING, **who: str) -> list[str]:
    return [one.entry.text for one in list_memories(room.asks(**who), filters).memories]


def caveats(found: MemoryList) -> list[tuple[str, str]]:
    return [(caveat.code, os.path.basename(caveat.details["file"])) for caveat in found.caveats]


class TestOrder:
    def test_the_newest_comes_first_and_one_without_a_date_last(self, room: Room) -> None:
        room.put(number(1), memory("old", created="2024-01-01T00:00:00Z"))
        room.put(number(2), memory("undated", created=None))
        room.put(number(3), memory("new", created="2026-05-01T00:00:00.000001Z"))
        room.put(number(4), memory("newer", created="2026-05-01T03:00:00+01:00"))
        room.put(number(5), memory("middle", created="2025-06-01"), scope="user")
        assert listed(room) == ["newer", "new", "middle", "old", "undated"]

    def test_a_limit_says_how_many_it_left_out(self, room: Room) -> None:
        for at in range(1, 5):
            room.put(number(at), memory(f"text {at}", created=f"2026-05-0{at}"))
        found = list_memories(room.asks(), Filters(limit=3))
        assert [one.entry.text for one in found.memories] == ["text 4", "text 3", "text 2"]
        assert (found.total, found.omitted) == (4, 1)
        with pytest.raises(UsageProblem):
            list_memories(room.asks(), Filters(limit=0))

    def test_nothing_is_there_at_first_and_nothing_is_made_by_looking(self, room: Room) -> None:
        found = list_memories(room.asks(), Filters())
        assert (found.memories, found.total, found.omitted, found.caveats) == ((), 0, 0, ())
        assert not room.root.exists()


class TestFilters:
    @pytest.fixture(autouse=True)
    def _memories(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(clock, "now", lambda: NOW)
        days = {at: render_time(NOW - at * 86_400) for at in (1, 10, 30)}
        room.put(
            number(1),
            memory(
                "Bells ring\n  at NOON", created=days[1], category="Project.Stack", tags='["CI", "Deploy"]'
            ),
        )
        room.put(number(2), memory("Ropes", created=days[10], status="pending", proposer="agent"))
        room.put(number(3), memory("Quays", created=days[30], status="archived", categories='["stack"]'))
        room.put(number(4), memory("Tea", created=None, pinned="true", category="Teatime"), scope="user")

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            (Filters(), ["Bells", "Ropes", "Quays", "Tea"]),
            (Filters(status="all"), ["Bells", "Ropes", "Quays", "Tea"]),
            (Filters(status="saved"), ["Bells", "Tea"]),
            (Filters(status="pending"), ["Ropes"]),
            (Filters(status="archived"), ["Quays"]),
            (Filters(scope="user"), ["Tea"]),
            (Filters(scope="project"), ["Bells", "Ropes", "Quays"]),
            (Filters(text="bells RING at noon"), ["Bells"]),
            (Filters(text=" "), ["Bells", "Ropes", "Quays", "Tea"]),
            (Filters(text="no such"), []),
            (Filters(category="stack"), ["Bells", "Quays"]),
            (Filters(category="USER.stack"), ["Bells", "Quays"]),
            (Filters(category="teatime"), ["Tea"]),
            (Filters(category="other"), ["Ropes", "Quays", "Tea"]),
            (Filters(tag="ci"), ["Bells"]),
            (Filters(tag="c"), []),
            (Filters(pinned=True), ["Tea"]),
            (Filters(pinned=False), ["Bells", "Ropes", "Quays"]),
            (Filters(proposer="agent"), ["Ropes"]),
            (Filters(older_than=10), ["Ropes", "Quays"]),
            (Filters(newer_than=10), ["Bells"]),
            (Filters(older_than=5, newer_than=20), ["Ropes"]),
            (Filters(category="stack", status="saved", tag="deploy"), ["Bells"]),
            (Filters(category="stack", pinned=True), []),
        ],
    )
    def test_each_narrows_and_all_go_together(
        self, room: Room, filters: Filters, expected: list[str]
    ) -> None:
        assert [text.split()[0] for text in listed(room, filters)] == expected

    @pytest.mark.parametrize(
        "filters",
        [
            Filters(scope="everywhere"),
            Filters(status="saving"),
            Filters(proposer="nobody"),
            Filters(older_than=-1),
            Filters(newer_than=1_000_000),
            Filters(session="a/b"),
        ],
    )
    def test_one_that_cannot_be_is_refused(self, room: Room, filters: Filters) -> None:
        with pytest.raises(UsageProblem):
            list_memories(room.asks(), filters)


class TestSessions:
    @pytest.fixture(autouse=True)
    def _memories(self, room: Room) -> None:
        room.put(number(1), memory("project"))
        room.put(number(2), memory("first"), scope="session", session="s-1")
        room.put(number(3), memory("second"), scope="session", session="s-2")
        room.put(number(4), memory("elsewhere"), scope="session", session="s-1", project="other")

    @pytest.mark.parametrize("session", [None, "s-1"])
    def test_they_are_left_out_unless_somebody_asks(self, room: Room, session: str | None) -> None:
        found = list_memories(room.asks(session=session), Filters())
        assert [one.entry.text for one in found.memories] == ["project"]

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            (Filters(session="s-1"), {"project", "first"}),
            (Filters(session="all"), {"project", "first", "second"}),
            (Filters(session="s-9"), {"project"}),
            (Filters(scope="session", session="s-2"), {"second"}),
            (Filters(scope="session", session="all"), {"first", "second"}),
            (Filters(scope="session"), {"first", "second"}),
            (Filters(scope="user", session="all"), set()),
        ],
    )
    def test_one_session_or_all_of_the_project(
        self, room: Room, filters: Filters, expected: set[str]
    ) -> None:
        assert set(listed(room, filters)) == expected

    def test_the_scope_alone_means_the_current_session_if_there_is_one(self, room: Room) -> None:
        assert listed(room, Filters(scope="session"), session="s-2") == ["second"]


class TestProjects:
    def test_o27_each_project_sees_its_own_and_the_memories_of_the_profile(self, room: Room) -> None:
        room.project("other")
        room.put(number(1), memory("of the shop"))
        room.put(number(2), memory("of the other"), project="other")
        room.put(number(3), memory("of me"), scope="user")
        room.put(number(4), memory("of somebody"), scope="user", profile="somebody")
        assert sorted(listed(room)) == ["of me", "of the shop"]
        assert sorted(listed(room, project="other")) == ["of me", "of the other"]
        assert sorted(listed(room, profile="somebody")) == ["of somebody", "of the shop"]

    def test_without_a_project_there_are_the_memories_of_the_profile(self, room: Room) -> None:
        room.put(number(1), memory("of the shop"))
        room.put(number(2), memory("of me"), scope="user")
        assert listed(room, project=".") == ["of me"]
        assert listed(room, Filters(session="all"), project=".") == ["of me"]
        for scope in ("project", "session"):
            with pytest.raises(Refused) as refused:
                list_memories(room.asks(project="."), Filters(scope=scope))
            assert "--user" in (refused.value.hint or "")


class TestLinks:
    def test_both_ends_see_a_link_across_shelves_whatever_is_listed(self, room: Room) -> None:
        room.put(number(1), memory("source", **{f"link_{number(2)}": "supports"}))
        room.put(number(2), memory("target"), scope="user")
        (target,) = list_memories(room.asks(), Filters(scope="user")).memories
        assert target.links == (Link(number(1), "supports", "in"),)
        (source,) = list_memories(room.asks(), Filters(scope="project")).memories
        assert source.links == (Link(number(2), "supports", "out"),)

    def test_listing_and_showing_agree_on_links_and_revision(self, room: Room) -> None:
        room.put(
            number(1), memory("one", **{f"link_{number(2)}": "related", f"link_{number(3)}": "supersedes"})
        )
        room.put(number(2), memory("two", **{f"link_{number(3)}": "conflicts"}), scope="user")
        room.put(number(3), memory("three", status="archived"))
        room.put(number(4), memory("four", **{f"link_{number(1)}": "supports"}), scope="session", session="s")
        for one in list_memories(room.asks(), Filters(session="all")).memories:
            assert show_memory(room.asks(), one.entry.id) == one

    def test_a_link_that_changes_at_the_other_end_changes_the_revision(self, room: Room) -> None:
        room.put(number(1), memory("one"))
        before = show_memory(room.asks(), number(1)).revision
        room.put(number(2), memory("two", **{f"link_{number(1)}": "supports"}))
        assert show_memory(room.asks(), number(1)).revision != before


class TestShow:
    def test_a_prefix_is_enough_and_sessions_are_looked_at_too(self, room: Room) -> None:
        room.put("ab00000000000001", memory("one"))
        room.put("ac00000000000002", memory("two"), scope="session", session="s-1")
        assert show_memory(room.asks(), "AB").entry.text == "one"
        shown = show_memory(room.asks(), "ac")
        assert (shown.entry.text, shown.place) == ("two", str(room.file(shown.entry).resolve()))

    def test_what_is_not_one_memory_is_refused(self, room: Room) -> None:
        room.put("ab00000000000001", memory("one"))
        room.put("ab00000000000002", memory("two"))
        room.put("cd00000000000003", b"\xff")
        with pytest.raises(Ambiguous) as ambiguous:
            show_memory(room.asks(), "ab")
        assert ambiguous.value.details["ids"] == ["ab00000000000001", "ab00000000000002"]
        with pytest.raises(NotFound):
            show_memory(room.asks(), "ef")
        with pytest.raises(UsageProblem):
            show_memory(room.asks(), "xyz")
        with pytest.raises(NotUtf8):
            show_memory(room.asks(), "cd")


class TestBrokenFiles:
    def test_o06_one_that_cannot_be_read_is_named_and_the_others_are_listed(self, room: Room) -> None:
        room.put(number(1), memory("soup"))
        room.put(number(2), b"---\nstatus: saved\n---\n\nsoup \xe9t\xe9\n")
        found = list_memories(room.asks(), Filters())
        assert [one.entry.text for one in found.memories] == ["soup"]
        assert caveats(found) == [("not_utf8", f"{number(2)}.md")]
        assert found.caveats[0].details["offset"] == 28

    def test_what_is_no_memory_by_its_name_or_kind_is_named(self, room: Room) -> None:
        folder = room.file(room.put(number(1), memory("one"))).parent
        (folder / "notes.md").write_text("by hand")
        (folder / ".DS_Store").write_text("")
        (folder / f"{number(2)}.md").symlink_to(folder / f"{number(1)}.md")
        found = list_memories(room.asks(), Filters())
        assert found.total == 1
        assert sorted(caveats(found)) == [("entry_name", "notes.md"), ("unsafe_file", f"{number(2)}.md")]

    def test_one_that_breaks_a_rule_is_listed_with_few_rights_and_told_about(self, room: Room) -> None:
        room.put(number(1), memory("mine", status="kept", pinned="true", sensitivity="secret"))
        found = list_memories(room.asks(), Filters())
        (shown,) = found.memories
        assert (shown.entry.status, shown.entry.pinned, shown.entry.sensitivity) == ("pending", False, "high")
        assert caveats(found) == [("entry_problem", f"{number(1)}.md")]
        assert found.caveats[0].details["problems"] == list(shown.entry.problems)

    def test_of_an_id_in_two_places_the_lesser_one_is_listed_once(self, room: Room) -> None:
        room.put(number(1), memory("here", pinned="true"))
        room.put(number(1), memory("there", status="archived"), scope="user")
        found = list_memories(room.asks(), Filters())
        assert [(one.entry.text, one.entry.status) for one in found.memories] == [("there", "archived")]
        assert listed(room, Filters(scope="project")) == []
        assert [code for code, _ in caveats(found)] == ["entry_problem"]

    def test_caveats_are_about_the_shelves_that_are_asked_for(self, room: Room) -> None:
        room.put(number(1), b"\xff")
        room.put(number(2), b"\xff", scope="user")
        found = list_memories(room.asks(), Filters(scope="user"))
        assert caveats(found) == [("not_utf8", f"{number(2)}.md")]

    @pytest.mark.parametrize(
        ("folder", "code"), [("journal", "recovery_pending"), ("conflicts", "recovery_needed")]
    )
    def test_an_interrupted_change_is_told_about(self, room: Room, folder: str, code: str) -> None:
        room.add("one")
        (room.root / folder).mkdir(exist_ok=True)
        (room.root / folder / f"{number(7)}{INTENT_ENDING}").write_text("{}")
        assert [one.code for one in list_memories(room.asks(), Filters()).caveats] == [code]


def test_what_a_command_has_written_is_listed_as_it_is(room: Room) -> None:
    entry = after(room.add("The harbour bell rings twice.", tags=("bell",)))
    (shown,) = list_memories(room.asks(), Filters()).memories
    assert shown.entry == room.entry(entry)
