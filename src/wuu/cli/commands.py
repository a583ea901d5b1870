"""Commands and groups of wuu: lazy loading, shared options on both sides, examples in every help page.

A group loads a subcommand only when it is called; its help comes from a static table, which a test holds to
the commands (ARCHITECTURE 7).
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from wuu.cli.call import Call


class Lazy(NamedTuple):
    """Where a subcommand is, `module:attribute`, and its line in the help of its group."""

    target: str
    summary: str


def _remember(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    name = parameter.name or ""
    if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
        context.ensure_object(Call).given[name] = value


def _shared(*names: str, **attributes: Any) -> click.Option:
    return click.Option(names, expose_value=False, callback=_remember, **attributes)


SHARED: tuple[click.Option, ...] = (
    _shared("--json", is_flag=True, help="Print one JSON document; implies --no-input."),
    _shared("--home", metavar="DIR", help="The home folder.  [env: WUU_HOME; default: ~/.wuu]"),
    _shared(
        "--workspace",
        metavar="DIR",
        help="The project.  [env: WUU_WORKSPACE; default: from the current folder]",
    ),
    _shared("--profile", metavar="NAME", help="Whose memories.  [env: WUU_PROFILE; default: default]"),
    _shared("--session", metavar="ID", help="The session.  [env: WUU_SESSION, then the agent's own]"),
    _shared("--as", "as_caller", type=click.Choice(["agent"]), help="Be treated as an agent."),
    _shared("--no-input", is_flag=True, help="Never ask; fail and name the flag instead."),
    _shared("--read-only", is_flag=True, help="Refuse to write.  [env: WUU_READ_ONLY]"),
    _shared("-q", "--quiet", is_flag=True, help="No notices and no warnings."),
    _shared("--debug", is_flag=True, help="Show where a failure happened."),
)

DRY_RUN = click.Option(["--dry-run"], is_flag=True, help="Show the change and write nothing.")
REQUEST_ID = click.Option(["--request-id"], metavar="ID", help="Make a repetition of this write harmless.")
YES = click.Option(["-y", "--yes"], is_flag=True, help="Do not ask.")


class _Documented(click.Command):
    """A command with examples and a section of its own for the shared options."""

    examples: Sequence[str] = ()

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters, then the shared options, then `--help`."""
        own = super().get_params(ctx)
        if own and own[-1].name == "help":
            return [*own[:-1], *SHARED, own[-1]]
        return [*own, *SHARED]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options apart from those that every command has."""
        own: list[tuple[str, str]] = []
        shared: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                (shared if parameter in SHARED else own).append(record)
        with formatter.section("Options"):
            formatter.write_dl(own)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)
        with formatter.section("Shared options (before or after the subcommand)"):
            formatter.write_dl(shared)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")


class Command(_Documented):
    """A command that reads."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.examples = examples

    def invoke(self, ctx: click.Context) -> Any:
        """Note which command runs, for the envelope, and run it."""
        ctx.ensure_object(Call).command = ctx.command_path.split()[1:]
        return super().invoke(ctx)


class WritingCommand(Command):
    """A command that writes: it can be tried out, and repeated without harm."""

    def __init__(self, *args: Any, asks: bool = False, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.params += [DRY_RUN, REQUEST_ID, YES] if asks else [DRY_RUN, REQUEST_ID]


class LazyGroup(_Documented, click.Group):
    """A group whose subcommands are imported when they are called, not when their names are shown."""

    def __init__(
        self, *args: Any, lazy: dict[str, Lazy], examples: Sequence[str] = (), **attributes: Any
    ) -> None:
        super().__init__(*args, **attributes)
        self.lazy = lazy
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one subcommand."""
        if cmd_name not in self.lazy:
            return None
        module, _, attribute = self.lazy[cmd_name].target.partition(":")
        command = getattr(import_module(module), attribute)
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.lazy.items()])


def command(**attributes: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a reading command of a function."""
    return click.command(cls=Command, **attributes)


def writing_command(**attributes: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a writing command of a function, with `dry_run` and `request_id`."""
    return click.command(cls=WritingCommand, **attributes)
