"""A fact of the graph worked out as one change: remembered or edited, moved, linked, all or nothing.

Stands on the plans of adding and editing, so that every rule of theirs holds; adds the links to what they
plan. Seed 002, "Agent tool": upsert keeps id and links.
"""

from collections.abc import Iterable

from wuu.errors import Caveat, LinkLimit, UsageProblem
from wuu.memory.entries import linkers
from wuu.memory.format.entry import SAVED, Entry, edited_entry, parse_entry
from wuu.memory.graph.linking import (
    check_kind,
    find_kind,
    get_node,
    linked,
    refuse_full,
    refuse_self,
    refuse_unapproved,
)
from wuu.memory.graph.values import CLASSIFICATIONS, MAX_LINKS, UpsertFact
from wuu.memory.links import links_of
from wuu.memory.shelves import PROJECT, visible_shelves
from wuu.memory.values import AddMemory, EditMemory
from wuu.memory.writing.adding import plan_add
from wuu.memory.writing.plans import plan_edit
from wuu.memory.writing.rewriting import MemoryPlan, document_of, rewritten, time_now
from wuu.situation.situation import Situation
from wuu.store.changes import Change, ChangeSet
from wuu.store.files import decode
from wuu.store.home import Home

_WAITS = "It waits for approval, so it is not linked yet."


def plan_upsert(home: Home, situation: Situation, request: UpsertFact, secrets: str) -> MemoryPlan:
    """Plan a fact: a new one as `plan_add` does, that of an id as `plan_edit` does, and its links.

    What waits is not linked, and a caveat says so.

    Raises:
        UsageProblem: There is neither a text nor an id, or no such kind or classification.
        ApprovalRequired: An agent asks for links, and its writes wait for approval.
        WuuError: See `plan_add`, `plan_edit` and `plan_link`.
    """
    _check(request)
    planned = _plan_fact(home, situation, request, secrets)
    after = planned.outcome.after
    if not request.links or after is None:
        return planned
    if after.status != SAVED or after.proposes_change:
        caveats = (*planned.outcome.caveats, Caveat("links_left_out", _WAITS, {"id": after.id}))
        return planned._replace(outcome=planned.outcome._replace(caveats=caveats))
    refuse_unapproved(situation)
    return _with_links(home, situation, planned, after, request.links)


def _check(request: UpsertFact) -> None:
    if request.text is None and request.id is None:
        raise UsageProblem("Give a text, or the id of a memory.", field="text")
    if request.classification not in (None, *CLASSIFICATIONS):
        known = ", ".join(CLASSIFICATIONS)
        note = f"The classification is one of {known}; got {request.classification!r}."
        raise UsageProblem(note, field="classification")
    if request.classification is not None and request.scope not in (None, PROJECT):
        note = f"A {request.classification} fact belongs to the project; the scope is {PROJECT}."
        raise UsageProblem(note, field="scope")
    for _, kind in request.links:
        check_kind(kind)


def _plan_fact(home: Home, situation: Situation, request: UpsertFact, secrets: str) -> MemoryPlan:
    if request.id is None:
        fact = AddMemory(
            request.text or "",
            request.scope or PROJECT,
            category=request.category,
            categories=request.categories or (),
            tags=request.tags or (),
            classification=request.classification,
        )
        return plan_add(home, situation, fact, secrets)
    change = EditMemory(
        request.id,
        text=request.text,
        category=request.category,
        categories=request.categories,
        tags=request.tags,
        scope=request.scope if request.classification is None else PROJECT,
        classification=request.classification,
    )
    return plan_edit(home, situation, change, secrets)


def _with_links(
    home: Home, situation: Situation, planned: MemoryPlan, fact: Entry, links: Iterable[tuple[str, str]]
) -> MemoryPlan:
    """Return the plan with the links of `fact`, which it makes or changes, in the files that hold them."""
    others = [(get_node(home, situation, prefix), kind) for prefix, kind in links]
    now, new = time_now(), fact
    changes = list(planned.changes)
    fresh = 0
    for other, kind in others:
        refuse_self(fact, other)
        if find_kind(fact, other) is None:
            fresh += 1
            refuse_full(home, situation, other, but=fact)
        new, wanted = linked(new, other, kind)
        if wanted != other:
            changes += rewritten(home, other, wanted, now).changes
    _refuse_full(home, situation, fact, fresh)
    if new == fact:
        return ChangeSet(tuple(changes), planned.outcome)
    return _rewrite_fact(home, planned, changes, fact, new)


def _refuse_full(home: Home, situation: Situation, fact: Entry, fresh: int) -> None:
    there = len(links_of(fact, linkers(home, visible_shelves(situation), fact.id)))
    if there + fresh > MAX_LINKS:
        note = f"The memory would have {there + fresh} links; it has at most {MAX_LINKS}."
        raise LinkLimit(note, id=fact.id, limit=MAX_LINKS)


def _rewrite_fact(
    home: Home, planned: MemoryPlan, changes: list[Change], fact: Entry, new: Entry
) -> MemoryPlan:
    """Return the plan with the links of the fact in its own file, which may be planned already."""
    at = next((at for at, one in enumerate(changes) if one.path == fact.path and one.after), None)
    if at is None:
        done = rewritten(home, fact, new, time_now())
        return ChangeSet(
            (*changes, *done.changes), planned.outcome._replace(verb="updated", after=done.after)
        )
    prepared = changes[at].after
    text = document_of(home, fact) if prepared is None else decode(prepared, fact.path)
    text = edited_entry(text, fact, new)
    changes[at] = changes[at]._replace(after=text.encode())
    after = parse_entry(fact.id, fact.shelf, text)
    return ChangeSet(tuple(changes), planned.outcome._replace(after=after))
