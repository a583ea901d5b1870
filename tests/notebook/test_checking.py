"""The check of a notebook as a whole: its order, its folder, any bytes at all; and that it only looks."""

import os
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notebook.check_looking import INDEX, TOPIC, look, short, topic
from wuu.errors import NotFound
from wuu.notebook import actions, plans, values
from wuu.notebook.checking import check
from wuu.notebook.topics import Notebook
from wuu.problems import CODES, Problem
from wuu.situation.situation import resolve_situation
from wuu.store.home import Home


def test_a_sound_notebook_has_no_problem(shelf) -> None:
    assert look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC}) == []
    assert check(shelf.notebook).checked == 2
    assert check(shelf.notebook).folder == str(shelf.folder)


def test_every_code_of_a_notebook_has_a_test_here() -> None:
    sources = sorted(Path(__file__).parent.glob("test_check*.py"))
    source = "".join(path.read_text(encoding="utf-8") for path in sources)
    of_the_home = {
        "entry_invalid",
        "entry_name",
        "entry_twice",
        "too_many_pins",
        "workspace_invalid",
        "recovery_pending",
        "recovery_needed",
        "settings_invalid",
        "settings_unknown",
        "home_invalid",
    }
    assert [code for code in CODES if code not in of_the_home and f'"{code}"' not in source] == []


def test_the_order_is_file_line_code(shelf) -> None:
    files = {
        "MEMORY.md": INDEX + "[a](/x) [b](b.md)\n",
        "a.md": "x",
        "ferry.md": topic(type="odd", name=""),
    }
    assert look(shelf, files) == [
        ("dangling_link", "MEMORY.md", 4),
        ("link_leaves_notebook", "MEMORY.md", 4),
        ("frontmatter_missing", "a.md", None),
        ("not_indexed", "a.md", None),
        ("name_missing", "ferry.md", None),
        ("unknown_type", "ferry.md", 3),
    ]


def _tree(root: Path) -> list[tuple[object, ...]]:
    found = []
    for path in sorted([root, *root.rglob("*")]):
        info = path.lstat()
        data = path.read_bytes() if path.is_file() else b""
        found.append((str(path), data, info.st_mtime_ns, info.st_ctime_ns, info.st_mode))
    return found


def _situation(home: Path, **options: bool):
    return resolve_situation(environ=dict(os.environ), cwd=os.getcwd(), home=str(home), **options)


@pytest.mark.parametrize("by_folder", [True, False])
def test_o38_a_check_changes_nothing(shelf, tmp_path: Path, *, by_folder: bool) -> None:
    shelf.put("MEMORY.md", INDEX + "- [Gone](gone.md)\n")
    shelf.put("ferry.md", "no frontmatter")
    shelf.put(".wuu-tmp-01", "half")
    (shelf.folder / "leak.md").symlink_to("/etc/hostname")
    roots = (tmp_path, Path(os.environ["HOME"]), Path.cwd())
    before = [_tree(root) for root in roots]
    folder = str(shelf.folder) if by_folder else None
    assert actions.check_notebook(_situation(shelf.folder.parent), folder).problems
    assert [_tree(root) for root in roots] == before


def test_a_folder_is_relative_to_the_current_one(shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC, "x.md": TOPIC})
    monkeypatch.chdir(shelf.folder.parent)
    checked = actions.check_notebook(_situation(shelf.folder / "no home"), "memory/")
    assert checked.folder == str(shelf.folder)
    assert (checked.checked, short(checked.problems)) == (3, [("not_indexed", "x.md", None)])
    assert short(check(Notebook(Home(str(shelf.folder)), "")).problems) == [("not_indexed", "x.md", None)]


def test_a_link_out_of_a_checked_folder_is_refused_although_it_stays_in_the_home(shelf) -> None:
    shelf.put("ferry.md", TOPIC)
    (shelf.folder.parent / "elsewhere.md").write_text(INDEX)
    (shelf.folder / "MEMORY.md").symlink_to("../elsewhere.md")
    found = actions.check_notebook(_situation(shelf.folder.parent), str(shelf.folder))
    assert short(found.problems) == [("unsafe_file", "MEMORY.md", None)]


def test_a_checked_folder_may_be_a_link(shelf, tmp_path: Path) -> None:
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC})
    (tmp_path / "link").symlink_to(shelf.folder)
    assert actions.check_notebook(_situation(tmp_path / "none"), str(tmp_path / "link")).problems == ()


def test_o38_a_folder_that_is_not_there_is_never_green(shelf, tmp_path: Path) -> None:
    situation = _situation(tmp_path / "none")
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("x")
    for folder in ("gone", "file", "empty"):
        with pytest.raises(NotFound, match=folder):
            actions.check_notebook(situation, str(tmp_path / folder))
    with pytest.raises(NotFound, match="no notebook yet") as caught:
        actions.check_notebook(situation)
    assert "notebook write" in (caught.value.hint or "")
    assert not (tmp_path / "none").exists()


def test_a_folder_that_changes_meanwhile_is_looked_at_again(shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC, "late.md": TOPIC})
    really, looks = Notebook.read_index, []

    def read_index(notebook: Notebook) -> bytes | None:
        looks.append(1)
        data = really(notebook)
        if len(looks) == 1:
            shelf.put("MEMORY.md", INDEX + "- [Late](late.md)\n")
        return data

    monkeypatch.setattr(Notebook, "read_index", read_index)
    assert check(shelf.notebook).problems == ()
    assert len(looks) == 2


def test_a_folder_that_never_rests_is_looked_at_three_times(shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC})
    really, looks = Notebook.read_index, []

    def read_index(notebook: Notebook) -> bytes | None:
        looks.append(1)
        shelf.put("ferry.md", TOPIC + "x\n" * len(looks))
        return really(notebook)

    monkeypatch.setattr(Notebook, "read_index", read_index)
    assert check(shelf.notebook).problems == ()
    assert len(looks) == 3


def test_a_topic_that_goes_meanwhile_is_no_problem(shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC, "gone.md": TOPIC})
    really = Notebook.read

    def read(notebook: Notebook, file: str) -> bytes | None:
        (shelf.folder / "gone.md").unlink(missing_ok=True)
        return really(notebook, file)

    monkeypatch.setattr(Notebook, "read", read)
    assert check(shelf.notebook).problems == ()


TEXTS = st.one_of(
    st.binary(max_size=200),
    st.lists(
        st.sampled_from(
            [
                b"---",
                b"name: x",
                b"description: a #b",
                b"metadata:",
                b"  type: y",
                b"- [a](a.md)",
                b"[x](../y)",
                b"<<<<<<< a",
                b"=======",
                b">>>>>>> b",
                b"```",
                b"verified: 2026-02-30",
                b"\xff",
                b"\xef\xbb\xbf",
                b"a: &x [*x]",
                b"\t",
                b"| b.md | c |",
                b"[[A]]",
                b"[r]: /etc",
                b"type: 'x",
                b"# Head",
                b"\x00",
            ]
        ),
        max_size=12,
    ).map(b"\n".join),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(["MEMORY.md", "a.md", "b.md", "A.md", ".wuu-tmp-1", "c"]), TEXTS))
def test_no_bytes_make_a_check_fail(shelf, files: dict[str, bytes]) -> None:
    for path in list(shelf.folder.iterdir()):
        path.unlink()
    look(shelf, files)
    problems = check(shelf.notebook, 30).problems
    lengths = {name: data.count(b"\n") + 1 for name, data in files.items()}
    assert all(one.line is None or 1 <= one.line <= lengths[one.file] for one in problems)


LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=60).filter(
    str.strip
)
OF_THE_TEXT = {"unsafe_line", "secret_detected", "conflict_marker", "index_over_budget"}


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=LINE,
    description=st.none() | LINE,
    kind=st.none() | LINE,
    sources=st.lists(LINE, max_size=2).map(tuple),
    body=st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
)
def test_what_wuu_writes_is_sound(
    shelf, name: str, description: str | None, kind: str | None, sources: tuple[str, ...], body: str
) -> None:
    for path in list(shelf.folder.iterdir()):
        path.unlink()
    fields = values.Fields(name, description, kind, "2026-05-01", sources)
    shelf.commit(plans.plan_write, values.WriteTopic("new.md", body, fields))
    errors = [one for one in check(shelf.notebook).problems if one.severity == "error"]
    assert [one for one in errors if one.code not in OF_THE_TEXT] == []


def test_a_pipe_keeps_no_check_waiting(shelf) -> None:
    look(shelf, {"ferry.md": TOPIC})
    os.mkfifo(shelf.folder / "MEMORY.md")
    results: list[tuple[Problem, ...]] = []
    thread = threading.Thread(target=lambda: results.append(check(shelf.notebook).problems), daemon=True)
    thread.start()
    thread.join(30)
    assert [short(one) for one in results] == [[("unsafe_file", "MEMORY.md", None)]]
