"""Advisory state: small facts that may be lost, kept without the lock of the home.

One file per fact under `state/`. Writing never fails a command. A tally is a file that grows by one byte per event,
so that two processes at once cannot lose a count, and its modification time is that of the last event.
"""

import contextlib
import os
from typing import NamedTuple

from wuu.store import files
from wuu.store.home import STATE, Home


class Tally(NamedTuple):
    """How often something happened, and when last (seconds since the epoch)."""

    times: int
    last: float


def add_to_tally(home: Home, kind: str, name: str) -> None:
    """Count one event of `kind` for `name`, a plain file name. The home must exist; failing is silent."""
    folder = home.place(f"{STATE}/{kind}")
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    with contextlib.suppress(OSError):
        if not os.path.isdir(home.root):
            return
        os.makedirs(folder, files.PRIVATE_FOLDER, exist_ok=True)
        descriptor = os.open(os.path.join(folder, name), flags, files.PRIVATE_FILE)
        try:
            os.write(descriptor, b".")
        finally:
            os.close(descriptor)


def read_tallies(home: Home, kind: str) -> dict[str, Tally]:
    """Return every tally of `kind` by name.

    Raises:
        IoProblem: The folder is there and cannot be read.
        UnsafeFile: The folder is a link that leaves the home.
    """
    listing = files.list_directory(home.root, f"{STATE}/{kind}")
    return {entry.name: Tally(entry.size, entry.mtime_ns / 1e9) for entry in listing.files}


def move_tally(home: Home, kind: str, name: str, new_name: str | None) -> None:
    """Give a tally another name, or drop it (None). Failing is silent."""
    folder = home.place(f"{STATE}/{kind}")
    with contextlib.suppress(OSError):
        if new_name is None:
            os.unlink(os.path.join(folder, name))
        else:
            os.replace(os.path.join(folder, name), os.path.join(folder, new_name))


def keep_text(home: Home, kind: str, name: str, text: bytes) -> str:
    """Keep bytes that would be lost otherwise (a draft, a report) under a new private name; return its place.

    Raises:
        IoProblem: The system refused; the caller must tell the person where else the text is.
    """
    folder = home.place(f"{STATE}/{kind}")
    with files.disk_errors(folder):
        os.makedirs(folder, files.PRIVATE_FOLDER, exist_ok=True)
    place = os.path.join(folder, name)
    files.write_atomic(place, text)
    return place
