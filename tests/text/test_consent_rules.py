"""What a person asks to remember, against labelled messages and properties (seed 002, "Memory consent")."""

import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.consent_lines import HELD_OUT, LATER, TUNED, Lines
from wuu.text.consent import find_asked
from wuu.text.markers import asks_to_remember, matches_message

ALL = (*TUNED, *HELD_OUT, *LATER)
ASKING = tuple(message for lines in ALL for message in lines.asking)
SILENT = tuple(message for lines in ALL for message in lines.silent)
MATCHING = tuple(pair for lines in TUNED + HELD_OUT for pair in lines.matching)
DIFFERING = tuple(pair for lines in ALL for pair in lines.differing)
SMALL_WORDS = frozenset(
    ("the", "a", "an", "is", "are", "in", "on", "at", "de", "del", "la", "el", "en", "es", "está", "al")
)
NEGATIONS = frozenset(("no", "not", "never", "nunca"))


def _figures(found: Iterable[bool], wrongly: Iterable[bool]) -> tuple[float, float]:
    """Return precision and recall."""
    hits, misses = list(found), sum(wrongly)
    return sum(hits) / max(1, sum(hits) + misses), sum(hits) / len(hits)


@pytest.mark.parametrize(
    "lines", [*TUNED, *HELD_OUT, *LATER], ids=("en", "es", "held en", "held es", "later")
)
def test_requests_are_told_from_mentions(lines: Lines) -> None:
    precision, recall = _figures(map(asks_to_remember, lines.asking), map(asks_to_remember, lines.silent))
    assert precision == 1
    assert recall >= 0.9


@pytest.mark.parametrize(
    "lines", [*TUNED, *HELD_OUT, *LATER], ids=("en", "es", "held en", "held es", "later")
)
def test_the_fact_is_told_from_others(lines: Lines) -> None:
    found = (matches_message(*pair) for pair in lines.matching)
    precision, recall = _figures(found, (matches_message(*pair) for pair in lines.differing))
    assert precision == 1
    assert recall >= 0.8


@pytest.mark.parametrize(("fact", "message"), DIFFERING)
def test_another_fact_is_never_allowed(fact: str, message: str) -> None:
    assert not matches_message(fact, message)


@given(st.sampled_from(MATCHING), st.data())
def test_another_word_is_another_fact(pair: tuple[str, str], data: st.DataObject) -> None:
    fact, message = pair
    parts = fact.rstrip(".").split()
    places = [
        place
        for place, part in enumerate(parts)
        if part.lower() not in SMALL_WORDS | NEGATIONS
        and part.lower() in message.lower().replace(",", " ").split()
    ]
    if places:
        parts[data.draw(st.sampled_from(places))] = data.draw(st.sampled_from(("zeppelin", "417", "never")))
        assert not matches_message(" ".join(parts), message)


@given(st.sampled_from(MATCHING), st.sampled_from((" ", "  ", "\t", " \u00a0")))
def test_case_spacing_and_composition_do_not_count(pair: tuple[str, str], space: str) -> None:
    fact, message = pair
    spread = "\n".join(space.join(line.split()) for line in message.split("\n"))
    for form in (spread, message.upper(), unicodedata.normalize("NFD", message), f"\n{message}\n"):
        assert asks_to_remember(form)
        assert matches_message(space.join(fact.upper().split()), form)


@given(st.sampled_from(MATCHING))
def test_what_is_quoted_asks_nothing(pair: tuple[str, str]) -> None:
    fact, message = pair
    for form in (
        f"```\n{message}\n```",
        f"~~~\n{message}",
        "\n".join(f"> {line}" for line in message.split("\n")),
        f'He said "{message}"',
        f"«{message}»",
        f"`{message}`",
        f"<context>\n{message}\n</context>",
        f"Fix this:\n{message}",
    ):
        assert not asks_to_remember(form)
        assert not matches_message(fact, form)


@pytest.mark.parametrize("line", ["a pasted line", "Note that the option is deprecated."])
def test_a_long_pasted_text_asks_nothing(line: str) -> None:
    pasted = "\n".join([line] * 40)
    assert not asks_to_remember(f"Look at this\n{pasted}\nRemember that the option is deprecated.")
    assert asks_to_remember(f"Remember that I use fish.\n{pasted}")
    assert not matches_message("The option is deprecated", f"Remember that I use fish.\n{pasted}")


def test_one_request_is_for_one_fact() -> None:
    message = "Remember that I use fish. Also remember that Otto reviews migrations. The cache is cold."
    assert matches_message("User uses fish", message)
    assert matches_message("Otto reviews migrations", message)
    assert not matches_message("User uses fish. Otto reviews migrations", message)
    assert not matches_message("The cache is cold", message)
    assert len(find_asked(message)) == 2


def test_half_a_quoted_statement_is_not_the_whole() -> None:
    message = 'remember that "deploy" means push to production'
    assert asks_to_remember(message)
    assert not matches_message("means push to production", message)
    assert not matches_message("\ufffc means push to production", message)


@given(st.text(st.characters(exclude_categories=())), st.text(st.characters(exclude_categories=())))
def test_any_text_is_judged(fact: str, message: str) -> None:
    assert not (matches_message(fact, message) and not asks_to_remember(message))


@given(
    st.lists(
        st.sampled_from(
            [
                "remember",
                "that",
                "I",
                "prefer",
                "tabs",
                ",",
                ".",
                "?",
                ":",
                "not",
                "recuerda",
                "eso",
                '"',
                "`",
                ">",
                "\n",
                "```",
                "<a>",
            ]
        )
    )
)
def test_any_order_of_its_words_is_judged(parts: list[str]) -> None:
    message = " ".join(parts)
    assert not (matches_message("tabs", message) and not asks_to_remember(message))


@pytest.mark.parametrize(
    "part",
    ["remember that ", "please ", "and remember ", '"', "`", "<a ", "<a>", "'", "a,", "-", "no te ", "? "],
)
def test_a_long_message_ends(part: str) -> None:
    message = part * (100_000 // len(part))
    assert not matches_message("User prefers tabs", message)
    assert not matches_message(message, "Remember that I prefer tabs")
    assert isinstance(asks_to_remember(message), bool)


def test_a_request_for_nothing_matches_nothing() -> None:
    assert asks_to_remember("Please remember that.")
    assert find_asked("Please remember that.") == ()
    assert not matches_message("User prefers tabs", "Please remember that.")


def test_endings_and_persons_may_differ() -> None:
    assert matches_message("User carries batteries", "remember that I carry a battery")
    assert matches_message("The user pushes from boxes", "remember that I push from a box")
    assert not matches_message("Her name is Nora", "my name is Nora, remember that")
    assert not matches_message("The user's name is Nora", "her name is Nora, remember that")
    assert not matches_message("The user's name is Acme", "their name is Acme, remember that")
    assert matches_message("Their name is Acme", "their name is Acme, remember that")
