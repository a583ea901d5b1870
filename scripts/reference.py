"""The reference pages in Markdown: every command, every exit status, every problem that a check can find."""

from collections.abc import Iterable, Iterator, Mapping

from command_tree import CommandText, OptionText
from surroundings import STATUSES, ErrorText
from wuu.problems import Code

NOTICE = "<!-- Made by scripts/generate.py; do not edit. -->"


def render_commands(tree: CommandText) -> str:
    """Return `docs/reference/commands.md`."""
    parts = [
        NOTICE,
        "# Commands",
        f"[`{tree.name}`](#{tree.page}) lists the options that all commands share.",
    ]
    for command in tree.walk():
        parts.extend(_command(command))
    return "\n\n".join(parts) + "\n"


def render_exit_statuses(errors: Iterable[ErrorText]) -> str:
    """Return `docs/reference/exit-statuses.md`."""
    known = tuple(errors)
    statuses = [f"| {one} | {meaning} | {_codes(known, one)} |" for one, meaning in STATUSES.items()]
    codes = [f"| `{one.code}` | {one.exit_status} | {_cell(one.meaning)} |" for one in known]
    return "\n".join(
        [
            *(NOTICE, "", "# Exit statuses and error codes", ""),
            "A script decides by the exit status, or by the `code` of an error in the JSON result:",
            *("codes are stable, the texts beside them are for people and may change.", ""),
            *("| status | meaning | codes |", "| ---: | --- | --- |", *statuses, ""),
            *("## Error codes", "", "| code | status | meaning |", "| --- | ---: | --- |", *codes, ""),
        ]
    )


def render_problems(codes: Mapping[str, Code]) -> str:
    """Return `docs/reference/problems.md`: every code of a check, each with a page of its own."""
    rows = [
        f"| [`{code}`](problems/{code}.md) | {one.severity} | {_cell(one.summary)} |"
        for code, one in codes.items()
    ]
    return "\n".join(
        [
            *(NOTICE, "", "# Problems that a check can find", ""),
            "`wuu notebook check` and `wuu check` name each problem by its code.",
            *("Codes are stable: `--select` and `--ignore` take them.", ""),
            *("| code | severity | meaning |", "| --- | --- | --- |", *rows, ""),
        ]
    )


def _command(command: CommandText) -> Iterator[str]:
    yield f"{'#' * min(len(command.path) + 1, 4)} {command.name}"
    yield command.summary
    yield f"```text\n{command.usage}\n```"
    for paragraph in command.paragraphs:
        yield f"```text\n{paragraph.text}\n```" if paragraph.bare else paragraph.text
    if command.options:
        yield "\n".join(["| option | meaning |", "| --- | --- |", *map(_option_row, command.options)])
    if command.commands:
        rows = (f"| [`{one.name}`](#{one.page}) | {_cell(one.summary)} |" for one in command.commands)
        yield "\n".join(["| command | meaning |", "| --- | --- |", *rows])
    if command.examples:
        yield "\n".join(["```sh", *command.examples, "```"])


def _option_row(option: OptionText) -> str:
    flags = ", ".join(f"`{flag}`" for flag in option.flags)
    value = f" `{_cell(option.value)}`" if option.value else ""
    return f"| {flags}{value} | {_cell(option.meaning)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _codes(errors: tuple[ErrorText, ...], status: int) -> str:
    return ", ".join(f"`{one.code}`" for one in errors if one.exit_status == status)
