"""The formats in which programs read a report: their names, and one function that renders any of them.

The text for people is not among them; `cli/` owns that. A format is imported when it is asked for.
"""

from wuu.checks.places import Base, find_base
from wuu.checks.report import Report
from wuu.text.safety import visible

DOCUMENTS = ("json", "github", "junit", "sarif")


def render(name: str, report: Report, current: str | None) -> str:
    """Return `report` as the document `name`, one of `DOCUMENTS`, with a newline at its end unless empty.

    `current` is the current folder, from which paths count; None if there is none.
    """
    if name == "json":
        return render_json(report)
    base = find_base(report.folder, current)
    match name:
        case "github":
            from wuu.checks.github import render_github  # noqa: PLC0415  (one format a call)

            return render_github(report, base)
        case "junit":
            from wuu.checks.junit import render_junit  # noqa: PLC0415  (imports XML)

            return render_junit(report, base)
        case "sarif":
            from wuu.checks.sarif import render_sarif  # noqa: PLC0415  (imports urllib)

            return render_sarif(report, base)
    raise ValueError(name)


def render_json(report: Report) -> str:
    r"""Return the data of `--json` without its envelope.

    A file name that is not UTF-8 has lone surrogates here; whoever writes this to a stream makes `\udcff` of
    them, which JSON reads back.
    """
    import json  # noqa: PLC0415  (two formats of five)

    return json.dumps(report.value(), sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def shown_place(base: Base, file: str) -> str:
    """Return the path of a file in one line of characters that every format can carry."""
    return one_line(base.place(file))


def one_line(text: str) -> str:
    """Return text in one line, with what cannot be seen spelled out; XML 1.0 has every character of it."""
    return visible(text, tabs=False).replace("\r", r"\x0d").replace("\n", r"\x0a")
