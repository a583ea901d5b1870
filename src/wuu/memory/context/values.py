"""What a context is asked for and what it says: plain values, nothing that reads or decides."""

from typing import NamedTuple

from wuu.errors import Caveat

REQUEST, AFTER_COMPACTION = MODES = ("request", "after-compaction")
PINNED, MATCH, REST = GROUPS = ("pinned", "match", "rest")

ENTRY_CAP, GROUP_BUDGET, OVERALL_CAP, REST_SHARE = "entry_cap", "group_budget", "overall_cap", "rest_share"


class ContextRequest(NamedTuple):
    """A context for `prompt`; without one, what every session gets.

    `budget` is the most characters of the whole block, None what the settings say. `mode` is `request`, or
    `after-compaction` where an agent has just shortened what it knew.
    """

    prompt: str = ""
    mode: str = REQUEST
    budget: int | None = None


class Parts(NamedTuple):
    """What the score of a memory is made of: no part is below 0 but `superseded`, which is not above it."""

    match: float = 0.0
    recency: float = 0.0
    links: float = 0.0
    category: float = 0.0
    session: float = 0.0
    shown: float = 0.0
    superseded: float = 0.0

    @property
    def score(self) -> float:
        """Their sum."""
        return sum(self)


class ContextEntry(NamedTuple):
    """A memory in the block: `text` is what stands there. `group` says why it is there."""

    id: str
    text: str
    scope: str
    category: str
    pinned: bool
    group: str
    parts: Parts
    chars: int


class LeftOutEntry(NamedTuple):
    """A memory that qualified for `group` and is not in the block, with the `reason`.

    `instead` are the ids of those that took its place, best first.
    """

    id: str
    group: str
    reason: str
    parts: Parts
    instead: tuple[str, ...] = ()


class Used(NamedTuple):
    """How large a block may be (None: no such limit) and is, and how many characters each group takes.

    A token is estimated as in `text/budget.py`; markers, notes and line ends all count.
    """

    max_chars: int | None
    max_tokens: int
    chars: int
    tokens: int
    groups: dict[str, int]


class Context(NamedTuple):
    """The block that an agent gets, what is in it, and what is not.

    `omitted` is how many visible saved memories are not in the block; `left_out` names those of them that
    qualified, pins first, then matches and the rest, best first. `matching` counts the matches among them.
    """

    mode: str
    enabled: bool
    use: bool
    block: str
    entries: tuple[ContextEntry, ...]
    omitted: int
    matching: int
    left_out: tuple[LeftOutEntry, ...]
    used: Used
    caveats: tuple[Caveat, ...]
