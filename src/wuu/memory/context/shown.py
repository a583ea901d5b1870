"""Which memories a session was shown: advisory state, ids and times only, one file per session.

Kept without the lock of the home, by whatever hands a block to an agent. It may be lost or damaged; then the
session counts as new. Seed 002, "What the agent sees".
"""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from wuu.clock import rfc3339
from wuu.errors import IoProblem, TooLarge, UnsafeFile
from wuu.situation.caller import plain_name_problem
from wuu.store.files import fit_name
from wuu.store.home import STATE, Home
from wuu.store.state import write_state

if TYPE_CHECKING:
    from wuu.memory.context.why_values import SeenBy

MOST_IDS = 500
"""Most memories that are kept of a session, those shown last."""

_KIND = "shown"
_MAX_BYTES = 65_536
_UNREADABLE = (IoProblem, TooLarge, UnsafeFile)


def keep_shown(home: Home, session: str, ids: Iterable[str], *, now: float) -> None:
    """Note that `session` was shown these memories at `now` (seconds since the epoch); failing is silent."""
    if not session or plain_name_problem(session):
        return
    at = rfc3339(now)
    known = {**read_shown(home, session), **dict.fromkeys(ids, at)}
    latest = sorted(known, key=lambda one: (known[one], one))[-MOST_IDS:]
    value = {"session": session, "shown": {one: known[one] for one in latest}}
    write_state(home, _KIND, _file_name(session), json.dumps(value, sort_keys=True).encode())


def read_shown(home: Home, session: str) -> dict[str, str]:
    """Return the ids that `session` was shown, with when last; {} if nothing is known."""
    if plain_name_problem(session):
        return {}
    found = _read(home, _file_name(session))
    return {} if found is None or found[0] != session else found[1]


def find_sessions(home: Home, memory_id: str) -> "list[SeenBy]":
    """Return the sessions that were shown a memory, latest first."""
    from wuu.memory.context.why_values import SeenBy  # noqa: PLC0415  (an agent never asks)

    try:
        names = home.scan(f"{STATE}/{_KIND}").names
    except _UNREADABLE:
        return []
    read = [found for found in (_read(home, name) for name in names) if found is not None]
    seen = [SeenBy(session, ids[memory_id]) for session, ids in read if memory_id in ids]
    return sorted(seen, key=lambda one: (one.at, one.session), reverse=True)


def _read(home: Home, name: str) -> tuple[str, dict[str, str]] | None:
    """Return a session and its ids; None where the file is missing, unreadable or damaged."""
    try:
        data = home.read(f"{STATE}/{_KIND}/{name}", limit=_MAX_BYTES, follow=False)
        value = json.loads(data or b"")
        session, ids = value["session"], value["shown"]
    except _UNREADABLE:
        return None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(session, str) or not isinstance(ids, dict):
        return None
    return session, {str(one): str(at) for one, at in ids.items()}


def _file_name(session: str) -> str:
    return fit_name(f"{session}.json")
