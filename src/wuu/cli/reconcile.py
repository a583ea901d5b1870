"""`wuu reconcile`: what a killed write left open."""

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import Lazy, LazyGroup, command
from wuu.cli.output import Reply
from wuu.errors import UsageProblem
from wuu.situation.reconciling import KEEP_DISK, KEEP_PREPARED, Reconciliation, list_open, settle_open

COMMANDS = {"files": Lazy("wuu.cli.reconcile:files_command", "Interrupted changes of files.")}


@click.group(cls=LazyGroup, lazy=COMMANDS, name="reconcile", examples=("wuu reconcile files",))
def group() -> None:
    """Settle what an interrupted write left open."""


@command(name="files", examples=("wuu reconcile files", "wuu reconcile files --keep-disk"))
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "--keep-disk", is_flag=True, help="Leave the files as they are now; the interrupted change goes."
)
@click.option(
    "--keep-prepared", is_flag=True, help="Make the change after all; what it replaces is kept as a copy."
)
@click.option("--dry-run", is_flag=True, help="Show what is open and write nothing.")
@pass_call
def files_command(
    call: Call, ids: tuple[str, ...], keep_disk: bool, keep_prepared: bool, dry_run: bool
) -> Reply:
    """List interrupted changes, or settle them: all of them, or those with an ID.

    The next command that writes finishes an interrupted change by itself, unless somebody edited one of its
    files in between. Then it waits here for a person, and blocks only those files.
    """
    if keep_disk and keep_prepared:
        raise UsageProblem("--keep-disk and --keep-prepared exclude each other.")
    if not keep_disk and not keep_prepared:
        if ids:
            raise UsageProblem("An ID needs --keep-disk or --keep-prepared.")
        found = list_open(call.situation)
    else:
        keep = KEEP_PREPARED if keep_prepared else KEEP_DISK
        found = settle_open(call.situation, ids, keep, call.write_options(dry_run, None))
    return Reply(found.value(), _text(found), _notice(found))


def _text(found: Reconciliation) -> str:
    lines = [f"{one}\tnot finished; the next command that writes does it" for one in found.pending]
    for conflict in found.conflicts:
        what = "damaged" if conflict.damaged else f"{conflict.command}\t{conflict.created_at}"
        lines.append(f"{conflict.id}\t{what}")
        lines += [f"  {file.state}\t{file.path}" for file in conflict.files]
    return "".join(line + "\n" for line in lines)


def _notice(found: Reconciliation) -> str:
    parts = [f"{len(found.settled)} settled"] if found.settled else []
    parts += [f"finished {', '.join(one.paths)}" for one in found.recovered if one.outcome == "completed"]
    parts += [f"a copy is in {path}" for path in found.kept]
    if found.conflicts:
        parts.append("--keep-disk leaves the files as they are, --keep-prepared makes the change")
    return " · ".join(parts) or ("" if found.pending else "Nothing is open.")
