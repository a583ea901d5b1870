"""The derived index of one directory: one SQLite FTS5 file in the cache, or memory where that is unusable.

Owns the database file and what happens when it is damaged, busy or unwritable. Must not read notes itself (it
is handed a `load`), and holds nothing that the notes do not hold. ARCHITECTURE 4, case O-21.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Literal, NamedTuple, Self, TypeAlias, TypeVar

from wuu.errors import Corrupt, IoProblem
from wuu.search import tables
from wuu.search.ranking import Hits, Matches, choose_words
from wuu.search.tables import Load
from wuu.store import files
from wuu.store.files import FileStat

WAIT_SECONDS = 0.1

_Place = Literal["file", "copy", "memory"]
_Answer = TypeVar("_Answer")

Stats: TypeAlias = Sequence[FileStat] | Callable[[], Sequence[FileStat]]

_MEMORY = ":memory:"
_PAGE_SIZE = 4096
_PRAGMAS = (
    f"PRAGMA page_size={_PAGE_SIZE}",
    "PRAGMA secure_delete=ON",  # the default only in some builds
    "PRAGMA temp_store=MEMORY",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA cache_size=-16384",
)
# Damage can show in the very message that tells of it, which is then no UTF-8.
_TROUBLE = (sqlite3.DatabaseError, UnicodeDecodeError)
_Trouble: TypeAlias = sqlite3.DatabaseError | UnicodeDecodeError
# "Not now" rather than "damaged": the file may serve the next command well.
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
    """How many files got other words, whether the index is in memory, and whether it was built anew."""

    added: int
    changed: int
    removed: int
    in_memory: bool
    rebuilt: bool


def open_index(path: str | None) -> "SearchIndex":
    """Open the index in the file `path`, whose directory exists; in memory where it is None or unusable."""
    return SearchIndex(path)


def discard_index(path: str) -> bool:
    """Remove the file of an index with what SQLite left beside it; return whether they are gone."""
    try:
        for suffix in ("-journal", "-wal", "-shm", ""):
            files.remove(path + suffix)
    except IoProblem:
        return False
    return True


class SearchIndex:
    """The index of one directory, open; a context manager. Made by `open_index`."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._rebuilt = False
        self._lost = False
        self._inode: int | None = None
        self._sources: tuple[Stats, Load] | None = None
        self._connection, self._place = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the index; it cannot be used afterwards."""
        self._connection.close()

    def refresh(self, stats: Stats, load: Load, *, fingerprint: str | None = None) -> Refresh:
        """Make the index agree with the files that `stats` lists; `load` is asked only where they may differ.

        With a `fingerprint` of the whole folder, which differs whenever any stat does, a folder that looks as
        it did last time is not compared file by file, and `stats` is not asked if it is a function.

        A file is looked at again when any number of its stat differs, or when it had changed less than two
        seconds before it was indexed. `load` takes a name and returns the text to find it by, or None where
        that cannot be read: such a file is kept without words until its stat changes. Words of removed and
        changed files leave the file of the index at once, unless the result says `in_memory`. Case O-21.
        """
        self._sources = (stats, load)
        added, changed, removed = self._carry_on(lambda: self._update(stats, load, fingerprint))
        return Refresh(added, changed, removed, self._place != "file", self._rebuilt)

    def search(self, query_words: Iterable[str], limit: int) -> Hits:
        """Return the best `limit` files for words made by `words()`; a file that holds any of them matches.

        Without a `refresh` before it, the answer is what the last command left in the file; only the prompt
        hook may want that. ARCHITECTURE 4.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self.find(query_words).hits(limit)

    def find(self, query_words: Iterable[str]) -> Matches:
        """Return what the index says of a query, to be ranked in another way than `search` does.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        query = tuple(dict.fromkeys(query_words))
        return self._carry_on(lambda: self._read_matches(query))

    def read_notes(self) -> dict[str, str]:
        """Return what `load` noted, by the name of the file; those without a note are left out.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self._carry_on(lambda: tables.read_notes(self._execute()))

    def compare(self, stats: Sequence[FileStat]) -> tuple[int, int]:
        """Return how many files are indexed (0 if not built), and how many a refresh would deal with."""
        built = tables.is_built(self._connection.execute)
        return tables.compare(self._connection.execute, stats) if built else (0, len(stats))

    def find_unreadable(self) -> list[str]:
        """Return the names of the files for which `load` had no text when last asked (case O-06).

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self._carry_on(lambda: tables.read_unreadable(self._execute()))

    def _carry_on(self, action: Callable[[], _Answer]) -> _Answer:
        """Do `action`, if need be in a new file or in memory: a derived index is no reason to fail."""
        while True:
            try:
                return action()
            except sqlite3.ProgrammingError:
                raise  # a closed index, or a mistake in this module
            except _TROUBLE as error:
                self._step_down(error)

    def _open(self) -> tuple[sqlite3.Connection, _Place]:
        if self._path is not None:
            self._inode = _find_inode(self._path)
            try:
                return _connect(self._path), "file"
            except _TROUBLE as error:
                if self._make_way(error):
                    return self._open()
        return _connect(_MEMORY), "memory"

    def _make_way(self, error: _Trouble) -> bool:
        """Remove a damaged file, once; return whether another can be tried in its place."""
        if self._path is None or self._rebuilt or not _is_damage(error):
            return False
        replaced_already = _find_inode(self._path) != self._inode  # by another process, which builds it now
        self._rebuilt = replaced_already or discard_index(self._path)
        return self._rebuilt

    def _step_down(self, error: _Trouble) -> None:
        """Leave the index that failed: for a new file, else for a copy in memory, else for an empty one."""
        failed, place = self._connection, self._place
        if place == "memory":
            raise error
        copy = _copy_to_memory(failed) if place == "file" and not _is_damage(error) else None
        failed.close()
        if copy:
            self._connection, self._place = copy, "copy"
        elif place == "file" and self._make_way(error):
            self._connection, self._place = self._open()
        else:
            self._connection, self._place = _connect(_MEMORY), "memory"
        self._lost = copy is None

    def _update(self, stats: Stats, load: Load, fingerprint: str | None = None) -> tuple[int, int, int]:
        """Bring all rows up to date; return how many were added, changed and removed."""
        execute = self._connection.execute
        counts = (0, 0, 0)
        if not (tables.is_built(execute) and tables.has_fingerprint(execute, fingerprint)):
            listed = stats() if callable(stats) else stats
            if tables.is_built(execute) and tables.is_up_to_date(execute, listed):
                self._keep_fingerprint(fingerprint)
            else:
                counts = self._write_rows(listed, load, fingerprint)
        self._lost = False
        return counts

    def _write_rows(
        self, stats: Sequence[FileStat], load: Load, fingerprint: str | None
    ) -> tuple[int, int, int]:
        execute = self._connection.execute
        with _transaction(self._connection, "IMMEDIATE"):
            if not tables.is_built(execute):
                tables.create(execute)
            counts = tables.update(execute, stats, load)
            tables.keep_fingerprint(execute, fingerprint)
        return counts

    def _keep_fingerprint(self, fingerprint: str | None) -> None:
        """Note how the folder looks; where the file cannot be written, the next command compares again."""
        if fingerprint is not None:
            with suppress(sqlite3.OperationalError), _transaction(self._connection, "IMMEDIATE"):
                tables.keep_fingerprint(self._connection.execute, fingerprint)

    def _execute(self) -> tables.Execute:
        """Return what runs a statement on the tables, after bringing them up to date if they were lost."""
        if self._lost and self._sources:
            self._update(*self._sources)
        if self._lost or not tables.is_built(self._connection.execute):
            raise Corrupt("The search index is damaged, or not built yet.", path=self._path)
        return self._connection.execute

    def _read_matches(self, query: Sequence[str]) -> Matches:
        execute = self._execute()
        with _transaction(self._connection, "DEFERRED"):
            documents = tables.read_documents(execute)
            counts = tables.count_holders(execute, query)
            chosen = choose_words(counts, len(documents))
            return Matches(documents, counts, tables.read_holders(execute, chosen))


def _find_inode(path: str) -> int | None:
    try:
        return os.stat(path).st_ino
    except OSError:
        return None


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        with _transaction(connection, "DEFERRED"):
            _refuse_unusable(path, tables.read_version(connection.execute))
    except _TROUBLE:
        connection.close()
        raise
    return connection


def _refuse_unusable(path: str, version: int) -> None:
    """Object to another schema, and to a file cut within a page, which SQLite would fill up with zeros."""
    if version not in (0, tables.SCHEMA_VERSION):
        raise sqlite3.DatabaseError(f"schema version {version:#x}")
    if path != _MEMORY and os.stat(path).st_size % _PAGE_SIZE:
        raise sqlite3.DatabaseError("cut within a page")


def _copy_to_memory(failed: sqlite3.Connection) -> sqlite3.Connection | None:
    """Return a copy of an index that cannot be written now, or None where it cannot be read either."""
    copy = _connect(_MEMORY)
    try:
        with _transaction(failed, "DEFERRED"):
            tables.read_version(failed.execute)  # takes the lock, without which `backup` would wait for ever
            failed.backup(copy)
    except _TROUBLE:
        copy.close()
        return None
    return copy


@contextmanager
def _transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _is_damage(error: _Trouble) -> bool:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code & 0xFF not in _NOT_NOW
