"""The door of the contexts: what an agent gets for a prompt, why, and its JSON. It only reads.

What a session was shown is noted by whoever hands it the block: `note_shown`.
"""

from typing import TYPE_CHECKING, Any

from wuu import clock
from wuu.memory.context.building import build
from wuu.memory.context.shown import keep_shown
from wuu.memory.context.values import Context, ContextRequest
from wuu.situation.situation import Situation
from wuu.store.home import open_home

if TYPE_CHECKING:
    from wuu.memory.context.session_start import SessionStart
    from wuu.memory.context.why_values import Explained, WhyMemory


def build_context(situation: Situation, request: ContextRequest) -> Context:
    """Return the block for a prompt, as an agent in this session would get it; see `building.build`."""
    return build(situation, request).context


def note_shown(situation: Situation, context: Context) -> None:
    """Note that this session got this block; without a session, or read-only, there is nothing to note."""
    session = situation.caller.session
    if session is None or situation.read_only or not context.entries:
        return
    ids = [entry.id for entry in context.entries]
    keep_shown(open_home(situation.home), session, ids, now=clock.now())


def explain_prompt(situation: Situation, request: ContextRequest) -> "Explained":
    """Return everything that a prompt brings up, and why some of it is not in the block; see `why`."""
    from wuu.memory.context import why  # noqa: PLC0415  (an agent never asks)

    return why.explain_prompt(situation, request)


def explain_memory(situation: Situation, prefix: str, request: ContextRequest) -> "WhyMemory":
    """Return why a memory is in the context of a prompt, or is not; see `why`."""
    from wuu.memory.context import why  # noqa: PLC0415  (an agent never asks)

    return why.explain_memory(situation, prefix, request)


def session_start(situation: Situation) -> "SessionStart":
    """Return what memories bring into every session before a word is typed; see `session_start`."""
    from wuu.memory.context.session_start import read_session_start  # noqa: PLC0415  (an agent never asks)

    return read_session_start(situation)


def context_value(context: Context, *, explain: bool = False) -> dict[str, Any]:
    """Return the JSON of a context (CONTRACT, "memory context"); with `explain` also why others are not."""
    from wuu.memory.context import context_json  # noqa: PLC0415  (only a reply needs it)

    return context_json.context_value(context, explain=explain)


def explained_value(explained: "Explained") -> dict[str, Any]:
    """Return the JSON of what a prompt brings up."""
    from wuu.memory.context import context_json  # noqa: PLC0415  (only a reply needs it)

    return context_json.explained_value(explained)


def why_memory_value(found: "WhyMemory") -> dict[str, Any]:
    """Return the JSON of why a memory is in a context or not."""
    from wuu.memory.context import context_json  # noqa: PLC0415  (only a reply needs it)

    return context_json.why_memory_value(found)


def reason_text(reason: str) -> str:
    """Return a reason for which a memory is in a block or not, in words."""
    from wuu.memory.context.why_values import REASONS  # noqa: PLC0415  (an agent never asks)

    return REASONS[reason]
