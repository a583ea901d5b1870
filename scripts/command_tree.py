"""Reads a Click command tree into plain values, so that no page depends on how Click lays out its help.

Owns what counts as a page's content; knows neither roff nor Markdown.
"""

import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

import click

_BARE = "\b"  # Click's mark for a paragraph that keeps its lines


class OptionText(NamedTuple):
    """An option: its flags as they are typed, the name of its value (empty for a switch), and its help."""

    flags: tuple[str, ...]
    value: str
    help: str
    required: bool
    repeatable: bool
    variable: str | None

    @property
    def meaning(self) -> str:
        """Return its help with what else a reader has to know."""
        remarks = (
            *((f"Environment: `{self.variable}`.",) if self.variable else ()),
            *(("May be repeated.",) if self.repeatable and "repeat" not in self.help else ()),
            *(("Required.",) if self.required else ()),
        )
        return " ".join([self.help, *remarks]).strip()


class ArgumentText(NamedTuple):
    """A positional argument, with brackets and dots as in a usage line."""

    usage: str


class Paragraph(NamedTuple):
    """A paragraph of help; one that is `bare` keeps its lines (examples, tables)."""

    text: str
    bare: bool


class CommandText(NamedTuple):
    """A command or a group: `path` is what is typed to reach it, from the program's name on."""

    path: tuple[str, ...]
    summary: str
    paragraphs: tuple[Paragraph, ...]
    examples: tuple[str, ...]
    arguments: tuple[ArgumentText, ...]
    options: tuple[OptionText, ...]
    commands: tuple["CommandText", ...]
    is_group: bool

    @property
    def name(self) -> str:
        """Return what is typed: `wuu notebook write`."""
        return " ".join(self.path)

    @property
    def usage(self) -> str:
        """Return its usage line, with the options that are required spelled out."""
        required = [f"{one.flags[-1]} {one.value}".rstrip() for one in self.options if one.required]
        optional = ["[OPTIONS]"] if len(required) < len(self.options) else []
        arguments = [argument.usage for argument in self.arguments]
        return " ".join(
            [self.name, *required, *optional, *arguments, *(["COMMAND …"] if self.is_group else [])]
        )

    @property
    def page(self) -> str:
        """Return the name of its manual page: `wuu-notebook-write`."""
        return "-".join(self.path)

    def walk(self) -> Iterator["CommandText"]:
        """Yield this command and all below it, depth first."""
        yield self
        for command in self.commands:
            yield from command.walk()


def read_tree(command: click.Command, name: str) -> CommandText:
    """Return the visible part of the tree of `command`, which is typed as `name`.

    An option of the root is shared: below it, an option with the same flags is left out.
    """
    context = click.Context(command, info_name=name, **command.context_settings)
    shared = frozenset(tuple(one.opts) for one in command.get_params(context))
    return _read(command, context, (name,), shared)


def _read(
    command: click.Command, context: click.Context, path: tuple[str, ...], shared: frozenset[tuple[str, ...]]
) -> CommandText:
    paragraphs = tuple(_paragraphs(command.help or ""))
    return CommandText(
        path=path,
        summary=paragraphs[0].text if paragraphs else "",
        paragraphs=paragraphs[1:],
        examples=tuple(getattr(command, "examples", ())),
        arguments=tuple(_argument(one) for one in command.params if isinstance(one, click.Argument)),
        options=tuple(
            _option(one)
            for one in command.get_params(context)
            if isinstance(one, click.Option)
            and not one.hidden
            and (len(path) == 1 or tuple(one.opts) not in shared)
        ),
        commands=tuple(_children(command, context, path, shared)),
        is_group=isinstance(command, click.Group),
    )


def _children(
    command: click.Command, context: click.Context, path: tuple[str, ...], shared: frozenset[tuple[str, ...]]
) -> Iterator[CommandText]:
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(context):
        child = command.get_command(context, name)
        if child is not None and not child.hidden:
            below = click.Context(child, info_name=name, parent=context, **child.context_settings)
            yield _read(child, below, (*path, name), shared)


def _paragraphs(help_text: str) -> Iterator[Paragraph]:
    clean = inspect.cleandoc(help_text.split("\f", maxsplit=1)[0])
    for part in re.split(r"\n[ \t]*\n", clean):
        text = part.strip("\n")
        if text.startswith(_BARE):
            yield Paragraph(textwrap.dedent(text.removeprefix(_BARE).strip("\n")), bare=True)
        elif text.strip():
            yield Paragraph(" ".join(text.split()), bare=False)


def _argument(argument: click.Argument) -> ArgumentText:
    name = (argument.metavar or argument.human_readable_name).upper().strip("[]")
    dots = "…" if argument.nargs != 1 and not name.endswith(("…", "...")) else ""
    return ArgumentText(f"{name}{dots}" if argument.required else f"[{name}]{dots}")


def _option(option: click.Option) -> OptionText:
    flags = (*option.opts, *option.secondary_opts)
    return OptionText(
        flags=tuple(sorted(flags, key=lambda flag: (flag.startswith("--"), flags.index(flag)))),
        value="" if option.is_flag or option.count else _value_name(option),
        help=" ".join((option.help or "").split()),
        required=option.required,
        repeatable=option.multiple,
        variable=option.envvar if isinstance(option.envvar, str) else None,
    )


def _value_name(option: click.Option) -> str:
    if option.metavar:
        return option.metavar
    if isinstance(option.type, click.Choice):
        return "|".join(str(choice) for choice in option.type.choices)
    return option.type.name.upper()
