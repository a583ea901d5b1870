"""Whether what a prompt and a memory share says anything, over real words and tiny indexes."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.shelf import Shelf
from wuu.search import strength
from wuu.search.index import open_index
from wuu.search.pieces import cut_prompt
from wuu.search.ranking import score_pieces
from wuu.search.strength import (
    DEFAULT_FLOOR,
    known_share,
    prompt_rarity,
    rarity,
    rarity_of,
    strong_enough,
)
from wuu.text.words import words

SHARES = st.floats(0.0, 1.0)


def strengths(shelf: Shelf, texts: list[str], prompt: str) -> dict[str, float]:
    """Return how strong each text matches a short prompt, by its number, both sides counted in full."""
    for at, text in enumerate(texts):
        shelf.put(f"{at}.md", text)
    with open_index(None) as index:
        index.refresh(shelf.listing(), shelf.load)
        (piece,) = cut_prompt(prompt)
        found = index.find(piece)
        whole, known = prompt_rarity(found.counts, len(texts)), known_share(found.counts, len(texts))
        own = {
            f"{at}.md": rarity_of(index.count(words(text)).values(), len(texts))
            for at, text in enumerate(texts)
        }
        (scored,) = score_pieces((found,))
        return {
            (name := scored.documents[row][0]): strength.strength(shared, whole, own[name], known, len(texts))
            for row, shared in scored.shared.items()
        }


def matching(shelf: Shelf, texts: list[str], prompt: str, floor: float = DEFAULT_FLOOR) -> set[str]:
    return {texts[int(name[:-3])] for name in strong_enough(strengths(shelf, texts, prompt), floor)}


FEW = [
    "The staging database is reset on Mondays.",
    "The tests need Docker.",
    "Use pnpm, not npm.",
    "Deploys go out on Tuesdays.",
    "The pager code is QUOLL-41.",
]
MANY = [f"The log of the build number {at} is checked by the crew." for at in range(100, 160)]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("why is the staging database empty?", FEW[0]),
        ("when is staging reset?", FEW[0]),
        ("fix the tests", FEW[1]),
        ("pnpm", FEW[2]),
        ("install the deps with pnpm", FEW[2]),
        ("who knows QUOLL-41?", FEW[4]),
        ("what does quoll stand for", FEW[4]),
    ],
)
@pytest.mark.parametrize("others", [[], MANY], ids=["few", "many"])
def test_what_is_about_the_prompt_matches_among_few_and_among_many(
    shelf: Shelf, prompt: str, expected: str, others: list[str]
) -> None:
    assert matching(shelf, [*FEW, *others], prompt) == {expected}


@pytest.mark.parametrize("prompt", ["build", "check the build log", "the crew", "which build crew is that?"])
def test_common_words_alone_are_never_enough(shelf: Shelf, prompt: str) -> None:
    assert matching(shelf, [*FEW, *MANY], prompt) == set()
    assert len(matching(shelf, [*FEW, *MANY], prompt, floor=0.0)) == len(MANY)


def test_a_word_by_chance_in_a_prompt_about_something_else_is_not_enough(shelf: Shelf) -> None:
    prompt = "Which symphony did the orchestra rehearse with the new conductor on Tuesdays?"
    assert matching(shelf, [*FEW, *MANY], prompt) == set()
    assert matching(shelf, [*FEW, *MANY], prompt, floor=0.0) != set()


def test_text_without_blanks_matches_by_pairs_of_characters(shelf: Shelf) -> None:
    texts = ["缓存过期时间设为五分钟，夜间任务除外", "重启redis-cache后恢复", *MANY]
    assert matching(shelf, texts, "缓存什么时候过期？") == {texts[0]}
    assert matching(shelf, texts, "redis") == {texts[1]}


def test_in_a_store_of_one_a_distinctive_word_is_a_match(shelf: Shelf) -> None:
    assert matching(shelf, FEW[:1], "when is staging reset?") == {FEW[0]}


def test_the_smaller_side_counts(shelf: Shelf) -> None:
    long = "pnpm " + " ".join(f"word{at}" for at in range(15))
    found = strengths(shelf, [*FEW, *MANY], long)
    (short,) = [value for name, value in found.items() if name == "2.md"]
    assert 0 < short < DEFAULT_FLOOR
    alone = strengths(shelf, [*FEW, *MANY], "pnpm not npm")
    assert alone["2.md"] > short


# --- the arithmetic -------------------------------------------------------------------------------------


def test_a_word_in_fewer_files_is_rarer_and_an_unknown_one_says_little_in_a_small_store() -> None:
    assert rarity(1, 500) > rarity(2, 500) > rarity(400, 500) > 0
    assert rarity(1, 500) == pytest.approx(log(501))
    assert rarity(0, 500) == pytest.approx(log(501) * 500 / 700)
    assert rarity(0, 5) < 0.1 * rarity(1, 5)
    assert rarity(0, 0) == 0


def test_only_the_sixteen_rarest_words_count() -> None:
    assert rarity_of([1] * 40, 100) == rarity_of([1] * 16, 100)
    assert rarity_of([1] * 16 + [50], 100) == rarity_of([1] * 16, 100)


def test_the_known_share_is_that_of_words_that_some_file_has() -> None:
    assert known_share({"a": 1, "b": 1}, 100) == 1
    assert known_share({"a": 0, "b": 0}, 100) == 0
    assert 0 < known_share({"a": 1, "b": 0}, 100) < 1
    assert known_share({}, 100) == 0
    assert known_share({"a": 0}, 0) == 0


@given(st.dictionaries(st.sampled_from("abcdef"), SHARES), st.floats(0.01, 1.0))
def test_the_floor_asks_for_one_strong_match_and_then_for_half_of_it(
    values: dict[str, float], floor: float
) -> None:
    enough = strong_enough(values, floor)
    if max(values.values(), default=0.0) < floor:
        assert enough == frozenset()
    else:
        assert enough == {name for name, value in values.items() if value >= floor / 2}


@given(st.dictionaries(st.sampled_from("abcdef"), SHARES))
def test_a_floor_of_zero_lets_everything_pass(values: dict[str, float]) -> None:
    assert strong_enough(values, 0.0) == frozenset(values)


@given(st.floats(0, 50), st.floats(0, 100), st.none() | st.floats(0, 100), SHARES, st.integers(0, 20_000))
def test_the_strength_grows_with_what_is_shared_and_with_what_is_known(
    shared: float, prompt: float, file: float | None, known: float, total: int
) -> None:
    value = strength.strength(shared, prompt, file, known, total)
    assert 0 <= value <= strength.strength(shared, prompt, file, 1.0, total)
    assert value <= strength.strength(shared + 1, prompt, file, known, total)
    assert value <= strength.strength(shared, prompt, prompt / 2, known, total) or file is not None
