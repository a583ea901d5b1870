"""Every cut point of a run times every state that the disk may be in, and what the next writer makes of it.

Owns the walk: it logs the real calls of a case, takes them apart with the model of `crash_disk.py`, puts each
distinct state on a real disk, lets the production recovery loose on it and asks the case what is wrong. What
has to be true is said in `crash_cases.py`. Nested: the same again for the calls of that recovery.
"""

import contextlib
import itertools
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from store.crash_disk import ROOT, Disk, Tree, key_of
from store.crash_trees import UNSEEN, read_tree, write_tree
from store.faults import Call, watching
from wuu import clock
from wuu.errors import WuuError
from wuu.store import files, transaction
from wuu.store import home as home_module
from wuu.store.home import Home

Act = Callable[[Home], object]
Keep = Callable[[Call], bool]  # whether a call is really made, as far as the model goes

_A_DAY = 1_777_620_600.0


class Case(NamedTuple):
    """What is done, what recovers, and what has to be true.

    `prepare` makes a home on a disk that keeps it, `earlier` is a run whose unsynced calls are still in the
    air (killed before the first call that reads like `until`), `act` is cut. `between` is what somebody does
    to the files before anybody recovers. `again` recovers under the watcher and, once it returned, has kept
    what it `promised`; so has `act`, if it `promises` the same. If `again` `concludes`, it has settled what
    becomes of the act. `judge` lets the next writer come and objects, knowing what became of it.
    """

    name: str
    home: str
    prepare: Act
    act: Act
    again: Act
    judge: Callable[[Home, bool | None], Iterable[str]]
    made: Callable[[Home], bool | None]
    earlier: Act | None = None
    until: str = "the end"
    between: Callable[[Tree], Iterable[tuple[str, dict[str, bytes | None]]]] = lambda _: [("", {})]
    promised: Callable[[Home], Iterable[str]] = lambda _: ()
    promises: bool = False
    concludes: bool = True
    temps_apart: bool = True


class Report(NamedTuple):
    """What was looked at, in numbers of distinct states, and what was objected to."""

    name: str
    calls: int
    cuts: int
    killed: int
    powerless: int
    nested: int
    judged: int
    capped: int
    objections: tuple[str, ...]


def explore(
    case: Case,
    place: Path,
    *,
    nested: int | None = None,
    where: str = "",
    keep: Keep = lambda _: True,
    enough: int | None = None,
    known: set[object] | None = None,
) -> Report:
    """Look at every state of `case`; with `nested` also at those of the recovery from some of them.

    These are all that a kill leaves, and every `nested`-th that a power failure leaves (0: none of those), if
    how they came about reads like `where`.
    `keep` leaves calls out of the model, as if the code had not made them; `enough` objections end it.
    `known` are states that need not be looked at again; those that are looked at are added.
    """
    walk = _Walk(case, place, keep, enough, set() if known is None else known)
    with _fixed(), contextlib.suppress(_EnoughError):
        walk.run(nested, where)
    return walk.report()


class _EnoughError(Exception):
    """So many objections that more would say nothing."""


class _State(NamedTuple):
    """A state after a crash: the disk that goes on from it, and how it came about."""

    disk: Disk
    text: str
    made: bool | None
    is_powerless: bool
    is_last: bool


class _Walk:
    def __init__(self, case: Case, place: Path, keep: Keep, enough: int | None, known: set[object]) -> None:
        self._case, self._keep, self._enough = case, keep, enough
        self._place = os.path.realpath(place)
        self._numbers = itertools.count()
        self._judged, self._known = known, len(known)
        self._calls = self._cuts = self._capped = self._nested = 0
        self._seen: tuple[set[object], set[object]] = (set(), set())
        self._objections: list[str] = []

    def report(self) -> Report:
        killed, powerless = map(len, self._seen)
        return Report(
            self._case.name,
            self._calls,
            self._cuts,
            killed,
            powerless,
            self._nested,
            len(self._judged) - self._known,
            self._capped,
            tuple(self._objections),
        )

    def run(self, nested: int | None, where: str) -> None:
        """Go through the case, and through the recovery from its states as far as `explore` says."""
        disk, log, made = self.start()
        self._calls = len(log)
        self._cuts = sum(call.changes for call in log) + 1
        for number, state in enumerate(self._distinct(disk, log, made)):
            returned = state.is_last and self._case.promises
            self._judge(state.disk.tree(), state.made, state.text, returned=returned)
            wanted = not state.is_powerless or (nested and number % nested == 0)
            if nested is not None and wanted and where in state.text:
                self._recover_from(state)

    def start(self) -> tuple[Disk, list[Call], bool | None]:
        """Return the disk before the act, the calls of the act, and what it made."""
        disk = Disk(self._prepared())
        if self._case.earlier is not None:
            log = self._log(disk.tree(), self._case.earlier, 1)[0]
            for call in itertools.takewhile(lambda call: self._case.until not in str(call), log):
                disk.apply(call)
        return disk, *self._log(disk.tree(), self._case.act, 2)[:2]

    def _recover_from(self, state: _State) -> None:
        """Cut the recovery from one state as well."""
        log, made, missing = self._log(state.disk.tree(), self._case.again, 3)
        for one in missing:
            self._object(f"{one} — {state.text}")
        promised = made if state.made is None and self._case.concludes else state.made
        seen = set()
        for inner in self._states(
            state.disk, log, promised, f"{state.text}; then recovery ", temps_apart=False
        ):
            known = inner.made if inner.made is not None else state.made
            key = key_of(inner.disk.tree()), known, inner.is_last
            if key not in seen:
                seen.add(key)
                self._nested += self._judge(inner.disk.tree(), known, inner.text, returned=inner.is_last)

    def _distinct(self, disk: Disk, log: list[Call], made: bool | None) -> Iterator[_State]:
        """Yield each state of the case once, one by one: whoever has objected enough asks for no more."""
        known = True if made is not None else None
        for state in self._states(disk, log, known, "", temps_apart=self._case.temps_apart):
            seen, key = self._seen[state.is_powerless], (key_of(state.disk.tree()), state.made)
            if key not in seen:
                seen.add(key)
                yield from self._changed_by_hand(state)

    def _changed_by_hand(self, state: _State) -> Iterator[_State]:
        for text, changes in self._case.between(state.disk.tree()):
            disk = state.disk.copy()
            for path, data in changes.items():
                disk.put(path, data)
            yield state._replace(disk=disk, text=state.text + text)

    def _states(
        self, disk: Disk, log: list[Call], made: bool | None, text: str, *, temps_apart: bool = True
    ) -> Iterator[_State]:
        """Yield what a kill and a power failure leave before each call that changes something, and last."""
        disk = disk.copy()
        for call in (*log, None):
            if call is not None and not call.changes:
                continue
            where = f"{text}before {call}" if call else f"{text}at the end"
            result, last = (None, False) if call else (made, True)
            yield _State(disk.copy(), f"killed {where}", result, False, last)
            if call is not None and call.name == "write":
                torn = disk.copy()
                torn.tear(call)
                yield _State(torn, f"killed {text}within {call}", result, False, last)
            survivors, complete = disk.survivors(temps_apart=temps_apart)
            self._capped += not complete
            for one in survivors:
                yield _State(Disk(one.tree), f"no power {where}{one.text}", result, True, last)
            if call is not None and self._keep(call):
                disk.apply(call)

    # --- on a real disk ---

    def _prepared(self) -> Tree:
        with self._folder() as root:
            os.mkdir(root)
            with watching(label=0), _ids(0):
                self._case.prepare(Home(os.path.join(root, self._case.home)))
            return read_tree(root)

    def _log(self, tree: Tree, act: Act, label: int) -> tuple[list[Call], bool | None, list[str]]:
        """Run `act` on a disk with `tree`; return its calls, what it made, and what it promised and broke."""
        with self._folder() as root:
            write_tree(root, tree)
            home = Home(os.path.join(root, self._case.home))
            with watching(label=label) as calls, _ids(label):
                try:
                    act(home)
                except WuuError as error:
                    return _inside(root, calls), None, [f"recovery fails: {error}"]
            return _inside(root, calls), self._case.made(home), list(self._case.promised(home))

    def _judge(self, tree: Tree, made: bool | None, text: str, *, returned: bool = False) -> bool:
        """Let the next writer come; return whether that was not known already."""
        key = (key_of(tree), made, returned)
        if key in self._judged:
            return False
        self._judged.add(key)
        with self._folder() as root, _ids(9), mock.patch.object(files, "_sync"):
            write_tree(root, tree)
            home = Home(os.path.join(root, self._case.home))
            try:
                found = [*(self._case.promised(home) if returned else ()), *self._case.judge(home, made)]
            except WuuError as error:
                found = [f"the next writer fails: {error.code}, {error}"]
        for one in found:
            self._object(f"{one} — {text}")
        return True

    def _object(self, text: str) -> None:
        self._objections.append(text)
        if self._enough is not None and len(self._objections) >= self._enough:
            raise _EnoughError

    @contextlib.contextmanager
    def _folder(self) -> Iterator[str]:
        root = os.path.join(self._place, f"disk-{next(self._numbers)}")
        yield root
        shutil.rmtree(root)


def syncs_of(case: Case, place: Path) -> list[Call]:
    """Return the calls of the act of `case` that make something durable."""
    with _fixed():
        _, log, _ = _Walk(case, place, lambda _: True, None, set()).start()
    return [call for call in log if call.name == "fsync"]


def _inside(root: str, calls: list[Call]) -> list[Call]:
    """Return the calls below `root` with paths relative to it."""
    return [
        call._replace(path=_relative(root, call.path), more=_relative(root, call.more))
        for call in calls
        if (call.path + os.sep).startswith(root + os.sep) and os.path.basename(call.path) not in UNSEEN
    ]


def _relative(root: str, path: object) -> object:
    if not isinstance(path, str) or not path.startswith(os.sep):
        return path
    return ROOT if path == root else os.path.relpath(path, root)


@contextlib.contextmanager
def _ids(label: int) -> Iterator[None]:
    """Give ids out in order, others for each run: so that equal states are equal."""
    numbers = itertools.count(1)

    def new_id() -> str:
        return f"{label:02x}{next(numbers):014x}"

    with mock.patch.object(transaction, "new_id", new_id), mock.patch.object(home_module, "new_id", new_id):
        yield


@contextlib.contextmanager
def _fixed() -> Iterator[None]:
    """Stop the clock, which is in intents and receipts."""
    with mock.patch.object(clock, "now", return_value=_A_DAY):
        yield
