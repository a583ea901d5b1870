"""How plans of this room are committed, and what goes along with that.

What waited too long is put away in the same transaction (`expiry`); words that are gone leave the index. Used
by `actions` alone, which says what is planned.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from wuu.errors import WuuError
from wuu.memory.format.entry import Entry
from wuu.memory.values import Decisions, MemoryChange
from wuu.memory.writing.rewriting import MemoryPlan
from wuu.situation.situation import Situation
from wuu.situation.writing import WriteOptions, Written, write
from wuu.store.changes import ChangeSet
from wuu.store.home import Home, open_home

R = TypeVar("R")
Outcome = TypeVar("Outcome", MemoryChange, Decisions)

_PENDING_DAYS = "memoryPendingDays"

if TYPE_CHECKING:
    from wuu.memory.approving.deciding import DecisionPlan


def commit_request(
    situation: Situation,
    command: str,
    plan: Callable[[Home, Situation, R, str], MemoryPlan],
    request: R,
    options: WriteOptions,
) -> Written[MemoryChange]:
    """Commit what `plan` makes of a request that may bring a credential along."""
    return commit_change(
        situation, command, request, options, lambda home: plan(home, situation, request, options.secrets)
    )


def commit_change(
    situation: Situation,
    command: str,
    request: Any,
    options: WriteOptions,
    plan: Callable[[Home], MemoryPlan],
) -> Written[MemoryChange]:
    """Commit a plan; the same request from another project, profile or session is another request."""
    home = open_home(situation.home)
    done = write(
        situation, home, _tidied(situation, plan), options, command=command, asked=_asked(situation, request)
    )
    if not done.dry_run and done.outcome is not None:
        _purge(home, [done.outcome])
    return done


def commit_decisions(
    situation: Situation,
    command: str,
    request: Any,
    options: WriteOptions,
    plan: "Callable[[Home], DecisionPlan]",
) -> Written[Decisions]:
    """Commit what was decided about several memories, all of it in one transaction."""
    home = open_home(situation.home)
    done = write(
        situation, home, _tidied(situation, plan), options, command=command, asked=_asked(situation, request)
    )
    if not done.dry_run and done.outcome is not None:
        _purge(home, [one.change for one in done.outcome.results if one.change is not None])
    return done


def _tidied(
    situation: Situation, plan: Callable[[Home], ChangeSet[Outcome]]
) -> Callable[[Home], ChangeSet[Outcome]]:
    """Return `plan` with what lapsed put away as well; settings that cannot be read ask for nothing."""
    try:
        days = situation.settings.integer(_PENDING_DAYS)
    except WuuError:
        return plan
    if days <= 0:
        return plan
    from wuu.memory.approving.expiry import with_overdue  # noqa: PLC0415  (by default nothing lapses)

    return lambda home: with_overdue(home, situation, plan(home))


def _asked(situation: Situation, request: Any) -> list[Any]:
    caller = situation.caller
    return [request, situation.workspace.root, caller.profile, caller.session, caller.is_agent]


def _purge(home: Home, changes: Iterable[MemoryChange]) -> None:
    """Take words that are no longer where they were out of the search index (FACTS, "Deleting")."""
    shelves = {}
    for change in changes:
        before, after = change.before, change.after
        if before is not None and (after is None or _words_of(after) != _words_of(before)):
            shelves[before.shelf] = True
    if shelves:
        from wuu.memory.indexing import purge  # noqa: PLC0415  (imports SQLite)

        purge(home, tuple(shelves))


def _words_of(entry: Entry) -> tuple[object, ...]:
    """Return what of a memory the index of its shelf holds."""
    return entry.shelf, entry.text, entry.tags, entry.all_categories
