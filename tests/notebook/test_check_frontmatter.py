"""Every problem of frontmatter that a check finds, each beside a neighbour that has none."""

import pytest

from notebook.check_looking import INDEX, TOPIC, block, look, problems_of, topic
from wuu import clock
from wuu.notebook.checking import check

IN_TOPIC = [
    ("Just text.\n", [("frontmatter_missing", None)]),
    ("", [("frontmatter_missing", None)]),
    ("---\n**Weekly**\nDana, on call\n---\nText.\n", [("frontmatter_missing", None)]),
    ("---\n\nJust a rule\n\n---\nmore\n", [("frontmatter_missing", None)]),
    ("---\nNo key here\n", [("frontmatter_missing", None)]),
    (" ---\nname: x\n---\n", [("frontmatter_missing", None)]),
    ("---\nname: Ferry\nstray words\n---\n", [("frontmatter_broken", 3)]),
    ("---\nname: Ferry\ntype: user\n\nText without end.\n", [("frontmatter_broken", 5)]),
    ("---\nname: Ferry\ntype: user\n", [("frontmatter_broken", 3)]),
    ("\ufeff---\r\nname: Ferry\r\n--- \r\n\r\nText.\r\n", [("frontmatter_broken", 3)]),
    (block("name: A", "description: x", "name: B"), [("duplicate_key", 4)]),
    (
        block("name: A", "description: x", "tags: a", "tags: b", "tags: c"),
        [("duplicate_key", n) for n in (5, 6)],
    ),
    (block("name: A", "description: x", "metadata:", "  a: 1", "  a: 2"), [("duplicate_key", 6)]),
    (
        block("name: A", "description: x", "type: user", "metadata:", "  type: lesson"),
        [("duplicate_key", 6)],
    ),
    (block("name: A", "description: x", "type: user", "metadata:", "  type: user", "  id: 1"), []),
    (block("name: A", "description: x", "a:", "  id: 1", "b:", "  id: 2"), []),
    (block("name: A", "description: |", "  key: a", "  key: b"), []),
    (block("description: x"), [("name_missing", None)]),
    (block("name:", "description: x"), [("name_missing", None)]),
    (block("title: A", "description: x"), []),
    (block("metadata:", "  name: A", "  description: x"), []),
    (block("name: A"), [("description_missing", None)]),
    ("---\n---\n", [("description_missing", None), ("name_missing", None)]),
    (topic(name="fix C #sharp build"), [("value_cut_at_hash", 2)]),
    (topic(description="# all of it"), [("value_cut_at_hash", 3)]),
    (topic(description='"kept #1 whole"'), []),
    (topic(description="C#, F# and a#b"), []),
    (topic(source="x #1"), []),
    (topic(type="journal"), [("unknown_type", 4)]),
    (topic(type=""), []),
    (block("name: A", "description: x", "metadata:", "  type: journal"), [("unknown_type", 5)]),
    (topic(verified="2026-02-30"), [("frontmatter_not_yaml", 5), ("verified_invalid", 5)]),
    (topic(verified="yesterday"), [("verified_invalid", 5)]),
    (topic(verified="2026-05-01"), []),
    (topic(verified="2999-01-01"), [("verified_in_future", 5)]),
]


@pytest.mark.parametrize(("text", "found"), IN_TOPIC)
def test_frontmatter(shelf, text: str, found: list[tuple[str, int | None]]) -> None:
    expected = [(code, "ferry.md", line) for code, line in found]
    assert look(shelf, {"MEMORY.md": INDEX, "ferry.md": text}) == expected


def test_the_index_needs_no_frontmatter(shelf) -> None:
    assert look(shelf, {"MEMORY.md": "---\nname: x\n\n" + INDEX, "ferry.md": TOPIC}) == []


BOMB = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ("rev: " + "9" * 5_000, 4, "5,000 digits"),
        ("created: 2026-02-30", 4, "created looks like a date"),
        ("created: 2026-02-03T10:00:00+99:99", 4, "created looks like a date"),
        ('t: "\\UFFFFFFFF"', 4, "character that does not exist"),
        ("id: 0b_", 4, "id looks like a number"),
        ("deep: " + "[" * 2_000, 4, "nests deeper"),
        ("a: &x [*x]", 4, "alias"),
        (BOMB.rstrip("\n"), 5, "alias"),
        ("list:\n\t- x", 5, "tab"),
        ("title: Deploy: blue/green", 4, "colon"),
        ("at: @dana", 4, "reserves"),
    ],
    ids=["digits", "date", "offset", "escape", "binary", "nesting", "self", "bomb", "tab", "colon", "at"],
)
def test_o12_frontmatter_not_yaml(shelf, lines: str, line: int, reason: str) -> None:
    text = f"---\nname: Ferry\ndescription: x\n{lines}\n---\n"
    (problem,) = problems_of(shelf, {"MEMORY.md": INDEX, "ferry.md": text})
    assert (problem.code, problem.file, problem.line) == ("frontmatter_not_yaml", "ferry.md", line)
    assert reason in problem.message
    assert "9999" not in problem.message


@pytest.mark.parametrize(
    ("index", "body", "is_cut"),
    [
        ("- [Ferry](ferry.md) — Kept since #12, for all\n", "Text.", True),
        ("- [Kept since #12](ferry.md) — other words\n", "Text.", True),
        ("- [Ferry](ferry.md)\n", "## Kept since #12\n", True),
        ("- [Ferry](ferry.md)\n", "Kept since #12 we sail.\n", True),
        ("- [Ferry](ferry.md) — Kept since May #12\n", "Text: Kept since #12\n", False),
        ("- [Ferry](ferry.md) — Kept since\n", "Kept since 2019 # and so on\n", False),
    ],
)
def test_a_value_that_a_yaml_writer_cut(shelf, index: str, body: str, *, is_cut: bool) -> None:
    topic = f"---\nname: Ferry\ndescription: Kept since\n---\n\n{body}\n"
    found = look(shelf, {"MEMORY.md": index, "ferry.md": topic})
    assert found == ([("value_cut_at_hash", "ferry.md", 3)] if is_cut else [])


def test_a_date_is_in_the_future_when_it_is_so_everywhere(shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: 1_777_629_600.0)  # 2026-05-01T10:00:00Z
    assert look(shelf, {"MEMORY.md": INDEX, "ferry.md": topic(verified="2026-05-02")}) == []
    found = look(shelf, {"ferry.md": topic(verified="2026-05-03")})
    assert found == [("verified_in_future", "ferry.md", 5)]


@pytest.mark.parametrize(
    ("topic", "days", "line"),
    [
        (topic(verified="2026-04-01"), 30, None),
        (topic(verified="2026-04-01"), 29, 5),
        (topic(verified="2026-05-01"), 0, None),
        (topic(verified="2024-02-29"), 365, 5),
        (topic(verified="2026-05-02"), 0, None),
    ],
)
def test_verified_stale(
    shelf, monkeypatch: pytest.MonkeyPatch, topic: str, days: int, line: int | None
) -> None:
    monkeypatch.setattr(clock, "now", lambda: 1_777_629_600.0)
    monkeypatch.setattr(clock, "today", lambda: "2026-05-01")
    files = {"MEMORY.md": INDEX, "ferry.md": topic}
    assert look(shelf, files) == []
    assert look(shelf, files, days) == ([] if line is None else [("verified_stale", "ferry.md", line)])


def test_a_topic_that_was_never_verified(shelf) -> None:
    look(shelf, {"MEMORY.md": INDEX, "ferry.md": TOPIC})
    (problem,) = check(shelf.notebook, 10_000).problems
    assert (problem.code, problem.line) == ("verified_stale", None)
    assert "never" in problem.message
