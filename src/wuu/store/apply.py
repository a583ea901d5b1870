"""Making decided changes real, file by file, so that doing it twice is the same as doing it once.

Shared by a writer that goes through and by the recovery of one that did not. Knows nothing of intents.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from wuu.errors import AlreadyExists, ChangedOnDisk, TooLarge, UnsafeFile
from wuu.store import files
from wuu.store.changes import Change, digest_of
from wuu.store.home import CONFLICTS, HOLDER, JOURNAL, LOCK, RECEIPTS, Home
from wuu.store.paths import resolve

Progress = Callable[[int, int], None]

_OWN = frozenset((LOCK, HOLDER, JOURNAL, RECEIPTS, CONFLICTS))


class Target(NamedTuple):
    """Where a change goes: the absolute place, and the staged file that will stand there (None: it goes)."""

    place: str
    temp: str | None


def current_digest(home: Home, path: str) -> str | None:
    """Return the SHA-256 of what stands at `path` now, None if nothing does.

    On a disk that ignores case, a file of another spelling is not this one (case O-20).
    """
    data = home.read(path, limit=files.MAX_CHANGE_BYTES)
    if data is None or not _is_spelled_so(resolve(home.root, path)):
        return None
    return digest_of(data)


def would_replace_another(home: Home, one: Change, changes: Iterable[Change]) -> bool:
    """Tell whether `one` would replace a file of another spelling that `changes` do not remove (O-20)."""
    place = resolve(home.root, one.path)
    if one.after is None or not os.path.lexists(place) or _is_spelled_so(place):
        return False
    gone = [resolve(home.root, other.path) for other in changes if other.after is None]
    return not any(_is_same_file(other, place) for other in gone)


def refuse_unfit(home: Home, changes: Sequence[Change]) -> None:
    """Refuse changes that cannot be made together, whatever is on the disk.

    Raises:
        UnsafeFile: A path leaves the home or is the store's own, or two paths are one file.
        TooLarge: More bytes than an intent carries.
    """
    seen: dict[str, str] = {}
    for one in changes:
        _refuse_own(one.path)
        place = resolve(home.root, one.path)
        if place in seen:
            message = f"{seen[place]} and {one.path} are one file, which cannot change twice at once."
            raise UnsafeFile(message, path=one.path)
        seen[place] = one.path
    if sum(len(one.after or b"") for one in changes) > files.MAX_CHANGE_BYTES:
        raise TooLarge(f"More than {files.MAX_CHANGE_BYTES:,} bytes cannot change at once.")


def refuse_changed(home: Home, changes: Sequence[Change]) -> None:
    """Refuse if a file is not, now, what the change was worked out from.

    Raises:
        ChangedOnDisk: Somebody changed, made or removed it.
        AlreadyExists: The disk ignores case, and has the file in another spelling.
    """
    for one in changes:
        if current_digest(home, one.path) != one.before:
            hint = "Look at it, then run the command again."
            raise ChangedOnDisk(f"{one.path} changed while this was worked out.", hint=hint, path=one.path)
        if would_replace_another(home, one, changes):
            message = f"{one.path} exists in another spelling, which this disk takes for the same file."
            raise AlreadyExists(message, path=one.path)


def make_room(home: Home, changes: Iterable[Change], *own_folders: str) -> None:
    """Make the folders that `changes` need, and sweep what killed writers left there. Under the lock only."""
    folders = {os.path.dirname(resolve(home.root, one.path)) for one in changes}
    for folder in sorted(folders):
        files.ensure_folder(folder)
        files.sweep(folder)
    for name in own_folders:
        make_own_folder(home, name)


def make_own_folder(home: Home, name: str) -> None:
    """Make one of the store's own folders where it is missing (`prepare_home` made it durable)."""
    place = resolve(home.root, name)
    if not os.path.isdir(place):
        files.ensure_folder(place)


def stage_all(
    home: Home, changes: Sequence[Change], targets: list[Target], progress: Progress | None = None
) -> None:
    """Write the new bytes of each change beside the file that they will replace, and add it to `targets`.

    What is in `targets` after a failure has to be discarded. `progress` is told how many are done.

    Raises:
        AlreadyExists: The disk ignores case, and takes two of the files for one.
        IoProblem: The system refused.
    """
    for one in changes:
        place = resolve(home.root, one.path)
        temp = None if one.after is None else files.stage(place, one.after)
        targets.append(Target(place, temp))
        if progress is not None:
            progress(len(targets), len(changes))
    _refuse_twins(targets)


def publish_all(targets: Sequence[Target]) -> None:
    """Put staged files in place, then remove what goes. Durable only after `sync_all`.

    Readers rather see a renamed file twice than not at all. Only where both names are one file, on a disk
    that ignores case, the old name has to go first.
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


def sync_all(places: Iterable[str]) -> None:
    """Make durable what stands, or no longer stands, at the absolute `places`."""
    for folder in sorted({os.path.dirname(place) for place in places}):
        files.sync_folder(folder)


def discard_all(targets: Iterable[Target]) -> None:
    """Remove staged files that will not be published."""
    for target in targets:
        if target.temp is not None:
            files.discard(target.temp)


def _refuse_own(path: str) -> None:
    parts = path.split("/")
    if parts[0].casefold() in _OWN or parts[-1].startswith(files.TEMP_PREFIX):
        raise UnsafeFile(f"{path} belongs to the store itself.", path=path)


def _refuse_twins(targets: Sequence[Target]) -> None:
    """Refuse two new files whose names differ in case only, where the disk takes both for one (case O-20)."""
    seen: dict[str, str] = {}
    for place, temp in targets:
        if temp is not None and seen.setdefault(place.casefold(), place) != place and _ignores_case(temp):
            message = f"{seen[place.casefold()]} and {place} would be one file on this disk."
            raise AlreadyExists(message, path=place)


def _ignores_case(existing: str) -> bool:
    folder, name = os.path.split(existing)
    return os.path.lexists(os.path.join(folder, name.swapcase()))


def _is_spelled_so(place: str) -> bool:
    """Tell whether the folder has the existing file at `place` under this very name."""
    folder, name = os.path.split(place)
    if name.isascii() and not os.path.lexists(os.path.join(folder, name.swapcase())):
        return True  # the common case, told without listing a large folder
    names = files.names_in(folder)
    return name in names or _composed(name) in map(_composed, names)


def _composed(name: str) -> str:
    """Return a name as NFC: some disks decompose it, which is not another spelling."""
    if name.isascii():
        return name
    import unicodedata  # noqa: PLC0415  (hardly ever needed)

    return unicodedata.normalize("NFC", name)


def _is_same_file(place: str, other: str) -> bool:
    """Tell whether two names are one file: by its number, or because the folder has only one of the names.

    Some disks that ignore case give a file another number under each spelling.
    """
    try:
        if place == other or os.path.samefile(place, other):
            return place != other
    except OSError:
        return False
    folder, name = os.path.split(place)
    other_folder, other_name = os.path.split(other)
    if folder != other_folder or _composed(name).casefold() != _composed(other_name).casefold():
        return False
    return not {name, other_name} <= set(files.names_in(folder))
