"""An index file that is damaged, busy or unwritable never costs an answer; deleted words leave the file."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from search.shelf import Shelf, found, full_shelf
from wuu.errors import Corrupt
from wuu.search import tables
from wuu.search.index import Refresh, discard_index, open_index

Damage = Callable[[str], None]
IN_MEMORY = Refresh(added=0, changed=0, removed=0, in_memory=True, rebuilt=False)


def overwrite(path: str, at: int, data: bytes) -> None:
    with open(path, "r+b") as file:
        file.seek(at if at >= 0 else os.path.getsize(path) + at)
        file.write(data)


def cut(path: str, share: float) -> None:
    os.truncate(path, int(os.path.getsize(path) * share))


def run_sql(path: str, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


DAMAGE: dict[str, Damage] = {
    "not a database": lambda path: Path(path).write_text("# A note that has lost its way\n" * 500),
    "header overwritten": lambda path: overwrite(path, 0, b"\0" * 100),
    "first page overwritten": lambda path: overwrite(path, 100, b"\xff" * 3_900),
    "page size changed": lambda path: overwrite(path, 16, b"\x02\x00"),
    "cut to a tenth": lambda path: cut(path, 0.1),
    "cut by a byte": lambda path: cut(path, 0.9999),
    "cut in the middle": lambda path: cut(path, 0.5),
    "all pages but the first zeroed": lambda path: overwrite(
        path, 4096, b"\0" * (os.path.getsize(path) - 4096)
    ),
    "all pages but the first garbled": lambda path: overwrite(
        path, 4096, b"\xa5" * (os.path.getsize(path) - 4096)
    ),
    "another version": lambda path: run_sql(path, "PRAGMA user_version=7"),
    "a table missing": lambda path: run_sql(path, "DROP TABLE files"),
    "the words missing": lambda path: run_sql(path, "DROP TABLE terms"),
    "an inner table missing": lambda path: run_sql(path, "DROP TABLE terms_data"),
    "an inner table emptied": lambda path: run_sql(path, "DELETE FROM terms_data"),
    "columns missing": lambda path: run_sql(path, "DROP TABLE files", "CREATE TABLE files (id, name)"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_built_anew_in_silence(path: str, built: Shelf, damage: Damage) -> None:
    damage(path)
    built.put("new.md", "a wombat")
    with open_index(path) as index:
        refreshed = index.refresh(built.listing(), built.load)
        assert found(index, "wombat") == ["new.md"]
        assert found(index, "only42x") == ["note-042.md"]
        assert index.search(["note"], 1).total == 150
        assert not refreshed.in_memory
        assert index.refresh(built.listing(), built.load).rebuilt
    with open_index(path) as index:
        assert index.refresh(built.listing(), built.load) == (0, 0, 0, False, False)
        assert found(index, "only42x wombat") == ["new.md", "note-042.md"]


def test_an_empty_file_is_an_index_to_be_built(path: str, shelf: Shelf) -> None:
    Path(path).touch()
    shelf.put("a.md", "harbour")
    with open_index(path) as index:
        assert index.refresh(shelf.listing(), shelf.load) == (1, 0, 0, False, False)


def test_a_foreign_database_without_a_version_is_replaced(path: str, shelf: Shelf) -> None:
    run_sql(path, "CREATE TABLE files (something)")
    shelf.put("a.md", "harbour")
    with open_index(path) as index:
        assert index.refresh(shelf.listing(), shelf.load) == (1, 0, 0, False, True)
        assert found(index, "harbour") == ["a.md"]


def test_a_directory_in_the_place_of_the_file_is_left_alone(path: str, shelf: Shelf) -> None:
    os.makedirs(os.path.join(path, "inside"))
    shelf.put("a.md", "harbour")
    with open_index(path) as index:
        assert index.refresh(shelf.listing(), shelf.load) == IN_MEMORY._replace(added=1)
        assert found(index, "harbour") == ["a.md"]
    assert os.listdir(path) == ["inside"]


@pytest.mark.parametrize(
    "damage", ["not a database", "all pages but the first garbled", "header overwritten"]
)
def test_damage_between_refresh_and_search_costs_no_answer(path: str, built: Shelf, damage: str) -> None:
    with open_index(path) as index:
        index.refresh(built.listing(), built.load)
        DAMAGE[damage](path)
        assert found(index, "only42x") == ["note-042.md"]
        assert index.search(["note"], 1).total == 150


def test_damage_without_a_refresh_is_told_and_mended_by_one(path: str, built: Shelf) -> None:
    DAMAGE["all pages but the first garbled"](path)
    with open_index(path) as index:
        with pytest.raises(Corrupt):
            index.search(["note"], 5)
        assert index.refresh(built.listing(), built.load) == (150, 0, 0, False, True)
        assert found(index, "only42x") == ["note-042.md"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 7)), min_size=1, max_size=20))
def test_no_flipped_bit_raises(tmp_path: Path, flips: list[tuple[float, int]]) -> None:
    path, shelf = str(tmp_path / "flipped.sqlite"), full_shelf()
    discard_index(path)
    with open_index(path) as index:
        index.refresh(shelf.listing(), shelf.load)
    data = bytearray(Path(path).read_bytes())
    for share, bit in flips:
        data[int(share * len(data))] ^= 1 << bit
    Path(path).write_bytes(data)
    shelf.put("new.md", "a wombat")
    shelf.drop("note-003.md")
    with open_index(path) as index:
        index.refresh(shelf.listing(), shelf.load)
        assert "new.md" in found(index, "wombat")
        assert set(found(index, "note")) <= set(shelf.texts)


def test_trouble_in_memory_too_is_told(path: str, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A SQLite without FTS5, say: the ladder ends, and the database's own words come out."""

    def create(execute: object) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(tables, "create", create)
    with open_index(path) as index, pytest.raises(sqlite3.OperationalError, match="fts5"):
        index.refresh(shelf.listing(), shelf.load)


BUILD = """
import sys, time
sys.path.insert(0, sys.argv[2])
from search.shelf import found, full_shelf
from wuu.search.index import open_index
shelf = full_shelf()
print("ready", flush=True)
sys.stdin.readline()
with open_index(sys.argv[1]) as index:
    refreshed = index.refresh(shelf.listing(), shelf.load)
    print(found(index, "only42x"), index.search(["note"], 1).total, flush=True)
"""


@pytest.mark.parametrize(
    "before", [None, "not a database", "all pages but the first garbled", "another version"]
)
def test_two_processes_that_build_at_once_both_answer(path: str, built: Shelf, before: str | None) -> None:
    if before:
        DAMAGE[before](path)
    else:
        discard_index(path)
    command = [sys.executable, "-c", BUILD, path, str(Path(__file__).parent.parent)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as one, subprocess.Popen(command, **pipes) as other:
        for process in (one, other):
            assert process.stdout.readline() == "ready\n"
        for process in (one, other):
            process.stdin.write("go\n")
            process.stdin.flush()
        answers = {process.communicate(timeout=60)[0] for process in (one, other)}
    assert answers == {"['note-042.md'] 150\n"}
    with open_index(path) as index:
        index.refresh(built.listing(), built.load)
        assert found(index, "only42x") == ["note-042.md"]


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from search.shelf import full_shelf
from wuu.search.index import open_index
shelf = full_shelf()
shelf.put("note-007.md", "another text")
with open_index(sys.argv[1]) as index:
    index._connection.execute("PRAGMA cache_size=1")
    shelf.put("zzz.md", "last")
    index.refresh(shelf.listing(), lambda name: os._exit(9) if name == "zzz.md" else shelf.load(name))
"""


def test_a_process_killed_while_writing_leaves_an_index_that_serves(path: str, built: Shelf) -> None:
    for number in range(100):
        built.put(f"note-{number:03}.md", built.texts[f"note-{number:03}.md"] + "!")
    command = [sys.executable, "-c", KILLED, path, str(Path(__file__).parent.parent)]
    assert subprocess.run(command, check=False).returncode == 9
    with open_index(path) as index:
        assert index.refresh(built.listing(), built.load) == (0, 100, 0, False, False)
        assert found(index, "only42x") == ["note-042.md"]


def bytes_of_index(path: str) -> bytes:
    """Return all that lies in the folder of the index."""
    return b"".join(place.read_bytes() for place in sorted(Path(path).parent.iterdir()))


@pytest.mark.parametrize("batches", [1, 7, 150])
def test_words_of_removed_and_changed_files_leave_the_file(path: str, batches: int) -> None:
    shelf = full_shelf()
    names = list(shelf.texts)
    shelf.texts["note-042.md"] += "\nquollxyzzy"
    shelf.texts["note-043.md"] += "\nzebraplugh"
    with open_index(path) as index:
        for batch in range(batches):
            some = [shelf.stats[name] for name in names[: 150 * (batch + 1) // batches]]
            index.refresh(some, shelf.load)
        before = bytes_of_index(path)
        assert before.count(b"quollxyzzi") + before.count(b"quollxyzzy") >= 2, "in the table and in a segment"
        assert before.count(b"zebraplugh") >= 2
        shelf.drop("note-042.md")
        assert index.refresh(shelf.listing(), shelf.load).removed == 1
        assert b"quollxyzz" not in bytes_of_index(path)
        shelf.put("note-043.md", "something else")
        assert index.refresh(shelf.listing(), shelf.load).changed == 1
        assert b"zebraplugh" not in bytes_of_index(path)
        assert index.search(["note"], 1).total == 148
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)]


def test_an_index_can_be_discarded_with_all_its_files(path: str, built: Shelf) -> None:
    Path(path + "-journal").touch()
    assert discard_index(path)
    assert os.listdir(os.path.dirname(path)) == []
    assert discard_index(path)
    os.mkdir(path)
    assert not discard_index(path)
    assert built.texts
