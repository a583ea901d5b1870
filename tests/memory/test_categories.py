"""The known categories, the spellings that are one, and the policies (FACTS, "MendCode memories")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.memory.categories import (
    AUTO,
    CATEGORIES,
    NEVER,
    OTHER,
    REVIEW,
    find_policy,
    fold_category,
    known_category,
)
from wuu.situation.settings import POLICIES


def test_the_known_ones_are_those_of_the_documents() -> None:
    assert [category.id for category in CATEGORIES] == [
        *("objective", "stack", "architecture", "commands", "release", "constraints", "security"),
        *("preferences", "agent.policy", "memory.policy", "todo.stable", "volatile.reject", "other"),
    ]
    assert {category.default for category in CATEGORIES if category.id != "volatile.reject"} == {REVIEW}
    assert known_category("volatile.reject").default == NEVER
    assert {AUTO, REVIEW, NEVER} == set(POLICIES)


@pytest.mark.parametrize(
    ("spelled", "folded"),
    [
        ("stack", "stack"),
        ("Stack", "stack"),
        ("project.stack", "stack"),
        ("USER.Stack", "stack"),
        ("  Agent.Policy ", "agent.policy"),
        ("user.project.stack", "project.stack"),
        ("projects.stack", "projects.stack"),
        ("Deploy  Notes", "deploy notes"),
        ("", "other"),
        ("project.", "other"),
        ("Straße", "strasse"),
    ],
)
def test_case_and_the_prefixes_of_version_1_do_not_count(spelled: str, folded: str) -> None:
    assert fold_category(spelled) == folded


@pytest.mark.parametrize(
    ("spelled", "known"), [("project.Security", "security"), ("deploy", OTHER), ("", OTHER), ("other", OTHER)]
)
def test_what_is_unknown_or_empty_counts_as_other(spelled: str, known: str) -> None:
    assert known_category(spelled).id == known


def test_a_policy_is_the_default_until_it_is_set_in_any_spelling() -> None:
    assert find_policy("stack", {}) == REVIEW
    assert find_policy("volatile.reject", {}) == NEVER
    assert find_policy("Project.Stack", {"STACK": "auto"}) == AUTO
    assert find_policy("stack", {"user.stack": "auto", "Stack": "never"}) == NEVER
    assert find_policy("stack", {"security": "auto"}) == REVIEW


def test_what_is_unknown_follows_the_policy_of_other_and_sets_none() -> None:
    assert find_policy("deploy", {"other": "auto"}) == AUTO
    assert find_policy("deploy", {"deploy": "auto"}) == REVIEW


@given(st.text(max_size=12))
def test_every_text_is_some_category(category: str) -> None:
    assert fold_category(category)
    assert fold_category(f"  Project.{category}") == fold_category(f"project.{category} ")
