"""What the benchmarks stand on: the wheel in a virtual environment of its own, and timings taken in turns.

Owns how a figure comes about, not which. Standard library only. Machines are noisy: what is compared is
taken in the same rounds, and only ratios decide.
"""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNS, QUICK_RUNS = 20, 3


class Place(NamedTuple):
    """A temporary folder with an environment that holds only the wheel and what it requires."""

    folder: str
    python: str
    wuu: str

    def environ(self, home: str) -> dict[str, str]:
        """Return an environment in which wuu uses `home` below the folder, with a cache beside it."""
        own = {"HOME": self.folder, "TMPDIR": self.folder, "LC_ALL": "C.UTF-8", "PATH": os.defpath}
        return own | {"WUU_HOME": os.path.join(self.folder, home), "XDG_CACHE_HOME": self.cache(home)}

    def cache(self, home: str) -> str:
        """Return the folder of the derived index of `home`."""
        return os.path.join(self.folder, f"{home}-cache")

    def notebook(self, home: str) -> str:
        """Return the folder of the notebook in `home`, which is made if it is not there."""
        folder = os.path.join(self.folder, home, "memory")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return folder


class Row(NamedTuple):
    """A line of the table: what, how long, in which ratio, and whether the goal was met (None: no goal)."""

    what: str
    took: str
    ratio: str = ""
    goal: str = ""
    met: bool | None = None


class Options(NamedTuple):
    """How often to measure, whether small homes will do, and what else was asked for."""

    runs: int
    quick: bool
    imports: bool


def parse_options(description: str, *, can_import: bool = False) -> Options:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--runs", type=int, help=f"rounds (default {RUNS}; {QUICK_RUNS} with --quick)")
    parser.add_argument("--quick", action="store_true", help="few rounds, small homes: does it run at all?")
    if can_import:
        parser.add_argument(
            "--imports", action="store_true", help="also the cost of importing each dependency"
        )
    given = parser.parse_args()
    runs = given.runs or (QUICK_RUNS if given.quick else RUNS)
    return Options(runs, given.quick, getattr(given, "imports", False))


@contextlib.contextmanager
def installed_wheel() -> Iterator[Place]:
    """Build the wheel of this checkout and install it where nothing else is; everything goes at the end."""
    with tempfile.TemporaryDirectory(prefix="wuu-benchmark-") as folder:
        inside = os.path.join(folder, "venv")
        say("building the wheel and its environment …")
        venv.create(inside, with_pip=True)
        programs = os.path.join(inside, "Scripts" if os.name == "nt" else "bin")
        python = os.path.join(programs, "python")
        subprocess.run([python, "-m", "pip", "install", "-qq", REPOSITORY], check=True)
        subprocess.run([python, "-m", "compileall", "-q", inside], check=False, stdout=subprocess.DEVNULL)
        yield Place(os.path.realpath(folder), python, os.path.join(programs, "wuu"))


def seconds_of(command: Sequence[str], environ: Mapping[str, str]) -> float:
    """Run a whole process and return how long it took.

    Raises:
        SystemExit: It failed, so its time says nothing.
    """
    began = time.perf_counter()
    done = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    took = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.decode()}")
    return took


def take_turns(actions: Mapping[str, Callable[[], float]], runs: int) -> dict[str, list[float]]:
    """Return the seconds of each action in `runs` rounds, in which all take part in an order that shifts.

    A round before them warms up and does not count.
    """
    names = list(actions)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(runs + 1):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            seconds = actions[name]()
            if turn:
                taken[name].append(seconds)
    return taken


def median(seconds: Iterable[float]) -> float:
    """Return the middle one of the times of several rounds."""
    return statistics.median(seconds)


def median_difference(larger: Iterable[float], smaller: Iterable[float]) -> float:
    """Return the median over the rounds of what the larger took more than the smaller in the same round."""
    return statistics.median(more - less for more, less in zip(larger, smaller, strict=True))


def print_table(title: str, rows: Sequence[Row]) -> bool:
    """Print the rows; return whether every goal was met."""
    words = {True: "met", False: "MISSED", None: ""}
    table = [("", "median", "ratio", "goal", "")]
    table += [(row.what, row.took, row.ratio, row.goal, words[row.met]) for row in rows]
    widths = [max(len(line[at]) for line in table) for at in range(len(table[0]))]
    print(title)
    for line in table:
        cells = [
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        ]
        print("  ".join(cells).rstrip())
    return all(row.met is not False for row in rows)


def without_verdict(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of a quick run, which is too short to say whether a goal was met."""
    return [row._replace(met=None) for row in rows]


def milliseconds(seconds: float) -> str:
    """Return a time as people read it."""
    return f"{seconds * 1000:.1f} ms"


def say(what: str) -> None:
    """Tell the person who waits what is going on."""
    print(what, file=sys.stderr, flush=True)
