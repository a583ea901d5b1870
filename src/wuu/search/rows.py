"""What a row of the index says about a file, and when it may be trusted.

Owns the comparison of a row with a stat. Must not touch the disk or the database. ARCHITECTURE 4, case O-21.
"""

from typing import NamedTuple

from wuu.store.files import FileStat

RACY_SECONDS = 2

Stamp = tuple[str | bytes, int, int, int, int]


class Noted(NamedTuple):
    """A text to find a file by, with a note: what its owner wants to know of a file without reading it again.

    Notes are not searched. A file whose note is empty has none, and costs nothing. `at` is its place in time,
    in seconds since the epoch: the index can tell which are the newest.
    """

    text: str
    note: str
    at: float = 0.0


class Row(NamedTuple):
    """A row as it is stored; `digest` is of the text that was indexed, None where it could not be read."""

    id: int
    name: str | bytes
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    racy: int
    digest: str | None

    def has(self, stamp: Stamp, *, racy: bool) -> bool:
        """Tell whether the row says exactly this."""
        return self[1:7] == (*stamp, racy)


def stamp_of(stat: FileStat) -> Stamp:
    """Return the stat as SQLite can store it: a name that is not Unicode as bytes, numbers in 64 bits."""
    name, size, mtime_ns, ctime_ns, inode = stat
    return storable_name(name), size, _signed(mtime_ns), _signed(ctime_ns), _signed(inode)


def storable_name(name: str) -> str | bytes:
    """Return the name, or its bytes where it holds what is not Unicode."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")
    return name


def original_name(stored: str | bytes) -> str:
    """Return the name that `storable_name` was given."""
    return stored if isinstance(stored, str) else stored.decode("utf-8", "surrogatepass")


def is_racy(stat: FileStat, indexed_at: float) -> bool:
    """Tell whether the file could still change after `indexed_at` (seconds) without its stat showing it."""
    return max(stat.mtime_ns, stat.ctime_ns) >= (indexed_at - RACY_SECONDS) * 1e9


def _signed(number: int) -> int:
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)
