"""The derived index of one directory: one SQLite FTS5 file in the cache, or memory where that cannot be used.

Owns the tables, when a row is out of date, and what happens to a damaged, busy or unwritable file. Must not read
notes itself (it is handed a `load`), and holds nothing that the notes do not hold. ARCHITECTURE 4, case O-21.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

from wuu import clock
from wuu.errors import Corrupt
from wuu.ids import sha256_hex
from wuu.search.ranking import Document, Hits, rank
from wuu.store.files import FileStat
from wuu.text.words import words

SCHEMA_VERSION = 0x77757501  # "wuu" and a number that grows with every change of the tables or of the word rule
WAIT_SECONDS = 0.1
RACY_SECONDS = 2

Load = Callable[[str], str | None]
_Stamp = tuple[str | bytes, int, int, int, int]
_Answer = TypeVar("_Answer")

# Marks and unassigned characters count as letters, so that one of our words is always one term of the index,
# whatever version of Unicode this SQLite knows; `detail=none` depends on it.
_SCHEMA = (
    "CREATE TABLE files (id INTEGER PRIMARY KEY, name, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER,"
    " inode INTEGER, racy INTEGER, length INTEGER, digest)",
    "CREATE VIRTUAL TABLE terms USING fts5(words, columnsize=0, detail=none,"
    " tokenize=\"porter unicode61 categories 'L* N* M* Co Cn'\")",
    f"PRAGMA user_version={SCHEMA_VERSION}",
)
_PRAGMAS = (
    "PRAGMA secure_delete=ON",  # the default only in some builds
    "PRAGMA temp_store=MEMORY",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA cache_size=-16384",
)

# "Not now" rather than "damaged": the file may be fine for the next command.
_NOT_NOW = (
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


class Refresh(NamedTuple):
    """How many files have got new words, and whether the index is in memory or had to be built anew."""

    added: int
    changed: int
    removed: int
    in_memory: bool
    rebuilt: bool


class SearchIndex:
    """The index of one directory, open; a context manager. Made by `open_index`."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._rebuilt = False
        self._copied = False
        self._sources: tuple[Sequence[FileStat], Load] | None = None
        self._connection = _connect(":memory:")
        if path is not None:
            self._open_file()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the index; it cannot be used afterwards."""
        self._connection.close()

    @property
    def is_built(self) -> bool:
        """Tell whether there is something to search without a `refresh`, as the prompt hook may want."""
        return _is_built(self._connection)

    def refresh(self, stats: Sequence[FileStat], load: Load) -> Refresh:
        """Make the index agree with the files that `stats` lists; `load` is asked only for those that may differ.

        A file is looked at again when any number of its stat differs, or while it had changed less than two
        seconds before it was indexed. `load` takes a name and returns the text to find it by, or None where it
        cannot be read: such a file is kept without words until its stat changes. Words of removed and changed
        files leave the file of the index at once, unless the result says `in_memory`. Case O-21.
        """
        self._sources = (stats, load)
        counts = self._carry_on(lambda: self._update(stats, load))
        return Refresh(*counts, in_memory=self._in_memory, rebuilt=self._rebuilt)

    def search(self, query_words: Iterable[str], limit: int) -> Hits:
        """Return the best `limit` files for words made by `words()`; a file that holds any of them matches.

        Raises:
            Corrupt: The index turned out damaged or empty and nothing was refreshed in it; refresh, then search.
        """
        query = tuple(dict.fromkeys(query_words))
        return self._carry_on(lambda: self._search(query, limit))

    def _carry_on(self, action: Callable[[], _Answer]) -> _Answer:
        """Do `action`, if need be in a new file or in memory: a derived index is no reason to fail."""
        while True:
            try:
                return action()
            except sqlite3.ProgrammingError:
                raise  # a mistake in this module, or a closed index
            except sqlite3.DatabaseError as error:
                self._step_down(error)

    def _step_down(self, error: sqlite3.DatabaseError) -> None:
        """Replace the index that failed: by a new file, else by a copy in memory, else by an empty one there."""
        if self._in_memory and not self._copied:
            raise error
        failed, self._connection = self._connection, _connect(":memory:")
        ...


def open_index(path: str | None) -> SearchIndex:
    """Open the index in the file `path`, whose directory exists, or in memory where it is None or unusable."""
    return SearchIndex(path)
