"""How long `wuu memory context` takes, and what more memories cost it.

Run by hand: `python benchmarks/context.py`. What the figures mean is in docs/explanation/speed.md; which
memories it finds is measured by `silence.py`.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

from measuring import (
    Options,
    Row,
    installed_wheel,
    median,
    median_difference,
    milliseconds,
    parse_options,
    print_table,
    say,
    seconds_of,
    take_turns,
    without_verdict,
)

from memory import BARE, LARGE, QUICK_SHARE, SCAN_GOAL, SETTLING_SECONDS, SMALL, Homes

CONTEXT_GOAL = 8.0

# What the index answers for a prompt, without anything that is made of it.
_PROBE = """
import json, os, sys, time
from wuu.search.index import open_index
from wuu.text.words import words
folder, place, query = sys.argv[1:]
began = time.perf_counter()
with os.scandir(folder) as entries:
    stats = [entry.stat(follow_symlinks=False) for entry in entries]
scanned = time.perf_counter()
with open_index(place) as index:
    scored = index.find(words(query)).scored()
    index.read_times({one.row for one in scored})
    index.read_newest(100)
print(json.dumps([scanned - began, time.perf_counter() - scanned]))
"""


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed."""
    options = parse_options("How long wuu memory context takes, and how it grows.")
    share = QUICK_SHARE if options.quick else 1
    small, large = SMALL // share, LARGE // share
    with installed_wheel() as place:
        homes = Homes(place)
        for size in (small, large):
            homes.folder(size)
        os.sync()
        time.sleep(SETTLING_SECONDS)
        rows = _measure(homes, small, large, options)
    if options.quick:
        rows = without_verdict(rows)
    return 0 if print_table(f"{options.runs} rounds, Python {sys.version.split()[0]}", rows) else 1


def _measure(homes: Homes, small: int, large: int, options: Options) -> list[Row]:
    """Compare a context with a bare Python, and what more memories cost with a look at their files."""
    say(f"{options.runs} rounds of context …")
    queries: dict[int, list[float]] = {small: [], large: []}

    def scan_and_query(size: int) -> float:
        scan, query = _probe(homes, size)
        queries[size].append(query)
        return scan

    bare = [homes.place.python, "-I", "-c", "pass"]
    actions: dict[str, Callable[[], float]] = {
        BARE: lambda: seconds_of(bare, homes.place.environ("bare")),
        "session start": lambda: homes.call(small, "context"),
        "search": lambda: homes.search(small),
    }
    for size in queries:
        actions[f"context {size}"] = _bound(lambda size: homes.call(size, "context", homes.query), size)
        actions[f"scan {size}"] = _bound(scan_and_query, size)
    taken = take_turns(actions, options.runs)
    unit = median(taken[BARE])
    both = median(taken[f"context {small}"]), median(taken[f"context {large}"])
    more = median_difference(taken[f"context {large}"], taken[f"context {small}"])
    scan = median_difference(taken[f"scan {large}"], taken[f"scan {small}"])
    query = median_difference(queries[large][1:], queries[small][1:])  # the first round only warmed up
    extra = f"{large - small:,} more"
    return [
        Row(BARE, milliseconds(unit), "1.0 ×"),
        Row(
            f"context over {small:,} memories",
            milliseconds(both[0]),
            f"{both[0] / unit:.1f} ×",
            f"≤ {CONTEXT_GOAL:g} ×",
            both[0] <= CONTEXT_GOAL * unit,
        ),
        *(_against(name, median(taken[name]), unit) for name in ("session start", "search")),
        _against(f"context over {large:,} memories", both[1], unit),
        Row(f"  scandir + stat of {extra}", milliseconds(scan)),
        Row(f"  the query over {extra}", milliseconds(query)),
        Row(
            f"  context over {extra}",
            milliseconds(more),
            f"{(more - query) / scan:.2f} × scan + query",
            f"≤ {SCAN_GOAL:g} × scan + query",
            more <= SCAN_GOAL * scan + query,
        ),
    ]


def _probe(homes: Homes, size: int) -> tuple[float, float]:
    """Return the seconds of the bare scan and of the query alone, in a process as fresh as the command's."""
    command = [homes.place.python, "-I", "-c", _PROBE, homes.folder(size), homes.index(size), homes.query]
    scan, query = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return float(scan), float(query)


def _against(what: str, seconds: float, unit: float) -> Row:
    return Row(what, milliseconds(seconds), f"{seconds / unit:.1f} ×")


def _bound(function: Callable[[int], float], size: int) -> Callable[[], float]:
    return lambda: function(size)


if __name__ == "__main__":
    sys.exit(main())
