"""The runner of console transcripts reads, runs and compares what it should, and objects where it should."""

import os
from pathlib import Path

import pytest

from house.transcript import (
    Outcome,
    Step,
    find_differences,
    matches,
    parse_blocks,
    parse_steps,
    run_steps,
    section,
    shell_environment,
)

DOCUMENT = """\
# A tool

```sh
$ not a transcript
```

```console
$ echo one
one
$ printf 'a\\n\\nb\\n'
a

b
```

```console no-run
$ rm -rf everything
```

- in a list

   ~~~console
   $ cat <<EOF
   > $ one
   > EOF
   $ one
   $ true \\
   > && echo done
   done
   ~~~
"""


def test_commands_and_their_output_are_read() -> None:
    assert parse_steps(DOCUMENT) == (
        Step(8, "echo one", ("one",)),
        Step(10, r"printf 'a\n\nb\n'", ("a", "", "b")),
        Step(23, "cat <<EOF\n$ one\nEOF", ()),
        Step(26, "one", ()),
        Step(27, "true \\\n&& echo done", ("done",)),
    )


def test_only_fences_of_the_same_kind_close_a_block() -> None:
    blocks = list(parse_blocks("````text\n```\nx\n```\n````\n~~~\n```\n~~~\n"))
    assert [block.lines for block in blocks] == [("```", "x", "```"), ("```",)]


def test_a_quoted_answer_is_not_part_of_the_command() -> None:
    assert parse_steps("```console\n$ cat mail\n> so you said\n```\n") == (
        Step(2, "cat mail", ("> so you said",)),
    )


def test_a_transcript_without_a_command_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2"):
        parse_steps("```console\nwuu list\n```\n")


def test_a_section_ends_at_the_next_heading() -> None:
    text = "# T\n## Set-up\none\n### Deeper\ntwo\n## After\nthree\n"
    assert section(text, "Set-up") == "one\n### Deeper\ntwo\n"
    assert section(text, "After") == "three\n"
    assert section(text, "Missing") == ""


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ((), "", True),
        ((), "x\n", False),
        (("a",), "a\n", True),
        (("a",), "a", True),
        (("a",), "a\nb\n", False),
        (("a", "b"), "a\n", False),
        (("a.c",), "abc\n", False),
        (("a…c",), "abbbc\n", True),
        (("a…",), "a\nb\n", False),
        (("…",), "", True),
        (("…",), "a\nb\n", True),
        (("a", "…", "z"), "a\nb\nc\nz\n", True),
        (("a", "…", "z"), "a\nz\n", True),
        (("a", "…", "z"), "a\nb\n", False),
        (("a ",), "a\n", False),
        (("", "a"), "a\n", False),
    ],
)
def test_what_matches(expected: tuple[str, ...], printed: str, *, same: bool) -> None:
    assert matches(expected, printed) is same


def _run(tmp_path: Path, *commands: str) -> tuple[Outcome, ...]:
    steps = tuple(Step(number, command, ()) for number, command in enumerate(commands, start=1))
    return run_steps(steps, cwd=str(tmp_path), env=os.environ)


def test_commands_share_a_shell_and_both_streams_are_seen(tmp_path: Path) -> None:
    assert _run(tmp_path, "x=1; cd /", "echo $x $PWD", "echo oops >&2", "cat", "printf open") == (
        ("", 0),
        ("1 /\n", 0),
        ("oops\n", 0),
        ("", 0),
        ("open", 0),
    )


def test_the_status_is_that_of_the_command_before(tmp_path: Path) -> None:
    assert _run(tmp_path, "(exit 3)", "echo $?", "echo $?") == (("", 3), ("3\n", 0), ("0\n", 0))


def test_a_shell_that_ends_leaves_the_rest_unrun(tmp_path: Path) -> None:
    assert _run(tmp_path, "echo a", "exit 4", "echo b") == (("a\n", 0),)


@pytest.mark.parametrize(
    ("commands", "outcomes", "objection"),
    [
        ([("echo a", ("a",))], [("a\n", 0)], None),
        ([("echo a", ("b",))], [("a\n", 0)], "--- printed\na"),
        ([("false", ())], [("", 1)], "ended with 1"),
        ([("false", ()), ("echo $?", ("1",))], [("", 1), ("1\n", 0)], None),
        ([("false", ()), ("true", ())], [("", 1), ("", 0)], "ended with 1"),
        ([("exit", ()), ("true", ())], [], "never ran"),
    ],
)
def test_differences_are_named(
    commands: list[tuple[str, tuple[str, ...]]], outcomes: list[tuple[str, int]], objection: str | None
) -> None:
    steps = tuple(Step(7, *command) for command in commands)
    found = list(find_differences(steps, tuple(Outcome(*outcome) for outcome in outcomes)))
    assert [objection in text for text in found] == ([True] if objection else [])


def test_the_shell_finds_the_programs_and_the_default_home(tmp_path: Path) -> None:
    program = tmp_path / "greet"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    env = shell_environment(os.environ, str(tmp_path))
    steps = (Step(1, "greet", ("hello",)), Step(2, "echo ${WUU_HOME-unset}", ("unset",)))
    assert not list(find_differences(steps, run_steps(steps, cwd=str(tmp_path), env=env)))
    assert env["HOME"] == os.environ["HOME"]
