"""What the documents show is what happens: every transcript is run, every link leads somewhere."""

import os
import re
import urllib.parse
from pathlib import Path

import pytest

from house.invocation import scripts_folder
from house.places import MEASURING, REPOSITORY
from house.transcript import (
    Step,
    find_differences,
    parse_blocks,
    parse_steps,
    run_steps,
    section,
    shell_environment,
)

DOCUMENTS = sorted((REPOSITORY / "docs").rglob("*.md"))
EXAMPLES = [path for path in DOCUMENTS if parse_steps(path.read_text(encoding="utf-8"))]


def _named(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


@pytest.fixture(scope="module")
def readme() -> str:
    return (REPOSITORY / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("document", EXAMPLES, ids=_named)
def test_the_examples_of(document: Path) -> None:
    _hold(parse_steps(document.read_text(encoding="utf-8")))


def test_the_sixty_seconds_of_the_readme(readme: str) -> None:
    steps = parse_steps(section(readme, "Sixty seconds"))
    assert len(steps) >= 3
    _hold(steps)


def test_the_set_up_is_two_lines_and_the_second_one_tests(readme: str) -> None:
    blocks = [block for block in parse_blocks(section(readme, "Set-up")) if block.info == "console"]
    assert len(blocks[0].lines) == 2
    first, second = parse_steps(section(readme, "Set-up"))[:2]
    assert " wuu memory context " in first.command.replace(".venv/bin/", " ")
    assert second.command.endswith(".venv/bin/python -m pytest")


@pytest.mark.parametrize("document", [REPOSITORY / "README.md", *DOCUMENTS], ids=_named)
def test_the_links_of(document: Path) -> None:
    text = re.sub(
        r"^(```|~~~).*?^\1", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    targets = re.findall(r"\]\(<?([^)\s>]+)>?\)", re.sub(r"`[^`\n]*`", "", text))
    files = [urllib.parse.unquote(target.split("#")[0]) for target in targets if "://" not in target]
    missing = [file for file in files if file and not (document.parent / file).exists()]
    assert missing == []


def _hold(steps: tuple[Step, ...]) -> None:
    """Run the commands in the home of this test, and compare."""
    outcomes = run_steps(
        steps, cwd=os.getcwd(), env=shell_environment({**os.environ, **MEASURING}, scripts_folder())
    )
    differences = list(find_differences(steps, outcomes))
    assert not differences, "\n\n" + "\n\n".join(differences)
