"""Intents and receipts: the files in which a transaction says what it will do and what it did.

Owns their formats and places. An intent carries the prepared bytes and a checksum over all of itself, so that
a torn one is never mistaken for a whole one.
"""

import json
import os
from typing import Any, NamedTuple

from wuu.errors import Corrupt, TooLarge
from wuu.ids import sha256_hex
from wuu.store import files
from wuu.store.changes import Change, Receipt, Request
from wuu.store.home import JOURNAL, RECEIPTS, Home

INTENT_ENDING, RECEIPT_ENDING = ".intent", ".json"
RECEIPTS_KEPT = 1_000
_MAGIC = "wuu-intent/1"
_MOST_BYTES = files.MAX_CHANGE_BYTES + 8 * 1_048_576  # the prepared bytes, and what is said about them


class Intent(NamedTuple):
    """A change that is decided: from the moment this is durable on disk, it will be made."""

    id: str
    command: str
    created_at: str
    request: Request | None
    changes: tuple[Change, ...]

    def receipt(self) -> Receipt:
        """Return the receipt of this change once it is made."""
        digests = tuple((one.path, one.before, one.after_digest) for one in self.changes)
        request_id, request_digest = self.request or (None, None)
        return Receipt(self.id, request_id, request_digest, self.command, self.created_at, digests)


def render_intent(intent: Intent) -> bytes:
    """Return an intent as a line with the checksum of the rest, a line of JSON, and the prepared bytes.

    Raises:
        TooLarge: Recovery could not read it back.
    """
    header = {
        "id": intent.id,
        "command": intent.command,
        "created_at": intent.created_at,
        "request": intent.request,
        "files": [
            [one.path, one.before, None if one.after is None else len(one.after)] for one in intent.changes
        ],
    }
    rest = json.dumps(header).encode() + b"\n" + b"".join(one.after or b"" for one in intent.changes)
    if len(rest) > _MOST_BYTES - 128:
        raise TooLarge(f"{len(intent.changes):,} files are too many to change at once.")
    return f"{_MAGIC} {sha256_hex(rest)}\n".encode() + rest


def parse_intent(data: bytes, name: str) -> Intent:
    """Return the intent in `data`.

    Raises:
        Corrupt: The checksum does not fit, or it is no intent at all.
    """
    first, _, rest = data.partition(b"\n")
    if first != f"{_MAGIC} {sha256_hex(rest)}".encode():
        raise Corrupt(f"The intent {name} is damaged.", path=name)
    line, _, body = rest.partition(b"\n")
    try:
        return _intent(json.loads(line), body)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Corrupt(f"The intent {name} is none that I know.", path=name) from error


def read_intent(home: Home, folder: str, name: str) -> Intent:
    """Read the intent `name` in `folder` of the home; `Corrupt` if it is not whole."""
    data = home.read(f"{folder}/{name}", limit=_MOST_BYTES, follow=False)
    if data is None:
        raise Corrupt(f"The intent {name} is gone.", path=name)
    return parse_intent(data, name)


def intent_names(home: Home, folder: str = JOURNAL) -> list[str]:
    """Return the file names of the intents in a folder of the home, oldest first."""
    place = home.place(folder)
    names = [name for name in files.names_in(place) if name.endswith(INTENT_ENDING)]
    return names if len(names) < 2 else sorted(names, key=lambda name: _written_at(os.path.join(place, name)))


def receipt_name(receipt: Receipt) -> str:
    """Return the file name of a receipt: sorted by time, and found again by its request id."""
    stamp = receipt.committed_at.replace(":", "").replace("-", "")
    return f"{stamp}-{receipt.id}-{_request_key(receipt.request_id)}{RECEIPT_ENDING}"


def render_receipt(receipt: Receipt) -> bytes:
    """Return the bytes of a receipt."""
    return (json.dumps(receipt_value(receipt), sort_keys=True) + "\n").encode()


def receipt_value(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as JSON, the form it has on disk and in the envelope."""
    value = receipt._asdict()
    value["files"] = [
        {"path": path, "before": before, "after": after} for path, before, after in receipt.files
    ]
    return value


def find_receipt(home: Home, request_id: str) -> Receipt | None:
    """Return the receipt of an earlier request with this id.

    Raises:
        Corrupt: There is one, and it cannot be read, or it holds another id than its name says.
    """
    ending = f"-{_request_key(request_id)}{RECEIPT_ENDING}"
    for name in reversed(files.names_in(home.place(RECEIPTS))):
        if name.endswith(ending):
            receipt = _read_receipt(home, name)
            if receipt.request_id != request_id:
                raise _damaged(home, name)
            return receipt
    return None


def has_receipt(home: Home, receipt: Receipt) -> bool:
    """Tell whether this very receipt is on disk."""
    return os.path.exists(home.place(f"{RECEIPTS}/{receipt_name(receipt)}"))


def prune_receipts(home: Home) -> None:
    """Remove the oldest receipts over the newest thousand."""
    folder = home.place(RECEIPTS)
    names = [name for name in files.names_in(folder) if name.endswith(RECEIPT_ENDING)]
    for name in names[:-RECEIPTS_KEPT]:
        files.discard(os.path.join(folder, name))


def _intent(header: dict[str, Any], body: bytes) -> Intent:
    changes, at = [], 0
    for path, before, length in header["files"]:
        after = None if length is None else body[at : at + length]
        at += length or 0
        changes.append(Change(path, before, after))
    request = Request(*header["request"]) if header["request"] else None
    return Intent(header["id"], header["command"], header["created_at"], request, tuple(changes))


def _written_at(place: str) -> tuple[int, str]:
    try:
        return os.lstat(place).st_mtime_ns, place
    except FileNotFoundError:
        return 0, place


def _request_key(request_id: str | None) -> str:
    return "0" if request_id is None else sha256_hex(request_id.encode("utf-8", "surrogatepass"))[:32]


def _read_receipt(home: Home, name: str) -> Receipt:
    data = home.read(f"{RECEIPTS}/{name}", limit=_MOST_BYTES, follow=False)
    try:
        value = json.loads(data or b"")
        value["files"] = tuple((one["path"], one["before"], one["after"]) for one in value["files"])
        return Receipt(**value)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged(home, name) from error


def _damaged(home: Home, name: str) -> Corrupt:
    path = f"{RECEIPTS}/{name}"
    hint = "See whether the change was made; move that file away, and run the command again if it was not."
    return Corrupt(f"The receipt {home.place(path)} is damaged.", hint=hint, path=path)
