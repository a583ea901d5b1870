"""The places where memories are: your own ones, and each project that the home knows, with counts.

Reads the home alone; no disk is searched for projects (seed 002, "Workspaces and Markdown sharing").
"""

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from wuu.errors import Caveat, WuuError
from wuu.memory.caveats import reading_caveats
from wuu.memory.entries import created_time, read_catalogue
from wuu.memory.format.entry import STATUSES, Entry
from wuu.memory.format.times import find_time
from wuu.memory.places.recorded import Recorded, read_recorded
from wuu.memory.shelves import PROJECT, USER, WORKSPACES, Shelf, project_shelf, session_shelves, user_shelf
from wuu.memory.writing.workspace_root import Described
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.home import Home, open_home

_MANUAL = "user"


class Place(NamedTuple):
    """Where memories are kept, and how many; `key` is None for your own. Times are RFC 3339, in UTC.

    `exists`: the root of the project is there. `problem` says what keeps the place from being read in full.
    """

    scope: str
    key: str | None
    described: Described
    profile: str | None
    exists: bool
    current: bool
    last_used: str | None
    sessions: int
    by_status: dict[str, int]
    by_origin: dict[str, int]
    problem: str | None


class WorkspaceList(NamedTuple):
    """Your own memories first, then the projects, last used first; `total` counts the projects alone."""

    places: tuple[Place, ...]
    total: int
    omitted: int
    caveats: tuple[Caveat, ...]


def list_workspaces(situation: Situation, limit: int) -> WorkspaceList:
    """Return where memories are: those of the profile, and at most `limit` projects.

    A project whose file or folder is broken is listed with its problem.

    Raises:
        UnsafeFile, IoProblem: The folder of the workspaces cannot be read.
    """
    home = open_home(situation.home)
    here = situation.workspace
    key = None if isinstance(here, NoProject) else here.key
    projects = [_project(home, one, key) for one in read_recorded(home)]
    projects.sort(key=lambda place: place.last_used or "", reverse=True)
    shown = projects[:limit]
    places = (_own(home, situation.caller.profile), *shown)
    caveats = [_caveat(place) for place in places if place.problem]
    return WorkspaceList(
        places, len(projects), len(projects) - len(shown), (*caveats, *reading_caveats(home, situation))
    )


def place_value(place: Place) -> dict[str, Any]:
    """Return the JSON of a place (CONTRACT, "memory workspaces list").

    `parent_group` is the name of the folder that the project is in.
    """
    root = place.described.root
    return {
        "scope": place.scope,
        "key": place.key,
        "root": root,
        "origin": place.described.origin,
        "parent_group": None if root is None else os.path.basename(os.path.dirname(root)) or None,
        "profile": place.profile,
        "exists": place.exists,
        "current": place.current,
        "first_used": place.described.first_used,
        "last_used": place.last_used,
        "counts": {"by_status": place.by_status, "by_origin": place.by_origin},
        "sessions": place.sessions,
        "problem": place.problem,
    }


def _own(home: Home, profile: str) -> Place:
    entries, problem = _read(home, (user_shelf(profile),))
    return _place(USER, None, Described(), entries, problem)._replace(
        profile=profile, exists=True, current=True
    )


def _project(home: Home, one: Recorded, here: str | None) -> Place:
    sessions: tuple[Shelf, ...] = ()
    problem = None
    try:
        sessions = session_shelves(home, one.key)
    except WuuError as error:
        problem = error.message
    entries, unread = _read(home, (project_shelf(one.key), *sessions))
    place = _place(PROJECT, one.key, one.described, entries, one.described.problem or problem or unread)
    there = one.root is not None and os.path.isdir(one.root)
    return place._replace(exists=there, current=one.key == here, sessions=len(sessions))


def _place(
    scope: str, key: str | None, described: Described, entries: Sequence[Entry], problem: str | None
) -> Place:
    manual = sum(entry.proposer == _MANUAL for entry in entries)
    times = [find_time(entry.updated_at or "") or created_time(entry) for entry in entries]
    first = find_time(described.first_used or "")
    return Place(
        scope,
        key,
        described,
        profile=None,
        exists=False,
        current=False,
        last_used=max([*times, first or ""], default="") or None,
        sessions=0,
        by_status={status: sum(entry.status == status for entry in entries) for status in STATUSES},
        by_origin={"manual": manual, "agent": len(entries) - manual},
        problem=problem,
    )


def _read(home: Home, shelves: Sequence[Shelf]) -> tuple[tuple[Entry, ...], str | None]:
    """Return the memories of some shelves, and why not all of them could be read."""
    try:
        catalogue = read_catalogue(home, shelves)
    except WuuError as error:
        return (), error.message
    unread = len(catalogue.caveats)
    return catalogue.entries, f"{catalogue.caveats[0].message} ({unread} unread)" if unread else None


def _caveat(place: Place) -> Caveat:
    where = "your memories" if place.key is None else f"{WORKSPACES}/{place.key}"
    return Caveat("workspace_problem", f"{where}: {place.problem}", {"key": place.key})
