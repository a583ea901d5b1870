"""Which memories a listing or a search is about: the shelves that are read, and what passes a filter.

Owns the meaning of `Filters`. Session memories are left out unless somebody asks for them (seed, "Scopes"),
and what cannot be told of a memory never passes a filter about it. Reads no memory.
"""

from collections.abc import Callable
from typing import NamedTuple

from wuu import clock
from wuu.errors import UsageProblem
from wuu.memory.categories import fold_category, known_category
from wuu.memory.entries import created_time
from wuu.memory.format.entry import PENDING, PROPOSERS, STATUSES, Entry
from wuu.memory.format.times import render_time
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
)
from wuu.memory.values import Filters
from wuu.situation.caller import plain_name_problem
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.home import Home
from wuu.text.normalise import duplicate_key

ALL = "all"
"""As a status: every one of them. As a session: those of the whole project."""

LONGEST_AGE = 36_500
"""Most days of an age."""

_DAY_SECONDS = 86_400
_Test = Callable[[Entry], bool]


class Asked(NamedTuple):
    """What is asked for: shelves, statuses, and the tests that a memory has to pass besides.

    `plain` says that there is no test beside the status.
    """

    shelves: tuple[Shelf, ...]
    statuses: frozenset[str]
    tests: tuple[_Test, ...]

    @property
    def plain(self) -> bool:
        """Whether only the shelf and the status count."""
        return not self.tests

    def has(self, entry: Entry) -> bool:
        """Tell whether a memory is asked for."""
        return (
            entry.shelf in self.shelves
            and entry.status in self.statuses
            and all(test(entry) for test in self.tests)
        )


def read_asked(home: Home, situation: Situation, filters: Filters, statuses: tuple[str, ...]) -> Asked:
    """Return what `filters` ask for in this call; `statuses` are those that are meant when none is named.

    Raises:
        UsageProblem: A value that cannot be.
        Refused: The scope is project or session, and there is no project.
    """
    _refuse_unknown("scope", filters.scope, SCOPES)
    _refuse_unknown("status", filters.status, (*STATUSES, ALL))
    _refuse_unknown("proposer", filters.proposer, PROPOSERS)
    wanted = statuses if filters.status is None else STATUSES
    chosen = frozenset(wanted if filters.status in (None, ALL) else (filters.status,))
    return Asked(_shelves(home, situation, filters), chosen, tuple(_tests(filters)))


def _shelves(home: Home, situation: Situation, filters: Filters) -> tuple[Shelf, ...]:
    if filters.scope == USER:
        return (user_shelf(situation.caller.profile),)
    found = situation.workspace
    if filters.scope is None and isinstance(found, NoProject):
        return (user_shelf(situation.caller.profile),)
    key = situation.get_workspace().key
    if filters.scope == PROJECT:
        return (project_shelf(key),)
    session = filters.session
    if filters.scope is None and filters.status == PENDING:
        session = session or ALL  # whatever waits is somebody's to decide
    if filters.scope == SESSION:
        return _sessions(home, key, session or situation.caller.session or ALL)
    sessions = () if session is None else _sessions(home, key, session)
    return (user_shelf(situation.caller.profile), project_shelf(key), *sessions)


def _sessions(home: Home, key: str, session: str) -> tuple[Shelf, ...]:
    if session == ALL:
        return session_shelves(home, key)
    problem = plain_name_problem(session)
    if problem:
        raise UsageProblem(f"The session {problem}.", value=session)
    return (session_shelf(key, session),)


def _tests(filters: Filters) -> list[_Test]:
    tests = (
        _holds_text(filters.text),
        _has_category(filters.category),
        _has_tag(filters.tag),
        _is_pinned(filters.pinned),
        _has_proposer(filters.proposer),
        _is_older(filters.older_than),
        _is_newer(filters.newer_than),
    )
    return [test for test in tests if test is not None]


def _holds_text(text: str | None) -> _Test | None:
    wanted = duplicate_key(text or "")
    return (lambda entry: wanted in duplicate_key(entry.text)) if wanted else None


def _has_category(category: str | None) -> _Test | None:
    """Compare with all categories; what is unknown counts as `other` as well."""
    if category is None:
        return None
    wanted = fold_category(category)
    return lambda entry: any(
        wanted in (fold_category(one), known_category(one).id) for one in entry.all_categories
    )


def _has_tag(tag: str | None) -> _Test | None:
    if tag is None:
        return None
    wanted = duplicate_key(tag)
    return lambda entry: any(duplicate_key(one) == wanted for one in entry.tags)


def _is_pinned(pinned: bool | None) -> _Test | None:
    return None if pinned is None else lambda entry: entry.pinned is pinned


def _has_proposer(proposer: str | None) -> _Test | None:
    return None if proposer is None else lambda entry: entry.proposer == proposer


def _is_older(days: int | None) -> _Test | None:
    if days is None:
        return None
    limit = _days_ago(days)
    return lambda entry: "" < created_time(entry) <= limit


def _is_newer(days: int | None) -> _Test | None:
    if days is None:
        return None
    limit = _days_ago(days)
    return lambda entry: created_time(entry) > limit


def _days_ago(days: int) -> str:
    if not 0 <= days <= LONGEST_AGE:
        raise UsageProblem(f"An age is between 0 and {LONGEST_AGE:,} days; got {days}.")
    return render_time(clock.now() - days * _DAY_SECONDS)


def _refuse_unknown(what: str, value: str | None, known: tuple[str, ...]) -> None:
    if value is not None and value not in known:
        raise UsageProblem(f"The {what} is one of {', '.join(known)}; got {value!r}.", field=what)
