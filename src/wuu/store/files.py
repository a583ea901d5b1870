"""The disk: bounded, tolerant reads, and the few durable writes that everything else is made of.

No other module writes files of the home, but for `state.py`. Every write goes to a sibling first; nothing is
ever truncated in place. Which files are written together, and in which order, is `transaction.py`'s business.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from wuu.errors import Corrupt, DiskFull, IoProblem, NotUtf8, ReadOnlyDisk, TooLarge, UnsafeFile
from wuu.store.paths import locate, resolve

MAX_FILE_BYTES = 262_144
TEMP_PREFIX = ".wuu-tmp-"
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700

_OPEN_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_OPEN_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class FileStat(NamedTuple):
    """What one `lstat` says about a regular file in a directory; times in nanoseconds, size in bytes."""

    name: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Listing(NamedTuple):
    """A directory: its regular files, and the names of what is not followed (links and special files)."""

    files: list[FileStat]
    irregular: list[str]


@contextlib.contextmanager
def disk_errors(path: str) -> Iterator[None]:
    """Turn an `OSError` about `path` into the error that names the real cause (case O-05)."""
    try:
        yield
    except OSError as error:
        raise problem_of(error, path) from error


def problem_of(error: OSError, path: str) -> IoProblem:
    """Return the wuu error for `error`, which happened at `path`."""
    reason = os.strerror(error.errno) if error.errno else str(error)
    if error.errno in _FULL:
        hint = "Free some space and run the command again; what was there before is untouched."
        return DiskFull(f"No room to write {path}: {reason}", hint=hint, path=path)
    if error.errno == errno.EROFS:
        return ReadOnlyDisk(f"{path} is on a read-only file system.", path=path)
    return IoProblem(f"{path}: {reason}", path=path, errno=error.errno or 0)


def read_bytes(root: str, path: str, *, limit: int = MAX_FILE_BYTES, follow: bool = True) -> bytes | None:
    """Return the bytes of a regular file below `root`, or None if there is none.

    `limit` is the most bytes that are read. With `follow` a link that stays below `root` is read through.

    Raises:
        UnsafeFile: A link that leaves `root` (any link without `follow`), or not a regular file.
        TooLarge: More than `limit` bytes.
        IoProblem: The system refused.
    """
    place = resolve(root, path) if follow else locate(root, path)
    try:
        descriptor = os.open(place, _OPEN_READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UnsafeFile(f"{path} is a symbolic link, which is not read.", path=path) from error
        raise problem_of(error, path) from error
    with disk_errors(path), os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnsafeFile(f"{path} is not a regular file, and is not read.", path=path)
        data = file.read(limit + 1)
    if len(data) > limit:
        raise TooLarge(f"{path} is larger than {limit:,} bytes, the most that is read.", path=path, limit=limit)
    return data


def decode(data: bytes, path: str) -> str:
    """Return `data` as text.

    Raises:
        NotUtf8: Names `path` and the offset of the first byte that is not UTF-8 (case O-06).
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotUtf8(f"{path} is not UTF-8 at byte {error.start}.", path=path, offset=error.start) from error


def list_directory(root: str, path: str) -> Listing:
    """Return what stands directly in a directory below `root`; one that is not there is empty.

    Raises:
        UnsafeFile: The directory is behind a link that leaves `root`.
        IoProblem: The system refused.
    """
    files: list[FileStat] = []
    irregular: list[str] = []
    try:
        with os.scandir(resolve(root, path)) as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    info = entry.stat(follow_symlinks=False)
                    times = info.st_mtime_ns, info.st_ctime_ns
                    files.append(FileStat(entry.name, info.st_size, *times, info.st_ino))
                elif not entry.is_dir(follow_symlinks=False):
                    irregular.append(entry.name)
    except FileNotFoundError:
        return Listing([], [])
    except OSError as error:
        raise problem_of(error, path) from error
    return Listing(files, irregular)


def names_in(place: str) -> list[str]:
    """Return the sorted names in the folder at the absolute `place`; a missing one is empty."""
    try:
        return sorted(os.listdir(place))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise problem_of(error, place) from error


def ensure_folder(place: str) -> None:
    """Make the folder at the absolute `place`, private and durable, with the folders above it."""
    if os.path.isdir(place):
        return
    above = os.path.dirname(place)
    ensure_folder(above)
    with disk_errors(place):
        with contextlib.suppress(FileExistsError):
            os.mkdir(place, PRIVATE_FOLDER)
        if not os.path.isdir(place):
            raise Corrupt(f"{place} is in the way: it is not a folder.", path=place)
        sync_folder(above)


def stage(place: str, data: bytes) -> str:
    """Write `data` to a new sibling of the absolute `place`, make it durable, and return the sibling's path.

    The sibling has the mode of the file at `place`, or 0600. A failure leaves no sibling.
    """
    folder, name = os.path.split(place)
    temp = os.path.join(folder, TEMP_PREFIX + os.urandom(8).hex())
    with disk_errors(name):
        descriptor = os.open(temp, _OPEN_NEW, PRIVATE_FILE)
        try:
            with os.fdopen(descriptor, "wb", buffering=0) as file:
                _write_all(descriptor, data)
                _copy_mode(descriptor, place)
                _sync(file.fileno())
        except BaseException:
            discard(temp)
            raise
    return temp


def publish(temp: str, place: str) -> None:
    """Put the staged `temp` in the place of the file at `place`, at once."""
    with disk_errors(os.path.basename(place)):
        os.replace(temp, place)


def discard(temp: str) -> None:
    """Remove a staged file that is not wanted; one that is gone or cannot be removed is left to the next sweep."""
    with contextlib.suppress(OSError):
        os.unlink(temp)


def remove(place: str) -> None:
    """Remove the file at the absolute `place`; one that is gone already is fine."""
    with disk_errors(os.path.basename(place)), contextlib.suppress(FileNotFoundError):
        os.unlink(place)


def sync_file(place: str) -> None:
    """Make the bytes of an existing file durable."""
    with disk_errors(os.path.basename(place)):
        descriptor = os.open(place, os.O_RDONLY)
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
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems
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
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            file.write(data)


def sweep(folder: str) -> int:
    """Remove the temp files that a killed writer left in `folder`; only the holder of the lock may. Count them."""
    left = [name for name in names_in(folder) if name.startswith(TEMP_PREFIX)]
    for name in left:
        discard(os.path.join(folder, name))
    return len(left)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _copy_mode(descriptor: int, place: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        mode = stat.S_IMODE(os.stat(place).st_mode)
        if mode != PRIVATE_FILE and hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)


def _sync(descriptor: int) -> None:
    """Flush to the medium; macOS needs its own call for that, since `fsync` there stops at the drive's cache."""
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
