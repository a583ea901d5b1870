"""What goes to stdout and stderr. Nothing else in wuu prints.

stdout gets the result, in text exact bytes; stderr gets warnings, notices and failures. With `--json` stdout
gets exactly one document, whatever happens (case O-35). A reader that went away is no failure (case O-36).
"""

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from wuu.cli.call import Call
from wuu.errors import Caveat, Findings, WuuError

if TYPE_CHECKING:
    from wuu.cli.folding import Line
    from wuu.store.changes import Receipt

SCHEMA = "wuu.result/1"

_STYLES = {"bold": "\x1b[1m", "dim": "\x1b[2m"}
_NO_STYLE = "\x1b[0m"
_NARROWEST, _USUAL = 20, 80  # columns

# In piped text a cell or a line is exact but for controls, of which tab and line feed would make two of it.
_ONE_LINE = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


class Rows(NamedTuple):
    """A table: aligned on a terminal, tab-separated and complete elsewhere. The first column is the id."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


class Reply(NamedTuple):
    """What a command answers: JSON data, and the same for people as text or a table.

    `notice` is a line for people that is no part of the result (it goes to stderr, and not with --quiet).
    `failure` is an error that comes with data, such as something that was looked for and is not there;
    findings are told by `text` and `notice`. A `document`, for another program, is all that is told (but with
    --json, which tells the data).
    """

    data: dict[str, Any]
    text: str | Rows = ""
    notice: str = ""
    caveats: tuple[Caveat, ...] = ()
    receipt: "Receipt | None" = None
    failure: WuuError | None = None
    document: str | None = None


def emit(call: Call, reply: Reply) -> int:
    """Print a reply and return the exit status."""
    status = 0 if reply.failure is None else reply.failure.exit_status
    if call.json:
        errors = [] if reply.failure is None else [_error_value(reply.failure)]
        # What was looked for in vain is what somebody typed; findings name files that are there.
        data = without_secrets(reply.data) if status > Findings.exit_status else reply.data
        _print_document(call.command, status, data, reply.receipt, reply.caveats, errors)
        return status
    if reply.document is not None:
        _write_out(reply.document)
        return status
    _print_text(reply.text)
    if not call.quiet:
        for caveat in reply.caveats:
            tell(f"Warning: {caveat.message}")
        if reply.notice:
            tell(reply.notice)
    if reply.failure is not None and not isinstance(reply.failure, Findings):
        _tell_failure(reply.failure)
    return status


def emit_failure(command: list[str], error: WuuError, *, as_json: bool) -> int:
    """Print a failure and return its exit status."""
    if as_json:
        _print_document(command, error.exit_status, {}, None, (), [_error_value(error)])
    else:
        _tell_failure(error)
    return error.exit_status


def tell(line: str) -> None:
    """Print one line to stderr, made safe for a terminal and without credentials."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(visible(without_secrets(line)) + "\n")
        sys.stderr.flush()


def ask(question: str) -> str:
    """Ask on stderr and return the line that a person types, empty at the end of the input."""
    sys.stderr.write(visible(question))
    sys.stderr.flush()
    return sys.stdin.readline()


def show(lines: Sequence["Line"]) -> None:
    """Show lines that are fit for a terminal on stderr, bold and dim where that is wanted."""
    painted = _paints()
    sys.stderr.write("".join(_painted(line, painted=painted) + "\n" for line in lines))
    sys.stderr.flush()


def show_question(question: str) -> None:
    """Show a question on stderr, in the line in which it is answered."""
    sys.stderr.write(visible(question))
    sys.stderr.flush()


def screen_width() -> int:
    """Return how many columns the terminal at stderr has."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return max(columns or _USUAL, _NARROWEST)


def find_terminal(call: Call) -> TextIO | None:
    """Return stderr where a person looks at it, for a bar of progress; None elsewhere."""
    return None if call.json or call.quiet or not sys.stderr.isatty() else sys.stderr


def ensure_streams() -> None:
    """Open to nowhere what the caller closed of the three streams, before a file of ours takes its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def visible(text: str, *, tabs: bool = True) -> str:
    """Return text as a terminal may show it; see `text.safety.visible`, which plain ASCII does not need."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    from wuu.text import safety  # noqa: PLC0415  (a sixth of the start of Python)

    return safety.visible(text, tabs=tabs)


def without_secrets(value: Any) -> Any:
    """Return text, or JSON with text in it, with every credential redacted: for errors, warnings and reports.

    What failed may quote what somebody typed (case O-29).
    """
    if isinstance(value, str):
        from wuu.text.secrets import redact  # noqa: PLC0415  (a call that goes well says nothing)

        return redact(value).text
    if isinstance(value, dict):
        return {key: without_secrets(one) for key, one in value.items()}
    return [without_secrets(one) for one in value] if isinstance(value, list | tuple) else value


def one_line(text: str) -> str:
    """Return text in one line, exact but for controls; a terminal gets it through `visible` as well."""
    return text.translate(_ONE_LINE)


def _painted(line: "Line", *, painted: bool) -> str:
    """Return a line without controls of its own, and with ours if it is painted."""
    text = one_line(line.text)
    return f"{_STYLES[line.style]}{text}{_NO_STYLE}" if painted and line.style and text else text


def _paints() -> bool:
    """Tell whether the terminal may be sent colours (no-color.org)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def _tell_failure(error: WuuError) -> None:
    tell(f"Error: {error.message}")
    if error.hint:
        tell(f"  {error.hint}")


def _print_text(text: str | Rows) -> None:
    on_terminal = sys.stdout.isatty()
    if isinstance(text, Rows):
        if on_terminal and text.rows:
            from wuu.cli.tables import render_table  # noqa: PLC0415  (imports Rich)

            text = render_table(text.columns, text.rows)
        else:
            text = "".join("\t".join(one_line(cell) for cell in row) + "\n" for row in text.rows)
    elif on_terminal:
        text = visible(text)
    _write_out(text if not text or text.endswith("\n") or not on_terminal else text + "\n")


def _print_document(
    command: list[str],
    exit_status: int,
    data: dict[str, Any],
    receipt: "Receipt | None",
    caveats: tuple[Caveat, ...],
    errors: list[dict[str, Any]],
) -> None:
    import json  # noqa: PLC0415  (most calls print text)

    document = {
        "schema": SCHEMA,
        "command": command,
        "status": "partial" if exit_status == 1 else "error" if errors else "ok",
        "exit_code": exit_status,
        "data": data,
        "receipt": None if receipt is None else _receipt_value(receipt),
        "warnings": [without_secrets(caveat._asdict()) for caveat in caveats],
        "errors": without_secrets(errors),
    }
    indent = 2 if sys.stdout.isatty() else None
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=indent)
    _write_out(text + "\n")


def _receipt_value(receipt: "Receipt") -> dict[str, Any]:
    from wuu.store.journal import receipt_value  # noqa: PLC0415  (readers have no receipts)

    return receipt_value(receipt)


def _error_value(error: WuuError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "hint": error.hint, "details": error.details}


def _write_out(text: str) -> None:
    r"""Write UTF-8 whatever the locale says; a closed pipe ends the output and nothing else.

    A lone surrogate, which a file name that is not UTF-8 leads to, becomes `\udc80`: JSON reads that back.
    """
    data = text.encode("utf-8", "backslashreplace")
    if not data:
        return
    try:
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(data.decode())
        else:
            sys.stdout.flush()
            buffer.write(data)
            buffer.flush()
    except BrokenPipeError:
        forget_stdout()
    except OSError as error:
        forget_stdout()
        from wuu.store.reads import problem_of  # noqa: PLC0415  (readers of files have it already)

        raise problem_of(error, "stdout") from error


def forget_stdout() -> None:
    """Point stdout to nowhere, so that the interpreter does not complain about the pipe when it ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
