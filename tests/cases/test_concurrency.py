"""Several writers, editors and sudden ends at once: cases O-01 to O-05."""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from cases.conftest import Note
from cases.processes import dying, file_size_limit, impatient
from cases.trees import entries, topic_names, tree
from house.invocation import console_script

Editor = Callable[[str], dict[str, str]]


# --- O-01: lost updates ---------------------------------------------------------------------------------


def _worktrees(folder: Path) -> list[Path]:
    """Make a repository with a linked worktree, by hand: what git would leave."""
    main, linked = folder / "main", folder / "linked"
    private = main / ".git" / "worktrees" / "linked"
    private.mkdir(parents=True)
    linked.mkdir()
    (main / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (linked / ".git").write_text(f"gitdir: {private}\n")
    (private / "commondir").write_text("../..\n")
    return [main, linked]


@pytest.mark.slow
def test_o01_forty_writers_from_two_worktrees_leave_forty_topics_and_lines(
    note_process: Note, tmp_path: Path, home: Path
) -> None:
    places = _worktrees(tmp_path)

    def write(number: int) -> int:
        name = f"Fact {number} about the Kestrel build"
        return note_process("write", "--name", name, f"body {number}", cwd=places[number % 2]).exit_code

    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(write, range(40)))
    notebook = home / "memory"
    expected = {f"fact-{number}-about-the-kestrel-build.md" for number in range(40)}
    assert statuses == [0] * 40
    assert set(tree(notebook)) == {"MEMORY.md", *expected}
    assert sorted(entries((notebook / "MEMORY.md").read_text())) == sorted(expected)
    assert list((home / "journal").iterdir()) == []
    for number in range(40):
        text = (notebook / f"fact-{number}-about-the-kestrel-build.md").read_text()
        assert text.endswith(f"\nbody {number}\n")


@pytest.mark.slow
def test_o01_of_writers_of_one_title_exactly_one_wins(note_process: Note, home: Path) -> None:
    def write(number: int) -> int:
        return note_process("write", "--name", "Crew rota", f"body {number}").exit_code

    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(write, range(6)))
    assert sorted(statuses) == [0, 4, 4, 4, 4, 4]
    text = (home / "memory" / "crew-rota.md").read_text()
    assert text.endswith(f"\nbody {statuses.index(0)}\n")


@pytest.mark.slow
def test_o01_lines_added_to_one_topic_at_once_are_all_there(note_process: Note, notebook: Path) -> None:
    (notebook / "log.md").write_text("start\n")

    def append(number: int) -> int:
        return note_process("edit", "log.md", "--append", f"line {number}").exit_code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(append, range(12))) == [0] * 12
    lines = (notebook / "log.md").read_text().splitlines()
    assert sorted(lines) == sorted(["start", *(f"line {number}" for number in range(12))])


# --- O-02: the file changes while an editor is open -----------------------------------------------------

TOPIC = "---\nname: Build steps\ndescription: How we build\ntype: reference\n---\n\none\ntwo\nthree\nfour\n"
INDEX = "# Memory\n\n- [Build steps](build-steps.md) — How we build\n"


@pytest.fixture
def build_steps(notebook: Path) -> Path:
    (notebook / "build-steps.md").write_text(TOPIC)
    (notebook / "MEMORY.md").write_text(INDEX)
    return notebook


def _named_in(stderr: str) -> str:
    """Return what stands in the one file that a failure names for what was typed."""
    named = [Path(word.rstrip(".,;:")) for word in re.findall(r"/\S+", stderr)]
    drafts = [path for path in named if path.is_file()]
    assert len(drafts) == 1, f"no draft is named: {stderr}"
    return drafts[0].read_text()


def test_o02_a_line_added_to_the_index_meanwhile_survives(
    note_process: Note, build_steps: Path, editor: Editor
) -> None:
    done = note_process(
        *("edit", "build-steps.md"),
        env=editor(
            "with open(notes / 'MEMORY.md', 'a') as index: index.write('- [Human line](human.md)\\n')\n"
            "place.write_text(place.read_text().replace('How we build', 'How we build now'))\n"
        ),
    )
    assert done.exit_code == 0
    assert (build_steps / "MEMORY.md").read_text() == (
        "# Memory\n\n- [Build steps](build-steps.md) — How we build now\n- [Human line](human.md)\n"
    )
    assert (build_steps / "build-steps.md").read_text() == TOPIC.replace("How we build", "How we build now")


def test_o02_changes_of_different_lines_are_merged(
    note_process: Note, build_steps: Path, editor: Editor
) -> None:
    done = note_process(
        *("edit", "build-steps.md"),
        env=editor(
            "topic = notes / 'build-steps.md'\n"
            "topic.write_text(topic.read_text().replace('one', 'theirs'))\n"
            "place.write_text(place.read_text().replace('four', 'mine'))\n"
        ),
    )
    assert done.exit_code == 0
    expected = TOPIC.replace("one", "theirs").replace("four", "mine")
    assert (build_steps / "build-steps.md").read_text() == expected


@pytest.mark.parametrize(
    "meanwhile",
    [
        pytest.param("topic.write_text(topic.read_text() + 'theirs\\n')", id="same line"),
        pytest.param("topic.unlink()", id="removed"),
        pytest.param("topic.rename(notes / 'other.md')", id="renamed"),
    ],
)
def test_o02_what_cannot_be_merged_is_refused_and_kept(
    note_process: Note, build_steps: Path, editor: Editor, meanwhile: str
) -> None:
    done = note_process(
        *("edit", "build-steps.md"),
        env=editor(
            f"topic = notes / 'build-steps.md'\n{meanwhile}\n"
            "place.write_text(place.read_text() + 'mine, typed for an hour\\n')\n"
        ),
    )
    assert done.exit_code == 4
    assert _named_in(done.stderr) == TOPIC + "mine, typed for an hour\n"
    assert "typed for an hour" not in "".join(path.read_text() for path in build_steps.iterdir())


def test_o02_no_lock_is_held_while_the_editor_is_open(
    note_process: Note, build_steps: Path, editor: Editor
) -> None:
    done = note_process(
        *("edit", "build-steps.md"),
        env=editor(
            "import fcntl\n"
            "lock = open(notes.parent / '.lock', 'a')\n"
            "fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
            "place.write_text(place.read_text() + 'five\\n')\n"
        ),
    )
    assert (done.exit_code, done.stderr.count("BlockingIOError")) == (0, 0)
    assert (build_steps / "build-steps.md").read_text() == TOPIC + "five\n"


def test_o02_what_was_typed_into_a_topic_that_appeared_meanwhile_is_kept(
    note_process: Note, notebook: Path, editor: Editor
) -> None:
    done = note_process(
        *("write", "harbour.md"),
        env=editor(
            "(notes / 'harbour.md').write_text('theirs\\n')\nplace.write_text('typed for an hour\\n')\n"
        ),
    )
    assert done.exit_code == 4
    assert (notebook / "harbour.md").read_text() == "theirs\n"
    assert "typed for an hour\n" in _named_in(done.stderr)


@pytest.mark.parametrize(
    ("options", "status"),
    [(("build-steps.md",), 4), (("new.md", "--verified", "soon"), 2), (("new.md", "--read-only"), 5)],
    ids=["the topic exists", "a bad date", "read-only"],
)
def test_o02_what_is_bound_to_be_refused_is_so_before_the_editor_opens(
    note_process: Note, build_steps: Path, home: Path, editor: Editor, options: tuple[str, ...], status: int
) -> None:
    env = editor("place.write_text('typed for an hour\\n')\n(notes.parent / 'opened').touch()\n")
    done = note_process("write", *options, env=env)
    assert done.exit_code == status
    if (home / "opened").exists():
        assert "typed for an hour\n" in _named_in(done.stderr)


@pytest.mark.parametrize(
    ("typed", "meanwhile", "status"),
    [
        ("'x' * 300_000", "", 5),
        ("'mine'", "(notes / 'MEMORY.md').write_bytes(b'\\xff\\n')", 7),
        ("'mine'", "(notes / 'build-steps.md').write_bytes(b'\\xff\\n')", 7),
        ("'mine'", "(notes / 'build-steps.md').unlink(); (notes / 'build-steps.md').symlink_to('/x')", 5),
    ],
    ids=["too large", "the index broke", "the topic broke", "the topic became a link"],
)
def test_o02_whatever_stops_the_save_what_was_typed_is_kept(
    note_process: Note,
    build_steps: Path,
    editor: Editor,
    typed: str,
    meanwhile: str,
    status: int,
) -> None:
    done = note_process(
        *("edit", "build-steps.md"),
        env=editor(f"{meanwhile}\nplace.write_text('typed for an hour\\n' + {typed} + '\\n')\n"),
    )
    assert done.exit_code == status
    assert "typed for an hour\n" in _named_in(done.stderr)


def test_o02_what_was_typed_is_kept_when_the_lock_does_not_come(
    build_steps: Path, home: Path, editor: Editor
) -> None:
    env = editor("place.write_text('typed for an hour\\n')\n")
    with _held(home):
        done = impatient("notebook", "edit", "build-steps.md", env=env)
    assert done.exit_code == 6
    assert "typed for an hour\n" in _named_in(done.stderr)
    assert (build_steps / "build-steps.md").read_text() == TOPIC


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=lambda stop: stop.name)
def test_o02_what_was_typed_is_kept_when_the_wait_for_the_lock_is_interrupted(
    build_steps: Path, home: Path, editor: Editor, stop: signal.Signals
) -> None:
    with _held(home), _editing(editor("place.write_text('typed for an hour\\n')\n")) as process:
        assert process.stderr is not None
        waiting = process.stderr.readline()
        process.send_signal(stop)
        stderr = process.stderr.read()
    assert waiting.startswith("Waiting for the lock")
    assert process.returncode == 128 + stop
    assert "Traceback" not in stderr
    assert "typed for an hour\n" in _named_in(stderr)
    assert (build_steps / "build-steps.md").read_text() == TOPIC


def test_o02_an_interrupt_that_the_editor_survives_loses_nothing(
    build_steps: Path, home: Path, editor: Editor
) -> None:
    env = editor(
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "place.write_text(place.read_text() + 'before\\n')\n"
        "os.kill(os.getppid(), signal.SIGINT)\n"
        "time.sleep(1)\n"
        "place.write_text(place.read_text() + 'after\\n')\n"
    )
    with _editing(env) as process:
        assert process.stderr is not None
        stderr = process.stderr.read()
    saved = (build_steps / "build-steps.md").read_text()
    assert "before\nafter\n" in (saved if process.returncode == 0 else _named_in(stderr))
    assert "Traceback" not in stderr


def _editing(env: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [console_script(), "notebook", "edit", "build-steps.md"],
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _edit_at_once(build_steps: Path, editor: Editor, typed: list[str]) -> list[subprocess.Popen[bytes]]:
    """Start an editor for each of `typed` (Python that makes the new text of `text`); all save after `go`."""
    wait = "while not (notes.parent / 'go').exists(): time.sleep(0.01)\n"
    open_here = "(notes.parent / f'open-{os.getpid()}').touch()\n"
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "wuu", "notebook", "edit", "build-steps.md"],
            env={
                **os.environ,
                **editor(f"{open_here}{wait}text = place.read_text()\nplace.write_text({one})\n"),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for one in typed
    ]
    while len(list(build_steps.parent.glob("open-*"))) < len(typed):
        assert all(process.poll() is None for process in running)
    return running


@pytest.mark.slow
def test_o02_two_editors_and_a_writer_at_once_lose_nothing(
    note_process: Note, build_steps: Path, home: Path, editor: Editor
) -> None:
    typed = ["text.replace('one', 'first editor')", "text.replace('one', 'second editor')"]
    running = _edit_at_once(build_steps, editor, typed)
    written = note_process("edit", "build-steps.md", "--append", "a writer")
    (home / "go").touch()
    refusals = [process.communicate()[1].decode() for process in running]
    assert written.exit_code == 0
    assert sorted(process.returncode for process in running) == [0, 4]
    topic = (build_steps / "build-steps.md").read_text()
    assert "a writer" in topic
    for process, stderr, one in zip(running, refusals, ("first editor", "second editor"), strict=True):
        assert one in (_named_in(stderr) if process.returncode else topic)


@pytest.mark.slow
def test_o02_two_editors_that_are_refused_in_the_same_second_are_both_kept(
    build_steps: Path, home: Path, editor: Editor
) -> None:
    typed = [f"text.replace('one', 'editor {number}')" for number in range(4)]
    running = _edit_at_once(build_steps, editor, typed)
    (build_steps / "build-steps.md").write_text(TOPIC.replace("one", "a hand"))
    (home / "go").touch()
    refusals = [process.communicate()[1].decode() for process in running]
    assert [process.returncode for process in running] == [4] * len(typed)
    for number, stderr in enumerate(refusals):
        assert f"editor {number}\n" in _named_in(stderr)


# --- O-03: killed between topic file and index ----------------------------------------------------------


def test_o03_orphans_dangling_lines_and_leftovers_are_told_apart(note: Note, notebook: Path) -> None:
    (notebook / "orphan.md").write_text("---\nname: Orphan\n---\nThe lighthouse code is QUOLL\n")
    (notebook / "MEMORY.md").write_text("- [Gone](gone.md) — was here\n")
    (notebook / ".MEMORY.md.tmp123").write_text("- [Half](hal")
    (notebook / ".wuu-tmp-0123456789abcdef").write_text("half QUOLL")
    listed = note("list", "--json").data
    assert [(entry["file"], entry["indexed"]) for entry in listed["files"]] == [("orphan.md", False)]
    assert listed["dangling"] == ["gone.md"]
    found = note("search", "QUOLL", "--json").data
    assert [hit["file"] for hit in found["topics"]] == ["orphan.md"]


def test_o03_a_topic_and_its_line_go_in_one_operation(note: Note, home: Path) -> None:
    note("write", "--name", "Old rule", "body")
    done = note("forget", "old-rule.md", "--yes", "--json").json()
    changed = {one["path"]: one["after"] for one in done["receipt"]["files"]}
    assert changed["memory/old-rule.md"] is None
    assert set(changed) == {"memory/MEMORY.md", "memory/old-rule.md"}
    assert entries((home / "memory" / "MEMORY.md").read_text()) == []


def test_o03_a_topic_that_is_gone_already_still_loses_its_line(note: Note, notebook: Path) -> None:
    (notebook / "MEMORY.md").write_text("- [Kept](kept.md)\n- [Gone](gone.md) — was here\n")
    (notebook / "kept.md").write_text("kept\n")
    assert note("forget", "gone.md", "--yes").exit_code == 0
    assert (notebook / "MEMORY.md").read_text() == "- [Kept](kept.md)\n"
    assert note("forget", "gone.md", "--yes").exit_code == 3


COMMANDS = {
    "write": (("write", "new.md", "-", "--name", "New", "--description", "fresh"), b"new body\n"),
    "rename": (("rename", "old.md", "moved.md"), b""),
    "edit": (("edit", "old.md", "--append", "more"), b""),
    "forget": (("forget", "old.md", "--yes"), b""),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_o03_a_writer_killed_at_any_step_leaves_everything_old_or_new(
    invoke: Note, home: Path, command: str
) -> None:
    arguments, body = COMMANDS[command]
    invoke("notebook", "write", "old.md", "old body", "--name", "Old", "--description", "stale")
    invoke("notebook", "write", "other.md", "other body", "--name", "Other")
    untouched = home.with_name("untouched")
    shutil.copytree(home, untouched)
    before = tree(home / "memory")
    assert invoke("notebook", *arguments, stdin=body).exit_code == 0
    after = tree(home / "memory")
    for step in _deaths(home, untouched, arguments, body):
        for reading in ("list", "index"):
            assert invoke("notebook", reading).exit_code == 0, f"step {step}"
        seen = {name: data for name, data in tree(home / "memory").items() if not name.startswith(".")}
        assert all(data in (before.get(name), after.get(name)) for name, data in seen.items()), f"step {step}"
        for healing in (("write", "healing.md", "heals"), ("forget", "healing.md", "--yes")):
            healed = invoke("notebook", *healing, "--json")
            assert healed.exit_code == 0, f"step {step}: {healed.stdout}"
        assert tree(home / "memory") in (before, after), f"step {step}"
        assert not [*home.rglob("*.intent"), *home.rglob(".wuu-tmp-*")], f"step {step}"


def _deaths(home: Path, untouched: Path, arguments: tuple[str, ...], body: bytes) -> Iterator[int]:
    """Kill a writer before each of its changes of the disk in turn, each time in a fresh home."""
    for step in range(200):
        shutil.rmtree(home)
        shutil.copytree(untouched, home)
        status = dying(step, "notebook", *arguments, stdin=body)
        if status == 0:
            assert step > 2, "nothing was killed"
            return
        assert status == -signal.SIGKILL
        yield step
    pytest.fail("the command never came to its end")


@pytest.fixture
def interrupted(invoke: Note, home: Path) -> Path:
    """Return a home in which a write died right behind its commit point, and a hand edit came next."""
    assert invoke("notebook", "write", "old.md", "old body").exit_code == 0
    arguments, body = COMMANDS["write"]
    untouched = home.with_name("untouched")
    shutil.copytree(home, untouched)
    for _ in _deaths(home, untouched, arguments, body):
        if list((home / "journal").glob("*.intent")):
            break
    with open(home / "memory" / "MEMORY.md", "a") as index:
        index.write("a line by hand\n")
    return home


@pytest.mark.parametrize("keep", ["--keep-disk", "--keep-prepared"])
def test_o03_a_hand_edit_behind_a_death_is_never_overwritten(
    invoke: Note, interrupted: Path, keep: str
) -> None:
    def hand_edit_is_there() -> bool:
        places = [interrupted / "memory" / "MEMORY.md", *interrupted.glob("conflicts/kept-*")]
        return any("a line by hand\n" in path.read_text() for path in places)

    (warning,) = invoke("notebook", "list", "--json").json()["warnings"]
    assert warning["code"] == "recovery_pending"
    assert invoke("notebook", "write", "other.md", "body").exit_code == 7
    assert hand_edit_is_there()
    (conflict,) = invoke("reconcile", "files", "--json").data["conflicts"]
    states = {one["path"]: one["state"] for one in conflict["files"]}
    assert states["memory/MEMORY.md"] == "changed"
    assert invoke("notebook", "read", "old.md").exit_code == 0
    assert invoke("reconcile", "files", keep).exit_code == 0
    assert hand_edit_is_there()
    assert invoke("notebook", "write", "other.md", "body").exit_code == 0
    assert invoke("reconcile", "files", "--json").data["conflicts"] == []
    if keep == "--keep-prepared":
        assert (interrupted / "memory" / "new.md").read_text().endswith("new body\n")


# --- O-04: the lock of a killed process -----------------------------------------------------------------

_HOLDER = """
import os, sys, time
from wuu.store.home import open_home
from wuu.store.locks import hold
with hold(open_home(os.environ["WUU_HOME"]), "a long write"):
    print("held", flush=True)
    time.sleep(600)
"""


@contextmanager
def _holder() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, "-c", _HOLDER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _held(home: Path) -> Iterator[None]:
    """Hold the lock of the home from here."""
    with open(home / ".lock", "ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def test_o04_the_lock_of_a_killed_writer_blocks_nobody(note_process: Note, home: Path) -> None:
    with _holder() as process:
        process.send_signal(signal.SIGSTOP)
        process.kill()
        process.wait()
    done = note_process("write", "after-crash.md", "after the crash", "--no-input")
    assert done.exit_code == 0
    assert "Waiting" not in done.stderr
    assert topic_names(home / "memory") == {"after-crash.md"}


@pytest.mark.slow
def test_o04_a_live_holder_is_named_and_readers_are_not_blocked(note_process: Note, notebook: Path) -> None:
    (notebook / "old.md").write_text("old QUOLL\n")
    (notebook / "MEMORY.md").write_text("- [Old](old.md)\n")
    before = tree(notebook)
    with _holder() as process, ThreadPoolExecutor(2) as pool:
        as_text = pool.submit(note_process, "write", "new.md", "body")
        as_json = pool.submit(note_process, "write", "new.md", "body", "--json")
        for reading in (("list",), ("index",), ("read", "old.md"), ("search", "QUOLL"), ("budget",)):
            done = note_process(*reading)
            assert (done.exit_code, done.stderr) == (0, "")
        assert f"process {process.pid} " in as_text.result().stderr
        (error,) = as_json.result().json()["errors"]
    assert (as_text.result().exit_code, as_json.result().exit_code) == (6, 6)
    assert (error["code"], error["details"]["holder"]["pid"]) == ("locked", process.pid)
    assert tree(notebook) == before


# --- O-05: the disk is full -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "write", [("big.md", "-"), ("old.md", "-", "--replace")], ids=["new topic", "existing topic"]
)
def test_o05_a_file_that_does_not_fit_leaves_everything_as_it_was(
    note: Note, note_process: Note, home: Path, write: tuple[str, ...]
) -> None:
    note("write", "old.md", "old body")
    before = tree(home / "memory")
    done = note_process("write", *write, stdin="x" * 200_000, before=file_size_limit(4_096))
    assert done.exit_code == 8
    failure = done.stderr.splitlines()[0]
    assert failure.startswith("Error: No room to write ")
    assert failure.endswith(f"{write[0]}: File too large")
    assert tree(home / "memory") == before
    assert not list(home.rglob(".wuu-tmp-*"))
    assert note_process("write", *write, stdin="x" * 200_000).exit_code == 0


def test_o05_a_topic_that_fits_beside_an_index_that_does_not(
    note: Note, note_process: Note, notebook: Path, home: Path
) -> None:
    (notebook / "MEMORY.md").write_text("prose\n" * 1_500)
    before = tree(notebook)
    done = note_process("write", "small.md", "small", "--json", before=file_size_limit(8_192))
    assert done.exit_code == 8
    assert done.json()["errors"][0]["code"] == "disk_full"
    assert tree(notebook) == before
    assert not list(home.rglob(".wuu-tmp-*"))
    assert note("write", "small.md", "small").exit_code == 0


_FULL_DISK = r"""
set -e
mount -t tmpfs -o size=1m tmpfs "$WUU_HOME"
say() { echo "$1 $2"; }
hash() { (cd "$WUU_HOME/memory" && cat ./* | cksum; ls -A | cksum); }
"$WUU" notebook write old.md "old QUOLL" >&2
dd if=/dev/zero of="$WUU_HOME/filler" bs=4k 2>/dev/null || true
before=$(hash)
head -c 100000 /dev/zero | tr '\0' x > "$WUU_BODY"
status=0; "$WUU" notebook write big.md - < "$WUU_BODY" || status=$?; say write $status
status=0; "$WUU" notebook edit old.md --append "$(head -c 9000 "$WUU_BODY")" || status=$?; say edit $status
[ "$before" = "$(hash)" ] && say same 0
status=0; find "$WUU_HOME" -name '.wuu-tmp-*' | grep . && status=1; say temps $status
for reading in list index "read old.md" "search QUOLL"; do
  status=0; "$WUU" notebook $reading > /dev/null || status=$?; say reading $status
done
rm "$WUU_HOME/filler"
status=0; "$WUU" notebook write big.md - < "$WUU_BODY" || status=$?; say freed $status
"""


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("unshare"), reason="needs a file system of its own"
)
def test_o05_a_full_disk(home: Path, tmp_path: Path) -> None:
    own = ["unshare", "--map-root-user", "--mount"]
    if subprocess.run([*own, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount a file system of their own")
    env = {**os.environ, "WUU": shutil.which("wuu", path=os.path.dirname(sys.executable)) or "wuu"}
    env["WUU_BODY"] = str(tmp_path / "body")
    done = subprocess.run(
        [*own, "sh", "-c", _FULL_DISK], env=env, capture_output=True, text=True, check=False
    )
    said = [
        line
        for line in done.stdout.splitlines()
        if line.split()[0] in ("write", "edit", "same", "temps", "reading", "freed")
    ]
    assert said == ["write 8", "edit 8", "same 0", "temps 0", *(["reading 0"] * 4), "freed 0"], done.stderr
    assert re.search(r"No room to write \S*big\.md: No space left on device", done.stderr)
    assert "Traceback" not in done.stderr
