"""The files of the memories damaged one by one: no other memory changes, and what cannot be read is named."""

import os
import shutil
from pathlib import Path

import pytest

from house.invocation import Invoke
from store.damaged import DAMAGES, StateFile
from store.test_damage import code_of, damage_file, documented

pytestmark = pytest.mark.usefixtures("unflushed")

TEXTS = {"user": "A kestrel of mine", "project": "A kestrel here", "session": "A kestrel now"}
ADDING = {"user": ("--user",), "project": (), "session": ("--session-scope", "--session", "s1")}
COMMANDS = {
    "list": ("memory", "list", "--session", "s1"),
    "search": ("memory", "search", "kestrel", "--session", "s1"),
    "add": ("memory", "add", "A new kestrel"),
}
MEMORY_FILES = {
    "user": "entries/<profile>/<id>.md",
    "project": "workspaces/<key>/entries/<id>.md",
    "session": "workspaces/<key>/sessions/<session>/entries/<id>.md",
    "workspace": "workspaces/<key>/workspace.json",
}


@pytest.fixture
def home(invoke: Invoke, tmp_path: Path) -> Path:
    for scope, text in TEXTS.items():
        assert invoke("memory", "add", text, *ADDING[scope]).exit_code == 0
    root = Path(os.environ["WUU_HOME"])
    shutil.copytree(root, tmp_path / "copy")
    return root


def _find(root: Path, scope: str) -> Path:
    (workspace,) = os.listdir(root / "workspaces")
    if scope == "workspace":
        return root / "workspaces" / workspace / "workspace.json"
    folder = {"user": "entries/default", "project": f"workspaces/{workspace}/entries"}.get(
        scope, f"workspaces/{workspace}/sessions/s1/entries"
    )
    return StateFile(scope, folder, end=".md").find(root)


def _entries(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("entries/**/*.md")}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("scope", MEMORY_FILES)
def test_a_damaged_memory_costs_no_other(
    scope: str, damage: str, home: Path, tmp_path: Path, invoke: Invoke
) -> None:
    others = {one for other, one in TEXTS.items() if other != scope}
    for command, arguments in COMMANDS.items():
        shutil.rmtree(home)
        shutil.copytree(tmp_path / "copy", home)
        place = _find(home, scope)
        damage_file(place, damage)
        before = _entries(home)
        ran = invoke(*arguments, "--json")
        assert code_of(ran) == "ok", ran.json()["errors"]
        assert "Traceback" not in ran.stderr
        assert before.items() <= _entries(home).items()
        assert len(_entries(home)) - len(before) == int(command == "add")
        for warning in ran.json()["warnings"]:
            assert warning["code"] in ("entry_problem", "not_utf8")
            assert place.name in warning["message"]
        if command == "list":
            assert others <= {one["text"] for one in ran.data["memories"]}
            if scope != "workspace" and damage in ("empty", "half", "first bit", "high bit"):
                assert ran.json()["warnings"]


@pytest.mark.parametrize("file", MEMORY_FILES.values())
def test_the_page_about_damage_has_every_file_of_the_memories(file: str, repository: Path) -> None:
    row = documented(repository / "docs" / "reference" / "damage.md")[file]
    assert "status" not in row
