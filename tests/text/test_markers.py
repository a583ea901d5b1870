"""Standing markers, and a text that only restates what is asked for now (seed 002)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.consent_lines import PASSING, STANDING
from wuu.text.markers import has_standing_marker, restates

REQUEST = "Rewrite the harbour importer so that tide tables load from parquet"


@pytest.mark.parametrize("message", STANDING)
def test_a_standing_statement_is_known(message: str) -> None:
    assert has_standing_marker(message)
    assert has_standing_marker(message.upper())
    assert has_standing_marker(f"fix the test. {message}, thanks")


@pytest.mark.parametrize("message", PASSING)
def test_what_passes_is_not_standing(message: str) -> None:
    assert not has_standing_marker(message)


@pytest.mark.parametrize(
    ("text", "message", "expected"),
    [
        ("The harbour importer loads tide tables from parquet", REQUEST, True),
        ("HARBOUR IMPORTER, TIDE", REQUEST, True),
        ("User wants the importer rewritten for Windows machines at the lighthouse", REQUEST, False),
        ("harbour importer", REQUEST, False),
        ("harbour harbour harbour importer", REQUEST, False),
        ("harbour importer tables one two three lighthouse ferry osprey heron", REQUEST, False),
        ("The harbour importer loads tide tables from parquet", f"Remember: {REQUEST}", False),
        ("The harbour importer loads tide tables from parquet", f"de ahora en adelante {REQUEST}", False),
        ("El importador del puerto lee mareas", "Haz que el importador del puerto lea las mareas", True),
        ("", REQUEST, False),
        ("the harbour importer", "", False),
    ],
)
def test_half_of_the_words_and_three_of_them_restate(text: str, message: str, expected: bool) -> None:
    assert restates(text, message) is expected


def test_exactly_half_of_the_words_restate() -> None:
    assert restates("harbour importer tide osprey heron lighthouse", REQUEST)
    assert not restates("harbour importer tide osprey heron lighthouse ferry", REQUEST)


@given(st.text(st.characters(exclude_categories=())), st.text(st.characters(exclude_categories=())))
def test_any_text_is_judged(text: str, message: str) -> None:
    assert not (restates(text, message) and has_standing_marker(message))


@given(st.sampled_from((*STANDING, *PASSING)), st.sampled_from((" ", "  ", "\t", "\n", " \u00a0")))
def test_spacing_and_case_do_not_count(message: str, space: str) -> None:
    spread = space.join(message.split())
    assert has_standing_marker(spread) == has_standing_marker(message)
    assert has_standing_marker(spread.upper()) == has_standing_marker(message)


@pytest.mark.parametrize("part", ["from now ", "don't ", "a partir de ", "i ", "-", ".", "'", "é"])
def test_a_long_message_ends(part: str) -> None:
    message = part * (100_000 // len(part))
    assert not has_standing_marker(message)
    assert not restates("harbour importer tide", message)
