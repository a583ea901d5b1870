"""Advisory state: small facts that may be lost, kept without the lock of the home.

One file per fact under `state/`. Counting never fails a command. A tally is a file that grows by one byte per
event, so that two processes at once cannot lose a count, and its modification time is that of the last event.
"""

import contextlib
import os
from typing import NamedTuple

from wuu.errors import IoProblem, UnsafeFile
from wuu.store import files
from wuu.store.home import STATE, Home
from wuu.store.paths import locate, resolve
from wuu.store.reads import OPEN_GUARDED

_KEPT_AT_ONCE = 1_000


class Tally(NamedTuple):
    """How often something happened, and when last (seconds since the epoch)."""

    times: int
    last: float


def add_to_tally(home: Home, kind: str, name: str) -> None:
    """Count one event of `kind` for `name`, a plain file name. The home must exist; failing is silent."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | OPEN_GUARDED
    with contextlib.suppress(OSError, UnsafeFile):
        if not os.path.isdir(home.root):
            return
        place = locate(home.root, f"{STATE}/{kind}/{name}")
        _make_private(home, os.path.dirname(place))
        descriptor = os.open(place, flags, files.PRIVATE_FILE)
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
    found = files.scan_directory(home.root, f"{STATE}/{kind}")
    return {entry.name: Tally(entry.size, entry.mtime_ns / 1e9) for entry in found.stats()}


def move_tally(home: Home, kind: str, name: str, new_name: str | None) -> None:
    """Give a tally another name, or drop it (None). Failing is silent."""
    with contextlib.suppress(OSError, UnsafeFile):
        place = locate(home.root, f"{STATE}/{kind}/{name}")
        if new_name is None:
            os.unlink(place)
        else:
            os.replace(place, locate(home.root, f"{STATE}/{kind}/{new_name}"))


def write_state(home: Home, kind: str, name: str, data: bytes) -> None:
    """Keep `data` under `name`, a plain file name, instead of what was there: old or new, never half of it.

    The home must exist; failing is silent.
    """
    with contextlib.suppress(OSError, UnsafeFile, IoProblem):
        if not os.path.isdir(home.root):
            return
        place = locate(home.root, f"{STATE}/{kind}/{name}")
        _make_private(home, os.path.dirname(place))
        files.write_atomic(place, data)


def keep_text(home: Home, kind: str, name: str, text: bytes) -> str:
    """Keep bytes that would be lost otherwise (a draft, a report) under a new private name; return its place.

    What was kept before under the same `name` stays; one that is too long loses some of its middle.

    Raises:
        IoProblem: The system refused, or the folder is a link that leaves the home; the caller must tell the
            person where else the text is.
    """
    try:
        place = resolve(home.root, f"{STATE}/{kind}/{files.fit_name(name, room=8)}")
    except UnsafeFile as error:
        raise IoProblem(error.message, **error.details) from error
    with files.disk_errors(place):
        _make_private(home, os.path.dirname(place))
        place = _reserve(place)
    try:
        files.write_atomic(place, text)
    except IoProblem:
        files.discard(place)
        raise
    return place


def _make_private(home: Home, folder: str) -> None:
    """Make a folder of the state with the folders above it, as far as the home: readable by nobody else."""
    if not os.path.isdir(folder):
        if folder != home.root:
            _make_private(home, os.path.dirname(folder))
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, files.PRIVATE_FOLDER)


def _reserve(place: str) -> str:
    """Make an empty file under a name that nobody has, `place` or one like it, and return it."""
    stem, ending = os.path.splitext(place)
    for number in range(1, _KEPT_AT_ONCE):
        name = place if number == 1 else f"{stem}-{number}{ending}"
        with contextlib.suppress(FileExistsError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN_GUARDED
            os.close(os.open(name, flags, files.PRIVATE_FILE))
            return name
    raise FileExistsError(place)
