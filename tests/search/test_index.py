"""The index follows the files: what is looked at again, what is found (cases O-21, O-22, O-23)."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from search.shelf import LONG_AGO, Shelf, found, full_shelf
from wuu import clock
from wuu.errors import Corrupt
from wuu.search.index import Refresh, SearchIndex, open_index
from wuu.store.files import FileStat
from wuu.text.words import words

Wait = Callable[[float], None]
NOTHING_NEW = Refresh(added=0, changed=0, removed=0, in_memory=False, rebuilt=False)


def scan(folder: Path) -> list[FileStat]:
    """Return the stats of a real folder."""
    return [
        FileStat(name, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)
        for name in sorted(os.listdir(folder))
        for info in [os.lstat(folder / name)]
    ]


def test_a_note_is_found_by_the_very_next_search(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("oncall.md", "The pager code is on the fridge")
    shelf.put("tides.md", "High water at noon")
    assert index.refresh(shelf.listing(), shelf.load) == NOTHING_NEW._replace(added=2)
    assert found(index, "pager") == ["oncall.md"]
    shelf.put("oncall.md", "The pager code is QUOLL-41")
    assert index.refresh(shelf.listing(), shelf.load) == NOTHING_NEW._replace(changed=1)
    assert found(index, "quoll") == ["oncall.md"]
    assert found(index, "fridge") == []


def test_an_unchanged_directory_loads_nothing_and_writes_nothing(path: str, shelf: Shelf) -> None:
    for name in ("a.md", "b.md"):
        shelf.put(name, f"text of {name}")
    with open_index(path) as index:
        index.refresh(shelf.listing(), shelf.load)
    assert shelf.newly_loaded() == ["a.md", "b.md"]
    before = os.stat(path)
    with open_index(path) as index:
        assert index.refresh(shelf.listing()[::-1], shelf.load) == NOTHING_NEW
        assert found(index, "text") == ["a.md", "b.md"]
    assert shelf.newly_loaded() == []
    assert os.stat(path) == before


@pytest.mark.parametrize("difference", ["size", "mtime_ns", "ctime_ns", "inode"])
def test_o21_any_difference_of_the_stat_has_the_file_looked_at_again(
    index: SearchIndex, shelf: Shelf, difference: str
) -> None:
    shelf.put("oncall.md", "pager code 1111", inode=7)
    shelf.put("other.md", "nothing")
    index.refresh(shelf.listing(), shelf.load)
    shelf.newly_loaded()
    changed = getattr(shelf.stats["oncall.md"], difference) - 1  # an older copy counts too
    same = {"size": 15, "mtime_ns": LONG_AGO, "ctime_ns": LONG_AGO, "inode": 7}
    shelf.put("oncall.md", "pager QUOLL one", **(same | {difference: changed}))
    assert index.refresh(shelf.listing(), shelf.load).changed == 1
    assert shelf.newly_loaded() == ["oncall.md"]
    assert found(index, "QUOLL") == ["oncall.md"]
    assert found(index, "1111") == []


def test_o21_hand_edits_of_real_files_are_seen(index: SearchIndex, tmp_path: Path, wait: Wait) -> None:
    notes, older = tmp_path / "notes", tmp_path / "older.md"
    notes.mkdir()
    note = notes / "oncall.md"

    def look() -> None:
        index.refresh(scan(notes), lambda name: (notes / name).read_text())
        wait(10)

    note.write_text("pager code 1111\n")
    shutil.copy2(note, older)
    look()
    look()
    kept = os.stat(note)
    note.write_text("pager code QUOL\n")
    os.utime(note, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    assert (os.stat(note).st_size, os.stat(note).st_mtime_ns) == (kept.st_size, kept.st_mtime_ns)
    look()
    assert (found(index, "QUOL"), found(index, "1111")) == (["oncall.md"], [])
    shutil.copy2(older, note)
    look()
    assert (found(index, "QUOL"), found(index, "1111")) == ([], ["oncall.md"])
    note.unlink()
    look()
    assert found(index, "1111 pager") == []


def test_o21_a_file_that_had_just_changed_is_looked_at_until_it_has_settled(
    path: str, shelf: Shelf, wait: Wait
) -> None:
    now = int(clock.now() * 1e9)
    shelf.put("a.md", "heron", mtime_ns=now, ctime_ns=now)
    shelf.put("b.md", "settled long ago")
    stat = shelf.stats["a.md"]

    def look() -> tuple[int, list[str]]:
        with open_index(path) as index:
            return index.refresh(shelf.listing(), shelf.load).changed, shelf.newly_loaded()

    assert look() == (0, ["a.md", "b.md"])
    assert look() == (0, ["a.md"])
    shelf.texts["a.md"] = "egret"  # within the same tick of the clock: its stat is the same
    assert look() == (1, ["a.md"])
    wait(3)
    assert look() == (0, ["a.md"])
    assert look() == (0, [])
    assert shelf.stats["a.md"] == stat
    with open_index(path) as index:
        assert (found(index, "egret"), found(index, "heron")) == (["a.md"], [])


def test_o21_a_file_that_comes_and_goes_within_two_seconds_is_gone(path: str, shelf: Shelf) -> None:
    now = int(clock.now() * 1e9)
    shelf.put("a.md", "heron")
    shelf.put("b.md", "heron", mtime_ns=now, ctime_ns=now)
    with open_index(path) as index:
        index.refresh(shelf.listing(), shelf.load)
        shelf.drop("b.md")
        assert index.refresh(shelf.listing(), shelf.load).removed == 1
        assert found(index, "heron") == ["a.md"]


def test_a_touched_file_with_the_same_text_is_not_a_change(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("a.md", "the same")
    index.refresh(shelf.listing(), shelf.load)
    shelf.put("a.md", "the same", mtime_ns=LONG_AGO + 5)
    shelf.newly_loaded()
    assert index.refresh(shelf.listing(), shelf.load) == NOTHING_NEW
    assert shelf.newly_loaded() == ["a.md"]
    index.refresh(shelf.listing(), shelf.load)
    assert shelf.newly_loaded() == []


def test_a_file_that_cannot_be_read_is_asked_for_once(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("locked.md", None)
    shelf.put("open.md", "harbour")
    assert index.refresh(shelf.listing(), shelf.load).added == 2
    assert index.refresh(shelf.listing(), shelf.load) == NOTHING_NEW
    assert shelf.newly_loaded() == ["locked.md", "open.md"]
    assert found(index, "harbour") == ["open.md"]
    shelf.put("locked.md", "harbour bell")
    assert index.refresh(shelf.listing(), shelf.load).changed == 1
    assert found(index, "harbour bell") == ["locked.md", "open.md"]


def test_files_without_words_are_no_documents(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("a.md", "harbour")
    index.refresh(shelf.listing(), shelf.load)
    alone = index.search(["harbour"], 5)
    for number in range(9):
        shelf.put(f"empty-{number}.md", "the of and" if number % 2 else "")
    index.refresh(shelf.listing(), shelf.load)
    assert index.search(["harbour"], 5) == alone


@pytest.mark.parametrize(
    ("name", "stat"),
    [
        ("caf\udce9.md", {}),
        ("half\ud83d.md", {}),
        ("日記.md", {}),
        ("a\"b'c;--.md", {}),
        ("far.md", {"inode": 2**64 - 3}),
        ("old.md", {"mtime_ns": -(10**18)}),
        ("late.md", {"mtime_ns": 13 * 10**18, "ctime_ns": 13 * 10**18}),
    ],
)
def test_odd_names_and_numbers_are_kept(
    index: SearchIndex, shelf: Shelf, name: str, stat: dict[str, int]
) -> None:
    shelf.put(name, "harbour", **stat)
    shelf.put("plain.md", "harbour")
    index.refresh(shelf.listing(), shelf.load)
    assert sorted(found(index, "harbour")) == sorted([name, "plain.md"])
    assert index.refresh(shelf.listing(), shelf.load) == NOTHING_NEW
    shelf.drop(name)
    assert index.refresh(shelf.listing(), shelf.load).removed == 1
    assert found(index, "harbour") == ["plain.md"]


def test_the_total_counts_what_the_limit_leaves_out(index: SearchIndex) -> None:
    shelf = full_shelf()
    index.refresh(shelf.listing(), shelf.load)
    hits = index.search(words("note"), 3)
    assert (hits.total, len(hits.best)) == (150, 3)
    assert index.search(words("only7x"), 3).best[0].name == "note-007.md"


def test_a_load_that_fails_leaves_the_index_as_it_was(path: str, shelf: Shelf) -> None:
    shelf.put("a.md", "harbour")
    with open_index(path) as index:
        index.refresh(shelf.listing(), shelf.load)
        shelf.put("a.md", "bridge")
        shelf.put("b.md", "bridge")
        del shelf.texts["b.md"]
        with pytest.raises(KeyError):
            index.refresh(shelf.listing(), shelf.load)
        assert found(index, "harbour") == ["a.md"]
    shelf.put("b.md", "bridge")
    with open_index(path) as index:
        assert index.refresh(shelf.listing(), shelf.load) == NOTHING_NEW._replace(added=1, changed=1)
        assert found(index, "bridge") == ["a.md", "b.md"]


def test_without_a_refresh_the_last_command_answers(path: str, shelf: Shelf) -> None:
    with open_index(path) as index, pytest.raises(Corrupt):
        index.search(["harbour"], 5)
    with open_index(None) as index, pytest.raises(Corrupt):
        index.search(["harbour"], 5)
    shelf.put("a.md", "harbour")
    with open_index(path) as index:
        index.refresh(shelf.listing(), shelf.load)
    with open_index(path) as index:
        assert found(index, "harbour") == ["a.md"]


def test_a_closed_index_is_a_mistake_and_no_damage(path: str, shelf: Shelf) -> None:
    index = open_index(path)
    index.refresh(shelf.listing(), shelf.load)
    index.close()
    with pytest.raises(sqlite3.ProgrammingError):
        index.search(["harbour"], 5)
    assert os.path.exists(path)


def test_o06_unreadable_files_are_named_until_they_can_be_read(path: str, shelf: Shelf) -> None:
    shelf.put("good.md", "harbour")
    shelf.put("bad-2.md", None)
    shelf.put("bad-1\udce9.md", None)
    shelf.put("empty.md", "")
    with open_index(path) as index:
        index.refresh(shelf.listing(), shelf.load)
        assert index.find_unreadable() == ["bad-1\udce9.md", "bad-2.md"]
    shelf.put("bad-2.md", "mended")
    with open_index(path) as index:
        index.refresh(shelf.listing(), shelf.load)
        assert index.find_unreadable() == ["bad-1\udce9.md"]


def test_ranking_and_snippets_do_not_load_a_database() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"  # a tracer may have loaded it
        "import wuu.search, wuu.search.ranking, wuu.search.snippets\n"
        "sys.exit('sqlite3' in set(sys.modules) - before)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
