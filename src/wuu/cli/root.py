"""The command tree's root and the one place where every failure ends.

`run` never raises: it turns what happened into text or JSON and an exit status. What nobody expected is
written to a report file, which is named (ARCHITECTURE 5).
"""

import os
import sys

import click

from wuu import __version__
from wuu.cli.call import Call
from wuu.cli.commands import Lazy, LazyGroup
from wuu.cli.output import Reply, emit, emit_failure, ensure_streams, forget_stdout, tell, without_secrets
from wuu.errors import Interrupted, IoProblem, UsageProblem, WuuError

GROUPS = {
    "remember": Lazy("wuu.cli.memory.adding:remember_command", "Remember something, the short way."),
    "memory": Lazy("wuu.cli.memory:group", "Memories: facts worth keeping, one file each."),
    "notebook": Lazy("wuu.cli.notebook:group", "Notes about you and for your agents, in Markdown."),
    "check": Lazy("wuu.cli.check:check_command", "Problems in this home, for people and for CI."),
    "reconcile": Lazy("wuu.cli.reconcile:group", "Settle what an interrupted write left open."),
}


@click.group(
    cls=LazyGroup,
    lazy=GROUPS,
    context_settings={"help_option_names": ["-h", "--help"]},
    examples=(
        "wuu remember 'The staging database is reset on Mondays.'",
        "wuu memory search staging",
        "wuu notebook write --name 'Deploy steps' --description 'How we ship' 'Tag, build, announce.'",
    ),
)
@click.version_option(__version__, prog_name="wuu", message="%(prog)s %(version)s")
def root() -> None:
    """Memory that people can trust, for coding agents: plain Markdown files under ~/.wuu."""


def run(argv: list[str]) -> int:
    """Run the command line `argv` and return its exit status."""
    ensure_streams()
    call = Call()
    try:
        return _run(call, argv)
    except IoProblem as error:  # what had to be said could not be written to stdout
        return emit_failure(call.command, error, as_json=False)


def _run(call: Call, argv: list[str]) -> int:
    as_json = "--json" in (argv[: argv.index("--")] if "--" in argv else argv)
    try:
        reply = root.main(args=list(argv), prog_name="wuu", standalone_mode=False, obj=call)
        return emit(call, reply) if isinstance(reply, Reply) else int(reply or 0)
    except click.ClickException as error:
        return _wrong_usage(error, call, as_json=as_json or call.json)
    except (click.Abort, KeyboardInterrupt):
        return emit_failure(call.command, Interrupted("Interrupted."), as_json=as_json or call.json)
    except WuuError as error:
        if call.debug:
            sys.stderr.write(_trace())
        return emit_failure(call.command, error, as_json=as_json or call.json)
    except SystemExit:  # how Click ends when the reader of a help page goes away
        forget_stdout()
        return 0
    except OSError as error:
        forget_stdout()
        return emit_failure(call.command, _os_problem(error, call), as_json=False)
    except Exception as error:  # noqa: BLE001  (the one broad except: a bug must not look like anything else)
        return emit_failure(call.command, _bug(error, call), as_json=as_json or call.json)


def _wrong_usage(error: click.ClickException, call: Call, *, as_json: bool) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        if not as_json:
            tell(error.format_message())
            return UsageProblem.exit_status
        return emit_failure(_command_of(error, call), UsageProblem("A command is missing."), as_json=True)
    return emit_failure(_command_of(error, call), _usage_problem(error), as_json=as_json)


def _usage_problem(error: click.ClickException) -> UsageProblem:
    context = getattr(error, "ctx", None)
    hint = f"See {context.command_path} --help" if context is not None else "See wuu --help"
    return UsageProblem(error.format_message(), hint=hint)


def _command_of(error: click.ClickException, call: Call) -> list[str]:
    context = getattr(error, "ctx", None)
    return context.command_path.split()[1:] if context is not None else call.command


def _os_problem(error: OSError, call: Call) -> WuuError:
    """Return what the system refused: help that cannot be printed, say. Files of the home never end here."""
    from wuu.store.reads import problem_of  # noqa: PLC0415  (rare)

    if call.debug:
        sys.stderr.write(_trace())
    return problem_of(error, str(error.filename or "stdout"))


def _bug(error: Exception, call: Call) -> WuuError:
    """Write a report about a bug and return the failure that names it."""
    from wuu import clock  # noqa: PLC0415  (only for reports)
    from wuu.situation.writing import refuse_read_only  # noqa: PLC0415
    from wuu.store.home import Home  # noqa: PLC0415
    from wuu.store.state import keep_text  # noqa: PLC0415

    trace = _trace()
    if call.debug:
        sys.stderr.write(trace)
    report = f"wuu {__version__} on Python {sys.version}\ncommand: {' '.join(call.command)}\n\n{trace}"
    name = f"{clock.rfc3339(clock.now()).replace(':', '')}-{os.getpid()}.txt"
    try:
        refuse_read_only(call.situation)
        home = Home(os.path.realpath(call.situation.home))
        place = keep_text(home, "reports", name, report.encode("utf-8", "backslashreplace"))
    except WuuError:
        sys.stderr.write(report)
        place = "stderr"
    hint = f"A report is in {place}; please send it to the maintainers."
    return WuuError(f"This is a bug in wuu: {type(error).__name__}: {error}", hint=hint, report=place)


def _trace() -> str:
    """Return where the exception in flight was raised, without the credentials that it may quote."""
    import traceback  # noqa: PLC0415  (only after a failure)

    return str(without_secrets(traceback.format_exc()))
