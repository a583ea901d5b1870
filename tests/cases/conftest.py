"""What every case starts from: a notebook on disk, and short ways to run its commands."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases.processes import console
from house.invocation import Ran

Note = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the copies that editors leave behind out of the system's temporary folder."""
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("temporary")))


@pytest.fixture
def note(invoke: Note) -> Note:
    """Return the runner of `wuu notebook` in this process."""

    def run(*arguments: str, **options: Any) -> Ran:
        return invoke("notebook", *arguments, **options)

    return run


@pytest.fixture
def note_process() -> Note:
    """Return the runner of `wuu notebook` as a process of its own, with the options of `console`."""

    def run(*arguments: str, **options: Any) -> Ran:
        return console("notebook", *arguments, **options)

    return run


@pytest.fixture
def home() -> Path:
    """Return the home of wuu, made, with nothing in it."""
    place = Path(os.environ["WUU_HOME"])
    place.mkdir(mode=0o700)
    return place


@pytest.fixture
def notebook(home: Path) -> Path:
    """Return the folder of the notebook, made, with nothing in it."""
    place = home / "memory"
    place.mkdir()
    return place


@pytest.fixture
def editor(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """Return a maker of editors: Python code to which `place` is the file, and `notes` the notebook."""

    def make(code: str) -> dict[str, str]:
        script = tmp_path / f"editor-{len(list(tmp_path.iterdir()))}.py"
        head = "import os, pathlib, subprocess, sys, time\n"
        head += "place = pathlib.Path(sys.argv[1])\n"
        head += "notes = pathlib.Path(os.environ['WUU_HOME'], 'memory')\n"
        script.write_text(head + code)
        return {"EDITOR": f"'{sys.executable}' '{script}'"}

    return make
