"""How many memories wait, told without reading them again while their folders look as they did.

Owns a small advisory file in the cache, beside the search indexes: readers never touch the home. It is
trusted only where no edit can have gone unseen; anything odd about it means that the files are counted anew.
Loads nothing heavy, since every session starts with this number.
"""

import contextlib
import json
import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from wuu import clock
from wuu.errors import IoProblem, TooLarge, UnsafeFile
from wuu.ids import sha256_hex
from wuu.memory import reach
from wuu.memory.entries import count_statuses
from wuu.memory.format.entry import PENDING
from wuu.memory.shelves import SCOPES, SESSION, Shelf, id_of
from wuu.situation.cache import prepare_cache
from wuu.situation.situation import Situation
from wuu.store import files
from wuu.store.files import Scan
from wuu.store.home import Home, open_home

TICK_NS = 2_000_000_000
"""Nanoseconds within which two edits may leave the same times on a file (ARCHITECTURE 4)."""

_LIMIT = 4 * 1_048_576  # bytes; far more than a project with thousands of sessions needs
_DIGEST_DIGITS = 64


class Counted(NamedTuple):
    """How a shelf looked when it was counted, how many waited on it, and when that was (nanoseconds)."""

    fingerprint: str
    waiting: int
    counted_at: int


def count_waiting(home: Home, shelves: Iterable[Shelf]) -> int:
    """Return how many memories of `shelves` wait; a file that cannot be read is none.

    Raises:
        UnsafeFile, IoProblem: A whole shelf cannot be read, which is not an empty one.
    """
    return sum(count_by_shelf(home, shelves).values())


def count_by_shelf(home: Home, shelves: Iterable[Shelf]) -> dict[Shelf, int]:
    """Return how many memories wait on each of `shelves`; an id on two of them counts on both.

    Raises:
        UnsafeFile, IoProblem: See `count_waiting`.
    """
    now = int(clock.now() * 1e9)  # before the look, so that what changes behind it is later
    scans = {shelf: home.scan(shelf.folder) for shelf in shelves}
    place = (
        _place(home, scans) if any(id_of(name) for scan in scans.values() for name in scan.names) else None
    )
    known = {} if place is None else _read_known(place)
    found = {
        shelf: _counted(home, shelf, scan, known.get(shelf.folder), now) for shelf, scan in scans.items()
    }
    kept = {shelf.folder: one for shelf, one in found.items() if one.fingerprint}
    if place is not None and kept != known:
        _keep(place, kept)
    return {shelf: one.waiting for shelf, one in found.items()}


def count_waiting_value(situation: Situation) -> dict[str, Any]:
    """Return `waiting`, how many wait here, and `by_scope`; those of every session of the project count.

    Raises:
        UnsafeFile, IoProblem: See `count_waiting`.
    """
    home = open_home(situation.home)
    found = count_by_shelf(home, reach.reachable_shelves(home, situation))
    by_scope = dict.fromkeys(SCOPES, 0)
    for shelf, count in found.items():
        by_scope[shelf.scope] += count
    return {"waiting": sum(found.values()), "by_scope": by_scope}


def _counted(home: Home, shelf: Shelf, scan: Scan, known: Counted | None, now: int) -> Counted:
    """Return what is known of a shelf if it still holds, else count; without a fingerprint it is not kept."""
    if not any(map(id_of, scan.names)):
        return Counted("", 0, now)
    fingerprint = scan.fingerprint()
    if known is not None and known.fingerprint == fingerprint and _is_settled(scan, known.counted_at):
        return known
    count = count_statuses(home, (shelf,))[PENDING]
    return Counted(fingerprint if _is_settled(scan, now) else "", count, now)


def _is_settled(scan: Scan, counted_at: int) -> bool:
    """Tell whether every file had changed well before `counted_at`: another edit would have another time."""
    latest = max((*scan.numbers[1::4], *scan.numbers[2::4]), default=0)
    return latest < counted_at - TICK_NS


def _read_known(place: str) -> dict[str, Counted]:
    """Return what was counted before, by folder; nothing at all where the file is damaged or unreadable."""
    with contextlib.suppress(IoProblem, TooLarge, UnsafeFile, ValueError, TypeError, RecursionError):
        folder, name = os.path.split(place)
        data = files.read_bytes(os.path.realpath(folder), name, limit=_LIMIT, follow=False) or b""
        digest, body = data[:_DIGEST_DIGITS], data[_DIGEST_DIGITS:]
        if sha256_hex(body).encode() == digest:
            return {folder: Counted(*one) for folder, one in json.loads(body).items()}
    return {}


def _keep(place: str, found: dict[str, Counted]) -> None:
    """Keep what was counted; where that fails, the next count reads the files again."""
    body = json.dumps(found, sort_keys=True).encode()
    with contextlib.suppress(IoProblem):
        files.write_atomic(place, sha256_hex(body).encode() + body)


def _place(home: Home, shelves: Iterable[Shelf]) -> str | None:
    """Return the path of the file for `shelves`: one for a profile in a project, whatever its sessions."""
    folders = [shelf.folder for shelf in shelves if shelf.scope != SESSION]
    place = prepare_cache(home.root, "/".join(("waiting", *folders)))
    return None if place is None else place.removesuffix(".sqlite") + ".json"
