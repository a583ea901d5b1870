"""Three-way merge of lines: both edits survive, or there is a plain no."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.text.merge import merge3

LINE = st.sampled_from(["a", "b", "c", "", "x y", "é"])
ENDING = st.sampled_from(["\n", "\r\n"])
TEXT = st.tuples(st.lists(st.tuples(LINE, ENDING).map("".join), max_size=8), LINE).map(
    lambda parts: "".join(parts[0]) + parts[1]
)
BASE = "".join(f"line {number}\n" for number in range(1, 10))


def _lines(text: str) -> list[str]:
    pieces = [piece + "\n" for piece in text.split("\n")]
    pieces[-1] = pieces[-1][:-1]
    return [piece for piece in pieces if piece]


def test_o02_a_line_that_somebody_adds_meanwhile_survives_an_edit_elsewhere() -> None:
    index = "# Index\n- [One](one.md)\n- [Two](two.md)\n"
    human = index + "- [Human line](human.md)\n"
    edited = index.replace("# Index", "# My index")
    assert merge3(index, edited, human) == edited + "- [Human line](human.md)\n"


def test_changes_of_different_places_come_together() -> None:
    mine = BASE.replace("line 2\n", "")
    theirs = BASE.replace("line 8\n", "line 8\nnew\n")
    assert merge3(BASE, mine, theirs) == BASE.replace("line 2\n", "").replace("line 8\n", "line 8\nnew\n")


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (BASE.replace("line 5", "mine 5"), BASE.replace("line 5", "their 5")),
        (BASE.replace("line 5", "mine 5"), BASE.replace("line 6", "their 6")),
        (BASE.replace("line 5", "mine 5"), BASE.replace("line 5\n", "")),
        (BASE.replace("line 5\n", "line 5\nmine\n"), BASE.replace("line 5\n", "line 5\ntheirs\n")),
        (BASE.replace("line 5\n", "line 5\nmine\n"), BASE.replace("line 6\n", "")),
        (BASE + "mine\n", BASE + "theirs\n"),
        ("", BASE + "theirs\n"),
        (BASE.replace("\n", "\r\n"), BASE + "theirs\n"),
    ],
)
def test_changes_that_overlap_or_touch_are_not_merged(mine: str, theirs: str) -> None:
    assert merge3(BASE, mine, theirs) is None
    assert merge3(BASE, theirs, mine) is None


def test_the_same_change_on_both_sides_is_made_once() -> None:
    both = BASE.replace("line 5", "both 5")
    assert merge3(BASE, both, both) == both
    assert merge3(BASE, both.replace("line 1", "mine 1"), both) == both.replace("line 1", "mine 1")


def test_endings_and_a_missing_last_line_feed_are_kept_exactly() -> None:
    base = "a\r\nb\nc\nd\ne\nlast"
    mine = base.replace("b\n", "b\r\n")
    assert merge3(base, mine, base + "\n") == mine + "\n"
    assert merge3(base, mine, base + "\nmore") == mine + "\nmore"
    assert merge3(base, base + "\n", base + "\nmore") is None


def test_a_line_separator_inside_a_line_ends_no_line() -> None:
    base = "one\u2028two\nmiddle\nend\n"
    assert merge3(base, base.replace("two", "2"), base.replace("end", "END")) == "one\u20282\nmiddle\nEND\n"


def test_texts_that_would_take_long_to_compare_are_not_merged() -> None:
    base = "".join(f"{number % 99}\n{number} a\n" for number in range(2_500))
    assert merge3("start\n" + base, base.replace("a", "b"), base + "theirs\n") is None
    assert merge3(base, "start\n" + base, base + "theirs\n") == "start\n" + base + "theirs\n"


def test_a_long_text_with_many_empty_lines_is_merged() -> None:
    base = "".join(f"{number}\n\n" for number in range(3_000))
    mine = ("start\n" + base).replace("2900\n", "mine\n")
    theirs = base.replace("50\n\n5", "theirs\n\n5", 1)
    assert merge3(base, mine, theirs) == mine.replace("50\n\n5", "theirs\n\n5", 1)


@given(TEXT, TEXT)
def test_an_unchanged_side_gives_way(base: str, changed: str) -> None:
    assert merge3(base, base, changed) == changed
    assert merge3(base, changed, base) == changed
    assert merge3(base, changed, changed) == changed


@given(TEXT, TEXT, TEXT)
def test_a_merge_is_symmetric(base: str, mine: str, theirs: str) -> None:
    assert merge3(base, mine, theirs) == merge3(base, theirs, mine)


@given(TEXT, TEXT, TEXT)
def test_every_line_that_either_side_adds_survives(base: str, mine: str, theirs: str) -> None:
    merged = merge3(base, mine, theirs)
    if merged is None:
        return
    got, before = Counter(_lines(merged)), Counter(_lines(base))
    for side in (mine, theirs):
        assert not (Counter(_lines(side)) - before) - got
    assert not got - before - (Counter(_lines(mine)) - before) - (Counter(_lines(theirs)) - before)


@given(st.lists(st.integers(0, 99), unique=True, min_size=4, max_size=12), st.data())
def test_edits_of_lines_apart_always_merge(numbers: list[int], data: st.DataObject) -> None:
    lines = [f"{number}\n" for number in numbers]
    cut = data.draw(st.integers(2, len(lines) - 2))
    first, second = data.draw(st.integers(0, cut - 2)), data.draw(st.integers(cut, len(lines) - 1))
    mine, theirs, both = list(lines), list(lines), list(lines)
    mine[first] = both[first] = "mine\n"
    theirs[second] = both[second] = "theirs\nand more\n"
    assert merge3("".join(lines), "".join(mine), "".join(theirs)) == "".join(both)
