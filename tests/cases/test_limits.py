"""An index that is too long, thousands of topics, and text that makes slow rules slow: O-14 and O-39."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cases.conftest import Note
from cases.processes import console, memory_limit, write_files
from cases.trees import added_lines, tree
from house.invocation import console_script

# --- O-14: the newest lines fall off --------------------------------------------------------------------

LAST = "- [Rollback rule](rollback.md): never on Fridays\n"


@pytest.fixture
def long_index(notebook: Path) -> Path:
    lines = [f"- [Topic {number}](topic-{number:05}.md)\n" for number in range(220)]
    (notebook / "MEMORY.md").write_text("".join(lines) + LAST)
    (notebook / "rollback.md").write_text("---\nname: Rollback rule\n---\nnever on Fridays\n")
    return notebook


def test_o14_a_session_is_told_how_many_lines_are_left_out_and_which(note: Note, long_index: Path) -> None:
    shown = note("index", "--json").json()
    assert shown["data"]["truncated"]
    assert shown["data"]["content"].count("\n") == 199
    (warning,) = shown["warnings"]
    assert warning["code"] == "index_truncated"
    assert {key: warning["details"][key] for key in ("omitted", "first", "last", "total_lines")} == {
        "omitted": 21,
        "first": 201,
        "last": 221,
        "total_lines": 221,
    }
    stderr = note("index").stderr
    assert "21 lines from line 201 to 221 are left out" in stderr


def test_o14_the_budget_names_every_line_that_is_left_out(note: Note, long_index: Path) -> None:
    omitted = note("budget", "--json").data["omitted"]
    assert [one["line"] for one in omitted] == list(range(201, 222))
    assert omitted[-1] == {"line": 221, "file": "rollback.md", "text": LAST.rstrip("\n")}
    assert f"left out\tline 221\t{LAST}" in note("budget").stdout


def test_o14_the_rule_is_stated_in_the_help(note: Note) -> None:
    words = " ".join(note("budget", "--help").stdout.split())
    assert "the first lines of the file, in the order in which they stand there" in words
    assert "at most 200 lines and 25,000 bytes" in words
    assert "first 200 lines and 25,000 bytes" in " ".join(note("index", "--help").stdout.split())


def test_o14_every_write_beyond_the_limit_warns(note: Note, long_index: Path) -> None:
    done = note("write", "new.md", "body", "--name", "New")
    assert (done.exit_code, done.stderr.count("are left out")) == (0, 1)
    for call in (("write", "again.md", "body"), ("edit", "new.md", "--name", "Newer")):
        assert "index_truncated" in [one["code"] for one in note(*call, "--json").json()["warnings"]]


def test_o14_the_write_that_crosses_the_limit_of_lines_is_the_one_that_warns(
    note: Note, notebook: Path
) -> None:
    (notebook / "MEMORY.md").write_text("".join(f"- line {number}\n" for number in range(199)))
    fits = note("write", "fits.md", "body", "--json").json()
    crosses = note("write", "crosses.md", "body", "--json").json()
    assert "index_truncated" not in [one["code"] for one in fits["warnings"]]
    (warning,) = [one for one in crosses["warnings"] if one["code"] == "index_truncated"]
    assert (warning["details"]["omitted"], warning["details"]["first"]) == (1, 201)


def test_o14_the_write_that_crosses_the_limit_of_bytes_is_the_one_that_warns(
    note: Note, notebook: Path
) -> None:
    (notebook / "MEMORY.md").write_text("é" * 12_490 + "\n")
    fits = note("write", "a.md", "body", "--name", "A", "--json").json()
    crosses = note("write", "b.md", "body", "--name", "B", "--json").json()
    assert "index_truncated" not in [one["code"] for one in fits["warnings"]]
    assert "index_truncated" in [one["code"] for one in crosses["warnings"]]
    shown = note("index").stdout_bytes
    assert len(shown) <= 25_000
    assert shown.decode().endswith("- [A](a.md)")


def test_o14_a_smaller_excerpt_is_not_called_a_large_index(note: Note, notebook: Path) -> None:
    (notebook / "MEMORY.md").write_text("- [One](one.md)\n- [Two](two.md)\n")
    shown = note("index", "--max-bytes", "20", "--json").json()
    assert (shown["data"]["content"], shown["data"]["truncated"]) == ("- [One](one.md)", True)
    assert not [one for one in shown["warnings"] if "25,000 bytes" in one["message"]]


def test_o14_a_cut_index_still_loses_nothing_on_the_disk(note: Note, long_index: Path) -> None:
    before = (long_index / "MEMORY.md").read_text()
    note("write", "new.md", "body", "--name", "New")
    assert added_lines(before, (long_index / "MEMORY.md").read_text()) == ["- [New](new.md)\n"]
    note("forget", "new.md", "--yes")
    assert (long_index / "MEMORY.md").read_text() == before


# --- O-39: many topics, large topics --------------------------------------------------------------------

# Counts the files that a command opens, so that growth can be seen without a clock.
_COUNTS = """
import os, sys
opened = 0
def hook(event, args):
    global opened
    opened += event == "open" and str(args[0]).startswith(os.environ["WUU_HOME"])
from wuu import clock
from wuu.launch import main
now = clock.now
clock.now = lambda: now() + float(os.environ.get("LATER", 0))
sys.addaudithook(hook)
status = main(sys.argv[1:])
print(opened, file=sys.stderr)
sys.exit(status)
"""


def _opened(*arguments: str, later: int = 0) -> int:
    """Return how many files below the home a command opens, `later` seconds from now."""
    done = subprocess.run(
        [sys.executable, "-c", _COUNTS, *arguments, "--quiet"],
        env={**os.environ, "LATER": str(later)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stderr.splitlines()[-1])


@pytest.mark.parametrize(
    "call",
    [
        ("write", "new.md", "body", "--name", "New"),
        ("edit", "topic-00001.md", "--append", "more"),
        ("read", "topic-00001.md"),
        ("index",),
        ("budget",),
    ],
    ids=lambda call: call[0],
)
def test_o39_what_concerns_one_topic_opens_as_many_files_in_a_large_notebook(
    notebook: Path, call: tuple[str, ...]
) -> None:
    write_files(notebook, 10, "topic {}\n".format)
    few = _opened("notebook", *call)
    (notebook / "new.md").unlink(missing_ok=True)
    (notebook / "MEMORY.md").unlink(missing_ok=True)
    write_files(notebook, 300, "topic {}\n".format)
    assert _opened("notebook", *call) <= few


def test_o39_a_repeated_search_reads_only_what_it_shows(notebook: Path) -> None:
    write_files(notebook, 300, "topic {} kestrel\n".format)
    assert _opened("notebook", "search", "299") >= 300
    assert _opened("notebook", "search", "299", later=60) >= 300  # what was new then is looked at once more
    assert _opened("notebook", "search", "299", later=120) < 20


def test_o39_a_write_touches_no_other_topic(note: Note, notebook: Path) -> None:
    write_files(notebook, 200, "topic {}\n".format)
    before = {path.name: path.stat() for path in notebook.iterdir()}
    note("write", "new.md", "body")
    changed = {path.name for path in notebook.iterdir() if before.get(path.name) != path.stat()}
    assert changed == {"new.md", "MEMORY.md"}


@pytest.mark.slow
def test_o39_ten_thousand_topics_are_served_in_bounded_memory(notebook: Path) -> None:
    filler = "The ferry leaves at dawn and the crew signs the book before the tide turns. " * 26
    write_files(notebook, 10_000, lambda number: f"---\nname: Topic {number}\n---\n{filler}{number}\n")
    index = "".join(f"- [Topic {number}](topic-{number:05}.md)\n" for number in range(5_000))
    (notebook / "MEMORY.md").write_text(index)
    said = {}
    for call in (("list",), ("search", "4711"), ("write", "new.md", "body")):
        with subprocess.Popen(
            [console_script(), "notebook", *call, "--json"], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, output[-2_000:]
        assert usage.ru_maxrss < 300 * 1_024 * (1 if sys.platform == "linux" else 1_024), call
        said[call[0]] = json.loads(output)["data"]
    assert said["search"]["topics"][0]["file"] == "topic-04711.md"
    assert said["list"]["files"][-1]["title"] == "Topic 9999"
    assert sum(entry["indexed"] for entry in said["list"]["files"]) == 5_000


def test_o39_a_topic_beyond_the_limit_is_named_and_stops_nothing(note: Note, notebook: Path) -> None:
    (notebook / "huge.md").write_text("one paragraph of QUOLL " * 220_000)
    (notebook / "good.md").write_text("---\nname: Good\n---\nQUOLL\n")
    before = tree(notebook)
    listed = note("list", "--json")
    assert listed.exit_code == 0
    assert [entry.get("error", {}).get("code") for entry in listed.data["files"]] == [None, "too_large"]
    assert [hit["file"] for hit in note("search", "QUOLL", "--json").data["topics"]] == ["good.md"]
    for call in (("read", "huge.md"), ("verify", "huge.md"), ("write", "huge.md", "x", "--replace")):
        refused = note(*call, "--json")
        assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "too_large")
    assert tree(notebook) == before


@pytest.mark.parametrize("call", [("write", "big.md", "-"), ("edit", "old.md", "--append", "-")])
@pytest.mark.parametrize("size", [262_145, 5_000_000])
def test_o39_more_than_a_topic_can_hold_is_refused(
    note: Note, notebook: Path, call: tuple[str, ...], size: int
) -> None:
    (notebook / "old.md").write_text("old\n")
    before = tree(notebook)
    refused = note(*call, "--json", stdin=b"x" * size)
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "too_large")
    assert tree(notebook) == before


def test_o39_a_topic_of_exactly_the_limit_is_fine(note: Note, notebook: Path) -> None:
    (notebook / "full.md").write_bytes(b"x" * 262_144)
    assert note("list", "--json").data["files"][0]["bytes"] == 262_144
    shown = note("read", "full.md", "--max-bytes", "65536", "--json").data
    assert (len(shown["content"]), shown["truncated"]) == (65_536, True)


SIZE = 250_000
SLOW_TOPICS = {
    "sharps": "# " + "#" * SIZE + "x",
    "blanks in a heading": "# a" + " " * SIZE + "x",
    "block": "---\ndescription: |\n" + " x\n" * (SIZE // 3) + "---\n",
    "same key": "---\n" + "verified: 2020-01-01\n" * (SIZE // 21) + "---\n",
    "list": "---\nsources:\n" + "- a\n" * (SIZE // 4) + "---\n",
    "flow list": "---\nsources: [" + "a," * (SIZE // 2) + "]\n---\n",
}
LONG_TOPICS = {
    "paragraph": "word " * (SIZE // 5),
    "one word": "w" * SIZE,
    "brackets": "[" * SIZE,
    "quotes": '---\nname: "' + "\\" * (SIZE // 2) + '\n---\n"',
    "camel": "aB" * (SIZE // 2),
    "glue": "a-" * (SIZE // 2),
    "dots": "a." * (SIZE // 2),
    "kanji": "語" * (SIZE // 3),
    "accents": "e\u0301" * (SIZE // 3),
    "orders": "ignore the " * (SIZE // 11),
}
SLOW_INDEXES = {
    "rule": "=" * SIZE + " x.md\n",
    "code and comments": "`a`<!-- -->" * (SIZE // 11),
    "link with blanks": "[a](x" + " " * SIZE + "y)",
    "links": "[a](x.md)" * (SIZE // 9),
    "open links": "[a](b" * (SIZE // 5) + " x.md",
    "parentheses": "[a](" + "(b)" * (SIZE // 3),
    "ticks": "".join("`" * number + "a" for number in range(1, 600)),
    "comments": "<!-- -->" * (SIZE // 8),
    "pipes": "|" * SIZE + "[a](x.md)|",
    "entries": "- [a](a.md)\n" * (SIZE // 12),
    "secrets": "curl \n" + "-a " * (SIZE // 3),
}


# A rule that takes quadratic time needs minutes for these; one that does not, a second or two.
ENDLESS = 20


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_TOPICS)
def test_o39_no_topic_makes_a_command_hang(note_process: Note, notebook: Path, name: str) -> None:
    (notebook / "slow.md").write_text(SLOW_TOPICS[name])
    for call in (("search", "QUOLL"), ("write", "slow.md", "x", "--replace")):
        assert note_process(*call, timeout=ENDLESS).exit_code == 0


@pytest.mark.slow
def test_o39_long_lines_make_no_command_hang(note_process: Note, notebook: Path) -> None:
    for name, text in LONG_TOPICS.items():
        (notebook / f"{name}.md").write_text(text)
    for call in (("list",), ("search", "QUOLL"), ("edit", "paragraph.md", "--append", "more")):
        assert note_process(*call, timeout=ENDLESS).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_INDEXES)
def test_o39_no_index_makes_a_command_hang(note_process: Note, notebook: Path, name: str) -> None:
    (notebook / "MEMORY.md").write_text(SLOW_INDEXES[name])
    for call in (("index",), ("write", "new.md", "x")):
        assert note_process(*call, timeout=ENDLESS).exit_code == 0


def test_o39_help_and_version_need_no_home(home: Path) -> None:
    home.rmdir()
    limit = memory_limit(1_000_000 * 1_024)
    for call in (("--help",), ("--version",), ("notebook", "--help"), ("notebook", "write", "--help")):
        done = console(*call, before=limit)
        assert (done.exit_code, done.stderr) == (0, "")
    assert not home.exists()
