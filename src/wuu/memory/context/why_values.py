"""What is told of why a memory is in a block or not: plain values, which an agent's call never loads."""

from typing import NamedTuple

from wuu.memory.context.values import (
    ENTRY_CAP,
    GROUP_BUDGET,
    OVERALL_CAP,
    REST_SHARE,
    Context,
    LeftOutEntry,
    Parts,
)

SHOWN, NO_MATCH, WEAK_MATCH = "shown", "no_match", "weak_match"
SUPERSEDED, NOT_SAVED, SWITCHED_OFF = "superseded", "not_saved", "switched_off"
OTHER_SESSION = "other_session"
REASONS = {
    SHOWN: "It is in the block.",
    NO_MATCH: "It holds no word of the prompt, and is neither new nor special enough to come up without.",
    WEAK_MATCH: "What it shares with the prompt is too little: see memoryMatchFloor.",
    ENTRY_CAP: "As many of its scope are there as may be: see memoryMaxEntries, memoryProjectMaxEntries.",
    GROUP_BUDGET: "Better ones took the room: see memoryRetrievalChars.",
    REST_SHARE: "It does not match, and what does not match has little room.",
    OVERALL_CAP: "The block is full: see memoryMaxPromptTokens and --budget.",
    SUPERSEDED: "Another memory supersedes it, and it does not match.",
    NOT_SAVED: "Only saved memories are shown.",
    OTHER_SESSION: "It belongs to another session.",
    SWITCHED_OFF: "Memories are switched off: see memoryEnabled.",
}
"""Why a memory is in a block or not, in words."""


class Explained(NamedTuple):
    """All that a prompt brings up: the context, and which memories share too little with it."""

    prompt: str
    context: Context
    weak: tuple[LeftOutEntry, ...]


class SeenBy(NamedTuple):
    """A session that was shown a memory, and when last (RFC 3339)."""

    session: str
    at: str


class WhyMemory(NamedTuple):
    """Whether a memory is in the block for `prompt`, and why; `parts` are None where it is no candidate.

    `reason` is one of `REASONS`, `instead` the memories that took its place, `sessions` those that saw it.
    """

    id: str
    prompt: str
    shown: bool
    reason: str
    group: str | None
    parts: Parts | None
    instead: tuple[str, ...]
    sessions: tuple[SeenBy, ...]
    context: Context
