"""Every problem of MEMORY.md that a check finds, each beside a neighbour that has none."""

import pytest

from notebook.check_looking import INDEX, TOPIC, look, problems_of, topic
from wuu.notebook.checking import check


@pytest.mark.parametrize(
    ("index", "found"),
    [
        (INDEX + "- [Gone](gone.md) — away\n", [("dangling_link", "MEMORY.md", 4)]),
        (INDEX + "\nSee [that](gone.md) and [this](gone.md).\n", [("dangling_link", "MEMORY.md", 5)]),
        (INDEX + "- gone.md — away\n- gone.md\n", [("dangling_link", "MEMORY.md", n) for n in (4, 5)]),
        (
            INDEX + "- [a](a.md), [b](b.md)\n",
            [("dangling_link", "MEMORY.md", 4), ("dangling_link", "MEMORY.md", 4)],
        ),
        (INDEX + "- GONE.md / other pages (no plan for them)\n", []),
        (INDEX + "- `gone.md` was the old plan\n\n```\n- [x](y.md)\n```\n<!-- [x](z.md) -->\n", []),
        (INDEX + "We spoke of gone.md yesterday.\n\n| gone.md and more | x |\n", []),
    ],
)
def test_dangling_link(shelf, index: str, found: list[tuple[str, str, int]]) -> None:
    assert look(shelf, {"MEMORY.md": index, "ferry.md": TOPIC}) == found


def test_a_link_to_another_file_that_is_there_does_not_dangle(shelf) -> None:
    (shelf.folder / "plans").mkdir()
    index = INDEX + "- [Map](map.png)\n- [Plan](plans/one.md)\n- [Plans](plans)\n"
    assert look(shelf, {"MEMORY.md": index, "ferry.md": TOPIC, "map.png": b"\x89PNG"}) == []


def test_not_indexed(shelf) -> None:
    files = {"MEMORY.md": INDEX, "ferry.md": TOPIC, "harbour.md": topic(name="Harbour")}
    assert look(shelf, files) == [("not_indexed", "harbour.md", None)]
    assert look(shelf, {"MEMORY.md": INDEX + "\nSee [[Harbour]].\n"}) == []


def test_index_missing(shelf) -> None:
    assert look(shelf, {"ferry.md": TOPIC}) == [("index_missing", "MEMORY.md", None)]
    assert look(shelf, {"MEMORY.md": INDEX}) == []


def test_an_index_of_another_case_is_none(shelf) -> None:
    assert look(shelf, {"memory.md": INDEX, "ferry.md": TOPIC}) == [("index_missing", "MEMORY.md", None)]
    assert "memory.md" in check(shelf.notebook).problems[0].message


def test_an_empty_folder_misses_nothing(shelf) -> None:
    assert check(shelf.notebook).problems == ()
    assert check(shelf.notebook).checked == 0


def test_duplicate_entry(shelf) -> None:
    index = INDEX + "\n- [[ferry]] again\n- ferry.md\n- [Other](x.md)\n- [Ferry, and more](./ferry.md#top)\n"
    files = {"MEMORY.md": index, "ferry.md": TOPIC, "x.md": topic(name="X")}
    found = [problem for problem in problems_of(shelf, files) if problem.code == "duplicate_entry"]
    assert [problem.line for problem in found] == [5, 6, 8]
    assert all("line 3 " in problem.message and "ferry.md" in problem.message for problem in found)


def test_two_topics_on_one_line_are_no_duplicate(shelf) -> None:
    index = "- [Ferry](ferry.md) / [Harbour](harbour.md)\n- [Harbour](harbour.md): by [Ferry](ferry.md)\n"
    assert look(shelf, {"MEMORY.md": index, "ferry.md": TOPIC, "harbour.md": topic(name="Harbour")}) == []


@pytest.mark.parametrize(
    "target",
    [
        "../x.md",
        "a/../../b.md",
        "/etc/passwd",
        "~/notes.md",
        "C:\\x.md",
        "c:x.md",
        "..\\evil.md",
        "\\\\host\\share",
        "file:///tmp/x",
        "FILE:x",
        "%2e%2e/evil.md",
        "..%2Fevil.md",
        "<../a b.md>",
        '../x.md "Title"',
        "//host/x",
    ],
)
@pytest.mark.parametrize("form", ["[x]({})", "![x]({})", "see [x [y]]({}) there"])
def test_o17_link_leaves_notebook(shelf, form: str, target: str) -> None:
    index = f"{INDEX}\n{form.format(target)}\n"
    assert look(shelf, {"MEMORY.md": index, "ferry.md": TOPIC}) == [("link_leaves_notebook", "MEMORY.md", 5)]


def test_a_reference_that_leaves_the_notebook(shelf) -> None:
    index = INDEX + "\nSee [x][y].\n\n[y]: ../x.md\n[^1]: ../x.md is a footnote\n"
    assert look(shelf, {"MEMORY.md": index, "ferry.md": TOPIC}) == [("link_leaves_notebook", "MEMORY.md", 7)]


@pytest.mark.parametrize(
    "line",
    [
        "[x](https://example.org/../y)",
        "[x](mailto:dana@example.org)",
        "[x](#top) [y](?q)",
        "[x]()",
        "[x](a/../b/c.md)",
        "[x](..hidden/a.txt)",
        "`[x](../y)` and <!-- [x](../y) -->",
        "Go to ../y and /etc/x, or ~/z; [a] (../y)",
        "[x](~draft.txt/a)",
        "Words and [x]: ../y",
        "[x](a\\_b/c.txt)",
    ],
)
def test_a_link_that_stays_or_goes_to_the_web(shelf, line: str) -> None:
    assert look(shelf, {"MEMORY.md": f"{INDEX}\n{line}\n", "ferry.md": TOPIC}) == []


def test_o14_index_over_budget_names_what_does_not_fit(shelf) -> None:
    lines = [f"- [T{number}](t{number}.md)\n" for number in range(205)]
    for number in range(205):
        shelf.put(f"t{number}.md", topic(name=f"T{number}"))
    shelf.put("MEMORY.md", "".join(lines))
    (problem,) = check(shelf.notebook).problems
    assert (problem.code, problem.line) == ("index_over_budget", 201)
    assert "205 of the 200 lines" in problem.message
    assert "5 entries do not fit (t200.md, t201.md, t202.md, t203.md, t204.md)" in problem.message


def test_o14_index_over_budget_by_bytes(shelf) -> None:
    (first, *_) = problems_of(shelf, {"MEMORY.md": f"{'x' * 24_990}\n{INDEX}", "ferry.md": TOPIC})
    assert (first.code, first.line) == ("index_over_budget", 4)
    assert "25,038 of the 25,000 bytes" in first.message
    assert "1 entry does not fit (ferry.md)" in first.message


def test_prose_that_does_not_fit(shelf) -> None:
    (problem,) = problems_of(shelf, {"MEMORY.md": INDEX + "x\n" * 200, "ferry.md": TOPIC})
    assert (problem.code, problem.line) == ("index_over_budget", 201)


@pytest.mark.parametrize(
    ("rest", "is_full"),
    [
        ("x\n" * 177, False),
        ("x\n" * 178, True),
        ("x\n" * 197, True),
        ("y" * 22_452 + "\n", False),
        ("y" * 22_453 + "\n", True),
        ("\n" * 190, False),
    ],
)
def test_o14_index_nearly_full(shelf, rest: str, *, is_full: bool) -> None:
    found = look(shelf, {"MEMORY.md": INDEX + rest, "ferry.md": TOPIC})
    assert found == ([("index_nearly_full", "MEMORY.md", None)] if is_full else [])


def test_o40_prose_is_no_problem(shelf) -> None:
    prose = (
        "Intro: by hand, with a colon.\n\n<!-- note -->\n\n1. first\n2. second\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n## My section\n\n- outer\n  - inner\n\n"
        "```\n- [x](y.md)\n---\nkey: [\n```\n\nSetext\n=======\n\n---\n"
    )
    assert look(shelf, {"MEMORY.md": prose + INDEX, "ferry.md": TOPIC}) == []
