"""Which memories have a text already: over whole shelves, in other case, spacing and normal form."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.conftest import Room, after
from wuu.errors import AlreadyExists
from wuu.memory.format.entry import ARCHIVED, SAVED, Entry, render_entry
from wuu.memory.shelves import project_shelf
from wuu.memory.writing.duplicates import find_duplicates, refuse_duplicate
from wuu.store.home import Home
from wuu.text.normalise import duplicate_key

SHELF = project_shelf("shop-0123456789abcdef")
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20).filter(lambda text: text.strip())
SPELLINGS = (
    lambda text: text,
    str.upper,
    str.swapcase,
    lambda text: f" \n{text}\t",
    lambda text: text.replace(" ", " \r\n "),
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: unicodedata.normalize("NFKC", text),
)


@given(known=st.lists(TEXTS, min_size=1, max_size=4), other=TEXTS, data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
def test_the_quick_look_finds_what_comparing_all_keys_finds(
    tmp_path: Path, known: list[str], other: str, data: st.DataObject
) -> None:
    home = Home(str(tmp_path))
    folder = tmp_path / SHELF.folder
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for number, text in enumerate(known):
        entry = Entry(f"{number:016x}", SHELF, SAVED, text)
        (tmp_path / entry.path).write_bytes(render_entry(entry).encode())
    spelled = data.draw(st.sampled_from(SPELLINGS))(data.draw(st.sampled_from(known)))
    for text in (spelled, other):
        expected = [
            f"{number:016x}" for number, one in enumerate(known) if duplicate_key(one) == duplicate_key(text)
        ]
        assert [entry.id for entry in find_duplicates(home, (SHELF,), text)] == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße 5", "STRASSE 5"),
        ("ﬁle a bug", "file a bug"),
        ("１２ hours", "12 hours"),
        ("x\u00a0y", "x y"),
        ("ends in \u00a8", "ends in \u0020\u0308"),
        ("각", unicodedata.normalize("NFD", "각")),
    ],
)
def test_what_counts_as_the_same(room: Room, one: str, other: str) -> None:
    first = after(room.add(one))
    assert room.add(other).duplicate_of == first.id


@pytest.mark.parametrize("other", ["Use tabs!", "Use tab s", "Usetabs", "We use tabs", "Use tabs\ntabs"])
def test_what_does_not(room: Room, other: str) -> None:
    room.add("Use tabs")
    assert room.add(other).duplicate_of is None


def test_a_file_without_frontmatter_or_with_a_rule_in_it_is_compared_by_its_text(room: Room) -> None:
    room.put("00000000000000aa", "Use tabs\n")
    room.put("00000000000000bb", "---\nstatus: saved\n---\n\nOne\n---\nTwo\n")
    assert room.add("use tabs", agent=True).duplicate_of == "00000000000000aa"
    assert room.add("One --- Two").duplicate_of == "00000000000000bb"
    assert room.add("Two").duplicate_of is None


def test_a_refusal_names_the_other_one_and_can_be_limited_to_statuses(room: Room) -> None:
    entry = after(room.add("Use tabs"))
    other = entry._replace(id="00000000000000aa", text="USE TABS")
    shelves = (entry.shelf,)
    with pytest.raises(AlreadyExists, match=f'{entry.id} "Use tabs" says the same \\(saved, project\\)'):
        refuse_duplicate(room.home, shelves, other)
    refuse_duplicate(room.home, shelves, other, (ARCHIVED,))
    refuse_duplicate(room.home, shelves, entry)
    refuse_duplicate(room.home, (), other)
