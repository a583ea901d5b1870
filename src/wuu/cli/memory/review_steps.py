"""What each key of the review does: a proposal and a key to its outcome, or to what is to be shown next.

What is written is for exactly the revision that was shown. If that is not there any more, the difference is
shown and the person asked again; nothing is approved unseen (case O-26).
"""

from collections.abc import Callable
from typing import NamedTuple

from wuu import clock
from wuu.cli.call import Call
from wuu.cli.drafts import ask_editor, kept
from wuu.cli.folding import BOLD, plain_lines
from wuu.cli.memory.changed import subject_of_change
from wuu.cli.memory.deciding import notice_of_decision
from wuu.cli.memory.options import SCOPES
from wuu.cli.memory.rendering import quoted
from wuu.cli.memory.review_screen import View, render_difference, render_help
from wuu.cli.output import screen_width, show, without_secrets
from wuu.errors import Declined, Interrupted, NotFound, Refused, StaleRevision, UsageProblem, WuuError
from wuu.memory import actions
from wuu.memory.categories import Category
from wuu.memory.values import ApproveMemory, Decided, Decisions, RejectMemory, Shown
from wuu.situation.settings import POLICY_TABLE
from wuu.situation.writing import WriteOptions, Written

PENDING = "pending"
SKIPPED, GONE = "skipped", "gone"

_DRAFT = "memory.md"


class Result(NamedTuple):
    """What became of one proposal: the outcome in one word, what it was, and why if nobody decided it."""

    id: str
    outcome: str
    what: str
    reason: str | None = None


Step = Callable[[Call, WriteOptions, View], View | Result]


def say(words: str, style: str = "") -> None:
    """Tell a person something, without credentials, in the words of a screen."""
    show(plain_lines(without_secrets(words), screen_width(), style))


def view_of(call: Call, number: int, total: int, shown: Shown) -> View:
    """Return a proposal as it is to be shown: what approving it would do now, its policy and its age."""
    entry = shown.entry
    policy = Category.of(entry.category).policy(call.situation.settings.table(POLICY_TABLE))
    return View(
        number, total, shown, actions.preview_approval(call.situation, shown), policy, _age(entry.created_at)
    )


def _age(created_at: str | None) -> float | None:
    """Return how many seconds ago a time was, as entries have it; 0 for one in the future."""
    if created_at is None:
        return None
    import calendar  # noqa: PLC0415  (only a review shows ages)
    import time  # noqa: PLC0415

    seconds = calendar.timegm(time.strptime(created_at[:19], "%Y-%m-%dT%H:%M:%S"))
    return max(0.0, clock.now() - seconds)


def _approve(call: Call, options: WriteOptions, view: View) -> View | Result:
    entry = view.shown.entry
    request = ApproveMemory(entry.id, view.shown.revision, view.text, view.scope, view.pinned or None)
    return _settled(call, view, lambda: actions.approve_memories(call.situation, [request], options))


def _reject(call: Call, options: WriteOptions, view: View) -> View | Result:
    request = RejectMemory(view.shown.entry.id, view.shown.revision)
    return _settled(call, view, lambda: actions.reject_memories(call.situation, [request], options))


def _edit(call: Call, _options: WriteOptions, view: View) -> View | Result:
    entry = view.shown.entry
    if entry.proposes_change and (entry.proposal or {}).get("operation") != "update":
        say("This proposes no text that could be edited.")
        return view
    before = entry.text if view.text is None else view.text
    try:
        text = ask_editor(call, before, _DRAFT, instead="another answer")
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    except (UsageProblem, Refused) as error:
        say(f"{error.message} {error.hint or ''}".rstrip())
        return view
    return view._replace(text=None if text == entry.text else text)


def _scope(call: Call, _options: WriteOptions, view: View) -> View | Result:
    if view.shown.entry.proposes_change:
        say("A proposed change has no scope of its own.")
        return view
    own = view.shown.entry.shelf.scope
    has_session = call.situation.caller.session is not None or own == SCOPES[-1]
    scopes = SCOPES if has_session else SCOPES[:-1]
    scope = scopes[(scopes.index(view.scope or own) + 1) % len(scopes)]
    return view._replace(scope=None if scope == own else scope)


def _pin(_call: Call, _options: WriteOptions, view: View) -> View | Result:
    if view.shown.entry.proposes_change:
        say("A proposed change has no pin of its own.")
        return view
    return view._replace(pinned=not view.pinned)


def _skip(call: Call, _options: WriteOptions, view: View) -> View | Result:
    keep_edited(call, view)
    return Result(view.shown.entry.id, SKIPPED, _subject(view.shown))


def _help(_call: Call, _options: WriteOptions, view: View) -> View | Result:
    show(render_help(screen_width()))
    return view


STEPS: dict[str, Step] = {
    "a": _approve,
    "x": _reject,
    "e": _edit,
    "s": _scope,
    "p": _pin,
    "k": _skip,
    "?": _help,
}


# --- what becomes of a decision -------------------------------------------------------------------------


def _settled(call: Call, view: View, act: Callable[[], Written[Decisions]]) -> View | Result:
    """Write a decision and return what became of it, or what is to be shown and asked about now."""
    decided = _decided(view.shown.entry.id, act)
    if decided.change is None:
        return _asked_again(call, view, decided.error)
    say(notice_of_decision(decided), BOLD)
    for caveat in decided.change.caveats:
        say(f"Warning: {caveat.message}")
    return Result(decided.id, decided.change.verb, subject_of_change(decided.change))


def _decided(memory_id: str, act: Callable[[], Written[Decisions]]) -> Decided:
    """Do it; what stops it is told and asked about again, be it the lock or the disk."""
    try:
        decisions = act().outcome
    except Interrupted:
        raise
    except WuuError as error:
        return Decided(memory_id, error=error)
    return decisions.results[0] if decisions else Decided(memory_id)


def _asked_again(call: Call, view: View, error: WuuError | None) -> View | Result:
    """Say why a decision was not written, and return the proposal as it is now."""
    latest = find_waiting(call, view.shown.entry.id)
    if isinstance(latest, str):
        say(latest)
        keep_edited(call, view)
        return gone(view.shown, latest)
    if latest.revision != view.shown.revision:
        say("It changed since you were shown it:", BOLD)
        show(render_difference(view.shown.entry, latest.entry, screen_width()))
    elif error is not None:
        say(f"Not done: {error.message} {error.hint or ''}".rstrip(), BOLD)
        if not isinstance(error, StaleRevision):
            return view
    fresh = view_of(call, view.number, view.total, latest)
    if latest.revision == view.shown.revision and fresh.preview.before is not None:
        show(render_difference(view.preview.before, fresh.preview.before, screen_width()))
    keep_edited(call, view)
    return fresh


def find_waiting(call: Call, memory_id: str) -> Shown | str:
    """Return a proposal as it is now, or in words why nobody can decide about it any more."""
    try:
        shown = actions.show_memory(call.situation, memory_id)
    except NotFound:
        return f"{memory_id} is gone: somebody decided about it or removed it meanwhile."
    except WuuError as error:
        return error.message
    if shown.entry.status != PENDING:
        return f"{memory_id} is {shown.entry.status} meanwhile."
    return shown


def keep_edited(call: Call, view: View) -> None:
    """Keep a text that a person wrote and that is not saved, and say where (case O-02)."""
    if view.text is None:
        return
    try:
        with kept(call, _DRAFT, view.text):
            _refuse_to_lose()
    except Declined as error:
        say(error.hint or "")


def _refuse_to_lose() -> None:
    raise Declined("Not approved.")


def gone(shown: Shown, reason: str) -> Result:
    """Return the outcome of a proposal that nobody can decide about any more."""
    return Result(shown.entry.id, GONE, _subject(shown), reason)


def _subject(shown: Shown) -> str:
    return f"{shown.entry.shelf.scope} · {quoted(shown.entry.text)}"
