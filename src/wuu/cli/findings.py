"""What the commands that check have in common: their options, and how a report is told.

Owns the text for people. Which problems count, and the formats for programs, are in `checks/`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import click

from wuu.checks.formats import DOCUMENTS, render
from wuu.checks.places import current_folder, find_base
from wuu.checks.report import Report
from wuu.checks.selection import Selection, parse_codes
from wuu.cli.call import Call
from wuu.cli.output import Reply, one_line
from wuu.errors import UsageProblem
from wuu.problems import ERROR, Problem

TEXT = "text"
_LONGEST_AGE = 36_500  # days

_OPTIONS = (
    click.option(
        "--format",
        "form",
        type=click.Choice([TEXT, *DOCUMENTS]),
        default=TEXT,
        show_default=True,
        help="For people, or one document for a program.",
    ),
    click.option("--select", multiple=True, metavar="CODE", help="Only these problems; CODE[,CODE]…"),
    click.option("--ignore", multiple=True, metavar="CODE", help="Not these problems; CODE[,CODE]…"),
    click.option("--strict", is_flag=True, help="Take warnings for errors."),
    click.option(
        "--stale-days",
        type=click.IntRange(0, _LONGEST_AGE),
        metavar="N",
        help="Also warn of topics that were not verified for N days.",
    ),
)


class Asked(NamedTuple):
    """How the findings are wanted: the format, and which of them count."""

    form: str
    selection: Selection


def check_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that every check has: `form`, `select`, `ignore`, `strict`, `stale_days`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def parse_asked(
    call: Call, form: str, select: tuple[str, ...], ignore: tuple[str, ...], strict: bool
) -> Asked:
    """Return what was asked for; to be called before anything is read.

    Raises:
        UsageProblem: A code is unknown, or two documents are asked for.
    """
    if call.json and form != TEXT:
        hint = "--json prints the envelope, --format json its data alone."
        raise UsageProblem(f"--json and --format {form} exclude each other.", hint=hint)
    chosen = parse_codes("--select", select) if select else None
    return Asked(form, Selection(chosen, parse_codes("--ignore", ignore), strict))


def report_reply(call: Call, asked: Asked, found: Report) -> Reply:
    """Return the reply for what a check found: the same exit status in every form."""
    report = found._replace(problems=asked.selection.apply(found.problems))
    document, text = None, ""
    if asked.form != TEXT:
        document = render(asked.form, report, current_folder())
    elif not call.json:
        text = _text(report, quiet=call.quiet)
    summary = report.summary()
    return Reply(report.value(), text, summary, failure=report.failure(), document=document)


def _text(report: Report, *, quiet: bool) -> str:
    base = find_base(report.folder, current_folder())
    shown = [one for one in report.problems if one.severity == ERROR] if quiet else report.problems
    return "".join(_lines(one, base.place(one.file), with_fix=not quiet) for one in shown)


def _lines(problem: Problem, place: str, *, with_fix: bool) -> str:
    """Return a problem as compilers write one, so that editors and terminals find the place."""
    where = place if problem.line is None else f"{place}:{problem.line}"
    line = one_line(f"{where}: {problem.severity} {problem.code}: {problem.message}") + "\n"
    return f"{line}    {one_line(problem.fix)}\n" if problem.fix and with_fix else line
