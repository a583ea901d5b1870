"""Tests cannot touch the home of whoever runs them: neither this process nor the ones it starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from house.isolation import Fence, fence_around, own_environment
from wuu.situation.caller import AGENTS, NAMING_VARIABLE


def test_home_is_not_the_real_one(real_home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = Path(os.path.expanduser("~"))
    assert home != real_home
    assert home.is_relative_to(tmp_path_factory.getbasetemp())
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("name", ["HOME", "WUU_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"])
def test_every_place_of_wuu_is_in_the_temporary_folder(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert Path(os.environ[name]).is_relative_to(tmp_path_factory.getbasetemp())


def test_the_cache_of_platformdirs_follows(tmp_path_factory: pytest.TempPathFactory) -> None:
    import platformdirs

    assert Path(platformdirs.user_cache_dir("wuu")).is_relative_to(tmp_path_factory.getbasetemp())


def test_a_process_gets_the_same_home() -> None:
    asked = "import os; print(os.path.expanduser('~')); print(os.environ['WUU_HOME'])"
    printed = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == [os.environ["HOME"], os.path.join(os.environ["HOME"], ".wuu")]


def test_nobody_looks_like_an_agent() -> None:
    named = {variable for agent in AGENTS for variable in (*agent.variables, agent.session_variable)}
    variables = {*named, NAMING_VARIABLE} - {None}
    assert variables
    assert not variables & set(own_environment(dict.fromkeys(variables, "1"), "/h"))
    assert not variables & set(os.environ)


@pytest.mark.parametrize("time", ["first", "second"])
def test_two_tests_never_share_a_home(time: str) -> None:
    assert os.listdir(os.environ["HOME"]) == []
    Path(os.environ["HOME"], time).touch()


def test_what_could_reach_wuu_is_dropped_and_the_rest_stays() -> None:
    outside = {
        "PATH": "/bin",
        "COVERAGE_PROCESS_CONFIG": "{}",
        "WUU_PROFILE": "work",
        "_WUU_COMPLETE": "x",
        "CLAUDECODE": "1",
        "NO_COLOR": "1",
        "COLUMNS": "40",
        "VISUAL": "vi",
        "XDG_RUNTIME_DIR": "/run/1",
    }
    inside = own_environment(outside, "/h")
    assert {name for name in outside if name in inside} == {"PATH"}
    assert inside["WUU_HOME"] == os.path.join("/h", ".wuu")


def test_the_watch_sees_a_write_in_the_real_home(real_home: Path, trespasses: list[str]) -> None:
    target = real_home / "no-such-folder-of-wuu" / "file"
    with pytest.raises(FileNotFoundError):
        target.open("w")
    with pytest.raises(FileNotFoundError):
        target.rename(target.with_name("other"))
    with pytest.raises(FileNotFoundError):
        target.open()
    seen = trespasses.copy()
    trespasses.clear()
    assert [line.split(" ")[0] for line in seen] == ["open", "os.rename"]


@pytest.mark.parametrize(
    ("event", "args", "expected"),
    [
        ("open", ("/h/.wuu/a", "w", os.O_WRONLY | os.O_CREAT), "/h/.wuu/a"),
        ("open", ("/h/.wuu/a", "r", os.O_RDONLY), None),
        ("open", (b"/h/.wuu/a", None, os.O_RDWR), "/h/.wuu/a"),
        ("open", (3, "w", os.O_WRONLY), None),
        ("open", ("/h/tmp/a", "w", os.O_WRONLY), None),
        ("open", ("/home2/a", "w", os.O_WRONLY), None),
        ("os.rename", ("/elsewhere/a", "/h/a", -1, -1), "/h/a"),
        ("os.mkdir", ("/h/../h/.wuu", 0o700, -1), "/h/.wuu"),
        ("sqlite3.connect", ("/h/.cache/wuu/x.sqlite",), "/h/.cache/wuu/x.sqlite"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="the paths are those of POSIX")
def test_what_counts_as_a_trespass(event: str, args: tuple[object, ...], expected: str | None) -> None:
    assert Fence(("/h",), ("/h/tmp",)).trespass(event, args) == expected


def test_a_temporary_folder_around_the_home_is_no_excuse(tmp_path: Path) -> None:
    fence = fence_around(str(tmp_path / "home"), [str(tmp_path / "home" / "checkout")])
    assert fence.forbids(str(tmp_path / "home" / ".wuu"))
    assert not fence.forbids(str(tmp_path / "home" / "checkout" / "file"))
    assert not fence.forbids(str(tmp_path / "elsewhere"))
