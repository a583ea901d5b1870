"""How a prompt is taken apart: short ones not at all, long ones sentence by sentence."""

from hypothesis import given
from hypothesis import strategies as st

from wuu.search.pieces import FEWEST_WORDS, LONGEST_PROMPT, MOST_PIECES, MOST_WORDS, SHORT_WORDS, cut_prompt
from wuu.text.words import words

FILLER = "Yesterday the orchestra rehearsed a cheerful symphony beside the frozen lighthouse. " * 3
PLANT = "The quay harbours seventeen wooden vessels and several rusty anchors."


def test_a_short_prompt_is_one_piece_whatever_its_sentences() -> None:
    prompt = "The staging database is empty. Why?"
    assert cut_prompt(prompt) == (tuple(dict.fromkeys(words(prompt))),)


def test_a_prompt_without_words_has_no_piece() -> None:
    assert cut_prompt("") == cut_prompt("is it the") == cut_prompt("?!") == ()


def test_a_long_prompt_is_taken_apart_by_its_sentences() -> None:
    pieces = cut_prompt(f"{FILLER}{PLANT} When is the staging database reset? {FILLER}")
    assert tuple(words("When is the staging database reset?")) in pieces
    assert tuple(words(PLANT)) in pieces


def test_what_a_prompt_names_besides_belongs_to_it() -> None:
    assert cut_prompt("release", ["202605"]) == (("release", "202605"),)
    assert cut_prompt(f"{FILLER}{PLANT}", ["202605"])[-1] == ("202605",)


def test_a_point_within_a_name_ends_no_sentence() -> None:
    pieces = cut_prompt(f"{PLANT} {FILLER} Please open wuu.settings.toml quickly tomorrow")
    assert tuple(words("Please open wuu.settings.toml quickly tomorrow")) in pieces


def test_text_without_blanks_is_taken_apart_as_well() -> None:
    pieces = cut_prompt("缓存过期时间设为五分钟。夜间任务除外，重启后恢复，日志三十日删除。部署在星期二进行")
    assert len(pieces) > 1


@given(st.text(max_size=400))
def test_every_piece_is_made_of_words_of_the_prompt_and_has_a_size(prompt: str) -> None:
    pieces = cut_prompt(prompt)
    assert len(pieces) <= MOST_PIECES
    assert all(piece and len(set(piece)) == len(piece) for piece in pieces)
    if len(pieces) > 1:
        assert all(len(piece) <= MOST_WORDS + FEWEST_WORDS for piece in pieces)
    elif pieces:
        assert len(pieces[0]) <= max(SHORT_WORDS, MOST_WORDS + FEWEST_WORDS)


def test_of_a_very_long_prompt_the_beginning_and_the_end_count() -> None:
    prompt = f"alphaword here. {'filler words again. ' * LONGEST_PROMPT} omegaword there."
    found = {word for piece in cut_prompt(prompt) for word in piece}
    assert {"alphaword", "omegaword"} <= found


@given(st.lists(st.sampled_from(["harbour", "mast", "oak", "bell", "crew"]), max_size=60))
def test_a_word_that_is_repeated_counts_once(found: list[str]) -> None:
    (piece,) = cut_prompt(" ".join(found)) or ((),)
    assert sorted(piece) == sorted(set(found))
