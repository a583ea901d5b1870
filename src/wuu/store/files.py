"""Writing the disk: the few durable steps that everything else is made of.

No other module writes files of the home, but for `state.py`. Every write goes to a sibling first; nothing is
ever truncated in place. Which files are written together, and in which order, is `transaction.py`'s business.
The names of `reads.py` can be had here too.
"""

import contextlib
import errno
import os
import stat

from wuu.errors import Corrupt
from wuu.store.reads import (
    MAX_FILE_BYTES,
    OPEN_GUARDED,
    OPEN_READ,
    FileStat,
    Scan,
    decode,
    disk_errors,
    names_in,
    problem_of,
    read_bytes,
    scan_directory,
)

__all__ = [
    "MAX_CHANGE_BYTES",
    "MAX_FILE_BYTES",
    "PRIVATE_FILE",
    "PRIVATE_FOLDER",
    "TEMP_PREFIX",
    "FileStat",
    "Scan",
    "decode",
    "discard",
    "disk_errors",
    "ensure_folder",
    "fit_name",
    "move",
    "names_in",
    "problem_of",
    "publish",
    "read_bytes",
    "remove",
    "scan_directory",
    "stage",
    "sweep",
    "sync_file",
    "sync_folder",
    "write_atomic",
    "write_courtesy",
]

MAX_CHANGE_BYTES = 64 * 1_048_576  # of all files that change together, so the most that is ever read
MAX_NAME_BYTES = 255
TEMP_PREFIX = ".wuu-tmp-"
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700

_OPEN_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN_GUARDED | getattr(os, "O_BINARY", 0)
_CANNOT_SYNC = frozenset((errno.EINVAL, errno.ENOTSUP, errno.ENOSYS))  # what some network file systems answer


def ensure_folder(place: str) -> None:
    """Make the folder at the absolute `place`, private and durable, with the folders above it.

    Raises:
        Corrupt: Something else is in the way.
        IoProblem: The system refused.
    """
    above = os.path.dirname(place)
    if os.path.isdir(place):
        if _is_empty(place):  # perhaps made by a writer that was killed before it made the name durable
            sync_folder(above)
        return
    ensure_folder(above)
    with disk_errors(place):
        with contextlib.suppress(FileExistsError):
            os.mkdir(place, PRIVATE_FOLDER)
        if not os.path.isdir(place):
            raise Corrupt(f"{place} is in the way: it is not a folder.", path=place)
        sync_folder(above)


def stage(place: str, data: bytes) -> str:
    """Write `data` to a new sibling of the absolute `place`, make it durable, and return the sibling's path.

    The sibling has the mode and the owner of the file at `place`, or 0600. A failure leaves no sibling.
    """
    temp = os.path.join(os.path.dirname(place), TEMP_PREFIX + os.urandom(8).hex())
    with disk_errors(place):
        descriptor = os.open(temp, _OPEN_NEW, PRIVATE_FILE)
        try:
            _fill(descriptor, data, place)
        except BaseException:
            discard(temp)
            raise
    return temp


def publish(temp: str, place: str) -> None:
    """Put the staged `temp` in the place of the file at `place`, at once."""
    with disk_errors(place):
        os.replace(temp, place)


def discard(temp: str) -> None:
    """Remove a staged file that is not wanted; one that cannot be removed is left to the next sweep."""
    with contextlib.suppress(OSError):
        os.unlink(temp)


def remove(place: str) -> None:
    """Remove the file at the absolute `place`; one that is gone already is fine."""
    with disk_errors(place), contextlib.suppress(FileNotFoundError):
        os.unlink(place)


def move(place: str, new_place: str) -> None:
    """Move the file at the absolute `place` to another folder, durably: a crash never leaves it in neither.

    A rename between folders is two entries, and some disks may keep neither through a power failure. So the
    file has both names until the new one is durable, where the disk has hard links; else it is renamed.
    """
    with disk_errors(new_place):
        if not _are_one(place, new_place) and not _link(place, new_place):
            os.replace(place, new_place)
    sync_folder(os.path.dirname(new_place))
    remove(place)
    sync_folder(os.path.dirname(place))


def sync_file(place: str) -> None:
    """Make the bytes of an existing file durable."""
    with disk_errors(place):
        descriptor = os.open(place, OPEN_READ)
        try:
            _sync(descriptor)
        finally:
            os.close(descriptor)


def sync_folder(place: str) -> None:
    """Make the names in a folder durable. Windows cannot, and does not need to."""
    if os.name == "nt":
        return
    with disk_errors(place):
        descriptor = os.open(place, os.O_RDONLY)
        try:
            _sync(descriptor)
        except OSError as error:
            if error.errno not in _CANNOT_SYNC:
                raise
        finally:
            os.close(descriptor)


def write_atomic(place: str, data: bytes) -> None:
    """Replace the file at the absolute `place` by `data`: old or new after any crash, durable on return."""
    temp = stage(place, data)
    try:
        publish(temp, place)
    except BaseException:
        discard(temp)
        raise
    sync_folder(os.path.dirname(place))


def write_courtesy(place: str, data: bytes) -> None:
    """Write a small file that nobody depends on, in place and without a word if that fails."""
    with contextlib.suppress(OSError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | OPEN_GUARDED
        descriptor = os.open(place, flags, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            file.write(data)


def sweep(folder: str) -> int:
    """Remove what a killed writer left in `folder`, and count it. Only the holder of the lock may."""
    left = [name for name in names_in(folder) if name.startswith(TEMP_PREFIX)]
    for name in left:
        discard(os.path.join(folder, name))
    return len(left)


def fit_name(name: str, room: int = 0) -> str:
    """Return a file name without as much of its middle as is too long, with `room` bytes to spare (O-19)."""
    while len(os.fsencode(name)) > MAX_NAME_BYTES - room:
        middle = len(name) // 2
        name = name[:middle] + name[middle + 1 :]
    return name


def _are_one(place: str, other: str) -> bool:
    """Tell whether two names are one file, as a killed `move` leaves them; renaming one would do nothing."""
    try:
        return os.path.samestat(os.lstat(place), os.lstat(other))
    except FileNotFoundError:
        return False


def _link(place: str, new_place: str) -> bool:
    """Give a file a second name; tell whether the disk and the kind of file allow it."""
    if os.path.islink(place):
        return False  # some systems would link what it leads to
    try:
        os.link(place, new_place)
    except OSError:
        return False
    return True


def _is_empty(place: str) -> bool:
    with disk_errors(place), os.scandir(place) as entries:
        return next(entries, None) is None


def _fill(descriptor: int, data: bytes, place: str) -> None:
    """Write a new file, give it the access of the one that it replaces, make it durable and close it."""
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        _copy_access(descriptor, place)
        _sync(descriptor)
    finally:
        os.close(descriptor)


def _copy_access(descriptor: int, place: str) -> None:
    """Copy mode and owner where the disk and the system have them and let us."""
    new, mode = os.fstat(descriptor), PRIVATE_FILE
    with contextlib.suppress(FileNotFoundError):
        old = os.stat(place)
        mode = stat.S_IMODE(old.st_mode)
        if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) and not _give(descriptor, old):
            mode &= stat.S_IRWXU  # these bits were meant for another group
    if stat.S_IMODE(new.st_mode) != mode and hasattr(os, "fchmod"):
        with contextlib.suppress(PermissionError):
            os.fchmod(descriptor, mode)


def _give(descriptor: int, old: os.stat_result) -> bool:
    try:
        os.fchown(descriptor, old.st_uid, old.st_gid)
    except OSError:
        return False
    return True


def _sync(descriptor: int) -> None:
    """Flush to the medium; macOS needs a call of its own, since `fsync` there stops at the drive's cache."""
    try:
        import fcntl  # noqa: PLC0415  (not there on Windows)

        full = fcntl.F_FULLFSYNC  # type: ignore[attr-defined, unused-ignore]
    except (ImportError, AttributeError):
        os.fsync(descriptor)
        return
    try:
        fcntl.fcntl(descriptor, full)
    except OSError:
        os.fsync(descriptor)
