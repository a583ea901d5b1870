"""`wuu check` and `wuu notebook check`: their options, the text for people, and which stream gets what."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cases.processes import at_terminal
from checks.samples import HOSTILE, MANY, NOTHING
from house.invocation import Invoke
from wuu.checks.formats import DOCUMENTS
from wuu.checks.report import Report
from wuu.notebook import actions
from wuu.problems import Problem, problem

FOUND = (
    problem("dangling_link", "MEMORY.md", 3, "It names gone.md.", "Write gone.md, or drop the line."),
    problem("name_missing", "a.md", None, "It has no name."),
)
Find = Callable[..., None]

_PROBE = """
import sys
from wuu.launch import main
status = main(sys.argv[1:])
print(*sorted(sys.modules), file=sys.stderr)
sys.exit(status)
"""


@pytest.fixture
def finding(monkeypatch: pytest.MonkeyPatch) -> Find:
    """Return how to make the check of the notebook find something, in the folder docs/memory from here."""

    def find(*problems: Problem, checked: int = 14) -> None:
        folder = os.path.join(os.getcwd(), "docs", "memory")
        monkeypatch.setattr(actions, "check_notebook", lambda *_: Report(problems, checked, folder))

    return find


def test_text_is_one_line_a_problem_with_its_place_first(invoke: Invoke, finding: Find) -> None:
    finding(*FOUND)
    ran = invoke("notebook", "check")
    assert ran.stdout == (
        "docs/memory/MEMORY.md:3: error dangling_link: It names gone.md.\n"
        "    Write gone.md, or drop the line.\n"
        "docs/memory/a.md: warning name_missing: It has no name.\n"
    )
    assert ran.stderr == "1 error, 1 warning in 14 files.\n"
    assert ran.exit_code == 1


def test_quiet_tells_errors_alone(invoke: Invoke, finding: Find) -> None:
    finding(*FOUND)
    ran = invoke("notebook", "check", "--quiet")
    assert ran.stdout == "docs/memory/MEMORY.md:3: error dangling_link: It names gone.md.\n"
    assert (ran.stderr, ran.exit_code) == ("", 1)
    finding(FOUND[1])
    ran = invoke("notebook", "check", "--quiet")
    assert (ran.stdout, ran.stderr, ran.exit_code) == ("", "", 0)


def test_nothing_found_is_said(invoke: Invoke, finding: Find) -> None:
    finding()
    ran = invoke("notebook", "check")
    assert (ran.stdout, ran.stderr, ran.exit_code) == ("", "No problems in 14 files.\n", 0)


def test_hostile_names_and_texts_stay_in_their_lines(invoke: Invoke, finding: Find) -> None:
    finding(*HOSTILE.problems)
    lines = invoke("notebook", "check").stdout.split("\n")[:-1]
    assert len(lines) == 2 * len(HOSTILE.problems)
    assert all(line.startswith("docs/memory/") for line in lines[::2])
    assert all(line.startswith("    ") for line in lines[1::2])
    assert not any(character < " " for line in lines for character in line)


@pytest.mark.parametrize("form", DOCUMENTS)
def test_a_document_is_all_there_is(form: str, invoke: Invoke, finding: Find) -> None:
    for problems, status in ((FOUND, 1), (FOUND[1:], 0), ((), 0), (HOSTILE.problems, 1)):
        finding(*problems)
        ran = invoke("notebook", "check", "--format", form)
        assert (ran.stderr, ran.exit_code) == ("", status)
        assert ran.stdout.endswith("\n") or (form == "github" and not problems)


def test_the_json_document_is_the_data_of_the_envelope(invoke: Invoke, finding: Find) -> None:
    finding(*HOSTILE.problems)
    document = invoke("notebook", "check", "--format", "json").json()
    envelope = invoke("notebook", "check", "--json").json()
    assert envelope["data"] == document
    assert (envelope["status"], envelope["exit_code"]) == ("partial", 1)
    [error] = envelope["errors"]
    assert (error["code"], error["details"]) == (
        "findings",
        {"errors": document["errors"], "warnings": document["warnings"]},
    )


@pytest.mark.parametrize("form", DOCUMENTS)
def test_two_documents_cannot_be_had(form: str, invoke: Invoke, finding: Find) -> None:
    finding(*FOUND)
    for arguments in (("--json", "notebook", "check"), ("notebook", "check", "--json")):
        ran = invoke(*arguments, "--format", form)
        assert ran.exit_code == 2
        assert "exclude each other" in ran.json()["errors"][0]["message"]
    assert invoke("notebook", "check", "--json", "--format", "text").exit_code == 1


@pytest.mark.parametrize(
    ("options", "codes", "status"),
    [
        (("--select", "name_missing"), ["name_missing"], 0),
        (("--select", "name_missing", "--strict"), ["name_missing"], 1),
        (("--select", "name_missing", "--select", "dangling_link"), ["dangling_link", "name_missing"], 1),
        (("--select", "name_missing,dangling_link"), ["dangling_link", "name_missing"], 1),
        (("--ignore", "dangling_link"), ["name_missing"], 0),
        (("--ignore", "dangling_link", "--ignore", "name_missing", "--strict"), [], 0),
        (("--select", "dangling_link", "--ignore", "dangling_link"), [], 0),
        (("--select", "not_utf8"), [], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_chosen_is_what_counts(
    options: tuple[str, ...], codes: list[str], status: int, invoke: Invoke, finding: Find
) -> None:
    finding(*FOUND)
    ran = invoke("notebook", "check", *options, "--format", "json")
    assert ran.exit_code == status
    document = ran.json()
    assert [one["code"] for one in document["problems"]] == codes
    assert document["errors"] + document["warnings"] == len(codes)
    assert document["checked"] == 14


def test_an_unknown_code_is_wrong_usage_and_names_the_nearest(invoke: Invoke, finding: Find) -> None:
    finding(*FOUND)
    ran = invoke("notebook", "check", "--select", "dangling-lnk")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "Did you mean dangling_link?" in ran.stderr


def test_wrong_usage_is_told_before_anything_is_read(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "check_notebook", lambda *_: pytest.fail("it was read"))
    assert invoke("notebook", "check", "--ignore", "nonsense").exit_code == 2


def test_folder_and_days_reach_the_check(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def check(_: object, *arguments: object) -> Report:
        asked.append(arguments)
        return NOTHING

    monkeypatch.setattr(actions, "check_notebook", check)
    invoke("notebook", "check")
    invoke("notebook", "check", "--dir", "docs/memory", "--stale-days", "90")
    assert asked == [(None, None), ("docs/memory", 90)]


@pytest.mark.parametrize("days", ["-1", "1.5", "99999999999999999999", ""])
def test_days_have_bounds(days: str, invoke: Invoke) -> None:
    assert invoke("notebook", "check", "--stale-days", days).exit_code == 2


@pytest.mark.parametrize("form", ["text", *DOCUMENTS])
def test_a_reader_that_goes_away_changes_no_status(form: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "MEMORY.md").write_text("".join(f"- [Gone](gone-{at}.md)\n" for at in range(2_000)))
    wuu = f"{sys.executable} -m wuu notebook check --dir {notes} --format {form}"
    script = f"set -o pipefail; {wuu} | head -c 10 >/dev/null"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, check=False)
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
    assert b"rror: [Errno" not in ran.stderr


def test_a_terminal_gets_no_character_that_acts(tmp_path: Path) -> None:
    notes = tmp_path / "no\x1b[2Jtes \u202e"
    notes.mkdir()
    (notes / "MEMORY.md").write_text("- [Gone](gone.md)\n")
    shown = at_terminal(("notebook", "check", "--dir", str(notes)))
    assert shown.exit_code == 1
    assert r"no\x1b[2Jtes \u202e/MEMORY.md:1: error dangling_link" in shown.screen
    assert "\x1b[2J" not in shown.screen


@pytest.mark.parametrize(
    ("options", "granted"),
    [
        ((), set()),
        (("--format", "junit"), {"xml"}),
        (("--format", "github"), set()),
        (("--format", "json"), set()),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_format_is_imported_when_it_is_asked_for(
    options: tuple[str, ...], granted: set[str], tmp_path: Path
) -> None:
    (tmp_path / "MEMORY.md").write_text("- [Gone](gone.md)\n")
    ran = subprocess.run(
        [sys.executable, "-I", "-c", _PROBE, "notebook", "check", "--dir", tmp_path, *options],
        capture_output=True,
        text=True,
        check=False,
    )
    loaded = set(ran.stderr.splitlines()[-1].split(" "))
    assert ran.returncode == 1
    assert "wuu.checks.formats" in loaded
    heavy = {"xml", "difflib", "rich", "yaml", "portalocker", "pathlib", "sqlite3", "logging", "email"}
    assert loaded & heavy == granted
    formats = {"wuu.checks.github", "wuu.checks.junit", "wuu.checks.sarif"}
    assert loaded & formats == {f"wuu.checks.{form}" for form in options[1:]} & formats


def test_many_problems_are_all_told(invoke: Invoke, finding: Find) -> None:
    finding(*MANY.problems)
    assert invoke("notebook", "check").stdout.count("\n") == 1_000
    sarif = json.loads(invoke("notebook", "check", "--format", "sarif").stdout_bytes)
    assert len(sarif["runs"][0]["results"]) == 1_000
