"""The tables of an index, and every statement on them.

Owns the SQL. Must not open or close a database: it is handed the `execute` of an open one, inside a
transaction where it writes. ARCHITECTURE 4, cases O-21 and O-22.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeAlias
from unicodedata import category

from wuu import clock
from wuu.ids import sha256_hex
from wuu.search.ranking import Document
from wuu.search.rows import Noted, Row, Stamp, is_racy, original_name, stamp_of
from wuu.store.files import FileStat
from wuu.text.words import words

SCHEMA_VERSION = 0x77757504  # "wuu" and a number: one more for each change of the tables or of the word rule

Execute: TypeAlias = Callable[..., Any]
Load: TypeAlias = Callable[[str], str | Noted | None]

_FILES = """
CREATE TABLE files (
  id INTEGER PRIMARY KEY, name, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER,
  racy INTEGER, digest, length INTEGER, at REAL
)
"""
# One row: what the whole folder looked like when every row was last found to be right, if none was racy.
_FOLDER = "CREATE TABLE folder (fingerprint)"
_NOTES = "CREATE TABLE notes (id INTEGER PRIMARY KEY, note)"
# Marks and unassigned characters count as letters, so that each of our words is one term of the index,
# whatever version of Unicode this SQLite knows: `detail=none`, which makes it a third smaller, needs that.
_TERMS = """
CREATE VIRTUAL TABLE terms USING fts5 (
  words, columnsize=0, detail=none, tokenize="porter unicode61 categories 'L* N* M* Co Cn'"
)
"""
# The types are asked for because a flipped bit may have changed them.
_DOCUMENTS = """
SELECT id, name, length FROM files
WHERE length > 0 AND typeof(length) = 'integer' AND typeof(name) IN ('text', 'blob')
"""
_TIMES = "SELECT id, at FROM files WHERE typeof(at) = 'real'"
_NOTED_TIMES = """
SELECT name, at FROM notes JOIN files USING (id)
WHERE typeof(name) IN ('text', 'blob') AND typeof(at) = 'real'
"""
_NEWEST = """
SELECT name, at FROM files
WHERE digest IS NOT NULL AND typeof(name) IN ('text', 'blob') AND typeof(at) = 'real'
ORDER BY at DESC, name LIMIT ?
"""
_UNREADABLE = "SELECT name FROM files WHERE digest IS NULL AND typeof(name) IN ('text', 'blob')"
_NOTED = """
SELECT name, note FROM notes JOIN files USING (id)
WHERE typeof(name) IN ('text', 'blob') AND typeof(note) = 'text'
"""
_NAMED_AT_ONCE = 500
_LETTERS = frozenset(["Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl", "No", "Mn", "Mc", "Me", "Cn"])
_ROWS = "SELECT id, name, size, mtime_ns, ctime_ns, inode, racy, digest FROM files"
# A racy row has no name here, so that it agrees with no file, not even with one that is gone.
_STAMPS = "SELECT CASE racy WHEN 0 THEN name END, size, mtime_ns, ctime_ns, inode FROM files"
_STAMP = "UPDATE files SET name = ?, size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, racy = ? WHERE id = ?"
_ADD = "INSERT INTO files VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def read_version(execute: Execute) -> int:
    """Return the schema version of the database, 0 for an empty one."""
    (version,) = execute("PRAGMA user_version").fetchone()
    return int(version)


def is_built(execute: Execute) -> bool:
    """Tell whether the tables are there, in the version of this program."""
    return read_version(execute) == SCHEMA_VERSION


def create(execute: Execute) -> None:
    """Make the tables in an empty database."""
    for statement in (_FILES, _FOLDER, _NOTES, _TERMS, f"PRAGMA user_version={SCHEMA_VERSION}"):
        execute(statement)


def has_fingerprint(execute: Execute, fingerprint: str | None) -> bool:
    """Tell whether the rows were right, and none of them racy, when the folder looked like this."""
    if fingerprint is None:
        return False
    return (fingerprint,) in execute("SELECT fingerprint FROM folder").fetchall()


def keep_fingerprint(execute: Execute, fingerprint: str | None) -> None:
    """Note that the rows are right for a folder that looks like this; a racy row makes that worthless."""
    execute("DELETE FROM folder")
    if fingerprint is not None and not execute("SELECT 1 FROM files WHERE racy LIMIT 1").fetchone():
        execute("INSERT INTO folder VALUES (?)", (fingerprint,))


def is_up_to_date(execute: Execute, stats: Iterable[FileStat]) -> bool:
    """Tell whether the rows are those of `stats`, and none is racy."""
    return set(execute(_STAMPS)) == set(stats)


def update(execute: Execute, stats: Iterable[FileStat], load: Load) -> tuple[int, int, int]:
    """Write what differs between rows and files; return how many were added, changed and removed."""
    now = clock.now()
    rows = {row.name: row for row in map(Row._make, execute(_ROWS))}
    added = changed = 0
    for stat in stats:
        stamp = stamp_of(stat)
        row = rows.pop(stamp[0], None)
        if row and row.has(stamp, racy=False):
            continue
        got_words = _index_file(execute, row, stamp, is_racy(stat, now), load(stat.name))
        added += row is None
        changed += got_words and row is not None
    for row in rows.values():
        _drop(execute, row.id)
    if changed or rows:
        # Deleted words stay in the segments of FTS5 until these are merged, even with `secure_delete`.
        execute("INSERT INTO terms (terms) VALUES ('optimize')")
    return added, changed, len(rows)


def _index_file(
    execute: Execute, row: Row | None, stamp: Stamp, racy: bool, loaded: str | Noted | None
) -> bool:
    """Write the row of a file, and its words unless they are there already; return whether they were not."""
    text, note, at = loaded if isinstance(loaded, Noted) else (loaded, "", 0.0)
    digest = None if text is None else _digest(text, note, at)
    if row and row.digest == digest:
        if not row.has(stamp, racy=racy):
            execute(_STAMP, (*stamp, racy, row.id))
        return False
    if row:
        _drop(execute, row.id)
    found = words(text or "")
    row_id = execute(_ADD, (*stamp, racy, digest, len(found), at)).lastrowid
    if found:
        distinct = " ".join(dict.fromkeys(found))
        execute("INSERT INTO terms (rowid, words) VALUES (?, ?)", (row_id, distinct))
    if note:
        execute("INSERT INTO notes VALUES (?, ?)", (row_id, note))
    return True


def _digest(text: str, note: str, at: float) -> str:
    return sha256_hex(f"{at!r} {len(note)} {note}{text}".encode("utf-8", "surrogatepass"))


def _drop(execute: Execute, row_id: int) -> None:
    execute("DELETE FROM terms WHERE rowid = ?", (row_id,))
    execute("DELETE FROM notes WHERE id = ?", (row_id,))
    execute("DELETE FROM files WHERE id = ?", (row_id,))


def read_documents(execute: Execute) -> list[Document]:
    """Return the files that hold any words."""
    rows = execute(_DOCUMENTS)
    return [row if type(row[1]) is str else (row[0], original_name(row[1]), row[2]) for row in rows]


def read_unreadable(execute: Execute) -> list[str]:
    """Return the names of the files that could not be read."""
    return sorted(original_name(name) for (name,) in execute(_UNREADABLE))


def count_readable(execute: Execute) -> int:
    """Return how many files could be read."""
    (count,) = execute("SELECT count(*) FROM files WHERE digest IS NOT NULL").fetchone()
    return int(count)


def read_notes(execute: Execute) -> dict[str, str]:
    """Return the notes of the files that have one, by name."""
    return {original_name(name): note for name, note in execute(_NOTED)}


def read_times(execute: Execute, rows: Collection[int]) -> dict[int, float]:
    """Return the place in time of the files in `rows`."""
    if len(rows) > _NAMED_AT_ONCE:
        return {row: at for row, at in execute(_TIMES) if row in rows}
    return dict(execute(f"{_TIMES} AND id IN ({', '.join('?' * len(rows))})", tuple(rows)).fetchall())


def read_noted_times(execute: Execute) -> dict[str, float]:
    """Return the place in time of the files that have a note, by name."""
    return {original_name(name): at for name, at in execute(_NOTED_TIMES)}


def read_newest(execute: Execute, limit: int) -> list[tuple[str, float]]:
    """Return names and times of the `limit` newest files that could be read, newest first, then by name."""
    return [(original_name(name), at) for name, at in execute(_NEWEST, (limit,))]


def compare(execute: Execute, stats: Iterable[FileStat]) -> tuple[int, int]:
    """Return how many rows there are, and for how many files and rows the next update has something to do."""
    rows = {row.name: row for row in map(Row._make, execute(_ROWS))}
    stamps = {stamp[0]: stamp for stamp in map(stamp_of, stats)}
    agreeing = sum(row.has(stamps[name], racy=False) for name, row in rows.items() if name in stamps)
    return len(rows), len(stamps.keys() | rows.keys()) - agreeing


def count_holders(execute: Execute, query: Iterable[str]) -> dict[str, int]:
    """Return in how many files each word is found, itself or another word of its stem.

    What is not one word, as `words()` makes them, is left out: it is never read as an expression (case O-22).
    """
    count = "SELECT count(*) FROM terms WHERE terms MATCH ?"
    return {word: execute(count, (f'"{word}"',)).fetchone()[0] for word in query if _is_word(word)}


def read_holders(execute: Execute, query: Iterable[str]) -> dict[str, list[int]]:
    """Return the rows of the files in which each word is found."""
    find = "SELECT rowid FROM terms WHERE terms MATCH ?"
    return {word: [row for (row,) in execute(find, (f'"{word}"',))] for word in query if _is_word(word)}


def _is_word(word: str) -> bool:
    return word.isalnum() or (word != "" and all(category(character) in _LETTERS for character in word))
