"""SARIF: valid by the schema of the standard, consistent in itself, and stable when lines move."""

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import jsonschema
import pytest

from checks.samples import ABSOLUTE, BASE, EVERY_CODE, HOSTILE, HOSTILE_NAMES, MANY, NOTHING, REPORTS
from wuu import __version__
from wuu.checks.places import Base
from wuu.checks.report import Report
from wuu.checks.sarif import FINGERPRINT, ROOT, SCHEMA, render_sarif
from wuu.problems import CODES, Problem, problem

# What RFC 3986 allows in a URI reference, each `%` with its two digits.
_URI = re.compile(r"(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-F]{2})*")


@pytest.fixture(scope="module")
def validator(repository: Path) -> Any:
    text = (repository / "tests" / "schemas" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8")
    return jsonschema.Draft7Validator(json.loads(text))


def _run(report: Report, base: Base = BASE) -> dict[str, Any]:
    log = json.loads(render_sarif(report, base))
    assert (log["$schema"], log["version"], len(log["runs"])) == (SCHEMA, "2.1.0", 1)
    run: dict[str, Any] = log["runs"][0]
    return run


def _uris(report: Report, base: Base = BASE) -> list[str]:
    locations = [result["locations"][0]["physicalLocation"] for result in _run(report, base)["results"]]
    return [location["artifactLocation"]["uri"] for location in locations]


def _prints(*problems: Problem) -> list[str]:
    results = _run(Report(problems, 1, "/n"))["results"]
    return [result["partialFingerprints"][FINGERPRINT] for result in results]


@pytest.mark.parametrize(
    "base", [BASE, ABSOLUTE, Base("", absolute=False)], ids=lambda base: base.path or "here"
)
@pytest.mark.parametrize("name", REPORTS)
def test_it_is_valid_by_the_schema_of_the_standard(name: str, base: Base, validator: Any) -> None:
    validator.validate(json.loads(render_sarif(REPORTS[name], base)))


def test_the_schema_refuses_what_is_not_sarif(validator: Any) -> None:
    log = json.loads(render_sarif(EVERY_CODE, BASE))
    del log["runs"][0]["results"][0]["message"]
    assert not validator.is_valid(log)


def test_the_schemas_are_the_published_ones(repository: Path) -> None:
    folder = repository / "tests" / "schemas"
    digests = re.findall(
        r"^([0-9a-f]{64})  (\S+)$", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {name for _, name in digests} == {path.name for path in folder.iterdir()} - {"README.md"}
    for digest, name in digests:
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_the_tool_says_what_it_is_and_what_the_rules_mean() -> None:
    driver = _run(EVERY_CODE)["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("wuu", __version__)
    assert re.fullmatch(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?", driver["semanticVersion"])
    assert [rule["id"] for rule in driver["rules"]] == list(CODES)
    for rule in driver["rules"]:
        kind = CODES[rule["id"]]
        assert rule["shortDescription"]["text"] == rule["fullDescription"]["text"] == kind.summary
        assert kind.summary in rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] == kind.severity
        assert "helpUri" not in rule
        assert rule["name"].isalnum()


@pytest.mark.parametrize("name", REPORTS)
def test_every_problem_is_a_result_with_its_rule(name: str) -> None:
    report, run = REPORTS[name], _run(REPORTS[name])
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == {one.code for one in report.problems}
    for result, found in zip(run["results"], report.problems, strict=True):
        assert result["ruleId"] == rules[result["ruleIndex"]]["id"] == found.code
        assert result["level"] == found.severity
        region = result["locations"][0]["physicalLocation"].get("region")
        assert region == (None if found.line is None else {"startLine": found.line})


def test_a_stricter_level_stands_in_the_result_and_not_in_the_rule() -> None:
    found = problem("name_missing", "a.md", None, "It has no name.")._replace(severity="error")
    run = _run(Report((found,), 1, "/n"))
    assert run["results"][0]["level"] == "error"
    assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"]["level"] == "warning"


@pytest.mark.parametrize(("report", "status"), [(EVERY_CODE, 1), (NOTHING, 0)])
def test_the_invocation_went_well_whatever_was_found(report: Report, status: int) -> None:
    invocation = _run(report)["invocations"][0]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, status)
    assert invocation["exitCodeDescription"] == report.summary()


def test_a_relative_uri_counts_from_a_root_that_is_explained() -> None:
    run = _run(EVERY_CODE)
    assert set(run["originalUriBaseIds"]) == {ROOT}
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "docs/memory/topic-0.md", "uriBaseId": ROOT}


def test_an_absolute_uri_needs_no_root() -> None:
    run = _run(EVERY_CODE, ABSOLUTE)
    assert "originalUriBaseIds" not in run
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "file:///home/dana/.wuu/memory/topic-0.md"}
    drive = Base("C:/Users/dana/memory", absolute=True)
    assert _uris(EVERY_CODE, drive)[0] == "file:///C:/Users/dana/memory/topic-0.md"


@pytest.mark.parametrize(
    "base", [BASE, ABSOLUTE, Base("", absolute=False)], ids=lambda base: base.path or "here"
)
@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_uri_has_the_bytes_of_the_name(name: str, base: Base) -> None:
    [uri] = _uris(Report((problem("not_utf8", name, None, "Text."),), 1, "/n"), base)
    assert _URI.fullmatch(uri)
    parts = urlsplit(uri)
    assert parts.scheme == ("file" if base.absolute else "")
    assert (parts.query, parts.fragment, parts.netloc) == ("", "", "")
    assert unquote_to_bytes(parts.path) == os.fsencode(base.place(name))


def test_no_text_of_a_user_is_a_placeholder_or_a_link() -> None:
    for result in _run(HOSTILE)["results"]:
        text = result["message"]["text"]
        assert not re.search(r"\]\(", text)
        assert not re.search(r"(?<!\{)(?:\{\{)*\{(?!\{)", text)
        assert "\n" not in text
    texts = {result["message"]["text"] for result in _run(HOSTILE)["results"]}
    assert any("into {{0}} or {{{{1}}}}." in text for text in texts)


def test_a_fingerprint_stays_when_lines_and_counts_move() -> None:
    before = problem("unsafe_line", "a.md", 3, "Line 3 hides 12 of 1,200 characters.")
    after = problem("unsafe_line", "a.md", 40, "Line 40 hides 7 of 1,201 characters.")
    assert _prints(before) == _prints(after)


@pytest.mark.parametrize(
    "other",
    [
        problem("dangling_link", "MEMORY.md", 3, "It names harbour-2.md."),
        problem("dangling_link", "OTHER.md", 3, "It names harbour-1.md."),
        problem("link_leaves_notebook", "MEMORY.md", 3, "It names harbour-1.md."),
    ],
)
def test_a_fingerprint_differs_for_another_problem(other: Problem) -> None:
    assert _prints(problem("dangling_link", "MEMORY.md", 3, "It names harbour-1.md.")) != _prints(other)


def test_a_date_in_a_message_is_no_count() -> None:
    dated = [problem("verified_invalid", "a.md", 2, f"2026-02-{day} is no date.") for day in (30, 31)]
    assert _prints(dated[0]) != _prints(dated[1])


def test_problems_that_say_the_same_are_numbered() -> None:
    found = problem("secret_detected", "a.md", 3, "It holds a key.")
    first, second = _prints(found, found._replace(line=9))
    assert (first.split(":")[0], first[-2:], second[-2:]) == (second.split(":")[0], ":1", ":2")


@pytest.mark.parametrize("name", REPORTS)
def test_fingerprints_are_unique_in_a_run(name: str) -> None:
    prints = _prints(*REPORTS[name].problems)
    assert len(set(prints)) == len(prints)


def test_many_results_are_all_there() -> None:
    assert len(_run(MANY)["results"]) == 1_000
