"""Memories of other projects than the one of this call: one merged list, and counts of the graph they make.

It only reads, and the call stays in its project. Memories of other profiles are in no view (case O-25).
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wuu.errors import Caveat, UsageProblem
from wuu.memory.actions import memory_value
from wuu.memory.caveats import reading_caveats
from wuu.memory.entries import Catalogue, created_time, read_catalogue
from wuu.memory.filtering import ALL, read_asked
from wuu.memory.format.entry import PENDING, SAVED, STATUSES, Entry
from wuu.memory.links import settled_pairs
from wuu.memory.places.recorded import Recorded, get_recorded, recorded_keys
from wuu.memory.reading import file_caveats, links_into, shown, union
from wuu.memory.shelves import (
    PROJECT,
    SCOPES,
    SESSION,
    USER,
    Shelf,
    project_shelf,
    session_shelf,
    session_shelves,
    user_shelf,
    visible_shelves,
)
from wuu.memory.values import Filters, Shown
from wuu.situation.caller import plain_name_problem
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.home import Home, open_home

CURRENT = "current"
VIEWS = (CURRENT, USER, ALL)


class GraphCounts(NamedTuple):
    """The graph of the saved memories of a view: how many nodes, links, nodes without one, and conflicts."""

    nodes: int
    links: int
    isolated: int
    conflicts: int


class Browsed(NamedTuple):
    """A view: memories, newest first, each once. `project` is the recorded one that was named, else None.

    `total`, `omitted` and `graph` count what the filters let pass, whatever the limit.
    """

    view: str
    project: Recorded | None
    memories: tuple[Shown, ...]
    total: int
    omitted: int
    graph: GraphCounts
    caveats: tuple[Caveat, ...]


def browse(situation: Situation, view: str, filters: Filters, limit: int) -> Browsed:
    """Return at most `limit` memories of a view, each of the user's once, with the graph that they make.

    `current` is the project of the call with the user's own, `user` these alone, `all` them and all projects;
    anything else names a recorded project (`recorded.get_recorded`), seen as in a call from there.

    Raises:
        UsageProblem: A filter that cannot be, or a limit under 1.
        NotFound, Ambiguous: The project is not known, or not the only one.
        Refused: The view is `current`, the scope project or session, and there is no project.
        UnsafeFile, IoProblem: A whole folder cannot be read.
    """
    if limit < 1:
        raise UsageProblem(f"--limit is at least 1; got {limit}.")
    home = open_home(situation.home)
    project = None if view in VIEWS else get_recorded(home, view)
    shelves = _shelves(home, situation, _keys(home, situation, view, filters, project), filters)
    # What an option may be is checked there; the scope it is asked with needs no project.
    asked = read_asked(home, situation, filters._replace(scope=USER), STATUSES)._replace(shelves=shelves)
    near = union(visible_shelves(situation), _kept(situation, shelves))
    catalogue = read_catalogue(home, union(near, shelves))
    found = sorted(filter(asked.has, catalogue.entries), key=lambda entry: entry.id)
    found.sort(key=created_time, reverse=True)
    memories = _shown(home, situation, found[:limit], catalogue)
    caveats = (*file_caveats(home, shelves, catalogue), *reading_caveats(home, situation))
    name = view if project is None else project.key
    omitted = len(found) - len(memories)
    return Browsed(name, project, memories, len(found), omitted, count_graph(found), caveats)


def browsed_value(browsed: Browsed) -> dict[str, Any]:
    """Return the JSON of a view (CONTRACT, "memory browse")."""
    project = browsed.project
    return {
        "view": browsed.view,
        "project": None if project is None else {"key": project.key, "root": project.root},
        "memories": [memory_value(one) for one in browsed.memories],
        "total": browsed.total,
        "omitted": browsed.omitted,
        "graph": browsed.graph._asdict(),
    }


def count_graph(entries: Iterable[Entry]) -> GraphCounts:
    """Return the counts of the graph whose nodes are the saved ones of `entries`, but for a session's."""
    nodes = {one.id: one for one in entries if one.status == SAVED and one.shelf.scope != SESSION}
    held = {(one.id, *link) for one in nodes.values() for link in one.links if link[0] in nodes}
    pairs = tuple(settled_pairs(held))
    linked = {end for holder, target, _ in pairs for end in (holder, target)}
    conflicts = sum(kind == "conflicts" for _, _, kind in pairs)
    return GraphCounts(len(nodes), len(pairs), len(nodes) - len(linked), conflicts)


def _keys(
    home: Home, situation: Situation, view: str, filters: Filters, project: Recorded | None
) -> Sequence[str]:
    """Return the keys of the workspaces that a view is about."""
    if project is not None:
        return (project.key,)
    if view == ALL:
        return recorded_keys(home)
    here = situation.workspace
    if view == USER or (isinstance(here, NoProject) and filters.scope in (None, USER)):
        return ()
    return (situation.get_workspace().key,)


def _shelves(home: Home, situation: Situation, keys: Sequence[str], filters: Filters) -> tuple[Shelf, ...]:
    """Return the shelves that are listed, as `memory list` would for each of the projects."""
    scope, session = filters.scope, filters.session
    if scope not in (None, *SCOPES):
        raise UsageProblem(f"The scope is one of {', '.join(SCOPES)}; got {scope!r}.", field="scope")
    if session is None and (scope == SESSION or (scope is None and filters.status == PENDING)):
        session = ALL  # asked for, or waiting for somebody to decide
    found: list[Shelf] = []
    if scope in (None, USER):
        found.append(user_shelf(situation.caller.profile))
    if scope in (None, PROJECT):
        found += map(project_shelf, keys)
    if scope in (None, SESSION) and session is not None:
        found += [shelf for key in keys for shelf in _sessions(home, key, session)]
    return tuple(found)


def _sessions(home: Home, key: str, session: str) -> tuple[Shelf, ...]:
    if session == ALL:
        return session_shelves(home, key)
    problem = plain_name_problem(session)
    if problem:
        raise UsageProblem(f"The session {problem}.", value=session)
    return (session_shelf(key, session),)


def _kept(situation: Situation, shelves: Sequence[Shelf]) -> tuple[Shelf, ...]:
    """Return the shelves whose links count for what is listed: the user's, and those of the projects."""
    keys = dict.fromkeys(shelf.workspace for shelf in shelves if shelf.workspace is not None)
    return (user_shelf(situation.caller.profile), *map(project_shelf, keys))


def _shown(
    home: Home, situation: Situation, entries: Sequence[Entry], catalogue: Catalogue
) -> tuple[Shown, ...]:
    """Return memories with the links and the revision that a call from their own project sees."""
    here = situation.workspace
    current = None if isinstance(here, NoProject) else here.key
    incoming = links_into(entry for entry in catalogue.entries if entry.shelf.scope != SESSION)
    found = []
    for entry in entries:
        visible = (None, entry.shelf.workspace or current)
        linking = [one for one in incoming.get(entry.id, ()) if one.shelf.workspace in visible]
        found.append(shown(home, entry, linking))
    return tuple(found)
