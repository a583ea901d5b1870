"""What each entry imports, seen in a real process: an agent calls wuu on every prompt (ARCHITECTURE 7)."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

_PROBE = """
import sys
from wuu.launch import main
with open(sys.argv[1], "w") as file:
    status = main(sys.argv[2:])
    file.write("\\n".join(sorted(sys.modules)))
sys.exit(status)
"""

# None of these is imported by any entry below, unless it is granted there.
HEAVY = frozenset(
    (
        *("rich", "portalocker", "yaml", "frontmatter", "platformdirs", "sqlite3"),
        *("asyncio", "dataclasses", "difflib", "importlib.metadata", "logging", "pathlib", "socket"),
        *("subprocess", "tempfile", "tomllib", "unittest", "urllib", "xml"),
    )
)
# Help and version cost hardly more than Click itself, and so do without these as well.
QUICK = HEAVY | {"hashlib", "traceback"}
# What portalocker brings along.
LOCKING = frozenset(
    (
        *("portalocker", "dataclasses", "importlib.metadata", "logging", "pathlib"),
        *("socket", "tempfile", "urllib"),
    )
)
SEARCHING = frozenset(("sqlite3",))
CLICK_GUESSES = frozenset(("difflib",))  # the nearest name to one that is not there

STATIC_ROOMS = frozenset(("cli", "errors", "launch", "text"))
ROOMS = STATIC_ROOMS | {"clock", "ids", "situation", "store"}
MEMORY_ROOMS = ROOMS | {"memory"}
NOTEBOOK_ROOMS = ROOMS | {"notebook", "problems"}

WRITE = ("notebook", "write", "a.md", "Text.", "--name", "A", "--description", "About", "--type", "user")


class Entry(NamedTuple):
    arguments: tuple[str, ...]
    without: frozenset[str]
    rooms: frozenset[str]


ENTRIES = (
    Entry(("--version",), QUICK, STATIC_ROOMS),
    Entry(("--help",), QUICK, STATIC_ROOMS),
    Entry(("--no-such-flag",), HEAVY - CLICK_GUESSES, ROOMS),
    Entry(("notebook", "--help"), HEAVY, ROOMS),
    Entry(("notebook", "index"), HEAVY, NOTEBOOK_ROOMS),
    Entry(("notebook", "read", "b.md"), HEAVY, NOTEBOOK_ROOMS),
    Entry(("notebook", "list"), HEAVY, NOTEBOOK_ROOMS),
    Entry(WRITE, HEAVY - LOCKING, NOTEBOOK_ROOMS),
    Entry((*WRITE, "--dry-run"), HEAVY - LOCKING - {"difflib"}, NOTEBOOK_ROOMS),
    Entry(("notebook", "check"), HEAVY - {"urllib"}, NOTEBOOK_ROOMS | {"checks"}),
    Entry(("notebook", "repair"), HEAVY - {"urllib"}, NOTEBOOK_ROOMS),
    Entry(("check",), HEAVY - {"urllib"}, NOTEBOOK_ROOMS | {"checks", "memory"}),
    Entry(("memory", "--help"), HEAVY, ROOMS),
    Entry(("remember", "The owl sleeps by day."), HEAVY - LOCKING, MEMORY_ROOMS),
    Entry(("memory", "list"), HEAVY, MEMORY_ROOMS),
    Entry(("memory", "context", "owl"), HEAVY - SEARCHING, MEMORY_ROOMS | {"search"}),
)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: " ".join(entry.arguments))
def test_an_entry_imports_only_what_it_needs(entry: Entry, tmp_path: Path) -> None:
    _write_notebook(Path(os.environ["WUU_HOME"], "memory"))
    loaded = _loaded_by(entry.arguments, tmp_path / "modules")
    assert "wuu.cli.root" in loaded
    assert sorted(loaded & entry.without) == []
    assert sorted({name.split(".")[1] for name in loaded if name.startswith("wuu.")} - entry.rooms) == []


def test_a_heavy_import_is_noticed(tmp_path: Path) -> None:
    assert "portalocker" in _loaded_by(WRITE, tmp_path / "modules")


def test_help_of_the_program_imports_no_group(tmp_path: Path) -> None:
    assert not [
        name for name in _loaded_by(("--help",), tmp_path / "modules") if name.startswith("wuu.cli.notebook")
    ]


def _write_notebook(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("# Memory\n\n- [B](b.md) - about b\n")
    (folder / "b.md").write_text("---\nname: B\ndescription: About b\ntype: user\n---\nText.\n")


def _loaded_by(arguments: tuple[str, ...], report: Path) -> set[str]:
    subprocess.run(
        [sys.executable, "-I", "-c", _PROBE, report, *arguments],
        capture_output=True,
        check=False,
    )
    return set(report.read_text().split("\n"))
