"""The door of the memories: one function per use case, from a situation and a request to a result.

The rules are elsewhere in this room; here it is decided which shelves a call reaches and how a change is
committed. What only reads is a thin call into `reading`, `find`, `checking` and `json_value`, loaded late.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wuu.memory.entry import Entry
from wuu.memory.values import (
    AddMemory,
    ChangeMemory,
    EditMemory,
    Filters,
    MemoryChange,
    MemoryList,
    MemorySearch,
    Shown,
)
from wuu.situation.situation import Situation
from wuu.store.home import Home, open_home

if TYPE_CHECKING:
    from wuu.memory.checking import Checked
    from wuu.memory.plans import MemoryPlan
    from wuu.situation.writing import WriteOptions, Written


def add_memory(situation: Situation, request: AddMemory, options: "WriteOptions") -> "Written[MemoryChange]":
    """Remember something: a person's is saved, an agent's waits; see `plans.plan_add` for what is refused."""
    from wuu.memory import plans  # noqa: PLC0415  (readers need none of it)

    return _write(
        situation,
        "memory add",
        request,
        options,
        lambda home: plans.plan_add(home, situation, request, options.secrets),
    )


def edit_memory(
    situation: Situation, request: EditMemory, options: "WriteOptions"
) -> "Written[MemoryChange]":
    """Change a memory and move it, all or none; see `plans.plan_edit` for what is refused."""
    from wuu.memory import plans  # noqa: PLC0415  (readers need none of it)

    return _write(
        situation,
        "memory edit",
        request,
        options,
        lambda home: plans.plan_edit(home, situation, request, options.secrets),
    )


def change_memory(
    situation: Situation, request: ChangeMemory, options: "WriteOptions"
) -> "Written[MemoryChange]":
    """Delete, archive, restore, pin or unpin a memory; see `plans.plan_change` and `removal.plan_delete`."""
    plan = _plan_for(situation, request)
    return _write(situation, f"memory {request.verb}", request, options, plan)


def check_change(situation: Situation, request: ChangeMemory) -> MemoryChange:
    """Return what `change_memory` would do now, before anybody is asked whether they mean it.

    Raises:
        ReadOnlyMode: wuu runs read-only.
        WuuError: Whatever `change_memory` would be refused for.
    """
    from wuu.situation.writing import refuse_read_only  # noqa: PLC0415  (readers need none of it)

    refuse_read_only(situation)
    return _plan_for(situation, request)(open_home(situation.home)).outcome


def find_undo(situation: Situation) -> Shown:
    """Return the memory that `undo_memory` would delete now; see `removal.find_undo`.

    Raises:
        NotFound: There is none.
    """
    from wuu.memory import removal  # noqa: PLC0415  (readers need none of it)

    return removal.find_undo(open_home(situation.home), situation)


def undo_memory(
    situation: Situation, options: "WriteOptions", revision: str | None = None
) -> "Written[MemoryChange]":
    """Delete the newest memory of this session, without one the newest that a person saved here.

    `revision` is that of the memory which was shown; see `removal.plan_undo` for what is refused.
    """
    from wuu.memory import removal  # noqa: PLC0415  (readers need none of it)

    return _write(
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


def memory_value(shown: Shown) -> dict[str, Any]:
    """Return the JSON of a memory (CONTRACT, "memory")."""
    from wuu.memory import json_value  # noqa: PLC0415  (only a reply needs it)

    return json_value.memory_value(shown)


def _plan_for(situation: Situation, request: ChangeMemory) -> Callable[[Home], "MemoryPlan"]:
    from wuu.memory import plans, removal  # noqa: PLC0415  (readers need none of it)
    from wuu.memory.lifecycle import DELETE, check_verb  # noqa: PLC0415

    if request.verb == DELETE:
        check_verb(request.verb, request.to)
        return lambda home: removal.plan_delete(home, situation, request)
    return lambda home: plans.plan_change(home, situation, request)


def _write(
    situation: Situation,
    command: str,
    request: Any,
    options: "WriteOptions",
    plan: Callable[[Home], "MemoryPlan"],
) -> "Written[MemoryChange]":
    """Commit a plan; the same request from another project, profile or session is another request."""
    from wuu.situation.writing import write  # noqa: PLC0415  (readers need none of it)

    caller, home = situation.caller, open_home(situation.home)
    asked = [request, situation.workspace.root, caller.profile, caller.session]
    done = write(situation, home, plan, options, command=command, asked=asked)
    if not done.dry_run:
        _purge(home, done)
    return done


def _purge(home: Home, done: "Written[MemoryChange]") -> None:
    """Take words that are no longer where they were out of the search index (FACTS, "Deleting")."""
    before, after = (done.outcome.before, done.outcome.after) if done.outcome else (None, None)
    if before is not None and (after is None or _words_of(after) != _words_of(before)):
        from wuu.memory.indexing import purge  # noqa: PLC0415  (imports SQLite)

        purge(home, (before.shelf,))


def _words_of(entry: Entry) -> tuple[object, ...]:
    """Return what of a memory the index of its shelf holds."""
    return entry.shelf, entry.text, entry.tags, entry.all_categories
