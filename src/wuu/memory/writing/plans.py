"""Changes of memories worked out as values: edited, moved, pinned, put away and brought back.

Every function here reads and returns a `ChangeSet`; none of them writes, asks or waits. They run with the
lock held, so every rule over a shelf (duplicates, pins) is decided on what will be replaced.
"""

from wuu.memory.approving import asking
from wuu.memory.approving.proposals import plan_edit_proposal, plan_propose_change
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.reach import get_reachable, shown
from wuu.memory.shelves import SESSION, Shelf, near_shelves
from wuu.memory.values import ChangeMemory, EditMemory, MemoryChange, ProposeChange
from wuu.memory.writing import guards, lifecycle
from wuu.memory.writing.duplicates import refuse_duplicate
from wuu.memory.writing.editing import edited
from wuu.memory.writing.pins import refuse_without_room
from wuu.memory.writing.rewriting import MemoryPlan, plan_place, rewritten, time_now
from wuu.memory.writing.screening import screened_edit
from wuu.situation.credentials import REDACT
from wuu.situation.situation import Situation
from wuu.store.changes import ChangeSet
from wuu.store.home import Home
from wuu.text.normalise import duplicate_key


def plan_edit(home: Home, situation: Situation, request: EditMemory, secrets: str) -> MemoryPlan:
    """Plan fields, pin and scope of a memory, checked together: all of it or none. Other bytes stay.

    What an agent wants to change of a saved memory is proposed.

    Raises:
        NotFound, Ambiguous: It is not there, or not unique.
        StaleRevision: It is not at `revision`.
        UsageProblem: A field is not valid, or there is no session.
        TooLarge: The text has more than 32,768 bytes.
        SecretDetected: It would add a credential.
        Refused: Of an agent: a person rejected the text before, or its category is never saved.
        ApprovalRequired: An agent asks, and it is neither saved nor a waiting proposal of an agent.
        AlreadyExists: Another memory has the new text, or the same one on the new shelf.
        Refused: Pending and archived memories are not pinned and do not change their scope.
        PinLimit: There is no room for another pin.
    """
    old = get_reachable(home, situation, request.id)
    if situation.caller.is_agent and old.status == SAVED:
        return plan_propose_change(home, situation, ProposeChange(old.id, request), secrets)
    _refuse_agents_edit(situation, old, request)
    _check_revision(home, situation, old, request.revision)
    shelf = _target(situation, old, request.scope)
    if request.text is not None:
        guards.checked_text(request.text)
    safe, redactions, caveats = screened_edit(request, old, secrets, situation.caller)
    new = edited(old, safe)._replace(shelf=shelf, redactions=redactions)
    if new == old:
        return ChangeSet((), MemoryChange(lifecycle.UNCHANGED, old, old))
    if situation.caller.is_agent:
        asking.refuse_unwanted(home, situation, new)
    new = plan_edit_proposal(old, new)
    _check_edit(home, situation, old, new)
    now = time_now()
    changes, after = rewritten(home, old, new, now)
    if shelf != old.shelf:
        changes = (*changes, *plan_place(home, situation, shelf, now))
    unsafe = guards.text_caveats(after) if new.text != old.text else ()
    return ChangeSet(changes, MemoryChange("updated", old, after, caveats=(*caveats, *unsafe)))


def plan_change(home: Home, situation: Situation, request: ChangeMemory) -> MemoryPlan:
    """Plan one step of a memory's life: `archive`, `restore`, `pin` or `unpin`; an agent proposes to archive.

    Raises:
        NotFound, Ambiguous: It is not there, or not unique.
        StaleRevision: It is not at `revision`.
        UsageProblem: There is no such step.
        ApprovalRequired: An agent asks.
        AlreadyExists: It would be saved, and another saved memory has its text.
        Refused: Only saved memories are pinned.
        PinLimit: There is no room for another pin.
    """
    lifecycle.check_verb(request.verb, request.to)
    if request.verb != lifecycle.ARCHIVE:
        guards.refuse_agent(situation.caller, f"{request.verb} a memory")
    old = get_reachable(home, situation, request.id)
    if situation.caller.is_agent:
        return plan_put_away(home, situation, old, request)
    _check_revision(home, situation, old, request.revision)
    done = lifecycle.step(old, request.verb, request.to, situation.caller.session)
    if done.verb == lifecycle.UNCHANGED:
        return ChangeSet((), MemoryChange(done.verb, old, old))
    if done.entry.status == SAVED and old.status != SAVED:
        refuse_duplicate(home, around(situation, old.shelf), done.entry, (SAVED,))
    if done.entry.pinned and not old.pinned:
        refuse_without_room(home, done.entry)
    changes, after = rewritten(home, old, done.entry, time_now())
    return ChangeSet(changes, MemoryChange(done.verb, old, after, caveats=done.caveats))


def plan_put_away(home: Home, situation: Situation, old: Entry, request: ChangeMemory) -> MemoryPlan:
    """Plan what becomes of an agent's wish to put a memory away or to remove it: a proposal to archive it.

    Raises:
        ApprovalRequired: It is not saved.
        StaleRevision: It is not at `revision`.
        Refused: A person rejected that before.
    """
    if old.status != SAVED:
        guards.refuse_agent(situation.caller, f"{request.verb} what is not saved")
    _check_revision(home, situation, old, request.revision)
    return plan_propose_change(home, situation, ProposeChange(old.id), REDACT)


def _refuse_agents_edit(situation: Situation, old: Entry, request: EditMemory) -> None:
    guards.refuse_foreign(situation.caller, old, "change")
    if request.scope is not None:
        guards.refuse_agent(situation.caller, "change the scope of a memory")
    if request.pinned is not None:
        guards.refuse_agent(situation.caller, "pin a memory")


def _check_revision(home: Home, situation: Situation, entry: Entry, revision: str | None) -> None:
    if revision is not None:
        guards.check_revision(shown(home, situation, entry), revision)


def _target(situation: Situation, old: Entry, scope: str | None) -> Shelf:
    """Return the shelf that a memory is to stand on; a session's stays there unless another one is named."""
    if scope is None or (scope == old.shelf.scope == SESSION and situation.caller.session is None):
        return old.shelf
    shelf = guards.target_shelf(situation, scope)
    if shelf != old.shelf:
        lifecycle.refuse_move(old)
    return shelf


def _check_edit(home: Home, situation: Situation, old: Entry, new: Entry) -> None:
    """Refuse what the shelves do not allow: the same text twice, one pin too many."""
    moves = new.shelf != old.shelf
    if duplicate_key(new.text) != duplicate_key(old.text):
        refuse_duplicate(home, around(situation, old.shelf, new.shelf), new)
    elif moves:
        refuse_duplicate(home, (new.shelf,), new)
    if new.pinned and (moves or not old.pinned):
        refuse_without_room(home, new)


def around(situation: Situation, *shelves: Shelf) -> tuple[Shelf, ...]:
    """Return the shelves on which a duplicate counts, and `shelves`, each once."""
    return tuple(dict.fromkeys((*near_shelves(situation), *shelves)))
