"""Scores as shares of a query, by which the hits of a small index and of a large one can be compared."""

from hypothesis import given
from hypothesis import strategies as st

from search.shelf import Shelf
from wuu.search.index import open_index
from wuu.search.ranking import FEWEST_WORDS, Matches, weigh_query
from wuu.text.words import words


def matches_of(texts: dict[str, str], query: str) -> Matches:
    shelf = Shelf()
    for name, text in texts.items():
        shelf.put(name, text)
    with open_index(None) as index:
        index.refresh(shelf.listing(), shelf.load)
        return index.find(words(query))


def test_shares_keep_the_order_and_the_total_of_the_scores() -> None:
    texts = {f"{number}.md": "harbour bell" if number % 3 else "harbour rope quay" for number in range(30)}
    matches = matches_of(texts, "quay bell")
    assert [hit.name for hit in matches.shares(5).best] == [hit.name for hit in matches.hits(5).best]
    assert matches.shares(5).total == matches.hits(5).total == 30


def test_a_memory_that_holds_the_whole_query_scores_alike_on_a_small_shelf_and_on_a_large_one() -> None:
    small = {"a.md": "the quay master", "b.md": "rope", "c.md": "bell"}
    large = {**small, **{f"{number}.md": f"word{number} talk" for number in range(500)}}
    few, many = (matches_of(texts, "quay master") for texts in (small, large))
    assert many.hits(1).best[0].score > 3 * few.hits(1).best[0].score
    assert 0.8 < few.shares(1).best[0].score / many.shares(1).best[0].score < 1.25


def test_a_word_that_no_file_holds_makes_the_share_smaller() -> None:
    texts = {"a.md": "quay", "b.md": "rope"}
    assert (
        matches_of(texts, "quay zebra").shares(1).best[0].score
        < matches_of(texts, "quay").shares(1).best[0].score
    )


def test_what_is_left_out_might_as_well_not_be_there() -> None:
    kept = {f"{number}.md": f"bell harbour{number}" if number % 2 else "rope" for number in range(20)}
    waiting = {f"p{number}.md": "bell bell rope quay" for number in range(15)}
    together = matches_of({**kept, **waiting}, "bell quay").without(waiting)
    alone = matches_of(kept, "bell quay")
    assert together.shares(50) == alone.shares(50)


@given(st.dictionaries(st.text(), st.integers(0, 50), max_size=40), st.integers(0, 50))
def test_the_weight_of_a_query_is_never_0(counts: dict[str, int], total: int) -> None:
    assert weigh_query(counts, total) > 0


def test_only_the_rarest_words_weigh() -> None:
    counts = {f"w{number}": 1 for number in range(FEWEST_WORDS)}
    assert weigh_query({**counts, "common": 90}, 100) == weigh_query(counts, 100)
