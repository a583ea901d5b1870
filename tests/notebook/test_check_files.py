"""Every problem of files and their names that a check finds, beside neighbours that have none."""

import os
import socket
from pathlib import Path

import pytest

from notebook.check_looking import INDEX, KEY, MARKED, TOPIC, look, problems_of, short, topic
from wuu.notebook.checking import check
from wuu.notebook.topics import Notebook
from wuu.store.home import Home
from wuu.store.locks import hold


def test_o06_not_utf8(shelf) -> None:
    bad = b"---\nname: Ferry\n---\nsoup \xe9t\xe9 \xff\n"
    (problem, *others) = problems_of(shelf, {"MEMORY.md": INDEX, "ferry.md": bad, "other.md": TOPIC})
    assert (problem.code, problem.file, problem.line) == ("not_utf8", "ferry.md", 4)
    assert "byte 25" in problem.message
    assert short(tuple(others)) == [("not_indexed", "other.md", None)]


def test_an_index_that_is_not_utf8_hides_no_topic(shelf) -> None:
    found = look(shelf, {"MEMORY.md": INDEX.encode() + b"\xff\n", "ferry.md": topic(type="odd")})
    assert found == [("not_utf8", "MEMORY.md", 4), ("unknown_type", "ferry.md", 4)]


def test_o16_too_large(shelf) -> None:
    size = 262_144 - len(MARKED.encode())
    assert look(shelf, {"MEMORY.md": INDEX, "ferry.md": MARKED + "x" * size}) == []
    found = look(shelf, {"ferry.md": MARKED + "x" * (size + 1)})
    assert found == [("too_large", "ferry.md", None)]


def test_o18_unsafe_file(shelf, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(KEY)
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC, "a\nb.md": TOPIC, "x\\y.md": TOPIC})
    (shelf.folder / "leak.md").symlink_to(outside)
    (shelf.folder / ".hidden.md").symlink_to(outside)
    (shelf.folder / "folder.md").mkdir()
    (shelf.folder / "plain").mkdir()
    os.mkfifo(shelf.folder / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(shelf.folder)
        server.bind("socket.md")
        os.chdir(here)
    (shelf.folder / os.fsdecode(b"caf\xe9.md")).write_text(TOPIC)
    problems = check(shelf.notebook).problems
    assert {one.code for one in problems} == {"unsafe_file"}
    names = [one.file for one in problems]
    assert names == sorted(names)
    assert set(names) == {
        *("leak.md", "folder.md", "pipe.md", "socket.md"),
        *(r"a\x0ab.md", r"caf\udce9.md", "x\\y.md"),
    }


def test_o18_an_index_behind_a_link(shelf, tmp_path: Path) -> None:
    shelf.put("ferry.md", TOPIC)
    (shelf.folder.parent / "elsewhere.md").write_text(INDEX)
    (shelf.folder / "MEMORY.md").symlink_to("../elsewhere.md")
    assert check(shelf.notebook).problems == ()
    (shelf.folder / "MEMORY.md").unlink()
    (tmp_path / "outside.md").write_text(INDEX)
    (shelf.folder / "MEMORY.md").symlink_to("../../outside.md")
    assert short(check(shelf.notebook).problems) == [("unsafe_file", "MEMORY.md", None)]
    (shelf.folder / "MEMORY.md").unlink()
    (shelf.folder / "MEMORY.md").symlink_to("nowhere.md")
    assert short(check(shelf.notebook).problems) == [("unsafe_file", "MEMORY.md", None)]
    (shelf.folder / "MEMORY.md").unlink()
    (shelf.folder / "MEMORY.md").mkdir()
    assert short(check(shelf.notebook).problems) == [("unsafe_file", "MEMORY.md", None)]


def test_unreadable(shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC, "other.md": topic(name="", type="odd")})
    really = os.open

    def refuse(path: str, *arguments: int, **named: int) -> int:
        if str(path).endswith("ferry.md"):
            raise PermissionError(13, "Permission denied")
        return really(path, *arguments, **named)

    monkeypatch.setattr(os, "open", refuse)
    problems = check(shelf.notebook).problems
    assert short(problems)[0] == ("unreadable", "ferry.md", None)
    assert "Permission denied" in problems[0].message
    assert {one.file for one in problems[1:]} == {"other.md"}


def test_o20_name_collision(shelf) -> None:
    index = "- [a](a.md), [A](A.md), [e](caf\u00e9.md), [e](cafe\u0301.md), [u](a_b.md), [h](a-b.md)\n"
    names = ("a.md", "A.md", "caf\u00e9.md", "cafe\u0301.md", "a_b.md", "a-b.md")
    found = look(shelf, {"MEMORY.md": index, "memory.md": "x", **{name: topic(name=name) for name in names}})
    assert found == [
        ("name_collision", "a.md", None),
        ("name_collision", "caf\u00e9.md", None),
        ("name_collision", "memory.md", None),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "ferry (Dana's conflicted copy 2026-01-02).md",
        "ferry (conflicted copy 2026-01-02 070952).md",
        "ferry (Conflicted copy Box-T14 202603121129).md",
        "ferry (Case Conflict).md",
        "ferry (Case Conflict 1).md",
        "ferry (Selective Sync Conflict).md",
        "ferry (In Konflikt stehende Kopie von Dana 2026-01-02).md",
        "ferry (Konfliktkopie von Dana 2026-01-02).md",
        "ferry (Copie en conflit de Dana 2026-01-02).md",
        "ferry (copia en conflicto de PC2 2026-09-11).md",
        "ferry (Dana の競合コピー 2023-10-29).md",
        "ferry.sync-conflict-20260102-101010-ABCDEFG.md",
        "ferry.sync-conflict-20260102-101010.md",
        "ferry_conflict-20260102-101010.md",
        "ferry_conflict-dana-20260102-101010.md",
        "ferry.variant-d5f3.md",
        "ferry (conflict on 2026-01-02).md",
        "ferry (SFConflict dana@example.org 2026-01-02-10-10-10).md",
    ],
)
def test_sync_conflict(shelf, name: str) -> None:
    problems = problems_of(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC, name: TOPIC})
    assert short(problems) == [("sync_conflict", name, None)]
    assert "copy of ferry.md" in problems[0].message


@pytest.mark.parametrize(
    "name",
    [
        "ferry (Conflict resolution).md",
        "ferry (case conflicts of May).md",
        "ferry 2.md",
        "ferry (1).md",
        "conflicted-copy.md",
        "sync-conflict.md",
        "how-a-conflict-ends.md",
        "ferry.variant-blue.md",
        "merge_conflict-handling.md",
    ],
)
def test_a_name_that_only_speaks_of_conflicts(shelf, name: str) -> None:
    found = look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC, name: TOPIC})
    assert found == [("not_indexed", name, None)]


def test_a_conflict_copy_of_the_index(shelf) -> None:
    name = "MEMORY (conflicted copy 2026-01-02).md"
    files = {"MEMORY.md": INDEX, "ferry.md": TOPIC, name: TOPIC}
    assert look(shelf, files) == [("sync_conflict", name, None)]


def test_o03_leftover_temp(shelf) -> None:
    files = {"MEMORY.md": INDEX, "ferry.md": TOPIC, ".wuu-tmp-0011": "half", ".other-tmp": "theirs"}
    assert look(shelf, files) == [("leftover_temp", ".wuu-tmp-0011", None)]


def test_the_temp_of_a_writer_at_work_is_no_problem(shelf) -> None:
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC, ".wuu-tmp-0011": "half"})
    with hold(shelf.notebook.home, "test"):
        assert check(shelf.notebook).problems == ()
        assert check(Notebook(Home(str(shelf.folder)), "")).problems == ()
    assert len(check(shelf.notebook).problems) == 1
