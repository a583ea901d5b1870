"""The derived index of one directory: one SQLite FTS5 file in the cache, or memory where that cannot be used.

Owns the tables, when a row is out of date, and what happens to a damaged, busy or unwritable file. Must not read
notes itself (it is handed a `load`), and holds nothing that the notes do not hold. ARCHITECTURE 4, case O-21.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

from wuu.errors import Corrupt
from wuu.ids import sha256_hex
from wuu.search.ranking import Document, Hits, rank
from wuu.store.files import FileStat
from wuu.text.words import words

SCHEMA_VERSION = 0x77757501  # "wuu" and a number that grows with every change of the tables or of the word rule
WAIT_SECONDS = 0.1
RACY_NS = 2_000_000_000

Load = Callable[[str], str | None]
_Answer = TypeVar("_Answer")
_Stored = tuple[str | bytes, int, int, int, int]

_SCHEMA = (
    "CREATE TABLE files (id INTEGER PRIMARY KEY, name, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER,"
    " inode INTEGER, racy INTEGER, length INTEGER, digest)",
    "CREATE VIRTUAL TABLE terms USING fts5(words, tokenize='porter unicode61', columnsize=0)",
    f"PRAGMA user_version={SCHEMA_VERSION}",
)
# What says "not now" rather than "damaged": the file may be fine for the next command.
_NOT_NOW = frozenset(
    (
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOLFS,
    )
)


class Refresh(NamedTuple):
    """How many files were added, changed and removed since the index was last used, and where it lives now."""

    added: int
    changed: int
    removed: int
    in_memory: bool
    rebuilt: bool
