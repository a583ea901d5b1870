"""A change of files as a unified diff, for dry runs and for people who decide."""

import difflib
import os

from wuu.store.changes import Change
from wuu.store.home import Home


def render_difference(home_root: str, changes: tuple[Change, ...]) -> str:
    """Return what `changes` would do to the files that are there now, as a unified diff of text."""
    home = Home(os.path.realpath(home_root))
    return "".join(_file_difference(home, one) for one in changes)


def _file_difference(home: Home, one: Change) -> str:
    before = home.read(one.path)
    old, new = _lines(before), _lines(one.after)
    names = ("/dev/null" if before is None else one.path, "/dev/null" if one.after is None else one.path)
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(old, new, *names)
    )


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace")
    return [line + "\n" for line in text.split("\n")[:-1]] + (
        [tail] if (tail := text.rpartition("\n")[2]) else []
    )
