"""From a path inside a home to a place on the disk, never through a link that leaves the home.

Paths inside a home are relative and use `/`. This module resolves and refuses; it opens nothing.
"""

import os

from wuu.errors import UnsafeFile


def resolve(root: str, path: str) -> str:
    """Return the absolute path of `path` below `root`; a link that stays below `root` is followed.

    `root` must be a real path. What does not exist resolves as well.

    Raises:
        UnsafeFile: The path leaves `root` by `..`, by being absolute, or through a symbolic link.
    """
    place = locate(root, path)
    return _inside(root, os.path.realpath(place), path) if os.path.islink(place) else place


def locate(root: str, path: str) -> str:
    """Return the absolute path of `path` below `root` without following a link in its last part.

    Raises:
        UnsafeFile: The path leaves `root`, or a folder on the way is a link that does.
    """
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts) or not _can_be_named(path):
        raise UnsafeFile(f"This path is not used: {path!r}", path=path)
    return os.path.join(_inside(root, _real_folder(root, parts[:-1]), path), parts[-1])


def _real_folder(root: str, parts: list[str]) -> str:
    """Return the real path of a folder below `root`, which is real: only what is below it is looked at."""
    place = root
    for part in parts:
        place = os.path.join(place, part)
        if os.name == "nt" or os.path.islink(place):  # Windows has more ways to lead elsewhere
            return os.path.realpath(os.path.join(root, *parts))
    return place


def _can_be_named(path: str) -> bool:
    """Tell whether a system call could take `path`; a lone surrogate, say, it could not."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _inside(root: str, real: str, path: str) -> str:
    if real != root and not real.startswith(root.rstrip(os.sep) + os.sep):
        raise UnsafeFile(
            f"{path} is behind a link that leaves the home folder.",
            hint="Move the files into the home, or move the whole home and point WUU_HOME at it.",
            path=path,
        )
    return real
