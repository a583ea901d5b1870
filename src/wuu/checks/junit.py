"""JUnit XML, as Jenkins, GitLab and others read test results.

One test case for each problem, since readers take one failure of a test case: an error fails, a warning
passes and is told in its output. One more test case always passes and says how many files were looked at: a
report without test cases counts as broken.
"""

from collections import Counter
from xml.etree import ElementTree as ET

from wuu.checks.formats import one_line, shown_place
from wuu.checks.places import Base
from wuu.checks.report import Report
from wuu.problems import ERROR, Problem

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NO_TIME = "0"  # seconds; what the check of one file took is not known


def render_junit(report: Report, base: Base) -> str:
    """Return one suite, with its counts on both levels."""
    counts = {"tests": str(len(report.problems) + 1), "failures": str(report.errors), "errors": "0"}
    root = ET.Element("testsuites", {"name": "wuu", **counts, "time": _NO_TIME})
    suite = ET.SubElement(root, "testsuite", {"name": "wuu", **counts, "skipped": "0", "time": _NO_TIME})
    everything = _case(suite, "wuu", "files checked")
    ET.SubElement(everything, "system-out").text = f"{report.checked} checked"
    seen: Counter[tuple[str, str]] = Counter()
    for problem in report.problems:
        _add(suite, problem, base, seen)
    ET.indent(root)
    return _HEAD + ET.tostring(root, encoding="unicode") + "\n"


def _add(suite: ET.Element, problem: Problem, base: Base, seen: Counter[tuple[str, str]]) -> None:
    place, message = shown_place(base, problem.file), one_line(problem.message)
    name = f"{problem.code}: {message}"
    seen[place, name] += 1
    if (times := seen[place, name]) > 1:  # readers tell test cases apart by their names
        name = f"{name} ({times})"
    case = _case(suite, place, name)
    where = place if problem.line is None else f"{place}:{problem.line}"
    text = f"{where}: {problem.severity} {problem.code}: {message}"
    if problem.fix:
        text += f"\n{one_line(problem.fix)}"
    if problem.severity == ERROR:
        ET.SubElement(case, "failure", {"type": problem.code, "message": message}).text = text
    else:
        ET.SubElement(case, "system-out").text = text


def _case(suite: ET.Element, class_name: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", {"classname": class_name, "name": name, "time": _NO_TIME})
