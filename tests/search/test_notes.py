"""Notes: what the owner of a file wants to know of it without reading it again; they are never searched."""

from search.shelf import Shelf, found
from wuu import clock
from wuu.search.index import SearchIndex, open_index
from wuu.search.rows import Noted


def refresh(index: SearchIndex, shelf: Shelf, notes: dict[str, str]) -> None:
    index.refresh(shelf.listing(), lambda name: Noted(shelf.load(name) or "", notes.get(name, "")))


def test_notes_come_back_by_name_and_are_not_searched(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("a.md", "harbour")
    shelf.put("b.md", "bell")
    refresh(index, shelf, {"a.md": "pending quay"})
    assert index.read_notes() == {"a.md": "pending quay"}
    assert found(index, "quay") == []
    assert found(index, "harbour") == ["a.md"]


def test_a_note_that_changed_is_written_though_the_text_is_the_same(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("a.md", "harbour")
    refresh(index, shelf, {"a.md": "pending"})
    shelf.put("a.md", "harbour")
    refresh(index, shelf, {})
    assert index.read_notes() == {}
    shelf.put("a.md", "harbour")
    refresh(index, shelf, {"a.md": "archived"})
    assert index.read_notes() == {"a.md": "archived"}


def test_a_note_and_the_text_behind_it_cannot_be_mistaken_for_another_pair(
    index: SearchIndex, shelf: Shelf
) -> None:
    shelf.put("a.md", "quay harbour")
    refresh(index, shelf, {})
    shelf.put("a.md", " harbour")
    refresh(index, shelf, {"a.md": "quay"})
    assert index.read_notes() == {"a.md": "quay"}
    assert found(index, "quay") == []


def test_the_note_goes_with_its_file(path: str, shelf: Shelf) -> None:
    shelf.put("a.md", "harbour")
    with open_index(path) as index:
        refresh(index, shelf, {"a.md": "note-of-a"})
        shelf.drop("a.md")
        refresh(index, shelf, {})
        assert index.read_notes() == {}
    with open(path, "rb") as file:
        assert b"note-of-a" not in file.read()


def test_a_file_without_a_text_has_no_note(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("a.md", None)
    index.refresh(shelf.listing(), shelf.load)
    assert index.read_notes() == {}


def test_comparing_says_what_a_refresh_would_deal_with_and_does_nothing(
    index: SearchIndex, shelf: Shelf
) -> None:
    for name in ("a.md", "b.md", "c.md"):
        shelf.put(name, "harbour")
    assert index.compare(shelf.listing()) == (0, 3)
    index.refresh(shelf.listing(), shelf.load)
    assert index.compare(shelf.listing()) == (3, 0)
    shelf.put("a.md", "bell")
    shelf.drop("b.md")
    shelf.put("d.md", "rope")
    assert index.compare(shelf.listing()) == (3, 3)
    assert index.compare(shelf.listing()) == (3, 3)


def test_a_file_that_changed_just_now_is_one_to_look_at_again(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("a.md", "harbour", mtime_ns=int(clock.now() * 1e9))
    index.refresh(shelf.listing(), shelf.load)
    assert index.compare(shelf.listing()) == (1, 1)
