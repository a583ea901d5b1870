"""What every reader of memories says besides: a change was interrupted, or the project may have moved.

Owns that looking for it costs next to nothing in a project that is known.
"""

import os

from wuu.errors import Caveat, WuuError
from wuu.memory.entries import read_entry
from wuu.memory.shelves import WORKSPACES, Shelf, id_of
from wuu.situation.interrupted import recovery_caveats
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.home import Home

_WORKSPACE_FILE = "workspace.json"


def reading_caveats(home: Home, situation: Situation) -> tuple[Caveat, ...]:
    """Return the warnings that go with whatever is read of the memories of this call.

    Raises:
        UnsafeFile, IoProblem: A folder cannot be read.
    """
    interrupted = recovery_caveats(home)
    here = situation.workspace
    known = isinstance(here, NoProject) or os.path.lexists(
        home.place(f"{WORKSPACES}/{here.key}/{_WORKSPACE_FILE}")
    )
    if known or not os.path.lexists(home.place(WORKSPACES)):
        return interrupted
    from wuu.memory.places.moving import moved_caveats  # noqa: PLC0415  (only where nothing is known)

    return (*interrupted, *moved_caveats(home, situation))


def unreadable_caveat(home: Home, shelf: Shelf, name: str) -> Caveat:
    """Return the warning about a file of a shelf that an index could not read (case O-06)."""
    path = f"{shelf.folder}/{name}"
    try:
        read_entry(home, shelf, id_of(name) or "")
    except WuuError as error:
        return Caveat(error.code, error.message, {"file": path, **error.details})
    return Caveat("changed_on_disk", f"{path} changed while it was searched.", {"file": path})
