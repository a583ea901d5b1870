"""The door: dry runs, read-only mode, request ids, recovery and many writers at once."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memory.conftest import PLAIN, Room, after, git, outcome_of
from wuu.errors import (
    AlreadyExists,
    ApprovalRequired,
    NotFound,
    PinLimit,
    ReadOnlyMode,
    RequestIdReused,
    UsageProblem,
)
from wuu.memory import actions
from wuu.memory.values import AddMemory, ChangeMemory, EditMemory
from wuu.situation.situation import Situation
from wuu.store.home import Home

ID = "00000000000000aa"


def every_write(room: Room, memory_id: str) -> dict[str, Any]:
    """Return every function of the door that writes, ready to be called with a situation and options."""
    return {
        "add": lambda who, options: actions.add_memory(who, AddMemory("New", "project"), options),
        "edit": lambda who, options: actions.edit_memory(who, EditMemory(memory_id, text="Edited"), options),
        "undo": actions.undo_memory,
        **{
            verb: lambda who, options, verb=verb: actions.change_memory(
                who, ChangeMemory(memory_id, verb), options
            )
            for verb in ("archive", "pin", "delete")
        },
    }


@pytest.mark.parametrize("name", ["add", "edit", "undo", "archive", "pin", "delete"])
class TestEveryWrite:
    def test_a_dry_run_says_what_it_would_do_and_writes_nothing(self, room: Room, name: str) -> None:
        entry = after(room.add("One"))
        tree = room.tree()
        done = every_write(room, entry.id)[name](room.asks(), PLAIN._replace(dry_run=True))
        assert (done.dry_run, bool(done.changes)) == (True, True)
        assert room.tree() == tree
        real = outcome_of(every_write(room, entry.id)[name](room.asks(), PLAIN))
        assert real.verb == outcome_of(done).verb
        assert room.tree() != tree

    def test_read_only_mode_refuses(self, room: Room, name: str) -> None:
        entry = after(room.add("One"))
        tree = room.tree()
        with pytest.raises(ReadOnlyMode):
            every_write(room, entry.id)[name](room.asks(read_only=True), PLAIN)
        assert room.tree() == tree

    def test_a_request_is_made_once(self, room: Room, name: str) -> None:
        entry = after(room.add("One"))
        act, options = every_write(room, entry.id)[name], PLAIN._replace(request_id="r1")
        first = act(room.asks(), options)
        tree = room.tree()
        again = act(room.asks(), options)
        assert (first.replayed, again.replayed, again.outcome) == (False, True, None)
        assert again.receipt == first.receipt
        assert room.tree() == tree
        room.project("other")
        for other in (room.asks(project="other"), room.asks(profile="work"), room.asks(session="s1")):
            with pytest.raises(RequestIdReused):
                act(other, options)


class TestCheckChange:
    def test_it_says_what_would_be_done_and_does_not_do_it(self, room: Room) -> None:
        entry = after(room.add("One"))
        change = actions.check_change(room.asks(), ChangeMemory(entry.id, "delete"))
        assert (change.verb, change.before) == ("removed", entry)
        assert room.entries() == [entry]

    @pytest.mark.parametrize(
        ("request_", "who", "error"),
        [
            (ChangeMemory("f", "delete"), {}, NotFound),
            (ChangeMemory("", "delete"), {}, UsageProblem),
            (ChangeMemory(ID, "forget"), {}, UsageProblem),
            (ChangeMemory(ID, "pin"), {"agent": True}, ApprovalRequired),
            (ChangeMemory(ID, "delete"), {"read_only": True}, ReadOnlyMode),
        ],
    )
    def test_it_refuses_before_anybody_is_asked(
        self, room: Room, request_: ChangeMemory, who: dict[str, Any], error: type[Exception]
    ) -> None:
        room.put(ID, "---\nstatus: saved\n---\n\nOne\n")
        with pytest.raises(error):
            actions.check_change(room.asks(**who), request_)


def test_the_situation_is_looked_at_once_and_outside_of_the_lock(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wuu.store import transaction

    seen: list[object] = []
    original = transaction.prepare_home

    def watched(home: Home) -> None:
        seen.append(who._workspace)
        original(home)

    monkeypatch.setattr(transaction, "prepare_home", watched)
    who: Situation = room.asks()
    actions.add_memory(who, AddMemory("One", "project"), PLAIN)
    assert seen == [who.workspace]


def test_o20_on_a_taken_place_nothing_is_overwritten(room: Room) -> None:
    entry = after(room.add("One"))
    target = room.root / "entries" / "default" / f"{entry.id}.md"
    target.parent.mkdir(parents=True)
    target.symlink_to("/etc/hostname")
    tree = room.tree()
    with pytest.raises(Exception, match="two places") as caught:
        room.edit(entry.id, scope="user")
    assert caught.type.__name__ == "Ambiguous"
    assert room.tree() == tree


ADDS = """
import os, sys
from wuu.memory import actions
from wuu.memory.values import AddMemory
from wuu.situation.situation import resolve_situation
from wuu.situation.writing import WriteOptions
home, user, text = sys.argv[1:]
situation = resolve_situation(environ={"HOME": user}, cwd=os.getcwd(), home=home)
done = actions.add_memory(situation, AddMemory(text, "project", pinned="--pin" in text), WriteOptions())
print(done.outcome.after.id, done.outcome.verb)
"""


def start(room: Room, folder: Path, text: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", ADDS, str(room.root), str(room.place), text]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(processes: "list[subprocess.Popen[str]]") -> list[str]:
    """Return what all of them printed, line by line, once every one has ended well."""
    results = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), results
    return [line for output, _ in results for line in output.splitlines()]


@pytest.fixture
def worktrees(room: Room) -> tuple[Path, Path]:
    main = room.project("shop")
    git(main, "init")
    git(main, "commit", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", str(room.place / "linked"))
    return main, room.place / "linked"


@pytest.mark.slow
def test_o01_forty_adds_at_once_from_two_worktrees_are_forty_memories(
    room: Room, worktrees: tuple[Path, Path]
) -> None:
    lines: list[str] = []
    for wave in (range(20), range(20, 40)):
        texts = [f"Fact {number} about the Kestrel build" for number in wave]
        lines += ended([start(room, worktrees[at % 2], text) for at, text in enumerate(texts)])
    assert len({line.split()[0] for line in lines}) == 40
    entries = room.entries()
    assert sorted(entry.id for entry in entries) == sorted(line.split()[0] for line in lines)
    assert {entry.text for entry in entries} == {
        f"Fact {number} about the Kestrel build" for number in range(40)
    }
    assert len({entry.created_at for entry in entries}) == 40
    assert len([path for path in room.tree() if path.endswith("workspace.json")]) == 1


@pytest.mark.slow
def test_o24_the_same_text_from_many_processes_is_one_memory(
    room: Room, worktrees: tuple[Path, Path]
) -> None:
    spellings = ("Use tabs", "use tabs", " USE  TABS ", "Use\ntabs") * 2
    lines = ended([start(room, worktrees[at % 2], text) for at, text in enumerate(spellings)])
    assert len({line.split()[0] for line in lines}) == 1
    assert sorted(line.split()[1] for line in lines) == ["known"] * 7 + ["saved"]
    assert len(room.entries()) == 1


@pytest.mark.slow
def test_of_many_pins_at_once_twenty_are_made(room: Room) -> None:
    for number in range(16):
        room.add(f"Fact {number}", pinned=True)
    folder = room.project("shop")
    processes = [start(room, folder, f"--pin {number}") for number in range(8)]
    results = [process.communicate(timeout=120) for process in processes]
    assert sorted(process.returncode for process in processes) == [0] * 4 + [1] * 4
    assert sum(PinLimit.__name__ in errors for _, errors in results) == 4
    assert sum(entry.pinned for entry in room.entries()) == 20


def test_the_details_of_every_refusal_are_json(room: Room) -> None:
    pinned = [after(room.add(f"Fact {number}", pinned=True)) for number in range(20)]
    with pytest.raises(PinLimit) as limit:
        room.add("One", pinned=True)
    with pytest.raises(AlreadyExists) as taken:
        room.edit(pinned[0].id, text="Fact 1")
    for error in (limit.value, taken.value):
        assert json.loads(json.dumps(error.details)) == error.details
