"""What every reader of memories says besides: a change was interrupted, or the project may have moved.

Owns that looking for it costs next to nothing in a project that is known.
"""

import os

from wuu.errors import Caveat
from wuu.memory.shelves import WORKSPACES
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
