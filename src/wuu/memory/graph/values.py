"""What is asked of the graph and what it answers: plain values, nothing that reads or decides."""

from typing import NamedTuple

from wuu.errors import Caveat
from wuu.memory.format.entry import Entry
from wuu.memory.values import Shown

RELATED = "related"
"""The kind of a link that says no more than that there is one (seed 002, "Agent tool")."""

CLASSIFICATIONS = ("workspace", "group-view")
"""What a fact of a graph may be called besides; it belongs to this project all the same (seed 002)."""

MAX_LINKS = 16
"""Most links of a memory, counted at both ends (seed 002, "Links")."""


class LinkMemories(NamedTuple):
    """Link the memory `source` to `target`; a pair has one link, so another one is replaced."""

    source: str
    target: str
    kind: str = RELATED


class UnlinkMemories(NamedTuple):
    """Remove the link of two memories, whichever file holds it."""

    one: str
    other: str


class LinkChange(NamedTuple):
    """What became of the link of a pair: `linked`, `relinked`, `unlinked` or `unchanged`.

    `before` and `kind` are what it was and is, None for no link. A `target` that is gone has no text.
    """

    verb: str
    source: Entry
    target_id: str
    target: Entry | None
    before: str | None
    kind: str | None


class UpsertFact(NamedTuple):
    """Remember `text` with links, or change the memory `id`, which keeps its id and its links.

    `links` are (id, kind), from this memory to the other one. None leaves a field alone.
    """

    text: str | None
    id: str | None = None
    scope: str | None = None
    category: str | None = None
    categories: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    links: tuple[tuple[str, str], ...] = ()
    classification: str | None = None


class Neighbour(NamedTuple):
    """A memory that another one is linked to, as that one sees it; `text` is its first line."""

    id: str
    kind: str
    direction: str
    text: str


class GraphHit(NamedTuple):
    """A memory that a search of the graph found, with what it is linked to."""

    memory: Shown
    score: float
    snippet: str
    neighbours: tuple[Neighbour, ...]


class GraphSearch(NamedTuple):
    """The best hits, and how many there are in all."""

    query: str
    hits: tuple[GraphHit, ...]
    total: int
    caveats: tuple[Caveat, ...]
