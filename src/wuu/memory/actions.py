"""The door of the memories: one function per use case, from a situation and a request to a result.

The rules are elsewhere in this room; here it is decided which shelves a call reaches and how a change is
committed. What only reads is a thin call into `reading`, `find`, `checking` and `json_value`, loaded late.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wuu.memory.values import (
    AddMemory,
    ApproveMemory,
    ChangeMemory,
    Decisions,
    EditMemory,
    Filters,
    MemoryChange,
    MemoryList,
    MemorySearch,
    Preview,
    ProposeChange,
    RejectMemory,
    Shown,
)
from wuu.situation.situation import Situation
from wuu.store.home import open_home

if TYPE_CHECKING:
    from wuu.memory.approving.stale import StaleList
    from wuu.memory.checking import Checked
    from wuu.memory.format.entry import Entry
    from wuu.memory.links import Link
    from wuu.situation.writing import WriteOptions, Written


def add_memory(situation: Situation, request: AddMemory, options: "WriteOptions") -> "Written[MemoryChange]":
    """Remember something: a person's is saved, an agent's mostly waits; see `adding.plan_add`."""
    from wuu.memory.committing import commit_request  # noqa: PLC0415
    from wuu.memory.writing import adding  # noqa: PLC0415  (readers need none of it)

    return commit_request(situation, "memory add", adding.plan_add, request, options)


def propose_memory(
    situation: Situation, request: AddMemory, options: "WriteOptions"
) -> "Written[MemoryChange]":
    """Propose a new memory, which waits for a person; see `adding.plan_propose` for what is refused."""
    from wuu.memory.committing import commit_request  # noqa: PLC0415
    from wuu.memory.writing import adding  # noqa: PLC0415  (readers need none of it)

    return commit_request(situation, "memory propose", adding.plan_propose, request, options)


def propose_change(
    situation: Situation, request: ProposeChange, options: "WriteOptions"
) -> "Written[MemoryChange]":
    """Propose to change or archive a saved memory; see `proposals.plan_propose_change`."""
    from wuu.memory.approving import proposals  # noqa: PLC0415  (readers need none of it)
    from wuu.memory.committing import commit_request  # noqa: PLC0415

    return commit_request(situation, "memory propose", proposals.plan_propose_change, request, options)


def approve_memories(
    situation: Situation,
    requests: Sequence[ApproveMemory],
    options: "WriteOptions",
    filters: Filters | None = None,
) -> "Written[Decisions]":
    """Approve proposals in one transaction, or with `filters` all that wait and pass; see `deciding`."""
    from wuu.memory.approving import deciding  # noqa: PLC0415  (readers need none of it)
    from wuu.memory.committing import commit_decisions  # noqa: PLC0415

    return commit_decisions(
        situation,
        "memory approve",
        [tuple(requests), filters],
        options,
        lambda home: deciding.plan_approve(home, situation, requests, filters, options.secrets),
    )


def reject_memories(
    situation: Situation,
    requests: Sequence[RejectMemory],
    options: "WriteOptions",
    filters: Filters | None = None,
    reason: str | None = None,
) -> "Written[Decisions]":
    """Reject proposals in one transaction, or with `filters` all that wait and pass; see `deciding`.

    What is rejected is not proposed again: a keyed digest of it is kept, and nothing else.
    """
    from wuu.memory.approving import deciding  # noqa: PLC0415  (readers need none of it)
    from wuu.memory.committing import commit_decisions  # noqa: PLC0415

    return commit_decisions(
        situation,
        "memory reject",
        [tuple(requests), filters, reason],
        options,
        lambda home: deciding.plan_reject(home, situation, requests, filters, reason),
    )


def reject_text(situation: Situation, request: AddMemory, options: "WriteOptions") -> None:
    """Remember that a person, who was shown it, does not want this text: it is not proposed again."""
    from wuu.memory.approving import deciding  # noqa: PLC0415  (readers need none of it)
    from wuu.memory.writing import guards  # noqa: PLC0415  (readers need none of it)
    from wuu.situation.writing import write  # noqa: PLC0415

    shelf = guards.target_shelf(situation, request.scope)
    write(
        situation,
        open_home(situation.home),
        lambda home: deciding.plan_reject_text(home, shelf, request.text),
        options,
        command="memory reject",
        asked=[shelf, request.text],
    )


def refuse_agent(situation: Situation, doing: str) -> None:
    """Refuse what only a person may do, before anybody is asked about it.

    Raises:
        ApprovalRequired: An agent asks.
    """
    from wuu.memory.writing import guards  # noqa: PLC0415  (readers need none of it)

    guards.refuse_agent(situation.caller, doing)


def preview_approval(situation: Situation, shown: Shown) -> Preview:
    """Return what approving a waiting memory would do now, and why it cannot be, if it cannot."""
    from wuu.memory.approving import approval  # noqa: PLC0415  (hardly anybody asks)
    from wuu.memory.approving.scene import Scene  # noqa: PLC0415

    return approval.preview(Scene(open_home(situation.home), situation), shown.entry)


def edit_memory(
    situation: Situation, request: EditMemory, options: "WriteOptions"
) -> "Written[MemoryChange]":
    """Change a memory and move it, all or none; see `plans.plan_edit` for what is refused."""
    from wuu.memory.committing import commit_request  # noqa: PLC0415
    from wuu.memory.writing import plans  # noqa: PLC0415  (readers need none of it)

    return commit_request(situation, "memory edit", plans.plan_edit, request, options)


def change_memory(
    situation: Situation, request: ChangeMemory, options: "WriteOptions"
) -> "Written[MemoryChange]":
    """Delete, archive, restore, pin or unpin a memory; see `plans.plan_change` and `removal.plan_delete`."""
    from wuu.memory.committing import commit_change  # noqa: PLC0415
    from wuu.memory.writing import removal  # noqa: PLC0415  (readers need none of it)

    plan = removal.plan_of(situation, request)
    return commit_change(situation, f"memory {request.verb}", request, options, plan)


def check_change(situation: Situation, request: ChangeMemory) -> MemoryChange:
    """Return what `change_memory` would do now, before anybody is asked whether they mean it.

    Raises:
        ReadOnlyMode: wuu runs read-only.
        WuuError: Whatever `change_memory` would be refused for.
    """
    from wuu.memory.writing import removal  # noqa: PLC0415  (readers need none of it)
    from wuu.situation.writing import refuse_read_only  # noqa: PLC0415

    refuse_read_only(situation)
    return removal.plan_of(situation, request)(open_home(situation.home)).outcome


def find_undo(situation: Situation) -> Shown:
    """Return the memory that `undo_memory` would delete now; see `removal.find_undo`.

    Raises:
        NotFound: There is none.
    """
    from wuu.memory.writing import removal  # noqa: PLC0415  (readers need none of it)

    return removal.find_undo(open_home(situation.home), situation)


def undo_memory(
    situation: Situation, options: "WriteOptions", revision: str | None = None
) -> "Written[MemoryChange]":
    """Delete what `find_undo` finds; `revision` is that of the memory which was shown."""
    from wuu.memory.committing import commit_change  # noqa: PLC0415
    from wuu.memory.writing import removal  # noqa: PLC0415  (readers need none of it)

    return commit_change(
        situation,
        "memory undo",
        revision,
        options,
        lambda home: removal.plan_undo(home, situation, revision),
    )


def show_memory(situation: Situation, prefix: str) -> Shown:
    """Return the one memory whose id begins with `prefix`; see `reading.show_memory`."""
    from wuu.memory import reading  # noqa: PLC0415  (writers need none of it)

    return reading.show_memory(situation, prefix)


def list_memories(situation: Situation, filters: Filters) -> MemoryList:
    """Return the memories that `filters` let pass, newest first; see `reading.list_memories`."""
    from wuu.memory import reading  # noqa: PLC0415  (writers need none of it)

    return reading.list_memories(situation, filters)


def list_stale(situation: Situation, filters: Filters) -> "StaleList":
    """Return the proposals that can no longer be applied, each with why; see `stale.list_stale`."""
    from wuu.memory.approving import stale  # noqa: PLC0415  (hardly anybody asks)

    return stale.list_stale(situation, filters)


def count_waiting(situation: Situation) -> dict[str, Any]:
    """Return how many proposals wait, cheap enough for every session; see `waiting`."""
    from wuu.memory.approving.waiting import count_waiting_value  # noqa: PLC0415  (others need none of it)

    return count_waiting_value(situation)


def search_memories(situation: Situation, query: str, filters: Filters, limit: int = 20) -> MemorySearch:
    """Return the memories that hold words of `query`, best first; see `find.search_memories`."""
    from wuu.memory import find  # noqa: PLC0415  (imports SQLite)

    return find.search_memories(situation, query, filters, limit)


def memory_status(situation: Situation) -> dict[str, Any]:
    """Return counts, what waits, and the settings that gate; see `reading.memory_status`."""
    from wuu.memory import reading  # noqa: PLC0415  (writers need none of it)

    return reading.memory_status(situation)


def list_categories(situation: Situation) -> list[dict[str, Any]]:
    """Return the known categories and those in use; see `reading.list_categories`."""
    from wuu.memory import reading  # noqa: PLC0415  (writers need none of it)

    return reading.list_categories(situation)


def index_status(situation: Situation) -> list[dict[str, Any]]:
    """Return the state of each search index of this call; see `find.index_status`."""
    from wuu.memory import find  # noqa: PLC0415  (imports SQLite)

    return find.index_status(situation)


def rebuild_index(situation: Situation) -> list[dict[str, Any]]:
    """Build each search index of this call anew; see `find.rebuild_index`."""
    from wuu.memory import find  # noqa: PLC0415  (imports SQLite)

    return find.rebuild_index(situation)


def check_memories(situation: Situation) -> "Checked":
    """Return the problems of every memory in the home; see `checking.check_memories`."""
    from wuu.memory import checking  # noqa: PLC0415  (only a check needs its rules)

    return checking.check_memories(situation)


def own_links(entry: "Entry") -> "tuple[Link, ...]":
    """Return the links that the file of a memory holds, as it sees them itself."""
    from wuu.memory.links import links_of  # noqa: PLC0415  (only a dry run asks)

    return links_of(entry, ())


def memory_value(shown: Shown) -> dict[str, Any]:
    """Return the JSON of a memory (CONTRACT, "memory")."""
    from wuu.memory.format import json_value  # noqa: PLC0415  (only a reply needs it)

    return json_value.memory_value(shown)
