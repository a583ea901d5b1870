"""Where a file is, as a report says it: from the current folder if it lies below, else from the root.

Programs that show problems beside the lines of a repository need paths that count from its root, and run wuu
there. Paths use `/`. Nothing here opens a file.
"""

import os
from typing import NamedTuple


class Base(NamedTuple):
    """The folder that was checked: `path` is absolute, or from the current folder (empty: that one)."""

    path: str
    absolute: bool

    def place(self, file: str) -> str:
        """Return the path of `file`, which counts from the folder that was checked."""
        return f"{self.path.rstrip('/')}/{file}" if self.path else file


def find_base(folder: str, current: str | None) -> Base:
    """Return the base for the absolute `folder`; `current` is the current folder, None if it is gone."""
    if current is not None:
        for one in (folder, os.path.realpath(folder)):
            if one == current:
                return Base("", absolute=False)
            if one.startswith(current.rstrip(os.sep) + os.sep):
                return Base(_with_slashes(os.path.relpath(one, current)), absolute=False)
    return Base(_with_slashes(folder), absolute=True)


def current_folder() -> str | None:
    """Return the current folder, or None where it was removed under us."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return None


def _with_slashes(path: str) -> str:
    return path.replace(os.sep, "/")
