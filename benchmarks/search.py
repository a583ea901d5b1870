"""How search, list and write grow with the notebook.

Run by hand: `python benchmarks/search.py`. What the figures mean is in docs/explanation/speed.md.
"""

import glob
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from measuring import (
    Options,
    Place,
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

TOPIC_BYTES = 2_000
SETTLING_SECONDS = 2.5  # a file that changed less than two seconds before it was indexed is read again
SCAN_GOAL, GROWTH_GOAL = 1.6, 2.5
FIRST_RUNS = 3

_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ol")]
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
    index.search(words(query), 20)
print(json.dumps([scanned - began, time.perf_counter() - scanned]))
"""


class Text(NamedTuple):
    """Made-up words and how often each is used: a few all the time, most hardly ever, as in real text."""

    words: tuple[str, ...]
    weights: tuple[float, ...]

    @property
    def query(self) -> str:
        """Words that are frequent, neither, and rare."""
        return " ".join(self.words[at] for at in (3, 60, 900))


class Sizes(NamedTuple):
    """How many topics the homes have."""

    small: int
    large: int
    half: int
    whole: int


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed."""
    options = parse_options("How search, list and write grow with the notebook.")
    sizes = Sizes(100, 1_000, 400, 800) if options.quick else Sizes(1_000, 10_000, 4_000, 8_000)
    text = _make_text()
    with installed_wheel() as place:
        for size in sizes:
            _make_home(place, size, text)
        os.sync()
        time.sleep(SETTLING_SECONDS)
        rows = _first_index(place, sizes.large, text, options)
        rows += _growth_of_search(place, sizes, text, options)
        rows += _growth_of_others(place, sizes, text, options)
    if options.quick:
        rows = without_verdict(rows)
    title = f"{options.runs} rounds, Python {sys.version.split()[0]}, topics of {TOPIC_BYTES:,} bytes"
    return 0 if print_table(title, rows) else 1


def _first_index(place: Place, size: int, text: Text, options: Options) -> list[Row]:
    say(f"the first search over {size:,} topics …")

    def search_without_index() -> float:
        shutil.rmtree(place.cache(str(size)), ignore_errors=True)
        return _search(place, size, text)

    took = median(take_turns({"first": search_without_index}, min(options.runs, FIRST_RUNS))["first"])
    return [Row(f"first search over {size:,} topics", milliseconds(took), f"{size / took:,.0f} files/s")]


def _growth_of_search(place: Place, sizes: Sizes, text: Text, options: Options) -> list[Row]:
    """Compare what more topics cost a search with a look at their files and with the query."""
    say(f"{options.runs} rounds of search …")
    queries: dict[int, list[float]] = {sizes.small: [], sizes.large: []}

    def scan_and_query(size: int) -> float:
        scan, query = _probe(place, size, text)
        queries[size].append(query)
        return scan

    searches = {f"search {size}": _bound(_search, place, size, text) for size in queries}
    scans = {f"scan {size}": _bound(scan_and_query, size) for size in queries}
    taken = take_turns(searches | scans, options.runs)
    small, large = (taken[f"search {size}"] for size in queries)
    more = median_difference(large, small)
    scan = median_difference(taken[f"scan {sizes.large}"], taken[f"scan {sizes.small}"])
    # The first of the queries belongs to the round that warmed up.
    query = median_difference(queries[sizes.large][1:], queries[sizes.small][1:])
    return _rows_of_search(sizes, (median(small), median(large)), more, scan, query)


def _rows_of_search(
    sizes: Sizes, both: tuple[float, float], more: float, scan: float, query: float
) -> list[Row]:
    small, large = both
    extra = f"{sizes.large - sizes.small:,} more"
    ratio = f"{(more - query) / scan:.2f} × scan + query"
    goal = f"≤ {SCAN_GOAL:g} × scan + query"
    return [
        Row(f"search over {sizes.small:,} topics", milliseconds(small)),
        Row(f"search over {sizes.large:,} topics", milliseconds(large), f"{large / small:.1f} ×"),
        Row(f"  scandir + stat of {extra}", milliseconds(scan)),
        Row(f"  the query over {extra}", milliseconds(query)),
        Row(f"  search over {extra}", milliseconds(more), ratio, goal, more <= SCAN_GOAL * scan + query),
    ]


def _growth_of_others(place: Place, sizes: Sizes, text: Text, options: Options) -> list[Row]:
    """Compare twice the topics with once the topics (case O-39). Writing changes the homes, so it is last."""
    say(f"{options.runs} rounds of {sizes.half:,} against {sizes.whole:,} topics …")
    reading: dict[str, Callable[[], float]] = {}
    writing: dict[str, Callable[[], float]] = {}
    for size in (sizes.half, sizes.whole):
        reading[f"list {size}"] = _bound(_call, place, size, ("list",))
        reading[f"search {size}"] = _bound(_search, place, size, text)
        writing[f"write {size}"] = _bound(_write, place, size, itertools.count())
    taken = take_turns(reading, options.runs) | take_turns(writing, options.runs)
    took = {name: median(seconds) for name, seconds in taken.items()}
    return [
        _growth(what, took[f"{what} {sizes.half}"], took[f"{what} {sizes.whole}"], sizes) for what in _GROWING
    ]


_GROWING = ("list", "search", "write")


def _growth(what: str, half: float, whole: float, sizes: Sizes) -> Row:
    name = f"{what}: {sizes.whole:,} topics against {sizes.half:,}"
    both = f"{milliseconds(whole)} / {milliseconds(half)}"
    return Row(name, both, f"{whole / half:.2f} ×", f"< {GROWTH_GOAL:g} ×", whole / half < GROWTH_GOAL)


def _call(place: Place, size: int, arguments: tuple[str, ...]) -> float:
    return seconds_of([place.wuu, "notebook", *arguments], place.environ(str(size)))


def _search(place: Place, size: int, text: Text) -> float:
    return _call(place, size, ("search", text.query))


def _write(place: Place, size: int, numbers: "itertools.count[int]") -> float:
    return _call(place, size, ("write", f"new-{next(numbers)}.md", "Text.", "--description", "What it is"))


def _bound(function: Callable[..., float], *arguments: object) -> Callable[[], float]:
    return lambda: function(*arguments)


def _probe(place: Place, size: int, text: Text) -> tuple[float, float]:
    """Return the seconds of the bare scan and of the query alone, in a process as fresh as the command's."""
    (index,) = glob.glob(os.path.join(place.cache(str(size)), "wuu", "*", "*.sqlite"))
    command = [place.python, "-I", "-c", _PROBE, place.notebook(str(size)), index, text.query]
    scan, query = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return float(scan), float(query)


def _make_text() -> Text:
    """Return 4,000 words whose frequency falls with their rank."""
    chance = random.Random(1)
    words = sorted(
        {"".join(chance.choices(_SYLLABLES, k=chance.choice((2, 2, 3, 3, 4)))) for _ in range(4_500)}
    )
    chance.shuffle(words)
    return Text(tuple(words[:4_000]), tuple(1 / (rank + 3) for rank in range(4_000)))


def _make_home(place: Place, size: int, text: Text) -> None:
    """Write a notebook in which every topic has its line; the same size gives the same bytes."""
    say(f"making {size:,} topics …")
    notebook = place.notebook(str(size))
    chance = random.Random(size)
    sums = list(itertools.accumulate(text.weights))
    lines = ["# Memory\n\n"]
    for number in range(size):
        body = " ".join(chance.choices(text.words, cum_weights=sums, k=TOPIC_BYTES // 5))[: TOPIC_BYTES - 80]
        fields = f"name: n{number}\ndescription: About {number}\ntype: reference\n"
        with open(os.path.join(notebook, f"n{number}.md"), "w", encoding="utf-8") as file:
            file.write(f"---\n{fields}---\n\n{body}\n")
        lines.append(f"- [n{number}](n{number}.md)\n")
    with open(os.path.join(notebook, "MEMORY.md"), "w", encoding="utf-8") as file:
        file.writelines(lines)


if __name__ == "__main__":
    sys.exit(main())
