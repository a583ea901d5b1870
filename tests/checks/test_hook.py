"""The hook that pre-commit offers to other repositories, run by pre-commit itself in one of them."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

HOOK = "wuu-notebook-check"
PACKAGE = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "src", "completions", "man")
TOPIC = "---\nname: {0}\ndescription: {0}, in short\ntype: reference\n---\n\nText.\n"


@pytest.fixture(scope="module")
def hook(repository: Path) -> dict[str, Any]:
    [found] = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return dict(found)


def test_the_hook_checks_a_folder_whatever_was_committed(hook: dict[str, Any]) -> None:
    assert hook["id"] == HOOK
    assert hook["entry"] == "wuu notebook check"
    assert hook["language"] == "python"
    assert hook["pass_filenames"] is False
    assert hook["require_serial"] is True
    assert hook["always_run"] is True


class Foreign:
    """A repository of somebody else, with notes in docs/memory."""

    def __init__(self, place: Path, environment: dict[str, str]) -> None:
        self.place = place
        self.notes = place / "docs" / "memory"
        self.environment = environment
        self.notes.mkdir(parents=True)
        self.git("init", "--quiet")

    def git(self, *arguments: str) -> str:
        return _run(["git", *arguments], self.place, self.environment).stdout.strip()

    def pre_commit(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", *arguments]
        return _run(command, self.place, self.environment, check=False)


def _run(
    command: list[str], place: Path, environment: dict[str, str], *, check: bool = True
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, check=check, timeout=600
    )


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return the environment of somebody who has pip and git set up, and whose home nobody has used."""
    (tmp_path / "gitconfig").write_text(
        "[user]\nname = Dana\nemail = dana@example.org\n[safe]\ndirectory = *\n"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    return {
        **kept,
        "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig"),
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
    }


@pytest.fixture
def published(repository: Path, tmp_path: Path, environment: dict[str, str]) -> Path:
    """Return a repository with what wuu is installed from, as it is now, committed or not."""
    place = tmp_path / "published"
    place.mkdir()
    for name in PACKAGE:
        source = repository / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place / name)
    for arguments in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "wuu")):
        _run(["git", *arguments], place, environment)
    return place


@pytest.fixture
def foreign(tmp_path: Path, environment: dict[str, str]) -> Foreign:
    foreign = Foreign(tmp_path / "foreign", environment)
    (foreign.notes / "MEMORY.md").write_text("# Memory\n\n- [Ferry](ferry.md)\n- [Gone](gone.md)\n")
    (foreign.notes / "ferry.md").write_text(TOPIC.format("Ferry"))
    (foreign.place / "README.md").write_text("Not a topic, and [broken](nowhere.md).\n")
    foreign.git("add", "--all")
    return foreign


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("pre_commit") is None,
    reason="pre-commit is not installed (the extra `dev` has it)",
)
def test_a_foreign_repository_is_checked_by_pre_commit(published: Path, foreign: Foreign) -> None:
    revision = _run(["git", "rev-parse", "HEAD"], published, foreign.environment).stdout.strip()
    (foreign.place / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {published}\n  rev: {revision}\n  hooks:\n"
        f"  - id: {HOOK}\n    args: [--dir, docs/memory, --ignore, unknown_type]\n"
    )
    foreign.git("add", "--all")

    broken = foreign.pre_commit("run", "--all-files")
    assert broken.returncode == 1, broken.stdout + broken.stderr
    assert "docs/memory/MEMORY.md:4: error dangling_link: " in broken.stdout
    assert "1 error in 2 files." in broken.stdout
    assert "README.md" not in broken.stdout
    assert "exit code: 1" in broken.stdout

    (foreign.notes / "gone.md").write_text(TOPIC.format("Gone"))
    foreign.git("add", "--all")
    mended = foreign.pre_commit("run", "--all-files")
    assert mended.returncode == 0, mended.stdout + mended.stderr
    foreign.git("commit", "--quiet", "--message", "Notes")

    foreign.git("rm", "--quiet", "docs/memory/gone.md")
    removed = foreign.pre_commit("run")
    assert removed.returncode == 1, removed.stdout + removed.stderr
    assert "dangling_link" in removed.stdout

    foreign.git("mv", "docs/memory", "docs/notes")
    elsewhere = foreign.pre_commit("run")
    assert elsewhere.returncode == 1
    assert "exit code: 3" in elsewhere.stdout
