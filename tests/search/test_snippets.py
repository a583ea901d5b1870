"""The line that is shown for a hit: which one, and where it is cut."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.search.snippets import WIDTH, Snippet, find_phrase, find_snippet
from wuu.text.words import words

FILLER = "lantern "
FAMILY = "👨\u200d👩\u200d👧"
ANY_TEXT = st.text(max_size=200) | st.text("ab e\u0301\u200d👩🏽🇩🇪夜\r\n\t\x00\x1b\ud83d-", max_size=200)


def snippet(text: str, query: str, width: int = WIDTH) -> Snippet:
    return find_snippet(text, words(query), width)


def test_the_line_with_most_of_the_words_is_shown() -> None:
    text = "the tide table\nthe tide comes with the wind\nthe wind"
    assert snippet(text, "wind and tide") == (2, "the tide comes with the wind")


def test_the_first_of_equal_lines_is_shown() -> None:
    assert snippet("\nmoor at dawn\nmoor at dusk\n", "moor").line == 2


def test_a_word_counts_more_than_its_relative() -> None:
    text = "we deployed twice\ndeploy on Tuesday\n"
    assert snippet(text, "deploy").line == 2
    assert snippet("nothing here\nwe deployed twice\n", "deploy").line == 2


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("went", "all are gone"),
        ("过期", "缓存过期时间"),
        ("redis", "重启redis-cache后恢复"),
        ("café", "the CAFE\u0301 on the pier"),
        ("c++", "a little C++ and tea"),
    ],
)
def test_a_line_is_found_by_the_rule_of_words(query: str, line: str) -> None:
    assert snippet(f"# Title\n\n{line}\n", query) == (3, line)


def test_without_a_match_the_first_line_that_says_something_is_shown() -> None:
    assert snippet("\n \n\x00\n# Harbour\nmore\n", "absent") == (4, "# Harbour")
    assert find_snippet("first\nsecond", []) == (1, "first")


@pytest.mark.parametrize("text", ["", "\n\n", "\x00\x01", " \t\r\n"])
def test_a_blank_text_has_an_empty_first_line(text: str) -> None:
    assert snippet(text, "anything") == (1, "")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_o07_lines_are_counted_and_clean_whatever_ends_them(end: str) -> None:
    text = end.join(["\ufeff# Rota", "", "Ines has the keys", "bye", ""])
    assert snippet(text, "keys") == (3, "Ines has the keys")
    assert find_phrase(text, "# rota") == (1, "# Rota")


def test_a_separator_within_a_line_does_not_count_as_its_end() -> None:
    assert snippet("one\u2028two\x85three\x0bfour\nfive keys", "keys").line == 2


def test_a_snippet_is_one_line_without_controls_or_half_characters() -> None:
    assert snippet("a\tb\x1b[31m red\x07 \ud83d end\u2028last", "red").text == "a b [31m red \ufffd end last"


def test_a_long_line_is_cut_around_the_words() -> None:
    text = FILLER * 100 + "the quoll sleeps " + FILLER * 100
    shown = snippet(text, "quoll", 60).text
    assert "the quoll sleeps" in shown
    assert len(shown) <= 60
    assert shown.startswith("…lantern ")
    assert shown.endswith(" lantern…")


def test_a_cut_prefers_the_place_where_most_words_stand() -> None:
    text = "quoll " + FILLER * 60 + "quoll and wombat " + FILLER * 60
    assert "quoll and wombat" in snippet(text, "quoll wombat", 60).text


def test_the_ends_of_a_long_line_are_shown_without_a_mark() -> None:
    assert snippet("quoll " + FILLER * 60, "quoll", 40).text.startswith("quoll lantern")
    assert snippet(FILLER * 60 + "quoll", "quoll", 40).text.endswith("lantern quoll")


def test_a_long_line_without_blanks_is_cut_at_the_word() -> None:
    shown = snippet("缓存过期时间" * 50 + "夜间任务" + "缓存过期时间" * 50, "夜间", 30).text
    assert "夜间任务" in shown
    assert len(shown) <= 30


@pytest.mark.parametrize(
    "character", [FAMILY, "👍🏽", "🇩🇪", "e\u0301\u0323", "각", "नि", "☝\ufe0f", "❤\ufe0f\u200d🔥"]
)
@pytest.mark.parametrize("width", range(20, 32))
def test_a_cut_never_parts_what_is_shown_as_one_character(character: str, width: int) -> None:
    for text in (character * 80, "quoll" + character * 80, character * 41 + "quoll" + character * 41):
        shown = snippet(text, "quoll", width).text
        assert len(shown) <= width
        assert set(shown.replace(character, "").replace("quoll", "")) <= {"…"}


def test_a_huge_line_is_cut_in_time() -> None:
    text = FILLER * 200_000 + "quoll"
    assert snippet(text, "quoll lantern", 50).line == 1


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("well, it's late", "it's"),
        ("well, it’s late", "It's"),
        ("call f(x)", "("),
        ("all of *", "*"),
        ("a _ b", "_"),
        ("run it with -- -x", "--  -x"),
        ("the end", "the"),
    ],
)
def test_o22_what_gives_no_words_is_found_as_it_is_typed(text: str, phrase: str) -> None:
    assert words(phrase) == []
    assert find_phrase(f"first line\n{text}\n", phrase) == (2, text)


@pytest.mark.parametrize(
    ("text", "phrase"), [("bitter", "it"), ("others", "the"), ("it-s", "it's"), ("text", ""), ("a", " ")]
)
def test_a_phrase_is_not_found_inside_a_word(text: str, phrase: str) -> None:
    assert find_phrase(text, phrase) is None


def test_o23_a_single_character_is_found_inside_a_word() -> None:
    assert find_phrase("缓存过期时间", "期") == (1, "缓存过期时间")


def test_a_phrase_is_data_and_no_expression() -> None:
    assert find_phrase("anything", ".*") is None
    assert find_phrase("see [a-z]+(", "[a-z]+(") == (1, "see [a-z]+(")


@given(ANY_TEXT, st.lists(st.sampled_from(["ab", "夜", "keys", "cplusplus"])), st.integers(2, 60))
def test_a_snippet_fits_and_is_printable(text: str, query: list[str], width: int) -> None:
    line, shown = find_snippet(text, query, width)
    assert 1 <= line <= text.count("\n") + text.count("\r") + 1
    assert len(shown) <= width
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    starts_inside = shown.startswith("…") and unicodedata.category(shown[1:2] or "x")[0] == "M"
    assert "…" in text or not starts_inside


@given(ANY_TEXT, st.text(max_size=8))
def test_a_phrase_never_raises(text: str, phrase: str) -> None:
    found = find_phrase(text, phrase)
    assert found is None or found.text
