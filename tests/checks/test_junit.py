"""JUnit XML: valid by the schema of Jenkins, counts that agree, and names that readers can tell apart."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import xmlschema

from checks.samples import BASE, HOSTILE, MANY, NOTHING, REPORTS
from wuu.checks.junit import render_junit
from wuu.checks.report import Report
from wuu.problems import problem


@pytest.fixture(scope="module")
def schema(repository: Path) -> Any:
    return xmlschema.XMLSchema(str(repository / "tests" / "schemas" / "junit-10.xsd"))


def _suite(report: Report) -> ET.Element:
    root = ET.fromstring(render_junit(report, BASE).encode())
    suites = root.findall("testsuite")
    assert [root.tag, len(suites)] == ["testsuites", 1]
    for name in ("tests", "failures", "errors", "time"):
        assert root.get(name) == suites[0].get(name)
    return suites[0]


@pytest.mark.parametrize("name", REPORTS)
def test_it_is_valid_by_the_schema_of_jenkins(name: str, schema: Any) -> None:
    schema.validate(render_junit(REPORTS[name], BASE))


def test_the_schema_refuses_what_is_not_junit(schema: Any) -> None:
    assert not schema.is_valid("<testsuites><testsuite name='x'/></testsuites>")


@pytest.mark.parametrize("name", REPORTS)
def test_the_counts_are_those_of_the_cases(name: str) -> None:
    report, suite = REPORTS[name], _suite(REPORTS[name])
    cases = suite.findall("testcase")
    assert suite.get("tests") == str(len(cases)) == str(len(report.problems) + 1)
    assert suite.get("failures") == str(len(suite.findall("testcase/failure"))) == str(report.errors)
    assert suite.get("errors") == suite.get("skipped") == "0"
    assert all(len(case.findall("failure")) <= 1 for case in cases)


@pytest.mark.parametrize("name", REPORTS)
def test_readers_can_tell_the_cases_apart(name: str) -> None:
    cases = [(case.get("classname"), case.get("name")) for case in _suite(REPORTS[name]).findall("testcase")]
    assert len(set(cases)) == len(cases)


def test_an_error_fails_its_case_and_says_where() -> None:
    found = problem("dangling_link", "MEMORY.md", 3, "It names gone.md.", "Drop the line.")
    case = _suite(Report((found,), 1, "/n")).findall("testcase")[1]
    assert case.attrib == {
        "classname": "docs/memory/MEMORY.md",
        "name": "dangling_link: It names gone.md.",
        "time": "0",
    }
    failure = case.find("failure")
    assert failure is not None
    assert failure.attrib == {"type": "dangling_link", "message": "It names gone.md."}
    assert failure.text == "docs/memory/MEMORY.md:3: error dangling_link: It names gone.md.\nDrop the line."


def test_a_warning_passes_and_is_told() -> None:
    found = problem("name_missing", "a.md", None, "It has no name.")
    case = _suite(Report((found,), 1, "/n")).findall("testcase")[1]
    assert case.find("failure") is None
    assert case.findtext("system-out") == "docs/memory/a.md: warning name_missing: It has no name."


def test_a_clean_check_has_a_case_that_passes() -> None:
    suite = _suite(NOTHING)
    assert suite.get("tests") == "1"
    assert suite.findtext("testcase/system-out") == "14 checked"


def test_a_problem_that_is_told_twice_is_numbered() -> None:
    found = problem("secret_detected", "a.md", 3, "It holds a key.")
    names = [case.get("name") for case in _suite(Report((found, found), 1, "/n")).findall("testcase")[1:]]
    assert names == ["secret_detected: It holds a key.", "secret_detected: It holds a key. (2)"]


def test_hostile_names_are_whole_or_spelled_out() -> None:
    names = {case.get("classname") for case in _suite(HOSTILE).findall("testcase")}
    assert 'docs/memory/it\'s "quoted" <b>&amp;</b>.md' in names
    assert "docs/memory/ferry 🛥️ timetable.md" in names
    assert r"docs/memory/line\x0afeed.md" in names
    assert r"docs/memory/not utf-8 \udcff\udcfe.md" in names
    assert r"docs/memory/not a character \ufffe\uffff.md" in names


def test_many_problems_are_all_there() -> None:
    assert len(_suite(MANY).findall("testcase/failure")) == 1_000
