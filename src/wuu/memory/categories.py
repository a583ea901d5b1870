"""The categories that wuu knows, what they mean, and what becomes of a proposal in them (FACTS).

Owns the table and the rule under which two categories are the same. A category is free text: one that is
unknown or empty counts as `other`. Reads no settings; they are handed in.
"""

from collections.abc import Mapping
from typing import NamedTuple

from wuu.errors import UsageProblem
from wuu.text.normalise import duplicate_key

AUTO, REVIEW, NEVER = "auto", "review", "never"
OTHER = "other"

_V1_PREFIXES = ("project.", "user.")


class Category(NamedTuple):
    """A known category: its id, what belongs in it, and its policy unless the settings say otherwise."""

    id: str
    meaning: str
    default: str = REVIEW

    @classmethod
    def every(cls) -> tuple["Category", ...]:
        """Return the known categories in their order."""
        return CATEGORIES

    @classmethod
    def get(cls, name: str) -> "Category":
        """Return the known category that a person means by `name`, in any spelling.

        Raises:
            UsageProblem: There is none; the nearest one is told, or all of them.
        """
        key = fold_category(name)
        if name.strip() and key in _BY_ID:
            return _BY_ID[key]
        from difflib import get_close_matches  # noqa: PLC0415  (typos are rare)

        near = get_close_matches(key, _BY_ID, n=1)
        hint = f"Did you mean {near[0]}?" if near else "Known are " + ", ".join(_BY_ID) + "."
        raise UsageProblem(f"{name or 'An empty text'} is no known category.", hint=hint, category=name)

    @classmethod
    def of(cls, category: str) -> "Category":
        """Return what the category of a memory counts as; see `known_category`."""
        return known_category(category)

    def counts(self, spelling: str) -> bool:
        """Tell whether `spelling` is this category: case and v1's prefixes do not count."""
        return fold_category(spelling) == self.id

    def policy(self, policies: Mapping[str, str]) -> str:
        """Return what becomes of a proposal in it; see `find_policy`."""
        return find_policy(self.id, policies)


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

PREFERRED = frozenset(("preferences", "constraints", "security"))
"""The categories that a context prefers a little (seed 002, "What the agent sees")."""

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
