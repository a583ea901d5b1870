"""Where derived files are kept: outside the home, one folder per home, to be deleted at will."""

import os

from wuu.errors import Corrupt, IoProblem
from wuu.ids import sha256_hex
from wuu.store import files


def prepare_cache(home_root: str, scope: str) -> str | None:
    """Return the path of the index of `scope`, a path inside the home, and make its folder; None if that fails.

    A relative `XDG_CACHE_HOME` is ignored, as its specification says (case O-33).
    """
    import platformdirs  # noqa: PLC0415  (1.1 x bare Python; only what searches or forgets needs it)

    base = platformdirs.user_cache_dir("wuu", appauthor=False)
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache", "wuu")
    folder = os.path.join(base, sha256_hex(os.fsencode(home_root))[:16])
    try:
        files.ensure_folder(folder)
    except (IoProblem, Corrupt):
        return None
    return os.path.join(folder, scope.replace("/", "-") + ".sqlite")
