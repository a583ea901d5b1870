"""Reading the disk: bounded, tolerant, never through a link that leaves its root, never waiting for a pipe.

Also turns what the system answers into wuu's errors, for reading and for writing. Writes nothing.
"""

import contextlib
import errno
import marshal
import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from wuu.errors import DiskFull, IoProblem, NotUtf8, ReadOnlyDisk, TooLarge, UnsafeFile
from wuu.ids import sha256_hex
from wuu.store.paths import locate, resolve

MAX_FILE_BYTES = 262_144  # of a file that people write

# A link is never followed by accident, and nothing that is no file keeps anybody waiting.
OPEN_GUARDED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
OPEN_READ = os.O_RDONLY | OPEN_GUARDED | getattr(os, "O_BINARY", 0)
_NO_FILE = frozenset((errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP))  # what a socket or a dead device answers
_FULL = {
    errno.ENOSPC: "Free some space and run the command again; what was there before is untouched.",
    errno.EDQUOT: "Your quota is used up: make room and run the command again. Nothing is lost.",
    errno.EFBIG: "Raise the limit on file sizes (ulimit -f) and run the command again. Nothing is lost.",
}


class FileStat(NamedTuple):
    """What one `lstat` says about a regular file in a directory; times in nanoseconds, size in bytes."""

    name: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Scan(NamedTuple):
    """A directory as its stats describe it, kept flat because a large one is scanned before every search.

    `names` are those of regular files, `numbers` has size, mtime_ns, ctime_ns and inode of each in turn, and
    `irregular` are the names of links and special files, which are not followed.
    """

    names: list[str]
    numbers: list[int]
    irregular: list[str]

    def stats(self) -> list[FileStat]:
        """Return the regular files one by one."""
        numbers = iter(self.numbers)
        return [FileStat(*one) for one in zip(self.names, numbers, numbers, numbers, numbers, strict=False)]

    def fingerprint(self) -> str:
        """Return a digest that differs when a name or a number does, or the order in which they came."""
        data = marshal.dumps((self.names, self.numbers), 2)  # version 2 has no references: always the same
        return sha256_hex(data)


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
        return DiskFull(f"No room to write {path}: {reason}", hint=_FULL[error.errno], path=path)
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
    descriptor = _open_to_read(resolve(root, path) if follow else locate(root, path), path)
    if descriptor is None:
        return None
    with disk_errors(path):
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UnsafeFile(f"{path} is not a regular file, and is not read.", path=path)
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(limit + 1)
        finally:
            os.close(descriptor)
    if len(data) > limit:
        raise TooLarge(
            f"{path} is larger than {limit:,} bytes, the most that is read.", path=path, limit=limit
        )
    return data


def decode(data: bytes, path: str) -> str:
    """Return `data` as text.

    Raises:
        NotUtf8: Names `path` and the offset of the first byte that is not UTF-8 (case O-06).
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "Save it as UTF-8 with an editor; wuu does not rewrite what it cannot read."
        message = f"{path} is not UTF-8 at byte {error.start}."
        raise NotUtf8(message, hint=hint, path=path, offset=error.start) from error


def scan_directory(root: str, path: str) -> Scan:
    """Return what stands directly in a directory below `root`; one that is not there is empty.

    Raises:
        UnsafeFile: The directory is behind a link that leaves `root`.
        IoProblem: The system refused.
    """
    found = Scan([], [], [])
    try:
        with os.scandir(resolve(root, path)) as entries:
            for entry in entries:
                if not entry.is_file(follow_symlinks=False):
                    if not entry.is_dir(follow_symlinks=False):
                        found.irregular.append(entry.name)
                    continue
                try:
                    info = entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # it went while its folder was read
                    continue
                found.names.append(entry.name)
                found.numbers.extend((info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino))
    except FileNotFoundError:
        return Scan([], [], [])
    except OSError as error:
        raise problem_of(error, path) from error
    return found


def names_in(place: str) -> list[str]:
    """Return the sorted names in the folder at the absolute `place`; a missing one is empty."""
    try:
        return sorted(os.listdir(place))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise problem_of(error, place) from error


def _open_to_read(place: str, path: str) -> int | None:
    try:
        return os.open(place, OPEN_READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UnsafeFile(f"{path} is a symbolic link, which is not read.", path=path) from error
        if error.errno in _NO_FILE:
            raise UnsafeFile(f"{path} is not a regular file, and is not read.", path=path) from error
        raise problem_of(error, path) from error
