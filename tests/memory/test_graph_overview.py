"""The overview of the graph: which memories are nodes, which links are edges, and its health."""

from memory.conftest import Room, after
from wuu.memory.format.fields import LINK_PREFIX
from wuu.memory.graph.actions import read_overview


def test_health_follows_what_is_linked(room: Room) -> None:
    assert read_overview(room.asks()).health == "empty"
    first = after(room.add("The mast is oak."))
    found = read_overview(room.asks())
    assert (found.health, found.isolated) == ("disconnected", 1)
    text = "---\nstatus: saved\nlink-{}: conflicts\n---\n\nThe mast is pine.\n"
    text = text.replace("link-{}", f"{LINK_PREFIX}{first.id}")
    room.put("00000000000000aa", text)
    found = read_overview(room.asks())
    assert (found.health, found.links, found.conflicts, found.isolated) == ("connected", 1, 1, 0)
    room.put("00000000000000bb", "---\nstatus: pending\n---\n\nWaits.\n")
    room.add("I sail.", "user")
    found = read_overview(room.asks(), limit=2)
    assert (found.health, found.memories, found.isolated, found.omitted) == ("partial", 3, 1, 1)
    room.change("archive", first.id)
    found = read_overview(room.asks())
    assert (found.health, found.links, found.edges) == ("disconnected", 0, ())
