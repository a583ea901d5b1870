"""Workflow commands of GitHub Actions: a log line that becomes an annotation of a file and its line.

Owns their escaping, without which a file name or a message could end the command or begin another one.
"""

from wuu.checks.formats import one_line, shown_place
from wuu.checks.places import Base
from wuu.checks.report import Report
from wuu.problems import Problem

_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render_github(report: Report, base: Base) -> str:
    """Return one command for each problem, and nothing where there is none."""
    return "".join(_command(one, base) for one in report.problems)


def _command(problem: Problem, base: Base) -> str:
    properties = {"file": shown_place(base, problem.file), "title": problem.code}
    if problem.line is not None:
        properties = {"file": properties["file"], "line": str(problem.line), "title": problem.code}
    written = ",".join(f"{name}={value.translate(_IN_PROPERTY)}" for name, value in properties.items())
    lines = [one_line(text) for text in (problem.message, problem.fix) if text]
    return f"::{problem.severity} {written}::{chr(10).join(lines).translate(_IN_MESSAGE)}\n"
