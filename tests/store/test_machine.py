"""Writers, crashes, hand edits, recoveries and settlements in any order, against a model of the disk."""

import os
import shutil
import tempfile
from typing import NamedTuple
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from store.checking import Files, leftovers, outcome_under, plan_of, put, read_state, receipts_of
from store.faults import Killed, kill_at, no_fault
from wuu.errors import RecoveryNeeded
from wuu.store import files, journal
from wuu.store.changes import Request
from wuu.store.home import Home
from wuu.store.locks import hold
from wuu.store.recovery import read_conflicts, recover, settle
from wuu.store.transaction import commit

PATHS = ("memory/MEMORY.md", "memory/a.md", "memory/b.md", "notes/c.md")
CONTENTS = st.none() | st.sampled_from([b"one\n", b"two\n", b"three\n"])
CHANGES = st.dictionaries(st.sampled_from(PATHS), CONTENTS, min_size=1)
CALLS = st.integers(1, 130)


class Decided(NamedTuple):
    """A change: its command, the files it takes from one state to another, whether its receipt was seen."""

    command: str
    before: Files
    after: Files
    is_made: bool = False


class StoreMachine(RuleBasedStateMachine):
    """`disk` is what has to be there, `pending` what was decided and not finished, `parked` what waits."""

    def __init__(self) -> None:
        super().__init__()
        self.flush = mock.patch.object(files, "_sync")
        self.flush.start()
        self.place = tempfile.mkdtemp(
            prefix="wuu-tests-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None
        )
        self.home = Home(os.path.realpath(self.place))
        self.disk: dict[str, bytes | None] = dict.fromkeys(PATHS)
        self.pending: dict[str, Decided] = {}
        self.parked: dict[str, Decided] = {}
        self.steps = 0
        self.edits = 0

    def teardown(self) -> None:
        shutil.rmtree(self.place)
        self.flush.stop()

    # --- what happens ---

    @rule(changes=CHANGES, with_request=st.booleans())
    def write(self, changes: Files, *, with_request: bool) -> None:
        ended, _, change = self._commit(changes, with_request, 0)
        self._expect_recovery()
        if self._blocks(change):
            assert isinstance(ended, RecoveryNeeded)
        else:
            assert ended is None
            self.disk.update(changes)
            assert len(receipts_of(self.home, change.command)) == int(with_request or len(change.after) > 1)
        self._expect_tidiness(change)

    @rule(changes=CHANGES, with_request=st.booleans(), number=CALLS)
    def crash(self, changes: Files, number: int, *, with_request: bool) -> None:
        ended, _, change = self._commit(changes, with_request, number)
        if isinstance(ended, Killed):
            self._look_after_the_crash(change)
        else:
            self._expect_recovery()
            self.disk.update({} if self._blocks(change) else changes)

    @rule(path=st.sampled_from(PATHS), remove=st.booleans())
    def edit_by_hand(self, path: str, *, remove: bool) -> None:
        if remove and self.disk[path] is None:
            return
        self.edits += 1
        self.disk[path] = None if remove else b"by hand %d\n" % self.edits
        put(self.home, {path: self.disk[path]})

    @rule()
    def recover(self) -> None:
        with hold(self.home, "recover"):
            recover(self.home)
        self._expect_recovery()

    @precondition(lambda self: self.parked)
    @rule(keep_prepared=st.booleans(), data=st.data())
    def settle(self, data: st.DataObject, *, keep_prepared: bool) -> None:
        conflict_id = data.draw(st.sampled_from(sorted(self.parked)))
        change = self.parked.pop(conflict_id)
        replaced = [
            self.disk[path]
            for path in change.after
            if self.disk[path] not in (None, change.before[path], change.after[path])
        ]
        with hold(self.home, "settle"):
            kept = settle(self.home, conflict_id, keep_prepared=keep_prepared)
        if keep_prepared:
            self.disk.update(change.after)
            assert [self.home.read(path) for path in kept] == replaced

    # --- what has to be ---

    @invariant()
    def the_disk_is_as_expected(self) -> None:
        assert read_state(self.home, PATHS) == self.disk

    @invariant()
    def conflicts_are_as_expected(self) -> None:
        found = {one.id for one in read_conflicts(self.home)}
        # Whoever died while parking an intent leaves it in both places; the next recovery finishes that.
        assert found - self.pending.keys() == self.parked.keys()
        names = {f"{one}{journal.INTENT_ENDING}" for one in self.pending}
        assert set(journal.intent_names(self.home)) == names

    # --- how the model follows ---

    def _commit(
        self, changes: Files, with_request: bool, number: int
    ) -> tuple[BaseException | None, object, Decided]:
        self.steps += 1
        command = f"step {self.steps}"
        request = Request(command, "digest") if with_request else None
        state = self._after_recovery()
        real = {path: data for path, data in changes.items() if data != state[path]}
        change = Decided(command, {path: state[path] for path in real}, real)
        fault = kill_at(number) if number else no_fault
        ended, calls = outcome_under(
            fault, commit, self.home, plan_of(changes), command=command, request=request
        )
        return ended, calls, change

    def _can_be_made(self, change: Decided) -> bool:
        return not change.is_made and all(
            self.disk[path] in (change.before[path], change.after[path]) for path in change.after
        )

    def _after_recovery(self) -> dict[str, bytes | None]:
        state = dict(self.disk)
        for change in self.pending.values():
            if self._can_be_made(change):
                state.update(change.after)
        return state

    def _expect_recovery(self) -> None:
        for change_id, change in self.pending.items():
            if change_id in {one.id for one in read_conflicts(self.home)}:
                assert not change.is_made
                assert not self._can_be_made(change)
                self.parked[change_id] = change
            else:
                assert receipts_of(self.home, change.command)
                self.disk.update(change.after if self._can_be_made(change) else {})
        self.pending = {}

    def _blocks(self, change: Decided) -> bool:
        return any(change.after.keys() & parked.after.keys() for parked in self.parked.values())

    def _expect_tidiness(self, change: Decided) -> None:
        folders = tuple(f"{os.path.dirname(path)}/.wuu" for path in change.after)
        if not self._blocks(change):
            assert not [path for path in leftovers(self.home) if path.startswith((*folders, ".wuu"))]

    def _look_after_the_crash(self, change: Decided) -> None:
        found = read_state(self.home, PATHS)
        names = [name.removesuffix(journal.INTENT_ENDING) for name in journal.intent_names(self.home)]
        unfinished = [one for one in self.pending if one in names]
        if unfinished:  # it died while it recovered
            ((pending_id, pending),) = self.pending.items()
            self._let_pass(pending, pending_id, found)
            return
        self._expect_recovery()
        if names:  # decided, and not finished
            self._let_pass(change, names[0], found)
        elif receipts_of(self.home, change.command) or (len(change.after) == 1 and found != self.disk):
            self.disk.update(change.after)

    def _let_pass(self, change: Decided, change_id: str, found: dict[str, bytes | None]) -> None:
        """Accept that a change is made in part, as long as its intent is there."""
        made = {**self.disk, **({} if change.is_made else change.after)}
        assert all(found[path] in (self.disk[path], made[path]) for path in PATHS)
        self.disk = found
        seen = bool(receipts_of(self.home, change.command))
        self.pending = {change_id: change._replace(is_made=seen)}


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=100, stateful_step_count=20, deadline=None)
