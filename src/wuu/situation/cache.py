"""Where derived files are kept: outside the home, one folder per home, to be deleted at will."""

import os
import sys

from wuu.errors import Corrupt, IoProblem
from wuu.ids import sha256_hex
from wuu.store import files

_LONGEST_NAME = 200  # bytes; SQLite puts files with longer names beside it


def find_cache(home_root: str, scope: str) -> str | None:
    """Return the path of the index file of `scope`, a path inside the home, if there is such a file."""
    place = _place(home_root, scope)
    return place if os.path.exists(place) else None


def prepare_cache(home_root: str, scope: str) -> str | None:
    """Return the path of the index file of `scope` and make its folder; None if that fails."""
    place = _place(home_root, scope)
    try:
        files.ensure_folder(os.path.dirname(place))
    except (IoProblem, Corrupt):
        return None
    return place


def _place(home_root: str, scope: str) -> str:
    """Return where the index belongs; a scope too long for a file name is known by its digest."""
    name = scope.replace("/", "-")
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = sha256_hex(os.fsencode(scope))
    folder = sha256_hex(os.fsencode(home_root))[:16]
    return os.path.join(_cache_folder(), folder, f"{name}.sqlite")


def _cache_folder() -> str:
    """Return the folder for caches of wuu, the answer of platformdirs.

    On Linux it is worked out here, since platformdirs costs 1.7 bare Pythons; a test holds it to that. A
    relative `XDG_CACHE_HOME` is ignored, as XDG says (case O-33).
    """
    if sys.platform == "linux" and "ANDROID_DATA" not in os.environ:
        base = os.environ.get("XDG_CACHE_HOME", "").strip()
        return os.path.join(base if os.path.isabs(base) else os.path.expanduser("~/.cache"), "wuu")
    import platformdirs  # noqa: PLC0415  (only what searches or forgets needs it)

    base = platformdirs.user_cache_dir("wuu", appauthor=False)
    return base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".cache", "wuu")
