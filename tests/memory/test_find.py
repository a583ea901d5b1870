"""Searching memories: what is found, in which order, from which shelves, and with which filters."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from memory.by_hand import memory, number
from memory.conftest import Room, after
from wuu import clock
from wuu.errors import Refused, UsageProblem
from wuu.memory.find import search_memories
from wuu.memory.reading import list_memories, show_memory
from wuu.memory.values import Filters, MemorySearch

EVERYTHING = Filters(status="all")
PLAIN = Filters()

QUERIES = [
    *("pre-commit", "it's", "src/app", "queue:lag", "C++", '"half', "(", "*", "NOT", "AND", "a OR", "-- -x"),
    *("^start", "NEAR(a b)", "100%", "_"),
]


def search(room: Room, query: str, filters: Filters = PLAIN, limit: int = 20, **who: Any) -> MemorySearch:
    return search_memories(room.asks(**who), query, filters, limit)


def found(room: Room, query: str, filters: Filters = PLAIN, **who: Any) -> list[str]:
    return [hit.memory.entry.text for hit in search(room, query, filters, **who).hits]


class TestWhatIsSearched:
    @pytest.mark.parametrize(
        "query",
        [
            *(
                "harbour",
                "HARBOURS",
                "night-shift",
                "ci",
                "security",
                "agent policy",
                "2026-05-08",
                "8 May 2026",
            ),
            *("May 2026", "mayo de 2026", "May 8th, 2026", "2026-05"),
        ],
    )
    def test_text_tags_categories_and_the_day(self, room: Room, query: str) -> None:
        room.put(
            number(1),
            memory(
                "The harbour opens late",
                category="Project.Security",
                categories='["Agent.Policy"]',
                tags='["CI", "night-shift"]',
            ),
        )
        room.put(number(2), memory("Something else", created="2025-04-07T12:00:00Z"))
        assert found(room, query) == ["The harbour opens late"]

    def test_the_month_that_is_asked_for_comes_before_the_rest_of_its_year(self, room: Room) -> None:
        for at, day in enumerate(("2023-04-30", "2023-05-31", "2023-06-01")):
            room.put(number(at), memory(f"Written on {at}", created=day))
        assert found(room, "what was it in May 2023")[0] == "Written on 1"
        assert found(room, "June 1, 2023")[0] == "Written on 2"

    def test_the_category_that_says_nothing_is_not_searched_nor_are_the_other_keys(self, room: Room) -> None:
        room.put(number(1), memory("A bell", category="other", evidence='[{"kind": "url", "ref": "quay"}]'))
        assert [search(room, query).total for query in ("quay", "saved", "proposer")] == [0, 0, 0]

    def test_a_hit_has_its_line_score_links_and_revision(self, room: Room) -> None:
        room.put(number(1), memory("A first line\nThe bell rings twice", **{f"link_{number(2)}": "supports"}))
        room.put(number(2), memory("Rope"))
        (hit,) = search(room, "bell").hits
        assert hit.snippet == "The bell rings twice"
        assert 0 < hit.score <= 1.5
        assert hit.memory == show_memory(room.asks(), number(1))

    def test_the_text_is_found_as_a_command_has_written_it(self, room: Room) -> None:
        entry = after(room.add("The harbour bell rings twice.", tags=("bell",)))
        assert search(room, "bell").hits[0].memory.entry == room.entry(entry)

    @pytest.mark.parametrize("query", ["", "  \n"])
    def test_o22_an_empty_query_is_wrong_usage(self, room: Room, query: str) -> None:
        with pytest.raises(UsageProblem):
            search(room, query)

    @pytest.mark.parametrize("limit", [0, -1, 1_001])
    def test_a_limit_out_of_bounds_is_wrong_usage(self, room: Room, limit: int) -> None:
        with pytest.raises(UsageProblem):
            search(room, "bell", limit=limit)

    def test_a_limit_cuts_and_the_total_is_told(self, room: Room) -> None:
        for at in range(5):
            room.put(number(at), memory(f"bell number {at}"))
        result = search(room, "bell", limit=2)
        assert (len(result.hits), result.total, result.query) == (2, 5, "bell")

    def test_nothing_is_made_in_the_home_or_for_empty_shelves(self, room: Room) -> None:
        assert search(room, "bell").total == 0
        assert not room.root.exists()
        assert not list(Path(os.environ["XDG_CACHE_HOME"]).rglob("*.sqlite"))


class TestLiteral:
    @pytest.mark.parametrize("query", QUERIES)
    def test_o22_every_literal_finds_its_memory(self, room: Room, query: str) -> None:
        for at, literal in enumerate(QUERIES):
            room.put(number(at), memory(f"Tove wrote {literal} on the wall"))
        assert f"Tove wrote {query} on the wall" in found(room, query)

    @pytest.mark.parametrize("query", ["x" * 10_000, "x-" * 5_000, "word " * 2_000, "\x00", "terms:a*"])
    def test_o22_no_query_is_an_error(self, room: Room, query: str) -> None:
        room.put(number(1), memory("harbour"))
        assert search(room, query).hits == ()

    @pytest.mark.parametrize(
        ("query", "expected"),
        [("过期", [0]), ("夜间 缓存", [0]), ("redis", [1]), ("ログ", [2]), ("화요일", [3]), ("设", [0])],
    )
    def test_o23_words_inside_cjk_and_names_glued_to_it(
        self, room: Room, query: str, expected: list[int]
    ) -> None:
        texts = (
            "缓存过期时间设为五分钟，夜间任务除外",
            "重启redis-cache后恢复",
            "本番のログは三十日で消える",
            "배포는 화요일에만 한다",
        )
        for at, text in enumerate(texts):
            room.put(number(at), memory(text))
        assert found(room, query) == [texts[at] for at in expected]

    def test_a_query_without_words_is_looked_for_in_tags_and_categories_too_newest_first(
        self, room: Room
    ) -> None:
        room.put(number(1), memory("one", tags='["(a)"]', created="2026-01-01"))
        room.put(number(2), memory("two", category="(b", created="2026-01-02"))
        room.put(number(3), memory("three", status="pending", tags='["("]'))
        result = search(room, "(", limit=1)
        assert [hit.memory.entry.text for hit in result.hits] == ["two"]
        assert (result.total, result.hits[0].snippet) == (2, "two")


class TestStatus:
    @pytest.fixture(autouse=True)
    def _memories(self, room: Room) -> None:
        for at, status in enumerate(("saved", "pending", "archived")):
            room.put(number(at), memory(f"quokka {status}", status=status))

    def test_o25_only_saved_ones_are_found_by_default(self, room: Room) -> None:
        result = search(room, "quokka")
        assert [hit.memory.entry.text for hit in result.hits] == ["quokka saved"]
        assert result.total == 1

    @pytest.mark.parametrize("status", ["saved", "pending", "archived"])
    def test_o25_the_others_on_request(self, room: Room, status: str) -> None:
        result = search(room, "quokka", Filters(status=status))
        assert [hit.memory.entry.text for hit in result.hits] == [f"quokka {status}"]
        assert result.total == 1

    def test_all_of_them_on_request(self, room: Room) -> None:
        assert search(room, "quokka", EVERYTHING).total == 3

    def test_o25_what_waits_does_not_even_change_a_score(self, room: Room) -> None:
        room.put(number(9), memory("a bell"))
        before = search(room, "quokka bell").hits
        for at in range(20, 40):
            room.put(number(at), memory("bell bell", status="pending"))
        assert search(room, "quokka bell").hits == before

    def test_o25_nor_is_it_found_literally(self, room: Room) -> None:
        room.put(number(5), memory("waits (here)", status="pending"))
        assert search(room, "(").total == 0
        assert search(room, "(", Filters(status="pending")).total == 1


class TestFilters:
    @pytest.fixture(autouse=True)
    def _memories(self, room: Room) -> None:
        for at in range(6):
            tag, pinned = ("even", "true") if at % 2 == 0 else ("odd", None)
            room.put(
                number(at),
                memory(f"bell number {at}", tags=f'["{tag}"]', pinned=pinned, created=f"202{at}-01-01"),
            )

    @pytest.mark.parametrize(
        ("filters", "total"),
        [
            (Filters(tag="even"), 3),
            (Filters(pinned=False), 3),
            (Filters(text="number 3"), 1),
            (Filters(category="stack"), 0),
            (Filters(proposer="user"), 6),
            (Filters(scope="user"), 0),
            (Filters(tag="odd", status="pending"), 0),
        ],
    )
    def test_they_narrow_and_the_total_is_of_what_is_left(
        self, room: Room, filters: Filters, total: int
    ) -> None:
        result = search(room, "bell", filters, limit=2)
        assert (result.total, len(result.hits)) == (total, min(total, 2))

    def test_one_that_cannot_be_is_wrong_usage(self, room: Room) -> None:
        with pytest.raises(UsageProblem):
            search(room, "bell", Filters(status="kept"))

    def test_the_age_is_one_of_them(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(clock, "now", lambda: 1_735_800_000.0)  # 2025-01-02
        assert search(room, "bell", Filters(newer_than=10)).hits[0].memory.entry.text == "bell number 5"
        assert search(room, "bell", Filters(older_than=10)).total == 5


class TestShelves:
    def test_a_small_shelf_is_not_drowned_by_a_large_one(self, room: Room) -> None:
        for at in range(1, 300):
            room.put(number(at), memory(f"harbour notes word{at} about the shift"))
        room.put(number(500), memory("On tides: the pilot decides alone"), scope="user")
        room.put(number(501), memory("Tea at four"), scope="user")
        assert found(room, "pilot tides word7 word8 word9")[0] == "On tides: the pilot decides alone"

    def test_hits_of_all_shelves_come_in_one_order(self, room: Room) -> None:
        room.put(number(1), memory("bell"))
        room.put(number(2), memory("bell rope"), scope="user")
        result = search(room, "bell rope")
        assert [hit.memory.entry.shelf.scope for hit in result.hits] == ["user", "project"]
        scores = [hit.score for hit in result.hits]
        assert scores == sorted(scores, reverse=True)

    def test_o27_other_projects_and_profiles_are_not_searched(self, room: Room) -> None:
        room.project("other")
        room.put(number(1), memory("bell of the other"), project="other")
        room.put(number(2), memory("bell of somebody"), scope="user", profile="somebody")
        assert found(room, "bell") == []
        assert found(room, "bell", project="other") == ["bell of the other"]

    def test_sessions_are_searched_when_asked_for(self, room: Room) -> None:
        room.put(number(1), memory("bell here"))
        room.put(number(2), memory("bell one"), scope="session", session="s-1")
        room.put(number(3), memory("bell two"), scope="session", session="s-2")
        assert found(room, "bell", session="s-1") == ["bell here"]
        assert sorted(found(room, "bell", Filters(session="s-1"))) == ["bell here", "bell one"]
        assert len(found(room, "bell", Filters(session="all"))) == 3
        assert found(room, "bell", Filters(scope="session", session="s-2")) == ["bell two"]
        assert found(room, "bell", Filters(scope="session"), session="s-1") == ["bell one"]

    def test_without_a_project_only_the_profile_is_searched(self, room: Room) -> None:
        room.put(number(1), memory("bell of the shop"))
        room.put(number(2), memory("bell of me"), scope="user")
        assert found(room, "bell", project=".") == ["bell of me"]
        with pytest.raises(Refused):
            search(room, "bell", Filters(scope="project"), project=".")

    def test_links_from_shelves_that_are_not_asked_for_are_seen(self, room: Room) -> None:
        room.put(number(1), memory("bell"), scope="user")
        room.put(number(2), memory("rope", status="archived", **{f"link_{number(1)}": "conflicts"}))
        room.put(number(3), memory("quay", **{f"link_{number(1)}": "supports"}), scope="session", session="s")
        (hit,) = search(room, "bell", Filters(scope="user")).hits
        assert [link.id for link in hit.memory.links] == [number(2)]
        assert hit.memory == show_memory(room.asks(), number(1))

    def test_search_and_list_say_the_same_of_every_memory(self, room: Room) -> None:
        for at in range(1, 8):
            other = {f"link_{number(at % 7 + 1)}": "related", f"link_{number(at % 5 + 1)}": "supports"}
            room.put(number(at), memory("bell", **other), scope="user" if at % 2 else "project")
        hits = {hit.memory.entry.id: hit.memory for hit in search(room, "bell").hits}
        assert hits == {one.entry.id: one for one in list_memories(room.asks(), PLAIN).memories}

    def test_of_an_id_in_two_places_the_lesser_one_counts_and_once(self, room: Room) -> None:
        room.put(number(1), memory("bell here"))
        room.put(number(1), memory("bell there", status="pending"), scope="user")
        room.put(number(2), memory("bell twice"))
        room.put(number(2), memory("bell twice"), scope="user")
        result = search(room, "bell")
        assert ([hit.memory.entry.text for hit in result.hits], result.total) == (["bell twice"], 1)
        assert found(room, "bell", Filters(status="pending")) == ["bell there"]


class TestHandEdits:
    def test_o21_an_edit_is_found_at_once_and_what_was_removed_is_not(self, room: Room) -> None:
        path = room.file(room.put(number(1), memory("pager code is secret")))
        assert found(room, "QUOLL") == []
        with path.open("a") as file:
            file.write("- pager code is QUOLL-41\n")
        assert len(found(room, "QUOLL")) == 1
        path.write_text(memory("nothing of it"))
        assert found(room, "QUOLL") == found(room, "pager") == []

    def test_o21_also_with_the_same_size_and_time(self, room: Room) -> None:
        path = room.file(room.put(number(1), memory("pager code is QUOLL")))
        os.utime(path, ns=(10**18, 10**18))
        assert len(found(room, "QUOLL")) == 1
        path.write_text(memory("pager code is OTTER"))
        os.utime(path, ns=(10**18, 10**18))
        assert found(room, "QUOLL") == []
        assert len(found(room, "OTTER")) == 1

    def test_o21_also_when_it_is_removed_or_an_older_copy_comes_back(
        self, room: Room, tmp_path: Path
    ) -> None:
        path = room.file(room.put(number(1), memory("pager code is QUOLL")))
        os.utime(path, ns=(10**18, 10**18))
        shutil.copy2(path, tmp_path / "older")
        path.write_text(memory("pager code is OTTER"))
        assert len(found(room, "OTTER")) == 1
        shutil.copy2(tmp_path / "older", path)
        assert (len(found(room, "QUOLL")), found(room, "OTTER")) == (1, [])
        path.unlink()
        assert found(room, "QUOLL") == []

    def test_a_status_set_in_an_editor_counts_at_once(self, room: Room) -> None:
        room.put(number(1), memory("bell"))
        assert len(found(room, "bell")) == 1
        room.put(number(1), memory("bell", status="archived"))
        assert found(room, "bell") == []
        room.put(number(1), memory("bell"))
        assert len(found(room, "bell")) == 1

    def test_a_link_set_in_an_editor_is_seen_from_the_other_end_at_once(self, room: Room) -> None:
        room.put(number(1), memory("bell"))
        room.put(number(2), memory("rope"))
        assert search(room, "bell").hits[0].memory.links == ()
        room.put(number(2), memory("rope", **{f"link_{number(1)}": "supersedes"}))
        assert [link.direction for link in search(room, "bell").hits[0].memory.links] == ["in"]


class TestBrokenFiles:
    def test_o06_one_that_cannot_be_read_is_named_and_the_others_are_found(self, room: Room) -> None:
        room.put(number(1), memory("soup"))
        room.put(number(2), b"---\nstatus: saved\n---\n\nsoup \xff\n")
        for _ in range(2):
            result = search(room, "soup")
            assert [hit.memory.entry.id for hit in result.hits] == [number(1)]
            assert [(one.code, one.details["file"].rpartition("/")[2]) for one in result.caveats] == [
                ("not_utf8", f"{number(2)}.md")
            ]

    def test_o18_a_link_to_a_file_is_not_followed_and_named(self, room: Room, tmp_path: Path) -> None:
        (tmp_path / "outside.md").write_text(memory("soup"))
        folder = room.file(room.put(number(1), memory("tea"))).parent
        (folder / f"{number(2)}.md").symlink_to(tmp_path / "outside.md")
        result = search(room, "soup")
        assert (result.total, [one.code for one in result.caveats]) == (0, ["unsafe_file"])

    def test_a_file_that_is_no_memory_by_its_name_is_not_found(self, room: Room) -> None:
        path = room.file(room.put(number(1), memory("tea")))
        path.with_name("notes.md").write_text(memory("soup"))
        assert search(room, "soup").total == 0
