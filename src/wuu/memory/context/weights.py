"""The weights of a score, all in one place (seed 002, "What the agent sees").

A full match, the best one that a prompt has, is 1. Everything else is measured against it. Recency may never
decide between a better and a worse match: at 0.2 it cost eight points of recall, so it is 0.05 at most.
"""

FULL_MATCH = 1.0
RECENCY = 0.05
"""Of a memory that changed this moment; half of it after `HALF_LIFE_DAYS`."""

HALF_LIFE_DAYS = 30
LINK = 0.5
"""Of the match that a memory is linked to; the best of its links counts."""

CATEGORY = 0.05
"""Of a memory in one of `categories.PREFERRED`."""

SESSION = 0.05
"""Of a memory of this very session."""

SHOWN = 0.04
"""Of a memory that this session was shown before: the block changes only when the ranking clearly does. It is
less than `RECENCY`, so that what is quite new surfaces all the same."""

SUPERSEDED = -0.8
"""Of a memory that a saved one supersedes. With `LINK` the newer one always stands before the older one."""

_DAY_SECONDS = 86_400


def recency(changed: float, now: float) -> float:
    """Return the part of a memory that changed at `changed` (seconds); what lies ahead changed just now."""
    days = max(now - changed, 0.0) / _DAY_SECONDS
    return float(RECENCY * 0.5 ** (days / HALF_LIFE_DAYS))
