"""Read-only, the whole program: each command of the `matrix` that writes is refused, none touches the home.

Only the search index, which lies in the cache, is brought up to date: it holds nothing of its own.
"""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cases import matrix
from cases.memories import PLAIN, put, shelf_of, user_shelf
from cases.processes import at_terminal
from cases.test_credentials import GITHUB
from house.invocation import Invoke, Ran
from wuu.cli.root import root

IDS = {
    name: f"{letter}{number:015x}"
    for number, (name, letter) in enumerate(
        {"pending": "1", "saved": "2", "archived": "3", "pinned": "4", "foreign": "5", "mine": "6"}.items()
    )
}
VALUES = {**IDS, "secret": GITHUB}
LEAVES = dict(matrix.leaves(root))
FLAGS = {name: {flag for one in command.params for flag in one.opts} for name, command in LEAVES.items()}

FLAG: tuple[tuple[str, ...], dict[str, str]] = (("--read-only",), {})
WAYS = (FLAG, *(((), {"WUU_READ_ONLY": value}) for value in ("1", "true", "YES", " on ")))
"""The ways to say it: what is typed, and what is set."""
OFF = ("", " ", "0", "false", "No")

CALLERS: dict[str, dict[str, str]] = {"person": {}, "agent": {"CLAUDECODE": "1"}}
REFUSED_WHOLE = {"memory model"}
"""Commands that do not even read: what they are asked for may be a change."""

READS = [
    *((name, one.call) for name, one in matrix.READS_MEMORIES.items()),
    *((name, one.request) for name, one in matrix.READS_MEMORIES.items() if one.request),
    *matrix.READS_NONE.items(),
]
READ_CALLS = [call for name, call in READS if name not in REFUSED_WHOLE]
ASKING: dict[str, tuple[str, ...]] = {
    "add": ("memory", "add"),
    "propose": ("memory", "propose"),
    "remember": ("remember",),
    "edit": ("memory", "edit", IDS["saved"]),
    "delete": ("memory", "delete", IDS["saved"]),
    "delete two": ("memory", "delete", IDS["saved"], IDS["pinned"]),
    "delete again": ("memory", "delete", IDS["saved"], "--request-id", "r1"),
    "undo": ("memory", "undo"),
    "approve": ("memory", "approve", "--all"),
    "reject": ("memory", "reject", "--all"),
    "review": ("memory", "review"),
    "config": ("memory", "config", "set", "memoryUse", "true"),
    "policy": ("memory", "policy", "set", "stack", "auto"),
    "card": ("memory", "add", "The mast is oak.", "--as", "agent"),
    "secret": ("memory", "add", f"The key is {GITHUB}."),
    "write": ("notebook", "write", "kestrel.md", "--name", "Kestrel"),
    "edit topic": ("notebook", "edit", "anchor.md"),
    "forget": ("notebook", "forget", "anchor.md"),
    "forget again": ("notebook", "forget", "anchor.md", "--request-id", "r1"),
}
"""Calls that would open an editor or ask, were they allowed."""


@pytest.fixture
def ship(invoke: Invoke, home: Path) -> Path:
    """Return a home with a memory of each kind, settings, a notebook that was read, and an index."""
    (home / "settings.json").write_text('{"memoryUse": false, "memoryPolicies": {"stack": "auto"}}\n')
    assert invoke("memory", "config", "set", "memoryEnabled", "true").exit_code == 0
    shelf = shelf_of(home)
    forms = {
        "pending": ("status: pending", "proposer: agent"),
        "saved": ("status: saved", "proposer: user"),
        "archived": ("status: archived", "proposer: user"),
        "pinned": ("status: saved\npinned: true", "proposer: user"),
        "foreign": ("status: pending", "proposer: user"),
    }
    for name, (status, proposer) in forms.items():
        text = PLAIN.format(f"The {name} quokka is red.")
        text = text.replace("status: saved", status).replace("proposer: user", proposer)
        (shelf / f"{IDS[name]}.md").write_text(text)
    put(user_shelf(home), IDS["mine"], "I like short messages.")
    (home / "memory").mkdir()
    (home / "memory" / "MEMORY.md").write_text("- [Anchor](anchor.md) — where it lies\n")
    (home / "memory" / "anchor.md").write_text("---\nname: Anchor\n---\n\nThe anchor lies aft.\n")
    assert invoke("notebook", "read", "anchor.md").exit_code == 0  # the tally of reads is there from now on
    assert invoke("memory", "search", "quokka").exit_code == 0
    return home


def looked(place: Path) -> dict[str, tuple[Any, ...]]:
    """Return all that is below a folder as it looks to `stat`, with what is in files.

    The search index is left out, and with it the time at which the folder that has it changed.
    """
    found: dict[str, tuple[Any, ...]] = {}
    for folder, folders, files in os.walk(place):
        has_index = ".cache" in folders
        folders[:] = [name for name in folders if name != ".cache"]
        for path in (Path(folder), *(Path(folder, name) for name in files)):
            seen = path.lstat()
            content = path.read_bytes() if stat.S_ISREG(seen.st_mode) else None
            mtime = None if has_index and path == Path(folder) else seen.st_mtime_ns
            found[str(path)] = (seen.st_mode, seen.st_ino, mtime, content)
    return found


def codes(ran: Ran) -> list[str]:
    return [one["code"] for one in ran.json()["errors"]]


def read_only(
    invoke: Invoke, call: list[str], way: tuple[tuple[str, ...], Mapping[str, str]], who: str
) -> Ran:
    typed, env = way
    return invoke(*call, *typed, "--json", env={**env, **CALLERS[who]})


# --- What writes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", CALLERS)
@pytest.mark.parametrize("rule", matrix.WRITES, ids=lambda rule: rule.call)
def test_whatever_writes_is_refused_and_the_home_is_not_touched(
    invoke: Invoke, ship: Path, rule: matrix.Rule, who: str
) -> None:
    call = matrix.arguments(rule.call, VALUES)
    before = looked(ship.parents[1])
    for way in WAYS:
        ran = read_only(invoke, call, way, who)
        assert (ran.exit_code, codes(ran)) == (5, ["read_only_mode"]), f"{way}: {ran.stdout}"
        assert ran.data == {}
        assert looked(ship.parents[1]) == before, way


@pytest.mark.parametrize("who", CALLERS)
def test_where_no_home_is_none_is_made(invoke: Invoke, who: str) -> None:
    home = Path(os.environ["WUU_HOME"])
    (home.parent / ".cache").mkdir()
    before = looked(home.parents[1])
    for rule in matrix.WRITES:
        ran = read_only(invoke, matrix.arguments(rule.call, VALUES), FLAG, who)
        assert (ran.exit_code, codes(ran)) == (5, ["read_only_mode"]), rule.call
    for call in READ_CALLS:
        given = matrix.arguments(call, {**VALUES, "id": IDS["saved"], "status": "saved"})
        assert read_only(invoke, given, FLAG, who).exit_code in (0, 3), call
    assert not home.exists()
    assert looked(home.parents[1]) == before


def test_what_means_no_is_not_read_only(invoke: Invoke, ship: Path) -> None:
    for number, value in enumerate(OFF):
        ran = invoke("remember", f"The mast is {number} feet.", "--json", env={"WUU_READ_ONLY": value})
        assert (ran.exit_code, ran.data["memory"]["status"]) == (0, "saved"), value


@pytest.mark.parametrize("rule", matrix.WRITES, ids=lambda rule: rule.call)
def test_a_dry_run_shows_what_it_would_show_otherwise(invoke: Invoke, ship: Path, rule: matrix.Rule) -> None:
    call, name = matrix.arguments(rule.call, VALUES), matrix.command_of(rule.call, LEAVES)
    if "--dry-run" not in FLAGS[name]:
        return
    before = looked(ship.parents[1])
    for who, variables in CALLERS.items():
        allowed = invoke(*call, "--dry-run", "--json", env=variables)
        ran = read_only(invoke, [*call, "--dry-run"], FLAG, who)
        if name in REFUSED_WHOLE:
            assert codes(ran) == ["read_only_mode"]
        else:
            assert (ran.exit_code, codes(ran)) == (allowed.exit_code, codes(allowed)), f"{who}: {ran.stdout}"
            assert _shown(ran) == _shown(allowed)
    assert looked(ship.parents[1]) == before


def _shown(ran: Ran) -> tuple[Any, list[str]]:
    """Return what a dry run says will be, without what differs from one to the next: times and new ids."""
    added = [line for line in ran.data.get("diff", "").splitlines() if line.startswith(("+The", "-The"))]
    return ran.data.get("dry_run"), added


# --- What reads -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", CALLERS)
@pytest.mark.parametrize("call", READ_CALLS)
def test_whatever_reads_works_and_the_home_is_not_touched(
    invoke: Invoke, ship: Path, call: str, who: str
) -> None:
    given = matrix.arguments(call, {**VALUES, "id": IDS["saved"], "status": "saved"})
    before = looked(ship.parents[1])
    ran = read_only(invoke, given, FLAG, who)
    assert (ran.exit_code, codes(ran)) == (0, []), ran.stdout
    text = invoke(*given, env={"WUU_READ_ONLY": "1", "WUU_SESSION": "s1", **CALLERS[who]})
    assert text.exit_code == 0
    assert looked(ship.parents[1]) == before
    assert _without_index(read_only(invoke, given, ((), {}), who)) == _without_index(ran)


def _without_index(ran: Ran) -> Any:
    """Return what was answered; how large the index is depends on its past."""
    return json.loads(
        ran.stdout, object_pairs_hook=lambda pairs: {key: one for key, one in pairs if key != "bytes"}
    )


def test_a_command_that_is_refused_whole_does_not_even_read(invoke: Invoke, ship: Path) -> None:
    before = looked(ship.parents[1])
    for name in REFUSED_WHOLE & set(LEAVES):
        for who in CALLERS:
            for way in WAYS:
                ran = read_only(invoke, [*name.split(), '{"action": "list"}'], way, who)
                assert (ran.exit_code, codes(ran), ran.data) == (5, ["read_only_mode"], {})
    assert looked(ship.parents[1]) == before


def test_only_a_search_index_is_made_outside_of_the_home(invoke: Invoke, ship: Path) -> None:
    cache = Path(os.environ["XDG_CACHE_HOME"])
    for call in READ_CALLS:
        given = matrix.arguments(call, {**VALUES, "id": IDS["saved"], "status": "saved"})
        assert read_only(invoke, given, FLAG, "person").exit_code == 0
    made = {path.suffix for path in cache.rglob("*") if path.is_file()}
    assert made == {".sqlite"}
    assert [path.name for path in cache.iterdir()] == ["wuu"]


def test_reads_are_not_counted(invoke: Invoke, ship: Path) -> None:
    reads = ship / "state"
    counted = looked(reads)
    assert invoke("notebook", "read", "anchor.md", "--read-only").exit_code == 0
    assert looked(reads) == counted
    assert invoke("notebook", "read", "anchor.md", env={"WUU_READ_ONLY": "0"}).exit_code == 0
    assert looked(reads) != counted


def test_the_report_about_a_bug_goes_to_stderr(
    invoke: Invoke, ship: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the keel is loose")

    monkeypatch.setattr("wuu.memory.actions.memory_status", fail)
    before = looked(ship.parents[1])
    ran = invoke("memory", "status", "--read-only")
    assert ran.exit_code == 70
    assert "Traceback" in ran.stderr
    assert "the keel is loose" in ran.stderr
    assert looked(ship.parents[1]) == before


# --- What asks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ASKING)
def test_no_editor_and_no_prompt_opens(ship: Path, tmp_path: Path, name: str) -> None:
    opened = tmp_path / "opened"
    before = looked(ship.parents[1])
    shown = at_terminal(
        [*ASKING[name], "--read-only"], typed=b"y\n", env={"EDITOR": f"touch '{opened}'", "VISUAL": ""}
    )
    assert shown.exit_code == 5
    assert "runs read-only" in shown.screen
    assert "?" not in shown.screen
    assert not opened.exists()
    assert looked(ship.parents[1]) == before
