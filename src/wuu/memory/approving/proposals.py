"""Proposals worked out as values: a memory that waits, and a change of a saved memory that waits.

Like `plans`, everything here reads and returns a `ChangeSet`. A proposed change captures the full revision of
its target, so that nothing but what was proposed is ever approved; `deciding` is where that happens.
"""

from typing import Any, NamedTuple

from wuu.errors import Caveat, Refused, UsageProblem
from wuu.ids import new_id
from wuu.memory.approving import asking, proposed
from wuu.memory.approving.proposed import ARCHIVE, UPDATE, Proposal, changes_between, find_proposal
from wuu.memory.approving.rejected import change_words, find_rejection
from wuu.memory.entries import proposers
from wuu.memory.format.entry import PENDING, SAVED, Entry
from wuu.memory.reach import get_reachable, shown
from wuu.memory.shelves import SESSION, near_shelves
from wuu.memory.values import EditMemory, MemoryChange, ProposeChange
from wuu.memory.writing import guards
from wuu.memory.writing.duplicates import refuse_duplicate
from wuu.memory.writing.editing import edited
from wuu.memory.writing.notices import named
from wuu.memory.writing.rewriting import MemoryPlan, time_now, written
from wuu.memory.writing.screening import screened_edit, screened_evidence
from wuu.situation.credentials import REDACT, REFUSE
from wuu.situation.situation import Situation
from wuu.store.changes import ChangeSet
from wuu.store.home import Home
from wuu.text.normalise import duplicate_key

_PERSON, _AGENT = "user", "agent"


class _Wanted(NamedTuple):
    """A memory as it is wanted, the changes beside its text, what was redacted, what is to be said."""

    entry: Entry
    changes: dict[str, Any]
    redactions: tuple[str, ...]
    caveats: tuple[Caveat, ...]


def plan_propose_change(home: Home, situation: Situation, request: ProposeChange, secrets: str) -> MemoryPlan:
    """Plan a proposal to change or archive a saved memory; the same one is not made twice.

    Raises:
        NotFound, Ambiguous: The memory is not there, or not unique.
        StaleRevision: It is not at the revision of the edit.
        Refused: It is not saved; or of an agent: it was rejected before, or its category is never saved.
        UsageProblem, TooLarge: A field is not valid.
        AlreadyExists: Another memory has the new text.
        ApprovalRequired: An agent wants to pin, or to move something into a session.
    """
    target = get_reachable(home, situation, request.id)
    found = shown(home, situation, target)
    if request.edit is not None:
        guards.check_revision(found, request.edit.revision)
    if target.status != SAVED:
        note = f"{named(target)} is {target.status}, and only changes of saved memories are proposed."
        raise Refused(note, id=target.id, status=target.status)
    wanted = _Wanted(target, {}, (), ())
    if request.edit is not None:
        wanted = _wanted(home, situation, target, request.edit, secrets)
        if wanted.entry.text == target.text and not wanted.changes:
            return ChangeSet((), MemoryChange("unchanged", target, target))
    operation = ARCHIVE if request.edit is None else UPDATE
    proposal = Proposal(operation, target.id, found.revision, wanted.changes)
    evidence, more = screened_evidence(guards.checked_evidence(request.evidence), situation.caller)
    entry = _entry(situation, wanted.entry, proposal, wanted.redactions)._replace(evidence=evidence)
    return _plan(home, situation, target, entry, proposal, (*wanted.caveats, *more))


def _plan(
    home: Home,
    situation: Situation,
    target: Entry,
    entry: Entry,
    proposal: Proposal,
    caveats: tuple[Caveat, ...],
) -> MemoryPlan:
    known = _find_same(home, entry, proposal)
    if known is not None:
        return ChangeSet((), MemoryChange("known", known, known, known.id))
    if situation.caller.is_agent:
        asking.refuse_never(situation, entry)
        rejection = find_rejection(home, near_shelves(situation), *change_words(entry, proposal, target))
        if rejection is not None:
            asking.refuse_rejected(entry, rejection)
    done = written(home, situation, entry)
    unsafe = guards.text_caveats(done.after) if entry.text != target.text else ()
    change = MemoryChange(
        "proposed", None, done.after, caveats=(*caveats, *unsafe), waits=asking.APPROVAL, target=target
    )
    return ChangeSet(done.changes, change)


def _wanted(home: Home, situation: Situation, target: Entry, edit: EditMemory, secrets: str) -> _Wanted:
    if edit.pinned is not None:
        guards.refuse_agent(situation.caller, "pin a memory")
        raise UsageProblem("A pin is not proposed.", hint=f"wuu memory pin {target.id}", field="pinned")
    if edit.text is not None:
        guards.checked_text(edit.text)
    handling = REDACT if secrets == REFUSE else secrets
    safe, redactions, caveats = screened_edit(
        edit, target._replace(redactions=()), handling, situation.caller
    )
    new = edited(target, safe)
    changes = changes_between(target, new)
    if edit.scope is not None and edit.scope != target.shelf.scope:
        if SESSION in (edit.scope, target.shelf.scope):
            guards.refuse_agent(situation.caller, "move a memory into a session or out of one")
        shelf = guards.target_shelf(situation, edit.scope)
        changes = {**changes, proposed.SCOPE: edit.scope}
        if shelf.workspace is not None:
            changes[proposed.WORKSPACE] = shelf.workspace
    if duplicate_key(new.text) != duplicate_key(target.text):
        refuse_duplicate(home, tuple(dict.fromkeys((*near_shelves(situation), target.shelf))), new)
    return _Wanted(new, changes, redactions, caveats)


def _entry(situation: Situation, new: Entry, proposal: Proposal, redactions: tuple[str, ...]) -> Entry:
    """Return the memory that waits in place of the change: it looks as its target would."""
    now = time_now()
    return Entry(
        new_id(),
        new.shelf,
        PENDING,
        new.text,
        category=new.category,
        categories=new.categories,
        tags=new.tags,
        sensitivity=new.sensitivity,
        confidence=new.confidence,
        proposer=_AGENT if situation.caller.is_agent else _PERSON,
        created_at=now,
        updated_at=now,
        redactions=redactions,
        proposal=proposal.value(),
    )


def _find_same(home: Home, entry: Entry, proposal: Proposal) -> Entry | None:
    """Return a waiting proposal of the same change, for the same revision of its target."""
    for other in proposers(home, (entry.shelf,), proposal.target):
        if other.status == PENDING:
            try:
                found = find_proposal(other)
            except Refused:
                continue
            if found == proposal and duplicate_key(other.text) == duplicate_key(entry.text):
                return other
    return None


def plan_edit_proposal(old: Entry, new: Entry) -> Entry:
    """Return a waiting change as a person edited it: what it would change of its target changes along.

    Raises:
        Refused: It proposes to archive, which has no text of its own, or cannot be understood.
    """
    proposal = find_proposal(old)
    if proposal is None:
        return new
    if proposal.operation == ARCHIVE:
        hint = f"wuu memory approve {old.id} archives it, wuu memory reject {old.id} does not."
        raise Refused(
            f"{named(old)} proposes to archive {proposal.target}: there is nothing to edit.", hint=hint
        )
    changes = {**proposal.changes, **changes_between(old, new)}
    return new._replace(proposal=proposal._replace(changes=changes).value())
