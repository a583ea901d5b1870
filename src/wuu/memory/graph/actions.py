"""The door of the graph: the links between saved memories, and what they make. It decides nothing."""

from typing import TYPE_CHECKING, Any

from wuu.memory.graph.values import LinkChange, LinkMemories, UnlinkMemories, UpsertFact
from wuu.memory.values import MemoryChange
from wuu.situation.situation import Situation
from wuu.store.home import open_home

if TYPE_CHECKING:
    from wuu.memory.graph.overview import Overview
    from wuu.memory.graph.validation import Validation
    from wuu.memory.graph.values import GraphSearch
    from wuu.situation.writing import WriteOptions, Written

MAX_NODES = 200
"""Most nodes that are shown (seed 002, "Graph tab")."""


def read_overview(situation: Situation, limit: int = MAX_NODES) -> "Overview":
    """Return the graph with at most `limit` nodes; see `overview.read_overview`."""
    from wuu.memory.graph import overview  # noqa: PLC0415  (writers need none of it)

    return overview.read_overview(situation, limit)


def overview_value(overview: "Overview") -> dict[str, Any]:
    """Return the JSON of the graph (CONTRACT, "memory graph overview")."""
    from wuu.memory.graph import export  # noqa: PLC0415  (writers need none of it)

    return export.overview_value(overview)


def render_graph(overview: "Overview", form: str) -> str:
    """Return the graph as text: `dot` or `mermaid`."""
    from wuu.memory.graph import export  # noqa: PLC0415  (writers need none of it)

    return export.render_dot(overview) if form == "dot" else export.render_mermaid(overview)


def search_graph(situation: Situation, query: str, limit: int = 20) -> "GraphSearch":
    """Return the memories that hold words of `query` with what they are linked to; see `searching`."""
    from wuu.memory.graph import searching  # noqa: PLC0415  (imports SQLite)

    return searching.search_graph(situation, query, limit)


def validate_graph(situation: Situation) -> "Validation":
    """Return what is wrong with the links, apart from the health of the graph; see `validation`."""
    from wuu.memory.graph import validation  # noqa: PLC0415  (hardly anybody asks)

    return validation.validate_graph(situation)


def link_memories(
    situation: Situation, request: LinkMemories, options: "WriteOptions"
) -> "Written[LinkChange]":
    """Link two memories; see `linking.plan_link` for what is refused."""
    from wuu.memory.graph import linking  # noqa: PLC0415  (readers need none of it)

    return _commit(
        situation, "link", request, options, lambda home: linking.plan_link(home, situation, request)
    )


def unlink_memories(
    situation: Situation, request: UnlinkMemories, options: "WriteOptions"
) -> "Written[LinkChange]":
    """Remove the link of two memories; see `linking.plan_unlink`."""
    from wuu.memory.graph import linking  # noqa: PLC0415  (readers need none of it)

    return _commit(
        situation, "unlink", request, options, lambda home: linking.plan_unlink(home, situation, request)
    )


def upsert_fact(
    situation: Situation, request: UpsertFact, options: "WriteOptions"
) -> "Written[MemoryChange]":
    """Remember or change a fact together with its links; see `upserting.plan_upsert`."""
    from wuu.memory.committing import commit_request  # noqa: PLC0415  (readers need none of it)
    from wuu.memory.graph import upserting  # noqa: PLC0415  (readers need none of it)

    return commit_request(situation, "memory graph upsert", upserting.plan_upsert, request, options)


def _commit(
    situation: Situation, verb: str, request: Any, options: "WriteOptions", plan: Any
) -> "Written[LinkChange]":
    """Commit a plan about links; the words of a memory do not change, so the index keeps what it has."""
    from wuu.situation.writing import write  # noqa: PLC0415  (readers need none of it)

    caller = situation.caller
    asked = [request, situation.workspace.root, caller.profile, caller.session, caller.is_agent]
    return write(
        situation, open_home(situation.home), plan, options, command=f"memory graph {verb}", asked=asked
    )
