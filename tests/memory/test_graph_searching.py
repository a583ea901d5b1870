"""Searching the graph: only nodes are found, and only nodes are shown as what they are linked to."""

import pytest

from memory.by_hand import number
from memory.conftest import Room, after
from wuu.errors import UsageProblem
from wuu.memory.format.fields import LINK_PREFIX
from wuu.memory.graph.actions import search_graph
from wuu.memory.graph.values import GraphSearch, Neighbour

A, B, C, D = (number(one) for one in (0xA, 0xB, 0xC, 0xD))


def _put(
    room: Room, memory_id: str, text: str, links: dict[str, str], *, status: str = "saved", **place: str
) -> None:
    lines = "".join(f"{LINK_PREFIX}{other}: {kind}\n" for other, kind in links.items())
    content = f"---\nstatus: {status}\n{lines}---\n\n{text}\n"
    room.put(memory_id, content, place.pop("scope", "project"), **place)


def _search(room: Room, query: str, **who: str) -> GraphSearch:
    return search_graph(room.asks(**who), query)


def _neighbours(room: Room, query: str, **who: str) -> dict[str, tuple[Neighbour, ...]]:
    return {hit.memory.entry.id: hit.neighbours for hit in _search(room, query, **who).hits}


def test_hits_come_with_what_they_are_linked_to_from_both_ends(room: Room) -> None:
    _put(room, A, "The mast is oak.\nFelled in May.", {B: "supersedes", C: "related"})
    _put(room, B, "\nThe keel is pine.\nSecond line.", {})
    _put(room, C, "x" * 300, {}, scope="user")
    _put(room, D, "I paint it yearly.", {A: "supports"}, scope="user")
    found = _search(room, "oak")
    assert (found.query, found.total, found.caveats) == ("oak", 1, ())
    (hit,) = found.hits
    assert (hit.memory.entry.id, hit.score, hit.snippet) == (A, 1.0, "The mast is oak.")
    assert hit.neighbours == (
        Neighbour(B, "supersedes", "out", "The keel is pine."),
        Neighbour(C, "related", "both", "x" * 199 + "…"),
        Neighbour(D, "supports", "in", "I paint it yearly."),
    )
    assert _neighbours(room, "keel") == {B: (Neighbour(A, "supersedes", "in", "The mast is oak."),)}


def test_neighbours_are_one_hop_away_and_no_further(room: Room) -> None:
    _put(room, A, "oak", {B: "supports"})
    _put(room, B, "pine", {C: "supports"})
    _put(room, C, "larch", {A: "supports"})
    _put(room, D, "elm", {})
    found = _neighbours(room, "oak elm pine")
    assert {one: [near.id for near in others] for one, others in found.items()} == {
        A: [B, C],
        B: [A, C],
        D: [],
    }


def test_o25_what_is_no_node_is_neither_found_nor_shown_as_a_neighbour(room: Room) -> None:
    links = dict.fromkeys((B, C, D, number(1), number(2)), "supports")
    _put(room, A, "oak", links)
    _put(room, B, "oak waits", {A: "related"}, status="pending")
    _put(room, C, "oak put away", {}, status="archived")
    _put(room, D, "oak of the session", {A: "supports"}, scope="session", session="tuesday")
    _put(room, number(1), "oak of another", {A: "supports"}, scope="user", profile="other")
    room.project("dock")
    _put(room, number(2), "oak of the dock", {A: "supports"}, project="dock")
    assert _neighbours(room, "oak") == _neighbours(room, "oak", session="tuesday") == {A: ()}
    assert _neighbours(room, "another", profile="other")[number(1)][0].id == A


def test_o25_an_id_that_stands_twice_is_shown_only_if_both_are_saved(room: Room) -> None:
    _put(room, A, "oak", {B: "related"})
    _put(room, B, "pine", {})
    _put(room, B, "larch", {}, scope="user")
    assert [near.id for near in _neighbours(room, "oak")[A]] == [B]
    _put(room, B, "larch", {}, scope="user", status="archived")
    assert _neighbours(room, "oak") == {A: ()}


def test_a_neighbour_that_cannot_be_read_is_left_out(room: Room) -> None:
    _put(room, A, "oak", {B: "related"})
    room.put(B, b"---\nstatus: saved\n---\n\n\xff\n")
    found = _search(room, "oak")
    assert found.hits[0].neighbours == ()
    assert [caveat.code for caveat in found.caveats] == ["not_utf8"]


def test_the_limit_leaves_out_hits_and_no_neighbours(room: Room) -> None:
    first = after(room.add("The oak stands."))
    for at in range(4):
        _put(room, number(at), f"Oak leaf number {at}.", {first.id: "supports"})
    found = search_graph(room.asks(), "stands oak", limit=1)
    assert (found.total, [hit.memory.entry.id for hit in found.hits]) == (5, [first.id])
    assert [near.direction for near in found.hits[0].neighbours] == ["in"] * 4
    assert search_graph(room.asks(), "birch").hits == ()


@pytest.mark.parametrize(("query", "limit"), [(" ", 20), ("oak", 0), ("oak", 1_001)])
def test_what_cannot_be_asked_is_refused(room: Room, query: str, limit: int) -> None:
    with pytest.raises(UsageProblem):
        search_graph(room.asks(), query, limit)
