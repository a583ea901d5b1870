"""Projects that moved: one that the home does not know, whose origin it knows of a place that is gone.

Two clones side by side are two projects (case O-27): nothing is said while the recorded one is still there.
For a project that is known it costs one look (ARCHITECTURE 2, "Workspace key").
"""

import os
from typing import NamedTuple

from wuu.errors import Caveat, WorkspaceMoved
from wuu.memory.places.recorded import holds_a_file, read_recorded
from wuu.memory.shelves import WORKSPACES
from wuu.memory.writing.workspace_file import WORKSPACE_FILE, find_origin
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject, Workspace
from wuu.store.home import Home


class Moved(NamedTuple):
    """A workspace that may be that of this project: its key, the root that is recorded, and the origin."""

    key: str
    root: str
    origin: str


def find_moved(home: Home, situation: Situation) -> tuple[Moved, ...]:
    """Return the workspaces that the project of this call may have had where it was before, by key.

    None for a project that has a workspace, or no origin.

    Raises:
        UnsafeFile, IoProblem: The folder of the workspaces cannot be read.
    """
    here = situation.workspace
    if isinstance(here, NoProject) or _is_known(home, here):
        return ()
    return moved_to(home, here)


def moved_to(home: Home, here: Workspace) -> tuple[Moved, ...]:
    """Return the workspaces of `find_moved`, even if the project has one of its own by now."""
    if not os.path.lexists(home.place(WORKSPACES)):
        return ()
    origin = find_origin(here.root)
    if origin is None:
        return ()
    return tuple(
        Moved(one.key, one.root, origin)
        for one in read_recorded(home)
        if one.root is not None
        and one.root != here.root
        and one.described.origin == origin
        and not _is_there(one.root, origin)
    )


def moved_caveats(home: Home, situation: Situation) -> tuple[Caveat, ...]:
    """Return the warning for readers that this project may have memories under the path it had before.

    Raises:
        UnsafeFile, IoProblem: The folder of the workspaces cannot be read.
    """
    return tuple(
        Caveat(
            "workspace_moved",
            f"This project may be the one that was at {one.root}, whose memories are not read here: "
            f"wuu memory workspaces relink {one.key}",
            one._asdict(),
        )
        for one in find_moved(home, situation)
    )


def refuse_moved(home: Home, situation: Situation) -> None:
    """Stop the first write into a project that may have moved; a person says whether it did.

    Raises:
        WorkspaceMoved: It may have.
        UnsafeFile, IoProblem: The folder of the workspaces cannot be read.
    """
    found = find_moved(home, situation)
    if not found:
        return
    places = " or ".join(one.root for one in found)
    raise WorkspaceMoved(
        f"This project may be the one that was at {places}; nothing was written.",
        hint=f"wuu memory workspaces relink {found[0].key} takes its memories along; "
        "wuu memory workspaces relink --new makes this a project of its own.",
        root=situation.workspace.root,
        candidates=[one._asdict() for one in found],
    )


def _is_known(home: Home, here: Workspace) -> bool:
    described = home.place(f"{WORKSPACES}/{here.key}/{WORKSPACE_FILE}")
    return os.path.lexists(described) or holds_a_file(home, here.key)


def _is_there(root: str, origin: str) -> bool:
    return os.path.isdir(root) and find_origin(root) == origin
