"""The report as JSON, as a line for people, and as a failure."""

import json
import sys

import pytest

from checks.samples import EVERY_CODE, HOSTILE, NOTHING
from wuu.checks.formats import DOCUMENTS, render, render_json
from wuu.checks.report import Report
from wuu.problems import CODES, ERROR, WARNING, problem

AN_ERROR = problem("dangling_link", "MEMORY.md", 3, "It names gone.md.", "Write gone.md, or drop the line.")
A_WARNING = problem("unknown_type", "a.md", None, "The type is odd.")


def test_the_json_has_the_shape_of_the_contract() -> None:
    assert Report((AN_ERROR, A_WARNING), 2, "/n").value() == {
        "problems": [
            {
                "code": "dangling_link",
                "severity": "error",
                "file": "MEMORY.md",
                "line": 3,
                "message": "It names gone.md.",
                "fix": "Write gone.md, or drop the line.",
            },
            {
                "code": "unknown_type",
                "severity": "warning",
                "file": "a.md",
                "line": None,
                "message": "The type is odd.",
                "fix": None,
            },
        ],
        "errors": 1,
        "warnings": 1,
        "checked": 2,
        "folder": "/n",
    }


def test_the_counts_are_those_of_the_severities() -> None:
    assert EVERY_CODE.errors == sum(kind.severity == ERROR for kind in CODES.values())
    assert EVERY_CODE.warnings == sum(kind.severity == WARNING for kind in CODES.values())


@pytest.mark.parametrize(
    ("problems", "checked", "expected"),
    [
        ((), 14, "No problems in 14 files."),
        ((), 0, "No problems in 0 files."),
        ((AN_ERROR,), 1, "1 error in 1 file."),
        ((AN_ERROR, AN_ERROR, A_WARNING), 2, "2 errors, 1 warning in 2 files."),
        ((A_WARNING, A_WARNING), 12_000, "2 warnings in 12,000 files."),
    ],
)
def test_the_summary(problems: tuple, checked: int, expected: str) -> None:
    assert Report(problems, checked, "/n").summary() == expected


def test_errors_are_a_failure_and_warnings_are_none() -> None:
    assert Report((A_WARNING,), 1, "/n").failure() is None
    failure = Report((A_WARNING, AN_ERROR), 1, "/n").failure()
    assert failure is not None
    assert (failure.code, failure.exit_status) == ("findings", 1)
    assert failure.details == {"errors": 1, "warnings": 1}


def test_the_document_is_the_data_whatever_the_names_are() -> None:
    written = render_json(HOSTILE).encode("utf-8", "backslashreplace")
    assert written.count(b"\n") == 1
    assert json.loads(written) == json.loads(json.dumps(HOSTILE.value()))
    assert json.loads(written)["problems"][-1]["file"] == HOSTILE.problems[-1].file


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_text_that_utf_8_can_carry_and_ends_its_last_line(name: str) -> None:
    for report in (EVERY_CODE, NOTHING):
        document = render(name, report, "/work")
        document.encode()
        assert document == "" or document.endswith("\n")
        assert document.count("docs/memory") >= len(report.problems) or name == "json"


def test_a_format_that_is_none_is_a_bug() -> None:
    with pytest.raises(ValueError, match="html"):
        render("html", NOTHING, None)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_twice_the_problems_are_twice_the_work(name: str) -> None:
    few, many = _calls(name, 500), _calls(name, 1_000)
    assert many < 2.1 * few


def _calls(name: str, count: int) -> int:
    """Return how many functions are called to render `count` problems, half of which say the same."""
    found = [
        problem("dangling_link", "MEMORY.md", at, f"It names gone-{at // 2}.md.")
        for at in range(1, count + 1)
    ]
    calls = 0

    def tally(*_: object) -> None:
        nonlocal calls
        calls += 1

    render(name, Report(tuple(found), count, "/work/docs/memory"), "/work")  # imports what it needs
    sys.setprofile(tally)
    try:
        render(name, Report(tuple(found), count, "/work/docs/memory"), "/work")
    finally:
        sys.setprofile(None)
    return calls
