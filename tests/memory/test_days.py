"""Days in the spellings of people, in a memory and in a query."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.memory.format.days import day_text, days_named
from wuu.text.words import words


def test_a_day_is_indexed_so_that_its_spellings_find_it_and_single_numbers_do_not() -> None:
    assert day_text("2023-05-08T13:56:00.000000Z") == "May 2023-05-08 2023-05"
    assert words(day_text("2023-05-08")) == ["2023", "05", "08", "20230508", "2023", "05", "202305"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("May 2023", "202305"),
        ("what did we decide in may  2023?", "202305"),
        ("8 May 2023", "202305 20230508"),
        ("8. May 2023", "202305 20230508"),
        ("on the 8th of May, 2023", "202305 20230508"),
        ("May 8, 2023", "202305 20230508"),
        ("MAY 8TH 2023", "202305 20230508"),
        ("8 de mayo de 2023", "202305 20230508"),
        ("diciembre de 2022", "202212"),
        ("sept. 2024 and Jan 2025", "202409 202501"),
        ("June of 2021", "202106"),
        ("may we have 2023 bells", ""),
        ("release 2023", ""),
        ("in May", ""),
        ("", ""),
    ],
)
def test_the_months_and_days_that_a_query_names(query: str, named: str) -> None:
    assert days_named(query) == named


@given(
    st.dates(min_value=dt.date(1000, 1, 1)),
    st.sampled_from(("%d %B %Y", "%B %d, %Y", "%B %Y", "%b %Y")),
)
def test_a_day_is_found_by_its_spellings(day: dt.date, spelling: str) -> None:
    indexed = set(words(day_text(f"{day.isoformat()}T00:00:00Z")))
    named = words(days_named(day.strftime(spelling)))
    assert named
    assert indexed.issuperset(named)
    assert indexed.issuperset(words(day.isoformat()))


@given(st.text())
def test_no_query_is_an_error(query: str) -> None:
    assert isinstance(days_named(f"{query} 2023"), str)
