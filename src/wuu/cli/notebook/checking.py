"""`wuu notebook check`: the notebook, or a folder of notes anywhere."""

import click

from wuu.checks.report import Report
from wuu.cli.call import Call, pass_call
from wuu.cli.commands import command
from wuu.cli.findings import check_options, parse_asked, report_reply
from wuu.cli.output import Reply
from wuu.notebook import actions


@command(
    name="check",
    examples=(
        "wuu notebook check",
        "wuu notebook check --dir docs/memory --strict --ignore unknown_type",
        "wuu notebook check --dir docs/memory --format sarif > wuu.sarif",
    ),
)
@click.option("--dir", "folder", metavar="PATH", help="A folder of notes anywhere.  [default: the notebook]")
@check_options
@pass_call
def check_command(
    call: Call,
    folder: str | None,
    form: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool,
    stale_days: int | None,
) -> Reply:
    """Look for problems in the notebook: its index, its topics and their frontmatter, and stray files.

    Nothing is changed. The exit status is 0 if there are at most warnings, 1 if there are errors, 2 if the
    call is wrong, 3 if the folder is not there.
    """
    asked = parse_asked(call, form, select, ignore, strict)
    found = actions.check_notebook(call.situation, folder, stale_days)
    return report_reply(call, asked, Report(found.problems, found.checked, found.folder))
