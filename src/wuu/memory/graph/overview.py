"""The graph of the saved memories that a call can see: nodes, links between them, and its health.

Reads alone. Session memories are no nodes, nor is what is pending or archived (seed 002, "Memory graph").
"""

from typing import NamedTuple

from wuu.errors import Caveat
from wuu.memory.caveats import reading_caveats
from wuu.memory.entries import Catalogue, read_catalogue
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.links import settled_pairs
from wuu.memory.reading import file_caveats
from wuu.memory.shelves import visible_shelves
from wuu.situation.situation import Situation
from wuu.store.home import open_home


class Edge(NamedTuple):
    """The one link of a pair; `source` is the memory whose file holds it."""

    source: str
    target: str
    kind: str


class Overview(NamedTuple):
    """Counts over the whole graph, and the nodes and edges that are shown of it; a node with its degree."""

    health: str
    memories: int
    links: int
    isolated: int
    conflicts: int
    nodes: tuple[tuple[Entry, int], ...]
    edges: tuple[Edge, ...]
    omitted: int
    caveats: tuple[Caveat, ...] = ()


def read_overview(situation: Situation, limit: int) -> Overview:
    """Return the graph with at most `limit` nodes, the most linked first; unreadable files are caveats."""
    home, shelves = open_home(situation.home), visible_shelves(situation)
    catalogue = read_catalogue(home, shelves)
    caveats = (*file_caveats(home, shelves, catalogue), *reading_caveats(home, situation))
    return overview_of(catalogue, limit)._replace(caveats=caveats)


def overview_of(catalogue: Catalogue, limit: int) -> Overview:
    """Return the graph of what was read, with at most `limit` nodes."""
    saved = {one.id: one for one in catalogue.entries if one.status == SAVED}
    held = {(one.id, *link) for one in saved.values() for link in one.links if link[0] in saved}
    edges = tuple(Edge(*one) for one in settled_pairs(held))
    degrees = dict.fromkeys(saved, 0)
    for edge in edges:
        degrees[edge.source] += 1
        degrees[edge.target] += 1
    shown = dict.fromkeys(sorted(degrees, key=lambda one: (-degrees[one], one))[:limit])
    isolated = sum(not degree for degree in degrees.values())
    return Overview(
        _health(len(saved), len(edges), isolated),
        len(saved),
        len(edges),
        isolated,
        sum(edge.kind == "conflicts" for edge in edges),
        tuple((saved[one], degrees[one]) for one in shown),
        tuple(edge for edge in edges if edge.source in shown and edge.target in shown),
        len(saved) - len(shown),
        catalogue.caveats,
    )


def _health(memories: int, links: int, isolated: int) -> str:
    if not memories:
        return "empty"
    if not links:
        return "disconnected"
    return "partial" if isolated else "connected"
