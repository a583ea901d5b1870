"""The derived index of one directory: one SQLite FTS5 file in the cache, or memory where that is unusable.

Owns the database file and what happens when it is damaged, busy or unwritable. Must not read notes itself (it
is handed a `load`), and holds nothing that the notes do not hold. ARCHITECTURE 4, case O-21.
"""

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple, Self, TypeAlias, TypeVar

from wuu.errors import Corrupt, IoProblem
from wuu.search import tables
from wuu.search.connection import (
    MEMORY,
    TROUBLE,
    Trouble,
    connect,
    copy_to_memory,
    is_damage,
    transaction,
)
from wuu.search.ranking import Hits, Matches, choose_words
from wuu.search.tables import Load
from wuu.store import files
from wuu.store.files import FileStat

_Place = Literal["file", "copy", "memory"]
_Answer = TypeVar("_Answer")

Stats: TypeAlias = Sequence[FileStat] | Callable[[], Sequence[FileStat]]


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

    def find_pieces(self, pieces: Sequence[Sequence[str]]) -> tuple[Matches, ...]:
        """Return what `find` does for each of several queries, as of one moment.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self._carry_on(lambda: self._read_pieces(pieces))

    def read_notes(self) -> dict[str, str]:
        """Return what `load` noted, by the name of the file; those without a note are left out.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self._carry_on(lambda: tables.read_notes(self._execute()))

    def read_times(self, rows: Collection[int]) -> dict[int, float]:
        """Return what `load` said of the place in time of the files in `rows` (`Matches.documents`).

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self._carry_on(lambda: tables.read_times(self._execute(), rows))

    def read_noted_times(self) -> dict[str, float]:
        """Return the same of the files that have a note, by name.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self._carry_on(lambda: tables.read_noted_times(self._execute()))

    def read_newest(self, limit: int) -> list[tuple[str, float]]:
        """Return names and times of the `limit` newest files, newest first.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self._carry_on(lambda: tables.read_newest(self._execute(), limit))

    def count(self, query_words: Iterable[str]) -> dict[str, int]:
        """Return how many files hold each word; what is no word is left out.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        query = tuple(dict.fromkeys(query_words))
        return self._carry_on(lambda: tables.count_holders(self._execute(), query))

    def compare(self, stats: Sequence[FileStat]) -> tuple[int, int]:
        """Return how many files are indexed (0 if not built), and how many a refresh would deal with."""
        built = tables.is_built(self._connection.execute)
        return tables.compare(self._connection.execute, stats) if built else (0, len(stats))

    def count_readable(self) -> int:
        """Return for how many files `load` had a text when last asked.

        Raises:
            Corrupt: Nothing was refreshed, and the file holds no usable index.
        """
        return self._carry_on(lambda: tables.count_readable(self._execute()))

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
            except TROUBLE as error:
                self._step_down(error)

    def _open(self) -> tuple[sqlite3.Connection, _Place]:
        if self._path is not None:
            self._inode = _find_inode(self._path)
            try:
                return connect(self._path), "file"
            except TROUBLE as error:
                if self._make_way(error):
                    return self._open()
        return connect(MEMORY), "memory"

    def _make_way(self, error: Trouble) -> bool:
        """Remove a damaged file, once; return whether another can be tried in its place."""
        if self._path is None or self._rebuilt or not is_damage(error):
            return False
        replaced_already = _find_inode(self._path) != self._inode  # by another process, which builds it now
        self._rebuilt = replaced_already or discard_index(self._path)
        return self._rebuilt

    def _step_down(self, error: Trouble) -> None:
        """Leave the index that failed: for a new file, else for a copy in memory, else for an empty one."""
        failed, place = self._connection, self._place
        if place == "memory":
            raise error
        copy = copy_to_memory(failed) if place == "file" and not is_damage(error) else None
        failed.close()
        if copy:
            self._connection, self._place = copy, "copy"
        elif place == "file" and self._make_way(error):
            self._connection, self._place = self._open()
        else:
            self._connection, self._place = connect(MEMORY), "memory"
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
        with transaction(self._connection, "IMMEDIATE"):
            if not tables.is_built(execute):
                tables.create(execute)
            counts = tables.update(execute, stats, load)
            tables.keep_fingerprint(execute, fingerprint)
        return counts

    def _keep_fingerprint(self, fingerprint: str | None) -> None:
        """Note how the folder looks; where the file cannot be written, the next command compares again."""
        if fingerprint is not None:
            with suppress(sqlite3.OperationalError), transaction(self._connection, "IMMEDIATE"):
                tables.keep_fingerprint(self._connection.execute, fingerprint)

    def _execute(self) -> tables.Execute:
        """Return what runs a statement on the tables, after bringing them up to date if they were lost."""
        if self._lost and self._sources:
            self._update(*self._sources)
        if self._lost or not tables.is_built(self._connection.execute):
            raise Corrupt("The search index is damaged, or not built yet.", path=self._path)
        return self._connection.execute

    def _read_matches(self, query: Sequence[str]) -> Matches:
        (found,) = self._read_pieces((query,))
        return found

    def _read_pieces(self, pieces: Sequence[Sequence[str]]) -> tuple[Matches, ...]:
        execute = self._execute()
        with transaction(self._connection, "DEFERRED"):
            documents = tables.read_documents(execute)
            counts = tables.count_holders(execute, dict.fromkeys(word for piece in pieces for word in piece))
            own = [{word: counts[word] for word in piece if word in counts} for piece in pieces]
            chosen = [choose_words(one, len(documents), rare_only=len(own) > 1) for one in own]
            holders = tables.read_holders(execute, dict.fromkeys(word for words in chosen for word in words))
        return tuple(
            Matches(documents, one, {word: holders[word] for word in words})
            for one, words in zip(own, chosen, strict=True)
        )


def _find_inode(path: str) -> int | None:
    try:
        return os.stat(path).st_ino
    except OSError:
        return None
