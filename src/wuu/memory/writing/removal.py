"""Memories that go for good: which one undo means, and what has to change with a deletion.

Reads and returns a `ChangeSet`, as `plans` does. With a memory go all links to it, wherever in the home they
are; archiving keeps them, and is not this module's business.
"""

from collections.abc import Callable, Iterator

from wuu.errors import Caveat, NotFound, NotUtf8
from wuu.memory.entries import linkers, proposers, read_catalogue
from wuu.memory.format.entry import SAVED, Entry, parse_entry
from wuu.memory.format.fields import LINK_PREFIX
from wuu.memory.reach import get_reachable, reachable_shelves, shown
from wuu.memory.shelves import every_shelf, visible_shelves
from wuu.memory.values import ChangeMemory, MemoryChange, Shown
from wuu.memory.writing import guards
from wuu.memory.writing.lifecycle import DELETE, check_verb
from wuu.memory.writing.plans import plan_change, plan_put_away
from wuu.memory.writing.rewriting import MemoryPlan, document_of
from wuu.situation.situation import Situation
from wuu.store.changes import Change, ChangeSet, digest_of
from wuu.store.home import Home
from wuu.text.document import without_field

_PERSON = "user"
_NOT_REMOVED = Caveat("archive_proposed", "Only a person removes a memory: archiving it is proposed.", {})


def plan_of(situation: Situation, request: ChangeMemory) -> Callable[[Home], MemoryPlan]:
    """Return what plans a step of a memory's life: `plan_delete` or `plans.plan_change`.

    Raises:
        UsageProblem: There is no such step.
    """
    if request.verb == DELETE:
        check_verb(request.verb, request.to)
        return lambda home: plan_delete(home, situation, request)
    return lambda home: plan_change(home, situation, request)


def plan_delete(home: Home, situation: Situation, request: ChangeMemory) -> MemoryPlan:
    """Plan a memory away, every link to it, and what proposes to change it; an agent proposes to archive it.

    Raises:
        NotFound, Ambiguous: It is not there, or not unique.
        StaleRevision: It is not at `revision`.
        ApprovalRequired: An agent asks, and it is neither saved nor a waiting proposal of an agent.
    """
    entry = _get_deletable(home, situation, request.id)
    if situation.caller.is_agent and entry.status == SAVED and not entry.problems:
        planned = plan_put_away(home, situation, entry, request)
        return planned._replace(outcome=planned.outcome._replace(caveats=(_NOT_REMOVED,)))
    guards.refuse_foreign(situation.caller, entry, "delete")
    if request.revision is not None:
        guards.check_revision(shown(home, situation, entry), request.revision)
    return _plan_removal(home, entry)


def plan_undo(home: Home, situation: Situation, revision: str | None) -> MemoryPlan:
    """Plan away what `find_undo` finds now.

    Raises:
        NotFound: There is nothing to undo.
        StaleRevision: It is another memory than the one at `revision`, or that one changed.
        ApprovalRequired: An agent asks.
    """
    guards.refuse_agent(situation.caller, "delete a saved memory")
    found = find_undo(home, situation)
    guards.check_revision(found, revision)
    return _plan_removal(home, found.entry)


def find_undo(home: Home, situation: Situation) -> Shown:
    """Return the newest memory that this session saved; without one, the newest that a person saved here.

    Raises:
        NotFound: There is none.
    """
    session = situation.caller.session
    shelves = visible_shelves(situation) if session is None else reachable_shelves(home, situation)
    found = [
        entry
        for entry in read_catalogue(home, shelves).entries
        if entry.status == SAVED
        and (entry.proposer == _PERSON if session is None else entry.saved_in == session)
    ]
    if not found:
        which = (
            "No memory was saved here" if session is None else f"The session {session} has no saved memory"
        )
        raise NotFound(f"{which}; there is nothing to undo.", hint="wuu memory list shows what there is.")
    newest = max(found, key=lambda entry: (entry.saved_at or entry.created_at or "", entry.id))
    return shown(home, situation, newest)


def _plan_removal(home: Home, entry: Entry) -> MemoryPlan:
    gone = Change(entry.path, entry.digest, None)
    unlinked = tuple(_unlinked(home, entry))
    proposals = _proposals_about(home, entry)
    away = tuple(Change(one.path, one.digest, None) for one in proposals)
    caveats: tuple[Caveat, ...] = ()
    if proposals:
        ids = [one.id for one in proposals]
        note = f"What was proposed about it went with it: {', '.join(ids)}."
        caveats = (Caveat("proposals_removed", note, {"ids": ids}),)
    linked = tuple(one for one in unlinked if one.path not in {other.path for other in away})
    return ChangeSet((gone, *linked, *away), MemoryChange("removed", entry, None, caveats=caveats))


def _proposals_about(home: Home, entry: Entry) -> list[Entry]:
    """Return what waits to change a memory: it repeats a text that is to be nowhere (FACTS, "Deleting")."""
    return [one for one in proposers(home, every_shelf(home), entry.id) if one.path != entry.path]


def _unlinked(home: Home, entry: Entry) -> Iterator[Change]:
    """Yield the changes that take the links to a memory out of every file that holds one."""
    for other in linkers(home, every_shelf(home), entry.id):
        if other.path != entry.path:
            text = without_field(document_of(home, other), f"{LINK_PREFIX}{entry.id}")
            yield Change(other.path, other.digest, text.encode())


def _get_deletable(home: Home, situation: Situation, prefix: str) -> Entry:
    """Return a memory, and also one whose file is no text: it can still go."""
    try:
        return get_reachable(home, situation, prefix)
    except NotUtf8 as error:
        path = str(error.details["path"])
        data = home.read(path, follow=False) or b""
        shelf = next(one for one in reachable_shelves(home, situation) if path.startswith(one.folder + "/"))
        memory_id = path.removeprefix(shelf.folder + "/").removesuffix(".md")
        entry = parse_entry(memory_id, shelf, data.decode("utf-8", "replace"))
        broken = (*entry.problems, error.message)
        return entry._replace(digest=digest_of(data) or "", problems=broken)
