"""Why a memory is in the block for a prompt, or is not: told from the ranking and placing that made it."""

from wuu.memory.context.building import Built, build
from wuu.memory.context.scoring import Candidate
from wuu.memory.context.shown import find_sessions
from wuu.memory.context.values import ContextRequest, LeftOutEntry
from wuu.memory.context.why_values import (
    NO_MATCH,
    NOT_SAVED,
    OTHER_SESSION,
    SHOWN,
    SUPERSEDED,
    SWITCHED_OFF,
    WEAK_MATCH,
    Explained,
    WhyMemory,
)
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.reach import get_reachable
from wuu.memory.shelves import near_shelves
from wuu.situation.situation import Situation
from wuu.store.home import open_home


def explain_prompt(situation: Situation, request: ContextRequest) -> Explained:
    """Return everything that a prompt brings up: what is in the block, what is left out, what is too weak.

    Raises:
        UsageProblem, SettingsInvalid: See `building.build`.
    """
    context, ranking = build(situation, request)
    return Explained(request.prompt, context, tuple(map(_too_weak, ranking.weak)))


def explain_memory(situation: Situation, prefix: str, request: ContextRequest) -> WhyMemory:
    """Return whether the memory whose id begins with `prefix` is in the block for a prompt, and why.

    Raises:
        NotFound, Ambiguous: It is not there, or not unique.
        UsageProblem, SettingsInvalid: See `building.build`.
    """
    home = open_home(situation.home)
    entry = get_reachable(home, situation, prefix)
    built = build(situation, request)
    context = built.context
    told = WhyMemory(
        entry.id,
        request.prompt,
        shown=False,
        reason=NO_MATCH,
        group=None,
        parts=None,
        instead=(),
        sessions=tuple(find_sessions(home, entry.id)),
        context=context,
    )
    shown = next((one for one in context.entries if one.id == entry.id), None)
    if shown is not None:
        return told._replace(shown=True, reason=SHOWN, group=shown.group, parts=shown.parts)
    left = next((one for one in context.left_out if one.id == entry.id), None)
    if left is not None:
        return told._replace(reason=left.reason, group=left.group, parts=left.parts, instead=left.instead)
    return _not_a_candidate(situation, entry, built, told)


def _not_a_candidate(situation: Situation, entry: Entry, built: Built, told: WhyMemory) -> WhyMemory:
    """Return what kept a memory from being a candidate at all."""
    if not built.context.enabled:
        return told._replace(reason=SWITCHED_OFF)
    if entry.status != SAVED:
        return told._replace(reason=NOT_SAVED)
    if entry.shelf not in near_shelves(situation):
        return told._replace(reason=OTHER_SESSION)
    weak = next((one for one in built.ranking.weak if one.id == entry.id), None)
    if weak is not None:
        return told._replace(reason=WEAK_MATCH, parts=weak.parts)
    return told._replace(reason=SUPERSEDED if entry.id in built.ranking.superseded else NO_MATCH)


def _too_weak(one: Candidate) -> LeftOutEntry:
    return LeftOutEntry(one.id, one.group, WEAK_MATCH, one.parts)
