"""What the home notes of a project with its first memory: where it is, and where its repository is from."""

import json
from pathlib import Path

import pytest

from memory.conftest import Room, after, git
from wuu.memory.writing.workspace_file import find_origin, normalise_origin


def description(room: Room, folder: str) -> dict[str, str | None]:
    (path,) = [
        path for path in room.tree() if path.startswith(f"workspaces/{folder}-") and path.endswith(".json")
    ]
    return json.loads(room.tree()[path])


class TestFile:
    def test_it_is_written_with_the_first_memory_of_a_project_and_never_again(self, room: Room) -> None:
        room.add("One", "user")
        assert not [path for path in room.tree() if path.startswith("workspaces")]
        entry = after(room.add("Two"))
        path = f"workspaces/{entry.shelf.workspace}/workspace.json"
        expected = {"first_used": entry.created_at, "origin": None, "root": str(room.place / "shop")}
        assert json.loads(room.tree()[path]) == expected
        (room.root / path).write_text("mine")
        room.add("Three")
        assert room.tree()[path] == b"mine"

    def test_a_session_memory_leaves_it_too_and_a_duplicate_does_not(self, room: Room) -> None:
        room.add("One", "user")
        room.add("One")
        assert not [path for path in room.tree() if path.startswith("workspaces")]
        room.add("Two", "session", session="s1")
        assert description(room, "shop")["root"] == str(room.place / "shop")

    def test_it_says_where_the_repository_comes_from_without_credentials(self, room: Room) -> None:
        folder = room.project("shop")
        git(folder, "init")
        git(folder, "remote", "add", "origin", "https://ana:" + "s3cret" + "@Git.Example.org/team/shop.git")
        room.add("One")
        assert description(room, "shop")["origin"] == "git.example.org/team/shop"
        assert b"s3cret" not in b"".join(room.tree().values())

    def test_a_root_that_is_no_text_is_written_all_the_same(self, room: Room) -> None:
        room.project("caf\udce9")
        room.add("One", project="caf\udce9")
        assert description(room, "caf")["root"] == str(room.place / "caf\udce9")


class TestOrigin:
    @pytest.mark.parametrize(
        ("url", "origin"),
        [
            ("https://git.example.org/team/shop.git", "git.example.org/team/shop"),
            ("HTTPS://Git.Example.org/team/Shop/", "git.example.org/team/Shop"),
            ("ssh://git@git.example.org:2222/team/shop.git", "git.example.org:2222/team/shop"),
            ("git@git.example.org:team/shop.git", "git.example.org/team/shop"),
            ("git.example.org:team/shop", "git.example.org/team/shop"),
            ("https://a:" + "b@c" + "@git.example.org/x?token=1#y", "git.example.org/x"),
            ("https//a:" + "b" + "@git.example.org/x", "git.example.org/x"),
            ("file:///srv/shop.git", "/srv/shop"),
            ("/srv/shop.git/", "/srv/shop"),
            ("../shop", "../shop"),
        ],
    )
    def test_the_way_to_it_does_not_matter(self, url: str, origin: str) -> None:
        assert normalise_origin(url) == origin

    def test_it_is_found_from_every_worktree_layout(self, tmp_path: Path) -> None:
        url = "https://git.example.org/shop"
        plain, bare, pointed = tmp_path / "plain", tmp_path / "bare.git", tmp_path / "pointed"
        git(tmp_path, "init", str(plain))
        git(tmp_path, "init", "--bare", str(bare))
        for folder in (plain, bare):
            git(folder, "remote", "add", "origin", url)
        pointed.mkdir()
        (pointed / ".git").write_text("gitdir: ../bare.git\n")
        git(plain, "commit", "--allow-empty", "-m", "x")
        git(plain, "worktree", "add", str(tmp_path / "linked"))
        for folder in (plain, bare, pointed, tmp_path / "linked"):
            assert find_origin(str(folder)) == "git.example.org/shop"

    @pytest.mark.parametrize(
        "config",
        [
            None,
            "",
            '[remote "fork"]\n\turl = https://x.example.org/y\n',
            '[remote "origin"]\n\tfetch = x\n[other]\n\turl = https://x.example.org/y\n',
            '[remote "origin"]\n\turl =\n',
        ],
    )
    def test_there_may_be_none(self, tmp_path: Path, config: str | None) -> None:
        (tmp_path / ".git").mkdir()
        if config is not None:
            (tmp_path / ".git" / "config").write_text(config)
        assert find_origin(str(tmp_path)) is None

    @pytest.mark.parametrize("pointer", [b"gitdir: \n", b"gitdir: a\0b\n", b"nothing", b"\xff"])
    def test_a_git_file_that_leads_nowhere_is_no_repository(self, tmp_path: Path, pointer: bytes) -> None:
        (tmp_path / ".git").write_bytes(pointer)
        assert find_origin(str(tmp_path)) is None
