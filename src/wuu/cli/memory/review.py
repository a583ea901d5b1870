"""`wuu memory review`: a person walks through what waits, one proposal at a time.

Owns the walk; what each key does is `review_steps`, how it looks `review_screen`. No lock is held while it
waits for a key, and each decision is a write of its own (issue 5; cases O-26 and O-37).
"""

from collections.abc import Sequence

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import command
from wuu.cli.folding import Line
from wuu.cli.keys import read_key
from wuu.cli.memory.options import filter_options
from wuu.cli.memory.review_screen import View, render_keys, render_proposal
from wuu.cli.memory.review_steps import (
    PENDING,
    SKIPPED,
    STEPS,
    Result,
    find_waiting,
    gone,
    keep_edited,
    say,
    view_of,
)
from wuu.cli.output import Reply, Rows, screen_width, show
from wuu.errors import ConfirmationRequired, Interrupted, UsageProblem
from wuu.memory import actions
from wuu.memory.values import Filters, Shown
from wuu.situation.writing import WriteOptions, refuse_read_only

_QUESTION = "a, x, e, s, p, k, q or ?: "


@command(name="review", examples=("wuu memory review", "wuu memory review --older-than 7"))
@pass_call
@filter_options
def review_command(call: Call, filters: Filters) -> Reply:
    """Walk through the proposals that wait, the oldest first, and decide about each. Only a person may.

    Keys: a approve, x reject, e edit the text, s another scope, p pin, k skip, q quit, ? help. What is
    approved is what is on the screen: if a proposal changes meanwhile, you see how and are asked again. Needs
    a terminal; scripts use wuu memory approve and wuu memory reject.
    """
    refuse_read_only(call.situation)
    actions.refuse_agent(call.situation, "review proposals")
    _refuse_without_terminal(call)
    if filters.status not in (None, PENDING):
        raise UsageProblem("Only what is pending is reviewed.", hint="Leave out --status.")
    options = call.write_options(dry_run=False, request_id=None)
    found = actions.list_memories(call.situation, filters._replace(status=PENDING))
    if not found.memories:
        notice = "Nothing waits." if filters == Filters() else "Nothing that waits is like that."
        return Reply({"results": [], "left": 0}, "", notice, found.caveats)
    results = _walk(call, options, found.memories[::-1])
    left = len(found.memories) - sum(one.outcome != SKIPPED for one in results)
    data = {"results": [{"id": one.id, "outcome": one.outcome, "reason": one.reason} for one in results]}
    rows = [(one.id, one.outcome, one.what) for one in results]
    notice = f"{left} left." if left else "Nothing is left."
    return Reply({**data, "left": left}, Rows(("ID", "OUTCOME", "WHAT"), rows), notice, found.caveats)


def _refuse_without_terminal(call: Call) -> None:
    if not call.can_ask:
        raise ConfirmationRequired(
            "A review needs a terminal, and nobody is there to answer.",
            hint="Use wuu memory list --status pending, wuu memory show ID, "
            "wuu memory approve ID --revision R, wuu memory reject ID",
        )


def _walk(call: Call, options: WriteOptions, waiting: Sequence[Shown]) -> list[Result]:
    """Ask about one proposal after the other, until all were shown or the person quits."""
    results: list[Result] = []
    for number, listed in enumerate(waiting, 1):
        latest = find_waiting(call, listed.entry.id)
        if isinstance(latest, str):
            say(latest)
            results.append(gone(listed, latest))
            continue
        result = _decide(call, options, view_of(call, number, len(waiting), latest))
        if result is None:
            break
        results.append(result)
    return results


def _decide(call: Call, options: WriteOptions, view: View) -> Result | None:
    """Show a proposal and ask until it is decided or skipped; None is quit."""
    _show(view)
    while (key := _read(call, view)) != "q":
        step = STEPS.get(key)
        if step is None:
            say(f"There is no key {key!r} here; ? shows them all.")
            continue
        try:
            answer = step(call, options, view)
        except (KeyboardInterrupt, Interrupted):
            keep_edited(call, view)
            raise
        if isinstance(answer, Result):
            return answer
        if answer is not view:
            view = answer
            _show(view)
    keep_edited(call, view)
    return None


def _read(call: Call, view: View) -> str:
    """Return the next key; Ctrl-C is quit."""
    try:
        key = read_key(_QUESTION)
    except KeyboardInterrupt:
        key = "q"
    except Interrupted:
        keep_edited(call, view)
        raise
    show([Line(key if key.isprintable() else "")])
    return key


def _show(view: View) -> None:
    width = screen_width()
    show([*render_proposal(view, width), *render_keys(width)])
