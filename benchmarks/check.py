"""What a check costs beside reading and hashing the same files, how it grows, and how much memory it takes.

Run by hand: `python benchmarks/check.py`. What the figures mean is in docs/explanation/speed.md.
"""

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

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
    take_turns,
    without_verdict,
)

TOPIC_BYTES = 2_000
HASHING_GOAL, GROWTH_GOAL, MEMORY_GOAL = 25, 2.5, 150

_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ol")]
_HASH = """
import hashlib, json, os, sys, time
folder = sys.argv[1]
began = time.perf_counter()
for name in os.listdir(folder):
    with open(os.path.join(folder, name), "rb") as file:
        hashlib.sha256(file.read()).hexdigest()
print(json.dumps([time.perf_counter() - began, 0]))
"""
_CHECK = """
import json, os, resource, sys, time
from wuu.notebook.actions import check_notebook
from wuu.situation.situation import resolve_situation
situation = resolve_situation(environ=dict(os.environ), cwd=os.getcwd())
began = time.perf_counter()
check_notebook(situation, sys.argv[1])
took = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps([took, peak]))
"""


class Measured(NamedTuple):
    """What a process said of its work: seconds, and the most memory that it had (bytes)."""

    seconds: float
    peak: int


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed."""
    options = parse_options("What a check of a large notebook costs.")
    half, whole, large = (200, 400, 500) if options.quick else (4_000, 8_000, 10_000)
    with installed_wheel() as place:
        for size in (half, whole, large):
            _make_notebook(place.notebook(str(size)), size)
        rows = [*_cost(place, large, options), _growth(place, half, whole, options)]
    if options.quick:
        rows = without_verdict(rows)
    title = f"{options.runs} rounds, Python {sys.version.split()[0]}, topics of {TOPIC_BYTES:,} bytes"
    return 0 if print_table(title, rows) else 1


def _cost(place: Place, size: int, options: Options) -> list[Row]:
    """Compare a check with a loop that reads and hashes the same files, and say how much memory it took."""
    say(f"{options.runs} rounds over {size:,} topics …")
    peaks: list[int] = []

    def check() -> float:
        measured = _run(place, _CHECK, size)
        peaks.append(measured.peak)
        return measured.seconds

    taken = take_turns({"hash": lambda: _run(place, _HASH, size).seconds, "check": check}, options.runs)
    hashing, checking = median(taken["hash"]), median(taken["check"])
    ratio, megabytes = checking / hashing, max(peaks) / 1_000_000
    goal = f"≤ {HASHING_GOAL} × reading and hashing"
    return [
        Row(f"read and hash {size:,} topics", milliseconds(hashing)),
        Row(f"check {size:,} topics", milliseconds(checking), f"{ratio:.1f} ×", goal, ratio <= HASHING_GOAL),
        Row(
            "  its memory at most", f"{megabytes:.0f} MB", "", f"< {MEMORY_GOAL} MB", megabytes < MEMORY_GOAL
        ),
    ]


def _growth(place: Place, half: int, whole: int, options: Options) -> Row:
    """Compare twice the topics with once the topics (case O-39)."""
    say(f"{options.runs} rounds of {half:,} against {whole:,} topics …")
    checks = {str(size): _bound_check(place, size) for size in (half, whole)}
    taken = take_turns(checks, options.runs)
    once, twice = median(taken[str(half)]), median(taken[str(whole)])
    both = f"{milliseconds(twice)} / {milliseconds(once)}"
    growth = twice / once
    name = f"check: {whole:,} topics against {half:,}"
    return Row(name, both, f"{growth:.2f} ×", f"< {GROWTH_GOAL:g} ×", growth < GROWTH_GOAL)


def _bound_check(place: Place, size: int) -> Callable[[], float]:
    return lambda: _run(place, _CHECK, size).seconds


def _run(place: Place, program: str, size: int) -> Measured:
    """Run a program over a notebook, in a process of its own."""
    command = [place.python, "-I", "-c", program, place.notebook(str(size))]
    done = subprocess.run(command, env=place.environ(str(size)), capture_output=True, check=True)
    return Measured(*json.loads(done.stdout))


def _make_notebook(folder: str, size: int) -> None:
    """Write a notebook in which every topic has its line; the fields of every fourth topic are nested."""
    say(f"making {size:,} topics …")
    chance = random.Random(size)
    words = ["".join(chance.choices(_SYLLABLES, k=chance.choice((2, 2, 3, 3, 4)))) for _ in range(4_000)]
    sums = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
    lines = ["# Memory\n\n"]
    for number in range(size):
        body = " ".join(chance.choices(words, cum_weights=sums, k=TOPIC_BYTES // 5))
        nested = "metadata:\n  node_type: memory\n  type: reference\n"
        kind = "type: reference\n" if number % 4 else nested
        text = f"---\nname: n{number}\ndescription: About {number}\n{kind}---\n\n{body}"
        with open(os.path.join(folder, f"n{number}.md"), "w", encoding="utf-8") as file:
            file.write(text[: TOPIC_BYTES - 1] + "\n")
        lines.append(f"- [n{number}](n{number}.md)\n")
    with open(os.path.join(folder, "MEMORY.md"), "w", encoding="utf-8") as file:
        file.writelines(lines)


if __name__ == "__main__":
    sys.exit(main())
