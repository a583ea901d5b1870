"""Validation of the graph: each rule of links that files can break by hand, and what is no flaw."""

import os
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from memory.by_hand import memory, number
from memory.conftest import Room, after
from wuu.memory.format.fields import LINK_PREFIX
from wuu.memory.graph.actions import validate_graph
from wuu.memory.graph.validation import Flaw, _find_circles

A, B, C = number(0xA), number(0xB), number(0xC)


def _put(room: Room, memory_id: str, links: dict[str, str], *, status: str = "saved", **place: str) -> None:
    lines = "".join(f"{LINK_PREFIX}{other}: {kind}\n" for other, kind in links.items())
    content = f"---\nstatus: {status}\n{lines}---\n\nText of {memory_id}.\n"
    room.put(memory_id, content, place.pop("scope", "project"), **place)


def _found(room: Room, **who: str) -> list[tuple[str, str, str, str | None]]:
    return [_short(one) for one in validate_graph(room.asks(**who)).problems]


def _short(flaw: Flaw) -> tuple[str, str, str, str | None]:
    return flaw.code, flaw.severity, flaw.id, flaw.other


def test_a_graph_that_wuu_made_has_no_flaw_whatever_its_health(room: Room) -> None:
    found = validate_graph(room.asks())
    assert (found.problems, found.health, found.memories, found.links) == ((), "empty", 0, 0)
    one, two = after(room.add("The mast is oak.")), after(room.add("I sail.", "user"))
    assert (found := validate_graph(room.asks())).problems == ()
    assert (found.health, found.memories) == ("disconnected", 2)
    small, large = sorted((one.id, two.id))
    holder = room.file(one if one.id == small else two)
    holder.write_text(
        holder.read_text().replace("---\n\n", f"{LINK_PREFIX}{large}: related\n---\n\n"), "utf-8"
    )
    found = validate_graph(room.asks())
    assert (found.problems, found.health, found.links, found.caveats) == ((), "connected", 1, ())


def test_a_link_to_what_is_nowhere_dangles(room: Room) -> None:
    _put(room, A, {B: "related", C: "supports"})
    _put(room, C, {})
    assert _found(room) == [("dangling", "error", A, B)]
    assert validate_graph(room.asks()).problems[0].message == f"{A} is linked to {B}, which is nowhere."


def test_a_link_to_what_is_kept_elsewhere_is_fine_and_tells_nothing(room: Room) -> None:
    room.project("dock")
    _put(room, A, {B: "supports", C: "supersedes"}, scope="user")
    _put(room, B, {}, project="dock")
    _put(room, C, {}, project="shop")
    assert _found(room, project="shop") == _found(room, project="dock") == []
    _put(room, C, {number(1): "supports"})
    _put(room, number(1), {}, scope="user", profile="other")
    assert _found(room) == []
    os.unlink(room.file(room.entries(project="dock")[0]))
    assert _found(room, project="shop") == [("dangling", "error", A, B)]


def test_links_to_what_waits_or_is_put_away_are_warned_of(room: Room) -> None:
    _put(room, A, {B: "related", C: "supports"})
    _put(room, B, {}, status="pending")
    _put(room, C, {}, status="archived", scope="user")
    assert _found(room) == [("not_saved", "warning", A, B), ("not_saved", "warning", A, C)]
    messages = [one.message for one in validate_graph(room.asks()).problems]
    assert "is pending" in messages[0]
    assert "is archived" in messages[1]


def test_what_is_not_saved_is_not_judged_itself(room: Room) -> None:
    _put(room, A, {B: "supports", C: "love"}, status="archived")
    _put(room, C, {number(1): "related"}, status="pending")
    assert _found(room) == []


def test_a_link_to_an_unreadable_file_does_not_dangle(room: Room) -> None:
    _put(room, A, {B: "related"})
    room.put(B, b"---\nstatus: saved\n---\n\n\xff\n")
    found = validate_graph(room.asks())
    assert [_short(one) for one in found.problems] == [("not_saved", "warning", A, B)]
    assert [caveat.code for caveat in found.caveats] == ["not_utf8"]


def test_a_link_into_any_session_of_the_project_is_warned_of(room: Room) -> None:
    _put(room, A, {B: "related"})
    _put(room, B, {}, scope="session", session="tuesday")
    expected = [("session_memory", "warning", A, B)]
    assert _found(room) == _found(room, session="tuesday") == _found(room, session="friday") == expected


def test_a_link_in_both_files_of_a_pair_is_named_once(room: Room) -> None:
    _put(room, A, {B: "supports"})
    _put(room, B, {A: "related"}, scope="user")
    assert _found(room) == [("doubled", "error", A, B)]
    message = validate_graph(room.asks()).problems[0].message
    assert (f"{A} (supports)" in message, f"{B} (related)" in message) == (True, True)


def test_a_doubled_link_counts_while_one_end_is_saved(room: Room) -> None:
    _put(room, A, {B: "supports"}, status="archived")
    _put(room, B, {A: "related"})
    assert _found(room) == [("doubled", "error", A, B), ("not_saved", "warning", B, A)]
    _put(room, B, {A: "related"}, status="archived")
    assert _found(room) == []


def test_a_symmetric_link_in_the_larger_id_is_misplaced(room: Room) -> None:
    _put(room, A, {C: "conflicts"})
    _put(room, B, {A: "conflicts"})
    _put(room, C, {B: "supersedes"})
    assert _found(room) == [("misplaced", "warning", B, A)]


def test_more_than_sixteen_links_at_both_ends_are_too_many(room: Room) -> None:
    others = [number(0x100 + at) for at in range(17)]
    _put(room, A, dict.fromkeys(others[:8], "supports"))
    for at, other in enumerate(others):
        _put(room, other, {A: "supports"} if 8 <= at < 16 else {})
    assert _found(room) == []
    _put(room, others[16], {A: "supports"}, scope="user")
    assert _found(room) == [("link_limit", "error", A, None)]


def test_a_circle_of_supersedes_is_named_once_by_its_smallest_id(room: Room) -> None:
    _put(room, A, {C: "supersedes"})
    _put(room, B, {A: "supersedes"})
    _put(room, C, {number(1): "supersedes"})
    _put(room, number(1), {})
    assert _found(room) == []
    _put(room, C, {B: "supersedes", number(1): "supersedes"})
    assert _found(room) == [("supersedes_circle", "error", A, B)]
    _put(room, B, {A: "supersedes"}, status="archived")
    assert _found(room) == [("not_saved", "warning", C, B)]
    _put(room, B, {A: "supports"})
    assert _found(room) == []


def test_link_keys_that_say_no_link_are_unreadable(room: Room) -> None:
    _put(room, A, {B: "love", A: "related", "zz": "related"})
    _put(room, B, {})
    found = validate_graph(room.asks()).problems
    assert [_short(one) for one in found] == [
        ("unreadable_link", "error", A, None),
        ("unreadable_link", "error", A, A),
        ("unreadable_link", "error", A, B),
    ]
    assert "'love'" in found[2].message


def test_a_link_key_that_stands_twice_is_unreadable(room: Room) -> None:
    key = f"{LINK_PREFIX}{B}"
    room.put(A, f"---\nstatus: saved\n{key}: supports\n{key}: supersedes\n---\n\nText.\n")
    _put(room, B, {})
    assert _found(room) == [("unreadable_link", "error", A, B)]


def test_other_problems_of_a_file_are_no_flaws_of_the_graph(room: Room) -> None:
    room.put(A, memory("Text.", confidence="much", sensitivity="who knows"))
    assert room.entries()[0].problems
    assert _found(room) == []


def test_no_project_means_the_memories_of_the_profile_alone(room: Room) -> None:
    _put(room, A, {B: "supports", C: "supports"}, scope="user")
    _put(room, B, {C: "love"})
    assert _found(room, project=".") == [("dangling", "error", A, C)]


def test_a_long_circle_needs_no_deep_stack() -> None:
    ids = [number(at) for at in range(20_000)]
    edges = list(zip(ids, [*ids[1:], ids[0]], strict=True))
    assert _find_circles(edges) == [ids]
    assert _find_circles(edges[:-1]) == []


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda one: one[0] != one[1])))
def test_circles_are_what_can_be_reached_both_ways(edges: set[tuple[int, int]]) -> None:
    found = _find_circles((str(source), str(target)) for source, target in edges)
    reached = {one: _reachable(one, edges) for one in range(8)}
    expected = {
        tuple(str(other) for other in range(8) if other in reached[one] and one in reached[other])
        for one in range(8)
        if one in reached[one]
    }
    assert sorted(map(tuple, found)) == sorted(expected)


def _reachable(start: int, edges: Iterable[tuple[int, int]]) -> set[int]:
    found: set[int] = set()
    fresh = {start}
    while fresh:
        fresh = {target for source, target in edges if source in fresh} - found
        found |= fresh
    return found


def test_an_agent_may_validate_and_nothing_is_written(room: Room) -> None:
    _put(room, A, {B: "related"})
    before = room.tree()
    found = validate_graph(room.asks(agent=True, read_only=True))
    assert [_short(one) for one in found.problems] == [("dangling", "error", A, B)]
    assert room.tree() == before
