"""`wuu notebook repair`: what a program may mend, shown first and done with --apply."""

from typing import Any

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import writing_command
from wuu.cli.output import Reply
from wuu.errors import UsageProblem
from wuu.notebook import actions
from wuu.notebook.values import Repaired
from wuu.situation.writing import Written


@writing_command(name="repair", examples=("wuu notebook repair", "wuu notebook repair --apply"))
@click.option("--apply", is_flag=True, help="Do it; without this it is only shown.")
@pass_call
def repair_command(call: Call, apply: bool, dry_run: bool, request_id: str | None) -> Reply:
    """Make MEMORY.md name every topic, and none that is not there.

    Adds the missing lines, drops entries about topics that do not exist, and removes temporary files that a
    killed writer left in the folder. No topic is removed and no other text is changed; what cannot be decided
    by a program stays and is named. Without --apply it shows what it would do and writes nothing.
    """
    if apply and dry_run:
        raise UsageProblem("--apply and --dry-run exclude each other.")
    done = actions.repair_notebook(call.situation, call.write_options(not apply, request_id))
    found = done.outcome or Repaired((), (), (), ())
    data: dict[str, Any] = {
        "apply": apply,
        "added": [one._asdict() for one in found.added],
        "dropped": [one._asdict() for one in found.dropped],
        "removed_temps": list(found.temps),
        "replayed": done.replayed,
    }
    text = "" if call.quiet and apply else "".join(f"{line}\n" for line in _lines(found))
    return Reply(data, text, _notice(done, found), (*done.caveats, *found.caveats), done.receipt)


def _lines(found: Repaired) -> list[str]:
    """Return one line for each thing that is mended: what is done, to which file, and the text."""
    lines = [f"add\t{one.file}\t{one.text}" for one in found.added]
    lines += [f"drop\t{one.file}\t{one.text}" for one in found.dropped]
    return lines + [f"remove\t{name}" for name in found.temps]


def _notice(done: Written[Repaired], found: Repaired) -> str:
    count = len(found.added) + len(found.dropped) + len(found.temps)
    if done.replayed:
        return "Done before."
    if not count:
        return "Nothing to repair."
    return f"{count} to repair; --apply does it." if done.dry_run else f"{count} repaired."
