"""Reading the disk: bounded, tolerant, and never through a link that leaves its root."""

import os
from collections.abc import Iterator
from typing import NamedTuple


class FileStat(NamedTuple):
    """What one `lstat` says about a regular file in a directory; times in nanoseconds, size in bytes."""

    name: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
