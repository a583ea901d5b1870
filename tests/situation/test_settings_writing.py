"""One setting changed in a file that people wrote: what is refused, and that the rest of the file stays."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.errors import (
    ApprovalRequired,
    NotUtf8,
    ReadOnlyMode,
    Refused,
    SettingsInvalid,
    TooLarge,
    UnsafeFile,
    UsageProblem,
    WuuError,
)
from wuu.situation.settings import BY_NAME, read_settings, value_problem
from wuu.situation.settings_writing import SettingChange, change_setting, get_setting
from wuu.situation.situation import Situation, resolve_situation
from wuu.situation.writing import WriteOptions, Written

AS_WRITTEN = """{
    "zeta": [1,2],   "memoryUse" : false,
    "memoryMatchFloor": 1.50,
    "unknown": {"b": null}
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    return place


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.json"


def _situation(file: Path, cwd: Path, **options: Any) -> Situation:
    return resolve_situation(home=str(file.parent), environ={"HOME": "/nowhere"}, cwd=str(cwd), **options)


def _change(
    file: Path,
    cwd: Path,
    name: str,
    value: Any = None,
    *,
    project: bool = False,
    unset: bool = False,
    options: WriteOptions | None = None,
    **circumstances: Any,
) -> Written[SettingChange]:
    situation = _situation(file, cwd, **circumstances)
    return change_setting(situation, name, value, options or WriteOptions(), project=project, unset=unset)


def _write(file: Path, text: str | bytes) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)


def test_a_missing_file_is_made_for_its_owner_alone(file: Path, project: Path) -> None:
    done = _change(file, project, "memoryUse", True)
    assert file.read_text() == '{\n  "memoryUse": true\n}\n'
    assert file.stat().st_mode & 0o777 == 0o600
    assert done.outcome is not None
    assert (done.outcome.value, done.outcome.origin) == (True, "settings.json")


def test_the_rest_of_the_file_stays_as_it_was_written(file: Path, project: Path) -> None:
    _write(file, AS_WRITTEN)
    _change(file, project, "memoryUse", True)
    assert file.read_text() == AS_WRITTEN.replace("false", "true")
    _change(file, project, "memoryMaxEntries", 7)
    last = '"unknown": {"b": null}'
    assert file.read_text() == AS_WRITTEN.replace("false", "true").replace(
        last, f'{last},\n    "memoryMaxEntries": 7'
    )
    _change(file, project, "memoryMaxEntries", unset=True)
    _change(file, project, "memoryUse", False)
    assert file.read_text() == AS_WRITTEN


def test_the_mode_of_the_file_stays(file: Path, project: Path) -> None:
    _write(file, "{}")
    file.chmod(0o644)
    _change(file, project, "memoryUse", True)
    assert file.stat().st_mode & 0o777 == 0o644


def test_an_override_is_of_the_project_and_wins(file: Path, project: Path, tmp_path: Path) -> None:
    _change(file, project, "memoryUse", True)
    done = _change(file, project, "memoryUse", False, project=True)
    assert json.loads(file.read_text()) == {
        "memoryUse": True,
        "memoryProjects": {str(project): {"memoryUse": False}},
    }
    assert done.outcome is not None
    assert done.outcome.origin == f"settings.json memoryProjects[{project}]"
    assert not read_settings(str(file), str(project)).flag("memoryUse")
    assert read_settings(str(file), str(tmp_path)).flag("memoryUse")


def test_an_override_goes_and_leaves_no_empty_tables(file: Path, project: Path) -> None:
    _write(file, '{\n  "memoryUse": true\n}\n')
    _change(file, project, "memoryUse", False, project=True)
    done = _change(file, project, "memoryUse", unset=True, project=True)
    assert file.read_text() == '{\n  "memoryUse": true\n}\n'
    assert done.outcome is not None
    assert (done.outcome.value, done.outcome.origin) == (True, "settings.json")


def test_what_is_overridden_here_is_said_when_the_general_value_changes(file: Path, project: Path) -> None:
    _change(file, project, "memoryUse", False, project=True)
    done = _change(file, project, "memoryUse", True)
    assert done.outcome is not None
    assert done.outcome.value is False
    assert str(project) in done.outcome.origin


def test_an_override_of_the_same_folder_in_another_spelling_is_used(file: Path, project: Path) -> None:
    link = project.parent / "link"
    link.symlink_to(project)
    found = {str(link): {"memoryUse": True}, str(project): {"memoryUse": True}, "relative": {}}
    _write(file, json.dumps({"memoryProjects": found}))
    _change(file, project, "memoryUse", False, project=True)
    found[str(project)] = {"memoryUse": False}
    assert json.loads(file.read_text()) == {"memoryProjects": found}
    _change(file, link, "memoryUse", unset=True, project=True)
    assert json.loads(file.read_text()) == {"memoryProjects": {"relative": {}}}


def test_a_project_whose_path_is_not_utf8_has_overrides_too(file: Path, tmp_path: Path) -> None:
    try:
        os.mkdir(os.fsencode(tmp_path) + b"/caf\xe9")
    except OSError:
        pytest.skip("the file system takes UTF-8 names only")
    place = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    _change(file, Path(place), "memoryUse", True, project=True)
    assert read_settings(str(file), place).flag("memoryUse")


def test_unset_of_what_is_not_set_writes_nothing(file: Path, project: Path) -> None:
    assert _change(file, project, "memoryUse", unset=True).changes == ()
    assert not file.exists()
    _write(file, AS_WRITTEN)
    for name, is_project in (("memoryMaxEntries", False), ("memoryUse", True)):
        assert _change(file, project, name, unset=True, project=is_project).changes == ()
    assert file.read_text() == AS_WRITTEN


def test_a_dry_run_writes_nothing(file: Path, project: Path) -> None:
    done = _change(file, project, "memoryUse", True, options=WriteOptions(dry_run=True))
    assert [one.path for one in done.changes] == ["settings.json"]
    assert done.outcome is not None
    assert done.outcome.value is True
    assert not file.parent.exists()


def test_a_repeated_request_changes_nothing_more(file: Path, project: Path) -> None:
    options = WriteOptions(request_id="r1")
    _change(file, project, "memoryUse", True, options=options)
    _change(file, project, "memoryUse", False)
    assert _change(file, project, "memoryUse", True, options=options).replayed
    assert json.loads(file.read_text()) == {"memoryUse": False}


@pytest.mark.parametrize(
    ("name", "value", "is_project", "said"),
    [
        ("memoryUse", "yes", False, "must be true or false"),
        ("memoryUse", 1, False, "must be true or false"),
        ("memoryMaxEntries", True, False, "whole number"),
        ("memoryMaxEntries", -1, False, "from 0"),
        ("memoryMatchFloor", "low", False, "a number"),
        ("memoryMatchFloor", None, False, "a number"),
        ("memoryMaintenance", "on", False, "one of disabled"),
        ("memoryPolicies", {"stack": "maybe"}, False, "one of auto"),
        ("memoryPolicies", [], False, "a table"),
        ("dreamTime", "25:00", False, "a time of day"),
        ("memoryUze", True, False, "is no setting"),
        ("memoryProjects", {}, False, "one setting at a time"),
        ("dreamTime", "03:40", True, "holds for all projects"),
    ],
)
def test_what_does_not_fit_is_refused(
    file: Path, project: Path, name: str, value: Any, is_project: bool, said: str
) -> None:
    with pytest.raises(UsageProblem, match=said):
        _change(file, project, name, value, project=is_project)
    assert not file.exists()


def test_the_nearest_name_is_told() -> None:
    with pytest.raises(UsageProblem) as raised:
        get_setting("MEMORYUSE")
    assert raised.value.hint == "Did you mean memoryUse?"


@pytest.mark.parametrize("unset", [False, True])
def test_only_a_person_changes_settings(file: Path, project: Path, unset: bool) -> None:
    with pytest.raises(ApprovalRequired, match="Only a person"):
        _change(file, project, "memoryUse", True, unset=unset, as_agent=True)
    assert not file.exists()


def test_read_only_is_read_only(file: Path, project: Path) -> None:
    with pytest.raises(ReadOnlyMode):
        _change(file, project, "memoryUse", True, read_only=True)


def test_without_a_project_there_is_nothing_to_override(file: Path) -> None:
    with pytest.raises(Refused):
        _change(file, Path("/"), "memoryUse", True, project=True)
    assert _change(file, Path("/"), "memoryUse", True).outcome is not None


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("{", SettingsInvalid),
        ("[]", SettingsInvalid),
        ("", SettingsInvalid),
        ("[" * 100_000, SettingsInvalid),
        ('{"a": NaN}', SettingsInvalid),
        (b'{"a": "\xff"}', NotUtf8),
        ('{"a": "' + "x" * 262_144 + '"}', TooLarge),
    ],
)
def test_a_file_that_cannot_be_understood_is_left_alone(
    file: Path, project: Path, content: str | bytes, error: type[WuuError]
) -> None:
    _write(file, content)
    before = file.read_bytes()
    for unset in (False, True):
        with pytest.raises(error):
            _change(file, project, "memoryUse", True, unset=unset)
    assert file.read_bytes() == before


def test_a_file_that_would_grow_too_large_is_left_alone(file: Path, project: Path) -> None:
    text = json.dumps({"a": "x" * (262_144 - 10)})
    _write(file, text[: 262_144 - 3] + '"}')
    before = file.read_bytes()
    with pytest.raises(TooLarge):
        _change(file, project, "memoryUse", True)
    assert file.read_bytes() == before


def test_o18_a_link_that_leaves_the_home_is_not_written_through(
    file: Path, project: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text("{}")
    file.parent.mkdir()
    file.symlink_to(outside)
    with pytest.raises(UnsafeFile):
        _change(file, project, "memoryUse", True)
    assert outside.read_text() == "{}"


def test_a_wrong_type_elsewhere_does_not_stop_the_mending(file: Path, project: Path) -> None:
    _write(file, '{"memoryUse": "yes", "dreamTime": 3}')
    first = _change(file, project, "memoryUse", True)
    assert first.outcome is not None
    assert [one.code for one in first.outcome.caveats] == ["settings_invalid"]
    second = _change(file, project, "dreamTime", unset=True)
    assert second.outcome is not None
    assert second.outcome.caveats == ()
    assert file.read_text() == '{"memoryUse": true}'


@pytest.mark.parametrize("content", ['{"memoryProjects": 3}', '{"memoryProjects": {"PLACE": []}}'])
def test_what_is_in_the_way_of_an_override_is_named(file: Path, project: Path, content: str) -> None:
    _write(file, content.replace("PLACE", str(project)))
    before = file.read_text()
    with pytest.raises(SettingsInvalid, match="is no object"):
        _change(file, project, "memoryUse", True, project=True)
    assert file.read_text() == before


VALUES = st.one_of(
    st.booleans(), st.integers(0, 100), st.floats(0, 9), st.sampled_from(["off", "04:15", "none"])
)


@given(st.lists(st.tuples(st.sampled_from(sorted(set(BY_NAME) - {"memoryProjects"})), VALUES), max_size=6))
def test_what_was_set_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, Any]]
) -> None:
    file = tmp_path_factory.mktemp("set") / "home" / "settings.json"
    wanted = {}
    for name, value in steps:
        if value_problem(BY_NAME[name], value) is None:
            _change(file, file.parent.parent, name, value)
            wanted[name] = value
    settings = read_settings(str(file), None)
    assert {name: settings.values[name] for name in wanted} == wanted
    assert {name for name in BY_NAME if settings.origin(name) != "default"} == set(wanted)
