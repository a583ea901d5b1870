"""The exclusive advisory lock of a home, held while files change and never while somebody thinks.

Whether a holder is alive is the kernel's word, never a PID's: a lock ends with its process, so a killed writer
blocks nobody (case O-04). The lock file is never deleted and never replaced. Only writers import portalocker,
which costs five times the start of Python.
"""

import contextlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from typing import IO, Any

from wuu import clock
from wuu.errors import Locked
from wuu.store import files
from wuu.store.home import HOLDER, LOCK, Home

WAIT_SECONDS, POLL_SECONDS, PATIENCE_SECONDS = 10.0, 0.02, 1.0

Waiting = Callable[[str], None]


@contextlib.contextmanager
def hold(home: Home, purpose: str, *, waiting: Waiting | None = None, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock of `home` for the `with` block; `purpose` is told to whoever waits for it.

    `waiting` is called once with a sentence when the wait takes longer than a second.

    Raises:
        Locked: Somebody else held it for all of `wait` seconds; the message names the holder.
    """
    files.ensure_folder(home.root)
    with _lock_file(home) as file:
        _acquire(file, home, waiting, wait)
        try:
            _describe(home, purpose)
            yield
        finally:
            _release(file)


def is_held(home: Home) -> bool:
    """Tell whether a writer is at work now, without waiting and without writing."""
    import portalocker  # noqa: PLC0415

    try:
        with open(home.place(LOCK), "rb") as file:
            portalocker.lock(file, portalocker.LOCK_SH | portalocker.LOCK_NB)
            portalocker.unlock(file)
    except portalocker.AlreadyLocked:
        return True
    except (OSError, portalocker.LockException):
        return False
    return False


def _lock_file(home: Home) -> IO[bytes]:
    place = home.place(LOCK)
    with files.disk_errors(LOCK):
        return os.fdopen(os.open(place, os.O_RDWR | os.O_CREAT, files.PRIVATE_FILE), "r+b", buffering=0)


def _acquire(file: IO[bytes], home: Home, waiting: Waiting | None, wait: float) -> None:
    started = time.monotonic()
    told = False
    while not _try(file):
        waited = time.monotonic() - started
        if waited >= wait:
            raise Locked(
                f"{_holder(home)} has held the lock of {home.root} for the {wait:g} s that I waited.",
                hint="Try again when it is done. Nothing was written.",
                holder=_read_holder(home),
            )
        if waiting is not None and not told and waited >= PATIENCE_SECONDS:
            waiting(f"Waiting for the lock of {home.root}, held by {_holder(home)} …")
            told = True
        time.sleep(POLL_SECONDS)


def _try(file: IO[bytes]) -> bool:
    import portalocker  # noqa: PLC0415

    try:
        portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
    except portalocker.AlreadyLocked:
        return False
    except portalocker.LockException as error:
        raise files.problem_of(OSError(0, str(error)), LOCK) from error
    return True


def _release(file: IO[bytes]) -> None:
    import portalocker  # noqa: PLC0415

    portalocker.unlock(file)


def _describe(home: Home, purpose: str) -> None:
    """Say who holds the lock. It is a courtesy: failing to say it is no reason not to work."""
    holder = {"pid": os.getpid(), "host": platform.node(), "command": purpose, "since": clock.rfc3339(clock.now())}
    files.write_courtesy(home.place(HOLDER), json.dumps(holder, sort_keys=True).encode())


def _read_holder(home: Home) -> dict[str, Any]:
    try:
        with open(home.place(HOLDER), encoding="utf-8") as file:
            holder = json.loads(file.read(4_096))
    except (OSError, ValueError):
        return {}
    return holder if isinstance(holder, dict) else {}


def _holder(home: Home) -> str:
    holder = _read_holder(home)
    if not holder:
        return "another process"
    return "wuu {} (process {} on {}, since {})".format(
        holder.get("command", "?"), holder.get("pid", "?"), holder.get("host", "?"), holder.get("since", "?")
    )
