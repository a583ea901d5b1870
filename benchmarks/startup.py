"""How long whole calls of wuu take, in multiples of a Python that does nothing.

Run by hand: `python benchmarks/startup.py`. What the figures mean is in docs/explanation/speed.md.
"""

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable

from measuring import (
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

BARE = "python -I -c pass"
TOPICS, WRITERS = 50, 40
GOALS = {"wuu --version": 4.5, "wuu notebook index": 7.0, "wuu notebook write": 11.0}
READING = ("--version", "--help", "notebook index", "notebook list", "notebook read topic-7.md")
IMPORTS = (
    "click",
    "portalocker",
    "rich.console, rich.table",
    "frontmatter.default_handlers",
    "yaml",
    "platformdirs",
    "sqlite3",
    "json",
)


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed."""
    options = parse_options("How long whole calls of wuu take.", can_import=True)
    with installed_wheel() as place:
        _make_home(place)
        say(f"{options.runs} rounds …")
        actions = _calls(place) | (_imports(place) if options.imports else {})
        taken = take_turns(actions, options.runs)
        medians = {name: median(seconds) for name, seconds in taken.items()}
        say(f"{WRITERS} writers at once …")
        together = _write_together(place, medians[BARE])
    rows = [_row(name, seconds, medians[BARE]) for name, seconds in medians.items()]
    if options.quick:
        rows = without_verdict(rows)
    title = f"{options.runs} rounds, Python {sys.version.split()[0]}, a home with {TOPICS} topics"
    return 0 if print_table(title, [*rows, together]) else 1


def _row(name: str, seconds: float, bare: float) -> Row:
    goal = GOALS.get(name)
    if goal is None:
        return Row(name, milliseconds(seconds), f"{seconds / bare:.1f} ×")
    return Row(
        name, milliseconds(seconds), f"{seconds / bare:.1f} ×", f"≤ {goal:g} ×", seconds <= goal * bare
    )


def _make_home(place: Place) -> None:
    notebook = place.notebook("home")
    lines = ["# Memory\n\n"]
    for number in range(TOPICS):
        fields = f"name: Topic {number}\ndescription: About {number}\ntype: reference\n"
        with open(os.path.join(notebook, f"topic-{number}.md"), "w", encoding="utf-8") as file:
            file.write(f"---\n{fields}---\n\n{'Some text. ' * 100}\n")
        lines.append(f"- [Topic {number}](topic-{number}.md) — About {number}\n")
    with open(os.path.join(notebook, "MEMORY.md"), "w", encoding="utf-8") as file:
        file.writelines(lines)


def _calls(place: Place) -> dict[str, Callable[[], float]]:
    environ = place.environ("home")
    numbers = itertools.count()

    def write() -> float:
        return seconds_of(_write_command(place, f"new-{next(numbers)}"), environ)

    def call(*arguments: str) -> Callable[[], float]:
        return lambda: seconds_of(arguments, environ)

    calls = {f"wuu {line.removesuffix(' topic-7.md')}": call(place.wuu, *line.split()) for line in READING}
    return {BARE: call(place.python, "-I", "-c", "pass"), **calls, "wuu notebook write": write}


def _imports(place: Place) -> dict[str, Callable[[], float]]:
    def importing(modules: str) -> Callable[[], float]:
        return lambda: seconds_of([place.python, "-I", "-c", f"import {modules}"], place.environ("home"))

    return {f"import {modules}": importing(modules) for modules in IMPORTS}


def _write_command(place: Place, name: str) -> list[str]:
    fields = ["--name", f"About {name}", "--description", "What there is to say"]
    return [place.wuu, "notebook", "write", f"{name}.md", "A line of text.", *fields]


def _write_together(place: Place, bare: float) -> Row:
    """Start all writers at once; every one must succeed, and leave a topic and its line in the index."""
    notebook = place.notebook("shared")
    began = time.perf_counter()
    writers = [
        subprocess.Popen(
            _write_command(place, f"note-{number}"),
            env=place.environ("shared"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(WRITERS)
    ]
    succeeded = sum(writer.wait() == 0 for writer in writers)
    took = time.perf_counter() - began
    topics = {name for name in os.listdir(notebook) if name.startswith("note-")}
    with open(os.path.join(notebook, "MEMORY.md"), encoding="utf-8") as file:
        lines = [line for line in file if line.startswith("- [")]
    found = f"{succeeded} succeeded: {len(topics)} topics, {len(lines)} index lines"
    goal = f"{WRITERS} of each"
    met = succeeded == len(topics) == len(lines) == WRITERS
    return Row(f"{WRITERS} writers at once, {found}", milliseconds(took), f"{took / bare:.0f} ×", goal, met)


if __name__ == "__main__":
    sys.exit(main())
