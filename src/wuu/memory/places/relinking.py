"""Everything that is kept for a moved project goes to where the project is now, in one change of the home.

Owns what moves: each file as it is, byte for byte, or nothing at all. What cannot be moved stops the whole.
Only a person relinks (FACTS, "Who is asking").
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from wuu.errors import AlreadyExists, Ambiguous, NotFound, Refused, UnsafeFile, UsageProblem
from wuu.memory.places.carrying import check_pins, new_names, plan_proposals, plan_rejected, with_names
from wuu.memory.places.moving import moved_to
from wuu.memory.places.overrides import plan_overrides
from wuu.memory.places.recorded import Recorded, get_recorded
from wuu.memory.shelves import WORKSPACES, project_shelf, session_shelves
from wuu.memory.writing.guards import refuse_agent
from wuu.memory.writing.rewriting import time_now
from wuu.memory.writing.workspace_file import WORKSPACE_FILE, plan_moved_workspace, plan_workspace
from wuu.search.index import discard_index
from wuu.situation.cache import find_cache
from wuu.situation.situation import Situation
from wuu.situation.workspace import Workspace
from wuu.store.changes import Change, ChangeSet, change, digest_of
from wuu.store.files import MAX_CHANGE_BYTES, TEMP_PREFIX
from wuu.store.home import Home
from wuu.store.reads import problem_of

_NAMED = 5


class Relink(NamedTuple):
    """Give the project of the call what is kept for `source` (see `get_recorded`; None: the one that moved).

    `new` says instead that the project is one of its own, whatever was elsewhere.
    """

    source: str | None = None
    new: bool = False


class Relinked(NamedTuple):
    """What became of a `Relink`: the workspace that the files came from (None with `new`), their new paths.

    `settings`: overrides of the settings went along.
    """

    source: Recorded | None
    key: str
    root: str
    moved: tuple[str, ...]
    settings: bool


def plan_relink(home: Home, situation: Situation, request: Relink) -> ChangeSet[Relinked]:
    """Plan to move every file of one workspace to that of this call's project.

    Files that are the same in both are merged. Of a project that stays where it was, a person knows why.

    Raises:
        ApprovalRequired: An agent asks.
        UsageProblem: `new` together with a source.
        NotFound, Ambiguous: The source is not known, or several could be meant.
        Refused: There is no project, or it is the source itself.
        AlreadyExists: The project has a file of the same path and other content.
        PinLimit: More than 20 pins would come together.
        UnsafeFile, TooLarge, IoProblem: Something of the source cannot be moved.
        SettingsInvalid: The settings cannot be read.
    """
    refuse_agent(situation.caller, "say where a project went")
    here = situation.get_workspace()
    if request.new:
        return _plan_new(home, here, request)
    source = _get_source(home, here, request.source)
    if source.key == here.key:
        raise Refused(f"{here.root} has the workspace {here.key} already.", key=here.key)
    check_pins(home, source.key, here.key)
    names = new_names(home, situation.caller.profile, source.key, here.key)
    moves = tuple(_moves(home, source.key, here.key, names))
    overrides = () if source.root is None else plan_overrides(home, source.root, here.root)
    changes = (
        *moves,
        *plan_moved_workspace(home, source.key, here, time_now()),
        *plan_proposals(home, names),
        *plan_rejected(home, source.key, here.key),
        *overrides,
    )
    moved = tuple(one.path for one in moves if one.after is not None)
    return ChangeSet(changes, Relinked(source, here.key, here.root, moved, bool(overrides)))


def forget_indexes(home: Home, key: str) -> None:
    """Remove the search indexes of a workspace that has moved: its words are elsewhere now."""
    for shelf in (project_shelf(key), *session_shelves(home, key)):
        place = find_cache(home.root, shelf.folder)
        if place is not None:
            discard_index(place)


def _plan_new(home: Home, here: Workspace, request: Relink) -> ChangeSet[Relinked]:
    if request.source is not None:
        raise UsageProblem("--new takes nothing along, so it goes with no FROM.")
    changes = plan_workspace(home, here, time_now())
    return ChangeSet(changes, Relinked(None, here.key, here.root, (), settings=False))


def _get_source(home: Home, here: Workspace, name: str | None) -> Recorded:
    if name is not None:
        return get_recorded(home, name)
    found = moved_to(home, here)
    if not found:
        hint = "wuu memory workspaces list shows the projects; name the one that this one was."
        raise NotFound(f"No project that is gone has the origin of {here.root}.", hint=hint, root=here.root)
    if len(found) > 1:
        keys = [one.key for one in found]
        note = f"{len(keys)} projects that are gone have the origin of {here.root}: {', '.join(keys)}."
        raise Ambiguous(note, hint="Name one of them.", keys=keys)
    return get_recorded(home, found[0].key)


def _moves(home: Home, source: str, target: str, names: dict[bytes, bytes]) -> Iterator[Change]:
    """Yield the changes that move every file but the description, which is made anew.

    Raises:
        AlreadyExists: The target has another file in some place.
        UnsafeFile, TooLarge, IoProblem: A file cannot be read.
    """
    taken = []
    for name in _files(home, source):
        old, new = f"{WORKSPACES}/{source}/{name}", f"{WORKSPACES}/{target}/{name}"
        data = home.read(old, limit=MAX_CHANGE_BYTES, follow=False)
        if data is None:
            continue
        if name != WORKSPACE_FILE:
            moved = with_names(data, names)
            there = home.read(new, limit=MAX_CHANGE_BYTES, follow=False)
            if there is None:
                yield change(new, None, moved)
            elif there != moved:
                taken.append(new)
        yield Change(old, digest_of(data), None)
    if taken:
        more = " and more" if len(taken) > _NAMED else ""
        note = f"The project has other content in {', '.join(taken[:_NAMED])}{more}; nothing was moved."
        raise AlreadyExists(note, hint="Move one of the two away first.", paths=taken)


def _files(home: Home, key: str) -> Iterator[str]:
    """Yield the files of a workspace by their paths in it, but for what a killed writer left.

    Raises:
        UnsafeFile: There is a link.
        IoProblem: A folder cannot be read.
    """
    top = home.place(f"{WORKSPACES}/{key}")
    for place, folders, files in os.walk(top, onerror=_refuse):
        folders.sort()
        for name in folders:
            if os.path.islink(os.path.join(place, name)):
                path = os.path.join(place, name)
                raise UnsafeFile(f"{path} is a link, and is not moved.", hint="Remove it first.", path=path)
        for name in sorted(name for name in files if not name.startswith(TEMP_PREFIX)):
            yield os.path.relpath(os.path.join(place, name), top).replace(os.sep, "/")


def _refuse(error: OSError) -> None:
    raise problem_of(error, str(error.filename)) from error
