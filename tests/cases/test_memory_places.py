"""Names and links that lead out of the shelves, and which project a memory is of: O-17, O-18, O-27, O-28."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from cases.conftest import Note
from cases.memories import (
    IDS,
    added,
    fill,
    ids,
    put,
    repository,
    shelf_of,
    stored,
    texts,
    user_shelf,
    worktrees,
)
from cases.trees import tree
from house.invocation import Ran


@pytest.fixture
def mem(invoke: Note) -> Note:
    def run(*arguments: str, **options: Any) -> Ran:
        return invoke("memory", *arguments, **options)

    return run


# --- O-17: path traversal -------------------------------------------------------------------------------

EVIL = (
    *("../../evil", "../../evil.md", "/tmp/evil", "a/../../evil", "..\\evil", "C:evil", "~/x", "%2e%2e/evil"),
    *(
        "x\0",
        ".",
        "..",
        "",
        " ",
        ".git/config",
        "memory",
        ".lock",
        "../settings.json",
        "*",
        "[0-9a-f]",
        "0\n1",
    ),
    *("../entries/00000000000000a1", "00000000000000a1.md", "g" * 16, "0" * 17, "\u0660" * 16, "\ud800"),
)
CALLS = {
    "show": ("show", "NAME"),
    "edit": ("edit", "NAME", "--text", "x"),
    "delete": ("delete", "NAME", "--yes"),
    "archive": ("archive", "NAME"),
    "restore": ("restore", "NAME"),
    "pin": ("pin", "NAME"),
    "unpin": ("unpin", "NAME"),
}


@pytest.fixture
def guarded(home: Path) -> Path:
    """Return the folder around the home, with things in it that a name could lead to."""
    put(shelf_of(home), IDS[0], "old")
    (home / "settings.json").write_text("{}\n")
    (home.parent / "evil.md").write_text("outside\n")
    return home.parent


def _without_bookkeeping(found: dict[str, bytes | str]) -> dict[str, bytes | str]:
    """Leave out what every command that may write puts into a home."""
    own = {".lock", ".lock.json", "home.json", ".gitignore"}
    return {name: content for name, content in found.items() if name.removeprefix(".wuu/") not in own}


@pytest.mark.parametrize("command", CALLS)
def test_o17_no_id_leads_out_of_the_shelves(mem: Note, guarded: Path, command: str) -> None:
    before = tree(guarded)
    for name in EVIL:
        refused = mem(*(name if word == "NAME" else word for word in CALLS[command]), "--json")
        assert refused.exit_code == 2, name
        assert refused.json()["errors"][0]["code"] == "usage", name
        assert "outside" not in refused.stdout, name
        assert _without_bookkeeping(tree(guarded)) == before, name


@pytest.mark.parametrize("option", ["--session", "--profile"])
@pytest.mark.parametrize("name", ["../../evil", "..", ".", "/", "a/b", "a\\b", "a\nb", "a\0b", "x" * 300])
def test_o17_sessions_and_profiles_are_plain_names(mem: Note, guarded: Path, option: str, name: str) -> None:
    before = tree(guarded)
    for call in (("add", "x", "--session-scope"), ("add", "x", "--user"), ("list",), ("search", "x")):
        refused = mem(*call, option, name, "--json")
        assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (2, "usage")
    assert tree(guarded) == before


@pytest.mark.parametrize(
    "value", ["../../evil", "/tmp/evil", "..\\evil", "C:evil", "%2e%2e/evil", ".git/config"]
)
def test_o17_what_only_describes_names_no_file(mem: Note, guarded: Path, value: str) -> None:
    before = {name: content for name, content in tree(guarded).items() if "entries" not in name}
    made = added(mem, "new", f"--category={value}", f"--tag={value}", f"--source={value}")
    assert mem("show", made, "--json").data["memory"]["category"] == value
    after = _without_bookkeeping(tree(guarded))
    new = {name for name in after if name not in before and "entries" not in name}
    assert {name.rpartition("/")[2] for name in new} - {"workspace.json"} == {
        name.rpartition("/")[2] for name in new if "/receipts/" in name
    }
    assert all("entries" in name or content == before.get(name, content) for name, content in after.items())


def test_o17_a_project_that_is_not_there_is_named(mem: Note, guarded: Path) -> None:
    before = tree(guarded)
    for name in ("../nowhere", "/nowhere/at/all"):
        for call in (("add", "x"), ("list",), ("search", "x")):
            assert mem(*call, "--workspace", name).exit_code in (2, 3)
    assert tree(guarded) == before


# --- O-18: links ----------------------------------------------------------------------------------------


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    place.mkdir()
    put(place, IDS[1], "QUIETFOX")
    return place


LINKS = IDS[1:6]


@pytest.fixture
def with_links(home: Path, outside: Path) -> Path:
    shelf = shelf_of(home)
    put(shelf, IDS[0], "good")
    targets = (outside / f"{IDS[1]}.md", outside, outside / "gone.md", f"{IDS[0]}.md", "gone.md")
    for memory_id, target in zip(LINKS, targets, strict=True):
        (shelf / f"{memory_id}.md").symlink_to(target)
    (shelf / "dir").symlink_to(outside)
    return shelf


def test_o18_links_are_ignored_with_a_warning(mem: Note, with_links: Path) -> None:
    for call in (("list",), ("search", "QUIETFOX"), ("list", "--text", "quietfox"), ("search", "good")):
        done = mem(*call, "--json")
        assert done.exit_code == 0
        assert "QUIETFOX" not in done.stdout.replace('"query": "QUIETFOX"', "")
        named = [one["details"]["file"] for one in done.json()["warnings"] if one["code"] == "unsafe_file"]
        assert {name.rpartition("/")[2] for name in named} >= {f"{one}.md" for one in LINKS}
    assert ids(mem("list", "--json")) == [IDS[0]]
    assert ids(mem("search", "QUIETFOX", "--json")) == []


@pytest.mark.parametrize("command", CALLS)
@pytest.mark.parametrize("link", LINKS)
def test_o18_nothing_is_read_or_written_through_a_link(
    mem: Note, with_links: Path, outside: Path, command: str, link: str
) -> None:
    before = tree(with_links), tree(outside)
    refused = mem(*(link if word == "NAME" else word for word in CALLS[command]), "--json")
    assert refused.exit_code in (3, 5)
    assert "QUIETFOX" not in refused.stdout
    assert (tree(with_links), tree(outside)) == before


@pytest.mark.parametrize("folder", ["entries", "entries/default", "workspaces", "PROJECT", "PROJECT/entries"])
def test_o18_no_folder_of_the_home_leads_outside(mem: Note, home: Path, outside: Path, folder: str) -> None:
    project = shelf_of(home).parent
    user_shelf(home)
    place = Path(str(folder).replace("PROJECT", str(project.relative_to(home))))
    shutil.rmtree(home / place)
    (home / place).symlink_to(outside)
    for below in ("default", f"{project.name}/entries", "entries"):
        (outside / below).mkdir(parents=True, exist_ok=True)
        put(outside / below, IDS[2], "QUIETFOX")
    before = tree(outside)
    for call in (
        *(("list",), ("search", "QUIETFOX"), ("show", IDS[2]), ("status",), ("index", "rebuild")),
        *(
            ("add", "new"),
            ("add", "new", "--user"),
            ("edit", IDS[2], "--text", "x"),
            ("delete", IDS[2], "--yes"),
        ),
    ):
        done = mem(*call)
        assert done.exit_code in (0, 3, 5), call
        assert "QUIETFOX" not in done.stdout + done.stderr, call
    assert tree(outside) == before


def _smoke(mem: Note, home: Path) -> list[object]:
    """Run the commands once; return what can be compared between two homes."""
    memory_id = added(mem, "Tag, build, announce QUOLL.", "--home", str(home))
    calls = (
        ("add", "Tag, build, announce quoll."),
        ("pin", memory_id),
        ("edit", memory_id, "--scope", "user", "--add-tag", "ship"),
        ("archive", memory_id),
        ("restore", memory_id),
        ("list",),
        ("search", "QUOLL"),
        ("delete", memory_id, "--yes"),
        ("list",),
    )
    said = [mem(*call, "--home", str(home)) for call in calls]
    return [
        (done.exit_code, *(text.replace(memory_id, "ID") for text in (done.stdout, done.stderr)))
        for done in said
    ]


def test_o18_a_home_behind_a_link_works_like_any_other(mem: Note, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("elsewhere")
    plain = _smoke(mem, tmp_path / "plain")
    assert {one[0] for one in plain} == {0}
    assert _smoke(mem, tmp_path / "link") == plain
    assert (tmp_path / "link").is_symlink()


# --- O-27: two projects ---------------------------------------------------------------------------------

PLACES = ("w/blue-heron", "w/blue/heron", "w/a/app", "w/b/app", "w/a b", "w/a-b", "w/a.b", "w/A-B", "w/项目")


def test_o27_each_project_sees_only_its_own(
    mem: Note, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {}
    for name in PLACES:
        monkeypatch.chdir(repository(tmp_path / name))
        made[name] = added(mem, f"secret of {name}")
    for name, memory_id in made.items():
        monkeypatch.chdir(tmp_path / name)
        assert texts(mem("list", "--json")) == [f"secret of {name}"]
        assert ids(mem("search", "secret", "--json")) == [memory_id]
        for other in made.values():
            assert mem("show", other).exit_code == (0 if other == memory_id else 3)
            assert mem("delete", other, "--dry-run").exit_code == (0 if other == memory_id else 3)
    monkeypatch.chdir("/")
    assert texts(mem("list", "--json")) == []
    for name in PLACES:
        assert texts(mem("search", "secret", "--workspace", str(tmp_path / name), "--json")) == [
            f"secret of {name}"
        ]


def test_o27_profiles_and_sessions_are_apart_too(mem: Note, home: Path) -> None:
    added(mem, "mine", "--user", "--profile", "ada")
    added(mem, "yours", "--user", "--profile", "Ada")
    added(mem, "now", "--session-scope", "--session", "s.1")
    added(mem, "then", "--session-scope", "--session", "s-1")
    assert texts(mem("list", "--profile", "ada", "--json")) == ["mine"]
    assert texts(mem("list", "--profile", "Ada", "--json")) == ["yours"]
    assert texts(mem("list", "--json")) == []
    assert texts(mem("list", "--session", "s.1", "--json")) == ["now"]


# --- O-28: worktrees and bare layouts -------------------------------------------------------------------


def _bare(folder: Path) -> list[Path]:
    """Make the layout of a bare repository in .bare with two worktrees beside it."""
    bare = fill(folder / ".bare")
    (folder / ".git").write_text("gitdir: ./.bare\n")
    for name in ("one", "two"):
        private = bare / "worktrees" / name
        private.mkdir(parents=True)
        (folder / name).mkdir()
        (private / "HEAD").write_text(f"ref: refs/heads/{name}\n")
        (private / "commondir").write_text("../..\n")
        (folder / name / ".git").write_text(f"gitdir: {private}\n")
    return [folder, folder / "one", folder / "two"]


@pytest.mark.parametrize("layout", ["worktrees", "bare"])
def test_o28_all_worktrees_share_one_project_and_nothing_is_lost_with_one(
    mem: Note, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str
) -> None:
    (tmp_path / "r").mkdir()
    places = worktrees(tmp_path / "r") if layout == "worktrees" else _bare(tmp_path / "r")
    monkeypatch.setenv("PATH", "/nowhere")
    for number, place in enumerate(places):
        (place / "deep" / "er").mkdir(parents=True)
        monkeypatch.chdir(place / "deep" / "er")
        added(mem, f"fact {number}")
    for place in places:
        monkeypatch.chdir(place)
        assert mem("list", "--json").data["total"] == len(places)
    monkeypatch.chdir(places[0])
    shutil.rmtree(places[-1])
    assert mem("list", "--json").data["total"] == len(places)
    assert mem("search", f"{len(places) - 1}", "--json").data["total"] == 1
    assert len({name.split("/entries/")[0] for name in stored(home)}) == 1
    assert mem("list", "--workspace", str(places[0] / "deep"), "--json").data["total"] == 0


def test_o28_a_submodule_and_a_nested_repository_are_projects_of_their_own(
    mem: Note, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer = repository(tmp_path / "outer")
    nested = repository(outer / "vendor" / "nested")
    module = outer / "module"
    module.mkdir()
    inside = fill(outer / ".git" / "modules" / "module")
    (inside / "config").write_text("[core]\n\tworktree = ../../../module\n")
    (module / ".git").write_text("gitdir: ../.git/modules/module\n")
    for place in (outer, nested, module):
        monkeypatch.chdir(place)
        added(mem, f"fact of {place.name}")
    for place in (outer, nested, module):
        monkeypatch.chdir(place)
        assert texts(mem("list", "--json")) == [f"fact of {place.name}"]


def test_o28_no_folder_in_a_project_is_taken_for_a_home(
    mem: Note, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = repository(tmp_path / "project")
    shadow = place / ".wuu"
    put(shelf_of(shadow, place), IDS[0], "planted")
    put(user_shelf(shadow), IDS[1], "planted too")
    monkeypatch.chdir(place)
    before = tree(place)
    assert texts(mem("list", "--json")) == []
    added(mem, "mine")
    added(mem, "mine too", "--user")
    assert sorted(texts(mem("list", "--json"))) == ["mine", "mine too"]
    assert tree(place) == before


def test_o28_where_a_repository_is_odd_the_folder_is_the_project(
    mem: Note, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = [tmp_path / name for name in ("empty", "loop", "gone", "folder")]
    for place in odd:
        place.mkdir()
    (odd[0] / ".git").write_text("")
    (odd[1] / ".git").write_text("gitdir: .git\n")
    (odd[2] / ".git").write_text("gitdir: /nowhere/at/all\n")
    (odd[3] / ".git").mkdir()
    for place in odd:
        monkeypatch.chdir(place)
        added(mem, f"fact of {place.name}")
        assert texts(mem("list", "--json")) == [f"fact of {place.name}"]
        assert not (place / ".wuu").exists()
