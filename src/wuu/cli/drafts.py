"""What a person typed in an editor, which is never lost, whatever stops it from being saved (case O-02)."""

from collections.abc import Iterator
from contextlib import contextmanager

from wuu.cli.call import Call
from wuu.errors import Interrupted, IoProblem, SecretDetected, UsageProblem, WuuError


def ask_editor(
    call: Call, text: str, name: str, *, instead: str, removal: str | None = None, is_new: bool = False
) -> str:
    """Let a person edit `text` in a file called `name`, and return what they made of it.

    `removal` says what to do instead of leaving the text empty.

    Raises:
        UsageProblem: There is no editor, and `instead` says what to give; or the text came back empty, or a
            new one as it was.
        Refused: The editor failed.
    """
    from wuu.cli.editor import edit, find_editor  # noqa: PLC0415  (starts processes; most calls do not)

    editor = None if call.no_input else find_editor(can_ask=call.can_ask)
    if editor is None:
        raise UsageProblem("There is no editor to write in.", hint=f"Give {instead}, or set EDITOR.")
    edited = edit(text, name, editor)
    if is_new and edited == text:
        raise UsageProblem("The text was left as it was, so nothing was written.")
    if not edited.strip():
        raise UsageProblem("The text is empty, so nothing was written.", hint=removal)
    return edited


@contextmanager
def kept(call: Call, name: str, text: str) -> Iterator[None]:
    """Keep `text` in a file that the error names, whatever stops it from being saved."""
    try:
        yield
    except WuuError as error:
        place = _keep(call, name, text)
        error.hint = f"Your text is in {place}" + (f". {error.hint}" if error.hint else "")
        error.details["draft"] = place
        raise
    except KeyboardInterrupt as error:
        raise Interrupted("Interrupted.", hint=f"Your text is in {_keep(call, name, text)}") from error


def _keep(call: Call, name: str, text: str) -> str:
    from wuu.notebook import actions  # noqa: PLC0415  (only what could not be saved is kept)

    try:
        return actions.keep_draft(call.situation, name, text)
    except (IoProblem, SecretDetected):
        from wuu.cli.editor import keep_copy  # noqa: PLC0415

        return keep_copy(text, name)
