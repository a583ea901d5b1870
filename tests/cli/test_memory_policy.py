"""`wuu memory policy`: what is listed, what the settings hold afterwards, and what is refused."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from house.invocation import Invoke, Ran
from wuu.memory import categories
from wuu.memory.categories import Category
from wuu.situation.policy_writing import ChangePolicies, PolicyWord, plan_policies
from wuu.situation.settings import POLICIES, parse_settings
from wuu.store.home import Home

AGENT = {"CLAUDECODE": "1"}
IDS = [category.id for category in categories.CATEGORIES]


@pytest.fixture
def policy(invoke: Invoke) -> Invoke:
    def run(*arguments: str, **others: Any) -> Ran:
        return invoke("memory", "policy", *arguments, **others)

    return run


@pytest.fixture
def settings() -> Callable[[], Any]:
    def read() -> Any:
        path = Path(os.environ["WUU_HOME"]) / "settings.json"
        return json.loads(path.read_text()) if path.exists() else None

    return read


def _policies(policy: Invoke) -> dict[str, str]:
    return {one["category"]: one["policy"] for one in policy("list", "--json").data["policies"]}


def test_every_category_has_a_row(policy: Invoke) -> None:
    rows = policy("list", "--json").data["policies"]
    assert [row["category"] for row in rows] == IDS
    assert {row["policy"] for row in rows if row["category"] != "volatile.reject"} == {"review"}
    assert not any(row["differs"] for row in rows)
    listed = policy("list")
    assert [line.split("\t")[0] for line in listed.stdout.splitlines()] == IDS
    assert "memoryRequireApproval" in listed.stderr


def test_what_is_set_is_the_only_thing_that_the_settings_hold(
    policy: Invoke, settings: Callable[[], Any]
) -> None:
    done = policy("set", "Project.Commands", "auto")
    assert done.stdout == "Policy changed · commands is auto · settings.json\n"
    assert settings() == {"memoryPolicies": {"commands": "auto"}}
    assert policy("set", "COMMANDS", "auto").stdout.startswith("Nothing to change")
    (row,) = (one for one in policy("list", "--json").data["policies"] if one["category"] == "commands")
    assert (row["policy"], row["default"], row["differs"]) == ("auto", "review", True)
    assert policy("set", "commands", "review").exit_code == 0
    assert settings() == {}


def test_other_spellings_go_and_other_settings_stay(policy: Invoke, settings: Callable[[], Any]) -> None:
    place = Path(os.environ["WUU_HOME"]) / "settings.json"
    place.parent.mkdir(exist_ok=True)
    place.write_text('{"memoryUse":   true, "memoryPolicies": {"user.Stack": "never", "odd": "auto"}}')
    assert "odd" in policy("list").stderr
    assert policy("set", "stack", "auto").exit_code == 0
    assert settings()["memoryPolicies"] == {"odd": "auto", "stack": "auto"}
    assert '"memoryUse":   true' in place.read_text()
    assert policy("reset", "--all").exit_code == 0
    assert settings() == {"memoryUse": True}


def test_a_project_adds_to_what_holds_for_all(policy: Invoke, settings: Callable[[], Any]) -> None:
    policy("set", "commands", "auto")
    policy("set", "security", "never", "--project")
    (own,) = settings()["memoryProjects"].values()
    assert own == {"memoryPolicies": {"security": "never"}}
    assert (_policies(policy)["commands"], _policies(policy)["security"]) == ("auto", "never")
    policy("set", "commands", "review", "--project")
    assert _policies(policy)["commands"] == "review"
    policy("reset", "--all", "--project")
    assert (_policies(policy)["commands"], _policies(policy)["security"]) == ("auto", "review")
    assert "memoryProjects" not in settings()


def test_a_dry_run_shows_the_change_and_a_request_counts_once(
    policy: Invoke, settings: Callable[[], Any]
) -> None:
    assert '+    "stack": "auto"' in policy("set", "stack", "auto", "--dry-run").stdout
    assert settings() is None
    for replayed in (False, True):
        done = policy("set", "stack", "auto", "--request-id", "r1", "--json")
        assert done.data["replayed"] is replayed


@pytest.mark.parametrize(
    "arguments",
    [
        ("set", "comands", "auto"),
        ("set", "", "auto"),
        ("set", "stack", "always"),
        ("reset",),
        ("reset", "stack", "--all"),
    ],
)
def test_what_is_no_policy(policy: Invoke, settings: Callable[[], Any], arguments: tuple[str, ...]) -> None:
    assert policy(*arguments, "--json").exit_code == 2
    assert settings() is None


def test_the_nearest_name_is_told(policy: Invoke) -> None:
    assert "Did you mean commands?" in policy("set", "comands", "auto").stderr


@pytest.mark.parametrize("arguments", [("set", "stack", "auto"), ("reset", "stack"), ("reset", "--all")])
def test_an_agent_changes_nothing(
    policy: Invoke, settings: Callable[[], Any], arguments: tuple[str, ...]
) -> None:
    done = policy(*arguments, "--json", env=AGENT)
    assert (done.exit_code, done.json()["errors"][0]["code"]) == (5, "approval_required")
    assert settings() is None
    assert policy("list", env=AGENT).exit_code == 0


def test_a_table_that_is_none_is_named_and_left_alone(policy: Invoke, settings: Callable[[], Any]) -> None:
    place = Path(os.environ["WUU_HOME"]) / "settings.json"
    place.parent.mkdir(exist_ok=True)
    place.write_text('{"memoryPolicies": ["auto"]}')
    done = policy("set", "stack", "auto", "--json")
    assert (done.exit_code, done.json()["errors"][0]["code"]) == (2, "settings_invalid")
    assert settings() == {"memoryPolicies": ["auto"]}


def test_of_several_spellings_in_several_places_the_last_one_of_the_project_counts() -> None:
    text = json.dumps(
        {
            "memoryPolicies": {"Stack": "auto", "stack": "never", "release": "auto"},
            "memoryProjects": {os.path.realpath("/"): {"memoryPolicies": {"Stack": "review"}}},
        }
    )
    found = parse_settings(text, "settings.json", os.path.realpath("/"))
    assert categories.find_policy("stack", found.table("memoryPolicies")) == "review"
    assert categories.find_policy("release", found.table("memoryPolicies")) == "auto"
    assert found.origin("memoryPolicies.release") == "settings.json"
    assert found.origin("memoryPolicies.Stack").startswith("settings.json memoryProjects[")
    assert parse_settings(text, "settings.json", None).table("memoryPolicies")["stack"] == "never"


@given(st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from((*POLICIES, None))), max_size=12))
def test_the_last_word_about_each_category_counts(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, str | None]]
) -> None:
    home = Home(str(tmp_path_factory.mktemp("home").resolve()))
    wanted: dict[str, str] = {}
    for category, chosen in said:
        default = Category.get(category).default
        request = ChangePolicies((PolicyWord(category, default, chosen),))
        for change in plan_policies(
            home, request, lambda one, key: Category.get(one).counts(key), None
        ).changes:
            Path(home.place(change.path)).write_bytes(change.after or b"")
        wanted.pop(category, None)
        if chosen not in (None, default):
            wanted[category] = str(chosen)
    place = Path(home.place("settings.json"))
    found = json.loads(place.read_text()) if place.exists() else {}
    assert found.get("memoryPolicies", {}) == wanted
