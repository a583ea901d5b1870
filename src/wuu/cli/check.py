"""`wuu check`: every store of the home."""

from wuu.checks.check import check_home
from wuu.cli.call import Call, pass_call
from wuu.cli.commands import command
from wuu.cli.findings import check_options, parse_asked, report_reply
from wuu.cli.output import Reply


@command(name="check", examples=("wuu check", "wuu check --quiet --strict"))
@check_options
@pass_call
def check_command(
    call: Call,
    form: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool,
    stale_days: int | None,
) -> Reply:
    """Look for problems in every store of this home, in its settings, and in what interrupted writes left.

    Nothing is changed. The exit status is 0 if there are at most warnings, 1 if there are errors, 2 if the
    call is wrong, 3 if there is no home.
    """
    asked = parse_asked(call, form, select, ignore, strict)
    return report_reply(call, asked, check_home(call.situation, stale_days))
