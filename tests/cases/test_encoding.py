"""Bytes that are no text, byte order marks, and what ends a line: O-06 to O-08."""

import os
from pathlib import Path

import pytest

from cases.conftest import Note
from cases.trees import tree

# --- O-06: one undecodable file -------------------------------------------------------------------------

BAD = b"---\nname: Menu\n---\nsoup \xe9t\xe9 \xff\n"
OFFSET = BAD.index(b"\xe9")
READERS = {
    "list": ("list",),
    "index": ("index",),
    "search": ("search", "anchor"),
    "read": ("read", "good.md"),
    "budget": ("budget",),
    "path": ("path",),
}


@pytest.fixture
def with_bad_file(notebook: Path) -> Path:
    (notebook / "bad.md").write_bytes(BAD)
    (notebook / "good.md").write_text("---\nname: Good\n---\nthe anchor holds\n")
    (notebook / "MEMORY.md").write_text("- [Menu](bad.md)\n- [Good](good.md)\n")
    return notebook


@pytest.mark.parametrize("reading", READERS)
def test_o06_the_other_topics_are_served(note: Note, with_bad_file: Path, reading: str) -> None:
    before = tree(with_bad_file)
    as_text = note(*READERS[reading])
    as_json = note(*READERS[reading], "--json")
    assert (as_text.exit_code, as_json.exit_code) == (0, 0)
    assert "Traceback" not in as_text.stderr
    assert as_json.json()["status"] == "ok"
    assert tree(with_bad_file) == before


@pytest.mark.parametrize("reading", ["list", "search"])
def test_o06_the_bad_file_is_named_with_the_offset(note: Note, with_bad_file: Path, reading: str) -> None:
    stderr = note(*READERS[reading]).stderr
    assert f"bad.md is not UTF-8 at byte {OFFSET}." in stderr
    (warning,) = note(*READERS[reading], "--json").json()["warnings"]
    assert (warning["code"], warning["details"]["file"]) == ("not_utf8", "bad.md")
    assert warning["details"]["offset"] == OFFSET


def test_o06_the_list_reports_the_bad_file_beside_the_good_one(note: Note, with_bad_file: Path) -> None:
    bad, good = note("list", "--json").data["files"]
    assert (bad["file"], bad["error"]["code"], bad["bytes"]) == ("bad.md", "not_utf8", len(BAD))
    assert (good["file"], good["title"]) == ("good.md", "Good")
    assert "error" not in good


def test_o06_the_good_one_is_found(note: Note, with_bad_file: Path) -> None:
    assert [hit["file"] for hit in note("search", "anchor", "--json").data["topics"]] == ["good.md"]


@pytest.mark.parametrize(
    "call",
    [
        ("read", "bad.md"),
        ("verify", "bad.md"),
        ("edit", "bad.md", "--append", "more"),
        ("write", "bad.md", "other", "--replace"),
        ("rename", "bad.md", "menu.md"),
    ],
    ids=lambda call: call[0],
)
def test_o06_the_bad_file_is_never_rewritten(note: Note, with_bad_file: Path, call: tuple[str, ...]) -> None:
    before = tree(with_bad_file)
    refused = note(*call, "--json")
    (error,) = refused.json()["errors"]
    assert (refused.exit_code, error["code"], error["details"]["offset"]) == (7, "not_utf8", OFFSET)
    assert tree(with_bad_file) == before


def test_o06_the_bad_file_can_be_forgotten(note: Note, with_bad_file: Path) -> None:
    assert note("forget", "bad.md", "--yes").exit_code == 0
    assert set(tree(with_bad_file)) == {"good.md", "MEMORY.md"}
    assert (with_bad_file / "MEMORY.md").read_text() == "- [Good](good.md)\n"


def test_o06_a_bad_index_stops_no_topic_and_is_never_rewritten(note: Note, with_bad_file: Path) -> None:
    (with_bad_file / "MEMORY.md").write_bytes(b"- [Good](good.md)\n\xff\n")
    before = tree(with_bad_file)
    for reading in ("list", "search", "read"):
        assert note(*READERS[reading]).exit_code == 0
    assert "MEMORY.md is not UTF-8 at byte 18." in note("list").stderr
    for refused in (note("index"), note("write", "new.md", "x"), note("verify", "good.md")):
        assert refused.exit_code == 7
        assert "MEMORY.md is not UTF-8 at byte 18." in refused.stderr
    assert tree(with_bad_file) == before


@pytest.mark.skipif(os.name == "nt", reason="names are always Unicode there")
def test_o06_a_name_that_is_no_text_is_named_and_stops_nothing(note: Note, with_bad_file: Path) -> None:
    (with_bad_file / os.fsdecode(b"caf\xe9.md")).write_text("---\nname: Cafe\n---\nanchor\n")
    for reading in ("list", "search"):
        assert note(*READERS[reading]).exit_code == 0
        assert note(*READERS[reading], "--json").json()["status"] == "ok"
        assert "caf" in note(*READERS[reading]).stderr
    assert note("read", "good.md").exit_code == 0


@pytest.mark.parametrize("call", [("write", "x.md", "-"), ("edit", "good.md", "--append", "-")])
def test_o06_what_comes_in_must_be_text_too(note: Note, with_bad_file: Path, call: tuple[str, ...]) -> None:
    before = tree(with_bad_file)
    refused = note(*call, stdin=b"soup \xff\n")
    assert refused.exit_code == 2
    assert "stdin is not UTF-8 at byte 5." in refused.stderr
    assert tree(with_bad_file) == before


@pytest.mark.parametrize(
    "call",
    [
        (b"write", b"x.md", b"soup \xff"),
        (b"write", b"x.md", b"soup", b"--name", b"caf\xe9"),
        (b"write", b"caf\xe9.md", b"soup"),
        (b"edit", b"good.md", b"--append", b"soup \xff"),
        (b"read", b"caf\xe9.md"),
    ],
    ids=["body", "name", "file", "append", "read"],
)
def test_o06_arguments_that_are_no_text_are_refused(
    note_process: Note, with_bad_file: Path, call: tuple[bytes, ...]
) -> None:
    before = tree(with_bad_file)
    arguments = [os.fsdecode(one) for one in call]
    refused = note_process(*arguments, "--json")
    assert refused.exit_code in (2, 7)
    assert refused.json()["errors"][0]["code"] in ("usage", "not_utf8")
    assert note_process(*arguments).exit_code == refused.exit_code
    assert tree(with_bad_file) == before


# --- O-07: byte order mark and CRLF ---------------------------------------------------------------------

HEAD = b"\xef\xbb\xbf---\r\ntitle: Release steps\r\ntags: [ci]\r\n"
TAIL = b"---\r\n\r\n    make tag\r\nlast line  \r\n\r\n"


@pytest.fixture
def release(notebook: Path) -> Path:
    (notebook / "release.md").write_bytes(HEAD + TAIL)
    (notebook / "MEMORY.md").write_bytes(
        b"\xef\xbb\xbf# Memory\r\n\r\n- [Release steps](release.md)\r\n\r\nprose  \r\n"
    )
    return notebook


def test_o07_a_byte_order_mark_hides_no_frontmatter(note: Note, release: Path) -> None:
    (entry,) = note("list", "--json").data["files"]
    assert (entry["title"], entry["indexed"]) == ("Release steps", True)


def test_o07_setting_one_key_changes_one_line(note: Note, release: Path) -> None:
    index = (release / "MEMORY.md").read_bytes()
    assert note("verify", "release.md", "--date", "2026-05-04").exit_code == 0
    assert (release / "release.md").read_bytes() == HEAD + b"verified: 2026-05-04\r\n" + TAIL
    assert note("verify", "release.md", "--date", "2026-06-05").exit_code == 0
    assert (release / "release.md").read_bytes() == HEAD + b"verified: 2026-06-05\r\n" + TAIL
    assert (release / "MEMORY.md").read_bytes() == index


def test_o07_text_that_is_added_gets_the_line_ending_of_the_file(note: Note, release: Path) -> None:
    assert note("edit", "release.md", "--append", "one\ntwo").exit_code == 0
    assert (release / "release.md").read_bytes() == HEAD + TAIL + b"one\r\ntwo\r\n"


def test_o07_a_topic_without_frontmatter_gets_it_behind_the_mark(note: Note, notebook: Path) -> None:
    (notebook / "plain.md").write_bytes(b"\xef\xbb\xbf# Plain\r\ntext\r\n")
    assert note("verify", "plain.md", "--date", "2026-05-04").exit_code == 0
    assert (notebook / "plain.md").read_bytes() == (
        b"\xef\xbb\xbf---\r\nverified: 2026-05-04\r\n---\r\n# Plain\r\ntext\r\n"
    )


def test_o07_a_session_gets_neither_the_mark_nor_the_block(note: Note, release: Path) -> None:
    content = note("index").stdout
    assert content == note("index", "--json").data["content"]
    assert "\ufeff" not in content
    assert "---" not in content
    assert content.startswith("# Memory")


def test_o07_an_index_with_mark_and_crlf_gains_and_loses_one_line(note: Note, release: Path) -> None:
    before = (release / "MEMORY.md").read_bytes()
    note("write", "second.md", "body", "--name", "Second")
    line = b"- [Second](second.md)\r\n"
    assert (release / "MEMORY.md").read_bytes() == before.replace(
        b"\r\n\r\nprose", b"\r\n" + line + b"\r\nprose"
    )
    note("forget", "second.md", "--yes")
    assert (release / "MEMORY.md").read_bytes() == before


def test_o07_a_renamed_topic_keeps_every_byte(note: Note, release: Path) -> None:
    assert note("rename", "release.md", "ship.md").exit_code == 0
    assert (release / "ship.md").read_bytes() == HEAD + TAIL


def test_o07_words_on_both_sides_of_a_crlf_are_found(note: Note, release: Path) -> None:
    (hit,) = note("search", "make tag last line", "--json").data["topics"]
    assert hit["file"] == "release.md"
    assert not {"\r", "\ufeff"} & set(hit["snippet"] + hit["title"])


def test_o07_the_mark_of_a_body_from_stdin_does_not_get_inside(note: Note, notebook: Path) -> None:
    note("write", "x.md", "-", "--name", "X", stdin=b"\xef\xbb\xbf# Heading\r\ntext\r\n")
    data = (notebook / "x.md").read_bytes()
    assert b"\xef\xbb\xbf" not in data
    assert b"# Heading" in data


# --- O-08: lines end at a line feed and nowhere else ----------------------------------------------------

SEPARATORS = pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])


@SEPARATORS
def test_o08_a_strange_separator_ends_no_index_line(note: Note, notebook: Path, separator: str) -> None:
    index = f"- [Pnpm](pnpm.md) — prefer pnpm{separator}- [Npm](npm.md) over npm\n- [Last](last.md)"
    (notebook / "MEMORY.md").write_text(index, newline="")
    for name in ("pnpm.md", "last.md"):
        (notebook / name).write_text("body\n")
    before = tree(notebook)
    assert note("budget", "--json").data["lines"] == 2
    note("write", "new.md", "body", "--name", "New")
    assert (notebook / "MEMORY.md").read_bytes().decode() == f"{index}\n- [New](new.md)"
    note("forget", "new.md", "--yes")
    assert tree(notebook) == before


@SEPARATORS
def test_o08_both_halves_of_a_line_are_found(note: Note, notebook: Path, separator: str) -> None:
    text = f"Prefer pnpm{separator}over yarnpkg\n"
    note("write", "tools.md", "-", stdin=text)
    assert (notebook / "tools.md").read_bytes().endswith(text.encode())
    for word in ("pnpm", "yarnpkg"):
        (hit,) = note("search", word, "--json").data["topics"]
        assert hit["file"] == "tools.md"
    assert len(note("search", "pnpm").stdout.splitlines()) == 1


@SEPARATORS
def test_o08_a_strange_separator_ends_no_frontmatter(note: Note, notebook: Path, separator: str) -> None:
    text = f"---\nname: Tools\nextra: a{separator}---{separator}verified: 2020-01-01\n---\nbody\n"
    (notebook / "tools.md").write_text(text, newline="")
    (entry,) = note("list", "--json").data["files"]
    assert "verified" not in entry
    note("verify", "tools.md", "--date", "2026-05-04")
    expected = text.replace("\n---\nbody", "\nverified: 2026-05-04\n---\nbody")
    assert (notebook / "tools.md").read_bytes().decode() == expected


def test_o08_a_line_added_behind_a_last_line_without_an_end_stays_its_own(note: Note, notebook: Path) -> None:
    (notebook / "MEMORY.md").write_text("- [Old](old.md)")
    (notebook / "old.md").write_text("last words")
    note("edit", "old.md", "--append", "more")
    note("write", "new.md", "body", "--name", "New")
    assert (notebook / "old.md").read_text() == "last words\nmore\n"
    assert (notebook / "MEMORY.md").read_text() == "- [Old](old.md)\n- [New](new.md)"
