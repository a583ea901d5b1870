"""The table of settings, and what a file makes of it for one project."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.errors import IoProblem, NotUtf8, SettingsInvalid, TooLarge, UnsafeFile
from wuu.situation.settings import (
    BY_NAME,
    PROJECTS,
    TABLE,
    Settings,
    parse_settings,
    read_settings,
    value_problem,
)

# ARCHITECTURE 6, word for word.
DEFAULTS = {
    "memoryEnabled": True,
    "memoryUse": False,
    "memoryGenerate": False,
    "memoryRequireApproval": True,
    "memoryMaxPromptTokens": 10_000,
    "memoryMaxEntries": 50,
    "memoryProjectMaxEntries": 3,
    "memoryGlobalCompactionMaxEntries": 50,
    "memoryRetrievalChars": 6_000,
    "memoryMatchFloor": 0.31,
    "memoryPolicies": {},
    "memoryMaintenance": "disabled",
    "memoryPendingDays": 0,
    "notebookEnabled": True,
    "personalEnabled": True,
    "dreamEnabled": False,
    "dreamTime": "03:30",
    "dreamIntervalDays": 7,
    "dreamMinSessions": 5,
    "dreamMaxTokens": 50_000,
    "extractor": "rules",
    "evolution": "off",
    "modelRoles": {},
    "memoryProjects": {},
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def _parse(value: object, root: str | None = None) -> Settings:
    return parse_settings(json.dumps(value), "settings.json", root)


def _codes(settings: Settings) -> list[str]:
    return [caveat.code for caveat in settings.caveats]


def test_the_defaults_are_those_of_the_architecture() -> None:
    settings = _parse({})
    assert dict(settings.values) == DEFAULTS
    assert list(settings.values) == [setting.name for setting in TABLE]
    assert {settings.origin(name) for name in DEFAULTS} == {"default"}
    assert settings.caveats == ()


def test_every_default_fits_its_own_row_and_has_a_meaning() -> None:
    for setting in TABLE:
        assert setting.meaning.endswith(".")
        assert setting.default is None or value_problem(setting, setting.default) is None


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    settings = read_settings(str(tmp_path / "nowhere" / "settings.json"), None)
    assert dict(settings.values) == DEFAULTS


def test_values_of_the_file_are_read_with_their_types(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    value = {
        "memoryUse": True,
        "dreamTime": "23:59",
        "dreamMinSessions": 100,
        "memoryMatchFloor": 1.5,
        "memoryPolicies": {"stack": "auto"},
    }
    path.write_text("\ufeff" + json.dumps(value))
    settings = read_settings(str(path), None)
    assert settings.flag("memoryUse") is True
    assert settings.text("dreamTime") == "23:59"
    assert settings.integer("dreamMinSessions") == 100
    assert settings.number("memoryMatchFloor") == 1.5
    assert settings.number("memoryMaxEntries") == 50.0
    assert dict(settings.table("memoryPolicies")) == {"stack": "auto"}
    assert settings.origin("memoryUse") == "settings.json"
    assert settings.origin("memoryEnabled") == "default"


def test_an_override_wins_for_its_project_only(tmp_path: Path) -> None:
    shop, other = tmp_path / "shop", tmp_path / "other"
    shop.mkdir()
    (tmp_path / "link").symlink_to(shop)
    value = {
        "memoryUse": False,
        "memoryMaxEntries": 10,
        PROJECTS: {str(tmp_path / "link"): {"memoryUse": True}, str(other): {"memoryUse": True}},
    }
    here = _parse(value, str(shop.resolve()))
    assert here.flag("memoryUse") is True
    assert here.origin("memoryUse") == f"settings.json memoryProjects[{tmp_path / 'link'}]"
    assert here.origin("memoryMaxEntries") == "settings.json"
    for root in (None, str(tmp_path / "third")):
        assert _parse(value, root).flag("memoryUse") is False
        assert _parse(value, root).origin("memoryUse") == "settings.json"


def test_an_override_of_what_holds_for_all_projects_is_a_caveat() -> None:
    settings = _parse(
        {PROJECTS: {"/w": {"dreamTime": "04:00", "memoryProjects": {}, "memoryUze": True}}}, "/w"
    )
    assert settings.text("dreamTime") == "03:30"
    assert sorted(_codes(settings)) == ["settings_global", "settings_global", "settings_unknown"]


@pytest.mark.parametrize("directory", ["w", "~/w", "", "./w"])
def test_an_override_without_an_absolute_directory_is_a_caveat(directory: str) -> None:
    settings = _parse({PROJECTS: {directory: {"memoryUse": True}}}, os.path.realpath("w"))
    assert settings.flag("memoryUse") is False
    assert _codes(settings) == ["settings_relative"]


@pytest.mark.parametrize("directory", ["/w\0x", "/w\ud800"])
def test_a_directory_that_cannot_exist_belongs_to_no_project(directory: str) -> None:
    assert _parse({PROJECTS: {directory: {"memoryUse": True}}}, "/w").flag("memoryUse") is False


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("memoryUze", "memoryUse"),
        ("DREAMTIME", "dreamTime"),
        ("memory_max_entries", "memoryMaxEntries"),
        ("zzz", None),
    ],
)
def test_an_unknown_key_is_a_caveat_with_the_nearest_name(key: str, nearest: str | None) -> None:
    (caveat,) = _parse({key: True}).caveats
    assert caveat.code == "settings_unknown"
    assert caveat.details == {"file": "settings.json", "key": key, "nearest": nearest}
    assert repr(key) in caveat.message
    assert (f"did you mean {nearest}?" in caveat.message) is (nearest is not None)


def test_a_key_that_is_there_twice_is_a_caveat_and_the_last_counts() -> None:
    settings = parse_settings('{"memoryUse": false, "memoryUse": true}', "settings.json", None)
    assert settings.flag("memoryUse") is True
    assert _codes(settings) == ["settings_repeated"]
    assert settings.caveats[0].details["key"] == "memoryUse"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memoryUse", "yes"),
        ("memoryUse", 1),
        ("memoryUse", None),
        ("memoryMaxEntries", True),
        ("memoryMaxEntries", "50"),
        ("memoryMaxEntries", 50.0),
        ("memoryMaxEntries", -1),
        ("memoryMaxEntries", 10**30),
        ("memoryMatchFloor", True),
        ("memoryMatchFloor", "0.5"),
        ("memoryMatchFloor", -0.1),
        ("dreamIntervalDays", 0),
        ("dreamIntervalDays", 366),
        ("dreamMinSessions", 101),
        ("dreamTime", "3:30"),
        ("dreamTime", "24:00"),
        ("dreamTime", "03:60"),
        ("dreamTime", "03.30"),
        ("dreamTime", "٠٣:٣٠"),
        ("dreamTime", 330),
        ("evolution", "auto"),
        ("evolution", []),
        ("memoryMaintenance", False),
        ("memoryPolicies", []),
        ("memoryPolicies", {"stack": "sometimes"}),
        ("memoryPolicies", {"stack": {}}),
        ("modelRoles", "x"),
        ("memoryProjects", {"/w": []}),
        ("memoryProjects", None),
    ],
)
def test_a_wrong_value_names_the_key_and_the_file(name: str, value: object) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        _parse({name: value})
    assert name in caught.value.message
    assert "settings.json" in caught.value.message
    assert caught.value.details == {"file": "settings.json", "key": name}


def test_a_wrong_override_names_its_project_even_for_another_one() -> None:
    with pytest.raises(SettingsInvalid) as caught:
        _parse({PROJECTS: {"/other": {"memoryMaxEntries": "many"}}}, "/w")
    assert caught.value.details["key"] == "memoryProjects[/other].memoryMaxEntries"


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ('{\n"memoryUse": tru\n}', 2), ('{\n\n"a": 1,\n"b" 2\n}', 4), ("{} {}", 1)]
)
def test_broken_json_names_the_line(text: str, line: int) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        parse_settings(text, "/h/settings.json", None)
    assert caught.value.details["line"] == line
    assert f"/h/settings.json, line {line}:" in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        '"x"',
        "[" * 100_000,
        '{"memoryMatchFloor": NaN}',
        '{"memoryMatchFloor": 1e999}',
        '{"a": ' + "9" * 5_000 + "}",
    ],
)
def test_json_that_is_no_settings_object_is_invalid(text: str) -> None:
    with pytest.raises(SettingsInvalid):
        parse_settings(text, "settings.json", None)


def test_a_file_that_cannot_be_read_is_an_error_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b'{"memoryUse": "\xe9"}')
    with pytest.raises(NotUtf8) as caught:
        read_settings(str(path), None)
    assert caught.value.details["offset"] == 15
    path.write_bytes(b" " * 262_145)
    with pytest.raises(TooLarge):
        read_settings(str(path), None)
    path.unlink()
    path.mkdir()
    with pytest.raises((IoProblem, UnsafeFile)):
        read_settings(str(path), None)
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(UnsafeFile):
        read_settings(str(path), None)


def _parse_or_none(value: dict[str, object]) -> Settings | None:
    try:
        return _parse(value, "/w")
    except SettingsInvalid:
        return None


@given(st.dictionaries(st.sampled_from([*BY_NAME, "memoryUze"]) | st.text(), JSON, max_size=4))
def test_any_json_gives_settings_that_fit_or_is_invalid(value: dict[str, object]) -> None:
    settings = _parse_or_none(value)
    wrong = [name for name in value if name in BY_NAME and value_problem(BY_NAME[name], value[name])]
    if settings is None:
        assert wrong or PROJECTS in value or "Infinity" in json.dumps(value) or "NaN" in json.dumps(value)
        return
    assert not wrong
    for setting in TABLE:
        assert settings.values[setting.name] == value.get(setting.name, setting.default)
    assert _codes(settings).count("settings_unknown") >= len(set(value) - set(BY_NAME))
