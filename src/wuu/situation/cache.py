"""Where derived files are kept: outside the home, one folder per home, to be deleted at will."""

import os

from wuu.errors import Corrupt, IoProblem
from wuu.ids import sha256_hex
from wuu.store import files


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
    """Return where the index belongs. A relative `XDG_CACHE_HOME` is ignored, as XDG says (case O-33)."""
    import platformdirs  # noqa: PLC0415  (1.1 x bare Python; only what searches or forgets needs it)

    base = platformdirs.user_cache_dir("wuu", appauthor=False)
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache", "wuu")
    folder = sha256_hex(os.fsencode(home_root))[:16]
    return os.path.join(base, folder, scope.replace("/", "-") + ".sqlite")
