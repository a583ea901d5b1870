"""What approving a proposal would make of the memories, and what it is refused for. Reads, and plans nothing.

One answer for showing it, for the review and for `deciding`, so that what is approved is what was shown.
"""

from typing import NamedTuple

from wuu.errors import AlreadyExists, Refused, StaleRevision, WuuError
from wuu.memory.approving.proposed import SCOPE, WORKSPACE, Proposal, applied, difference, find_proposal
from wuu.memory.approving.scene import Scene, told
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, Entry
from wuu.memory.values import ApproveMemory, Preview
from wuu.memory.writing import guards, lifecycle
from wuu.memory.writing.editing import clean_fields
from wuu.memory.writing.notices import named
from wuu.memory.writing.screening import refuse_secrets
from wuu.memory.writing.workspace_root import find_root


class Goal(NamedTuple):
    """What approving is to make: `before` (None: a new memory) becomes `after`; then `proposal` goes."""

    before: Entry | None
    after: Entry
    proposal: Proposal | None


def preview(
    scene: Scene, entry: Entry, request: ApproveMemory | None = None, secrets: str = "refuse"
) -> Preview:
    """Return what approving a waiting memory would do now, and what stands in the way, if anything."""
    request = request or ApproveMemory(entry.id)
    try:
        goal = goal_of(scene, entry, request)
    except StaleRevision as error:
        return Preview(*_stale_forms(scene, entry), error)
    except WuuError as error:
        return Preview(None, None, error)
    try:
        check_goal(scene, entry, goal, secrets)
    except WuuError as error:
        return Preview(goal.before, goal.after, error)
    return Preview(goal.before, goal.after)


def goal_of(scene: Scene, entry: Entry, request: ApproveMemory) -> Goal:
    """Return what approving `entry` is to make, whether or not that is possible.

    Raises:
        StaleRevision: It is a change, and its target is not what it was.
        Refused: It does not wait, cannot be understood, or `request` asks for what a change cannot have.
        UsageProblem, TooLarge: A field is not valid.
    """
    proposal = find_proposal(entry)
    if entry.status == ARCHIVED or (proposal is None and entry.status != PENDING):
        lifecycle.approved(entry, None)
    if proposal is None:
        return Goal(None, _as_saved(scene, entry, request), None)
    if request.scope is not None or request.pinned:
        note = (
            f"{named(entry)} proposes a change of {proposal.target}: it has no scope and no pin of its own."
        )
        raise Refused(note, hint=f"wuu memory approve {entry.id} makes the change.", id=entry.id)
    if request.text is not None:
        entry = entry._replace(text=guards.checked_text(request.text))
    target = _get_target(scene, entry, proposal)
    return Goal(target, _changed(scene, target, entry, proposal), proposal)


def _as_saved(scene: Scene, entry: Entry, request: ApproveMemory) -> Entry:
    text = entry.text if request.text is None else request.text
    new = clean_fields(entry._replace(text=text))
    new = lifecycle.approved(new, scene.situation.caller.session).entry
    if request.scope is not None and request.scope != entry.shelf.scope:
        new = new._replace(shelf=guards.target_shelf(scene.situation, request.scope))
    return new._replace(pinned=bool(request.pinned))


def _changed(scene: Scene, target: Entry, entry: Entry, proposal: Proposal) -> Entry:
    new = applied(target, entry, proposal)
    scope = proposal.changes.get(SCOPE)
    if scope is not None and scope != target.shelf.scope:
        shelf = guards.target_shelf(scene.situation, scope)
        if shelf.workspace != proposal.changes.get(WORKSPACE, shelf.workspace):
            where = find_root(scene.home, proposal.changes[WORKSPACE]) or proposal.changes[WORKSPACE]
            raise Refused(
                f"{entry.id} proposes to move {named(target)} into another project: {where}.",
                hint=f"wuu memory approve {entry.id} --workspace {where}",
                id=entry.id,
                workspace=where,
            )
        new = new._replace(shelf=shelf)
    return new


def _get_target(scene: Scene, entry: Entry, proposal: Proposal) -> Entry:
    target = scene.find(proposal.target)
    if (
        target is not None
        and scene.shown(target).revision == proposal.target_revision
        and target.status == SAVED
    ):
        return target
    found = None if target is None else scene.shown(target).revision
    what = f"{proposal.target} is gone" if target is None else f"{told(target)} changed"
    raise StaleRevision(
        f"{what} since {entry.id} proposed a change of it.",
        hint=f"Propose it anew, or: wuu memory reject {entry.id}",
        id=entry.id,
        target=proposal.target,
        expected=proposal.target_revision,
        found=found,
        diff=difference(*_stale_forms(scene, entry)),
    )


def _stale_forms(scene: Scene, entry: Entry) -> tuple[Entry | None, Entry | None]:
    """Return the target as it is now, and what would have become of it."""
    proposal = find_proposal(entry)
    target = None if proposal is None else scene.find(proposal.target)
    if proposal is None or target is None:
        return None, entry
    try:
        return target, _changed(scene, target, entry, proposal)
    except WuuError:
        return target, entry


def check_goal(scene: Scene, entry: Entry, goal: Goal, secrets: str) -> None:
    """Refuse what the shelves do not allow, and credentials that came in by hand (case O-16)."""
    before, after = goal.before, goal.after
    refuse_secrets(after, before, secrets, scene.situation.caller)
    moves = before is not None and before.shelf != after.shelf
    if after.status == SAVED and (before is None or moves or before.text != after.text):
        other = scene.find_saved(after.text, (entry.id, after.id), after.shelf)
        if other is not None:
            raise AlreadyExists(
                f"{told(other)} says the same.",
                hint=f"wuu memory reject {entry.id} removes the proposal.",
                id=other.id,
            )
    if after.pinned and (before is None or moves):
        scene.refuse_without_room(after)
