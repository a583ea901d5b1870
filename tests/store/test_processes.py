"""Writers that are real processes: they race and are killed, and nobody waits for the dead (O-01, O-04)."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store import writer
from store.checking import leftovers, make_home, plan_of, read_state, tree
from store.thorough import THOROUGH
from wuu.errors import Locked
from wuu.store.home import Home
from wuu.store.locks import hold, is_held
from wuu.store.recovery import pending_intents, read_conflicts
from wuu.store.transaction import commit, preview

Process = subprocess.Popen[bytes]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(str(tmp_path / "home"), {"memory/0.md": b"old\n", "memory/keep.md": b"keep\n"})


def _start(home: Home, kind: str, *arguments: object) -> Process:
    command = [sys.executable, writer.__file__, kind, home.root, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def _said(process: Process) -> dict[str, Any]:
    output, _ = process.communicate(timeout=120)
    return json.loads(output.splitlines()[-1])


@pytest.fixture
def holder(home: Home) -> Iterator[Process]:
    """Start a process that holds the lock of the home until it is killed."""
    process = _start(home, "hold")
    assert process.stdout is not None
    assert process.stdout.readline() == b"holding\n"
    yield process
    process.kill()
    process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["append", "append-alone"])
def test_o01_forty_writers_at_once_lose_nothing(home: Home, kind: str) -> None:
    lines = [f"fact-{number}" for number in range(40)]
    processes = [_start(home, kind, line) for line in lines]
    said = {line: _said(process)["code"] for line, process in zip(lines, processes, strict=True)}
    stored = sorted(line for line, code in said.items() if code is None)
    assert set(said.values()) <= {None, "locked"}
    assert sorted((home.read(writer.LINES) or b"").decode().split()) == stored
    assert stored
    if kind == "append":
        assert (
            sorted(name[:-3] for name in os.listdir(home.place("memory")) if name.startswith("fact"))
            == stored
        )
        assert len(os.listdir(home.place("receipts"))) == len(stored)
    assert leftovers(home) == []


def test_o04_a_dead_holder_blocks_nobody(home: Home, holder: Process) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert not is_held(home)
    with hold(home, "next", wait=2.0):
        assert is_held(home)
    commit(home, plan_of({"memory/after.md": b"after the crash\n"}), command="next")
    assert home.read("memory/after.md") == b"after the crash\n"


def test_o04_a_live_holder_is_named(home: Home, holder: Process) -> None:
    told: list[str] = []
    with pytest.raises(Locked) as raised, hold(home, "next", waiting=told.append, wait=1.2):
        pytest.fail("two held the lock")
    since = raised.value.details["holder"]["since"]
    assert raised.value.details["holder"]["pid"] == holder.pid
    for text in (raised.value.message, *told):
        assert str(holder.pid) in text
        assert since in text
        assert "hold on" in text
    assert len(told) == 1


def test_o04_readers_are_not_held_up(home: Home, holder: Process) -> None:
    assert holder.poll() is None
    assert is_held(home)
    assert home.read("memory/keep.md") == b"keep\n"
    assert "keep.md" in home.scan("memory").names
    assert pending_intents(home) == read_conflicts(home) == []
    assert preview(home, plan_of({"memory/keep.md": b"x"})).changes
    assert is_held(home)


@pytest.mark.slow
def test_a_writer_may_be_killed_at_any_moment(home: Home) -> None:
    chance = random.Random(20_260_501)
    for number in range(60 if THOROUGH else 20):
        process = _start(home, "pairs", 1_000 * number)
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        time.sleep(chance.random() * 0.05)
        process.kill()
        process.communicate()
        commit(home, plan_of({"memory/next.md": b"%d\n" % number, "notes/next.md": None}), command="next")
        one, two = read_state(home, writer.PAIR).values()
        assert one == two
        assert one is None or len(set(one.split())) == 1
        assert read_conflicts(home) == []
        assert [path for path in leftovers(home) if path.endswith(".intent")] == []
    commit(home, plan_of({"memory/next.md": b"end\n", "notes/next.md": b"end\n"}), command="next")
    assert leftovers(home) == []


@pytest.mark.slow
def test_readers_see_whole_files_while_writers_race_and_are_killed(home: Home, tmp_path: Path) -> None:
    chance = random.Random(20_261_201)
    until = tmp_path / "until"
    readers = [_start(home, "read", until) for _ in range(2)]
    for number in range(15 if THOROUGH else 6):
        writers = [_start(home, "pairs", 1_000 * (2 * number + which)) for which in range(2)]
        while not all(os.path.exists(home.place(path)) for path in writer.PAIR):
            time.sleep(0.01)  # the machine may be slow to start the very first of them
        time.sleep(0.15 + chance.random() * 0.2)
        for process in writers:
            process.kill()
            process.communicate()
    until.touch()
    for reader in readers:
        said = _said(reader)
        assert said["odd"] == []
        assert said["reads"] > 20
        assert said["absent"] < said["reads"]
    commit(home, plan_of({"memory/next.md": b"end\n", "notes/next.md": b"end\n"}), command="next")
    assert leftovers(home) == []


@pytest.mark.parametrize(
    "sizes",
    [(200_000,), (100, 200_000), (6_000, 6_000, 6_000)],
    ids=["one file", "the second of two", "only the intent"],
)
def test_o05_a_file_that_may_not_grow_leaves_everything_as_it_was(home: Home, sizes: tuple[int, ...]) -> None:
    before = tree(home.root)
    said = _said(_start(home, "sizes", 8_192, *sizes))
    assert said["code"] == "disk_full"
    assert "recorded" not in said["details"]
    assert "File too large" in said["message"]
    after = tree(home.root)
    assert after.pop(".lock.json") != before.pop(".lock.json")
    assert after == before
    assert _said(_start(home, "sizes", 0, *sizes))["code"] is None
    assert home.read("memory/0.md") == b"x" * sizes[0]
