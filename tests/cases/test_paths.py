"""Names that lead out of the notebook, links, and titles that make bad file names: O-17 to O-20."""

import os
import shutil
import unicodedata
from pathlib import Path

import pytest

from cases.conftest import Note
from cases.trees import entries, topic_names, tree

# --- O-17: path traversal -------------------------------------------------------------------------------

EVIL = (
    *("../../evil", "../../evil.md", "/tmp/evil", "/tmp/evil.md", "a/../../evil.md", "..\\evil.md", "~/x.md"),
    *("%2e%2e/evil.md", "x\0.md", "x.md\0", ".", "..", "...md", "", ".md", ".git/config", "./x.md", "x/y.md"),
    *("MEMORY.md", "memory.md", "Memory.MD", "MEMORY.md/", ".lock", "../.lock", ".lock.md", "home.json"),
    *("../settings.json", ".wuu-tmp-0123.md", "x", "x.txt", "x.md/", "CON", "//x.md", "\ud800.md", "x\n.md"),
)
CALLS = {
    "read": lambda name: ("read", name),
    "path": lambda name: ("path", name),
    "write": lambda name: ("write", name, "body"),
    "replace": lambda name: ("write", name, "body", "--replace"),
    "edit": lambda name: ("edit", name, "--append", "more"),
    "verify": lambda name: ("verify", name),
    "rename": lambda name: ("rename", name, "safe.md"),
    "rename to": lambda name: ("rename", "old.md", name),
    "forget": lambda name: ("forget", name, "--yes"),
}


@pytest.fixture
def guarded(home: Path, notebook: Path) -> Path:
    """Return the folder around the home, with things in it that a name could lead to."""
    (notebook / "old.md").write_text("old\n")
    (notebook / "MEMORY.md").write_text("- [Old](old.md)\n")
    (notebook / "x").mkdir()
    (notebook / ".git").mkdir()
    (notebook / ".git" / "config").write_text("private\n")
    (home / "settings.json").write_text("{}\n")
    (home.parent / "evil.md").write_text("outside\n")
    return home.parent


def _without_bookkeeping(found: dict[str, bytes | str]) -> dict[str, bytes | str]:
    """Leave out what every command that may write puts into a home."""
    own = {".lock", ".lock.json", "home.json", ".gitignore"}
    return {name: content for name, content in found.items() if name.removeprefix(".wuu/") not in own}


@pytest.mark.parametrize("command", CALLS)
def test_o17_no_name_leads_out_of_the_notebook(note: Note, guarded: Path, command: str) -> None:
    before = tree(guarded)
    for name in EVIL:
        if (command, name) == ("path", "MEMORY.md"):
            continue  # the index has a path like any other file
        refused = note(*CALLS[command](name), "--json")
        assert refused.exit_code == 2, name
        assert refused.json()["errors"][0]["code"] == "usage", name
        assert refused.data == {}, name
        assert _without_bookkeeping(tree(guarded)) == before, name


@pytest.mark.parametrize(
    "name",
    ["C:evil.md", "a:b.md", "NUL.md", "com1.md", "aux.txt.md", "trailing..md", "a .md", "x" * 250 + ".md"],
)
def test_o17_a_name_that_another_system_would_bend_is_not_made(note: Note, guarded: Path, name: str) -> None:
    before = tree(guarded)
    for command in ("write", "rename to"):
        assert note(*CALLS[command](name)).exit_code == 2
    for command in ("read", "edit", "forget"):
        assert note(*CALLS[command](name)).exit_code in (2, 3)
    assert _without_bookkeeping(tree(guarded)) == before


@pytest.mark.parametrize("option", ["--home", "--session", "--profile"])
@pytest.mark.parametrize("name", ["../../evil", "..", "/", "~root/x"])
def test_o17_other_names_lead_nowhere_either(note: Note, guarded: Path, option: str, name: str) -> None:
    before = tree(guarded)
    done = note("read", "old.md", option, name, "--json")
    assert done.exit_code in (0, 2, 3)
    assert done.json()["status"] in ("ok", "error")
    assert _without_bookkeeping(tree(guarded)) == before


def test_o17_the_target_of_an_index_line_is_only_ever_a_name(note: Note, guarded: Path) -> None:
    index = "".join(
        f"- [x]({target})\n"
        for target in (
            "../../evil.md",
            "/tmp/evil.md",
            "..%2fevil.md",
            "%2e%2e%2fevil.md",
            "~/x.md",
            "a/b.md",
        )
    )
    (guarded / ".wuu" / "memory" / "MEMORY.md").write_text(index)
    before = tree(guarded)
    assert note("list", "--json").data["dangling"] == []
    assert "outside" not in note("index").stdout
    assert note("forget", "evil.md", "--yes").exit_code == 3
    assert _without_bookkeeping(tree(guarded)) == before


# --- O-18: links ----------------------------------------------------------------------------------------


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    place.mkdir()
    (place / "secret.md").write_text("QUIETFOX\n")
    return place


@pytest.fixture
def with_links(notebook: Path, outside: Path) -> Path:
    (notebook / "leak.md").symlink_to(outside / "secret.md")
    (notebook / "dir").symlink_to(outside)
    (notebook / "folder.md").symlink_to(outside)
    (notebook / "broken.md").symlink_to(outside / "not-there.md")
    (notebook / "alias.md").symlink_to("good.md")
    (notebook / "dangling.md").symlink_to("gone.md")
    (notebook / "good.md").write_text("---\nname: Good\n---\ngood\n")
    (notebook / "MEMORY.md").write_text("- [Good](good.md)\n- [Leak](leak.md)\n")
    return notebook


LINKS = ["leak.md", "folder.md", "broken.md", "alias.md", "dangling.md"]


def test_o18_links_are_ignored_with_a_warning(note: Note, with_links: Path) -> None:
    for call in (("list",), ("search", "QUIETFOX")):
        done = note(*call, "--json")
        assert done.exit_code == 0
        assert "QUIETFOX" not in done.stdout.replace('"query": "QUIETFOX"', "")
        named = {one["details"]["file"] for one in done.json()["warnings"] if one["code"] == "unsafe_file"}
        assert named >= set(LINKS)
        assert "leak.md is a link" in note(*call).stderr
    assert [entry["file"] for entry in note("list", "--json").data["files"]] == ["good.md"]
    assert note("search", "QUIETFOX", "--json").data["topics"] == []


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("command", ["read", "write", "replace", "edit", "verify", "rename", "rename to"])
def test_o18_nothing_is_read_or_written_through_a_link(
    note: Note, with_links: Path, outside: Path, command: str, name: str
) -> None:
    (with_links / "old.md").write_text("old\n")
    before = tree(with_links), tree(outside)
    refused = note(*CALLS[command](name), "--json")
    assert refused.exit_code in (4, 5)
    assert "QUIETFOX" not in refused.stdout
    assert (tree(with_links), tree(outside)) == before


def test_o18_an_index_that_leads_outside_is_refused(note: Note, with_links: Path, outside: Path) -> None:
    (outside / "index.md").write_text("- [Secret](QUIETFOX.md)\n")
    (with_links / "MEMORY.md").unlink()
    (with_links / "MEMORY.md").symlink_to(outside / "index.md")
    before = tree(with_links), tree(outside)
    for call in (("index",), ("budget",), ("write", "new.md", "x"), ("forget", "good.md", "--yes")):
        refused = note(*call)
        assert refused.exit_code == 5
        assert "QUIETFOX" not in refused.stdout + refused.stderr
    assert "QUIETFOX" not in note("list", "--json").stdout
    assert (tree(with_links), tree(outside)) == before


@pytest.mark.parametrize("folder", ["memory", "journal", "receipts", "state"])
def test_o18_no_folder_of_the_home_leads_outside(note: Note, home: Path, outside: Path, folder: str) -> None:
    (home / "memory").mkdir()
    (home / "memory" / "old.md").write_text("old\n")
    if folder == "memory":
        shutil.rmtree(home / "memory")
    (home / folder).symlink_to(outside)
    before = tree(outside)
    assert note("list").exit_code in (0, 5)
    for call in (
        ("read", "old.md"),
        ("write", "new.md", "x"),
        ("search", "QUIETFOX"),
        ("forget", "old.md", "--yes"),
    ):
        assert note(*call).exit_code in (0, 3, 5)
    assert tree(outside) == before


def _smoke(note: Note, home: Path) -> list[object]:
    """Run every command once; return what can be compared between two homes."""
    calls = (
        ("write", "--name", "Deploy steps", "--description", "How we ship", "Tag, build, announce QUOLL."),
        ("write", "other.md", "other"),
        ("list",),
        ("index",),
        ("read", "deploy-steps.md"),
        ("edit", "deploy-steps.md", "--append", "more"),
        ("verify", "other.md", "--date", "2026-05-04"),
        ("rename", "other.md", "another.md"),
        ("search", "QUOLL"),
        ("budget",),
        ("forget", "another.md", "--yes"),
    )
    said = [note(*call, "--home", str(home)) for call in calls]
    return [*((done.exit_code, done.stdout, done.stderr) for done in said), tree(home / "memory")]


def test_o18_a_home_behind_a_link_works_like_any_other(note: Note, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("elsewhere")
    plain = _smoke(note, tmp_path / "plain")
    assert [status for status, *_ in plain[:-1]] == [0] * 11
    assert _smoke(note, tmp_path / "link") == plain
    assert (tmp_path / "link").is_symlink()
    moved = tmp_path / "moved"
    (tmp_path / "plain").rename(moved)
    (tmp_path / "plain").symlink_to(moved)
    assert note("search", "QUOLL", "--home", str(tmp_path / "plain"), "--json").data["total"] == 1


def test_o18_an_index_that_is_a_link_inside_the_home_is_written_through(note: Note, notebook: Path) -> None:
    (notebook / "index-source").write_text("# Mine\n")
    (notebook / "MEMORY.md").symlink_to("index-source")
    assert note("write", "new.md", "body", "--name", "New").exit_code == 0
    assert (notebook / "MEMORY.md").is_symlink()
    assert (notebook / "index-source").read_text() == "# Mine\n- [New](new.md)\n"


# --- O-19: file names from titles -----------------------------------------------------------------------

TITLES = (
    *(
        "部署说明",
        "Ответы",
        "C",
        "C++",
        "C#",
        "👍",
        "語" * 100,
        "a" * 300,
        "CON",
        "nul.md",
        "aux",
        "trailing.",
    ),
    *(".hidden", "a:b", "MEMORY"),
)
DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{digit}" for port in ("com", "lpt") for digit in range(1, 10)),
}


def test_o19_fifteen_titles_make_fifteen_good_files(note: Note, home: Path) -> None:
    made = [note("write", f"--name={title}", f"body of {title}.", "--json").data["file"] for title in TITLES]
    assert len({unicodedata.normalize("NFC", file).casefold() for file in made}) == len(TITLES) == 15
    assert topic_names(home / "memory") == set(made)
    for file in made:
        stem = file.removesuffix(".md")
        assert stem.strip(". ") == stem != ""
        assert len(file.encode()) <= 255 - len(".wuu-tmp-") - 16
        assert not set(file) & set('<>:"/\\|?*')
        assert stem.split(".")[0] not in DEVICES
        assert stem.casefold() != "memory"
        assert file == unicodedata.normalize("NFC", file)
    assert {entry["title"] for entry in note("list", "--json").data["files"]} == set(TITLES)
    assert sorted(entries((home / "memory" / "MEMORY.md").read_text())) == sorted(made)
    for title, file in zip(TITLES, made, strict=True):
        assert note("read", file, "--json").data["content"].endswith(f"body of {title}.\n")
        assert note("forget", file, "--yes").exit_code == 0
    assert entries((home / "memory" / "MEMORY.md").read_text()) == []


ODD_NAMES = (
    *(
        "~x.md",
        "#x.md",
        "a b.md",
        "(a).md",
        "[a].md",
        "<a>.md",
        "a?b.md",
        "100%.md",
        "%41.md",
        "a&b.md",
        "'a'.md",
    ),
    *(
        '"a".md',
        "-x.md",
        "--yes.md",
        "*a*.md",
        "_a_.md",
        "`a`.md",
        "a.b.md",
        "a.md.md",
        "语.md",
        "é.md",
        "e\u0301.md",
    ),
    *(
        "a,b;c.md",
        "!a.md",
        "@a.md",
        "$HOME.md",
        "=a.md",
        "\u00a0a.md",
        "memory-.md",
        "|a|.md",
        "1. a.md",
        "+a.md",
    ),
)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_o19_a_topic_of_any_accepted_name_is_indexed_and_unindexed(
    note: Note, notebook: Path, name: str
) -> None:
    (notebook / "MEMORY.md").write_text("# Memory\n\n- [Other](other.md)\n")
    (notebook / "other.md").write_text("other\n")
    before = tree(notebook)
    written = note("write", "--name", "Odd one", "--", name, "body QUOLL")
    if written.exit_code:
        assert written.exit_code == 2
        return
    listed = note("list", "--json").data
    assert {entry["file"]: entry["indexed"] for entry in listed["files"]} == {name: True, "other.md": True}
    assert listed["dangling"] == []
    assert [hit["file"] for hit in note("search", "QUOLL", "--json").data["topics"]] == [name]
    index = (notebook / "MEMORY.md").read_text()
    assert note("edit", "--append", "more", "--", name).exit_code == 0
    assert (notebook / "MEMORY.md").read_text() == index
    assert note("rename", "--", name, "plain.md").exit_code == 0
    assert note("rename", "--", "plain.md", name).exit_code == 0
    assert (notebook / "MEMORY.md").read_text() == index
    assert note("forget", "--yes", "--", name).exit_code == 0
    assert tree(notebook) == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("name", ["a:b.md", "http:x.md", "trailing..md", "CON.md", "~x.md", "#x.md", "a .md"])
def test_o19_a_file_of_an_unportable_name_gets_one_index_line(note: Note, notebook: Path, name: str) -> None:
    (notebook / name).write_text("made elsewhere\n")
    for body in ("one", "two", "three"):
        assert note("write", name, body, "--replace").exit_code == 0
    assert len((notebook / "MEMORY.md").read_text().splitlines()) == 3
    assert note("list", "--json").data["files"][0]["indexed"]
    assert note("forget", name, "--yes").exit_code == 0
    assert (notebook / "MEMORY.md").read_text() == "# Memory\n\n"


# --- O-20: the same, or nearly the same title -----------------------------------------------------------


@pytest.mark.parametrize("existing", ["crew-rota.md", "crew_rota.md", "Crew-Rota.md", "crew rota.md"])
def test_o20_a_title_that_exists_is_refused_with_the_way_to_go_on(
    note: Note, notebook: Path, existing: str
) -> None:
    (notebook / existing).write_text("---\nname: Crew Rota\n---\nfirst\n")
    before = tree(notebook)
    refused = note("write", "--name", "Crew Rota", "second")
    assert refused.exit_code == 4
    for part in (existing, "--append", "--replace"):
        assert part in refused.stderr
    (error,) = note("write", "--name", "Crew Rota", "second", "--json").json()["errors"]
    assert (error["code"], error["details"]["file"]) == ("already_exists", existing)
    assert tree(notebook) == before


def test_o20_writing_the_same_title_twice_keeps_the_first(note: Note, home: Path) -> None:
    assert note("write", "--name", "Crew Rota", "first").exit_code == 0
    before = tree(home / "memory")
    assert note("write", "--name", "Crew Rota", "second").exit_code == 4
    assert note("write", "crew-rota.md", "second").exit_code == 4
    assert tree(home / "memory") == before


def test_o20_variants_that_are_there_stay_visible(note: Note, notebook: Path) -> None:
    (notebook / "crew-rota.md").write_text("kebab QUOLL\n")
    (notebook / "Crew Rota.md").write_text("space QUOLL\n")
    assert {entry["file"] for entry in note("list", "--json").data["files"]} == {
        "crew-rota.md",
        "Crew Rota.md",
    }
    assert note("search", "QUOLL", "--json").data["total"] == 2
    for name in ("crew-rota.md", "Crew Rota.md"):
        assert note("read", name).exit_code == 0
    assert note("forget", "Crew Rota.md", "--yes").exit_code == 0
    assert topic_names(notebook) == {"crew-rota.md"}


def test_o20_a_new_variant_by_its_file_name_is_pointed_out(note: Note, notebook: Path) -> None:
    (notebook / "crew-rota.md").write_text("kebab\n")
    written = note("write", "crew_rota.md", "snake", "--json").json()
    (warning,) = [one for one in written["warnings"] if one["code"] == "similar_name"]
    assert warning["details"]["files"] == ["crew-rota.md"]


@pytest.mark.parametrize("name", ["Harbour.md", "HARBOUR.md", "harbour.md"])
def test_o20_names_that_differ_in_case_only_are_not_made(note: Note, notebook: Path, name: str) -> None:
    (notebook / "harbour.md").write_text("first\n")
    (notebook / "other.md").write_text("other\n")
    before = tree(notebook)
    assert note("write", name, "second").exit_code == 4
    assert note("rename", "other.md", name).exit_code == 4
    assert tree(notebook) == before


def test_o20_names_that_differ_in_normalisation_only_are_not_made(note: Note, notebook: Path) -> None:
    (notebook / "caf\u00e9.md").write_text("first\n")
    before = tree(notebook)
    assert note("write", "cafe\u0301.md", "second").exit_code == 4
    assert tree(notebook) == before


def test_o20_a_rename_of_case_keeps_the_content(note: Note, notebook: Path) -> None:
    (notebook / "harbour.md").write_text("the harbour\n")
    (notebook / "MEMORY.md").write_text("- [Harbour](harbour.md)\n")
    assert note("read", "harbour.md").exit_code == 0
    assert note("rename", "harbour.md", "Harbour.md").exit_code == 0
    assert tree(notebook) == {"Harbour.md": b"the harbour\n", "MEMORY.md": b"- [Harbour](Harbour.md)\n"}
    (entry,) = note("list", "--json").data["files"]
    assert (entry["file"], entry["reads"], entry["indexed"]) == ("Harbour.md", 1, True)


# --- O-27, O-28: projects and worktrees, as far as a notebook goes --------------------------------------


def _repository(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def test_o27_the_notebook_is_one_for_all_projects(
    note: Note, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [_repository(tmp_path / parent / "app") for parent in ("a", "b")]
    for number, place in enumerate(places):
        monkeypatch.chdir(place)
        assert note("write", f"from-{number}.md", f"QUOLL {number}").exit_code == 0
    for place in (*places, tmp_path, Path("/")):
        monkeypatch.chdir(place)
        assert note("search", "QUOLL", "--json").data["total"] == 2
        assert len(note("list", "--json").data["files"]) == 2
        assert note("read", "from-0.md").exit_code == 0
    assert [path.name for path in tmp_path.rglob("*.md")] == []


def test_o28_where_a_repository_is_odd_the_notebook_is_not(
    note: Note, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = [tmp_path / name for name in ("empty", "loop", "gone", "bare", "folder")]
    for place in odd:
        place.mkdir()
    (odd[0] / ".git").write_text("")
    (odd[1] / ".git").write_text("gitdir: .git\n")
    (odd[2] / ".git").write_text("gitdir: /nowhere/at/all\n")
    (odd[3] / "HEAD").write_text("ref: refs/heads/main\n")
    (odd[4] / ".git").mkdir()
    for place in odd:
        monkeypatch.chdir(place)
        assert note("write", f"{place.name}.md", "QUOLL").exit_code == 0
        assert note("budget", "--json").data["enabled"] is True
        assert not (place / ".wuu").exists()
    assert len(note("list", "--json").data["files"]) == len(odd)
