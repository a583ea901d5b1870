"""The check of a whole home: its own files and every store in it that exists.

Owns the table of stores and the check of what wuu keeps in the home itself: description, settings,
interrupted changes, temporary files. What is wrong inside a store is the business of that store's room. It
changes nothing.
"""

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from wuu.checks.report import Report
from wuu.errors import FormatTooNew, IoProblem, NotFound, UnsafeFile, WuuError
from wuu.memory.actions import check_memories
from wuu.notebook import actions as notebook
from wuu.problems import Problem, problem
from wuu.situation.settings import SETTINGS_FILE, read_settings
from wuu.situation.situation import Situation
from wuu.store.files import TEMP_PREFIX, names_in
from wuu.store.home import CONFLICTS, JOURNAL, RECEIPTS, Home, open_home
from wuu.store.recovery import parked_intents, pending_intents

_DESCRIPTION, _NOTEBOOK = "home.json", "memory"


class Found(NamedTuple):
    """What the check of a store found, with files named from the store, and how many it looked at."""

    problems: tuple[Problem, ...] = ()
    checked: int = 0


class Store(NamedTuple):
    """A folder of the home (by its path in it) and its check, which is told the number of `--stale-days`."""

    folder: str
    check: Callable[[Situation, int | None], Found]


def check_home(situation: Situation, stale_days: int | None = None) -> Report:
    """Return what is wrong in the home and in every store of it that exists; files are named from the home.

    Raises:
        NotFound: There is no home.
    """
    home = Home(os.path.realpath(situation.home))
    if not os.path.isdir(home.root):
        hint = "Name a home with --home or WUU_HOME; the first write makes one."
        raise NotFound(f"There is no home at {situation.home}.", hint=hint, path=situation.home)
    found = [_check_own_files(home)]
    found += [_check_store(situation, home, store, stale_days) for store in STORES]
    found.append(Found(*check_memories(situation)))
    problems = tuple(one for part in found for one in part.problems)
    return Report(problems, sum(part.checked for part in found), home.root)


def _check_store(situation: Situation, home: Home, store: Store, stale_days: int | None) -> Found:
    """Return what a store says of itself; one that cannot be entered does not hide the others."""
    place = home.place(store.folder)
    if not os.path.isdir(place):
        note = "This is no folder, or a link to what is not there."
        return Found((problem("unsafe_file", store.folder, None, note),) if os.path.lexists(place) else ())
    try:
        problems, checked = store.check(situation, stale_days)
    except NotFound:  # there is nothing in it yet
        return Found()
    except UnsafeFile as error:
        return Found((problem("unsafe_file", store.folder, None, error.message, error.hint),))
    except IoProblem as error:
        return Found((problem("unreadable", store.folder, None, error.message, error.hint),))
    return Found(tuple(one._replace(file=f"{store.folder}/{one.file}") for one in problems), checked)


def _check_notebook(situation: Situation, stale_days: int | None) -> Found:
    """Check the notebook. Where the description of the home is damaged, its notes are no worse for it."""
    folder = None
    try:
        open_home(situation.home)
    except FormatTooNew:  # what its files mean is not known here
        return Found()
    except WuuError:
        folder = os.path.join(situation.home, _NOTEBOOK)
    found = notebook.check_notebook(situation, folder, stale_days)
    return Found(found.problems, found.checked)


def _check_own_files(home: Home) -> Found:
    problems: list[Problem] = []
    for path, check in _OWN_CHECKS:
        try:
            problems += check(home)
        except IoProblem as error:
            problems.append(problem("unreadable", path, None, error.message, error.hint))
    there = [name for name in (_DESCRIPTION, SETTINGS_FILE) if os.path.lexists(home.place(name))]
    return Found(tuple(problems), len(there))


def _check_description(home: Home) -> Iterator[Problem]:
    try:
        open_home(home.root)
    except WuuError as error:
        message = _without_path(error.message, home.place(_DESCRIPTION))
        yield problem("home_invalid", _DESCRIPTION, None, message, error.hint)


def _check_settings(home: Home) -> Iterator[Problem]:
    path = home.place(SETTINGS_FILE)
    try:
        settings = read_settings(path, None)
    except WuuError as error:
        line = error.details.get("line")
        yield problem("settings_invalid", SETTINGS_FILE, line, _without_path(error.message, path), error.hint)
        return
    for caveat in settings.caveats:
        yield problem("settings_unknown", SETTINGS_FILE, None, _without_path(caveat.message, path))


def _check_changes(home: Home) -> Iterator[Problem]:
    """Yield the changes that a killed writer left open."""
    for one in pending_intents(home):
        yield problem(
            "recovery_pending",
            f"{JOURNAL}/{one}.intent",
            None,
            "An interrupted change is not finished.",
            "Nothing to do: the next command that writes finishes it.",
        )
    names = {name.split(".")[0]: name for name in names_in(home.place(CONFLICTS))}
    for conflict in parked_intents(home):
        yield problem(
            "recovery_needed",
            f"{CONFLICTS}/{names.get(conflict, conflict)}",
            None,
            "An interrupted change waits: one of its files was edited meanwhile, or it is damaged.",
            "Run wuu reconcile files; --keep-disk or --keep-prepared settles it.",
        )


def _check_temps(home: Home) -> Iterator[Problem]:
    """Yield temporary files of writers that are gone; one that is at work still needs its own."""
    temps = frozenset(_temps(home))
    if not temps:
        return
    from wuu.store.locks import is_held  # noqa: PLC0415  (portalocker is for writers, and for this)

    if is_held(home):
        return
    for path in _temps(home):
        if path in temps:
            fix = "Nothing to do: the next command that recovers or writes here removes it."
            yield problem("leftover_temp", path, None, "A writer that was killed left this file.", fix)


def _temps(home: Home) -> Iterator[str]:
    for folder in ("", JOURNAL, RECEIPTS, CONFLICTS):
        for name in names_in(home.place(folder) if folder else home.root):
            if name.startswith(TEMP_PREFIX):
                yield f"{folder}/{name}" if folder else name


def _without_path(message: str, path: str) -> str:
    """Return a message about a file without the file, which a problem names by itself."""
    return message.removeprefix(path).lstrip(":, ").replace("?.", "?")


_OWN_CHECKS = (
    (_DESCRIPTION, _check_description),
    (SETTINGS_FILE, _check_settings),
    (JOURNAL, _check_changes),
    (JOURNAL, _check_temps),
)
"""What wuu keeps in the home itself, and where it is when the system does not let us look."""

STORES = (Store(_NOTEBOOK, _check_notebook),)
"""Every store with one folder. Memories stand in several, and name their files from the home themselves."""
