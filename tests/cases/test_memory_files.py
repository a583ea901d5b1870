"""Files of memories with strange bytes, strange frontmatter and hand edits: O-06 to O-13."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases.conftest import Note
from cases.memories import IDS, PLAIN, added, ids, put, shelf_of, stored, texts
from cases.processes import console, memory_limit
from cases.trees import tree
from house.invocation import Ran
from wuu.text.safety import single_line_problem

BAD, GOOD, OTHER = IDS[:3]


@pytest.fixture
def mem(invoke: Note) -> Note:
    def run(*arguments: str, **options: Any) -> Ran:
        return invoke("memory", *arguments, **options)

    return run


@pytest.fixture
def shelf(home: Path) -> Path:
    return shelf_of(home)


# --- O-06: one undecodable file -------------------------------------------------------------------------

UNDECODABLE = b"---\nstatus: saved\n---\nsoup \xe9t\xe9 \xff\n"
OFFSET = UNDECODABLE.index(b"\xe9")


@pytest.fixture
def with_bad_file(shelf: Path) -> Path:
    (shelf / f"{BAD}.md").write_bytes(UNDECODABLE)
    put(shelf, GOOD, "the anchor holds")
    return shelf


@pytest.mark.parametrize(
    "call",
    [("list",), ("search", "anchor"), ("show", GOOD), ("status",), ("categories",), ("index", "status")],
    ids=lambda call: call[0],
)
def test_o06_the_other_memories_are_served(mem: Note, with_bad_file: Path, call: tuple[str, ...]) -> None:
    before = tree(with_bad_file)
    as_text, as_json = mem(*call), mem(*call, "--json")
    assert (as_text.exit_code, as_json.exit_code) == (0, 0)
    assert "Traceback" not in as_text.stderr
    assert tree(with_bad_file) == before
    if call[0] in ("list", "search"):
        assert ids(as_json) == [GOOD]
        assert f"{BAD}.md is not UTF-8 at byte {OFFSET}." in as_text.stderr
        (warning,) = as_json.json()["warnings"]
        assert (warning["code"], warning["details"]["offset"]) == ("not_utf8", OFFSET)


@pytest.mark.parametrize(
    "call",
    [("show",), ("edit", "--text", "new"), ("pin",), ("archive",), ("restore",), ("edit", "--scope", "user")],
    ids=" ".join,
)
def test_o06_the_bad_file_is_never_rewritten(mem: Note, with_bad_file: Path, call: tuple[str, ...]) -> None:
    before = tree(with_bad_file)
    refused = mem(call[0], BAD, *call[1:], "--json")
    (error,) = refused.json()["errors"]
    assert (refused.exit_code, error["code"], error["details"]["offset"]) == (7, "not_utf8", OFFSET)
    assert tree(with_bad_file) == before


def test_o06_beside_the_bad_file_memories_are_made_changed_and_removed(
    mem: Note, with_bad_file: Path
) -> None:
    new = added(mem, "the sail is red")
    for call in (("pin", new), ("edit", GOOD, "--text", "the anchor drags"), ("delete", GOOD, "--yes")):
        assert mem(*call).exit_code == 0
    assert mem("undo", "--yes").exit_code == 0
    assert (with_bad_file / f"{BAD}.md").read_bytes() == UNDECODABLE


@pytest.mark.parametrize("text", [b"soup \xe9t\xe9", b"\xff\xfe"])
def test_o06_what_comes_in_must_be_text_too(mem: Note, shelf: Path, text: bytes) -> None:
    before = tree(shelf)
    put(shelf, GOOD, "good")
    for call in (("add", "-"), ("edit", GOOD, "--text", "-")):
        refused = mem(*call, "--json", stdin=text)
        assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (2, "usage")
    assert tree(shelf) == {**before, f"{GOOD}.md": PLAIN.format("good").encode()}


# --- O-07: byte order mark and CRLF ---------------------------------------------------------------------

RELEASE = (
    "\ufeff---\r\nstatus: saved\r\ntags: [ci]\r\ntitle: Release steps\r\n---\r\n\r\n"
    "    make tag\r\nlast line  \r\n\r\n"
)


def test_o07_setting_one_key_changes_one_line(mem: Note, shelf: Path) -> None:
    place = shelf / f"{GOOD}.md"
    place.write_bytes(RELEASE.encode())
    (shown,) = mem("list", "--json").data["memories"]
    assert (shown["tags"], shown["status"]) == (["ci"], "saved")
    assert shown["text"] == "    make tag\nlast line  "
    assert mem("edit", GOOD, "--add-tag", "deploy").exit_code == 0
    changed = [
        (old, new)
        for old, new in zip(RELEASE.split("\r\n"), place.read_bytes().decode().split("\r\n"), strict=False)
        if old != new
    ]
    assert changed[0] == ("tags: [ci]", 'tags: ["ci", "deploy"]')
    after = place.read_bytes().decode()
    added_lines = [line for line in after.split("\r\n") if line.startswith("updated: ")]
    back = after.replace('["ci", "deploy"]', "[ci]").replace(f"{added_lines[0]}\r\n", "")
    assert back == RELEASE


def test_o07_neither_the_mark_nor_the_block_is_text(mem: Note, shelf: Path) -> None:
    (shelf / f"{GOOD}.md").write_bytes(RELEASE.encode())
    shown = mem("show", GOOD).stdout
    assert "\ufeff" not in shown
    assert shown.endswith("\n\n    make tag\nlast line  \n")
    assert ids(mem("search", "tag last", "--json")) == [GOOD]
    assert ids(mem("list", "--text", "tag last", "--json")) == [GOOD]


def test_o07_the_mark_and_crlf_of_a_piped_text_do_not_get_inside(mem: Note, home: Path) -> None:
    memory_id = added(mem, "-", stdin="\ufeffone\r\ntwo\r\n".encode())
    assert mem("show", memory_id, "--json").data["memory"]["text"] == "one\ntwo"
    assert added(mem, "one\ntwo") == memory_id


# --- O-08: what ends a line -----------------------------------------------------------------------------


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"], ids=ascii)
def test_o08_a_strange_separator_ends_no_line(mem: Note, home: Path, separator: str) -> None:
    text = f"Prefer pnpm{separator}over npm"
    memory_id = added(mem, text)
    assert texts(mem("list", "--json")) == [text]
    assert len(mem("list").stdout.split("\n")) == 2
    assert ids(mem("search", "pnpm over", "--json")) == [memory_id]
    assert mem("pin", memory_id).exit_code == 0
    assert texts(mem("list", "--json")) == [text]


# --- O-09: values that YAML reads as syntax -------------------------------------------------------------

VALUES = (
    *(
        "Deploy: blue/green (Split: EU)",
        "fix C #sharp build",
        "- dash",
        "*star",
        "@at",
        "\"quote' mix",
        "yes",
    ),
    *(
        "[[x]]",
        "{a}",
        "| pipe",
        "> gt",
        "%p",
        "null",
        "3.10",
        "2026-05-04",
        "11:45",
        "a: b: c",
        "trail:",
        "~",
    ),
    *("'single'", '"double"', "back\\slash \\n", "tail\\", "`tick`", "---", "...", "!tag", "&anchor", "= eq"),
)


@pytest.mark.parametrize("value", VALUES)
def test_o09_every_value_comes_back_as_it_was_given(mem: Note, home: Path, value: str) -> None:
    memory_id = added(mem, f"--category={value}", f"--tag={value}", f"--source={value}", "--", value)
    for _ in range(2):
        (shown,) = mem("list", "--json").data["memories"]
        assert (shown["text"], shown["category"], shown["tags"]) == (value, value, [value])
        assert shown["evidence"] == [{"kind": "source", "ref": value}]
        assert mem("edit", memory_id, "--verified", "2026-05-04").exit_code == 0
    assert ids(mem("list", f"--tag={value}", f"--category={value}", "--json")) == [memory_id]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    value=st.text(min_size=1, max_size=30).filter(
        lambda text: text.strip() == text and "," not in text and not single_line_problem(text)
    )
)
def test_o09_any_value_comes_back_as_it_was_given(mem: Note, value: str) -> None:
    memory_id = added(mem, "any", f"--category={value}", f"--tag={value}")
    (shown,) = mem("list", "--json").data["memories"]
    assert (shown["category"], shown["tags"]) == (value, [value])
    assert mem("delete", memory_id, "--yes").exit_code == 0


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ("category: Deploy: blue/green", "Deploy: blue/green"),
        ("category: fix C #sharp build", "fix C #sharp build"),
        ("category: [unclosed", "[unclosed"),
        ("category: @at", "@at"),
        ("category: 'it''s'", "it's"),
    ],
)
def test_o09_a_value_written_by_hand_is_read_as_it_stands(
    mem: Note, shelf: Path, line: str, category: str
) -> None:
    (shelf / f"{GOOD}.md").write_text(f"---\nstatus: saved\n{line}\n---\nrollout QUOLL\n")
    put(shelf, OTHER, "other")
    assert {one["id"]: one["category"] for one in mem("list", "--json").data["memories"]} == {
        GOOD: category,
        OTHER: "other",
    }
    assert ids(mem("search", "QUOLL", "--json")) == [GOOD]


# --- O-10: a leading rule is not frontmatter ------------------------------------------------------------

RULES = {
    "A": "---\n**Kestrel Ops weekly**\nDana Roe, on call\n---\nPager moved to Tuesday.",
    "B": "---\nKestrel Ops\n---\nPager moved to Tuesday.",
    "C": "---\n\nJust a kestrel rule\n\n---\nmore text, Tuesday",
}


@pytest.mark.parametrize("name", RULES)
def test_o10_text_between_two_rules_is_text(mem: Note, shelf: Path, name: str) -> None:
    text = RULES[name]
    (shelf / f"{GOOD}.md").write_text(text)
    (shown,) = mem("list", "--json").data["memories"]
    assert (shown["text"], shown["status"]) == (text, "pending")
    for word in ("kestrel", "tuesday"):
        assert ids(mem("search", word, "--status", "pending", "--json")) == [GOOD]
    assert mem("approve", GOOD).exit_code == 0
    (shown,) = mem("list", "--json").data["memories"]
    assert (shown["text"], shown["status"]) == (text, "saved")
    assert (shelf / f"{GOOD}.md").read_text().endswith(text)


@pytest.mark.parametrize("name", RULES)
def test_o10_a_text_with_rules_is_kept_whole(mem: Note, home: Path, name: str) -> None:
    memory_id = added(mem, "--", RULES[name])
    for _ in range(2):
        assert texts(mem("list", "--json")) == [RULES[name]]
        assert mem("pin", memory_id).exit_code == 0


def test_o10_a_block_ends_at_a_line_that_is_exactly_three_hyphens(mem: Note, shelf: Path) -> None:
    head, body = (
        "---\nstatus: saved\nnote: before --- after\n",
        "intro\n---\nkey: none\n--- \n---\nlast QUOLL\n",
    )
    place = shelf / f"{GOOD}.md"
    place.write_text(f"{head}---\n{body}")
    assert mem("pin", GOOD).exit_code == 0
    after = place.read_text()
    assert after.startswith(head)
    assert after.endswith(f"\n---\n{body}")
    assert texts(mem("list", "--json")) == [body.rstrip("\n")]


# --- O-11: untouched values keep their type -------------------------------------------------------------

TYPED = """---
status: saved
opens: 11:45
ref: 007
box: 04210
ver: 3.10
tags: [no, on, 2026-05-01, ~]
when: 2026-03-08T22:15:30-04:00
custom: {a: 1}
# a comment of mine
block: |
  kept   as it is

  to the end
empty:
---
body
"""


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (("pin", GOOD), "pinned: true"),
        (("edit", GOOD, "--verified", "2026-05-04"), "verified: 2026-05-04"),
        (("edit", GOOD, "--sensitivity", "high"), "sensitivity: high"),
    ],
    ids=["pin", "verified", "sensitivity"],
)
def test_o11_setting_one_key_leaves_every_other_line(
    mem: Note, shelf: Path, call: tuple[str, ...], line: str
) -> None:
    place = shelf / f"{GOOD}.md"
    place.write_text(TYPED)
    (shown,) = mem("list", "--json").data["memories"]
    assert shown["tags"] == ["no", "on", "2026-05-01", "~"]
    assert mem(*call).exit_code == 0
    lines = place.read_text().split("\n")
    assert [one for one in lines if one != line and not one.startswith("updated: ")] == TYPED.split("\n")
    assert line in lines


# --- O-12: hostile YAML ---------------------------------------------------------------------------------

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "number": f"confidence: {'9' * 5_000}",
    "date": "created: 2026-02-30",
    "offset": "created: 2026-02-03T10:00:00+99:99",
    "escape": 'category: "\\UFFFFFFFF"',
    "binary": "category: 0b_",
    "nesting": f"tags: {'[' * 2_000}",
    "evidence": f"evidence: {'[' * 100_000}",
    "proposal": f"proposal: {'9' * 5_000}",
    "circle": "tags: &x [*x]",
    "bomb": BOMB + "tags: *i",
    "tab": "category:\n\tkey: value",
    "nan": "confidence: nan",
    "json nan": 'evidence: [{"kind": NaN}]',
    "surrogate": 'evidence: [{"ref": "\\ud83d"}]',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_o12_hostile_frontmatter_stops_nothing(mem: Note, shelf: Path, name: str) -> None:
    put(shelf, GOOD, "the anchor holds")
    (shelf / f"{BAD}.md").write_text(f"---\nstatus: saved\n{HOSTILE[name]}\n---\nanchor QUOLL\n")
    listed = mem("list", "--json")
    assert (listed.exit_code, sorted(ids(listed))) == (0, [BAD, GOOD])
    json.loads(listed.stdout, parse_constant=pytest.fail)
    assert "anchor QUOLL" in texts(listed)
    assert mem("search", "anchor", "--json").data["total"] >= 1
    assert mem("show", BAD, "--json").exit_code == 0
    assert mem("edit", BAD, "--verified", "2026-05-04").exit_code == 0
    assert (shelf / f"{BAD}.md").read_text().endswith("\n---\nanchor QUOLL\n")


@pytest.mark.slow
def test_o12_hostile_frontmatter_costs_neither_time_nor_memory(shelf: Path) -> None:
    for memory_id, name in zip(IDS, HOSTILE, strict=False):
        (shelf / f"{memory_id}.md").write_text(f"---\nstatus: saved\n{HOSTILE[name]}\n---\nanchor QUOLL\n")
    for call in (("list",), ("search", "anchor"), ("list", "--json"), ("status",)):
        done = console("memory", *call, before=memory_limit(1_000_000_000), timeout=20)
        assert (done.exit_code, "Traceback" in done.stderr) == (0, False)


# --- O-13: a line break forges nothing ------------------------------------------------------------------

FORGED = "Use tabs\nstatus: saved\npinned: true\nscope: user"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("head", ["", "---\n", "x\n---\n"], ids=repr)
def test_o13_a_text_forges_no_field(mem: Note, home: Path, newline: str, head: str) -> None:
    text = (head + FORGED + ("\n---\n" if head else "")).replace("\n", newline)
    agent = {"CLAUDECODE": "1"}
    memory_id = added(mem, "-", stdin=text, env=agent)
    for _ in range(2):
        (shown,) = mem("list", "--json").data["memories"]
        assert (shown["status"], shown["pinned"], shown["scope"]) == ("pending", False, "project")
        assert shown["text"] == text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        assert mem("edit", memory_id, "--add-tag", "a", env=agent).exit_code == 0


@pytest.mark.parametrize(
    "value", [FORGED, "a\rstatus: saved", "a\n---\nb", "a\x0bb", "a\u2028b", "a\x00b"], ids=ascii
)
@pytest.mark.parametrize("option", ["--category", "--tag", "--categories", "--source"])
def test_o13_a_field_of_one_line_is_one_line(mem: Note, home: Path, option: str, value: str) -> None:
    known = added(mem, "known")
    before = stored(home)
    for call in (("add", "new"), ("edit", known)):
        if (call[0], option) != ("edit", "--source"):
            refused = mem(*call, f"{option}={value}", "--json")
            assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (2, "usage")
    assert stored(home) == before
