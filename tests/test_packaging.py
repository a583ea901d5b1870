"""What pyproject.toml promises is there: versions, dependencies, the program, what travels with the wheel."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import wuu
from house.invocation import Invoke
from house.modules import read_modules

# Packages whose import has another name.
_DISTRIBUTIONS = {"yaml": "pyyaml", "frontmatter": "python-frontmatter"}


@pytest.fixture(scope="module")
def project(repository: Path) -> dict[str, Any]:
    return tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_program_tells_the_version_of_the_package(wuu_process: Invoke) -> None:
    ran = wuu_process("--version")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert wuu.__version__ in ran.stdout


def test_python_m_wuu_is_the_same_program() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "wuu", "--version"], capture_output=True, text=True, check=True
    )
    assert wuu.__version__ in ran.stdout


def test_the_changelog_has_a_section_for_this_version(repository: Path) -> None:
    changelog = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(
        rf"^## {re.escape(wuu.__version__)} - (unreleased|\d{{4}}-\d\d-\d\d)$", changelog, re.MULTILINE
    )


def test_every_library_that_is_imported_is_declared_and_the_other_way_round(
    project: dict[str, Any], repository: Path
) -> None:
    top = {
        one.module.split(".")[0]
        for module in read_modules(repository / "src" / "wuu")
        for one in module.imports()
    }
    imported = {_DISTRIBUTIONS.get(name, name) for name in top - set(sys.stdlib_module_names) - {"wuu"}}
    declared = {re.split(r"[^\w-]", line)[0] for line in project["project"]["dependencies"]}
    assert imported == declared


def test_everything_generated_travels_with_the_wheel(project: dict[str, Any], repository: Path) -> None:
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert {path.name for path in (repository / "completions").iterdir()} == {
        Path(source).name for source in shared if source.startswith("completions/")
    }
    assert shared["man"] == "share/man/man1"
    assert {path.suffix for path in (repository / "man").iterdir()} == {".1"}
    assert all((repository / source).exists() for source in shared)


def test_the_package_says_that_it_is_typed(repository: Path) -> None:
    assert (repository / "src" / "wuu" / "py.typed").is_file()
