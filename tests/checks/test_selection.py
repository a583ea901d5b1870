"""Which problems count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.checks.selection import Selection, parse_codes
from wuu.errors import UsageProblem
from wuu.problems import CODES, ERROR, WARNING, problem

FOUND = tuple(problem(code, "a.md", 1, "Text.") for code in CODES)


def _codes(selection: Selection) -> list[str]:
    return [one.code for one in selection.apply(FOUND)]


def test_all_count_by_default_as_they_are() -> None:
    assert Selection().apply(FOUND) == FOUND
    assert {one.severity for one in FOUND} == {ERROR, WARNING}


def test_only_what_is_selected_counts_and_not_what_is_ignored() -> None:
    assert _codes(Selection(select=frozenset(("not_utf8", "dangling_link")))) == ["dangling_link", "not_utf8"]
    assert _codes(Selection(ignore=frozenset(CODES) - {"not_utf8"})) == ["not_utf8"]
    both = Selection(select=frozenset(("not_utf8", "too_large")), ignore=frozenset(("too_large",)))
    assert _codes(both) == ["not_utf8"]


def test_strict_makes_errors_of_warnings_and_drops_none() -> None:
    strict = Selection(strict=True).apply(FOUND)
    assert [one._replace(severity="") for one in strict] == [one._replace(severity="") for one in FOUND]
    assert {one.severity for one in strict} == {ERROR}


@given(st.sets(st.sampled_from(sorted(CODES))), st.sets(st.sampled_from(sorted(CODES))))
def test_a_code_counts_if_it_is_selected_and_not_ignored(select: set[str], ignore: set[str]) -> None:
    kept = set(_codes(Selection(frozenset(select) if select else None, frozenset(ignore))))
    assert kept == (select or set(CODES)) - ignore


@pytest.mark.parametrize(
    "given_values",
    [
        ("not_utf8,too_large",),
        ("not_utf8", "too_large"),
        (" not_utf8 , too_large ,",),
        ("not_utf8,not_utf8,too_large",),
    ],
)
def test_codes_may_be_repeated_or_joined_by_commas(given_values: tuple[str, ...]) -> None:
    assert parse_codes("--select", given_values) == {"not_utf8", "too_large"}


@pytest.mark.parametrize(
    ("value", "meant"),
    [("dangling_lnik", "dangling_link"), ("Dangling-Link", "dangling_link"), ("utf8", "not_utf8")],
)
def test_an_unknown_code_is_refused_with_the_nearest(value: str, meant: str) -> None:
    with pytest.raises(UsageProblem) as raised:
        parse_codes("--ignore", ("too_large", value))
    assert f"--ignore: {value!r}" in raised.value.message
    assert raised.value.hint == f"Did you mean {meant}?"


def test_a_code_that_is_near_to_none_is_refused_with_all_of_them() -> None:
    with pytest.raises(UsageProblem) as raised:
        parse_codes("--select", ("E501",))
    assert all(code in (raised.value.hint or "") for code in CODES)


@pytest.mark.parametrize("value", ["", " ", ",", " , "])
def test_an_empty_value_is_refused_because_nothing_would_be_checked(value: str) -> None:
    with pytest.raises(UsageProblem, match="names no code"):
        parse_codes("--select", (value,))
