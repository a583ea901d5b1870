"""An index file that is busy, locked or unwritable never costs an answer."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from search.shelf import Shelf, found
from wuu.search import index as index_module
from wuu.search.index import Refresh, discard_index, open_index

IN_MEMORY = Refresh(added=0, changed=0, removed=0, in_memory=True, rebuilt=False)


@contextlib.contextmanager
def held(path: str, lock: str) -> Iterator[None]:
    """Hold a lock on the index as another process would."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute(f"BEGIN {lock}")
    try:
        yield
    finally:
        other.close()


def test_a_file_that_others_write_is_copied_to_memory(path: str, built: Shelf) -> None:
    built.put("new.md", "a wombat")
    with held(path, "IMMEDIATE"), open_index(path) as index:
        assert index.refresh(built.listing(), built.load) == IN_MEMORY._replace(added=1)
        assert built.newly_loaded() == ["new.md"]
        assert found(index, "wombat only42x") == ["new.md", "note-042.md"]
    with open_index(path) as index:
        assert index.refresh(built.listing(), built.load) == (1, 0, 0, False, False)


def test_a_file_that_others_write_is_read_while_nothing_changed(path: str, built: Shelf) -> None:
    with held(path, "IMMEDIATE"), open_index(path) as index:
        assert index.refresh(built.listing(), built.load) == (0, 0, 0, False, False)
        assert found(index, "only42x") == ["note-042.md"]


def test_a_file_that_others_lock_is_built_in_memory(path: str, built: Shelf) -> None:
    with held(path, "EXCLUSIVE"), open_index(path) as index:
        assert index.refresh(built.listing(), built.load) == IN_MEMORY._replace(added=150)
        assert found(index, "only42x") == ["note-042.md"]
    with open_index(path) as index:
        assert index.refresh(built.listing(), built.load) == (0, 0, 0, False, False)


def test_a_lock_between_refresh_and_search_costs_no_answer(path: str, built: Shelf) -> None:
    with open_index(path) as index:
        index.refresh(built.listing(), built.load)
        with held(path, "EXCLUSIVE"):
            assert found(index, "only42x") == ["note-042.md"]


def test_a_reader_who_stays_costs_no_answer(path: str, built: Shelf) -> None:
    """The lock is refused only at the commit here."""
    built.put("new.md", "a wombat")
    with (
        held(path, "DEFERRED") as _,
        contextlib.closing(sqlite3.connect(path, isolation_level=None)) as reader,
    ):
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM files").fetchone()
        with open_index(path) as index:
            assert index.refresh(built.listing(), built.load).in_memory
            assert found(index, "wombat only42x") == ["new.md", "note-042.md"]


@pytest.mark.parametrize("is_built", [True, False])
def test_a_read_only_file_is_not_written(
    path: str, built: Shelf, is_built: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_built:
        discard_index(path)
        Path(path).touch()
    before = Path(path).read_bytes()
    connect = index_module.connect

    def connect_read_only(place: str) -> sqlite3.Connection:
        connection = connect(place)
        if place == path:
            connection.execute("PRAGMA query_only=ON")
        return connection

    monkeypatch.setattr(index_module, "connect", connect_read_only)
    built.put("new.md", "a wombat")
    with open_index(path) as index:
        assert index.refresh(built.listing(), built.load).in_memory
        assert found(index, "wombat only42x") == ["new.md", "note-042.md"]
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize("place", ["missing/index.sqlite", "file/index.sqlite"])
def test_a_place_that_cannot_be_opened_means_memory(tmp_path: Path, shelf: Shelf, place: str) -> None:
    (tmp_path / "file").touch()
    shelf.put("a.md", "harbour")
    with open_index(str(tmp_path / place)) as index:
        assert index.refresh(shelf.listing(), shelf.load) == IN_MEMORY._replace(added=1)
        assert index.refresh(shelf.listing(), shelf.load) == IN_MEMORY
        assert found(index, "harbour") == ["a.md"]
    assert sorted(os.listdir(tmp_path)) == ["file"]


def test_no_path_means_memory(shelf: Shelf) -> None:
    shelf.put("a.md", "harbour")
    with open_index(None) as index:
        assert index.refresh(shelf.listing(), shelf.load) == IN_MEMORY._replace(added=1)
        assert found(index, "harbour") == ["a.md"]
