"""What a proposal says: the change of a saved memory that a pending one stands for (CONTRACT, "memory").

Owns the value under the key `proposal`, how it is read from a file that anybody may have edited, and what it
makes of its target. It reads no files.
"""

from typing import Any, NamedTuple

from wuu.errors import Refused
from wuu.memory.format.entry import ARCHIVED, SENSITIVITIES, Entry, render_entry
from wuu.memory.shelves import SCOPES, check_prefix
from wuu.memory.writing.guards import (
    MAX_EVIDENCE,
    check_values,
    checked_categories,
    checked_category,
    checked_tags,
    checked_text,
)

UPDATE, ARCHIVE = OPERATIONS = ("update", "archive")
SCOPE = "scope"
WORKSPACE = "workspace"
"""With the scope `project`: the key of the project that was meant."""
FIELDS = ("category", "categories", "tags", "sensitivity", "confidence", "verified", SCOPE, WORKSPACE)
"""What a proposal may change beside the text. Never a status or a pin: those are a person's."""

_ID_DIGITS = 16


class Proposal(NamedTuple):
    """Change `target`, which was at `target_revision`; `changes` are the new values of `FIELDS`."""

    operation: str
    target: str
    target_revision: str
    changes: dict[str, Any]

    def value(self) -> dict[str, Any]:
        """Return it as a file has it."""
        return self._asdict()


def find_proposal(entry: Entry) -> Proposal | None:
    """Return the change that a memory proposes, or None for one that is proposed itself.

    Raises:
        Refused: Its file says something that cannot be understood, so nobody can approve it.
    """
    found = entry.proposal
    if found is None or not entry.proposes_change:
        return None
    operation, target, revision = (found.get(key) for key in ("operation", "target", "target_revision"))
    changes = found.get("changes", {})
    if not (
        operation in OPERATIONS
        and isinstance(target, str)
        and len(target) == _ID_DIGITS
        and isinstance(revision, str)
        and isinstance(changes, dict)
        and _are_changes(changes)
    ):
        raise Refused(
            f"What {entry.id} proposes cannot be understood: see the key proposal in {entry.path}.",
            hint=f"wuu memory reject {entry.id} removes it.",
            id=entry.id,
            path=entry.path,
        )
    return Proposal(str(operation), check_prefix(target), revision, changes)


def applied(target: Entry, entry: Entry, proposal: Proposal) -> Entry:
    """Return what a proposal makes of its target, but for its shelf: the same checks as an edit (case O-16).

    Raises:
        UsageProblem: A field is not valid.
        TooLarge: The text has more than 32,768 bytes.
    """
    if proposal.operation == ARCHIVE:
        return target._replace(status=ARCHIVED, pinned=False)
    changes = proposal.changes
    sensitivity, confidence = changes.get("sensitivity"), changes.get("confidence")
    verified = changes.get("verified", target.verified_at)
    check_values(sensitivity, confidence, verified)
    category = checked_category(changes["category"]) if "category" in changes else target.category
    categories = checked_categories(changes.get("categories", target.categories), category)
    return target._replace(
        text=checked_text(entry.text),
        category=category,
        categories=categories,
        tags=checked_tags(changes["tags"]) if "tags" in changes else target.tags,
        sensitivity=sensitivity or target.sensitivity,
        confidence=confidence if "confidence" in changes else target.confidence,
        verified_at=verified or None,
        evidence=_joined(target.evidence, entry.evidence)[:MAX_EVIDENCE],
        redactions=_joined(target.redactions, entry.redactions),
    )


def changes_between(old: Entry, new: Entry) -> dict[str, Any]:
    """Return the values of `FIELDS`, but for the scope, in which `new` differs from `old`."""
    pairs: dict[str, tuple[Any, Any]] = {
        "category": (old.category, new.category),
        "categories": (list(old.categories), list(new.categories)),
        "tags": (list(old.tags), list(new.tags)),
        "sensitivity": (old.sensitivity, new.sensitivity),
        "confidence": (old.confidence, new.confidence),
        "verified": (old.verified_at, new.verified_at),
    }
    return {key: after for key, (before, after) in pairs.items() if after != before}


def difference(before: Entry | None, after: Entry | None) -> str:
    """Return a unified diff of two forms of a memory, as their files would say it; None is none.

    The times of changes are left out: they are no part of what is decided.
    """
    import difflib  # noqa: PLC0415  (only what is shown to a person who decides)

    old, new = (_lines(one) for one in (before, after))
    names = ("as it is" if before else "/dev/null", "as proposed" if after else "/dev/null")
    return "".join(difflib.unified_diff(old, new, *names))


def _lines(entry: Entry | None) -> list[str]:
    if entry is None:
        return []
    scope = f"scope: {entry.shelf.scope}\n"
    text = render_entry(entry._replace(updated_at=None, saved_at=None))
    return [scope, *(f"{line}\n" for line in text.removesuffix("\n").split("\n"))]


def _are_changes(changes: dict[str, Any]) -> bool:
    """Tell whether a file has changes of the kinds that wuu writes, and no others."""
    kinds: dict[str, Any] = {
        "category": _is_text,
        "categories": _is_texts,
        "tags": _is_texts,
        "sensitivity": lambda value: value in SENSITIVITIES,
        "confidence": _is_share,
        "verified": lambda value: value is None or _is_text(value),
        SCOPE: lambda value: value in SCOPES,
        WORKSPACE: _is_text,
    }
    return all(key in kinds and kinds[key](value) for key, value in changes.items())


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_share(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _joined(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*first, *(one for one in second if one not in first))
