"""The projects that the home has a record of, found by looking into the home alone.

Owns which folders of `workspaces/` count: those that hold a file. A moved project leaves an empty one behind.
"""

import os
from typing import NamedTuple

from wuu.errors import Ambiguous, NotFound
from wuu.memory.shelves import WORKSPACES
from wuu.memory.writing.workspace_root import Described, read_description
from wuu.situation import workspace
from wuu.store.home import Home

_NAMED = 10


class Recorded(NamedTuple):
    """A workspace of the home: its key, and what its workspace.json says."""

    key: str
    described: Described

    @property
    def root(self) -> str | None:
        """The absolute root of the project, None if nothing says it."""
        return self.described.root


def recorded_keys(home: Home) -> list[str]:
    """Return the keys of the workspaces that hold anything, sorted.

    Raises:
        UnsafeFile, IoProblem: The folder cannot be read.
    """
    return [key for key in home.folders(WORKSPACES) if holds_a_file(home, key)]


def holds_a_file(home: Home, key: str) -> bool:
    """Tell whether a workspace has any file; see `situation.workspace.holds_a_file`."""
    return workspace.holds_a_file(home.place(f"{WORKSPACES}/{key}"))


def read_recorded(home: Home) -> list[Recorded]:
    """Return every workspace that holds anything, by key.

    Raises:
        UnsafeFile, IoProblem: The folder cannot be read.
    """
    return [Recorded(key, read_description(home, key)) for key in recorded_keys(home)]


def get_recorded(home: Home, name: str) -> Recorded:
    """Return the one workspace that `name` means: its key, the beginning of it, or its absolute root.

    Raises:
        NotFound: There is none.
        Ambiguous: Several keys begin like that.
        UnsafeFile, IoProblem: The folder of the workspaces cannot be read.
    """
    known = read_recorded(home)
    if os.path.isabs(name):
        places = {os.path.normpath(name), os.path.realpath(name)}
        found = [one for one in known if one.root in places]
    else:
        exact = [one for one in known if one.key == name]
        found = exact or [one for one in known if name and one.key.startswith(name)]
    if not found:
        hint = "wuu memory workspaces list shows those that are known."
        raise NotFound(f"No project is known as {name}.", hint=hint, name=name)
    if len(found) > 1:
        keys = [one.key for one in found]
        named = ", ".join(keys[:_NAMED]) + (" …" if len(keys) > _NAMED else "")
        raise Ambiguous(
            f"{name} means {len(keys)} projects: {named}.", hint="Give more of the key.", keys=keys
        )
    return found[0]
