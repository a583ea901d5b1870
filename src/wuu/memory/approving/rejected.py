"""What a person rejected, so that it is not proposed again: keyed digests with date and reason, no text.

FACTS, "Rejecting keeps a keyed digest". The key is the id of the home, so that the digests say nothing
without it. They stand in `state/rejected.json` and are written in the transaction that removes the proposal.
A file that cannot be read counts as empty, since everything under `state/` may be lost.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wuu.errors import TooLarge, UnsafeFile
from wuu.memory.approving.proposed import UPDATE, Proposal
from wuu.memory.format.entry import Entry
from wuu.memory.shelves import Shelf
from wuu.store.changes import Change, change
from wuu.store.home import Home, read_home_id
from wuu.text.normalise import duplicate_key

REJECTED_FILE = "state/rejected.json"
MAX_REJECTIONS = 20_000
"""The newest are kept."""

_MAX_BYTES = 16 * 1_048_576


class Rejection(NamedTuple):
    """A digest, the folder of the shelf on which it was proposed, when a person rejected it, and why."""

    digest: str
    shelf: str
    rejected_at: str
    reason: str | None


def text_words(text: str) -> str:
    """Return what is rejected with a text: the same in other case and spacing (case O-24)."""
    return f"text\n{duplicate_key(text)}"


def change_words(entry: Entry, proposal: Proposal, target: Entry | None) -> tuple[str, ...]:
    """Return what is rejected with a proposed change: its new text, else the change itself."""
    changes = json.dumps(proposal.changes, sort_keys=True)
    itself = f"{proposal.operation}\n{proposal.target}\n{changes}\n{duplicate_key(entry.text)}"
    if proposal.operation != UPDATE or (
        target is not None and duplicate_key(target.text) == duplicate_key(entry.text)
    ):
        return (itself,)
    return (itself, text_words(entry.text))


def find_rejection(home: Home, shelves: Iterable[Shelf], *words: str) -> Rejection | None:
    """Return the newest rejection of any of `words` on one of `shelves`."""
    data = _read(home)
    digests = _digests(home, words) if data else []
    wanted = {digest for digest in digests if data and digest.encode() in data}
    if not wanted:
        return None
    folders = {shelf.folder for shelf in shelves}
    found = [one for one in _parse(data) if one.digest in wanted and one.shelf in folders]
    return max(found, key=lambda one: one.rejected_at, default=None)


def plan_rejections(
    home: Home, rejected: Sequence[tuple[Shelf, tuple[str, ...]]], now: str, reason: str | None
) -> tuple[Change, ...]:
    """Plan that words on a shelf are known as rejected, each once; the oldest beyond 20,000 go.

    Raises:
        TooLarge, UnsafeFile, IoProblem: What is in the place of the file is none of ours.
    """
    data = home.read(REJECTED_FILE, limit=_MAX_BYTES, follow=False)
    new = [
        Rejection(digest, shelf.folder, now, reason)
        for shelf, words in rejected
        for digest in _digests(home, words)
    ]
    again = {(one.digest, one.shelf) for one in new}
    kept = [one for one in _parse(data) if (one.digest, one.shelf) not in again]
    rows = [one._asdict() for one in [*kept, *new][-MAX_REJECTIONS:]]
    after = json.dumps({"rejected": rows}, ensure_ascii=False, indent=0).encode() + b"\n"
    return () if not new else (change(REJECTED_FILE, data, after),)


def _read(home: Home) -> bytes | None:
    try:
        return home.read(REJECTED_FILE, limit=_MAX_BYTES, follow=False)
    except (TooLarge, UnsafeFile):
        return b""


def _parse(data: bytes | None) -> list[Rejection]:
    try:
        rows = json.loads(data or b"{}")["rejected"]
        return [found for row in rows if (found := _rejection(row)) is not None]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


def _rejection(row: Any) -> Rejection | None:
    if not isinstance(row, dict):
        return None
    values = [row.get(key) for key in ("digest", "shelf", "rejected_at")]
    reason = row.get("reason")
    if not all(isinstance(value, str) for value in values):
        return None
    digest, shelf, rejected_at = map(str, values)
    return Rejection(digest, shelf, rejected_at, reason if isinstance(reason, str) else None)


def _digests(home: Home, words: Iterable[str]) -> list[str]:
    import hmac  # noqa: PLC0415  (only what is proposed or rejected is compared)

    key = (read_home_id(home) or "").encode()
    return [hmac.new(key, one.encode("utf-8", "surrogatepass"), "sha256").hexdigest() for one in words]
