"""Where memories stand: the path says scope, profile, workspace and session."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.errors import Refused, UnsafeFile, UsageProblem
from wuu.memory.shelves import (
    check_prefix,
    copied_id,
    find_shelf,
    id_of,
    is_stray,
    project_shelf,
    session_shelf,
    session_shelves,
    user_shelf,
    visible_shelves,
    workspace_shelves,
)
from wuu.situation.situation import Situation, resolve_situation
from wuu.situation.workspace import workspace_key
from wuu.store.home import Home

ID = "0123456789abcdef"


def situation(place: Path, cwd: str, **options: str) -> Situation:
    (place / cwd).mkdir(exist_ok=True)
    return resolve_situation(environ={"HOME": str(place)}, cwd=str(place / cwd), **options)


def test_each_scope_has_its_folder(tmp_path: Path) -> None:
    asked = situation(tmp_path, "shop", profile="work", session="3f2a")
    key = workspace_key(str(tmp_path.resolve() / "shop"))
    assert find_shelf(asked, "user").path(ID) == f"entries/work/{ID}.md"
    assert find_shelf(asked, "project").path(ID) == f"workspaces/{key}/entries/{ID}.md"
    assert find_shelf(asked, "session").path(ID) == f"workspaces/{key}/sessions/3f2a/entries/{ID}.md"
    assert visible_shelves(asked) == (user_shelf("work"), project_shelf(key))


def test_outside_of_projects_there_is_only_the_user_shelf(tmp_path: Path) -> None:
    asked = situation(tmp_path, ".")
    assert visible_shelves(asked) == (user_shelf("default"),)
    with pytest.raises(Refused, match="belongs to no project"):
        find_shelf(asked, "project")


def test_a_session_has_to_be_named(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="needs a session"):
        find_shelf(situation(tmp_path, "shop"), "session")


def test_o27_two_projects_share_no_shelf(tmp_path: Path) -> None:
    names = ("a b", "a-b", "a.b", "A-B")
    assert len({find_shelf(situation(tmp_path, name), "project") for name in names}) == len(names)


def test_the_folders_of_a_home_are_its_shelves(tmp_path: Path) -> None:
    home = Home(str(tmp_path.resolve()))
    assert workspace_shelves(home) == session_shelves(home, "shop-1") == ()
    for name in ("shop-1/sessions/b", "shop-1/sessions/a", "app-2"):
        (tmp_path / "workspaces" / name).mkdir(parents=True)
    (tmp_path / "workspaces" / "file").write_text("")
    (tmp_path / "workspaces" / "link").symlink_to(tmp_path)
    assert workspace_shelves(home) == (project_shelf("app-2"), project_shelf("shop-1"))
    assert session_shelves(home, "shop-1") == (session_shelf("shop-1", "a"), session_shelf("shop-1", "b"))


def test_o18_workspaces_behind_a_link_that_leaves_are_not_entered(tmp_path: Path) -> None:
    (tmp_path / "outside" / "app").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "workspaces").symlink_to(tmp_path / "outside")
    with pytest.raises(UnsafeFile):
        workspace_shelves(Home(str(tmp_path.resolve() / "home")))


@pytest.mark.parametrize(
    "file",
    [
        *(
            "",
            ".md",
            f"{ID}",
            f"{ID}.txt",
            f"{ID}.MD",
            f"{ID.upper()}.md",
            f"{ID}0.md",
            f"{ID[1:]}.md",
            f" {ID}.md",
        ),
        *(
            f"{ID}.md~",
            f".{ID}.md",
            f"{ID}\n.md",
            "../0123456789abc.md",
            "０123456789abcdef.md",
            f"{ID} (1).md",
        ),
    ],
)
def test_o17_o19_only_an_id_names_a_memory(file: str) -> None:
    assert id_of(file) is None


@given(st.binary(min_size=8, max_size=8).map(bytes.hex))
def test_every_id_names_a_memory(memory_id: str) -> None:
    assert id_of(f"{memory_id}.md") == memory_id
    assert not is_stray(f"{memory_id}.md")
    assert copied_id(f"{memory_id}.md") is None


@pytest.mark.parametrize(
    ("file", "stray", "copied"),
    [
        ("notes.md", True, None),
        (f"{ID}.MD", True, ID),
        (f"{ID} (conflicted copy 2026-05-01).md", True, ID),
        (f"{ID}.sync-conflict-20260501-101010-ABCDEFG.md", True, ID),
        (f"{ID}0.md", True, None),
        (f".{ID}.md", False, None),
        (f"{ID}.md~", False, ID),
        ("notes.txt", False, None),
    ],
)
def test_names_of_copies_and_strays(file: str, *, stray: bool, copied: str | None) -> None:
    assert (is_stray(file), copied_id(file)) == (stray, copied)


@pytest.mark.parametrize("prefix", ["0", "0123", ID, " ABCDEF "])
def test_the_beginning_of_an_id(prefix: str) -> None:
    assert check_prefix(prefix) == prefix.strip().lower()


@pytest.mark.parametrize("prefix", ["", " ", "x", "0123456789abcdef0", "../..", "-", "0\n1", "٣", "0\0"])
def test_o17_what_cannot_begin_an_id_is_refused(prefix: str) -> None:
    with pytest.raises(UsageProblem, match="no id of a memory"):
        check_prefix(prefix)
