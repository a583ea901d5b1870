"""The categories that wuu knows, what they mean, and what becomes of a proposal in them (FACTS).

Owns the table and the rule under which two categories are the same. A category is free text: one that is
unknown or empty counts as `other`. Reads no settings; they are handed in.
"""

from collections.abc import Mapping
from typing import NamedTuple

from wuu.text.normalise import duplicate_key

AUTO, REVIEW, NEVER = "auto", "review", "never"
OTHER = "other"

_V1_PREFIXES = ("project.", "user.")


class Category(NamedTuple):
    """A known category: its id, what belongs in it, and its policy unless the settings say otherwise."""

    id: str
    meaning: str
    default: str = REVIEW


CATEGORIES = (
    Category("objective", "Purpose and goals."),
    Category("stack", "Frameworks, runtimes and package managers."),
    Category("architecture", "Modules and the flow of data."),
    Category("commands", "Recurring commands and gates."),
    Category("release", "Versions, branches and the changelog."),
    Category("constraints", "Lasting limits and promises."),
    Category("security", "Security posture, secrets and permissions."),
    Category("preferences", "How a person likes to work."),
    Category("agent.policy", "How agents should behave."),
    Category("memory.policy", "What to save, and how."),
    Category("todo.stable", "The lasting roadmap."),
    Category("volatile.reject", "What changes fast, and is not for saving.", NEVER),
    Category(OTHER, "Everything else: unknown or empty."),
)

_BY_ID = {category.id: category for category in CATEGORIES}


def fold_category(category: str) -> str:
    """Return the key under which two categories are the same: case and v1's prefixes do not count.

    `Project.Stack`, `user.stack` and `stack` are one; an empty one is `other`. FACTS, "MendCode memories".
    """
    key = duplicate_key(category)
    prefix = next((one for one in _V1_PREFIXES if key.startswith(one)), "")
    return key.removeprefix(prefix).strip() or OTHER


def known_category(category: str) -> Category:
    """Return the known category that `category` counts as: itself in any spelling, else `other`."""
    return _BY_ID.get(fold_category(category), _BY_ID[OTHER])


def find_policy(category: str, policies: Mapping[str, str]) -> str:
    """Return what becomes of a proposal in `category`: `auto`, `review` or `never`.

    `policies` is the setting memoryPolicies, whose keys may be spelled in any way; of two spellings of one
    category the last counts, and what is no known category decides nothing.
    """
    known = known_category(category)
    chosen = [policy for name, policy in policies.items() if fold_category(name) == known.id]
    return chosen[-1] if chosen else known.default
