"""How much room a block has: characters for each group, tokens for all of it, entries for each scope.

Seed 002, "What the agent sees" and "Extraction tab"; cases O-14 and O-15.
"""

from collections.abc import Mapping
from typing import NamedTuple

from wuu.errors import UsageProblem
from wuu.memory.context.values import AFTER_COMPACTION, MATCH, MODES, PINNED, REST, ContextRequest
from wuu.memory.shelves import PROJECT, USER
from wuu.situation.settings import Settings

PINNED_SHARE = 3
"""Pinned memories may take so many times the budget of those that match."""

REST_SHARE, REST_CHARS = 4, 1_500
"""What does not match gets one part in so many of the budget, and never more characters than this."""

MAX_BUDGET = 1_000_000


class Limits(NamedTuple):
    """`groups` are the most characters of each group; matches and the rest share `relevance` between them.

    `entries` caps what is not pinned, by scope; a session's own memories are not capped. `chars` is the most
    of the whole block (None: no such limit), as is `tokens`.
    """

    groups: Mapping[str, int]
    relevance: int
    entries: Mapping[str, int]
    chars: int | None
    tokens: int


def limits_of(request: ContextRequest, settings: Settings) -> Limits:
    """Return the limits of a request. A budget that is named holds for the whole block (case O-15).

    Raises:
        UsageProblem: There is no such mode, or the budget is not between 0 and 1,000,000.
    """
    if request.mode not in MODES:
        raise UsageProblem(f"The mode is one of {', '.join(MODES)}; got {request.mode!r}.", field="mode")
    if request.budget is not None and not 0 <= request.budget <= MAX_BUDGET:
        raise UsageProblem(
            f"The budget is between 0 and {MAX_BUDGET:,} characters; got {request.budget}.", field="budget"
        )
    relevance = settings.integer("memoryRetrievalChars") if request.budget is None else request.budget
    user = "memoryGlobalCompactionMaxEntries" if request.mode == AFTER_COMPACTION else "memoryMaxEntries"
    return Limits(
        groups={
            PINNED: PINNED_SHARE * relevance,
            MATCH: relevance,
            REST: min(relevance // REST_SHARE, REST_CHARS),
        },
        relevance=relevance,
        entries={USER: settings.integer(user), PROJECT: settings.integer("memoryProjectMaxEntries")},
        chars=request.budget,
        tokens=settings.integer("memoryMaxPromptTokens"),
    )
