"""What people wrote into MEMORY.md, and whole notebooks of the shared data, byte for byte: case O-40."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases.conftest import Note
from cases.trees import added_lines, copy_files, tree

HANDWRITTEN = """# Memory of the crew

An intro paragraph that mentions harbour.md and [a link](https://example.org/x.md) in prose.
It goes on here.

<!-- a comment with - [Hidden](hidden.md) inside
- [Hidden too](hidden-too.md)
-->

1. first step
2. second step, see [[harbour]]

| topic | why |
|-------|-----|
| [Harbour](harbour.md) | moorings |

## My section

- [Tides](tides.md) — when to leave
  - nested bullet without a link
    - deeper
  wrapped text
* a star bullet
+ a plus bullet

```markdown
- [x](y.md)
- [Tides](tides.md)
```

~~~
- [z](z.md)
~~~

    - [indented code](code.md)

> - [quoted](quoted.md)

Term
: definition \t with trailing blanks   \u0020

***
last line without an end"""


@pytest.fixture
def crew(notebook: Path) -> Path:
    (notebook / "MEMORY.md").write_bytes(HANDWRITTEN.encode())
    (notebook / "harbour.md").write_text("---\nname: Harbour\n---\nmoorings\n")
    (notebook / "tides.md").write_text("---\nname: Tides\ndescription: when to leave\n---\nebb\n")
    return notebook


def test_o40_a_new_topic_adds_one_line_and_forgetting_it_restores_every_byte(note: Note, crew: Path) -> None:
    before = tree(crew)
    assert note("write", "--name", "Z", "--description", "zed", "body").exit_code == 0
    after = (crew / "MEMORY.md").read_text()
    assert added_lines(HANDWRITTEN, after) == ["- [Z](z.md) — zed\n"]
    assert note("forget", "z.md", "--yes").exit_code == 0
    assert tree(crew) == before


def test_o40_the_line_goes_where_the_entries_are(note: Note, crew: Path) -> None:
    note("write", "--name", "Z", "body")
    lines = (crew / "MEMORY.md").read_text().splitlines()
    at = lines.index("- [Z](z.md)")
    assert lines.index("## My section") < at < lines.index("```markdown")
    assert lines.index("- [Tides](tides.md) — when to leave") < at


def test_o40_code_and_comments_are_no_entries(note: Note, crew: Path) -> None:
    listed = note("list", "--json").data
    assert not {"x.md", "y.md", "z.md", "hidden.md", "hidden-too.md"} & set(listed["dangling"])
    assert all(entry["indexed"] for entry in listed["files"])
    for name in ("x", "y", "z", "hidden"):
        assert note("write", f"{name}.md", "body").exit_code == 0
        assert f"\n- [{name}]({name}.md)\n" in (crew / "MEMORY.md").read_text()
        assert note("forget", f"{name}.md", "--yes").exit_code == 0
        assert (crew / "MEMORY.md").read_bytes() == HANDWRITTEN.encode()


def test_o40_forgetting_a_topic_of_a_list_takes_its_lines_only(note: Note, crew: Path) -> None:
    assert note("forget", "tides.md", "--yes").exit_code == 0
    left = (crew / "MEMORY.md").read_text()
    removed = added_lines(left, HANDWRITTEN)
    assert removed == ["- [Tides](tides.md) — when to leave\n"]


def test_o40_forgetting_a_topic_names_the_prose_that_stays(note: Note, crew: Path) -> None:
    done = note("forget", "harbour.md", "--yes", "--json").json()
    left = (crew / "MEMORY.md").read_text()
    assert added_lines(left, HANDWRITTEN) == ["| [Harbour](harbour.md) | moorings |\n"]
    (warning,) = [one for one in done["warnings"] if one["code"] == "still_named"]
    named = [HANDWRITTEN.splitlines()[number - 1] for number in warning["details"]["lines"]]
    assert named[0].startswith("An intro paragraph")
    assert "[[harbour]]" in named[1]


def test_o40_a_rename_changes_the_name_and_nothing_else(note: Note, crew: Path) -> None:
    assert note("rename", "tides.md", "currents.md").exit_code == 0
    expected = HANDWRITTEN.replace("- [Tides](tides.md) — when", "- [Tides](currents.md) — when")
    assert (crew / "MEMORY.md").read_text() == expected
    assert note("rename", "currents.md", "tides.md").exit_code == 0
    assert (crew / "MEMORY.md").read_bytes() == HANDWRITTEN.encode()


def test_o40_a_new_description_changes_the_line_that_wuu_wrote(note: Note, crew: Path) -> None:
    assert note("edit", "tides.md", "--description", "when to come back").exit_code == 0
    expected = HANDWRITTEN.replace("— when to leave", "— when to come back")
    assert (crew / "MEMORY.md").read_text() == expected


@pytest.mark.parametrize(
    "line",
    [
        "- [Tides](tides.md): my own words",
        "- **[Tides](tides.md)** — when to leave",
        "- [ ] [Tides](tides.md) — when to leave, soon",
        "1. [Tides](memory/tides.md)\n   the hook on its own line",
        "| [Tides](tides.md) | mine |",
        "[Tides](./tides.md)",
        "- tides.md: mine",
        "- [[tides]] mine",
        "- [Tides](tides.md) and [Harbour](harbour.md)",
    ],
)
def test_o40_a_line_written_by_hand_is_not_rewritten(note: Note, crew: Path, line: str) -> None:
    index = f"prose\n\n{line}\n\nmore prose\n"
    (crew / "MEMORY.md").write_text(index)
    for call in (
        ("edit", "tides.md", "--description", "new"),
        ("verify", "tides.md"),
        ("edit", "tides.md", "--append", "x"),
    ):
        assert note(*call).exit_code == 0
        assert (crew / "MEMORY.md").read_text() == index
    assert note("write", "tides.md", "other body", "--replace", "--description", "newer").exit_code == 0
    assert (crew / "MEMORY.md").read_text() == index


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"\n",
        b"\xef\xbb\xbf",
        b"no newline",
        b"- [A](a.md)",
        b"- [A](a.md)\r\n- [B](b.md)",
        b"\xef\xbb\xbf# M\r\n\r\n* [A](a.md)\r\n\r\n\r\n",
        b"  - [A](a.md)\n",
        b"\t* [A](a.md)\n\tmore\n",
        b"```\nnever closed\n- [A](a.md)\n",
        b"<!-- never closed\n- [A](a.md)\n",
        b"a\rb\rc\r",
        b"mixed\r\n- [A](a.md)\nends\r\n",
        b"- [A](a.md)\n\n\n\n",
        b"\x00\x01\x02\n- [A](a.md)\n",
        b"# Only a heading",
        b"- item\n\n      code\n\n- [A](a.md)\n\n      code of A\n\ntext\n",
        b"- [A](a.md)\n  ```\n  - [Z](z.md)\n  ```\n- last\n",
    ],
)
def test_o40_any_index_gains_one_line_and_gets_it_back(note: Note, notebook: Path, index: bytes) -> None:
    (notebook / "MEMORY.md").write_bytes(index)
    (notebook / "a.md").write_text("a\n")
    before = tree(notebook)
    assert note("write", "z.md", "body", "--name", "Z").exit_code == 0
    written = (notebook / "MEMORY.md").read_bytes()
    assert written.count(b"\n") + written.count(b"[Z](z.md)") >= index.count(b"\n") + 1
    assert {entry["file"]: entry["indexed"] for entry in note("list", "--json").data["files"]}["z.md"]
    assert note("forget", "z.md", "--yes").exit_code == 0
    assert tree(notebook) == before


_LINES = st.sampled_from(
    (
        *(
            "- [A](a.md) — hook",
            "* [B](b.md)",
            "+ [C](c.md)",
            "1. [A](a.md)",
            "| [A](a.md) | x |",
            "prose",
            "",
            "  ",
        ),
        *(
            "  wrapped",
            "    code",
            "```",
            "~~~",
            "<!--",
            "-->",
            "<!-- x -->",
            "# H",
            "---",
            "a.md",
            "[[b]]",
            "> [A](a.md)",
        ),
        *(
            "\t- [B](b.md)",
            "- [ ] [A](a.md)",
            "`- [Z](z.md)`",
            "- [x](y.md) [A](a.md)",
            "[A](a.md)",
            "\u2028",
            "\\",
        ),
    )
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(_LINES, max_size=12),
    newline=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from(["", "\ufeff"]),
    ended=st.booleans(),
)
def test_o40_whatever_stands_there_survives(
    note: Note, notebook: Path, lines: list[str], newline: str, mark: str, ended: bool
) -> None:
    index = mark + newline.join(lines) + (newline if ended else "")
    (notebook / "MEMORY.md").write_bytes(index.encode())
    for name in ("a.md", "b.md"):
        (notebook / name).write_text("x\n")
    before = tree(notebook)
    assert note("write", "z.md", "body", "--name", "Z", "--description", "zed").exit_code == 0
    assert [one["indexed"] for one in note("list", "--json").data["files"] if one["file"] == "z.md"] == [True]
    assert note("edit", "z.md", "--description", "zet").exit_code == 0
    assert note("rename", "z.md", "zz.md").exit_code == 0
    assert note("forget", "zz.md", "--yes").exit_code == 0
    assert tree(notebook) == before


# --- the shared notebooks -------------------------------------------------------------------------------


def _notebooks(shared_data: Path) -> list[Path]:
    found = sorted(path for path in (shared_data / "notebooks").iterdir() if path.is_dir())
    assert len(found) >= 10
    return found


def test_o40_every_shared_notebook_is_listed_indexed_and_searched(
    note: Note, home: Path, shared_data: Path
) -> None:
    for source in _notebooks(shared_data):
        copy = home.parent / source.name
        copy_files(source, copy / "memory")
        before = tree(copy / "memory")
        at = ("--home", str(copy))
        for call in (("list",), ("index",), ("budget",), ("search", "the", "project"), ("search", "项目")):
            as_text, as_json = note(*call, *at), note(*call, *at, "--json")
            assert (as_text.exit_code, as_json.exit_code) == (0, 0), (source.name, call)
            assert "Traceback" not in as_text.stderr
            assert as_json.json()["status"] == "ok"
        listed = note("list", *at, "--json").data
        assert [one["file"] for one in listed["files"]] == sorted(set(before) - {"MEMORY.md"}), source.name
        assert not [one for one in listed["files"] if "error" in one], source.name
        for entry in listed["files"]:
            shown = note("read", entry["file"], "--max-bytes", "65536", *at, "--json").data
            assert shown["content"].encode() == before[entry["file"]]
        content = note("index", *at).stdout
        assert len(content.encode()) <= 25_000
        assert content.count("\n") < 200
        assert tree(copy / "memory") == before


def test_o40_a_write_and_a_forget_restore_every_shared_notebook(
    note: Note, home: Path, shared_data: Path
) -> None:
    for source in _notebooks(shared_data):
        copy = home.parent / source.name
        copy_files(source, copy / "memory")
        before = tree(copy / "memory")
        at = ("--home", str(copy))
        fields = ("--name", "Zz [quokka] test", "--description", "a hook with [x](y.md) and `code`")
        written = note("write", "body\n", *fields, *at, "--json")
        assert written.exit_code == 0, source.name
        file = written.data["file"]
        now = tree(copy / "memory")
        assert {name for name in now if now[name] != before.get(name)} == {"MEMORY.md", file}
        old, new = before["MEMORY.md"].decode(), now["MEMORY.md"].decode()
        if old.endswith("\n"):
            assert len(added_lines(old, new)) == 1, source.name
        assert note("forget", file, "--yes", *at).exit_code == 0
        assert tree(copy / "memory") == before, source.name


def test_o40_every_topic_of_the_shared_notebooks_is_verified_by_one_line(
    note: Note, home: Path, shared_data: Path
) -> None:
    for source in _notebooks(shared_data):
        copy = home.parent / source.name
        copy_files(source, copy / "memory")
        for path in sorted((copy / "memory").glob("*.md")):
            if path.name == "MEMORY.md":
                continue
            old, index = path.read_bytes(), (copy / "memory" / "MEMORY.md").read_bytes()
            assert note("verify", path.name, "--date", "2026-05-04", "--home", str(copy)).exit_code == 0
            assert _without_verified(path.read_bytes()) in (
                _without_verified(old),
                [b"---", b"---", *_without_verified(old)],
            )
            assert path.read_bytes().count(b"verified: 2026-05-04") == 1
            gained = (copy / "memory" / "MEMORY.md").read_bytes()
            assert gained.count(b"\n") - index.count(b"\n") in (0, 1)


def _without_verified(data: bytes) -> list[bytes]:
    """Return the lines of a topic without the one that says when it was verified."""
    lines = [line.rstrip(b"\r") for line in data.split(b"\n")]
    return [line for line in lines if not line.strip().startswith(b"verified:")]


def test_o40_a_rename_there_and_back_restores_every_shared_notebook(
    note: Note, home: Path, shared_data: Path
) -> None:
    for source in _notebooks(shared_data):
        copy = home.parent / source.name
        copy_files(source, copy / "memory")
        before = tree(copy / "memory")
        for file in sorted(set(before) - {"MEMORY.md"})[:4]:
            for old, new in ((file, "zz-quokka.md"), ("zz-quokka.md", file)):
                assert note("rename", old, new, "--home", str(copy)).exit_code == 0, (source.name, file)
            assert tree(copy / "memory") == before, (source.name, file)
