"""Workflow commands of GitHub: what is written is read back by the rules of the runner."""

import re
from typing import NamedTuple

import pytest

from checks.samples import ABSOLUTE, BASE, HOSTILE, NOTHING, REPORTS
from wuu.checks.github import render_github
from wuu.checks.report import Report
from wuu.problems import problem


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    message: str


def _parse(line: str) -> Command:
    """Read a line as the runner does: properties end at `::`, and are then unescaped."""
    found = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
    assert found, line
    pairs = dict(pair.split("=", 1) for pair in found[2].split(","))
    properties = {
        name: value.replace("%0D", "\r")
        .replace("%0A", "\n")
        .replace("%3A", ":")
        .replace("%2C", ",")
        .replace("%25", "%")
        for name, value in pairs.items()
    }
    return Command(
        found[1], properties, found[3].replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
    )


def test_a_command_names_file_line_and_code_and_tells_message_and_fix() -> None:
    found = problem("dangling_link", "MEMORY.md", 3, "It names gone.md.", "Drop the line.")
    assert render_github(Report((found,), 1, "/n"), BASE) == (
        "::error file=docs/memory/MEMORY.md,line=3,title=dangling_link::It names gone.md.%0ADrop the line.\n"
    )


def test_without_a_line_and_a_fix_there_is_none() -> None:
    found = problem("name_missing", "a.md", None, "It has no name.")
    assert render_github(Report((found,), 1, "/n"), ABSOLUTE) == (
        "::warning file=/home/dana/.wuu/memory/a.md,title=name_missing::It has no name.\n"
    )


@pytest.mark.parametrize("name", REPORTS)
def test_every_problem_is_one_command_that_reads_back(name: str) -> None:
    report = REPORTS[name]
    commands = [_parse(line) for line in render_github(report, BASE).splitlines()]
    assert [one.name for one in commands] == [one.severity for one in report.problems]
    assert [one.properties["title"] for one in commands] == [one.code for one in report.problems]
    for command, found in zip(commands, report.problems, strict=True):
        assert command.properties.get("line") == (None if found.line is None else str(found.line))
        assert command.properties.keys() <= {"file", "line", "title"}


def test_names_and_texts_that_need_escaping_come_back_whole() -> None:
    file, text = "50% off, really: 100%25.md", "%0A %25 100 %"
    found = problem("dangling_link", file, 3, text, text)
    command = _parse(render_github(Report((found,), 1, "/n"), BASE).rstrip("\n"))
    assert command.properties["file"] == f"docs/memory/{file}"
    assert command.message == f"{text}\n{text}"


def test_no_text_of_a_user_begins_a_line_or_hides_in_one() -> None:
    written = render_github(HOSTILE, BASE)
    assert all(
        line.startswith(("::error file=docs/", "::warning file=docs/")) for line in written.split("\n")[:-1]
    )
    assert "\x1b" not in written
    assert "\u202e" not in written


def test_no_problem_is_no_line() -> None:
    assert render_github(NOTHING, BASE) == ""
