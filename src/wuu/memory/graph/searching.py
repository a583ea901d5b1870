"""Searching the graph: the saved memories that a query finds, each with what it is linked to.

Apart from the door because it imports SQLite. Which memories are found, and in which order, is the business
of `memory/find`; a neighbour is a node of the graph as well, so nothing that waits is shown through a link.
"""

from functools import reduce

from wuu.memory.entries import least_privileged
from wuu.memory.find import search_memories
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.graph.export import first_line
from wuu.memory.graph.values import GraphHit, GraphSearch, Neighbour
from wuu.memory.shelves import Shelf, visible_shelves
from wuu.memory.standing import read_current
from wuu.memory.values import Filters, MemoryHit, Shown
from wuu.situation.situation import Situation
from wuu.store.home import Home, open_home


def search_graph(situation: Situation, query: str, limit: int = 20) -> GraphSearch:
    """Return the nodes that hold any word of `query`, best first, each with its neighbours one hop away.

    Neighbours are in the order of their ids.

    Raises:
        UsageProblem: The query is empty, or `limit` is not between 1 and 1,000.
    """
    found = search_memories(situation, query, Filters(), limit)
    shelves, linked = visible_shelves(situation), {link.id for hit in found.hits for link in hit.memory.links}
    nodes = _read_nodes(open_home(situation.home), shelves, linked)
    hits = tuple(_with_neighbours(hit, nodes) for hit in found.hits)
    return GraphSearch(query, hits, found.total, found.caveats)


def _read_nodes(home: Home, shelves: tuple[Shelf, ...], ids: set[str]) -> dict[str, Entry]:
    """Return those of `ids` that are saved; of one on two shelves the least privileged reading counts."""
    now = read_current(home, ((shelf, f"{one}.md") for one in sorted(ids) for shelf in shelves))
    readings: dict[str, list[Entry]] = {}
    for entry in now.values():
        readings.setdefault(entry.id, []).append(entry)
    nodes = {one: reduce(least_privileged, entries) for one, entries in readings.items()}
    return {one: entry for one, entry in nodes.items() if entry.status == SAVED}


def _with_neighbours(hit: MemoryHit, nodes: dict[str, Entry]) -> GraphHit:
    return GraphHit(hit.memory, hit.score, hit.snippet, _neighbours(hit.memory, nodes))


def _neighbours(memory: Shown, nodes: dict[str, Entry]) -> tuple[Neighbour, ...]:
    return tuple(
        Neighbour(link.id, link.kind, link.direction, first_line(nodes[link.id].text))
        for link in memory.links
        if link.id in nodes
    )
