"""Connections to the database of an index: opened with the same settings, copied, judged when they fail.

Owns what counts as damage and what as "not now". Knows the tables only by their version.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from wuu.search import tables

WAIT_SECONDS = 0.1

MEMORY = ":memory:"
_PAGE_SIZE = 4096
_PRAGMAS = (
    f"PRAGMA page_size={_PAGE_SIZE}",
    "PRAGMA secure_delete=ON",  # the default only in some builds
    "PRAGMA temp_store=MEMORY",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA cache_size=-16384",
)
# Damage can show in the very message that tells of it, which is then no UTF-8.
TROUBLE = (sqlite3.DatabaseError, UnicodeDecodeError)
Trouble: TypeAlias = sqlite3.DatabaseError | UnicodeDecodeError
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


def connect(path: str) -> sqlite3.Connection:
    """Return a connection to the database at `path`.

    Raises:
        DatabaseError, UnicodeDecodeError: It cannot be used (`TROUBLE`); `is_damage` tells whether for good.
    """
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        with transaction(connection, "DEFERRED"):
            _refuse_unusable(path, tables.read_version(connection.execute))
    except TROUBLE:
        connection.close()
        raise
    return connection


def _refuse_unusable(path: str, version: int) -> None:
    """Object to another schema, and to a file cut within a page, which SQLite would fill up with zeros."""
    if version not in (0, tables.SCHEMA_VERSION):
        raise sqlite3.DatabaseError(f"schema version {version:#x}")
    if path != MEMORY and os.stat(path).st_size % _PAGE_SIZE:
        raise sqlite3.DatabaseError("cut within a page")


def copy_to_memory(failed: sqlite3.Connection) -> sqlite3.Connection | None:
    """Return a copy of an index that cannot be written now, or None where it cannot be read either."""
    copy = connect(MEMORY)
    try:
        with transaction(failed, "DEFERRED"):
            tables.read_version(failed.execute)  # takes the lock, without which `backup` would wait for ever
            failed.backup(copy)
    except TROUBLE:
        copy.close()
        return None
    return copy


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    """Run a block in a transaction of `kind`: all of it, or nothing."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def is_damage(error: Trouble) -> bool:
    """Tell whether the file itself is at fault, rather than the moment."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code & 0xFF not in _NOT_NOW
