"""Writers killed at random moments: whatever they leave behind, one more write makes everything whole.

60 of them, or 200 with `WUU_THOROUGH=1`, as in `scripts/prove.py`.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases.trees import entries
from house.invocation import Invoke
from store.thorough import THOROUGH

KILLS = 200 if THOROUGH else 60
MOST_KILLS, LEFTOVERS = 3 * KILLS, 3 * KILLS // 20
BODY = "A line that has to arrive whole.\n" * 400

# Starts a writer in a process of its own for each line it reads, so that no time goes into starting Python.
_NURSERY = r"""
import os, sys
from wuu.launch import main
import wuu.cli.notebook.writing, portalocker
report = os.dup(1)
body = open(sys.argv[1]).read()
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stdout = open(os.devnull, "w")
        number = 0
        while True:
            name, other = (f"{kind}-{os.getpid()}-{number}.md" for kind in ("written", "moved"))
            main(["notebook", "write", name, body, "--description", "d"])
            main(["notebook", "rename", name, other])
            main(["notebook", "write", other, body, "--replace", "--description", "e"])
            if number == 0:
                os.write(report, b"%d\n" % os.getpid())
            number += 1
    os.waitpid(child, 0)
    print("ended", flush=True)
"""


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    body = tmp_path / "body"
    body.write_text(BODY)
    process = subprocess.Popen(
        [sys.executable, "-c", _NURSERY, str(body)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.communicate()


@pytest.mark.slow
def test_o03_writers_killed_at_random_moments(
    invoke: Invoke, nursery: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]
) -> None:
    home = Path(os.environ["WUU_HOME"])
    assert invoke("notebook", "write", "old.md", BODY, "--description", "d").exit_code == 0
    index = (home / "memory" / "MEMORY.md").read_bytes()
    chance = random.Random(20261130)
    kill = left_something = 0
    while kill < KILLS or (left_something < LEFTOVERS and kill < MOST_KILLS):
        kill += 1
        _kill_a_writer(nursery, chance.uniform(0.0, 0.03))
        left_something += bool(_leftovers(home))
        done = invoke("notebook", "edit", "old.md", "--description", f"kill {kill}")
        assert done.exit_code == 0, done.stderr
        _assert_whole(home, kill)
        for written in {path.name for path in (home / "memory").iterdir()} - {"old.md", "MEMORY.md"}:
            assert invoke("notebook", "forget", written, "--yes").exit_code == 0
    assert left_something >= LEFTOVERS
    with capsys.disabled():
        sys.stdout.write(f"\n{kill} writers killed, {left_something} left an intent or a temp file behind\n")
    invoke("notebook", "edit", "old.md", "--description", "d")
    assert (home / "memory" / "MEMORY.md").read_bytes() == index


def _kill_a_writer(nursery: subprocess.Popen[str], seconds: float) -> None:
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write("\n")
    nursery.stdin.flush()
    child = int(nursery.stdout.readline())
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    assert nursery.stdout.readline() == "ended\n"


def _leftovers(home: Path) -> list[Path]:
    return [*home.rglob(".wuu-tmp-*"), *home.glob("journal/*")]


def _assert_whole(home: Path, kill: int) -> None:
    """Every topic is whole and has its one line, every line has its topic, nothing is left over."""
    notes = {path.name: path.read_text() for path in (home / "memory").iterdir()}
    index = notes.pop("MEMORY.md")
    assert sorted(entries(index)) == sorted(notes), f"kill {kill}"
    assert all(text.endswith(f"---\n\n{BODY}") for text in notes.values()), f"kill {kill}"
    assert _leftovers(home) == [], f"kill {kill}"
    assert not list(home.glob("conflicts/*")), f"kill {kill}"
