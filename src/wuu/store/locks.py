"""The exclusive advisory lock of a home, held while files change and never while somebody thinks.

Whether a holder is alive is the kernel's word, never a PID's: a lock ends with its process, so a killed
writer blocks nobody (case O-04). The lock file is never deleted and never replaced. Only writers import
portalocker, which costs five times the start of Python.
"""

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from wuu import clock
from wuu.errors import IoProblem, Locked, TooLarge, UnsafeFile
from wuu.ids import host_name
from wuu.store import files
from wuu.store.home import HOLDER, LOCK, Home
from wuu.store.reads import OPEN_GUARDED

WAIT_SECONDS, POLL_SECONDS, PATIENCE_SECONDS = 10.0, 0.02, 1.0

Waiting = Callable[[str], None]


@contextlib.contextmanager
def hold(
    home: Home, purpose: str, *, waiting: Waiting | None = None, wait: float = WAIT_SECONDS
) -> Iterator[None]:
    """Hold the lock of `home` for the `with` block; `purpose` is told to whoever waits for it.

    `waiting` is called once with a sentence when the wait takes longer than a second.

    Raises:
        Locked: Somebody else held it for all of `wait` seconds; the message names the holder.
        Corrupt: Something is in the way of the home's folder.
        IoProblem: The system refused.
    """
    files.ensure_folder(home.root)
    descriptor = _acquire(home, waiting, wait)
    try:
        _describe(home, purpose)
        yield
    finally:
        _release(descriptor)


def is_held(home: Home) -> bool:
    """Tell whether a writer is at work now, without waiting and without writing."""
    import portalocker  # noqa: PLC0415

    try:
        descriptor = _open_lock(home, os.O_RDONLY)
    except OSError:
        return False
    try:
        portalocker.lock(descriptor, portalocker.LOCK_SH | portalocker.LOCK_NB)
    except portalocker.AlreadyLocked:
        return True
    except portalocker.LockException:
        return False
    finally:
        os.close(descriptor)
    return False


def _acquire(home: Home, waiting: Waiting | None, wait: float) -> int:
    started = time.monotonic()
    told = waiting is None
    while (descriptor := _try(home)) is None:
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
    return descriptor


def _try(home: Home) -> int | None:
    """Return the descriptor of the lock file, locked, None if somebody else holds it.

    A lock on a file that is no longer in its place (the home was moved, or cleaned by hand) protects nothing.
    """
    with files.disk_errors(home.place(LOCK)):
        descriptor = _open_lock(home, os.O_RDWR | os.O_CREAT)
        try:
            if _lock(descriptor) and _is_in_place(descriptor, home):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None


def _open_lock(home: Home, flags: int) -> int:
    return os.open(home.place(LOCK), flags | OPEN_GUARDED, files.PRIVATE_FILE)


def _lock(descriptor: int) -> bool:
    import portalocker  # noqa: PLC0415

    try:
        portalocker.lock(descriptor, portalocker.LOCK_EX | portalocker.LOCK_NB)
    except portalocker.AlreadyLocked:
        return False
    except portalocker.LockException as error:
        raise error.__cause__ if isinstance(error.__cause__, OSError) else OSError(0, str(error)) from error
    return True


def _is_in_place(descriptor: int, home: Home) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), os.stat(home.place(LOCK)))
    return False


def _release(descriptor: int) -> None:
    """Give the lock back; should that fail, closing the file does it."""
    import portalocker  # noqa: PLC0415

    with contextlib.suppress(OSError, portalocker.LockException):
        portalocker.unlock(descriptor)
    with contextlib.suppress(OSError):
        os.close(descriptor)


def _describe(home: Home, purpose: str) -> None:
    """Say who holds the lock. It is a courtesy: failing to say it is no reason not to work."""
    since = clock.rfc3339(clock.now())
    holder = {"pid": os.getpid(), "host": host_name(), "command": purpose, "since": since}
    files.write_courtesy(home.place(HOLDER), json.dumps(holder, sort_keys=True).encode())


def _read_holder(home: Home) -> dict[str, Any]:
    try:
        holder = json.loads(home.read(HOLDER, limit=4_096, follow=False) or b"")
    except (IoProblem, TooLarge, UnsafeFile, ValueError, RecursionError):
        return {}
    return holder if isinstance(holder, dict) else {}


def _holder(home: Home) -> str:
    holder = _read_holder(home)
    if not holder:
        return "another process"
    return "wuu {} (process {} on {}, since {})".format(
        *(holder.get(name, "?") for name in ("command", "pid", "host", "since"))
    )
