"""How long approving 500 proposals takes beside 500 plain durable writes, and what counting what waits costs.

Run by hand: `python benchmarks/approve.py`. Everything that is compared is measured in turns, in one run.
"""

import glob
import os
import shutil
import subprocess
import sys
import time

from measuring import (
    Options,
    Place,
    Row,
    installed_wheel,
    median,
    milliseconds,
    parse_options,
    print_table,
    say,
    seconds_of,
    take_turns,
    without_verdict,
)

PROPOSALS, WAITING = 500, 1_000
QUICK_SHARE = 10
APPROVE_GOAL, LOWEST, HIGHEST = 4.0, 0.7, 1.3
SETTLING_SECONDS = 2.5  # what was counted is kept only if no file changed just before
_PRIVATE = 0o600


class Homes:
    """Homes of one project, each with a number of memories of one status."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._project = os.path.join(place.folder, "project")
        os.mkdir(self._project)

    def environ(self, name: str) -> dict[str, str]:
        """Return the environment of a command in the home `name`."""
        return {**self.place.environ(name), "WUU_WORKSPACE": self._project}

    def call(self, name: str, *arguments: str) -> float:
        """Return the seconds of a command of `wuu memory` in the home `name`."""
        return seconds_of([self.place.wuu, "memory", *arguments], self.environ(name))

    def waiting(self, name: str) -> int:
        """Return how many memories wait in the home `name`, as wuu says."""
        command = [self.place.wuu, "memory", "status", "--waiting"]
        done = subprocess.run(command, env=self.environ(name), check=True, capture_output=True, text=True)
        return int(done.stdout)

    def make(self, name: str, number: int, status: str) -> None:
        """Make the home `name` with `number` memories that have `status`, and one more that is saved."""
        self.call(name, "add", "This one made the workspace.")
        (folder,) = glob.glob(os.path.join(self.place.folder, name, "workspaces", "*", "entries"))
        for one in range(number):
            with open(os.path.join(folder, f"{one:016x}.md"), "w", encoding="utf-8") as file:
                file.write(_file(one, status))


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed."""
    options = parse_options("How long approving takes, and counting what waits.")
    share = QUICK_SHARE if options.quick else 1
    with installed_wheel() as place:
        homes = Homes(place)
        rows = [*_approving(homes, PROPOSALS // share, options), *_counting(homes, WAITING // share, options)]
    if options.quick:
        rows = without_verdict(rows)
    return 0 if print_table(f"{options.runs} rounds, Python {sys.version.split()[0]}", rows) else 1


def _approving(homes: Homes, number: int, options: Options) -> list[Row]:
    say(f"approving {number:,} proposals …")
    homes.make("proposed", number, "pending")
    template = os.path.join(homes.place.folder, "proposed")
    home = os.path.join(homes.place.folder, "approved")

    def approve() -> float:
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(template, home)
        os.sync()
        took = homes.call("approved", "approve", "--all", "--yes")
        if homes.waiting("approved"):
            raise SystemExit("approve --all left proposals behind")
        return took

    taken = take_turns({"approve": approve, "loop": lambda: _write_plainly(homes, number)}, options.runs)
    took, plain = median(taken["approve"]), median(taken["loop"])
    ratio = took / plain
    return [
        Row(f"{number} durable atomic writes, plain loop", milliseconds(plain)),
        Row(
            f"approve --all of {number} proposals",
            milliseconds(took),
            f"{ratio:.2f} x",
            f"<= {APPROVE_GOAL:g} x",
            ratio <= APPROVE_GOAL,
        ),
    ]


def _write_plainly(homes: Homes, number: int) -> float:
    """Return the seconds of writing `number` files one by one, each durable: what nobody can do without."""
    folder = os.path.join(homes.place.folder, "plain")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    os.sync()
    began = time.perf_counter()
    for one in range(number):
        place = os.path.join(folder, f"{one:016x}.md")
        descriptor = os.open(f"{place}.tmp", os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        os.write(descriptor, _file(one, "saved").encode())
        os.fsync(descriptor)
        os.close(descriptor)
        os.replace(f"{place}.tmp", place)
        above = os.open(folder, os.O_RDONLY)
        os.fsync(above)
        os.close(above)
    return time.perf_counter() - began


def _counting(homes: Homes, number: int, options: Options) -> list[Row]:
    say(f"counting with {number:,} waiting, saved, and none …")
    homes.make("waiting", number, "pending")
    homes.make("saved", number, "saved")
    os.sync()
    time.sleep(SETTLING_SECONDS)
    for name, expected in (("waiting", number), ("saved", 0), ("empty", 0)):
        if homes.waiting(name) != expected:
            raise SystemExit(f"the count is wrong in the home {name}")
    names = ("waiting", "saved", "empty")
    taken = take_turns(
        {name: lambda name=name: homes.call(name, "status", "--waiting") for name in names}, options.runs
    )
    took = {name: median(taken[name]) for name in names}
    rows = [Row(f"status --waiting, {name}", milliseconds(took[name])) for name in ("empty", "saved")]
    for name in ("empty", "saved"):
        ratio = took["waiting"] / took[name]
        rows.append(
            Row(
                f"status --waiting, {number:,} waiting against {name}",
                milliseconds(took["waiting"]),
                f"{ratio:.2f} x",
                f"{LOWEST:g} to {HIGHEST:g} x",
                LOWEST <= ratio <= HIGHEST,
            )
        )
    return rows


def _file(number: int, status: str) -> str:
    time_made = f"2026-{1 + number % 11:02}-{1 + number % 28:02}T08:00:00.000000Z"
    keys = f"status: {status}\ncategory: commands\nproposer: agent\ncreated: {time_made}\n"
    return f"---\n{keys}---\n\nThe gate number {number} opens before the tide, and closes behind it.\n"


if __name__ == "__main__":
    sys.exit(main())
