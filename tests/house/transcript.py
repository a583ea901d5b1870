"""Reads the console transcripts of a Markdown file, runs their commands and compares what they print.

A transcript is a fenced block whose info string is `console`; one that says `console no-run` is left out.
In it a line that starts with `$ ` is a command, and what follows, up to the next command, is exactly what it
prints on both streams. `…` alone in a line stands for any lines, `…` within a line for any text. A command
goes on in lines that start with `> ` while it ends in a backslash or a here-document is open. A command that
fails has to be followed by `$ echo $?`. All commands of a file run in one shell.
"""

import os
import re
import secrets
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from typing import NamedTuple

ANYTHING = "…"
_FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,}) *(?P<info>[^`]*)$")
_HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?")
_SHOWS_STATUS = "echo $?"


class Step(NamedTuple):
    """A command, what it is to print, and the line of the file where it stands (from 1)."""

    line: int
    command: str
    expected: tuple[str, ...]


class Block(NamedTuple):
    """A fenced block: its info string, the line after the fence (from 1), and its lines."""

    info: str
    line: int
    lines: tuple[str, ...]


class Outcome(NamedTuple):
    """What a command printed, and its exit status."""

    printed: str
    status: int


def parse_blocks(markdown: str) -> Iterator[Block]:
    """Yield the fenced blocks of a document."""
    lines = iter(enumerate(markdown.splitlines(), start=1))
    for number, line in lines:
        opened = _FENCE.match(line)
        if not opened:
            continue
        indent, fence = len(opened["indent"]), opened["fence"]
        inside: list[str] = []
        for _, text in lines:
            if re.fullmatch(rf" {{0,3}}{fence[0]}{{{len(fence)},}} *", text):
                break
            inside.append(text[min(indent, len(text) - len(text.lstrip())) :])
        yield Block(opened["info"].strip(), number + 1, tuple(inside))


def parse_steps(markdown: str) -> tuple[Step, ...]:
    """Return the commands of every transcript in a document, in order.

    Raises:
        ValueError: a transcript starts with something else than a command.
    """
    return tuple(
        step for block in parse_blocks(markdown) if block.info == "console" for step in _steps_of(block)
    )


def section(markdown: str, heading: str) -> str:
    """Return what stands under a `## heading`, up to the next one; empty if there is none."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", markdown, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def run_steps(steps: tuple[Step, ...], *, cwd: str, env: Mapping[str, str]) -> tuple[Outcome, ...]:
    """Run the commands in one shell; ends early, with fewer outcomes, if a command ends the shell."""
    mark = secrets.token_hex(8)
    # `$?` must still be the command's for the command after it.
    after = f'\n_status=$?; printf "\\n{mark} %s\\n" "$_status"; (exit "$_status")\n'
    with tempfile.NamedTemporaryFile("w", suffix=".bash", encoding="utf-8") as script:
        script.write("".join(step.command + after for step in steps))
        script.flush()
        printed = subprocess.run(
            ["bash", script.name],
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            check=False,
        ).stdout
    pieces = re.split(rf"\n{mark} (\d+)\n", printed.decode())
    return tuple(Outcome(pieces[i], int(pieces[i + 1])) for i in range(0, len(pieces) - 1, 2))


def find_differences(steps: tuple[Step, ...], outcomes: tuple[Outcome, ...]) -> Iterator[str]:
    """Yield one text for each command that printed something else or failed without saying so."""
    for number, step in enumerate(steps):
        if number >= len(outcomes):
            yield f"line {step.line}: $ {step.command}\nnever ran: the shell ended before"
            return
        outcome, shown = outcomes[number], f"line {step.line}: $ {step.command}\n"
        if not matches(step.expected, outcome.printed):
            expected = "\n".join(step.expected)
            yield f"{shown}--- expected\n{expected}\n--- printed\n{outcome.printed}"
        elif outcome.status and not _says_its_status(steps, number):
            yield f"{shown}ended with {outcome.status}, and no `{_SHOWS_STATUS}` follows"


def matches(expected: tuple[str, ...], printed: str) -> bool:
    """Say whether `printed` is what the transcript shows."""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == ANYTHING else ".*".join(map(re.escape, line.split(ANYTHING))) + r"\n"
        for line in expected
    )
    whole = printed if printed.endswith("\n") or not printed else printed + "\n"
    return re.fullmatch(pattern, whole) is not None


def shell_environment(outside: Mapping[str, str], programs: str) -> dict[str, str]:
    """Return `outside` for a reader who has just begun: `programs` first on PATH, the default home."""
    env = {name: value for name, value in outside.items() if name != "WUU_HOME"}
    env["PATH"] = os.pathsep.join([programs, outside.get("PATH", os.defpath)])
    env["LC_ALL"] = "C.UTF-8"
    return env


def _steps_of(block: Block) -> Iterator[Step]:
    lines = list(block.lines)
    if lines and not lines[0].startswith("$ "):
        raise ValueError(f"line {block.line}: a transcript starts with a command")
    while lines:
        line = block.line + len(block.lines) - len(lines)
        command = lines.pop(0)[2:]
        while lines and lines[0].startswith("> ") and _goes_on(command):
            command += "\n" + lines.pop(0)[2:]
        expected: list[str] = []
        while lines and not lines[0].startswith("$ "):
            expected.append(lines.pop(0))
        yield Step(line, command, tuple(expected))


def _goes_on(command: str) -> bool:
    if command.endswith("\\"):
        return True
    here = _HERE_DOCUMENT.search(command)
    return here is not None and here[1] not in command.split("\n")[1:]


def _says_its_status(steps: tuple[Step, ...], number: int) -> bool:
    return number + 1 < len(steps) and steps[number + 1].command.strip() == _SHOWS_STATUS
