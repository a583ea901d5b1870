"""Changes of memories worked out as values: added, edited, moved, pinned, put away and brought back.

Every function here reads and returns a `ChangeSet`; none of them writes, asks or waits. They run with the
lock held, so every rule over a shelf (duplicates, pins) is decided on what will be replaced.
"""

from typing import NamedTuple

from wuu import clock
from wuu.errors import Caveat, ChangedOnDisk, TooLarge
from wuu.ids import new_id
from wuu.memory import guards, lifecycle
from wuu.memory.duplicates import find_duplicates, refuse_duplicate
from wuu.memory.editing import edited, left_alone, new_entry
from wuu.memory.entries import read_catalogue
from wuu.memory.entry import ARCHIVED, PENDING, SAVED, Entry, edited_entry, parse_entry, render_entry
from wuu.memory.reach import get_reachable, near_shelves, shown
from wuu.memory.screening import screened_add, screened_edit
from wuu.memory.shelves import SESSION, USER, Shelf
from wuu.memory.times import render_time
from wuu.memory.values import AddMemory, ChangeMemory, EditMemory, MemoryChange
from wuu.memory.workspace_file import plan_workspace
from wuu.situation.situation import Situation
from wuu.store import files
from wuu.store.changes import Change, ChangeSet, change, digest_of
from wuu.store.home import Home
from wuu.text.normalise import duplicate_key

MemoryPlan = ChangeSet[MemoryChange]

_BEST_FIRST = (SAVED, PENDING, ARCHIVED)


class Rewritten(NamedTuple):
    """The changes that give a memory its new form, and what will be read from its file then."""

    changes: tuple[Change, ...]
    after: Entry


def plan_add(home: Home, situation: Situation, request: AddMemory, secrets: str) -> MemoryPlan:
    """Plan a new memory: a person's is saved, an agent's waits; one that is there already is not made twice.

    Of a person, the same text that waits is saved, and one that was archived comes back.

    Raises:
        UsageProblem: A field is not valid, or there is no session.
        TooLarge: The text has more than 32,768 bytes.
        SecretDetected: It holds a credential.
        ApprovalRequired: An agent pins, or puts something into a session.
        Refused: There is no project.
        PinLimit: There is no room for another pin.
    """
    shelf = guards.target_shelf(situation, request.scope)
    if request.pinned:
        guards.refuse_agent(situation.caller, "pin a memory")
    guards.checked_text(request.text)  # before the rules about credentials go through megabytes
    screened = screened_add(request, secrets, situation.caller)
    now = _now()
    entry = new_entry(new_id(), shelf, screened, situation.caller, now)
    known = _find_known(home, situation, entry)
    if known is not None:
        return _plan_known(home, situation, known, left_alone(known, screened.request))
    if entry.pinned:
        _refuse_without_room(home, entry)
    text = render_entry(entry)
    changes = (change(entry.path, None, _fitting(text, entry)), *_workspace(home, situation, shelf, now))
    after = parse_entry(entry.id, shelf, text)
    verb = "saved" if after.status == SAVED else "proposed"
    caveats = (*screened.caveats, *guards.text_caveats(after))
    return ChangeSet(changes, MemoryChange(verb, None, after, caveats=caveats))


def plan_edit(home: Home, situation: Situation, request: EditMemory, secrets: str) -> MemoryPlan:
    """Plan fields, pin and scope of a memory, checked together: all of it or none. Other bytes stay.

    Raises:
        NotFound, Ambiguous: It is not there, or not unique.
        StaleRevision: It is not at `revision`.
        UsageProblem: A field is not valid, or there is no session.
        TooLarge: The text has more than 32,768 bytes.
        SecretDetected: It would add a credential.
        ApprovalRequired: An agent asks, and it is no waiting proposal of an agent.
        AlreadyExists: Another memory has the new text, or the same one on the new shelf.
        Refused: Pending and archived memories are not pinned and do not change their scope.
        PinLimit: There is no room for another pin.
    """
    old = get_reachable(home, situation, request.id)
    _refuse_agents_edit(situation, old, request)
    _check_revision(home, situation, old, request.revision)
    shelf = _target(situation, old, request.scope)
    if request.text is not None:
        guards.checked_text(request.text)
    safe, redactions, caveats = screened_edit(request, old, secrets, situation.caller)
    new = edited(old, safe)._replace(shelf=shelf, redactions=redactions)
    if new == old:
        return ChangeSet((), MemoryChange(lifecycle.UNCHANGED, old, old))
    _check_edit(home, situation, old, new)
    now = _now()
    changes, after = _rewritten(home, old, new, now)
    if shelf != old.shelf:
        changes = (*changes, *_workspace(home, situation, shelf, now))
    unsafe = guards.text_caveats(after) if new.text != old.text else ()
    return ChangeSet(changes, MemoryChange("updated", old, after, caveats=(*caveats, *unsafe)))


def plan_change(home: Home, situation: Situation, request: ChangeMemory) -> MemoryPlan:
    """Plan one step of a memory's life: `archive`, `restore`, `pin` or `unpin`.

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
    guards.refuse_agent(situation.caller, f"{request.verb} a memory")
    old = get_reachable(home, situation, request.id)
    _check_revision(home, situation, old, request.revision)
    done = lifecycle.step(old, request.verb, request.to, situation.caller.session)
    if done.verb == lifecycle.UNCHANGED:
        return ChangeSet((), MemoryChange(done.verb, old, old))
    if done.entry.status == SAVED and old.status != SAVED:
        refuse_duplicate(home, _around(situation, old.shelf), done.entry, (SAVED,))
    if done.entry.pinned and not old.pinned:
        _refuse_without_room(home, done.entry)
    changes, after = _rewritten(home, old, done.entry, _now())
    return ChangeSet(changes, MemoryChange(done.verb, old, after, caveats=done.caveats))


def document_of(home: Home, entry: Entry) -> str:
    """Return the whole text of a memory's file, as it was when `entry` was read.

    Raises:
        ChangedOnDisk: It is another one by now.
    """
    data = home.read(entry.path, follow=False)
    if data is None or digest_of(data) != entry.digest:
        hint = "Look at it, then run the command again."
        raise ChangedOnDisk(f"{entry.path} changed while this was worked out.", hint=hint, path=entry.path)
    return files.decode(data, entry.path)


def _find_known(home: Home, situation: Situation, entry: Entry) -> Entry | None:
    """Return the memory that has the text already: a saved one first, one of the same scope first.

    A proposed change of another memory is no memory to a person; an agent does not propose it again.
    """
    found = [
        one
        for one in find_duplicates(home, near_shelves(situation), entry.text)
        if one.proposal is None or situation.caller.is_agent
    ]
    best = sorted(found, key=lambda one: (_BEST_FIRST.index(one.status), one.shelf != entry.shelf))
    return best[0] if best else None


def _plan_known(home: Home, situation: Situation, known: Entry, caveats: tuple[Caveat, ...]) -> MemoryPlan:
    """Plan what becomes of a memory whose text was to be added: a person has it saved, wherever it was."""
    if known.status == SAVED or situation.caller.is_agent:
        return ChangeSet((), MemoryChange("known", known, known, known.id, caveats))
    done = lifecycle.step(known, lifecycle.RESTORE, SAVED, situation.caller.session)
    changes, after = _rewritten(home, known, done.entry, _now())
    return ChangeSet(changes, MemoryChange(done.verb, known, after, known.id, caveats))


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
        refuse_duplicate(home, _around(situation, old.shelf, new.shelf), new)
    elif moves:
        refuse_duplicate(home, (new.shelf,), new)
    if new.pinned and (moves or not old.pinned):
        _refuse_without_room(home, new)


def _refuse_without_room(home: Home, entry: Entry) -> None:
    """Refuse a pin that `entry` does not have yet on its shelf, where there is no room for it."""
    there = read_catalogue(home, (entry.shelf,)).entries
    lifecycle.refuse_without_room(entry.shelf, [one for one in there if one.pinned])


def _around(situation: Situation, *shelves: Shelf) -> tuple[Shelf, ...]:
    """Return the shelves on which a duplicate counts, and `shelves`, each once."""
    return tuple(dict.fromkeys((*near_shelves(situation), *shelves)))


def _rewritten(home: Home, old: Entry, new: Entry, now: str) -> Rewritten:
    """Return how the file of `old` becomes that of `new`, in its place or on another shelf."""
    text = edited_entry(document_of(home, old), old, new._replace(updated_at=now))
    data = _fitting(text, new)
    after = parse_entry(new.id, new.shelf, text)
    if new.shelf == old.shelf:
        return Rewritten((Change(old.path, old.digest, data),), after)
    return Rewritten((Change(new.path, None, data), Change(old.path, old.digest, None)), after)


def _workspace(home: Home, situation: Situation, shelf: Shelf, now: str) -> tuple[Change, ...]:
    return () if shelf.scope == USER else plan_workspace(home, situation.get_workspace(), now)


def _fitting(text: str, entry: Entry) -> bytes:
    """Return the bytes of a file that can be read again.

    Raises:
        TooLarge: They are more than 256 KiB.
    """
    data = text.encode()
    if len(data) > files.MAX_FILE_BYTES:
        note = f"{entry.path} would be larger than {files.MAX_FILE_BYTES:,} bytes."
        raise TooLarge(note, path=entry.path, limit=files.MAX_FILE_BYTES)
    return data


def _now() -> str:
    return render_time(clock.now())
