"""Approving and rejecting what waits, worked out as values: one pass over the files for any number of them.

What is approved is what was shown: a proposal that changed since, or whose target changed since it was made,
is refused with a diff (case O-26). One that cannot be decided keeps its reason and does not stop the others.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from wuu.errors import Refused, StaleRevision, UsageProblem, WuuError
from wuu.memory.approving.approval import check_goal, goal_of, preview
from wuu.memory.approving.proposed import ARCHIVE, difference, find_proposal
from wuu.memory.approving.rejected import change_words, plan_rejections, text_words
from wuu.memory.approving.scene import Scene
from wuu.memory.entries import created_time
from wuu.memory.filtering import read_asked
from wuu.memory.format.entry import PENDING, SAVED, Entry
from wuu.memory.shelves import Shelf
from wuu.memory.values import (
    ApproveMemory,
    Decided,
    Decisions,
    Filters,
    MemoryChange,
    RejectMemory,
)
from wuu.memory.writing import guards, lifecycle
from wuu.memory.writing.notices import named
from wuu.memory.writing.rewriting import plan_place, rewritten, time_now
from wuu.situation.situation import Situation
from wuu.store.changes import Change, ChangeSet
from wuu.store.home import Home

DecisionPlan = ChangeSet[Decisions]
R = TypeVar("R", ApproveMemory, RejectMemory)

MOST_AT_ONCE = 10_000
"""Most proposals that one command decides about."""


class _Done(NamedTuple):
    id: str
    change: MemoryChange
    changes: tuple[Change, ...]


def plan_approve(
    home: Home,
    situation: Situation,
    requests: Sequence[ApproveMemory],
    filters: Filters | None,
    secrets: str,
) -> DecisionPlan:
    """Plan that the proposals in `requests` are approved, or with `filters` all that wait and pass them.

    Raises:
        ApprovalRequired: An agent asks.
        UsageProblem: A filter that cannot be, or more than 10,000 at once.
    """
    guards.refuse_agent(situation.caller, "approve proposals")
    scene = Scene(home, situation)
    failed = _unreadable(scene, situation, filters)
    if filters is not None:
        requests = [ApproveMemory(entry.id) for entry in _waiting(scene, situation, filters)]
    _refuse_too_many(requests)
    results, changes = _each(requests, lambda one: _approve(scene, one, secrets))
    return ChangeSet(changes, Decisions((*failed, *results)))


def plan_reject(
    home: Home,
    situation: Situation,
    requests: Sequence[RejectMemory],
    filters: Filters | None,
    reason: str | None,
) -> DecisionPlan:
    """Plan that proposals go and are not made again; see `plan_approve`.

    Raises:
        ApprovalRequired: An agent asks.
        UsageProblem: A filter that cannot be, a reason of several lines, or more than 10,000 at once.
    """
    guards.refuse_agent(situation.caller, "reject proposals")
    reason = guards.checked_reason(reason)
    scene = Scene(home, situation)
    failed = _unreadable(scene, situation, filters)
    if filters is not None:
        requests = [RejectMemory(entry.id) for entry in _waiting(scene, situation, filters)]
    _refuse_too_many(requests)
    words: list[tuple[Shelf, tuple[str, ...]]] = []
    results, changes = _each(requests, lambda one: _reject(scene, one, words))
    changes += plan_rejections(home, words, time_now(), reason)
    return ChangeSet(changes, Decisions((*failed, *results)))


def plan_reject_text(home: Home, shelf: Shelf, text: str) -> ChangeSet[None]:
    """Plan that a text, which was shown before it was stored anywhere, is not proposed again."""
    return ChangeSet(plan_rejections(home, [(shelf, (text_words(text),))], time_now(), None), None)


def _approve(scene: Scene, request: ApproveMemory, secrets: str) -> _Done:
    entry = scene.get(request.id)
    _check_revision(scene, entry, request.revision)
    if entry.status == SAVED:
        return _Done(entry.id, MemoryChange(lifecycle.UNCHANGED, entry, entry), ())
    goal = goal_of(scene, entry, request)
    check_goal(scene, entry, goal, secrets)
    now = time_now()
    old = goal.before or entry
    changes, after = rewritten(scene.home, old, goal.after, now)
    if after.shelf != old.shelf:
        changes = (*changes, *plan_place(scene.home, scene.situation, after.shelf, now))
    caveats = guards.text_caveats(after) if after.text != (goal.before.text if goal.before else None) else ()
    scene.put(after)
    if goal.proposal is None:
        return _Done(entry.id, MemoryChange("saved", entry, after, caveats=caveats), changes)
    scene.remove(entry.id)
    verb = "archived" if goal.proposal.operation == ARCHIVE else "updated"
    away = Change(entry.path, entry.digest, None)
    return _Done(entry.id, MemoryChange(verb, goal.before, after, caveats=caveats), (*changes, away))


def _reject(scene: Scene, request: RejectMemory, words: list[tuple[Shelf, tuple[str, ...]]]) -> _Done:
    entry = scene.get(request.id)
    _check_revision(scene, entry, request.revision)
    if entry.status != PENDING:
        verb = "archive" if entry.status == SAVED else "delete"
        raise Refused(
            f"{named(entry)} is {entry.status}, and only what waits is rejected.",
            hint=f"wuu memory {verb} {entry.id}",
            id=entry.id,
            status=entry.status,
        )
    words.append((entry.shelf, _words(scene, entry)))
    scene.remove(entry.id)
    return _Done(entry.id, MemoryChange("rejected", entry, None), (Change(entry.path, entry.digest, None),))


def _words(scene: Scene, entry: Entry) -> tuple[str, ...]:
    try:
        proposal = find_proposal(entry)
    except Refused:
        return ()
    if proposal is None:
        return (text_words(entry.text),)
    return change_words(entry, proposal, scene.find(proposal.target))


def _check_revision(scene: Scene, entry: Entry, revision: str | None) -> None:
    """Refuse what changed since it was shown, with what approving it now would do."""
    shown = scene.shown(entry)
    try:
        guards.check_revision(shown, revision)
    except StaleRevision as error:
        found = preview(scene, entry)
        error.details["diff"] = difference(found.before, found.after or entry)
        raise


def _each(
    requests: Iterable[R], decide: Callable[[R], _Done]
) -> tuple[tuple[Decided, ...], tuple[Change, ...]]:
    results: dict[str, Decided] = {}
    changes: list[Change] = []
    for request in requests:
        try:
            done = decide(request)
        except WuuError as error:
            if not error.details.get("decided"):  # by this very command, under another spelling
                results.setdefault(request.id, Decided(request.id, error=error))
        else:
            if done.change.verb != lifecycle.UNCHANGED or done.id not in results:
                results[done.id] = Decided(done.id, done.change)
            changes += done.changes
    return tuple(results.values()), tuple(dict.fromkeys(changes))


def _waiting(scene: Scene, situation: Situation, filters: Filters) -> list[Entry]:
    """Return what waits and passes `filters`, oldest first."""
    asked = read_asked(scene.home, situation, filters._replace(status=PENDING), (PENDING,))
    found = [entry for entry in scene.catalogue.entries if asked.has(entry)]
    return sorted(found, key=lambda entry: (created_time(entry), entry.id))


def _unreadable(scene: Scene, situation: Situation, filters: Filters | None) -> tuple[Decided, ...]:
    """Return the files that cannot be read where all that wait are meant: one of them may wait."""
    if filters is None:
        return ()
    asked = read_asked(scene.home, situation, filters._replace(status=PENDING), (PENDING,))
    if not asked.plain:
        return ()
    folders = {shelf.folder for shelf in asked.shelves}
    unreadable = scene.unreadable(folders)
    return tuple(Decided(memory_id, error=error) for memory_id, error in unreadable)


def _refuse_too_many(requests: Sequence[object]) -> None:
    if len(requests) > MOST_AT_ONCE:
        note = f"These are {len(requests):,} proposals; one command decides about {MOST_AT_ONCE:,} at most."
        raise UsageProblem(note, hint="Narrow it down: --older-than, --category, --proposer.")
