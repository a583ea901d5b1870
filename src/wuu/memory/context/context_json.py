"""The JSON of a context, and of why a memory is in it or not (CONTRACT, "memory context")."""

from typing import Any

from wuu.memory.context.values import Context, LeftOutEntry, Parts
from wuu.memory.context.why_values import Explained, WhyMemory

MOST_NAMED = 200
"""Most ids of memories that are left out which the JSON of a context names."""


def context_value(context: Context, *, explain: bool = False) -> dict[str, Any]:
    """Return the JSON of a context (CONTRACT, "memory context"); with `explain` also why others are not."""
    entries = [
        {
            "id": one.id,
            "text": one.text,
            "scope": one.scope,
            "category": one.category,
            "pinned": one.pinned,
            "group": one.group,
            "score": round(one.parts.score, 6),
            "why": why_value(one.parts),
        }
        for one in context.entries
    ]
    left_out = context.left_out[:MOST_NAMED]
    omitted: dict[str, Any] = {
        "count": context.omitted,
        "matching": context.matching,
        "ids": [one.id for one in left_out],
    }
    if explain:
        omitted["reasons"] = [_left_out_value(one) for one in left_out]
    used = context.used
    return {
        "mode": context.mode,
        "enabled": context.enabled,
        "use": context.use,
        "block": context.block,
        "entries": entries,
        "omitted": omitted,
        "budget": {
            "chars": used.max_chars,
            "tokens": used.max_tokens,
            "used_chars": used.chars,
            "used_tokens": used.tokens,
            "groups": used.groups,
        },
    }


def why_value(parts: Parts) -> dict[str, float]:
    """Return the parts of a score by name."""
    return {name: round(value, 6) for name, value in parts._asdict().items()}


def explained_value(explained: Explained) -> dict[str, Any]:
    """Return the JSON of everything that a prompt brings up: the context, and what matches too little."""
    weak = [_left_out_value(one) for one in explained.weak[:MOST_NAMED]]
    return {**context_value(explained.context, explain=True), "prompt": explained.prompt, "weak": weak}


def why_memory_value(found: WhyMemory) -> dict[str, Any]:
    """Return the JSON of why a memory is in a context or not."""
    return {
        "id": found.id,
        "prompt": found.prompt,
        "shown": found.shown,
        "reason": found.reason,
        "group": found.group,
        "score": None if found.parts is None else round(found.parts.score, 6),
        "why": None if found.parts is None else why_value(found.parts),
        "instead": list(found.instead),
        "sessions": [one._asdict() for one in found.sessions],
    }


def _left_out_value(one: LeftOutEntry) -> dict[str, Any]:
    return {
        "id": one.id,
        "group": one.group,
        "reason": one.reason,
        "score": round(one.parts.score, 6),
        "why": why_value(one.parts),
        "instead": list(one.instead),
    }
