"""Memories on the disk: shelves read, ids found, links seen from both ends."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.samples import HOSTILE_TEXTS
from wuu.errors import Ambiguous, IoProblem, NotFound, NotUtf8, TooLarge, UnsafeFile
from wuu.memory.entries import (
    Catalogue,
    count_statuses,
    get_entry,
    ids_in,
    linkers,
    read_bodies,
    read_catalogue,
    read_entry,
    text_of,
)
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, STATUSES, Entry, parse_entry, render_entry
from wuu.memory.links import Link, all_links, links_of, revision_of
from wuu.memory.shelves import Shelf, project_shelf, session_shelf, user_shelf
from wuu.store.home import Home
from wuu.text.normalise import duplicate_key

USER, SHOP, APP = user_shelf("default"), project_shelf("shop-1"), project_shelf("app-2")
A, B, C = "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"


class Disk:
    """A home with files of memories in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = Home(os.path.realpath(root))

    def place(self, shelf: Shelf, name: str) -> Path:
        place = self.root / shelf.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def put(self, shelf: Shelf, memory_id: str, content: str | bytes = "", **fields: object) -> Entry:
        entry = Entry(memory_id, shelf, SAVED, "Text.")._replace(**fields)  # type: ignore[arg-type]
        data = content or render_entry(entry)
        self.place(shelf, f"{memory_id}.md").write_bytes(data if isinstance(data, bytes) else data.encode())
        return entry

    def read(self, *shelves: Shelf) -> Catalogue:
        return read_catalogue(self.home, shelves)


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def test_a_home_without_memories_has_none(disk: Disk) -> None:
    assert disk.read(USER, SHOP) == Catalogue((), ())
    assert read_entry(disk.home, USER, A) is None
    assert sum(count_statuses(disk.home, (USER, SHOP)).values()) == 0


def test_shelves_are_read_in_their_order_and_ids_in_theirs(disk: Disk) -> None:
    for shelf, memory_id in ((SHOP, C), (SHOP, A), (USER, B), (APP, "dddddddddddddddd")):
        disk.put(shelf, memory_id)
    found = disk.read(USER, SHOP)
    assert [entry.path for entry in found.entries] == [USER.path(B), SHOP.path(A), SHOP.path(C)]
    assert found.by_id()[A] == read_entry(disk.home, SHOP, A)
    assert ids_in(disk.home, SHOP) == [A, C]


def test_o06_an_unreadable_file_is_named_and_hides_no_other(disk: Disk) -> None:
    disk.put(SHOP, A, b"---\nstatus: saved\n---\nsoup \xe9t\xe9 \xff\n")
    disk.put(SHOP, B)
    disk.put(SHOP, C, b"x" * 262_145)
    found = disk.read(SHOP)
    assert [entry.id for entry in found.entries] == [B]
    assert [(caveat.code, caveat.details["file"]) for caveat in found.caveats] == [
        ("not_utf8", SHOP.path(A)),
        ("too_large", SHOP.path(C)),
    ]
    assert found.caveats[0].details["offset"] == 27
    assert count_statuses(disk.home, [SHOP]) == {"pending": 0, "saved": 1, "archived": 0, "unreadable": 2}
    with pytest.raises(NotUtf8, match=f"{A}.md is not UTF-8 at byte 27"):
        read_entry(disk.home, SHOP, A)
    with pytest.raises(TooLarge):
        get_entry(disk.home, [SHOP], C)


def test_a_file_of_the_most_bytes_is_read(disk: Disk) -> None:
    disk.put(SHOP, A, b"x" * 262_144)
    assert len(disk.read(SHOP).entries[0].text) == 262_144


def test_o06_a_file_that_the_system_refuses_is_named(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    disk.put(SHOP, A)
    disk.put(SHOP, B)
    really_open = os.open

    def refuse(path: str, *arguments: int, **options: int) -> int:
        if A in os.fspath(path):
            raise PermissionError(errno.EACCES, "no")
        return really_open(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
    found = disk.read(SHOP)
    assert [entry.id for entry in found.entries] == [B]
    assert [caveat.code for caveat in found.caveats] == ["io_error"]


def test_o18_links_and_special_files_are_not_read(disk: Disk) -> None:
    secret = disk.root / "outside.md"
    secret.write_text("---\nstatus: saved\n---\nQUIETFOX")
    disk.place(SHOP, f"{A}.md").symlink_to(secret)
    os.mkfifo(disk.place(SHOP, f"{B}.md"))
    disk.place(SHOP, f"{C}.md").mkdir()
    assert disk.read(SHOP).entries == ()
    assert list(read_bodies(disk.home, [SHOP])) == []
    with pytest.raises(UnsafeFile):
        get_entry(disk.home, [SHOP], A)


def test_o18_a_file_that_becomes_a_link_while_the_shelf_is_read_is_refused(disk: Disk) -> None:
    from wuu.memory.folder import read_texts

    secret = disk.root / "outside.md"
    secret.write_text("QUIETFOX")
    disk.place(SHOP, f"{A}.md").symlink_to(secret)
    os.mkfifo(disk.place(SHOP, f"{B}.md"))
    found = dict(read_texts(disk.home, SHOP.folder, [A, B, C]))
    assert {key: type(value) for key, value in found.items()} == {A: UnsafeFile, B: UnsafeFile}


def test_o18_a_shelf_behind_a_link_that_leaves_is_refused(disk: Disk, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / f"{A}.md").write_text("QUIETFOX")
    (disk.root / "entries").mkdir()
    (disk.root / "entries" / "default").symlink_to(outside)
    with pytest.raises(UnsafeFile):
        disk.read(USER)


def test_a_shelf_that_is_a_file_is_no_empty_one(disk: Disk) -> None:
    (disk.root / "entries").mkdir()
    (disk.root / "entries" / "default").write_text("")
    with pytest.raises(IoProblem):
        disk.read(USER)


def test_names_that_are_no_ids_are_no_memories(disk: Disk) -> None:
    for name in ("notes.md", f"{A}.md~", f".{A}.md", f"{A} (1).md", ".wuu-tmp-00", f"{A.upper()}.md"):
        disk.place(SHOP, name).write_text("---\nstatus: saved\n---\nx")
    assert disk.read(SHOP) == Catalogue((), ())


# --- the same id twice ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "status"),
    [
        (SAVED, PENDING, PENDING),
        (PENDING, SAVED, PENDING),
        (SAVED, ARCHIVED, ARCHIVED),
        (SAVED, SAVED, SAVED),
    ],
)
def test_of_an_id_in_two_places_the_lesser_reading_counts(
    disk: Disk, one: str, other: str, status: str
) -> None:
    disk.put(USER, A, status=one, text=one, pinned=one == SAVED)
    disk.put(SHOP, A, status=other, text=other, pinned=other == SAVED, sensitivity="high")
    (entry,) = disk.read(USER, SHOP).entries
    assert (entry.status, entry.text, entry.sensitivity) == (status, status, "high")
    assert entry.pinned == (one == other)
    assert entry.problems == (f"the same id is in {USER.path(A)} and in {SHOP.path(A)}",)
    with pytest.raises(Ambiguous, match="stands in two places"):
        get_entry(disk.home, [USER, SHOP], A)


def test_an_id_in_two_places_is_pinned_only_if_both_are(disk: Disk) -> None:
    disk.put(USER, A, pinned=True)
    disk.put(SHOP, A)
    assert [entry.pinned for entry in (*disk.read(USER, SHOP).entries, *disk.read(SHOP, USER).entries)] == [
        False
    ] * 2


# --- finding by the beginning of an id ------------------------------------------------------------------


def test_an_id_may_be_shortened_as_long_as_it_is_one(disk: Disk) -> None:
    for memory_id in (A, "aaaaaaaabbbbbbbb", B):
        disk.put(SHOP, memory_id)
    assert get_entry(disk.home, [USER, SHOP], "B").id == B
    assert get_entry(disk.home, [USER, SHOP], A).id == A
    with pytest.raises(Ambiguous, match="begins 2 ids") as caught:
        get_entry(disk.home, [USER, SHOP], "aaaa")
    assert caught.value.details["ids"] == [A, "aaaaaaaabbbbbbbb"]
    for unknown in ("c", C):
        with pytest.raises(NotFound):
            get_entry(disk.home, [USER, SHOP], unknown)
    with pytest.raises(NotFound):
        get_entry(disk.home, [USER], B)


# --- what is read of the files --------------------------------------------------------------------------


def test_o24_bodies_are_those_that_a_whole_reading_finds(disk: Disk) -> None:
    written = [
        "Use pnpm, not npm",
        "Use  pnpm, not npm ",
        "Use pnpm,\r\nnot npm",
        "Use pnpm, not npm\n\n",
        *HOSTILE_TEXTS,
    ]
    for number, text in enumerate(written):
        disk.put(SHOP, f"{number:016x}", f"---\r\nstatus: saved\r\n---\r\n\r\n{text}\r\n")
    bodies = {memory_id: text for _, memory_id, text in read_bodies(disk.home, [SHOP])}
    assert bodies == {entry.id: entry.text for entry in disk.read(SHOP).entries}
    assert len({duplicate_key(bodies[f"{number:016x}"]) for number in range(4)}) == 1


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_the_text_of_a_file_is_told_without_the_rest(document: str) -> None:
    assert text_of(document) == parse_entry(A, SHOP, document).text


def test_statuses_are_counted_as_they_are_read(disk: Disk) -> None:
    for number, status in enumerate([SAVED, SAVED, PENDING, ARCHIVED, "done", "Saved", ""]):
        disk.put(SHOP, f"{number:016x}", f"---\nstatus: {status}\nx: y\n---\nx\n")
    counted = count_statuses(disk.home, [USER, SHOP])
    read = [entry.status for entry in disk.read(SHOP).entries]
    assert counted == {**{status: read.count(status) for status in STATUSES}, "unreadable": 0}
    assert counted["saved"] == 3


# --- links ----------------------------------------------------------------------------------------------


def test_links_are_seen_from_both_ends(disk: Disk) -> None:
    disk.put(SHOP, A, links=((B, "supports"), (C, "related")))
    disk.put(SHOP, B)
    disk.put(USER, C)
    entries = disk.read(USER, SHOP).by_id()
    assert links_of(entries[A], entries.values()) == (Link(B, "supports", "out"), Link(C, "related", "both"))
    assert links_of(entries[B], entries.values()) == (Link(A, "supports", "in"),)
    assert links_of(entries[C], [entries[A]]) == (Link(A, "related", "both"),)
    assert all_links(entries.values()) == {
        key: links_of(one, entries.values()) for key, one in entries.items()
    }
    assert [entry.id for entry in linkers(disk.home, [USER, SHOP], B)] == [A]


def test_of_two_links_between_a_pair_both_ends_see_the_same_one() -> None:
    one = Entry(A, SHOP, SAVED, "x", links=((B, "supports"),))
    other = Entry(B, SHOP, SAVED, "x", links=((A, "conflicts"),))
    for entries in ([one, other], [other, one]):
        assert all_links(entries) == {A: (Link(B, "supports", "out"),), B: (Link(A, "supports", "in"),)}


def test_a_text_that_names_a_link_is_none(disk: Disk) -> None:
    disk.put(SHOP, A, text=f"link-{B}: supports")
    disk.put(SHOP, C, b"\xff link-" + B.encode())
    assert linkers(disk.home, [SHOP], B) == []


def test_a_revision_covers_bytes_place_and_links() -> None:
    entry = Entry(A, SHOP, SAVED, "x", digest="1")
    links = (Link(B, "related", "both"), Link(C, "supports", "in"))
    known = revision_of(entry, links)
    assert known.startswith("sha256:")
    assert len(known) == len("sha256:") + 64
    assert revision_of(entry, links[::-1]) == known
    others = [
        revision_of(entry._replace(digest="2"), links),
        revision_of(entry._replace(shelf=APP), links),
        revision_of(entry, links[:1]),
        revision_of(entry, (links[0], links[1]._replace(direction="out"))),
    ]
    assert len({known, *others}) == 5


def test_a_session_shelf_is_read_like_any_other(disk: Disk) -> None:
    shelf = session_shelf("shop-1", "3f2a")
    assert disk.put(shelf, A).path == f"workspaces/shop-1/sessions/3f2a/entries/{A}.md"
    assert [entry.shelf for entry in disk.read(shelf).entries] == [shelf]
