"""Which words count, and what a file is worth."""

from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.search.ranking import FEWEST_WORDS, MOST_WORDS, Document, Hits, choose_words, rank

ROWS = st.integers(min_value=1, max_value=12)
DOCUMENTS = st.lists(st.tuples(st.text("ab", min_size=1, max_size=3), st.integers(1, 400)), max_size=12).map(
    lambda drawn: [(row, name, length) for row, (name, length) in enumerate(drawn, 1)]
)
HOLDERS = st.dictionaries(st.text("xyz", min_size=1, max_size=2), st.lists(ROWS, unique=True), max_size=5)


def files(*lengths: int) -> list[Document]:
    return [(row, f"n{row}.md", length) for row, length in enumerate(lengths, 1)]


def test_a_score_is_bm25_of_words_found_or_not() -> None:
    hits = rank(files(100, 100, 100, 1000), {"rare": [1], "common": [1, 2, 4]}, 10)
    # The median is 100, so lengths count as 300, 300, 300 and 1000: 475 on average.
    short = 1.5 / (1 + 0.5 * (0.25 + 0.75 * 300 / 475))
    long = 1.5 / (1 + 0.5 * (0.25 + 0.75 * 1000 / 475))
    expected = {
        "n1.md": (log(1 + 4 / 1) + log(1 + 4 / 3)) * short,
        "n2.md": log(1 + 4 / 3) * short,
        "n4.md": log(1 + 4 / 3) * long,
    }
    assert hits.total == 3
    assert [hit.name for hit in hits.best] == ["n1.md", "n2.md", "n4.md"]
    assert all(isclose(hit.score, expected[hit.name]) for hit in hits.best)


def test_a_short_text_is_not_rewarded_for_being_short() -> None:
    scores = {hit.name: hit.score for hit in rank(files(1, 50, 150, 50, 50), {"w": [1, 2, 3]}, 10).best}
    assert scores["n1.md"] == scores["n2.md"] == scores["n3.md"]


def test_a_long_text_is_worth_less() -> None:
    names = [hit.name for hit in rank(files(5000, 50, 50), {"w": [1, 2]}, 10).best]
    assert names == ["n2.md", "n1.md"]


def test_a_word_that_few_files_hold_is_worth_more() -> None:
    names = [hit.name for hit in rank(files(9, 9, 9, 9), {"often": [1, 2, 3], "once": [4]}, 10).best]
    assert names == ["n4.md", "n1.md", "n2.md", "n3.md"]


def test_equal_scores_are_in_the_order_of_names_wherever_they_are_cut() -> None:
    documents = [(1, "c", 5), (2, "a", 5), (3, "b", 5), (4, "d", 5)]
    holders = {"w": [4, 3, 2, 1]}
    assert [hit.name for hit in rank(documents, holders, 10).best] == ["a", "b", "c", "d"]
    assert [hit.name for hit in rank(documents, holders, 2).best] == ["a", "b"]


@pytest.mark.parametrize("holders", [{}, {"w": []}, {"w": [99]}])
def test_no_holder_no_hit(holders: dict[str, list[int]]) -> None:
    assert rank(files(3, 4), holders, 5) == Hits(0, ())
    assert rank([], holders, 5) == Hits(0, ())


def test_a_limit_of_nothing_still_counts() -> None:
    assert rank(files(3, 4), {"w": [1, 2]}, 0) == Hits(2, ())


def test_a_short_query_keeps_its_common_words_and_loses_those_in_no_file() -> None:
    assert choose_words({"everywhere": 100, "once": 1, "never": 0}, 100) == ["once", "everywhere"]


def test_a_long_query_is_cut_to_its_rarest_words() -> None:
    counts = {f"w{number:03}": number for number in range(1, 101)}
    assert choose_words(counts, 1000) == [f"w{number:03}" for number in range(1, MOST_WORDS + 1)]


def test_beyond_sixteen_words_a_common_one_says_nothing() -> None:
    counts = {f"w{number:03}": number for number in range(1, 101)}
    in_a_fifth = 20  # of a hundred files
    assert choose_words(counts, 100) == [f"w{number:03}" for number in range(1, in_a_fifth + 1)]
    assert len(choose_words(dict.fromkeys(counts, 90), 100)) == FEWEST_WORDS


@given(DOCUMENTS, HOLDERS, st.integers(0, 15))
def test_the_best_are_the_first_of_all(
    documents: list[Document], holders: dict[str, list[int]], limit: int
) -> None:
    everything = rank(documents, holders, len(documents))
    found = {row for rows in holders.values() for row in rows}
    assert sorted(hit.name for hit in everything.best) == sorted(
        name for row, name, _ in documents if row in found
    )
    assert all(hit.score > 0 for hit in everything.best)
    assert list(everything.best) == sorted(everything.best, key=lambda hit: (-hit.score, hit.name))
    assert rank(documents, holders, limit) == Hits(everything.total, everything.best[:limit])


@given(DOCUMENTS, HOLDERS)
def test_the_order_of_words_does_not_matter(documents: list[Document], holders: dict[str, list[int]]) -> None:
    backwards = dict(reversed(list(holders.items())))
    assert rank(documents, holders, 20) == rank(documents, backwards, 20)
