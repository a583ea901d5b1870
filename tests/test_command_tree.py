"""Every command keeps the contract: an example, shared options, JSON, and a trial run where it writes."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from house.invocation import Invoke
from wuu.cli.commands import LazyGroup
from wuu.cli.root import root

SHARED = (
    "--json",
    "--home",
    "--workspace",
    "--profile",
    "--session",
    "--no-input",
    "--read-only",
    "--quiet",
    "--debug",
)
WRITERS = (
    "remember",
    *(f"notebook {verb}" for verb in ("write", "edit", "verify", "rename", "forget", "repair")),
    *(f"memory {verb}" for verb in ("add", "edit", "delete", "archive", "restore", "pin", "unpin", "undo")),
    *(f"memory config {verb}" for verb in ("set", "unset")),
)


def _walk(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from _walk(child, (*path, name))


COMMANDS = dict(_walk(root))


def _flags(command: click.Command) -> set[str]:
    return {flag for one in command.get_params(click.Context(command)) for flag in one.opts}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_an_example_that_calls_it(name: str, cli_runner: CliRunner) -> None:
    shown = cli_runner.invoke(root, [*name.split(), "--help"])
    assert (shown.exit_code, shown.stderr) == (0, "")
    examples = shown.stdout.split("Examples:\n")[1]
    assert f"wuu {name}".strip() in examples


@pytest.mark.parametrize("name", COMMANDS)
def test_the_shared_options_are_there(name: str) -> None:
    assert set(SHARED) <= _flags(COMMANDS[name])


@pytest.mark.parametrize("name", WRITERS)
def test_what_writes_can_be_tried_and_repeated(name: str) -> None:
    assert {"--dry-run", "--request-id"} <= _flags(COMMANDS[name])


def test_what_destroys_takes_a_yes() -> None:
    for name in ("notebook forget", "memory delete", "memory undo"):
        assert "--yes" in _flags(COMMANDS[name])


@pytest.mark.parametrize(
    "name", [name for name, command in COMMANDS.items() if isinstance(command, LazyGroup)]
)
def test_a_group_and_its_table_agree(name: str) -> None:
    group = COMMANDS[name]
    assert isinstance(group, LazyGroup)
    for child, entry in group.lazy.items():
        command = COMMANDS[f"{name} {child}".strip()]
        assert command.name == child
        assert isinstance(command, LazyGroup) == bool(isinstance(command, click.Group))
        assert entry.summary.endswith(".")


@pytest.mark.parametrize("arguments", [("--json", "notebook", "list"), ("notebook", "list", "--json")])
def test_json_may_stand_on_both_sides(arguments: tuple[str, ...], invoke: Invoke) -> None:
    ran = invoke(*arguments)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.json()["command"] == ["notebook", "list"]


@pytest.mark.parametrize(
    "arguments", [("--nonsense",), ("notebook", "nonsense"), ("notebook", "write", "--type")]
)
def test_wrong_usage_ends_with_2_and_one_document(arguments: tuple[str, ...], invoke: Invoke) -> None:
    ran = invoke(*arguments, "--json")
    assert ran.exit_code == 2
    assert ran.json()["errors"][0]["code"] == "usage"
    assert ran.stderr == ""
