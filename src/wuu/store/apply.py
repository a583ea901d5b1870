"""Making decided changes real, file by file, so that doing it twice is the same as doing it once.

Shared by a writer that goes through and by the recovery of one that did not.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from wuu.store import files
from wuu.store.changes import Change, digest_of
from wuu.store.home import Home
from wuu.store.paths import resolve


class Target(NamedTuple):
    """Where a change goes: the absolute place, and the staged file that will stand there (None: it goes)."""

    place: str
    temp: str | None


def current_digest(home: Home, path: str) -> str | None:
    """Return the SHA-256 of what stands at `path` now, None if nothing does.

    On a disk that ignores case, a file of another spelling is not this one (case O-20).
    """
    data = home.read(path)
    if data is None or not _spelled_exactly(resolve(home.root, path)):
        return None
    return digest_of(data)


def make_room(home: Home, changes: Iterable[Change], *own_folders: str) -> None:
    """Make the folders that `changes` need, and sweep what killed writers left in them. Under the lock only."""
    folders = {os.path.dirname(resolve(home.root, one.path)) for one in changes}
    for folder in sorted(folders | {home.place(name) for name in own_folders}):
        files.ensure_folder(folder)
        files.sweep(folder)


def stage_change(home: Home, one: Change) -> Target:
    """Write the new bytes of a change beside the file that they will replace."""
    place = resolve(home.root, one.path)
    return Target(place, None if one.after is None else files.stage(place, one.after))


def publish_all(targets: list[Target]) -> None:
    """Put staged files in place, then remove what goes, then make the folders durable.

    Readers rather see a renamed file twice than not at all. Only where both names are one file, on a disk that
    ignores case, the old name has to go first.
    """
    written = [target.place for target in targets if target.temp is not None]
    removed = [target.place for target in targets if target.temp is None]
    first = [place for place in removed if any(_is_same_file(place, other) for other in written)]
    for place in first:
        files.remove(place)
    for target in targets:
        if target.temp is not None:
            files.publish(target.temp, target.place)
    for place in removed:
        if place not in first:
            files.remove(place)
    for folder in sorted({os.path.dirname(target.place) for target in targets}):
        files.sync_folder(folder)


def discard_all(targets: Iterable[Target]) -> None:
    """Remove staged files that will not be published."""
    for target in targets:
        if target.temp is not None:
            files.discard(target.temp)


def _spelled_exactly(place: str) -> bool:
    folder, name = os.path.split(place)
    if name.isascii() and not os.path.lexists(os.path.join(folder, name.swapcase())):
        return True  # the common case, told without listing a large folder
    return name in files.names_in(folder)


def _is_same_file(place: str, other: str) -> bool:
    try:
        return place != other and os.path.samefile(place, other)
    except OSError:
        return False
