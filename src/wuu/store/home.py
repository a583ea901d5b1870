"""The home folder: where things are in it, and which format it has.

Nothing here makes a folder by being asked for its path; `prepare_home` is called by writers only, under the
lock. Layout: ARCHITECTURE 2.
"""

import json
import os
from typing import NamedTuple

from wuu.errors import Corrupt, FormatTooNew, IoProblem
from wuu.ids import host_name, new_id
from wuu.store import files
from wuu.store.paths import resolve

FORMAT = 1
LOCK, HOLDER = ".lock", ".lock.json"
JOURNAL, RECEIPTS, CONFLICTS, STATE = "journal", "receipts", "conflicts", "state"
_DESCRIPTION, _GITIGNORE = "home.json", ".gitignore"
_IGNORED = """\
# What git need not keep of a wuu home: locks, transactions and advisory state.
/.lock
/.lock.json
/journal/
/receipts/
/conflicts/
/state/
/workspaces/*/sessions/
/workspaces/*/dream/
.wuu-tmp-*
"""


class Home(NamedTuple):
    """A home folder, by its real absolute path; it need not exist."""

    root: str

    def place(self, path: str) -> str:
        """Return the absolute path of something that wuu itself keeps in the home."""
        return os.path.join(self.root, *path.split("/"))

    def read(self, path: str, *, limit: int = files.MAX_FILE_BYTES, follow: bool = True) -> bytes | None:
        """Read a file of the home; see `files.read_bytes`."""
        return files.read_bytes(self.root, path, limit=limit, follow=follow)

    def scan(self, path: str) -> files.Scan:
        """Scan a directory of the home; see `files.scan_directory`."""
        return files.scan_directory(self.root, path)

    def folders(self, path: str) -> list[str]:
        """Return the sorted names of the folders directly in a directory of the home; links are none.

        Raises:
            UnsafeFile: The directory is behind a link that leaves the home.
            IoProblem: The system refused.
        """
        place = resolve(self.root, path)
        return [name for name in files.names_in(place) if _is_own_folder(os.path.join(place, name))]


def open_home(path: str) -> Home:
    """Return the home at the absolute `path`, which may itself be a link (case O-18).

    Raises:
        FormatTooNew: A newer wuu wrote it.
        Corrupt: Its description cannot be read.
        IoProblem: The system refused; or the home is a link to what is not there (perhaps a volume that is
            not mounted), which is not an empty home.
    """
    home = Home(os.path.realpath(path))
    if os.path.islink(path) and not os.path.isdir(home.root):
        hint = "Mount what it leads to, or make that folder."
        raise IoProblem(f"{path} is a link to {home.root}, which is no folder.", hint=hint, path=path)
    _check_format(home)
    return home


def read_home_id(home: Home) -> str | None:
    """Return the id of the home, or None where there is no home yet; it is no secret, and never leaves it.

    Raises:
        UnsafeFile, TooLarge, IoProblem: Its description cannot be read.
    """
    data = home.read(_DESCRIPTION, limit=65_536)
    try:
        found = None if data is None else json.loads(data)["home_id"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if isinstance(found, str) else None


def prepare_home(home: Home) -> None:
    """Make the home and say what it is, where that is still to be done. Only under the lock.

    The description comes last: where it stands, the folders of the store have been made durable.

    Raises:
        FormatTooNew: A newer wuu wrote it.
        Corrupt: Its description cannot be read, or something is in the way of a folder.
        IoProblem: The system refused.
    """
    files.ensure_folder(home.root)
    if _check_format(home):
        return
    for name in (JOURNAL, RECEIPTS):
        files.ensure_folder(resolve(home.root, name))
    description = {"format": FORMAT, "home_id": new_id(), "host": host_name()}
    if not os.path.lexists(home.place(_GITIGNORE)):
        files.write_atomic(home.place(_GITIGNORE), _IGNORED.encode())
    files.write_atomic(home.place(_DESCRIPTION), (json.dumps(description, sort_keys=True) + "\n").encode())


def _is_own_folder(place: str) -> bool:
    return os.path.isdir(place) and not os.path.islink(place)


def _check_format(home: Home) -> bool:
    """Tell whether the home is described; refuse one that is described in a way we do not know."""
    data = home.read(_DESCRIPTION, limit=65_536)
    if data is None:
        return False
    found = _format_in(data)
    if found is None:
        raise Corrupt(
            f"{home.place(_DESCRIPTION)} cannot be read.",
            hint="Move it away: the next write makes a new one. Notes are not affected.",
            path=_DESCRIPTION,
        )
    if found != FORMAT:
        raise FormatTooNew(
            f"This home has format {found}, and this wuu knows format {FORMAT}.",
            hint=f"Install a newer wuu; if none was ever here, move {home.place(_DESCRIPTION)} away.",
            found=found,
            known=FORMAT,
        )
    return True


def _format_in(description: bytes) -> int | None:
    try:
        found = json.loads(description)["format"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if type(found) is int and found > 0 else None
