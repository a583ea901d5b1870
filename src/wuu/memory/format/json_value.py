"""The JSON of a memory (CONTRACT, "memory"): every documented key is there, whatever its file says.

Owns the shape. It looks into one more file, the workspace's, for the path of the project.
"""

from typing import Any

from wuu.memory.approving.proposed import UPDATE
from wuu.memory.format.entry import Entry
from wuu.memory.values import Shown
from wuu.memory.writing.workspace_root import find_root
from wuu.store.home import Home

_REFERENCE = ("kind", "ref")
_QUOTE = ("agent", "session", "turn", "line", "quote", "digest")
_PROPOSAL = ("operation", "target", "target_revision", "changes")


def memory_value(shown: Shown) -> dict[str, Any]:
    """Return the JSON of a memory.

    `workspace` is the root of the project, or its key in the home where no workspace.json names the root.
    `profile` is null but for user memories; `created_at` and `updated_at` are null where the file is silent.
    `classification` is there only where a graph has a word for it.
    """
    entry = shown.entry
    classified = {} if entry.classification is None else {"classification": entry.classification}
    return {
        "id": entry.id,
        "scope": entry.shelf.scope,
        "status": entry.status,
        "text": entry.text,
        "category": entry.category,
        "categories": list(entry.categories),
        "tags": list(entry.tags),
        "pinned": entry.pinned,
        "proposer": entry.proposer,
        "profile": entry.shelf.profile,
        "workspace": _workspace(shown),
        "session_id": entry.shelf.session,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
        "verified_at": entry.verified_at,
        "confidence": entry.confidence,
        "sensitivity": entry.sensitivity,
        "evidence": [_completed(one, _evidence_keys(one)) for one in entry.evidence],
        "links": [link._asdict() for link in shown.links],
        "proposal": _proposal(entry),
        "redactions": list(entry.redactions),
        "revision": shown.revision,
        "path": shown.place,
        **classified,
    }


def _proposal(entry: Entry) -> dict[str, Any] | None:
    """Return the change that a memory proposes; the text of its own is the one that the target shall have."""
    if entry.proposal is None:
        return None
    value = _completed(entry.proposal, _PROPOSAL)
    if value["operation"] == UPDATE and isinstance(value["changes"], dict):
        value["changes"] = {**value["changes"], "text": entry.text}
    return value


def _workspace(shown: Shown) -> str | None:
    key = shown.entry.shelf.workspace
    return None if key is None else find_root(_home_of(shown.entry, shown.place), key) or key


def _home_of(entry: Entry, place: str) -> Home:
    return Home(place[: -len(entry.path) - 1])


def _evidence_keys(evidence: dict[str, Any]) -> tuple[str, ...]:
    return _REFERENCE if evidence.keys() & set(_REFERENCE) else _QUOTE


def _completed(value: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {**dict.fromkeys(keys), **value}
