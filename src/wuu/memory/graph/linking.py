"""Links between saved memories worked out as values: made, replaced, taken away.

Reads and returns a `ChangeSet`, with the lock held. A link is stored once: in the source for kinds with a
direction, in the smaller id for the others. FACTS, "Ours, links"; seed 002, "Links".
"""

from wuu.errors import ApprovalRequired, LinkLimit, NotFound, Refused, UsageProblem
from wuu.memory.entries import linkers
from wuu.memory.format.entry import LINK_KINDS, SAVED, Entry
from wuu.memory.graph.values import MAX_LINKS, LinkChange, LinkMemories, UnlinkMemories
from wuu.memory.links import SYMMETRIC, links_of
from wuu.memory.reach import get_reachable
from wuu.memory.shelves import SESSION, check_prefix, visible_shelves
from wuu.memory.writing.notices import named
from wuu.memory.writing.rewriting import rewritten, time_now
from wuu.situation.situation import Situation
from wuu.store.changes import Change, ChangeSet
from wuu.store.home import Home

_FULL_ID = 16
_APPROVAL = "memoryRequireApproval"


def plan_link(home: Home, situation: Situation, request: LinkMemories) -> ChangeSet[LinkChange]:
    """Plan a link from one memory to another, in place of the one that this pair has.

    Raises:
        ApprovalRequired: An agent asks, and its writes wait for approval.
        UsageProblem: There is no such kind.
        NotFound, Ambiguous: One of them is not there, or not unique.
        Refused: One of them is not saved, belongs to a session, or they are the same.
        LinkLimit: One of them has 16 links.
    """
    refuse_unapproved(situation)
    check_kind(request.kind)
    source, target = get_node(home, situation, request.source), get_node(home, situation, request.target)
    refuse_self(source, target)
    before = find_kind(source, target)
    wanted = {one.id: one for one in linked(source, target, request.kind)}
    changed = [old for old in (source, target) if wanted[old.id] != old]
    if not changed:
        outcome = LinkChange("unchanged", source, target.id, target, before, request.kind)
        return ChangeSet((), outcome)
    if before is None:
        for one, other in ((source, target), (target, source)):
            refuse_full(home, situation, one, but=other)
    verb = "linked" if before is None else "relinked"
    outcome = LinkChange(verb, source, target.id, target, before, request.kind)
    return ChangeSet(_rewrite(home, [(old, wanted[old.id]) for old in changed]), outcome)


def plan_unlink(home: Home, situation: Situation, request: UnlinkMemories) -> ChangeSet[LinkChange]:
    """Plan the link of a pair away; one to a memory that is gone goes as well, by its whole id.

    Raises:
        ApprovalRequired: An agent asks, and its writes wait for approval.
        NotFound, Ambiguous: One of them is not there, or not unique.
    """
    refuse_unapproved(situation)
    source = get_reachable(home, situation, request.one)
    target_id, target = _find_target(home, situation, request.other, source)
    ends = [source] if target is None else [source, target]
    other = {source.id: target_id, target_id: source.id}
    pairs = [(old, with_link(old, other[old.id], None)) for old in ends]
    changed = [(old, new) for old, new in pairs if new != old]
    before = next((kind for old, _ in changed for one, kind in old.links if one == other[old.id]), None)
    verb = "unlinked" if changed else "unchanged"
    return ChangeSet(_rewrite(home, changed), LinkChange(verb, source, target_id, target, before, None))


def linked(source: Entry, target: Entry, kind: str) -> tuple[Entry, Entry]:
    """Return both memories with the one link of the pair in the file that has to hold it."""
    holder = min(source.id, target.id) if kind in SYMMETRIC else source.id
    return (
        with_link(source, target.id, kind if holder == source.id else None),
        with_link(target, source.id, kind if holder == target.id else None),
    )


def with_link(entry: Entry, other: str, kind: str | None) -> Entry:
    """Return a memory whose file holds a link of this kind to `other`, or with None no link."""
    kept = [link for link in entry.links if link[0] != other]
    return entry._replace(links=tuple(sorted([*kept, (other, kind)] if kind else kept)))


def find_kind(source: Entry, target: Entry) -> str | None:
    """Return the kind of the link that a pair has, whichever file holds it."""
    return next((link.kind for link in links_of(source, [target]) if link.id == target.id), None)


def get_node(home: Home, situation: Situation, prefix: str) -> Entry:
    """Return a memory that may be linked.

    Raises:
        NotFound, Ambiguous: It is not there, or not unique.
        Refused: It is not saved, or belongs to a session.
    """
    entry = get_reachable(home, situation, prefix)
    if entry.shelf.scope == SESSION:
        raise Refused(f"{named(entry)} belongs to a session; those are in no graph.", id=entry.id)
    if entry.status != SAVED:
        note = f"{named(entry)} is {entry.status}; only saved memories are linked."
        raise Refused(note, id=entry.id, status=entry.status)
    return entry


def refuse_self(one: Entry, other: Entry) -> None:
    """Refuse a link from a memory to itself.

    Raises:
        Refused: They are the same.
    """
    if one.id == other.id:
        raise Refused(f"{named(one)} cannot be linked to itself.", id=one.id)


def check_kind(kind: str) -> None:
    """Refuse what is no kind of link.

    Raises:
        UsageProblem: There is no such kind.
    """
    if kind not in LINK_KINDS:
        raise UsageProblem(f"The kind is one of {', '.join(LINK_KINDS)}; got {kind!r}.", field="kind")


def refuse_full(home: Home, situation: Situation, entry: Entry, *, but: Entry, more: int = 1) -> None:
    """Refuse `more` links of a memory that has no room for them; that to `but` does not count.

    Raises:
        LinkLimit: It would have more than 16, at both ends together.
    """
    links = links_of(entry, linkers(home, visible_shelves(situation), entry.id))
    there = [link.id for link in links if link.id != but.id]
    if len(there) + more > MAX_LINKS:
        note = f"{named(entry)} has {len(there)} links; a memory has at most {MAX_LINKS}."
        hint = f"Remove one: wuu memory graph unlink {entry.id} ID"
        raise LinkLimit(note, hint=hint, id=entry.id, links=there, limit=MAX_LINKS)


def refuse_unapproved(situation: Situation) -> None:
    """Refuse an agent that wants to change links while its writes wait for approval.

    Raises:
        ApprovalRequired: It does, and memoryRequireApproval is on.
    """
    if situation.caller.is_agent and situation.settings.flag(_APPROVAL):
        hint = "Ask them to run wuu memory graph in a terminal of their own."
        raise ApprovalRequired("Only a person may change links while approval is required.", hint=hint)


def _find_target(home: Home, situation: Situation, prefix: str, source: Entry) -> tuple[str, Entry | None]:
    try:
        target = get_reachable(home, situation, prefix)
    except NotFound:
        wanted = check_prefix(prefix)
        if len(wanted) == _FULL_ID and any(other == wanted for other, _ in source.links):
            return wanted, None
        raise
    return target.id, target


def _rewrite(home: Home, pairs: list[tuple[Entry, Entry]]) -> tuple[Change, ...]:
    now = time_now()
    return tuple(change for old, new in pairs for change in rewritten(home, old, new, now).changes)
