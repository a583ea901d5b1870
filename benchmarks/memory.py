"""How long `wuu memory add` and `search` take, how they grow, and whether forty writers lose anything.

Run by hand: `python benchmarks/memory.py`. What the figures mean is in docs/explanation/speed.md.
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

BARE = "python -I -c pass"
SMALL, LARGE, HALF, WHOLE, FEW = 1_000, 10_000, 4_000, 8_000, 50
QUICK_SHARE = 10  # a quick run has a tenth of the memories
ADD_GOAL, SEARCH_GOAL, SCAN_GOAL, GROWTH_GOAL = 11.0, 8.0, 1.6, 2.5
WRITERS = 40
SHORTEST, LONGEST = 8, 40  # words of a memory
SETTLING_SECONDS = 2.5  # a file that changed less than two seconds before it was indexed is read again
FIRST_RUNS = 3

_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ol")]
_WORDS = 4_000
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
    index.find(words(query)).shares(20)
print(json.dumps([scanned - began, time.perf_counter() - scanned]))
"""


class Homes:
    """Homes by their number of memories, all of them of one project; made when they are first asked for."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._project = os.path.join(place.folder, "project")
        self._made: dict[int, str] = {}
        chance = random.Random(1)
        made_up = {
            "".join(chance.choices(_SYLLABLES, k=chance.choice((2, 2, 3, 3, 4)))) for _ in range(4_500)
        }
        self._words = sorted(made_up)[:_WORDS]
        chance.shuffle(self._words)
        self._sums = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(self._words))))
        self.query = " ".join(self._words[at] for at in (3, 60, 900))  # frequent, neither, rare
        os.mkdir(self._project)

    def folder(self, size: int) -> str:
        """Return the folder of the memories of the home with `size` of them."""
        if size not in self._made:
            self._made[size] = self._make(size)
        return self._made[size]

    def index(self, size: int) -> str:
        """Return the file of the search index of that home, which a search has built."""
        (found,) = glob.glob(os.path.join(self.place.cache(str(size)), "wuu", "*", "*.sqlite"))
        return found

    def call(self, size: int, *arguments: str) -> float:
        """Return the seconds of a command in that home."""
        self.folder(size)
        environ = self.place.environ(str(size)) | {"WUU_WORKSPACE": self._project}
        return seconds_of([self.place.wuu, "memory", *arguments], environ)

    def search(self, size: int) -> float:
        """Return the seconds of a search in that home."""
        return self.call(size, "search", self.query)

    def context(self, size: int) -> float:
        """Return the seconds of a context in that home."""
        return self.call(size, "context", self.query)

    def _make(self, size: int) -> str:
        say(f"making {size:,} memories …")
        home = os.path.join(self.place.folder, str(size))
        environ = self.place.environ(str(size)) | {"WUU_WORKSPACE": self._project}
        seconds_of([self.place.wuu, "memory", "add", "This one made the workspace."], environ)
        (folder,) = glob.glob(os.path.join(home, "workspaces", "*", "entries"))
        chance = random.Random(size)
        for number in range(size - 1):
            with open(
                os.path.join(folder, f"{chance.getrandbits(64):016x}.md"), "w", encoding="utf-8"
            ) as file:
                file.write(self._file(chance, number))
        return folder

    def _file(self, chance: random.Random, number: int) -> str:
        text = " ".join(
            chance.choices(self._words, cum_weights=self._sums, k=chance.randint(SHORTEST, LONGEST))
        )
        day = f"2026-{1 + number % 11:02}-{1 + number % 28:02}T08:00:00.000000Z"
        keys = f'status: saved\ncategory: commands\ntags: ["t{number % 7}"]\nproposer: user\n'
        return f"---\n{keys}created: {day}\nupdated: {day}\n---\n\n{text}\n"


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed."""
    options = parse_options("How long wuu memory add and search take, and how they grow.")
    share = QUICK_SHARE if options.quick else 1
    small, large, half, whole = (size // share for size in (SMALL, LARGE, HALF, WHOLE))
    with installed_wheel() as place:
        homes = Homes(place)
        for size in (FEW, small, large, half, whole):
            homes.folder(size)
        os.sync()
        time.sleep(SETTLING_SECONDS)
        rows = [_first_index(homes, large, options)]
        rows += growth_of(homes, "search", homes.search, _PROBE, (small, large), options)
        rows += _growth_of_others(homes, half, whole, options)
        rows += [*_adding(homes, small, options), _write_together(place)]
    if options.quick:
        rows = without_verdict(rows)
    title = (
        f"{options.runs} rounds, Python {sys.version.split()[0]}, memories of {SHORTEST} to {LONGEST} words"
    )
    return 0 if print_table(title, rows) else 1


def _first_index(homes: Homes, size: int, options: Options) -> Row:
    say(f"the first search over {size:,} memories …")

    def search_without_index() -> float:
        shutil.rmtree(homes.place.cache(str(size)), ignore_errors=True)
        return homes.search(size)

    took = median(take_turns({"first": search_without_index}, min(options.runs, FIRST_RUNS))["first"])
    return Row(f"first search over {size:,} memories", milliseconds(took), f"{size / took:,.0f} files/s")


def growth_of(
    homes: Homes,
    name: str,
    command: Callable[[int], float],
    probe: str,
    sizes: tuple[int, int],
    options: Options,
) -> list[Row]:
    """Compare a command with a bare Python, and what more memories cost it with a look at their files.

    `probe` is a program that prints the seconds of the bare scan and of the query alone, which do not count.
    """
    small, large = sizes
    say(f"{options.runs} rounds of {name} …")
    queries: dict[int, list[float]] = {small: [], large: []}

    def scan_and_query(size: int) -> float:
        scan, query = _probe(homes, size, probe)
        queries[size].append(query)
        return scan

    actions: dict[str, Callable[[], float]] = {BARE: _bare(homes.place)}
    for size in queries:
        actions[f"command {size}"] = _bound(command, size)
        actions[f"scan {size}"] = _bound(scan_and_query, size)
    taken = take_turns(actions, options.runs)
    bare = median(taken[BARE])
    both = median(taken[f"command {small}"]), median(taken[f"command {large}"])
    more = median_difference(taken[f"command {large}"], taken[f"command {small}"])
    scan = median_difference(taken[f"scan {large}"], taken[f"scan {small}"])
    # The first of the queries belongs to the round that warmed up.
    query = median_difference(queries[large][1:], queries[small][1:])
    extra = f"{large - small:,} more"
    ratio = f"{(more - query) / scan:.2f} × scan + query"
    goal = f"≤ {SCAN_GOAL:g} × scan + query"
    return [
        Row(BARE, milliseconds(bare), "1.0 ×"),
        _against_bare(f"{name} over {small:,} memories", both[0], bare, SEARCH_GOAL),
        Row(f"{name} over {large:,} memories", milliseconds(both[1]), f"{both[1] / bare:.1f} ×"),
        Row(f"  scandir + stat of {extra}", milliseconds(scan)),
        Row(f"  the query over {extra}", milliseconds(query)),
        Row(f"  {name} over {extra}", milliseconds(more), ratio, goal, more <= SCAN_GOAL * scan + query),
    ]


def _growth_of_others(homes: Homes, half: int, whole: int, options: Options) -> list[Row]:
    """Compare twice the memories with once the memories (case O-39). Adding changes the homes: it is last."""
    say(f"{options.runs} rounds of {half:,} against {whole:,} memories …")
    numbers = itertools.count()
    calls: dict[str, Callable[[int], float]] = {
        "list": lambda size: homes.call(size, "list"),
        "search": homes.search,
        "add": lambda size: homes.call(size, "add", f"The harbour bell number {next(numbers)} rings twice."),
    }
    rows = []
    for name, call in calls.items():
        taken = take_turns({str(size): _bound(call, size) for size in (half, whole)}, options.runs)
        less, more = median(taken[str(half)]), median(taken[str(whole)])
        what = f"{name}: {whole:,} memories against {half:,}"
        both = f"{milliseconds(more)} / {milliseconds(less)}"
        goal = f"< {GROWTH_GOAL:g} ×"
        rows.append(Row(what, both, f"{more / less:.2f} ×", goal, more / less < GROWTH_GOAL))
    return rows


def _adding(homes: Homes, small: int, options: Options) -> list[Row]:
    say(f"{options.runs} rounds of add …")
    numbers = itertools.count()
    actions: dict[str, Callable[[], float]] = {BARE: _bare(homes.place)}
    for size in (FEW, small):
        actions[str(size)] = _bound(
            lambda size: homes.call(size, "add", f"Gate {next(numbers)} closes at dusk."), size
        )
    taken = {name: median(seconds) for name, seconds in take_turns(actions, options.runs).items()}
    many = taken[str(small)]
    return [
        _against_bare(f"add to {FEW} memories", taken[str(FEW)], taken[BARE], ADD_GOAL),
        Row(f"add to {small:,} memories", milliseconds(many), f"{many / taken[BARE]:.1f} ×"),
    ]


def _write_together(place: Place) -> Row:
    """Start all writers at once, half of them in each worktree; each leaves a memory in the one workspace."""
    say(f"{WRITERS} writers at once …")
    trees = _make_worktrees(os.path.join(place.folder, "trees"))
    began = time.perf_counter()
    writers = [
        subprocess.Popen(
            [place.wuu, "memory", "add", f"The Kestrel build has fact {number}."],
            env=place.environ("shared"),
            cwd=trees[number % len(trees)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(WRITERS)
    ]
    succeeded = sum(writer.wait() == 0 for writer in writers)
    took = time.perf_counter() - began
    files = glob.glob(os.path.join(place.folder, "shared", "workspaces", "*", "entries", "*.md"))
    texts, ids = {_last_line(file) for file in files}, {os.path.basename(file) for file in files}
    folders = {os.path.dirname(file) for file in files}
    found = f"{succeeded} succeeded: {len(texts)} memories, {len(ids)} ids, {len(folders)} workspace"
    met = succeeded == len(files) == len(texts) == len(ids) == WRITERS and len(folders) == 1
    return Row(
        f"{WRITERS} adds from two worktrees, {found}", milliseconds(took), "", f"{WRITERS} of each", met
    )


def _make_worktrees(folder: str) -> tuple[str, str]:
    """Make a repository and a linked worktree of it, as git lays them out, without git."""
    main, linked = os.path.join(folder, "main"), os.path.join(folder, "linked")
    git = os.path.join(main, ".git")
    own = os.path.join(git, "worktrees", "linked")
    for name in (linked, own, os.path.join(git, "objects"), os.path.join(git, "refs")):
        os.makedirs(name)
    for name, line in {
        os.path.join(git, "HEAD"): "ref: refs/heads/main",
        os.path.join(own, "HEAD"): "ref: refs/heads/linked",
        os.path.join(own, "commondir"): "../..",
        os.path.join(own, "gitdir"): os.path.join(linked, ".git"),
        os.path.join(linked, ".git"): f"gitdir: {own}",
    }.items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(f"{line}\n")
    return main, linked


def _probe(homes: Homes, size: int, program: str) -> tuple[float, float]:
    """Return the seconds of the bare scan and of the query alone, in a process as fresh as the command's."""
    command = [homes.place.python, "-I", "-c", program, homes.folder(size), homes.index(size), homes.query]
    scan, query = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return float(scan), float(query)


def _against_bare(what: str, seconds: float, bare: float, goal: float) -> Row:
    return Row(
        what, milliseconds(seconds), f"{seconds / bare:.1f} ×", f"≤ {goal:g} ×", seconds <= goal * bare
    )


def _bare(place: Place) -> Callable[[], float]:
    return lambda: seconds_of([place.python, "-I", "-c", "pass"], place.environ("bare"))


def _bound(function: Callable[[int], float], size: int) -> Callable[[], float]:
    return lambda: function(size)


def _last_line(file: str) -> str:
    with open(file, encoding="utf-8") as opened:
        return opened.read().splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main())
