"""The circumstances of a call, resolved once from its options, the environment and the directory."""

import os
import pwd
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from wuu.errors import NotFound, Refused, SettingsInvalid, UsageProblem
from wuu.situation import settings as settings_module
from wuu.situation import workspace as workspace_module
from wuu.situation.situation import Situation, resolve_situation
from wuu.situation.workspace import NoProject, workspace_key


def _resolve(environ: dict[str, str] | None = None, cwd: str = "/w/shop", **options) -> Situation:
    return resolve_situation(environ={"HOME": "/h/ana", **(environ or {})}, cwd=cwd, **options)


@pytest.mark.parametrize(
    ("flag", "variable", "home"),
    [
        (None, None, "/h/ana/.wuu"),
        (None, "", "/h/ana/.wuu"),
        ("", "  ", "/h/ana/.wuu"),
        (None, "/data/wuu", "/data/wuu"),
        ("/other", "/data/wuu", "/other"),
        ("notes", None, "/w/shop/notes"),
        (None, "../x/./y", "/w/x/y"),
        (None, "~/notes", "/h/ana/notes"),
        (None, "~", "/h/ana"),
        (None, "~bob/x", "/w/shop/~bob/x"),
        ("/data/with space ", None, "/data/with space "),
    ],
)
def test_the_home_is_the_flag_then_the_variable_then_dot_wuu(
    flag: str | None, variable: str | None, home: str
) -> None:
    environ = {} if variable is None else {"WUU_HOME": variable}
    assert _resolve(environ, home=flag).home == home


@pytest.mark.parametrize("unset", [{}, {"HOME": ""}, {"HOME": "relative"}])
def test_without_a_home_variable_the_user_database_is_asked(
    monkeypatch: pytest.MonkeyPatch, unset: dict[str, str]
) -> None:
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_dir="/h/from-database"))
    assert resolve_situation(environ=unset, cwd="/w").home == "/h/from-database/.wuu"


def test_without_any_home_directory_the_user_has_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(UsageProblem) as caught:
        resolve_situation(environ={}, cwd="/w")
    assert "WUU_HOME" in (caught.value.hint or "")
    assert resolve_situation(environ={"WUU_HOME": "/data"}, cwd="/w").home == "/data"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1", True),
        ("yes", True),
        ("on", True),
        ("", False),
        (" ", False),
        ("0", False),
        ("False", False),
        ("no", False),
    ],
)
def test_read_only_can_be_said_by_the_environment(value: str, *, expected: bool) -> None:
    assert _resolve({"WUU_READ_ONLY": value}).read_only is expected
    assert _resolve({"WUU_READ_ONLY": value}, read_only=True).read_only is True


def test_the_options_arrive() -> None:
    situation = _resolve({"WUU_SESSION": "s1"}, profile="work", no_input=True, as_agent=True)
    assert (situation.caller.session, situation.caller.profile) == ("s1", "work")
    assert situation.caller.is_agent
    assert situation.no_input is True
    assert situation.read_only is False


def test_a_situation_holds_nothing_else() -> None:
    with pytest.raises(AttributeError):
        _resolve().mood = "good"


def test_the_workspace_is_found_once_at_first_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = tmp_path.resolve() / "shop"
    shop.mkdir()
    situation = _resolve(cwd=str(shop))
    found = situation.workspace
    assert found.root == str(shop)
    monkeypatch.setattr(workspace_module, "find_workspace", None)
    assert situation.workspace is found
    assert situation.get_workspace() is found


@pytest.mark.parametrize("how", ["flag", "variable"])
def test_the_workspace_can_be_named(tmp_path: Path, how: str) -> None:
    other = tmp_path.resolve() / "other"
    other.mkdir()
    if how == "flag":
        situation = _resolve({"WUU_WORKSPACE": "/ignored"}, cwd=str(tmp_path), workspace="other")
    else:
        situation = _resolve({"WUU_WORKSPACE": str(other)}, cwd=str(tmp_path), workspace=" ")
    assert situation.get_workspace() == (str(other), workspace_key(str(other)), "override")
    with pytest.raises(NotFound):
        _ = _resolve(cwd=str(tmp_path), workspace="gone").workspace


def test_the_home_directory_is_no_project(tmp_path: Path) -> None:
    home = tmp_path.resolve()
    situation = _resolve({"HOME": str(home)}, cwd=str(home))
    assert situation.workspace == NoProject(str(home))
    with pytest.raises(Refused):
        situation.get_workspace()
    assert situation.settings.flag("memoryEnabled") is True


def test_the_settings_are_those_of_the_home_and_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, home = tmp_path.resolve() / "shop", tmp_path / "data"
    shop.mkdir()
    home.mkdir()
    (home / "settings.json").write_text(
        f'{{"memoryMaxEntries": 7, "memoryProjects": {{"{shop}": {{"memoryUse": true}}}}}}'
    )
    situation = _resolve(cwd=str(shop), home=str(home))
    assert situation.settings.integer("memoryMaxEntries") == 7
    assert situation.settings.origin("memoryUse") == f"settings.json memoryProjects[{shop}]"
    monkeypatch.setattr(settings_module, "read_settings", None)
    assert situation.settings.flag("memoryUse") is True
    assert _resolve(cwd=str(tmp_path), home=str(tmp_path / "empty")).home == str(tmp_path / "empty")


def test_broken_settings_are_told_only_to_who_asks(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{")
    situation = _resolve(cwd=str(tmp_path), home=str(tmp_path))
    assert situation.get_workspace().root == str(tmp_path.resolve())
    with pytest.raises(SettingsInvalid):
        _ = situation.settings


def test_a_situation_costs_no_heavy_module() -> None:
    asked = (
        "import sys\nfrom wuu.situation.situation import resolve_situation\n"
        "resolve_situation(environ={'HOME': '/h'}, cwd='/w')\n"
        "print(*sorted({'json', 'hashlib', 'difflib', 'pathlib', 'dataclasses', 'subprocess', 'pwd',"
        " 'wuu.situation.settings', 'wuu.situation.workspace', 'wuu.store.files'} & set(sys.modules)))"
    )
    source = str(Path(workspace_module.__file__).parents[2])
    printed = subprocess.run(
        [sys.executable, "-S", "-c", asked],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": source, "PATH": os.environ.get("PATH", "")},
    ).stdout
    assert printed.strip() == ""
