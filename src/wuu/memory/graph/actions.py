"""The door of the graph: what the commands call. It decides nothing."""

from typing import TYPE_CHECKING

from wuu.situation.situation import Situation

if TYPE_CHECKING:
    from wuu.memory.graph.overview import Overview

MAX_NODES = 200
"""Most nodes that are shown (seed 002, "Graph tab")."""


def read_overview(situation: Situation, limit: int = MAX_NODES) -> "Overview":
    """Return the graph with at most `limit` nodes; see `overview.read_overview`."""
    from wuu.memory.graph import overview  # noqa: PLC0415  (writers need none of it)

    return overview.read_overview(situation, limit)
