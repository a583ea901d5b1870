"""The check of all memories of a home: of every profile, workspace and session, with nothing changed.

Owns where it looks, and what is wrong with names and whole files; what is wrong inside of one is found by
`check_file`. A file that cannot be read hides no other.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from wuu.errors import FormatTooNew, IoProblem, WuuError
from wuu.memory.folder import Names, ids_of, read_texts, scan_names
from wuu.memory.format.check_file import Checker, found, shown
from wuu.memory.format.entry import Entry
from wuu.memory.shelves import (
    PROFILES,
    WORKSPACES,
    Shelf,
    copied_id,
    id_of,
    is_stray,
    project_shelf,
    session_shelf,
    user_shelf,
)
from wuu.memory.writing.lifecycle import MAX_PINS
from wuu.memory.writing.workspace_file import WORKSPACE_FILE
from wuu.memory.writing.workspace_root import MAX_BYTES, file_problem
from wuu.problems import Problem
from wuu.situation.situation import Situation
from wuu.store.files import TEMP_PREFIX
from wuu.store.home import Home, open_home

_BY_ERROR = ("not_utf8", "too_large", "unsafe_file")
_PLAIN_FILE = "Put a plain file with a plain name in its place."


class Checked(NamedTuple):
    """What a check found, by file, line and code, with files named from the home; at how many it looked."""

    problems: tuple[Problem, ...]
    checked: int


def check_memories(situation: Situation) -> Checked:
    """Return the problems of every memory in the home of this call; see `check`.

    Where the description of the home is damaged, its memories are no worse for it. A home of a newer wuu is
    not judged.
    """
    try:
        home = open_home(situation.home)
    except FormatTooNew:
        return Checked((), 0)
    except WuuError:
        home = Home(os.path.realpath(situation.home))
    return check(home)


def check(home: Home) -> Checked:
    """Return the problems of every memory and every workspace.json in `home`."""
    look = _Look(home)
    shelves = list(look.shelves())
    for shelf in shelves:
        look.at_shelf(shelf)
    for key in dict.fromkeys(shelf.workspace for shelf in shelves):
        if key is not None:
            look.at_workspace(key)
    look.at_doubles()
    problems = sorted(look.problems, key=lambda one: (one.file, one.line or 0, one.code))
    return Checked(tuple(problems), look.checked)


class _Look:
    """One look through a home: what was found so far, and where each id stands."""

    def __init__(self, home: Home) -> None:
        self.problems: list[Problem] = []
        self.checked = 0
        self._home = home
        self._checker = Checker()
        self._places: dict[str, list[str]] = defaultdict(list)

    def shelves(self) -> Iterator[Shelf]:
        """Yield every shelf that has a folder to be in."""
        yield from map(user_shelf, self._folders(PROFILES))
        for key in self._folders(WORKSPACES):
            yield project_shelf(key)
            for session in self._folders(f"{WORKSPACES}/{key}/sessions"):
                yield session_shelf(key, session)

    def at_shelf(self, shelf: Shelf) -> None:
        """Check the names of a shelf and each of its files."""
        names = self._names(shelf.folder)
        self.problems += _find_in_names(shelf.folder, names)
        self._find_temps(shelf.folder, names)
        pinned = []
        for memory_id, text in read_texts(self._home, shelf.folder, ids_of(names)) if names.files else ():
            self.checked += 1
            path = shelf.path(memory_id)
            self._places[memory_id].append(path)
            if isinstance(text, WuuError):
                self._note_unread(path, text)
            else:
                entry, problems = self._checker.check(memory_id, shelf, text)
                self.problems += problems
                pinned += [entry] if entry.pinned else []
        self.problems += _find_pins(shelf, pinned)

    def at_workspace(self, key: str) -> None:
        """Check the description of a workspace; it need not have one."""
        path = f"{WORKSPACES}/{key}/{WORKSPACE_FILE}"
        fix = "Move it away: the next memory of the project makes a new one."
        try:
            data = self._home.read(path, limit=MAX_BYTES)
        except WuuError as error:
            self.problems.append(found("workspace_invalid", path, None, error.message, fix))
            return
        self.checked += data is not None
        problem = None if data is None else file_problem(data)
        if problem is not None:
            self.problems.append(found("workspace_invalid", path, None, f"{shown(path)} {problem}.", fix))

    def at_doubles(self) -> None:
        """Find the ids that stand in several places."""
        for memory_id, paths in self._places.items():
            for path in paths if len(paths) > 1 else ():
                others = " and ".join(shown(other) for other in paths if other != path)
                note = f"The memory {memory_id} is also in {others}."
                fix = "Remove one of them; until then the lesser status counts."
                self.problems.append(found("entry_twice", path, None, note, fix))

    def _folders(self, folder: str) -> tuple[str, ...]:
        """Return the folders in a folder of the home that holds no memories itself."""
        names = self._names(folder)
        for name in names.irregular:
            if not name.startswith("."):
                note = f"{shown(name)} is a link or a special file, and is not entered."
                self.problems.append(found("unsafe_file", f"{folder}/{name}", None, note, _PLAIN_FILE))
        if folder == PROFILES:
            for name in (name for name in names.files if is_stray(name) or id_of(name)):
                note = f"{shown(name)} is in no profile's folder, so it is not read."
                fix = "Move it to entries/default, or to another profile's folder."
                self.problems.append(found("entry_name", f"{folder}/{name}", None, note, fix))
        return names.folders

    def _names(self, folder: str) -> Names:
        try:
            return scan_names(self._home, folder)
        except WuuError as error:
            self._note_unread(folder, error)
            return Names()

    def _note_unread(self, path: str, error: WuuError) -> None:
        code = error.code if error.code in _BY_ERROR else "unreadable"
        fix = "Look at its permissions and its disk." if isinstance(error, IoProblem) else error.hint
        self.problems.append(found(code, path, None, error.message, fix))

    def _find_temps(self, folder: str, names: Names) -> None:
        """Note temporary files of writers that are gone; one that is at work still needs its own."""
        temps = [name for name in names.files if name.startswith(TEMP_PREFIX)]
        if not temps:
            return
        from wuu.store.locks import is_held  # noqa: PLC0415  (portalocker is for writers, and for this)

        for name in () if is_held(self._home) else temps:
            note = f"{shown(name)} is a temporary file that a killed writer left."
            fix = "Nothing to do: the next command that writes here removes it."
            self.problems.append(found("leftover_temp", f"{folder}/{name}", None, note, fix))


def _find_in_names(folder: str, names: Names) -> Iterator[Problem]:
    """Yield what the names on a shelf alone tell; hidden ones are nobody's business."""
    for name in filter(is_stray, names.files):
        original = copied_id(name)
        if original is None:
            note = f"{shown(name)} is no memory by its name, which is no id, so it is not read."
            fix = "Add its text with wuu memory add, then delete it."
            yield found("entry_name", f"{folder}/{name}", None, note, fix)
        else:
            note = f"{shown(name)} looks like a second copy of the memory {original}, and is not read."
            fix = f"Take what is right into {original}.md, and delete the copy."
            yield found("sync_conflict", f"{folder}/{name}", None, note, fix)
    for name in (*names.irregular, *(name for name in names.folders if name.endswith(".md"))):
        if not name.startswith("."):
            note = f"{shown(name)} is a link, a special file or a folder, and is not read."
            yield found("unsafe_file", f"{folder}/{name}", None, note, _PLAIN_FILE)


def _find_pins(shelf: Shelf, pinned: list[Entry]) -> Iterator[Problem]:
    if len(pinned) > MAX_PINS:
        note = f"{len(pinned)} memories are pinned here, and {MAX_PINS} is the most."
        fix = "Unpin some: wuu memory unpin ID."
        yield found("too_many_pins", shelf.folder, None, note, fix)
