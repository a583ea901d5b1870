"""Where memories are kept: one folder for each profile, workspace and session (ARCHITECTURE 2).

Owns the folders and which of them a call may see. The path decides scope, profile, workspace and session of a
memory; no file repeats them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from wuu.errors import UsageProblem
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.home import Home

USER, PROJECT, SESSION = "user", "project", "session"
SCOPES = (USER, PROJECT, SESSION)
PROFILES, WORKSPACES = "entries", "workspaces"

_ID = re.compile(r"[0-9a-f]{16}")
_PREFIX = re.compile(r"[0-9a-f]{1,16}")
_COPY = re.compile(r"([0-9a-f]{16})[^0-9A-Za-z]")
_EXTENSION = ".md"


class Shelf(NamedTuple):
    """A folder of memories, by its path inside the home; what does not apply to its scope is None."""

    scope: str
    folder: str
    profile: str | None
    workspace: str | None
    session: str | None

    def path(self, memory_id: str) -> str:
        """Return the path of a memory inside the home."""
        return f"{self.folder}/{memory_id}{_EXTENSION}"


def user_shelf(profile: str) -> Shelf:
    """Return the shelf of what holds everywhere for `profile`."""
    return Shelf(USER, f"{PROFILES}/{profile}", profile, None, None)


def project_shelf(workspace: str) -> Shelf:
    """Return the shelf of a workspace, by its key."""
    return Shelf(PROJECT, f"{WORKSPACES}/{workspace}/entries", None, workspace, None)


def session_shelf(workspace: str, session: str) -> Shelf:
    """Return the shelf of one session in a workspace."""
    folder = f"{WORKSPACES}/{workspace}/sessions/{session}/entries"
    return Shelf(SESSION, folder, None, workspace, session)


def find_shelf(situation: Situation, scope: str) -> Shelf:
    """Return the shelf that `scope` means in this call.

    Raises:
        Refused: There is no project (FACTS, "No project").
        UsageProblem: There is no session.
        NotFound: `--workspace` names nothing.
    """
    if scope == USER:
        return user_shelf(situation.caller.profile)
    workspace = situation.get_workspace().key
    if scope == PROJECT:
        return project_shelf(workspace)
    return session_shelf(workspace, situation.caller.get_session())


def visible_shelves(situation: Situation) -> tuple[Shelf, ...]:
    """Return the shelves of the profile and of the project, if there is one; sessions only when asked for."""
    found = situation.workspace
    user = user_shelf(situation.caller.profile)
    return (user,) if isinstance(found, NoProject) else (user, project_shelf(found.key))


def near_shelves(situation: Situation) -> tuple[Shelf, ...]:
    """Return the shelves on which a duplicate counts: the visible ones and that of the current session."""
    visible, found, session = visible_shelves(situation), situation.workspace, situation.caller.session
    if session is None or isinstance(found, NoProject):
        return visible
    return (*visible, session_shelf(found.key, session))


def session_shelves(home: Home, workspace: str) -> tuple[Shelf, ...]:
    """Return the shelves of all sessions of a workspace that have a folder, by name."""
    names = home.folders(f"{WORKSPACES}/{workspace}/sessions")
    return tuple(session_shelf(workspace, name) for name in names)


def workspace_shelves(home: Home) -> tuple[Shelf, ...]:
    """Return the project shelves of every workspace that the home has, by key."""
    return tuple(project_shelf(name) for name in home.folders(WORKSPACES))


def every_shelf(home: Home) -> Iterator[Shelf]:
    """Yield every shelf of the home, whoever may see it: a memory may have been moved after it was linked."""
    yield from map(user_shelf, home.folders(PROFILES))
    for shelf in workspace_shelves(home):
        yield shelf
        yield from session_shelves(home, shelf.workspace or "")


def id_of(file: str) -> str | None:
    """Return the id that a file name of a shelf stands for, or None if it is no memory's."""
    stem = file[: -len(_EXTENSION)]
    return stem if file.endswith(_EXTENSION) and _ID.fullmatch(stem) else None


def is_stray(file: str) -> bool:
    """Tell whether a file of a shelf is Markdown that can be seen, and no memory by its name."""
    return not file.startswith(".") and file.lower().endswith(_EXTENSION) and id_of(file) is None


def copied_id(file: str) -> str | None:
    """Return the id of the memory that a file is a copy of, as services and people name copies, or None."""
    copy = _COPY.match(file)
    return None if copy is None or id_of(file) is not None else copy[1]


def check_prefix(prefix: str) -> str:
    """Return the beginning of an id as it is compared.

    Raises:
        UsageProblem: It cannot be one.
    """
    folded = prefix.strip().casefold()
    if not _PREFIX.fullmatch(folded):
        hint = "An id is 16 hex digits, or the first few of them: wuu memory list shows them."
        raise UsageProblem(f"{prefix!r} is no id of a memory.", hint=hint, id=prefix)
    return folded
