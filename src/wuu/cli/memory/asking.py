"""What an agent wants remembered while a person sits at the terminal: they are asked (the card)."""

from collections.abc import Callable

from wuu.cli.call import Call
from wuu.errors import Declined
from wuu.memory import actions
from wuu.memory.values import AddMemory, MemoryChange
from wuu.situation.situation import Situation
from wuu.situation.writing import WriteOptions, Written, refuse_read_only

Act = Callable[[Situation, AddMemory, WriteOptions], Written[MemoryChange]]

_ASKED_ABOUT = ("approval", "restates")
_RESTATES = "restates"


def asked_on_card(call: Call, request: AddMemory, options: WriteOptions, act: Act) -> AddMemory:
    """Return the request with the person's answer, where it would wait for one; else as it is.

    Raises:
        Declined: They rejected it, and it is not proposed again.
    """
    refuse_read_only(call.situation)
    planned = act(call.situation, request, options._replace(dry_run=True)).outcome
    if planned is None or planned.waits not in _ASKED_ABOUT or planned.after is None:
        return request
    from wuu.cli.memory.card import ask_card  # noqa: PLC0415  (only where a person sits at the terminal)

    entry = planned.after
    reason = "Restates this request." if planned.waits == _RESTATES else ""
    answer = ask_card(call, entry.text, entry.shelf.scope, entry.category, reason)
    if answer.choice == "reject":
        actions.reject_text(call.situation, request._replace(text=entry.text), options)
        raise Declined("Rejected; nothing was saved, and it is not proposed again.")
    text = answer.text if answer.choice == "edit" else request.text
    stop = answer.choice == "save_and_do_not_ask"
    return request._replace(text=text, approved=True, stop_asking=stop)
