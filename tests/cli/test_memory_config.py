"""`wuu memory config`: values, where they come from, and what a person types for them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from house.invocation import Invoke, Ran
from wuu.cli.memory.config import parse_value
from wuu.situation.settings import BY_NAME


@pytest.fixture
def config(invoke: Invoke) -> Invoke:
    def run(*arguments: str, **others: Any) -> Ran:
        return invoke("memory", "config", *arguments, **others)

    return run


@pytest.fixture
def file() -> Path:
    return Path(os.environ["WUU_HOME"], "settings.json")


def test_the_list_has_every_setting_with_its_origin(config: Invoke) -> None:
    config("set", "memoryUse", "true")
    config("set", "memoryMaxEntries", "7", "--project")
    lines = dict(line.split("\t", 1) for line in config("list", "--origin").stdout.splitlines())
    assert set(lines) == set(BY_NAME) - {"memoryProjects"}
    assert lines["memoryEnabled"] == "true\tdefault"
    assert lines["memoryUse"] == "true\tsettings.json"
    assert lines["memoryMaxEntries"] == f"7\tsettings.json memoryProjects[{os.path.realpath('.')}]"
    assert lines["memoryMatchFloor"] == "0.31\tdefault"
    assert "memoryUse\ttrue\n" in config("list").stdout
    assert config("list", "--project").stdout == "memoryMaxEntries\t7\n"
    data = config("list", "--json").data
    assert sorted(data) == ["path", "settings"]
    assert sorted(data["settings"][0]) == ["default", "meaning", "name", "origin", "value"]


def test_get_prints_the_value_alone(config: Invoke) -> None:
    assert config("get", "memoryUse").stdout == "false\n"
    assert config("get", "dreamTime").stdout == "03:30\n"
    assert config("get", "memoryMatchFloor").stdout == "0.31\n"
    assert config("get", "memoryPolicies").stdout == "{}\n"
    assert config("get", "memoryUse", "--project").exit_code == 3
    config("set", "memoryUse", "on", "--project")
    assert config("get", "memoryUse", "--project").stdout == "true\n"
    assert config("get", "memoryUse", "--json").data["value"] is True
    unknown = config("get", "memoryuse")
    assert unknown.exit_code == 2
    assert "memoryUse" in unknown.stderr


def test_set_and_unset_say_what_holds_now(config: Invoke, file: Path) -> None:
    here = os.path.realpath(".")
    assert config("set", "memoryUse", "yes").stdout == "Setting changed · memoryUse is true · settings.json\n"
    assert (
        config("set", "memoryUse", "true").stdout == "Nothing to change · memoryUse is true · settings.json\n"
    )
    done = config("set", "memoryUse", "false", "--project")
    assert done.stdout == f"Setting changed · memoryUse is false · settings.json memoryProjects[{here}]\n"
    done = config("unset", "memoryUse")
    assert done.stdout == f"Setting changed · memoryUse is false · settings.json memoryProjects[{here}]\n"
    assert (
        config("unset", "memoryUse", "--project").stdout == "Setting changed · memoryUse is false · default\n"
    )
    assert file.read_text() == "{}\n"
    data = config("set", "memoryMaxEntries", "9", "--json").data
    assert sorted(data) == ["dry_run", "name", "notice", "origin", "replayed", "value"]
    assert (data["name"], data["value"], data["origin"]) == ("memoryMaxEntries", 9, "settings.json")


def test_a_dry_run_shows_the_change(config: Invoke, file: Path) -> None:
    shown = config("set", "memoryUse", "true", "--dry-run")
    assert '+  "memoryUse": true' in shown.stdout
    assert shown.stderr == "Dry run · Setting changed · memoryUse is true · settings.json\n"
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("memoryUse", "true", True),
        ("memoryUse", "OFF", False),
        ("memoryMaxEntries", "12", 12),
        ("memoryMatchFloor", "0.25", 0.25),
        ("memoryMaintenance", "preview", "preview"),
        ("dreamTime", "04:05", "04:05"),
        ("memoryPolicies", '{"stack": "auto"}', {"stack": "auto"}),
    ],
)
def test_what_a_person_types_becomes_a_value(
    config: Invoke, file: Path, name: str, typed: str, value: object
) -> None:
    assert config("set", name, typed).exit_code == 0
    assert json.loads(file.read_text()) == {name: value}


def test_what_is_no_value_is_handed_on_to_be_refused(config: Invoke, file: Path) -> None:
    assert parse_value(BY_NAME["memoryUse"], "maybe") == "maybe"
    assert parse_value(BY_NAME["memoryPolicies"], "[" * 100_000) == "[" * 100_000
    for name, typed in (("memoryUse", "maybe"), ("memoryMaxEntries", "NaN"), ("memoryUse", "1")):
        refused = config("set", name, typed)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert name in refused.stderr
    assert not file.exists()


def test_an_agent_reads_and_does_not_write(config: Invoke, file: Path) -> None:
    agent = {"CODEX_CI": "1"}
    assert config("get", "memoryUse", env=agent).exit_code == 0
    for arguments in (("set", "memoryUse", "true"), ("unset", "memoryUse")):
        refused = config(*arguments, "--json", env=agent)
        assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "approval_required")
    assert not file.exists()


def test_what_is_odd_in_the_file_is_a_warning(config: Invoke, file: Path) -> None:
    file.parent.mkdir()
    file.write_text('{"memoryUze": true}')
    assert "did you mean memoryUse?" in config("list").stderr
    done = config("set", "memoryUse", "true", "--json").json()
    assert [one["code"] for one in done["warnings"]] == ["settings_unknown"]
    file.write_text('{"memoryUse": 3}')
    assert config("get", "memoryUse").exit_code == 2
    assert config("set", "memoryUse", "true").exit_code == 0


def test_outside_of_any_project_nothing_is_set_for_one(
    config: Invoke, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    for arguments in (("list",), ("get", "memoryUse"), ("set", "memoryUse", "true"), ("unset", "memoryUse")):
        assert config(*arguments, "--project").exit_code == 5
    assert not file.exists()
