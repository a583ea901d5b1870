"""Advisory state: silent where it may be, and never a way to lose a text or to leave the home."""

import os
import stat
from pathlib import Path
from unittest import mock

import pytest

from store.checking import make_home, tree
from wuu.errors import IoProblem
from wuu.store import files, state
from wuu.store.home import Home
from wuu.store.state import add_to_tally, keep_text, move_tally, read_tallies, write_state


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(str(tmp_path / "home"), {})


def test_events_are_counted_and_dated(home: Home) -> None:
    for _ in range(3):
        add_to_tally(home, "reads", "a.md")
    add_to_tally(home, "reads", "b.md")
    os.utime(home.place("state/reads/b.md"), (1, 1_000.5))
    tallies = read_tallies(home, "reads")
    assert {name: tally.times for name, tally in tallies.items()} == {"a.md": 3, "b.md": 1}
    assert tallies["b.md"].last == pytest.approx(1_000.5)
    assert read_tallies(home, "other") == {}


def test_a_tally_is_renamed_and_dropped(home: Home) -> None:
    add_to_tally(home, "reads", "a.md")
    move_tally(home, "reads", "a.md", "b.md")
    assert list(read_tallies(home, "reads")) == ["b.md"]
    move_tally(home, "reads", "b.md", None)
    move_tally(home, "reads", "none.md", "c.md")
    move_tally(home, "reads", "none.md", None)
    assert read_tallies(home, "reads") == {}


def test_state_is_private(home: Home) -> None:
    old = os.umask(0)
    try:
        add_to_tally(home, "reads", "a.md")
        place = keep_text(home, "drafts", "a.md", b"text")
    finally:
        os.umask(old)
    folders = [home.place(path) for path in ("state", "state/reads", "state/drafts")]
    assert {stat.S_IMODE(os.stat(folder).st_mode) for folder in folders} == {0o700}
    assert {stat.S_IMODE(os.stat(one).st_mode) for one in (place, home.place("state/reads/a.md"))} == {0o600}


def test_counting_makes_no_home(tmp_path: Path) -> None:
    add_to_tally(Home(str(tmp_path / "none")), "reads", "a.md")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["../../evil", "/evil", "a\0b", "", "..", "x" * 300, "\ud83d"], ids=ascii)
def test_o17_counting_never_fails_and_never_leaves_the_home(name: str, home: Home, tmp_path: Path) -> None:
    before = tree(str(tmp_path))
    add_to_tally(home, "reads", "a.md")
    for act in (
        lambda: add_to_tally(home, "reads", name),
        lambda: move_tally(home, "reads", name, None),
        lambda: move_tally(home, "reads", "a.md", name),
    ):
        act()
    after = tree(str(tmp_path))
    made = {path for path in after.keys() - before.keys() if not path.endswith("/")}
    assert made == {"home/state/reads/a.md"}


def test_o18_counting_does_not_go_through_links_or_wait(home: Home, tmp_path: Path) -> None:
    add_to_tally(home, "reads", "a.md")
    (tmp_path / "precious").write_text("precious")
    os.symlink(tmp_path / "precious", home.place("state/reads/link.md"))
    os.mkfifo(home.place("state/reads/fifo.md"))
    for name in ("link.md", "fifo.md"):
        add_to_tally(home, "reads", name)
    os.symlink(tmp_path, home.place("state/out"))
    add_to_tally(home, "out", "b.md")
    assert (tmp_path / "precious").read_text() == "precious"
    assert not (tmp_path / "b.md").exists()
    assert list(read_tallies(home, "reads")) == ["a.md"]


def test_a_text_is_kept_and_the_next_of_that_name_too(home: Home) -> None:
    texts = [f"draft {number}".encode() for number in range(4)]
    places = [keep_text(home, "drafts", "20260501T073000Z-a.md", text) for text in texts]
    assert len(set(places)) == 4
    assert [Path(place).read_bytes() for place in places] == texts
    assert [os.path.basename(place) for place in places[:2]] == [
        "20260501T073000Z-a.md",
        "20260501T073000Z-a-2.md",
    ]


def test_o19_a_text_is_kept_under_any_length_of_name(home: Home) -> None:
    place = keep_text(home, "drafts", "20260501T073000Z-" + "語" * 82 + ".md", b"text")
    assert Path(place).read_bytes() == b"text"
    assert keep_text(home, "drafts", "20260501T073000Z-" + "語" * 82 + ".md", b"more") != place


def test_a_text_is_kept_where_there_is_no_home_yet(tmp_path: Path) -> None:
    home = Home(str(tmp_path / "none"))
    assert Path(keep_text(home, "reports", "a.txt", b"text")).read_bytes() == b"text"
    assert stat.S_IMODE(os.stat(home.root).st_mode) == 0o700


@pytest.mark.parametrize("obstacle", ["file", "link out", "name"])
def test_a_text_that_cannot_be_kept_is_said_so(obstacle: str, home: Home, tmp_path: Path) -> None:
    if obstacle == "file":
        Path(home.place("state")).write_text("in the way")
    elif obstacle == "link out":
        os.symlink(tmp_path, home.place("state"))
    before = tree(str(tmp_path))
    with pytest.raises(IoProblem):
        keep_text(home, "drafts", "../x" if obstacle == "name" else "a.md", b"text")
    assert tree(str(tmp_path)) == before


def test_a_full_disk_leaves_no_empty_draft(home: Home) -> None:
    with mock.patch.object(files, "_sync", side_effect=OSError(28, "full")), pytest.raises(IoProblem):
        keep_text(home, "drafts", "a.md", b"text")
    assert os.listdir(home.place("state/drafts")) == []


def test_a_thousand_names_are_enough(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "_KEPT_AT_ONCE", 2)
    keep_text(home, "drafts", "a.md", b"text")
    with pytest.raises(IoProblem):
        keep_text(home, "drafts", "a.md", b"text")


def test_a_state_is_replaced_as_a_whole_and_is_private(home: Home) -> None:
    old = os.umask(0)
    try:
        write_state(home, "prompts", "s1.json", b"old")
        write_state(home, "prompts", "s1.json", b"new")
    finally:
        os.umask(old)
    place = Path(home.place("state/prompts/s1.json"))
    assert place.read_bytes() == b"new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert os.listdir(place.parent) == ["s1.json"]


def test_a_state_makes_no_home(tmp_path: Path) -> None:
    write_state(Home(str(tmp_path / "none")), "prompts", "s1.json", b"new")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["../../evil", "/evil", "a\0b", "", "..", "x" * 300, "\ud83d"], ids=ascii)
def test_o17_writing_a_state_never_fails_and_never_leaves_the_home(
    name: str, home: Home, tmp_path: Path
) -> None:
    before = tree(str(tmp_path))
    write_state(home, "prompts", name, b"new")
    after = tree(str(tmp_path))
    assert {path for path in after.keys() - before.keys() if not path.endswith("/")} == set()


@pytest.mark.parametrize("obstacle", ["file", "link out", "folder"])
def test_o18_a_state_that_cannot_be_written_is_left(obstacle: str, home: Home, tmp_path: Path) -> None:
    if obstacle == "file":
        Path(home.place("state")).write_text("in the way")
    elif obstacle == "link out":
        os.symlink(tmp_path, home.place("state"))
    else:
        os.makedirs(home.place("state/prompts/s1.json"))
    before = tree(str(tmp_path))
    write_state(home, "prompts", "s1.json", b"new")
    assert tree(str(tmp_path)) == before
