"""What scripts/generate.py made is fresh, and the shells and groff can read it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import generate
from house.invocation import scripts_folder
from surroundings import ENVIRONMENT
from wuu import errors

_SHELLS = {"bash": "wuu.bash", "zsh": "_wuu", "fish": "wuu.fish"}


def test_generated_files_are_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 0, capsys.readouterr().out


def test_the_check_names_what_is_stale_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "REPOSITORY", tmp_path)
    assert generate.main(["--check"]) == 1
    assert "stale: man/wuu.1\n" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


@pytest.mark.parametrize("shell", _SHELLS)
def test_the_shell_can_read_its_completions(shell: str, repository: Path) -> None:
    program = _shell(shell)
    script = repository / "completions" / _SHELLS[shell]
    read = subprocess.run([program, "-n", script], capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, "")


def test_bash_completes_commands_and_options(repository: Path) -> None:
    assert "notebook" in _completed_by_bash(repository, "wuu", "note")
    assert "write" in _completed_by_bash(repository, "wuu", "notebook", "wr")
    assert "--description" in _completed_by_bash(repository, "wuu", "notebook", "write", "--de")


def test_fish_completes_commands(repository: Path) -> None:
    asked = f"source {repository}/completions/wuu.fish; complete -C 'wuu notebook wr'"
    answer = _run([_shell("fish"), "--no-config", "-c", asked])
    assert [line.split("\t")[0] for line in answer.splitlines()] == ["write"]


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_groff_has_nothing_to_say_about_the_manual(repository: Path) -> None:
    pages = sorted((repository / "man").iterdir())
    assert pages
    for page in pages:
        told = subprocess.run(
            ["groff", "-man", "-ww", "-z", "-Kutf8", "-Tutf8", page],
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stderr == ""


def test_every_variable_that_wuu_reads_is_documented(repository: Path) -> None:
    sources = [path.read_text(encoding="utf-8") for path in (repository / "src").rglob("*.py")]
    read = {name for source in sources for name in re.findall(r"['\"](WUU_[A-Z_]+)['\"]", source)}
    assert read
    assert read <= set(ENVIRONMENT)


def test_every_error_class_is_in_the_one_module(repository: Path) -> None:
    names = [name for name, one in vars(errors).items() if isinstance(one, type)]
    subclass = re.compile(rf"^ *class \w+\((?:.*\b)?(?:{'|'.join(names)})\b", re.MULTILINE)
    elsewhere = [
        path.name
        for path in (repository / "src").rglob("*.py")
        if path.name != "errors.py" and subclass.search(path.read_text(encoding="utf-8"))
    ]
    assert elsewhere == []


def _completed_by_bash(repository: Path, *words: str) -> list[str]:
    asked = f"""
        source {repository}/completions/wuu.bash
        COMP_WORDS=({" ".join(words)})
        COMP_CWORD={len(words) - 1}
        _wuu wuu
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return _run([_shell("bash"), "--norc", "-c", asked]).splitlines()


def _run(command: list[str]) -> str:
    path = os.pathsep.join([scripts_folder(), os.environ["PATH"]])
    done = subprocess.run(
        command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def _shell(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    return program
