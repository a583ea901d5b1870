"""Which project a directory belongs to, and its key (cases O-27 and O-28)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wuu.errors import NotFound, Refused
from wuu.situation.workspace import (
    MAX_SLUG_BYTES,
    NoProject,
    Workspace,
    find_git_root,
    find_workspace,
    get_project,
    workspace_key,
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with a real path in which nothing belongs to a repository."""
    folder = tmp_path.resolve() / "w"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "home" / ".wuu"


def _make_git_directory(path: Path, head: str = "ref: refs/heads/main\n") -> Path:
    for name in ("objects", "refs"):
        (path / name).mkdir(parents=True)
    (path / "HEAD").write_text(head)
    (path / "config").write_text("[core]\n\tbare = false\n")
    return path


def _make_repository(path: Path) -> Path:
    _make_git_directory(path / ".git")
    return path


def _make_worktree(path: Path, common: Path, *, relative: bool = False) -> Path:
    """Lay out a linked worktree as `git worktree add` does."""
    own = common / "worktrees" / path.name
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/topic\n")
    (own / "commondir").write_text("../..\n")
    (own / "gitdir").write_text(f"{path}/.git\n")
    path.mkdir(parents=True)
    target = os.path.relpath(own, path) if relative else str(own)
    (path / ".git").write_text(f"gitdir: {target}\n")
    return path


def _find(directory: Path, home: Path, override: Path | None = None) -> Workspace | NoProject:
    named = None if override is None else str(override)
    return find_workspace(str(directory), home=str(home), user_home=str(home.parent), override=named)


def _root(directory: Path, home: Path) -> str | None:
    return _find(directory, home).root


# --- keys ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("root", "key"),
    [
        ("/tmp/my workspace", "my-workspace-c05b205e98705a3d"),
        ("/srv/项目", "workspace-d965ae67b7af43d8"),
    ],
)
def test_the_keys_that_the_architecture_works_out(root: str, key: str) -> None:
    assert workspace_key(root) == key


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("app", "app"),
        ("A_b.c-d", "A_b.c-d"),
        ("a  +  b", "a-b"),
        ("a - b", "a---b"),
        ("..hidden--", "hidden"),
        ("...", "workspace"),
        ("x" * 60, "x" * 48),
        ("x" * 47 + "-y", "x" * 47),
    ],
)
def test_a_slug_keeps_what_is_plain(name: str, slug: str) -> None:
    assert workspace_key(f"/w/{name}").rpartition("-")[0] == slug


def test_o27_projects_with_similar_paths_have_keys_of_their_own() -> None:
    roots = ["/w/blue-heron", "/w/blue/heron", "/w/a/app", "/w/b/app", "/w/a b", "/w/a-b", "/w/a.b", "/w/A-B"]
    keys = {workspace_key(root) for root in roots}
    assert len(keys) == len(roots)
    assert len({key.casefold() for key in keys}) == len(roots)


@given(st.text(alphabet=st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1))
@example("\udcff")
def test_a_key_is_a_plain_short_name(name: str) -> None:
    slug, _, digits = workspace_key(f"/w/{name}").rpartition("-")
    assert slug
    assert slug == slug.strip(".-")
    assert len(slug.encode("ascii")) <= MAX_SLUG_BYTES
    assert len(digits) == 16


# --- git ----------------------------------------------------------------------------------------------------


def test_a_folder_in_a_repository_belongs_to_its_root(place: Path, home: Path) -> None:
    repository = _make_repository(place / "shop")
    (repository / "src" / "deep").mkdir(parents=True)
    found = _find(repository / "src" / "deep", home)
    assert found == Workspace(str(repository), workspace_key(str(repository)), "git")


@pytest.mark.parametrize("relative", [False, True])
def test_o28_linked_worktrees_share_the_workspace_of_the_main_one(
    place: Path, home: Path, *, relative: bool
) -> None:
    main = _make_repository(place / "shop")
    linked = _make_worktree(place / "elsewhere" / "shop-topic", main / ".git", relative=relative)
    (linked / "src").mkdir()
    assert _find(linked / "src", home) == _find(main, home)
    shutil.rmtree(linked)
    assert _root(main, home) == str(main)


def test_o28_in_a_bare_layout_all_worktrees_and_the_root_share_one_workspace(place: Path, home: Path) -> None:
    root = place / "shop"
    common = _make_git_directory(root / ".bare")
    (root / ".git").write_text("gitdir: ./.bare\n")
    linked = [_make_worktree(root / name, common) for name in ("main", "topic")]
    outside = _make_worktree(place / "review", common)
    for directory in (root, *linked, outside, common, common / "refs"):
        assert _root(directory, home) == str(root)


def test_o28_worktrees_of_a_plain_bare_repository_share_the_repository(place: Path, home: Path) -> None:
    common = _make_git_directory(place / "shop.git")
    linked = _make_worktree(place / "shop", common)
    assert _root(linked, home) == _root(common, home) == str(common)


def test_o28_a_bare_clone_in_dot_git_has_its_folder_as_root(place: Path, home: Path) -> None:
    root = place / "shop"
    common = _make_git_directory(root / ".git")
    linked = _make_worktree(root / "main", common)
    assert _root(linked, home) == _root(root, home) == _root(common / "refs", home) == str(root)


def test_o28_a_submodule_is_a_project_of_its_own_and_so_are_its_worktrees(place: Path, home: Path) -> None:
    outer = _make_repository(place / "outer")
    modules = _make_git_directory(outer / ".git" / "modules" / "inner")
    (modules / "config").write_text(
        '[core "x"]\n\tworktree = /no\n[Core]\n\tbare = false\n\tWorktree = ../../../inner\n'
    )
    inner = outer / "inner"
    inner.mkdir()
    (inner / ".git").write_text("gitdir: ../.git/modules/inner\n")
    linked = _make_worktree(place / "inner-topic", modules)
    assert _root(inner, home) == _root(linked, home) == _root(modules, home) == str(inner)
    assert _root(outer, home) == str(outer)


def test_o28_the_innermost_repository_counts(place: Path, home: Path) -> None:
    outer = _make_repository(place / "outer")
    inner = _make_repository(outer / "vendor" / "inner")
    assert _root(inner, home) == str(inner)
    assert _root(inner.parent, home) == str(outer)


def test_a_detached_head_is_a_repository(place: Path, home: Path) -> None:
    _make_git_directory(place / ".git", head="0123456789abcdef0123456789abcdef01234567\n")
    (place / "src").mkdir()
    assert _root(place / "src", home) == str(place)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"gitdir:\n",
        b"gitdir: \n",
        b"gitdir: /nowhere/at/all\n",
        b"gitdir: \0\n",
        b"gitdir: \xff\xfe\n",
        b"nonsense",
        b"gitdir: .\n",
        b"gitdir: " + b"x" * 70_000,
    ],
)
def test_o28_a_malformed_git_file_is_no_repository(place: Path, home: Path, content: bytes) -> None:
    outer = _make_repository(place / "outer")
    inner = outer / "inner"
    inner.mkdir()
    (inner / ".git").write_bytes(content)
    assert _root(inner, home) == str(outer)


def test_o28_a_git_folder_that_git_would_not_accept_is_no_repository(place: Path, home: Path) -> None:
    (place / "empty" / ".git").mkdir(parents=True)
    (_make_git_directory(place / "no-head" / ".git") / "HEAD").unlink()
    _make_git_directory(place / "odd-head" / ".git", head="who knows\n")
    (_make_git_directory(place / "no-refs" / ".git") / "refs").rmdir()
    for name in ("empty", "no-head", "odd-head", "no-refs"):
        found = _find(place / name, home)
        assert (found.root, found.found_by) == (str(place / name), "directory")


def test_special_files_are_never_opened(place: Path, home: Path) -> None:
    os.mkfifo(place / ".git")
    assert _root(place, home) == str(place)
    (place / "a" / ".git").mkdir(parents=True)
    os.mkfifo(place / "a" / ".git" / "HEAD")
    assert find_git_root(str(place / "a")) is None


def test_o28_a_stale_worktree_falls_back_to_its_own_directory(place: Path, home: Path) -> None:
    main = _make_repository(place / "shop")
    linked = _make_worktree(place / "topic", main / ".git")
    shutil.rmtree(main)
    assert _root(linked, home) == str(linked)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to compare with")
def test_o28_git_itself_lays_out_worktrees_that_share_one_root(
    place: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*arguments: str, cwd: Path) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"]
        subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True)

    git("init", "-q", "main", cwd=place)
    main = place / "main"
    git("commit", "-q", "--allow-empty", "-m", "start", cwd=main)
    git("worktree", "add", "-q", "../linked", cwd=main)
    git("clone", "-q", "--bare", "main", "bare/.bare", cwd=place)
    (place / "bare" / ".git").write_text("gitdir: ./.bare\n")
    git("worktree", "add", "-q", "--detach", "one", cwd=place / "bare")
    git("init", "-q", "outer", cwd=place)
    git("submodule", "add", "-q", str(main), "sub", cwd=place / "outer")
    git("worktree", "add", "-q", str(place / "sub-linked"), cwd=place / "outer" / "sub")
    monkeypatch.setenv("PATH", "")
    assert _root(place / "linked", home) == _root(main, home) == str(main)
    assert _root(place / "bare" / "one", home) == _root(place / "bare", home) == str(place / "bare")
    assert (
        _root(place / "sub-linked", home)
        == _root(place / "outer" / "sub", home)
        == str(place / "outer" / "sub")
    )


# --- without git --------------------------------------------------------------------------------------------


def _know(home: Path, root: Path) -> Path:
    """Have the home keep something for a project, and return where."""
    folder = home / "workspaces" / workspace_key(str(root))
    folder.mkdir(parents=True)
    (folder / "workspace.json").write_text("{}")
    return folder


def test_an_empty_folder_that_a_moved_project_left_makes_nothing_known(place: Path, home: Path) -> None:
    deep = place / "a" / "b"
    deep.mkdir(parents=True)
    entries = home / "workspaces" / workspace_key(str(place / "a")) / "entries"
    entries.mkdir(parents=True)
    assert _root(deep, home) == str(deep)
    (entries / ".wuu-tmp-0123").touch()
    assert _root(deep, home) == str(deep)
    (entries / f"{'a' * 16}.md").touch()
    assert _root(deep, home) == str(place / "a")


def test_the_nearest_known_workspace_above_counts(place: Path, home: Path) -> None:
    deep = place / "a" / "b" / "c"
    deep.mkdir(parents=True)
    assert _find(deep, home) == Workspace(str(deep), workspace_key(str(deep)), "directory")
    for known in (place / "a", place / "a" / "b"):
        _know(home, known)
        assert _find(deep, home) == Workspace(str(known), workspace_key(str(known)), "known")
    assert _root(place / "a", home) == str(place / "a")
    assert _root(place, home) == str(place)


def test_a_known_workspace_inside_a_repository_does_not_split_it(place: Path, home: Path) -> None:
    repository = _make_repository(place / "shop")
    (repository / "docs").mkdir()
    (home / "workspaces" / workspace_key(str(repository / "docs"))).mkdir(parents=True)
    assert _root(repository / "docs", home) == str(repository)


def test_links_are_resolved(place: Path, home: Path) -> None:
    (place / "real").mkdir()
    (place / "link").symlink_to("real")
    assert _find(place / "link", home) == _find(place / "real", home)


def test_the_home_directory_and_the_root_of_the_disk_are_no_projects(place: Path, home: Path) -> None:
    home.parent.mkdir()
    assert _find(home.parent, home) == NoProject(str(home.parent))
    assert _find(Path("/"), home) == NoProject("/")
    (place / "link").symlink_to(home.parent)
    assert _find(place / "link", home) == NoProject(str(home.parent))
    assert _find(place, home, override=home.parent) == NoProject(str(home.parent))
    assert NoProject("/").root is None


def test_a_repository_around_the_home_directory_takes_nothing_in(home: Path) -> None:
    _make_repository(home.parent)
    (home / "workspaces" / workspace_key(str(home.parent))).mkdir(parents=True)
    project = home.parent / "projects" / "shop"
    project.mkdir(parents=True)
    assert _root(project, home) == str(project)
    assert _find(home.parent, home) == NoProject(str(home.parent))


def test_no_project_is_refused_with_a_way_out() -> None:
    with pytest.raises(Refused) as caught:
        get_project(NoProject("/"))
    assert "--user" in (caught.value.hint or "")
    here = Workspace("/w", "w-1", "git")
    assert get_project(here) is here


def test_an_override_is_the_root_as_it_is(place: Path, home: Path) -> None:
    main = _make_repository(place / "shop")
    linked = _make_worktree(place / "topic", main / ".git")
    found = _find(main, home, override=linked)
    assert found == Workspace(str(linked), workspace_key(str(linked)), "override")


def test_an_override_may_be_gone_if_it_is_known(place: Path, home: Path) -> None:
    with pytest.raises(NotFound):
        _find(place, home, override=place / "gone")
    _know(home, place / "gone")
    assert _find(place, home, override=place / "gone").root == str(place / "gone")


def test_looking_for_a_workspace_writes_nothing(place: Path, home: Path) -> None:
    _find(place, home)
    assert not home.exists()
    assert list(place.iterdir()) == []
