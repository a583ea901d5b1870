"""`wuu memory browse` and `wuu memory workspaces`: what they print, what they ask, and what they refuse."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from house.invocation import Invoke, Ran
from wuu.cli.call import Call


@pytest.fixture
def at(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run wuu in a project of this name."""

    def run(project: str, *arguments: str, **options: Any) -> Ran:
        folder = tmp_path / "projects" / project
        folder.mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(folder)
        return invoke(*arguments, **options)

    return run


@pytest.fixture
def two(at: Callable[..., Ran]) -> Callable[..., Ran]:
    """Run wuu where two projects and the user have a memory each."""
    for project, text in (("ship", "The mast\tis oak."), ("barge", "The sail is red.")):
        assert at(project, "memory", "add", text).exit_code == 0
    assert at("ship", "memory", "add", "--user", "Short answers.").exit_code == 0
    return at


def repository(folder: Path) -> None:
    """Make a repository with an origin, as far as wuu looks at one."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text('[remote "origin"]\n\turl = git@git.example.org:team/ship.git\n')


@pytest.fixture
def moved(at: Callable[..., Ran], tmp_path: Path) -> Callable[..., Ran]:
    """Run wuu where the project `ship` has moved to `boat`."""
    repository(tmp_path / "projects" / "ship")
    assert at("ship", "memory", "add", "The mast is oak.").exit_code == 0
    (tmp_path / "projects" / "ship").rename(tmp_path / "projects" / "boat")
    return at


def cells(done: Ran) -> list[list[str]]:
    assert done.exit_code == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


def files() -> dict[str, bytes]:
    home = Path(os.environ["WUU_HOME"])
    return {str(path): path.read_bytes() for path in (home / "workspaces").rglob("*") if path.is_file()}


# --- browse ---------------------------------------------------------------------------------------------


def test_browse_as_rows(two: Callable[..., Ran]) -> None:
    rows = cells(two("ship", "memory", "browse", "all"))
    assert {len(row) for row in rows} == {8}
    assert [(row[1], row[-1]) for row in rows] == [
        ("user", "Short answers."),
        ("project", "The sail is red."),
        ("project", r"The mast\x09is oak."),
    ]
    assert [row[-2].rpartition("-")[0] for row in rows] == ["", "barge", "ship"]
    assert cells(two("ship", "memory", "browse")) == [rows[0], rows[2]]
    assert cells(two("ship", "memory", "browse", "user")) == [rows[0]]
    assert cells(two("ship", "memory", "browse", rows[1][-2])) == [rows[0], rows[1]]


def test_browse_as_json(two: Callable[..., Ran], tmp_path: Path) -> None:
    data = two("ship", "memory", "browse", "all", "--limit", "2", "--json").data
    assert sorted(data) == ["graph", "memories", "omitted", "project", "total", "view"]
    assert (data["view"], data["project"], data["total"], data["omitted"]) == ("all", None, 3, 1)
    assert [one["workspace"] for one in data["memories"]] == [None, str(tmp_path / "projects" / "barge")]
    assert data["graph"] == {"nodes": 3, "links": 0, "isolated": 3, "conflicts": 0}
    named = two("ship", "memory", "browse", "barge", "--json").data
    assert named["project"]["root"] == str(tmp_path / "projects" / "barge")
    assert named["view"] == named["project"]["key"]


def test_browse_says_what_is_left_out_and_what_is_not_there(two: Callable[..., Ran]) -> None:
    assert "2 more; a higher --limit" in two("ship", "memory", "browse", "all", "--limit", "1").stderr
    assert "No memory" in two("ship", "memory", "browse", "all", "--text", "granite").stderr
    assert two("ship", "memory", "browse", "nowhere").exit_code == 3
    assert two("ship", "memory", "browse", "all", "--limit", "0").exit_code == 2


# --- workspaces list ------------------------------------------------------------------------------------


def test_list_as_rows(two: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "projects" / "barge").rename(tmp_path / "projects" / "other")
    rows = cells(two("ship", "memory", "workspaces", "list"))
    assert [row[0].rpartition("-")[0] for row in rows] == ["", "barge", "ship"]
    assert rows[0][0] == "user:default"
    assert [row[1:6] for row in rows] == [["1", "0", "0", "1", "0"]] * 3
    assert [row[-2] for row in rows] == ["-", "gone", "current"]
    assert rows[2][-1] == str(tmp_path / "projects" / "ship")


def test_list_as_json(two: Callable[..., Ran]) -> None:
    data = two("ship", "memory", "workspaces", "list", "--limit", "1", "--json").data
    assert (data["total"], data["omitted"]) == (2, 1)
    own, barge = data["workspaces"]
    assert sorted(own) == sorted(barge)
    assert (own["scope"], own["key"], own["profile"]) == ("user", None, "default")
    assert (barge["scope"], barge["parent_group"], barge["current"]) == ("project", "projects", False)


def test_list_of_nothing(at: Callable[..., Ran]) -> None:
    done = at("ship", "memory", "workspaces", "list")
    assert (len(cells(done)), done.stderr) == (1, "No project has memories yet.\n")


# --- workspaces relink ----------------------------------------------------------------------------------


def test_a_moved_project_is_told_and_relinked(moved: Callable[..., Ran], tmp_path: Path) -> None:
    stopped = moved("boat", "memory", "add", "The sail is red.", "--json")
    assert (stopped.exit_code, stopped.json()["errors"][0]["code"]) == (4, "workspace_moved")
    done = moved("boat", "memory", "workspaces", "relink", "--yes", "--json")
    assert done.exit_code == 0
    assert done.data["from"]["root"] == str(tmp_path / "projects" / "ship")
    assert done.data["workspace"]["root"] == str(tmp_path / "projects" / "boat")
    assert (len(done.data["moved"]), done.data["settings"]) == (1, False)
    assert moved("boat", "memory", "list", "--json").data["total"] == 1


def test_relink_tells_people_in_one_line(moved: Callable[..., Ran]) -> None:
    before = files()
    dry = moved("boat", "memory", "workspaces", "relink", "--dry-run")
    assert dry.exit_code == 0
    assert "The mast is oak." in dry.stdout
    assert dry.stderr.startswith("Dry run · Relinked · ")
    assert files() == before
    done = moved("boat", "memory", "workspaces", "relink", "--yes")
    assert done.stdout.startswith("Relinked · ")
    assert done.stdout.endswith(" · 1 file\n")


def test_relink_asks_and_only_a_person(moved: Callable[..., Ran], tmp_path: Path) -> None:
    before = files()
    done = moved("boat", "memory", "workspaces", "relink")
    assert "Move 1 file kept for" in done.stderr
    assert "--yes" in done.stderr
    again = moved("boat", "memory", "workspaces", "relink", "ship", "--request-id", "r1")
    assert "Move what is kept for ship" in again.stderr
    for arguments in ((), ("--yes",), ("--new",), ("--dry-run",), ("--request-id", "r2")):
        refused = moved("boat", "memory", "workspaces", "relink", *arguments, "--as", "agent")
        assert refused.exit_code == 5, arguments
        assert "Only a person may" in refused.stderr
    assert moved("boat", "memory", "workspaces", "relink", "--read-only").exit_code != 0
    assert files() == before


def test_the_answer_is_about_the_project_that_was_shown(
    moved: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(Call, "confirm", lambda _, question, *, yes: asked.append((question, yes)))
    old, new = (tmp_path / "projects" / name for name in ("ship", "boat"))
    assert moved("boat", "memory", "workspaces", "relink").exit_code == 0
    assert moved("ship", "memory", "workspaces", "relink", "boat", "--request-id", "r1").exit_code == 0
    assert moved("boat", "memory", "workspaces", "relink", str(old)).exit_code == 0
    assert asked == [
        (f"Move 1 file kept for {old} to {new}?", False),
        (f"Move what is kept for boat to {old}?", False),
        (f"Move 1 file kept for {old}, which is still there, to {new}?", False),
    ]


def test_a_repetition_is_answered_again(moved: Callable[..., Ran]) -> None:
    arguments = ("memory", "workspaces", "relink", "ship", "--yes", "--request-id", "r1")
    assert moved("boat", *arguments).exit_code == 0
    again = moved("boat", *arguments)
    assert (again.exit_code, again.stdout) == (0, "Done before.\n")
    assert moved("boat", *arguments, "--json").data["workspace"] is None


def test_relink_new_needs_no_answer_and_takes_nothing_along(moved: Callable[..., Ran]) -> None:
    done = moved("boat", "memory", "workspaces", "relink", "--new")
    assert done.stdout.startswith("A project of its own · ")
    assert moved("boat", "memory", "workspaces", "relink", "--new").stdout.startswith("Known already · ")
    assert moved("boat", "memory", "add", "The sail is red.").exit_code == 0
    assert moved("boat", "memory", "list", "--json").data["total"] == 1
    assert moved("boat", "memory", "workspaces", "relink", "ship", "--new").exit_code == 2


def test_a_root_that_is_no_text_is_told_all_the_same(at: Callable[..., Ran]) -> None:
    assert at("caf\udce9", "memory", "add", "The mast is oak.").exit_code == 0
    for more in ((), ("--json",)):
        assert at("ship", "memory", "workspaces", "list", *more).exit_code == 0
        assert at("ship", "memory", "browse", "caf", *more).exit_code == 0
        done = at("ship", "memory", "workspaces", "relink", "caf", "--dry-run", *more)
        assert done.exit_code == 0
        assert b"caf" in done.stdout_bytes + done.stderr_bytes
