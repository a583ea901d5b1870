"""SARIF 2.1.0 (OASIS), as code scanning of GitHub and others read it.

Owns the document and the fingerprints by which a reader knows a problem again after its lines have moved.
"""

import json
import os
import re
from collections import Counter
from typing import Any
from urllib.parse import quote

from wuu import __version__
from wuu.checks.formats import one_line
from wuu.checks.places import Base
from wuu.checks.report import Report
from wuu.ids import sha256_hex
from wuu.problems import CODES, Problem

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "wuuProblem/v1"
_PAGES = "docs/reference/problems/"

# A number that stands alone counts something or names a line; one in a file name or a date belongs to it.
_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?![\w-]|[.,]\w)")
_BRACES = str.maketrans({"{": "{{", "}": "}}"})


def render_sarif(report: Report, base: Base) -> str:
    """Return a log of one run."""
    reported = {one.code for one in report.problems}
    codes = [code for code in CODES if code in reported]
    index = {code: at for at, code in enumerate(codes)}
    seen: Counter[str] = Counter()
    run = {
        "tool": {"driver": _driver(codes)},
        "invocations": [_invocation(report)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, index[one.code], base, seen) for one in report.problems],
    }
    if not base.absolute:
        what = "The folder in which wuu was run: the root of the repository."
        run["originalUriBaseIds"] = {ROOT: {"description": {"text": what}}}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, allow_nan=False) + "\n"


def _driver(codes: list[str]) -> dict[str, Any]:
    return {
        "name": "wuu",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in codes],
    }


def _rule(code: str) -> dict[str, Any]:
    kind = CODES[code]
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in code.split("_")),
        "shortDescription": {"text": kind.summary},
        "fullDescription": {"text": kind.summary},
        "help": {"text": f"{kind.summary} The documents of wuu have a page on it: {_PAGES}{code}.md"},
        "defaultConfiguration": {"level": kind.severity},
    }


def _invocation(report: Report) -> dict[str, Any]:
    """Say that the check itself went well, whatever it found."""
    failure = report.failure()
    return {
        "executionSuccessful": True,
        "exitCode": 0 if failure is None else failure.exit_status,
        "exitCodeDescription": report.summary(),
    }


def _result(problem: Problem, rule: int, base: Base, seen: Counter[str]) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(base, problem.file)}
    if problem.line is not None:
        location["region"] = {"startLine": problem.line}
    fingerprint = _fingerprint(problem)
    seen[fingerprint] += 1
    return {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.severity,
        "message": {"text": _message(problem)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {FINGERPRINT: f"{fingerprint}:{seen[fingerprint]}"},
    }


def _artifact(base: Base, file: str) -> dict[str, str]:
    """Return where a file is, by its bytes on the disk: a name need not be UTF-8."""
    place = os.fsencode(base.place(file))
    if not base.absolute:
        return {"uri": quote(place), "uriBaseId": ROOT}
    return {"uri": f"file:///{quote(place.lstrip(b'/'), safe='/:')}"}


def _message(problem: Problem) -> str:
    """Return message and fix as plain text of SARIF: braces doubled, and no user's text becomes a link."""
    texts = [one_line(text) for text in (problem.message, problem.fix) if text]
    return " ".join(texts).translate(_BRACES).replace("](", "] (")


def _fingerprint(problem: Problem) -> str:
    parts = (problem.code, problem.file, _NUMBER.sub("#", problem.message))
    return sha256_hex("\0".join(parts).encode("utf-8", "surrogatepass"))[:32]
