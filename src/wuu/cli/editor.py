"""A person's own editor, on a copy outside the home. No lock is held while it is open."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

from wuu.errors import Refused, UsageProblem

_FALLBACKS = ("sensible-editor", "nano", "vi")


def find_editor(*, can_ask: bool) -> str | None:
    """Return the editor's command: VISUAL, EDITOR, or at a terminal one that is there, else None."""
    for variable in ("VISUAL", "EDITOR"):
        if os.environ.get(variable, "").strip():
            return os.environ[variable]
    return next((name for name in _FALLBACKS if shutil.which(name)), None) if can_ask else None


def edit(text: str, name: str, editor: str) -> str:
    """Let a person edit `text` in a file called `name`, and return what it holds when the editor ends.

    Without a terminal the editor gets no input, so that one that waits for keys ends instead of hanging.

    Raises:
        Refused: The editor could not be started, failed, or left bytes that are not UTF-8.
    """
    folder = tempfile.mkdtemp(prefix="wuu-edit-")
    place = os.path.join(folder, name)
    try:
        with open(place, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        _run(editor, place)
        with open(place, encoding="utf-8", newline="") as file:
            edited = file.read()
    except UnicodeDecodeError as error:
        raise Refused(
            f"The edited text is not UTF-8 at byte {error.start}; it is in {place}.", draft=place
        ) from error
    except FileNotFoundError:
        edited = ""
    shutil.rmtree(folder, ignore_errors=True)
    return edited


def keep_copy(text: str, name: str) -> str:
    """Keep `text` outside the home, where it cannot be kept in it; return the path of the file."""
    place = os.path.join(tempfile.mkdtemp(prefix="wuu-draft-"), name)
    with open(place, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return place


def _run(editor: str, place: str) -> None:
    try:
        words = shlex.split(editor)
    except ValueError as error:
        raise UsageProblem(
            f"The editor command {editor!r} cannot be read: {error}.", hint="Set EDITOR."
        ) from error
    waits = None if sys.stdin.isatty() else subprocess.DEVNULL
    try:
        status = _wait_for(subprocess.Popen([*words, place], stdin=waits, stdout=sys.stderr))  # noqa: S603
    except OSError as error:
        raise Refused(
            f"The editor {editor!r} could not be started: {error.strerror}.", hint="Set EDITOR."
        ) from error
    if status != 0:
        hint = f"What it left is in {place}."
        raise Refused(f"The editor ended with status {status}; nothing was saved.", hint=hint, draft=place)


def _wait_for(process: "subprocess.Popen[bytes]") -> int:
    """Wait until the editor ends. Ctrl-C is the editor's business meanwhile, and costs nothing typed."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
