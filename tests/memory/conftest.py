"""A home with two projects, callers of every kind, and short ways through the door of the memories."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from wuu.memory import actions
from wuu.memory.entries import read_catalogue
from wuu.memory.format.entry import Entry, parse_entry
from wuu.memory.shelves import find_shelf
from wuu.memory.values import (
    AddMemory,
    ApproveMemory,
    ChangeMemory,
    Decided,
    Decisions,
    EditMemory,
    MemoryChange,
    ProposeChange,
    RejectMemory,
)
from wuu.situation.situation import Situation, resolve_situation
from wuu.situation.writing import WriteOptions, Written
from wuu.store.home import Home

PLAIN = WriteOptions()


class Room:
    """The memories of one home, as somebody in the project `shop` sees them unless a test says otherwise."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.root = place / "wuu"
        self.project("shop")

    @property
    def home(self) -> Home:
        return Home(os.path.realpath(self.root))

    def project(self, name: str) -> Path:
        folder = self.place / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def asks(
        self, *, agent: bool = False, project: str = "shop", session: str | None = None, **options: Any
    ) -> Situation:
        return resolve_situation(
            environ={"HOME": str(self.place)},
            cwd=str(self.place / project),
            home=str(self.root),
            session=session,
            as_agent=agent,
            **options,
        )

    def add(self, text: str, scope: str = "project", **fields: Any) -> MemoryChange:
        who, options, fields = self._taken_apart(fields)
        return outcome_of(actions.add_memory(self.asks(**who), AddMemory(text, scope, **fields), options))

    def edit(self, memory_id: str, **fields: Any) -> MemoryChange:
        who, options, fields = self._taken_apart(fields)
        return outcome_of(actions.edit_memory(self.asks(**who), EditMemory(memory_id, **fields), options))

    def change(self, verb: str, memory_id: str, **fields: Any) -> MemoryChange:
        who, options, fields = self._taken_apart(fields)
        request = ChangeMemory(memory_id, verb, **fields)
        return outcome_of(actions.change_memory(self.asks(**who), request, options))

    def undo(self, revision: str | None = None, **who: Any) -> MemoryChange:
        return outcome_of(actions.undo_memory(self.asks(**who), PLAIN, revision))

    def propose(self, text: str, scope: str = "project", **fields: Any) -> MemoryChange:
        who, options, wanted = self._taken_apart(fields)
        return outcome_of(actions.propose_memory(self.asks(**who), AddMemory(text, scope, **wanted), options))

    def propose_change(self, memory_id: str, edit: EditMemory | None = None, **who: Any) -> MemoryChange:
        return outcome_of(actions.propose_change(self.asks(**who), ProposeChange(memory_id, edit), PLAIN))

    def approve(self, *ids: str, **fields: Any) -> tuple[Decided, ...]:
        who, options, wanted = self._taken_apart(fields)
        requests = [ApproveMemory(one, **wanted) for one in ids]
        return decided(actions.approve_memories(self.asks(**who), requests, options))

    def reject(self, *ids: str, reason: str | None = None, **fields: Any) -> tuple[Decided, ...]:
        who, options, wanted = self._taken_apart(fields)
        requests = [RejectMemory(one, **wanted) for one in ids]
        return decided(actions.reject_memories(self.asks(**who), requests, options, None, reason))

    def file(self, entry: Entry) -> Path:
        return self.root / entry.path

    def entry(self, entry: Entry) -> Entry:
        """Return what the file of a memory says now."""
        return parse_entry(entry.id, entry.shelf, self.file(entry).read_bytes().decode())

    def entries(self, scope: str = "project", **who: Any) -> list[Entry]:
        return list(read_catalogue(self.home, (find_shelf(self.asks(**who), scope),)).entries)

    def put(self, memory_id: str, content: str | bytes, scope: str = "project", **who: Any) -> Entry:
        """Write a memory by hand, the way an editor does."""
        shelf = find_shelf(self.asks(**who), scope)
        path = self.root / shelf.path(memory_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return parse_entry(memory_id, shelf, path.read_bytes().decode("utf-8", "replace"))

    def tree(self) -> dict[str, bytes]:
        """Return every file of the home but those of the store itself."""
        files = (path for path in self.root.rglob("*") if path.is_file())
        found = {path.relative_to(self.root).as_posix(): path.read_bytes() for path in files}
        own = (".", "receipts/", "journal/", "home.json")
        return {path: data for path, data in found.items() if not path.startswith(own)}

    @staticmethod
    def _taken_apart(fields: dict[str, Any]) -> tuple[dict[str, Any], WriteOptions, dict[str, Any]]:
        names = ("agent", "project", "session", "profile", "read_only")
        who = {name: fields.pop(name) for name in names if name in fields}
        options = PLAIN._replace(
            **{name: fields.pop(name) for name in ("secrets", "dry_run") if name in fields}
        )
        return who, options, fields


def outcome_of(done: Written[MemoryChange]) -> MemoryChange:
    assert done.outcome is not None
    return done.outcome


def decided(done: Written[Decisions]) -> tuple[Decided, ...]:
    assert done.outcome is not None
    return done.outcome.results


def after(change: MemoryChange) -> Entry:
    assert change.after is not None
    return change.after


def codes(change: MemoryChange) -> list[str]:
    return [caveat.code for caveat in change.caveats]


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)
