"""The home: where it is, what it says of itself, and what is refused (ARCHITECTURE 2; case O-18)."""

import json
import os
import stat
from pathlib import Path

import pytest

from store.checking import make_home, plan_of, put, tree
from wuu.errors import Corrupt, FormatTooNew, IoProblem, UnsafeFile
from wuu.store.home import FORMAT, Home, open_home, prepare_home
from wuu.store.transaction import commit, preview


def test_reading_makes_nothing(tmp_path: Path) -> None:
    home = open_home(str(tmp_path / "none"))
    assert home.read("memory/a.md") is None
    assert home.scan("memory").names == []
    preview(home, plan_of({"memory/a.md": b"x"}))
    assert os.listdir(tmp_path) == []


def test_a_new_home_is_private_and_says_what_it_is(tmp_path: Path) -> None:
    home = open_home(str(tmp_path / "far" / "home"))
    prepare_home(home)
    described = json.loads(home.read("home.json") or b"")
    assert described["format"] == FORMAT
    assert len(described["home_id"]) == 16
    modes = {
        path: stat.S_IMODE(os.stat(home.place(path)).st_mode)
        for path in ("journal", "receipts", ".gitignore")
    }
    assert modes == {"journal": 0o700, "receipts": 0o700, ".gitignore": 0o600}
    assert [stat.S_IMODE(os.stat(place).st_mode) for place in (home.root, os.path.dirname(home.root))] == [
        0o700
    ] * 2
    before = tree(home.root)
    prepare_home(home)
    assert tree(home.root) == before


def test_what_a_person_put_into_gitignore_stays(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("mine\n")
    prepare_home(open_home(str(tmp_path)))
    assert (tmp_path / ".gitignore").read_text() == "mine\n"


@pytest.mark.parametrize(
    "description",
    [b"", b"{", b"[]", b"{}", b"null", b'{"format": "1"}', b'{"format": true}', b'{"format": 1.0}', b"\xff",
     b'{"format": 0}', b"[" * 20_000],
    ids=lambda one: one[:16].decode("latin-1"),
)  # fmt: skip
def test_a_description_that_cannot_be_read_is_left_alone(description: bytes, tmp_path: Path) -> None:
    (tmp_path / "home.json").write_bytes(description)
    with pytest.raises(Corrupt):
        open_home(str(tmp_path))
    with pytest.raises(Corrupt):
        prepare_home(Home(str(tmp_path)))
    assert (tmp_path / "home.json").read_bytes() == description


def test_a_newer_format_is_refused_for_reading_and_writing(tmp_path: Path) -> None:
    (tmp_path / "home.json").write_text(json.dumps({"format": FORMAT + 1}))
    with pytest.raises(FormatTooNew) as raised:
        open_home(str(tmp_path))
    assert raised.value.details == {"found": FORMAT + 1, "known": FORMAT}
    with pytest.raises(FormatTooNew):
        commit(Home(str(tmp_path)), plan_of({"a.md": b"x"}), command="test")
    assert not (tmp_path / "a.md").exists()


def test_o18_a_home_behind_a_link_is_the_same_home(tmp_path: Path) -> None:
    real = make_home(str(tmp_path / "real"), {"memory/a.md": b"one\n"})
    (tmp_path / "link").symlink_to("real")
    linked = open_home(str(tmp_path / "link"))
    assert linked == open_home(str(tmp_path / "real")) == real
    commit(linked, plan_of({"memory/a.md": b"two\n", "memory/b.md": b"new\n"}), command="test")
    assert (tmp_path / "link").is_symlink()
    assert real.read("memory/a.md") == b"two\n"


def test_o18_a_link_to_nowhere_is_no_empty_home(tmp_path: Path) -> None:
    """The volume is not mounted: answering "nothing", or making a new home under it, would both be wrong."""
    (tmp_path / "link").symlink_to("volume/home")
    (tmp_path / "file").write_text("x")
    (tmp_path / "other").symlink_to("file")
    for name in ("link", "other"):
        with pytest.raises(IoProblem) as raised:
            open_home(str(tmp_path / name))
        assert raised.value.details["path"] == str(tmp_path / name)


def test_a_file_where_the_home_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("x")
    with pytest.raises(Corrupt) as raised:
        commit(open_home(str(tmp_path / "home")), plan_of({"a.md": b"x"}), command="test")
    assert raised.value.details["path"] == str(tmp_path / "home")


@pytest.mark.parametrize("name", ["journal", "receipts"])
def test_o18_the_folders_of_the_store_are_not_looked_for_outside(name: str, tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {})
    (tmp_path / "outside").mkdir()
    os.rmdir(home.place(name))
    os.symlink(tmp_path / "outside", home.place(name))
    with pytest.raises(UnsafeFile):
        commit(home, plan_of({"a.md": b"1", "b.md": b"2"}), command="test")
    assert os.listdir(tmp_path / "outside") == []
    assert home.read("a.md") is None


def test_o18_nothing_is_written_through_a_link_out(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {"memory/a.md": b"one\n"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("QUIETFOX")
    os.symlink(tmp_path / "outside" / "secret.md", home.place("memory/leak.md"))
    os.symlink(tmp_path / "outside", home.place("memory/dir"))
    for path in ("memory/leak.md", "memory/dir/secret.md", "memory/dir/new.md"):
        with pytest.raises(UnsafeFile):
            home.read(path)
        for before in (None, "0" * 64):
            with pytest.raises(UnsafeFile):
                commit(home, lambda _, path=path, before=before: _set(path, before), command="test")
    assert tree(str(tmp_path / "outside")) == {"secret.md": b"QUIETFOX"}
    assert os.path.islink(home.place("memory/leak.md"))


def test_o18_a_link_inside_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {"notes/real.md": b"one\n"})
    os.symlink("notes", home.place("memory"))
    os.symlink("real.md", home.place("notes/alias.md"))
    os.symlink("later.md", home.place("notes/dangling.md"))
    changes = {"memory/alias.md": b"two\n", "memory/dangling.md": b"new\n"}
    commit(home, plan_of(changes), command="test")
    assert os.path.islink(home.place("memory"))
    assert os.path.islink(home.place("notes/alias.md"))
    assert os.path.islink(home.place("notes/dangling.md"))
    assert home.read("notes/real.md") == b"two\n"
    assert home.read("notes/later.md") == b"new\n"
    commit(home, plan_of({"memory/alias.md": None}), command="test")
    assert home.read("notes/real.md") is None
    put(home, {"notes/real.md": b"three\n"})
    assert home.read("memory/alias.md") == b"three\n"


def _set(path: str, before: str | None) -> object:
    from wuu.store.changes import Change, ChangeSet

    return ChangeSet((Change(path, before, b"written"),), None)
