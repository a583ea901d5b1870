"""What becomes of a memory that an agent wants kept: saved because a person said so, or it waits, or neither.

FACTS, "Who is asking"; seed 002, "Memory consent and notices". A person who adds is never asked here. Which
words count as asking is `text/markers.py`; what a person typed last is `prompts.py`.
"""

from typing import TYPE_CHECKING, NamedTuple

from wuu import clock
from wuu.errors import Refused
from wuu.memory.approving.rejected import Rejection, find_rejection, text_words
from wuu.memory.categories import AUTO, NEVER, find_policy
from wuu.memory.format.entry import PENDING, SAVED, Entry
from wuu.memory.shelves import near_shelves
from wuu.memory.values import AddMemory
from wuu.memory.writing.notices import quoted
from wuu.situation.situation import Situation
from wuu.store.home import Home

if TYPE_CHECKING:
    from wuu.memory.approving.prompts import Prompt

REDACTED, APPROVAL, POLICY, RESTATES = "redacted", "approval", "policy", "restates"
"""Why a memory waits: a credential was redacted in it; approval is required; its category is reviewed; it
restates the current request."""


class Verdict(NamedTuple):
    """The status that a new memory gets, why it waits, and the prompt that is used up by saving it."""

    status: str
    waits: str | None = None
    prompt: "Prompt | None" = None


def decide(home: Home, situation: Situation, entry: Entry, request: AddMemory, *, proposing: bool) -> Verdict:
    """Return what becomes of `entry`, which an agent wants kept by adding or by proposing it.

    Raises:
        Refused: A person rejected this text before, or its category is never saved; `details["reason"]`.
    """
    if entry.redactions and not request.approved:
        refuse_unwanted(home, situation, entry)
        return Verdict(PENDING, REDACTED)
    if request.approved:
        return Verdict(SAVED)
    prompt = None if proposing else _find_consent(home, situation, entry, request)
    if prompt is not None:
        return Verdict(SAVED, prompt=prompt)
    refuse_unwanted(home, situation, entry)
    if situation.settings.flag("memoryRequireApproval"):
        return Verdict(PENDING, APPROVAL)
    if proposing and find_policy(entry.category, situation.settings.table("memoryPolicies")) != AUTO:
        return Verdict(PENDING, POLICY)
    return Verdict(PENDING, RESTATES) if _restates(entry, request) else Verdict(SAVED)


def refuse_unwanted(home: Home, situation: Situation, entry: Entry) -> None:
    """Refuse what a person rejected, and what is in a category that is never saved.

    Raises:
        Refused: `details["reason"]` is `rejected` or `policy`.
    """
    refuse_never(situation, entry)
    rejection = find_text_rejection(home, situation, entry.text)
    if rejection is not None:
        refuse_rejected(entry, rejection)


def refuse_never(situation: Situation, entry: Entry) -> None:
    """Refuse a proposal whose category has the policy `never`.

    Raises:
        Refused: It has.
    """
    if find_policy(entry.category, situation.settings.table("memoryPolicies")) == NEVER:
        raise Refused(
            f"Memories of the category {entry.category} are never saved here.",
            hint="wuu memory policy list shows what becomes of each category.",
            reason="policy",
            category=entry.category,
        )


def refuse_rejected(entry: Entry, rejection: Rejection) -> None:
    """Refuse what was rejected.

    Raises:
        Refused: Says when, and why if a person said so.
    """
    why = f": {rejection.reason}" if rejection.reason else ""
    raise Refused(
        f"A person rejected {quoted(entry.text)} on {rejection.rejected_at[:10]}{why}.",
        hint="Do not propose it again. A person can still add it.",
        reason="rejected",
        rejected_at=rejection.rejected_at,
        given_reason=rejection.reason,
    )


def find_text_rejection(home: Home, situation: Situation, text: str) -> Rejection | None:
    """Return when a text was rejected on a shelf on which it would count as a duplicate."""
    return find_rejection(home, near_shelves(situation), text_words(text))


def _find_consent(home: Home, situation: Situation, entry: Entry, request: AddMemory) -> "Prompt | None":
    """Return the prompt in which a person asked for this very fact, where that is proven."""
    if request.message is None:
        return None
    from wuu.memory.approving.prompts import is_proven  # noqa: PLC0415  (only with a message)
    from wuu.text.markers import asks_to_remember, matches_message  # noqa: PLC0415

    if not asks_to_remember(request.message) or not matches_message(entry.text, request.message):
        return None
    return is_proven(home, situation.caller, request.message, clock.now())


def _restates(entry: Entry, request: AddMemory) -> bool:
    if request.message is None:
        return False
    from wuu.text.markers import restates  # noqa: PLC0415  (only with a message)

    return restates(entry.text, request.message)
