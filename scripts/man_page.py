"""The manual pages, in roff: one for the program, and one for each command or group directly below it.

Only requests and escapes that both groff and mandoc know. No date and no width, so that a page is the same
wherever it is made.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from command_tree import CommandText, OptionText, Paragraph
from surroundings import ENVIRONMENT, FILES, STATUSES

_CODE = re.compile(r"`[^`]+`|(?<![\w-])--?[a-z][\w-]*")
# Characters that groff would set as their typographic relatives.
_AS_TYPED = str.maketrans({"-": r"\-", "~": r"\(ti", "^": r"\(ha", "'": r"\(aq", "`": r"\(ga", '"': r"\(dq"})


def render_pages(tree: CommandText, version: str) -> dict[str, str]:
    """Return the pages by file name (`wuu.1`, `wuu-notebook.1`)."""
    pages = {f"{tree.page}.1": _render_program(tree, version)}
    for command in tree.commands:
        pages[f"{command.page}.1"] = _render_command(command, tree, version)
    return pages


def _render_program(tree: CommandText, version: str) -> str:
    commands = (
        line
        for one in tree.commands
        for line in _tagged(rf"\fB{_typed(one.name)}\fR", f"{one.summary} See {one.page}(1).")
    )
    return _lines(
        _header(tree, tree, version),
        [".SH COMMANDS", *commands] if tree.commands else [],
        [".SH OPTIONS", "These may stand before or after the subcommand.", *_options(tree.options)],
        _examples(tree.examples),
        _exit_statuses(),
        _table("ENVIRONMENT", ENVIRONMENT),
        _table("FILES", FILES),
        _see_also([one.page for one in tree.commands]),
    )


def _render_command(command: CommandText, tree: CommandText, version: str) -> str:
    below = [one for one in command.walk() if one is not command]
    return _lines(
        _header(command, tree, version),
        [".SH COMMANDS", *(line for one in below for line in _subcommand(one))] if below else [],
        [".SH OPTIONS", *_options(command.options), *([".PP"] if command.options else []), _shared(tree)],
        _examples([example for one in command.walk() for example in one.examples]),
        _exit_statuses(),
        _table("ENVIRONMENT", ENVIRONMENT),
        _table("FILES", FILES),
        _see_also([tree.page, *(one.page for one in tree.commands if one is not command)]),
    )


def _header(command: CommandText, tree: CommandText, version: str) -> Iterator[str]:
    yield r".\" Made by scripts/generate.py; do not edit."
    yield f'.TH {command.page.upper()} 1 "" "{tree.name} {version}" "{tree.name} manual"'
    yield ".SH NAME"
    yield rf"{_typed(command.page)} \- {_text(command.summary.rstrip('.'))}"
    yield ".SH SYNOPSIS"
    for one in _callable(command) if command is not tree else [tree]:
        yield rf"\fB{_typed(one.name)}\fR{_typed(one.usage.removeprefix(one.name))}"
        yield ".br"
    yield rf"\fB{_typed(command.name)} \-\-help\fR"
    yield ".SH DESCRIPTION"
    yield _text(command.summary)
    yield from _paragraphs(command.paragraphs)


def _callable(command: CommandText) -> list[CommandText]:
    return [one for one in command.walk() if not one.is_group]


def _subcommand(command: CommandText) -> Iterator[str]:
    yield f".SS {_typed(command.usage)}"
    yield _text(command.summary)
    yield from _paragraphs(command.paragraphs)
    yield from _options(command.options)


def _options(options: Iterable[OptionText]) -> Iterator[str]:
    for option in options:
        flags = ", ".join(rf"\fB{_typed(flag)}\fR" for flag in option.flags)
        value = rf" \fI{_typed(option.value)}\fR" if option.value else ""
        yield from _tagged(f"{flags}{value}", option.meaning)


def _shared(tree: CommandText) -> str:
    return f"The options that all commands share are in {tree.page}(1)."


def _paragraphs(paragraphs: Iterable[Paragraph]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield ".PP"
        if paragraph.bare:
            yield from (".nf", *(_typed(line) for line in paragraph.text.splitlines()), ".fi")
        else:
            yield _text(paragraph.text)


def _examples(examples: Iterable[str]) -> list[str]:
    lines = [_typed(example) for example in examples]
    return [".SH EXAMPLES", ".nf", *lines, ".fi"] if lines else []


def _exit_statuses() -> list[str]:
    rows = (line for status, meaning in STATUSES.items() for line in _tagged(str(status), meaning))
    return [".SH EXIT STATUS", *rows]


def _table(title: str, rows: Mapping[str, str]) -> list[str]:
    lines = (line for name, meaning in rows.items() for line in _tagged(rf"\fB{_typed(name)}\fR", meaning))
    return [f".SH {title}", *lines]


def _see_also(pages: Iterable[str]) -> list[str]:
    return [".SH SEE ALSO", ", ".join(rf"\fB{_typed(page)}\fR(1)" for page in pages)]


def _tagged(tag: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield tag
    yield _text(text) or r"\&"


def _lines(*sections: Iterable[str]) -> str:
    return "\n".join(line for section in sections for line in section) + "\n"


def _text(text: str) -> str:
    """Return running text as roff, with `code` and --flags in bold."""
    return _CODE.sub(_bold, _escaped(text).replace("~", r"\(ti"))


def _bold(found: re.Match[str]) -> str:
    return rf"\fB{_verbatim(found[0].strip('`'))}\fR"


def _typed(text: str) -> str:
    """Return something that is typed as roff: what can be copied from the page is what was meant."""
    return _verbatim(_escaped(text))


def _verbatim(escaped: str) -> str:
    return escaped.translate(_AS_TYPED)


def _escaped(text: str) -> str:
    escaped = text.replace("\\", r"\e")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
