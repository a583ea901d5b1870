"""The block that an agent gets, through processes: O-03 to O-05, O-16, O-18, O-21, O-27, O-28 and O-39."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cases.memories import (
    IDS,
    PLAIN,
    added,
    put,
    repository,
    shelf_of,
    stored,
    user_shelf,
    warned,
    worktrees,
)
from cases.processes import HANGS, console, dying, file_size_limit
from cases.trees import tree
from house.invocation import Invoke, Ran, console_script
from wuu.memory.context.block import parse_block
from wuu.memory.format.entry import MAX_TEXT_BYTES

ONCALL, OTHER, THIRD = IDS[:3]
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
_HOLDER = """
import os, sys
from wuu.store.home import open_home
from wuu.store.locks import hold
with hold(open_home(os.environ["WUU_HOME"]), "a long write"):
    print("held", flush=True)
    sys.stdin.read()
"""
_IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
_POWERS = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search,-fowner")


def texts_of(done: Ran) -> dict[str, str]:
    """Return what a block that was printed says, by id."""
    assert done.exit_code == 0, done.stderr
    return {item.id: item.text for item in parse_block(done.stdout.removesuffix("\n"))[0]}


def block(*prompt: str, **options: Any) -> dict[str, str]:
    """Return what a process of its own gives an agent, by id."""
    return texts_of(console("memory", "context", *prompt, **options))


def matches(*prompt: str, **options: Any) -> list[str]:
    """Return the ids of the memories that a prompt brings up by its words."""
    done = console("memory", "context", *prompt, "--json", **options)
    assert done.exit_code == 0, done.stderr
    return [one["id"] for one in done.data["entries"] if one["group"] == "match"]


def powerless(*arguments: str, **options: Any) -> Ran:
    """Run wuu as somebody to whom modes of files mean something, which they do not to root."""
    command = [console_script(), *arguments]
    if _IS_ROOT:
        if not shutil.which("setpriv"):
            pytest.skip("root may write everywhere, and cannot be told not to here")
        command = [*_POWERS, *command]
    env = {**os.environ, **options.pop("env", {})}
    done = subprocess.run(command, env=env, capture_output=True, timeout=HANGS, check=False, **options)
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def mem(invoke: Invoke) -> Invoke:
    def run(*arguments: str, **options: Any) -> Ran:
        return invoke("memory", *arguments, **options)

    return run


# --- O-04: whoever reads does not wait ------------------------------------------------------------------


@contextmanager
def _holder() -> Iterator[None]:
    """Hold the lock of the home in another process."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield
        finally:
            process.kill()


def test_o04_contexts_and_graphs_do_not_wait_for_a_writer(home: Path) -> None:
    put(shelf_of(home), ONCALL, "The pager code is WOMBAT.")
    calls = (
        *(("context", "wombat"), ("context", "wombat", "--explain"), ("why", ONCALL, "wombat"), ("budget",)),
        *(("graph", "overview"), ("graph", "search", "wombat"), ("graph", "validate"), ("graph", "export")),
    )
    with _holder():
        for call in calls:
            done = console("memory", *call, env=AGENT)
            assert done.exit_code == 0, call
            assert "Waiting" not in done.stderr
    assert (home / "state" / "shown" / "s1.json").exists()


# --- O-16: a limit that was passed by hand --------------------------------------------------------------


@pytest.mark.parametrize("pinned", [False, True])
def test_o16_a_text_that_grew_by_hand_is_left_out_whole_and_flagged(home: Path, pinned: bool) -> None:
    shelf = shelf_of(home)
    text = "WOMBAT " + "x" * MAX_TEXT_BYTES
    place = put(shelf, ONCALL, text)
    if pinned:
        place.write_text(place.read_text().replace("\n---\n", "\npinned: true\n---\n", 1))
    put(shelf, OTHER, "The WOMBAT sleeps.")
    assert block("wombat") == {OTHER: "The WOMBAT sleeps."}
    found = console("memory", "context", "wombat", "--json").data
    assert (found["omitted"]["count"], found["omitted"]["ids"]) == (1, [ONCALL])
    why = console("memory", "why", ONCALL, "wombat", "--json").data
    assert (why["shown"], why["reason"]) == (False, "group_budget")
    (home / "settings.json").write_text('{"memoryRetrievalChars": 40000, "memoryMaxPromptTokens": 40000}')
    assert block("wombat")[ONCALL] == text
    checked = console("check", "--json")
    assert any(f"{ONCALL}.md" in one["file"] for one in checked.data["problems"]), checked.stdout


# --- O-21: hand edits count at once ---------------------------------------------------------------------


@pytest.fixture
def oncall(home: Path) -> Path:
    """Return the file of a memory that the index knows already, beside another one."""
    place = put(shelf_of(home), ONCALL, "pager code is WOMBAT-41")
    put(user_shelf(home), OTHER, "The bell is bronze.")
    assert matches("WOMBAT") == [ONCALL]
    assert matches("QUOLLS") == []
    return place


def test_o21_an_edit_that_keeps_time_and_size_is_in_the_very_next_context(oncall: Path) -> None:
    for old, new in (("WOMBAT", "QUOLLS"), ("QUOLLS", "WOMBAT")):
        before = oncall.stat()
        oncall.write_text(oncall.read_text().replace(old, new))
        os.utime(oncall, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (oncall.stat().st_size, oncall.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        assert block(new)[ONCALL] == f"pager code is {new}-41"
        assert (matches(new), matches(old)) == ([ONCALL], [])


def test_o21_what_is_replaced_by_a_rename_is_in_the_very_next_context(oncall: Path, tmp_path: Path) -> None:
    before = oncall.stat()
    fresh = tmp_path / "fresh.md"
    fresh.write_text(oncall.read_text().replace("WOMBAT", "QUOLLS"))
    os.utime(fresh, ns=(before.st_atime_ns, before.st_mtime_ns))
    fresh.rename(oncall)
    assert matches("QUOLLS") == [ONCALL]


def test_o21_a_removed_memory_is_in_no_context(oncall: Path) -> None:
    oncall.unlink()
    assert block("WOMBAT") == {OTHER: "The bell is bronze."}
    assert console("memory", "context", "WOMBAT", "--json").data["omitted"]["count"] == 0
    assert console("memory", "why", ONCALL, "WOMBAT").exit_code == 3


def test_o21_a_status_changed_by_hand_counts_in_the_very_next_context(oncall: Path) -> None:
    saved = oncall.read_text()
    for status in ("archived", "pending"):
        oncall.write_text(saved.replace("status: saved", f"status: {status}"))
        assert ONCALL not in block("WOMBAT")
        oncall.write_text(saved)
        assert ONCALL in block("WOMBAT")


def test_o21_an_older_copy_that_is_restored_is_what_the_next_context_says(
    oncall: Path, tmp_path: Path
) -> None:
    shutil.copy2(oncall, tmp_path / "backup.md")
    oncall.write_text(PLAIN.format("pager code is QUOLL-42, and it has changed"))
    assert matches("QUOLL") == [ONCALL]
    shutil.copy2(tmp_path / "backup.md", oncall)
    assert matches("QUOLL") == []
    assert block("WOMBAT")[ONCALL] == "pager code is WOMBAT-41"


def test_o21_a_link_written_by_hand_counts_in_the_very_next_context(oncall: Path) -> None:
    place = put(oncall.parent, THIRD, "Codes have moved to the blue folder.")
    assert matches("WOMBAT") == [ONCALL]
    before = place.read_text()
    place.write_text(before.replace("\n---\n", f"\nlink-{ONCALL}: supersedes\n---\n", 1))
    assert matches("WOMBAT") == [THIRD, ONCALL]
    place.write_text(before)
    assert matches("WOMBAT") == [ONCALL]


def _cache_files() -> list[Path]:
    return [path for path in Path(os.environ["XDG_CACHE_HOME"]).rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no database " * 1_000),
        lambda path: path.write_bytes(path.read_bytes()[:3_000]),
        lambda path: path.write_bytes(path.read_bytes()[:4_096] + b"\xff" * 8_192),
    ],
    ids=["gone", "empty", "garbage", "cut", "later pages"],
)
def test_o21_without_its_cache_a_context_is_the_same(oncall: Path, home: Path, damage: Any) -> None:
    before, said = tree(home), console("memory", "context", "WOMBAT").stdout
    assert len(_cache_files()) == 2
    for path in _cache_files():
        damage(path)
    for _ in range(2):
        done = console("memory", "context", "WOMBAT")
        assert (done.exit_code, done.stdout, done.stderr) == (0, said, "")
    assert tree(home) == before


# --- O-27: two projects ---------------------------------------------------------------------------------

PLACES = ("w/blue-heron", "w/blue/heron", "w/a/app", "w/b/app", "w/a b", "w/a-b", "w/a.b", "w/A-B")


def test_o27_no_project_gets_the_context_or_the_graph_of_another(
    mem: Invoke, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, list[str]] = {}
    for name in PLACES:
        monkeypatch.chdir(repository(tmp_path / name))
        made[name] = [added(mem, f"secret of {name}"), added(mem, f"pinned secret of {name}", "--pin")]
    for name, own in made.items():
        assert set(block("the secret", cwd=tmp_path / name)) == set(own)
        monkeypatch.chdir(tmp_path / name)
        assert mem("context", "the secret", "--json").data["omitted"]["count"] == 0
        assert {node["id"] for node in mem("graph", "overview", "--json").data["nodes"]} == set(own)
        foreign = [one for other, ids in made.items() if other != name for one in ids]
        for other in foreign:
            assert mem("why", other, "secret").exit_code == 3
            assert mem("graph", "link", own[0], other).exit_code == 3
    monkeypatch.chdir("/")
    assert texts_of(mem("context", "the secret")) == {}
    for name, own in made.items():
        found = texts_of(mem("context", "the secret", "--workspace", str(tmp_path / name)))
        assert set(found) == set(own)


# --- O-28: worktrees ------------------------------------------------------------------------------------


def test_o28_a_worktree_gets_the_context_of_its_repository_and_nothing_goes_with_it(
    mem: Invoke, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, linked = worktrees(tmp_path)
    made = {}
    for place in (main, linked):
        monkeypatch.chdir(place)
        made[place.name] = added(mem, f"The mast is seen from {place.name}.")
    deep = linked / "deep" / "er"
    deep.mkdir(parents=True)
    for place in (main, linked, deep):
        assert set(block("mast", cwd=place)) == set(made.values())
    assert console("memory", "graph", "link", *made.values(), cwd=linked).exit_code == 0
    assert console("memory", "graph", "overview", "--json", cwd=main).data["links"] == 1
    before = stored(home)
    monkeypatch.chdir(main)
    shutil.rmtree(linked)
    assert set(block("mast", cwd=main)) == set(made.values())
    shutil.rmtree(main / ".git" / "worktrees")
    assert set(block("mast", cwd=main)) == set(made.values())
    assert stored(home) == before


# --- a circle -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["supersedes", "supports", "related"])
def test_memories_linked_in_a_circle_are_all_there_once(home: Path, kind: str) -> None:
    shelf = shelf_of(home)
    for number, memory_id in enumerate(IDS[:5]):
        place = put(shelf, memory_id, "The QUOLL is awake." if not number else f"Station {number}.")
        line = f"link-{IDS[(number + 1) % 5]}: {kind}"
        place.write_text(place.read_text().replace("\n---\n", f"\n{line}\n---\n", 1))
    done = console("memory", "context", "quoll", "--json")
    assert done.exit_code == 0, done.stderr
    shown = [one["id"] for one in done.data["entries"]]
    assert len(shown) == len(set(shown))
    assert {IDS[0], IDS[1], IDS[4]} <= set(shown)
    assert done.data["omitted"]["count"] + len(shown) == 5
    for memory_id in IDS[:5]:
        why = console("memory", "why", memory_id, "quoll", "--json").data
        assert why["shown"] is (memory_id in shown)
    checked = console("memory", "graph", "validate", "--json")
    circles = [one["code"] for one in checked.data["problems"]]
    assert (checked.exit_code, circles) == (
        (1, ["supersedes_circle"])
        if kind == "supersedes"
        else (0, ["misplaced"] if kind == "related" else [])
    )
    assert console("memory", "graph", "export").stdout.count(" -> ") == 5


# --- several at once ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_who_ask_while_a_third_writes_get_whole_blocks(mem: Invoke, home: Path) -> None:
    shelf = shelf_of(home)
    for number in range(40):
        put(shelf, f"{number:016x}", f"The QUOLL number {number} is awake.")

    def write(number: int) -> int:
        return console("memory", "add", f"The QUOLL sleeps in tree {number}.", "--user").exit_code

    def ask(number: int) -> int:
        env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": f"s{number % 2}"}
        done = console("memory", "context", "which QUOLL is awake?", env=env)
        assert done.stderr == ""
        items, left_out = parse_block(done.stdout.removesuffix("\n"))
        assert 40 <= len(items) + left_out.total <= 50
        return done.exit_code

    with ThreadPoolExecutor(3) as pool:
        writing = pool.submit(lambda: [write(number) for number in range(10)])
        asking = [pool.submit(lambda: [ask(number) for number in range(10)]) for _ in range(2)]
        assert writing.result() == [0] * 10
        assert [one.result() for one in asking] == [[0] * 10] * 2
    found = mem("context", "QUOLL", "--json").data
    assert found["omitted"]["count"] + len(found["entries"]) == 50
    assert sorted(path.name for path in (home / "state" / "shown").iterdir()) == ["s0.json", "s1.json"]


@pytest.mark.slow
def test_links_made_at_once_are_all_there(mem: Invoke, home: Path) -> None:
    shelf = shelf_of(home)
    for memory_id in IDS[:9]:
        put(shelf, memory_id, f"Note {memory_id}.")

    def link(other: str) -> int:
        return console("memory", "graph", "link", IDS[0], other).exit_code

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(link, IDS[1:9])) == [0] * 8
    assert mem("graph", "overview", "--json").data["links"] == 8


@pytest.mark.slow
def test_of_links_made_at_once_no_more_than_sixteen_are(mem: Invoke, home: Path) -> None:
    shelf = shelf_of(home)
    place = put(shelf, IDS[0], "Note.")
    lines = "".join(f"\nlink-{other}: supports" for other in IDS[1:14])
    place.write_text(place.read_text().replace("\n---\n", f"{lines}\n---\n", 1))
    for other in IDS[1:20]:
        put(shelf, other, f"Note {other}.")

    def link(other: str) -> int:
        return console("memory", "graph", "link", other, IDS[0]).exit_code

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(link, IDS[14:20]))
    assert sorted(statuses) == [0, 0, 0, 4, 4, 4]
    assert mem("graph", "overview", "--json").data["links"] == 16


# --- O-03: a link that is killed half-way ---------------------------------------------------------------


def _killed(home: Path, untouched: Path, arguments: tuple[str, ...]) -> Iterator[int]:
    """Run a command again and again, dying later each time, from the same start; yield how many deaths."""
    for step in range(60):
        shutil.rmtree(home)
        shutil.copytree(untouched, home)
        if dying(step, *arguments) == 0:
            return
        yield step
    pytest.fail("it never comes to an end")


@pytest.fixture
def linked(home: Path, tmp_path: Path) -> Path:
    """Return a copy of the home, in which ONCALL supersedes OTHER."""
    for memory_id, text in ((ONCALL, "The QUOLL is awake."), (OTHER, "The WOMBAT sleeps.")):
        put(shelf_of(home), memory_id, text)
    assert console("memory", "graph", "link", ONCALL, OTHER, "--kind", "supersedes").exit_code == 0
    shutil.copytree(home, tmp_path / "untouched")
    return tmp_path / "untouched"


@pytest.mark.slow
def test_o03_a_link_that_is_killed_at_any_step_is_the_old_or_the_new_one(
    mem: Invoke, home: Path, linked: Path
) -> None:
    turn = ("memory", "graph", "link", OTHER, ONCALL, "--kind", "supersedes")
    deaths = 0
    for _ in _killed(home, linked, turn):
        deaths += 1
        assert texts_of(mem("context", "quoll")).keys() == {ONCALL, OTHER}
        (edge,) = mem("graph", "overview", "--json").data["edges"]
        assert edge["kind"] == "supersedes"
        assert console(*turn).exit_code == 0
        (edge,) = mem("graph", "overview", "--json").data["edges"]
        assert (edge["source"], edge["target"]) == (OTHER, ONCALL)
        assert mem("graph", "validate").exit_code == 0
        assert not list((home / "journal").iterdir())
    assert deaths > 5


READERS = (
    *(("context", "quoll"), ("why", ONCALL), ("graph", "search", "quoll")),
    *(("graph", "overview"), ("graph", "validate"), ("graph", "export")),
)


@pytest.mark.slow
def test_o03_whoever_reads_is_told_of_a_write_that_was_killed(mem: Invoke, home: Path, linked: Path) -> None:
    turn = ("memory", "graph", "link", OTHER, ONCALL, "--kind", "supersedes")
    told = [
        {call: warned(mem(*call, "--json")) for call in READERS}
        for _ in _killed(home, linked, turn)
        if [path for path in (home / "journal").glob("*") if not path.name.startswith(".")]
    ]
    assert len(told) > 1
    assert told == [{call: ["recovery_pending"] for call in READERS}] * len(told)


# --- disks ----------------------------------------------------------------------------------------------


def _a_file(place: Path) -> str:
    place.write_text("no folder\n")
    return str(place)


def _read_only(place: Path) -> str:
    place.mkdir(mode=0o500)
    return str(place)


def _unreadable(place: Path) -> str:
    place.mkdir(mode=0o000)
    return str(place)


@pytest.mark.parametrize("make", [_a_file, _read_only, _unreadable], ids=lambda make: make.__name__)
def test_where_no_cache_can_be_kept_the_context_is_the_same(
    home: Path, tmp_path: Path, make: Callable[[Path], str]
) -> None:
    put(shelf_of(home), ONCALL, "The pager code is WOMBAT.")
    put(user_shelf(home), OTHER, "The bell is bronze.")
    cache = make(tmp_path / "cache")
    done = powerless("memory", "context", "wombat", env={"XDG_CACHE_HOME": cache, **AGENT})
    assert list(texts_of(done)) == [ONCALL, OTHER]
    assert "Traceback" not in done.stderr
    assert done.stdout == console("memory", "context", "wombat").stdout
    (tmp_path / "cache").chmod(stat.S_IRWXU)


def test_a_cache_that_has_become_read_only_hides_no_edit(home: Path) -> None:
    place = put(shelf_of(home), ONCALL, "The pager code is WOMBAT.")
    assert matches("wombat") == [ONCALL]
    folders = [path for path in Path(os.environ["XDG_CACHE_HOME"]).rglob("*") if path.is_dir()]
    for path in (*_cache_files(), *folders):
        path.chmod(0o500 if path.is_dir() else 0o400)
    place.write_text(PLAIN.format("The pager code is QUOLL."))
    put(shelf_of(home), OTHER, "The bell is bronze.")
    done = powerless("memory", "context", "quoll")
    assert texts_of(done) == {ONCALL: "The pager code is QUOLL.", OTHER: "The bell is bronze."}
    for path in folders:
        path.chmod(stat.S_IRWXU)


@pytest.mark.parametrize("size", [0, 1_000, 4_096, 20_000])
def test_o05_on_a_full_disk_an_agent_gets_its_context(home: Path, size: int) -> None:
    shelf = shelf_of(home)
    for number in range(50):
        put(shelf, f"{number:016x}", f"The QUOLL number {number} {'sleeps ' * 100}.")
    put(user_shelf(home), OTHER, "The WOMBAT is awake.")
    before = tree(home)
    done = console("memory", "context", "wombat", env=AGENT, before=file_size_limit(size))
    assert next(iter(texts_of(done))) == OTHER
    assert "Traceback" not in done.stderr
    assert {name: data for name, data in tree(home).items() if not name.startswith("state/")} == before
    assert not list(home.rglob(".wuu-tmp-*"))
    assert done.stdout == console("memory", "context", "wombat").stdout


@pytest.mark.parametrize("mode", [0o500, 0o555])
def test_a_home_that_may_not_be_written_gives_its_context(home: Path, mode: int) -> None:
    put(shelf_of(home), ONCALL, "The pager code is WOMBAT.")
    (home / "state").mkdir()
    before = tree(home)
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    for path in reversed(folders):
        path.chmod(mode)
    try:
        done = powerless("memory", "context", "wombat", env=AGENT)
        refused = powerless("memory", "graph", "upsert", "New.")
    finally:
        for path in folders:
            path.chmod(stat.S_IRWXU)
    assert texts_of(done) == {ONCALL: "The pager code is WOMBAT."}
    assert done.stderr == ""
    assert refused.exit_code == 8
    assert tree(home) == before


def test_a_state_that_is_damaged_is_none(home: Path) -> None:
    put(shelf_of(home), ONCALL, "The pager code is WOMBAT.")
    block("wombat", env=AGENT)
    (place,) = (home / "state" / "shown").iterdir()
    whole = place.read_bytes()
    damages = (
        b"",
        b"{",
        whole[:-10],
        b"[" * 60_000,
        b"\xff",
        b'{"session": "s1", "shown": []}',
        b" " * 70_000,
    )
    for damage in damages:
        place.write_bytes(damage)
        done = console("memory", "context", "wombat", env=AGENT)
        assert (list(texts_of(done)), done.stderr) == ([ONCALL], "")
        assert json.loads(place.read_bytes())["shown"].keys() == {ONCALL}
    place.unlink()
    place.symlink_to(home / "settings.json")
    assert list(block("wombat", env=AGENT)) == [ONCALL]
    assert not (home / "settings.json").exists()


# --- O-06, O-18: what is no memory ----------------------------------------------------------------------


def test_o18_what_a_link_leads_to_is_in_no_context(home: Path, tmp_path: Path) -> None:
    shelf = shelf_of(home)
    put(shelf, ONCALL, "The pager code is WOMBAT.")
    outside = put(tmp_path, OTHER, "The WOMBAT outside.")
    (shelf / f"{OTHER}.md").symlink_to(outside)
    (shelf / f"{THIRD}.md").mkdir()
    os.mkfifo(shelf / f"{IDS[4]}.md")
    (shelf / "README.md").write_text("WOMBAT\n")
    done = console("memory", "context", "wombat", "--json")
    assert [one["id"] for one in done.data["entries"]] == [ONCALL]
    assert done.data["omitted"]["count"] == 0
    assert "unsafe_file" in warned(done)


@pytest.mark.parametrize("what", ["link", "file"])
def test_o18_what_an_agent_saw_is_noted_nowhere_else(home: Path, tmp_path: Path, what: str) -> None:
    put(shelf_of(home), ONCALL, "The pager code is WOMBAT.")
    outside = tmp_path / "outside"
    outside.mkdir()
    if what == "link":
        (home / "state").mkdir()
        (home / "state" / "shown").symlink_to(outside)
    else:
        (home / "state").write_text("no folder\n")
    done = console("memory", "context", "wombat", env=AGENT)
    assert (list(texts_of(done)), done.stderr) == ([ONCALL], "")
    assert tree(outside) == {}
    assert console("memory", "why", ONCALL, "wombat", "--json").data["sessions"] == []


# --- O-39: ten thousand ---------------------------------------------------------------------------------


def _measured(*arguments: str) -> tuple[bytes, int]:
    """Run wuu and return its output and the most memory that it had, in KiB."""
    with subprocess.Popen([console_script(), *arguments], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, output[-2_000:]
    return output, usage.ru_maxrss // (1 if sys.platform == "linux" else 1_024)


@pytest.mark.slow
def test_o39_ten_thousand_memories_with_the_same_word(home: Path) -> None:
    shelf = shelf_of(home)
    for number in range(10_000):
        put(shelf, f"{number:016x}", f"The quoll sleeps in tree {number}.")
    for floor, prompt in (
        *((0, "quoll"), (0, "quoll " * 300)),
        *((0.31, "which quoll sleeps in tree 4711?"), (0.31, "quoll"), (0.31, "")),
    ):
        (home / "settings.json").write_text(json.dumps({"memoryMatchFloor": floor}))
        output, most = _measured("memory", "context", prompt, "--json")
        found = json.loads(output)["data"]
        assert most < 300 * 1_024, prompt
        assert found["omitted"]["count"] + len(found["entries"]) == 10_000
        assert len(found["omitted"]["ids"]) <= 200
        assert found["budget"]["used_tokens"] <= found["budget"]["tokens"]
        assert sum(found["budget"]["groups"].values()) <= 6_000
        assert len(parse_block(found["block"])[0]) == len(found["entries"])
        if "4711" in prompt:
            assert found["entries"][0]["id"] == f"{4711:016x}"
    short = console("memory", "context", "quoll", "--budget", "1000")
    assert len(short.stdout) <= 1_001
    assert 0 < len(texts_of(short)) < 10


@pytest.mark.slow
def test_o39_thousands_of_memories_can_be_explained_and_drawn(home: Path) -> None:
    shelf = shelf_of(home)
    for number in range(3_000):
        place = put(shelf, f"{number:016x}", f"The quoll sleeps in tree {number}.")
        line = f"link-{(number + 1) % 3_000:016x}: supersedes"
        place.write_text(place.read_text().replace("\n---\n", f"\n{line}\n---\n", 1))
    found = {}
    for call in (
        *(("why", f"{2711:016x}", "quoll"), ("why", "quoll"), ("budget",), ("graph", "overview")),
        *(("graph", "search", "2711"), ("graph", "export", "--format", "json")),
    ):
        output, most = _measured("memory", *call, "--json")
        assert most < 300 * 1_024, call
        found[call[1] if call[0] == "graph" else call[0]] = json.loads(output)["data"]
    assert found["overview"] == found["export"]
    assert (len(found["overview"]["nodes"]), found["overview"]["links"]) == (200, 3_000)
    neighbours = found["search"]["memories"][0]["neighbours"]
    assert {one["id"] for one in neighbours} == {f"{2710:016x}", f"{2712:016x}"}
    checked = console("memory", "graph", "validate", "--json")
    assert (checked.exit_code, [one["code"] for one in checked.data["problems"]]) == (
        1,
        ["supersedes_circle"],
    )
