"""Adds, edits, moves, pins, deletions, undo and hand edits in any order, against a model of the home."""

import itertools
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memory.conftest import Room
from wuu.errors import (
    AlreadyExists,
    ApprovalRequired,
    NotFound,
    PinLimit,
    Refused,
    UsageProblem,
    WuuError,
)
from wuu.memory.entries import read_catalogue
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, Entry
from wuu.memory.shelves import Shelf, session_shelf
from wuu.memory.values import MemoryChange
from wuu.memory.writing import adding, lifecycle
from wuu.store import files

MOST_PINS = 3
TEXTS = ("One", "Two", "Three", "Four", "Five", "Six")
SESSIONS = ("s1", "s2")
TEXT = st.sampled_from(TEXTS)
SESSION = st.none() | st.sampled_from(SESSIONS)
SCOPE = st.sampled_from(("user", "project", "session"))
STATUS = st.sampled_from((SAVED, PENDING, ARCHIVED))
PIN = st.none() | st.booleans()


class Known(NamedTuple):
    """A memory as the model has it; a session's shelf is `session:` and its name."""

    shelf: str
    status: str
    text: str
    pinned: bool = False
    saved_in: str | None = None
    created: str = ""
    proposer: str = "user"
    links: frozenset[str] = frozenset()


class MemoryMachine(RuleBasedStateMachine):
    """`known` is what has to be there, by id; `ever` holds every id that was ever given."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = [
            mock.patch.object(files, "_sync"),
            mock.patch.object(lifecycle, "MAX_PINS", MOST_PINS),
            mock.patch.object(adding, "new_id", map("{:016x}".format, itertools.count()).__next__),
        ]
        for patch in self.patches:
            patch.start()
        memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self.place = Path(tempfile.mkdtemp(prefix="wuu-tests-", dir=memory)).resolve()
        self.room = Room(self.place)
        self.known: dict[str, Known] = {}
        self.ever: set[str] = set()
        self.ticks = itertools.count()
        self.rejected: set[tuple[str, str]] = set()
        self.made: dict[str, int] = {}
        self.saved: dict[str, int] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.place)
        for patch in self.patches:
            patch.stop()

    # --- what happens ---

    @rule(text=TEXT, scope=SCOPE, session=SESSION, pinned=st.booleans(), agent=st.booleans())
    def add(self, *, text: str, scope: str, session: str | None, pinned: bool, agent: bool) -> None:
        spelled = f" {text.upper()}  "
        done = self._try(lambda: self.room.add(spelled, scope, session=session, pinned=pinned, agent=agent))
        shelf = shelf_name(scope, session)
        if agent and (scope == "session" or pinned):
            return self._expect(done, ApprovalRequired)
        if shelf is None:
            return self._expect(done, UsageProblem)
        same = [one for one in self._same(text) if self.known[one].shelf in near(session)]
        if same:
            return self._expect_known(done, same, shelf, session, agent=agent)
        if agent and any((folded(text), one) in self.rejected for one in near(session)):
            return self._expect(done, Refused)
        if pinned and self._pins(shelf) >= MOST_PINS:
            return self._expect(done, PinLimit)
        entry = self._after(done)
        assert entry.id not in self.ever
        self.ever.add(entry.id)
        self.made[entry.id] = self.saved[entry.id] = next(self.ticks)
        status, saved_in = (PENDING, None) if agent else (SAVED, session)
        proposer = "agent" if agent else "user"
        self.known[entry.id] = Known(
            shelf, status, entry.text, pinned, saved_in, entry.created_at or "", proposer
        )
        assert entry.text.casefold().split() == [text.casefold()]
        return None

    @precondition(lambda self: self.known)
    @rule(data=st.data(), text=st.none() | TEXT, scope=st.none() | SCOPE, session=SESSION, pinned=PIN)
    def edit(self, data: st.DataObject, **fields: Any) -> None:
        memory_id, session = data.draw(self._ids()), fields["session"]
        old = self.known[memory_id]
        done = self._try(lambda: self.room.edit(memory_id, **fields))
        shelf = old.shelf
        if fields["scope"] and not (fields["scope"] == "session" == old.shelf[:7] and session is None):
            shelf = shelf_name(fields["scope"], session)
        if shelf is None:
            return self._expect(done, UsageProblem)
        if old.status != SAVED and (shelf != old.shelf or fields["pinned"]):
            return self._expect(done, Refused)
        text = old.text if fields["text"] is None else fields["text"]
        pinned = old.pinned if fields["pinned"] is None else fields["pinned"]
        where = {*near(session), old.shelf, shelf} if folded(text) != folded(old.text) else set()
        where |= {shelf} if shelf != old.shelf else set()
        if any(self.known[one].shelf in where for one in self._same(text, memory_id)):
            return self._expect(done, AlreadyExists)
        if pinned and (shelf != old.shelf or not old.pinned) and self._pins(shelf) >= MOST_PINS:
            return self._expect(done, PinLimit)
        self.known[memory_id] = old._replace(shelf=shelf, text=text, pinned=pinned)
        assert self._after(done).id == memory_id
        return None

    @precondition(lambda self: self.known)
    @rule(data=st.data(), verb=st.sampled_from(("archive", "pin", "unpin")), session=SESSION)
    def step(self, data: st.DataObject, verb: str, session: str | None) -> None:
        memory_id = data.draw(self._ids())
        old = self.known[memory_id]
        done = self._try(lambda: self.room.change(verb, memory_id, session=session))
        if verb == "pin" and old.status != SAVED:
            return self._expect(done, Refused)
        if verb == "pin" and not old.pinned and self._pins(old.shelf) >= MOST_PINS:
            return self._expect(done, PinLimit)
        status = ARCHIVED if verb == "archive" else old.status
        self.known[memory_id] = old._replace(status=status, pinned=verb == "pin")
        assert self._after(done).id == memory_id
        return None

    @precondition(lambda self: self.known)
    @rule(data=st.data(), to=st.sampled_from((None, SAVED, PENDING)), session=SESSION)
    def restore(self, data: st.DataObject, to: str | None, session: str | None) -> None:
        memory_id = data.draw(self._ids())
        old = self.known[memory_id]
        done = self._try(lambda: self.room.change("restore", memory_id, to=to, session=session))
        if to == PENDING:
            if old.status != PENDING:
                self.known[memory_id] = old._replace(status=PENDING, pinned=False, saved_in=None)
                self.saved[memory_id] = self.made[memory_id]
        elif old.status == PENDING:
            return self._expect(done, Refused)
        elif old.status != SAVED:
            where = {*near(session), old.shelf}
            others = [self.known[one] for one in self._same(old.text, memory_id)]
            if any(one.shelf in where and one.status == SAVED for one in others):
                return self._expect(done, AlreadyExists)
            self._save(memory_id, session)
        assert self._after(done).id == memory_id
        return None

    @precondition(lambda self: self.known)
    @rule(data=st.data(), pinned=st.booleans(), session=SESSION, scope=st.none() | SCOPE)
    def approve(self, data: st.DataObject, *, pinned: bool, session: str | None, scope: str | None) -> None:
        memory_id = data.draw(self._ids())
        old = self.known[memory_id]
        done = self._try(lambda: self._decide("approve", memory_id, session, pinned=pinned, scope=scope))
        if old.status == SAVED:
            assert self._after(done).id == memory_id
            return None
        if old.status == ARCHIVED:
            return self._expect(done, Refused)
        shelf = old.shelf if scope is None or scope == old.shelf[: len(scope)] else shelf_name(scope, session)
        if shelf is None:
            return self._expect(done, UsageProblem)
        others = [self.known[one] for one in self._same(old.text, memory_id)]
        if any(one.shelf in {*near(session), shelf} and one.status == SAVED for one in others):
            return self._expect(done, AlreadyExists)
        if pinned and self._pins(shelf) >= MOST_PINS:
            return self._expect(done, PinLimit)
        assert self._after(done).id == memory_id
        self._save(memory_id, session)
        self.known[memory_id] = self.known[memory_id]._replace(pinned=pinned, shelf=shelf)
        return None

    @precondition(lambda self: self.known)
    @rule(data=st.data(), session=SESSION)
    def reject(self, data: st.DataObject, session: str | None) -> None:
        memory_id = data.draw(self._ids())
        old = self.known[memory_id]
        done = self._try(lambda: self._decide("reject", memory_id, session))
        if old.status != PENDING:
            return self._expect(done, Refused)
        assert isinstance(done, MemoryChange)
        del self.known[memory_id]
        self.rejected.add((folded(old.text), old.shelf))
        return None

    @precondition(lambda self: self.known)
    @rule(data=st.data(), agent=st.booleans())
    def delete(self, data: st.DataObject, *, agent: bool) -> None:
        memory_id = data.draw(self._ids())
        old = self.known[memory_id]
        if agent and old.status == SAVED:
            return None  # which becomes a proposal: test_proposals.py
        done = self._try(lambda: self.room.change("delete", memory_id, agent=agent))
        if agent and (old.status, old.proposer) != (PENDING, "agent"):
            return self._expect(done, ApprovalRequired)
        assert isinstance(done, MemoryChange)
        self._forget(memory_id)
        return None

    @rule(session=SESSION)
    def undo(self, session: str | None) -> None:
        done = self._try(lambda: self.room.undo(session=session))
        found = [
            (self.saved[memory_id], memory_id)
            for memory_id, one in self.known.items()
            if one.status == SAVED
            and (
                one.saved_in == session
                if session
                else one.proposer == "user" and one.shelf in ("user", "project")
            )
        ]
        if not found:
            return self._expect(done, NotFound)
        assert isinstance(done, MemoryChange)
        assert done.before is not None
        assert done.before.id == max(found)[1]
        self._forget(max(found)[1])
        return None

    # --- what hands do ---

    @precondition(lambda self: self.known)
    @rule(data=st.data(), text=TEXT, status=STATUS, pinned=st.booleans())
    def edit_by_hand(self, data: st.DataObject, text: str, status: str, *, pinned: bool) -> None:
        memory_id = data.draw(self._ids())
        path = self._path(memory_id)
        content = re.sub(r"^(status|pinned): .*\n", "", path.read_text(), flags=re.MULTILINE)
        block = content[4 : content.index("\n---\n")]
        pin = "pinned: true\n" if pinned else ""
        path.write_text(f"---\n{block}\nstatus: {status}\n{pin}---\n\n{text}\n")
        old = self.known[memory_id]
        self.known[memory_id] = old._replace(status=status, pinned=pinned and status == SAVED, text=text)

    @precondition(lambda self: len(self.known) > 1)
    @rule(data=st.data(), kind=st.sampled_from(("related", "supports")))
    def link_by_hand(self, data: st.DataObject, kind: str) -> None:
        memory_id, other = data.draw(self._ids()), data.draw(self._ids())
        path = self._path(memory_id)
        if other != memory_id and other not in self.known[memory_id].links:
            path.write_text(path.read_text().replace("---\n", f"---\nlink-{other}: {kind}\n", 1))
            self.known[memory_id] = self.known[memory_id]._replace(
                links=self.known[memory_id].links | {other}
            )

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def remove_by_hand(self, data: st.DataObject) -> None:
        memory_id = data.draw(self._ids())
        self._path(memory_id).unlink()
        del self.known[memory_id]

    # --- what has to be ---

    @invariant()
    def the_home_is_as_expected(self) -> None:
        catalogue = read_catalogue(self.room.home, self._shelves().values())
        assert catalogue.caveats == ()
        found = {entry.id: self._as_known(entry) for entry in catalogue.entries}
        assert found == self.known
        assert len([path for path in self.room.tree() if "entries/" in path]) == len(self.known)

    # --- how the model follows ---

    def _try(self, act: Callable[[], MemoryChange]) -> MemoryChange | WuuError:
        """Do it, and hold that wuu itself makes no pin too many and no second saved memory of one text."""
        before = [(self._pins(shelf), self._doubles(shelf)) for shelf in SHELVES]
        try:
            done: MemoryChange | WuuError = act()
        except WuuError as error:
            done = error
        entries = read_catalogue(self.room.home, self._shelves().values()).entries
        for shelf, (pins, doubles) in zip(SHELVES, before, strict=True):
            here = [self._as_known(entry) for entry in entries if self._as_known(entry).shelf == shelf]
            assert sum(one.pinned for one in here) <= max(pins, MOST_PINS)
            assert doubles_in(here) <= doubles
        return done

    def _decide(self, verb: str, memory_id: str, session: str | None, **fields: Any) -> MemoryChange:
        (result,) = getattr(self.room, verb)(memory_id, session=session, **fields)
        if result.error is not None:
            raise result.error
        return result.change

    def _expect(self, done: MemoryChange | WuuError, error: type[WuuError]) -> None:
        assert type(done) is error, done

    def _expect_known(
        self,
        done: MemoryChange | WuuError,
        same: list[str],
        shelf: str,
        session: str | None,
        *,
        agent: bool,
    ) -> None:
        entry = self._after(done)
        assert isinstance(done, MemoryChange)
        assert done.duplicate_of == entry.id
        order = (SAVED, PENDING, ARCHIVED)
        rank = {one: (order.index(self.known[one].status), self.known[one].shelf != shelf) for one in same}
        assert rank[entry.id] == min(rank.values())
        if not agent and self.known[entry.id].status != SAVED:
            self._save(entry.id, session)

    def _save(self, memory_id: str, session: str | None) -> None:
        old = self.known[memory_id]
        saved_in = session if old.status == PENDING else old.saved_in or session
        self.known[memory_id] = old._replace(status=SAVED, saved_in=saved_in, pinned=False)
        if old.status == PENDING:
            self.saved[memory_id] = next(self.ticks)

    def _forget(self, memory_id: str) -> None:
        del self.known[memory_id]
        self.known = {other: one._replace(links=one.links - {memory_id}) for other, one in self.known.items()}

    def _same(self, text: str, besides: str = "") -> list[str]:
        return [
            memory_id
            for memory_id, one in self.known.items()
            if folded(one.text) == folded(text) and memory_id != besides
        ]

    def _pins(self, shelf: str) -> int:
        return sum(one.pinned for one in self.known.values() if one.shelf == shelf)

    def _doubles(self, shelf: str) -> int:
        return doubles_in(one for one in self.known.values() if one.shelf == shelf)

    def _after(self, done: MemoryChange | WuuError) -> Entry:
        assert isinstance(done, MemoryChange), done
        assert done.after is not None
        return done.after

    def _ids(self) -> st.SearchStrategy[str]:
        return st.sampled_from(sorted(self.known))

    def _path(self, memory_id: str) -> Path:
        return self.room.root / self._shelves()[self.known[memory_id].shelf].path(memory_id)

    def _shelves(self) -> dict[str, Shelf]:
        from wuu.memory.shelves import visible_shelves

        user, project = visible_shelves(self.room.asks())
        sessions = {f"session:{name}": session_shelf(project.workspace or "", name) for name in SESSIONS}
        return {"user": user, "project": project, **sessions}

    def _as_known(self, entry: Entry) -> Known:
        shelf = entry.shelf.scope if entry.shelf.session is None else f"session:{entry.shelf.session}"
        links = frozenset(other for other, _ in entry.links)
        return Known(
            shelf,
            entry.status,
            entry.text,
            entry.pinned,
            entry.saved_in,
            entry.created_at or "",
            entry.proposer,
            links,
        )


SHELVES = ("user", "project", *(f"session:{name}" for name in SESSIONS))


def shelf_name(scope: str, session: str | None) -> str | None:
    if scope != "session":
        return scope
    return None if session is None else f"session:{session}"


def near(session: str | None) -> set[str]:
    return {"user", "project", *(() if session is None else (f"session:{session}",))}


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def doubles_in(memories: Iterable[Known]) -> int:
    texts = [folded(one.text) for one in memories if one.status == SAVED]
    return len(texts) - len(set(texts))


TestMemories = MemoryMachine.TestCase
TestMemories.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
