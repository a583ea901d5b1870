"""New memories worked out as values: what is added or proposed, and what becomes of a text that is there.

Reads and returns a `ChangeSet`, as `plans` does; with the lock held, so that no text is stored twice.
"""

from wuu.errors import Caveat
from wuu.ids import new_id
from wuu.memory.approving import asking
from wuu.memory.approving.asking import Verdict
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, Entry
from wuu.memory.shelves import near_shelves
from wuu.memory.values import AddMemory, MemoryChange
from wuu.memory.writing import guards, lifecycle
from wuu.memory.writing.duplicates import find_duplicates
from wuu.memory.writing.editing import left_alone, new_entry
from wuu.memory.writing.pins import refuse_without_room
from wuu.memory.writing.rewriting import MemoryPlan, rewritten, time_now, written
from wuu.memory.writing.screening import ScreenedAdd, screened_add
from wuu.situation.credentials import REDACT, REFUSE
from wuu.situation.settings import PROJECTS
from wuu.situation.situation import Situation
from wuu.store.changes import Change, ChangeSet
from wuu.store.home import Home

_AGENT = "agent"
_APPROVAL = "memoryRequireApproval"
_BEST_FIRST = (SAVED, PENDING, ARCHIVED)


def plan_add(home: Home, situation: Situation, request: AddMemory, secrets: str) -> MemoryPlan:
    """Plan a new memory: a person's is saved, an agent's as `asking.decide` says; none is made twice.

    Of a person, the same text that waits is saved, and one that was archived comes back.

    Raises:
        UsageProblem: A field is not valid, or there is no session.
        TooLarge: The text has more than 32,768 bytes.
        SecretDetected: It holds a credential.
        ApprovalRequired: An agent pins, or puts something into a session.
        Refused: There is no project; or of an agent: a person rejected it, or its category is never saved.
        PinLimit: There is no room for another pin.
    """
    return _plan_new(home, situation, request, secrets, proposing=False)


def plan_propose(home: Home, situation: Situation, request: AddMemory, secrets: str) -> MemoryPlan:
    """Plan a new memory that waits; of an agent it may be saved, as `asking.decide` says.

    A text that is there already, whatever its status, is not proposed. Credentials are redacted.

    Raises:
        WuuError: See `plan_add`. Refused as well: a proposal is not pinned.
    """
    handling = REDACT if secrets == REFUSE else secrets
    return _plan_new(home, situation, request, handling, proposing=True)


def _plan_new(
    home: Home, situation: Situation, request: AddMemory, secrets: str, *, proposing: bool
) -> MemoryPlan:
    shelf = guards.target_shelf(situation, request.scope)
    _refuse_pin(situation, request, proposing=proposing)
    guards.checked_text(request.text)  # before the rules about credentials go through megabytes
    screened = screened_add(request, secrets, situation.caller)
    now = time_now()
    entry = new_entry(new_id(), shelf, screened, situation.caller, now)
    known = _find_known(home, situation, entry, proposing=proposing)
    if known is not None and not (situation.caller.is_agent and known.status == PENDING):
        return _plan_known(home, situation, known, left_alone(known, screened.request), proposing=proposing)
    verdict = _verdict(home, situation, entry, screened.request, proposing=proposing)
    used = (*_use(home, situation, verdict), *_stop_asking(home, situation, screened.request))
    if known is not None:
        return _plan_decided(home, situation, known, screened, verdict, used)
    entry = entry._replace(status=verdict.status)
    if verdict.status == SAVED:
        entry = entry._replace(saved_in=situation.caller.session, saved_at=now)
    if entry.pinned:
        refuse_without_room(home, entry)
    done = written(home, situation, entry)
    verb = "saved" if done.after.status == SAVED else "proposed"
    caveats = (*screened.caveats, *guards.text_caveats(done.after), *_was_rejected(home, situation, entry))
    change = MemoryChange(verb, None, done.after, caveats=caveats, waits=verdict.waits)
    return ChangeSet((*done.changes, *used), change)


def _refuse_pin(situation: Situation, request: AddMemory, *, proposing: bool) -> None:
    if request.pinned:
        guards.refuse_agent(situation.caller, "pin a memory")
        if proposing:
            lifecycle.refuse_pinned_proposal()


def _verdict(
    home: Home, situation: Situation, entry: Entry, request: AddMemory, *, proposing: bool
) -> Verdict:
    """Return what becomes of a new memory: a person's is saved, or waits if they propose it."""
    if situation.caller.is_agent:
        return asking.decide(home, situation, entry, request, proposing=proposing)
    return Verdict(PENDING, asking.APPROVAL) if proposing else Verdict(SAVED)


def _use(home: Home, situation: Situation, verdict: Verdict) -> tuple[Change, ...]:
    """Plan that the prompt which allows a write allows no other one."""
    if verdict.prompt is None:
        return ()
    from wuu.memory.approving.prompts import plan_use  # noqa: PLC0415  (only with a message)

    return (plan_use(home, situation.caller.get_session(), verdict.prompt),)


def _stop_asking(home: Home, situation: Situation, request: AddMemory) -> tuple[Change, ...]:
    """Plan that agents' memories no longer wait, where the setting that says so stands."""
    if not (request.approved and request.stop_asking):
        return ()
    from wuu.situation.settings_writing import ChangeSetting, plan_setting  # noqa: PLC0415  (rare)

    root = situation.workspace.root
    here = root if PROJECTS in situation.settings.origin(_APPROVAL) else None
    return plan_setting(home, ChangeSetting(_APPROVAL, value=False, root=here), root).changes


def _plan_decided(
    home: Home,
    situation: Situation,
    known: Entry,
    screened: ScreenedAdd,
    verdict: Verdict,
    used: tuple[Change, ...],
) -> MemoryPlan:
    """Plan what becomes of a text that waits already, when an agent asks for it again.

    What somebody else proposed (an import, say) is saved by a person's word alone.
    """
    left = left_alone(known, screened.request)
    by_person = screened.request.approved or verdict.prompt is not None
    own = known.proposer == _AGENT or by_person
    if verdict.status != SAVED or known.proposes_change or known.redactions or not own:
        return ChangeSet((), MemoryChange("known", known, known, known.id, left, waits=verdict.waits))
    done = lifecycle.approved(known, situation.caller.session)
    changes, after = rewritten(home, known, done.entry, time_now())
    return ChangeSet((*changes, *used), MemoryChange(done.verb, known, after, known.id, left))


def _was_rejected(home: Home, situation: Situation, entry: Entry) -> tuple[Caveat, ...]:
    """Tell a person that they rejected what they now add or propose (FACTS: they may)."""
    rejection = asking.find_text_rejection(home, situation, entry.text)
    if rejection is None:
        return ()
    why = f": {rejection.reason}" if rejection.reason else "."
    note = f"This was proposed and rejected on {rejection.rejected_at[:10]}{why}"
    return (Caveat("rejected_before", note, {"id": entry.id, "rejected_at": rejection.rejected_at}),)


def _find_known(home: Home, situation: Situation, entry: Entry, *, proposing: bool) -> Entry | None:
    """Return the memory that has the text already: a saved one first, one of the same scope first.

    A proposed change of another memory is no memory to a person who adds; it is not proposed again.
    """
    found = [
        one
        for one in find_duplicates(home, near_shelves(situation), entry.text)
        if not one.proposes_change or situation.caller.is_agent or proposing
    ]
    best = sorted(found, key=lambda one: (_BEST_FIRST.index(one.status), one.shelf != entry.shelf))
    return best[0] if best else None


def _plan_known(
    home: Home, situation: Situation, known: Entry, caveats: tuple[Caveat, ...], *, proposing: bool
) -> MemoryPlan:
    """Plan what becomes of a memory whose text was to be added: a person has it saved, wherever it was."""
    if known.status == SAVED or situation.caller.is_agent or proposing:
        return ChangeSet((), MemoryChange("known", known, known, known.id, caveats))
    session = situation.caller.session
    if known.status == PENDING:
        done = lifecycle.approved(known, session)
    else:
        done = lifecycle.step(known, lifecycle.RESTORE, SAVED, session)
    changes, after = rewritten(home, known, done.entry, time_now())
    return ChangeSet(changes, MemoryChange(done.verb, known, after, known.id, caveats))
