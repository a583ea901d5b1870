"""A Markdown file with frontmatter: what counts as a block, what a key says, and one key changed alone."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wuu.text.document import (
    BOM,
    Document,
    field_list,
    field_text,
    find_field,
    on_one_line,
    parse_document,
    with_body,
    with_field,
    without_field,
)
from wuu.text.scalars import render_scalar

# Pieces of a block: a key line with everything that belongs to it, or what may stand between keys.
FIELDS = (
    "title: Crew rota\n",
    "title: Crew rota\n",
    "name :  Pump house  \n",
    "name:Pump\n",
    "empty:\n",
    "tags:\n- ci\n- deploy\n",
    "tags:\n  - ci\n\n  # two of them\n  - 'it''s'\n",
    "tags: [no, on,\n  2026-05-01, ~\n]\n",
    "sources: # where from\n- a.md\n",
    "note: |\n  first\n\n  # not a comment\n  type: not a key\n",
    "note: >-\n  folded\n  text\n",
    'quoted: "opens here\n  # and ends: here"\n',
    "metadata:\n  type: lesson\n  verified: 2026-05-01\n",
    "metadata:\n    type:\n    - a\n    deep:\n        type: x\n  out: y\n",
    "metadata: # said by an agent\n  # of them\n  type: user\n  tags: [a,\n    b\n  ]\n",
    "author:\n  name: Dana Roe\n  type: person\n",
    "opens: 11:45\nref: 007\nbox: 04210\nver: 3.10\n",
    '"when": 2026-03-08T22:15:30-04:00\n',
    "date created: 2026-03-08\n",
    "标题: 部署\n",
)
BETWEEN = ("\n", "# a comment\n", "  # an indented one\n", " \n")
BODIES = (
    "",
    "\n# Heading\n\ntext\n",
    "    make tag\nlast line  \n\n",
    "---\nbody\n---\n",
    "title: x\n---",
    "\n\n",
)
KEYS = (
    "title",
    "name",
    "empty",
    "tags",
    "sources",
    "note",
    "quoted",
    "metadata",
    "type",
    "verified",
    "new-key",
)


@st.composite
def files(draw: st.DrawFn) -> str:
    """Return the text of a topic file: any fields, any line endings, maybe without a last newline."""
    pieces = draw(st.lists(st.sampled_from(FIELDS + BETWEEN), max_size=6))
    block = f"---\n{''.join(pieces)}---\n"
    text = draw(st.sampled_from([block, ""])) + draw(st.sampled_from(BODIES))
    ending = draw(st.sampled_from(["\n", "\r\n", "mixed"]))
    if ending == "mixed":
        lines = text.split("\n")
        endings = draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=len(lines), max_size=len(lines)))
        text = "".join(map("".join, zip(lines, endings, strict=True)))[: -len(endings[-1])]
    else:
        text = text.replace("\n", ending)
    if draw(st.booleans()):
        text = text.removesuffix("\n").removesuffix("\r")
    return draw(st.sampled_from(["", BOM])) + text


def _outside(document: Document, key: str) -> tuple[str, str]:
    """Return what stands in front of the field that answers for `key`, and behind it."""
    field = find_field(document, key)
    assert field is not None
    return document.text[: field.start], document.text[field.end :]


# --- what a change leaves alone --------------------------------------------------------------------------


@given(text=files(), key=st.sampled_from(KEYS), value=st.text(st.characters(codec="utf-8"), max_size=20))
def test_setting_a_key_changes_the_lines_of_that_key_and_nothing_else(
    text: str, key: str, value: str
) -> None:
    rendered = render_scalar(on_one_line(value).strip())
    before = parse_document(text)
    changed = with_field(text, key, rendered)
    after = parse_document(changed)
    assert after.body == before.body
    assert after.has_block
    field = find_field(after, key)
    assert field is not None
    assert field.raw == rendered
    if find_field(before, key) is not None:
        assert _outside(after, key) == _outside(before, key)
    else:
        line, fence = f"{key}: {rendered}{before.newline}", f"---{before.newline}"
        at = before.body_at if before.block_end is None else before.block_end
        added = line if before.has_block else fence + line + fence
        assert changed == text[:at] + added + text[at:]
    assert field_text(after, key) == (on_one_line(value).strip() or None)


@given(text=files(), key=st.sampled_from(KEYS), value=st.sampled_from(["x", "a: b", "", "|", "[a"]))
def test_setting_a_key_leaves_the_other_keys_what_they_were(text: str, key: str, value: str) -> None:
    before, after = parse_document(text), parse_document(with_field(text, key, render_scalar(value)))
    touched = {key} | {field.key for field in before.fields if field.parent == key}
    touched |= {field.parent for field in before.fields if field.key == key and field.parent}
    for other in {field.key for field in before.fields} - touched:
        assert field_text(after, other) == field_text(before, other)
        assert field_list(after, other) == field_list(before, other)


@given(text=files(), key=st.sampled_from(KEYS))
def test_a_key_that_was_set_and_removed_leaves_no_trace(text: str, key: str) -> None:
    document = parse_document(text)
    removed = without_field(with_field(text, key, "x"), key)
    if find_field(document, key) is None and document.has_block:
        assert removed == text
    assert parse_document(removed).body == document.body


@given(text=files(), key=st.sampled_from(KEYS))
def test_removing_a_key_removes_every_line_of_it_and_nothing_else(text: str, key: str) -> None:
    before = parse_document(text)
    removed = without_field(text, key)
    after = parse_document(removed)
    assert after.body == before.body
    assert after.has_block == before.has_block
    assert field_text(after, key) is None
    assert without_field(removed, key) == removed
    remaining = iter(text.splitlines(keepends=True))
    kept = [line for line in removed.splitlines(keepends=True) if line.replace(" ", "").strip() != f"{key}:"]
    assert all(line in remaining for line in kept), "what is left stands in the old text, in that order"


@given(text=files(), body=st.sampled_from(BODIES))
def test_a_new_body_leaves_the_block_as_it_was(text: str, body: str) -> None:
    before = parse_document(text)
    if not before.has_block:
        return
    after = parse_document(with_body(text, body))
    assert after.body == body
    assert after.fields == before.fields
    assert with_body(text, before.body) == text


SCRAPS = ("---", "\n", "\n", "\r", "a: b", "c:", " ", "- ", "#", "]", BOM, '"', "metadata:", "|", "x")


@given(st.sampled_from(["", "---\n", BOM + "---\r\n"]), st.lists(st.sampled_from(SCRAPS), max_size=25))
def test_any_text_at_all_is_a_document(head: str, scraps: list[str]) -> None:
    text = head + "".join(scraps)
    document = parse_document(text)
    assert text.endswith(document.body)
    for field in document.fields:
        assert text[field.start : field.end].count("\n") == field.rest.count("\n") + 1 or "#" in text
        field_text(document, field.key)
        field_list(document, field.key)
        assert parse_document(without_field(text, field.key)).body == document.body


# --- what counts as a block ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "---\n**Kestrel Ops weekly**\nDana Roe, on call\n---\nPager moved to Tuesday.",
        "---\nKestrel Ops\n---\nPager moved.",
        "---\n\nJust a rule\n\n---\nmore text",
        "---\n# A heading\n---\nmore text",
        "---\nOn call this week: Dana\n---\nmore text",
        "---\ntitle: never closed\n",
        "---\ntitle: closed too far in\n ---\ntext",
        "--- \ntitle: x\n---\n",
        "\n---\ntitle: x\n---\n",
        "---\nhttps://kestrel.example/runbook\n---\n",
        "---\ntitle: x\n- stray\n---\n",
        "",
        "---",
    ],
)
def test_o10_a_leading_rule_is_body_in_full(text: str) -> None:
    document = parse_document(text)
    assert document.body == text
    assert document.fields == ()
    tagged = with_field(text, "tags", '["ops"]')
    assert tagged == '---\ntags: ["ops"]\n---\n' + text
    assert parse_document(tagged).body == text


def test_o10_keys_of_any_name_are_metadata() -> None:
    document = parse_document("---\ncontent: x\nhandler: y\n---\nbody")
    assert [(field.key, field.raw) for field in document.fields] == [("content", "x"), ("handler", "y")]
    assert document.body == "body"


def test_o10_a_block_ends_only_at_a_line_that_is_exactly_the_fence() -> None:
    text = "---\ndescription: one --- two\nname: x\n---\nfirst\n---\nsecond\n---\n"
    document = parse_document(text)
    assert field_text(document, "description") == "one --- two"
    assert document.body == "first\n---\nsecond\n---\n"
    assert with_field(text, "name", "y") == text.replace("name: x", "name: y")


def test_an_empty_block_is_a_block() -> None:
    assert with_field("---\n---\nbody", "name", "x") == "---\nname: x\n---\nbody"
    assert parse_document("---\r\n---").has_block


@pytest.mark.parametrize("key", ["date created", '"date created"', "'date created'"])
def test_a_key_with_blanks_counts_beside_one_without(key: str) -> None:
    document = parse_document(f"---\ntitle: Rota\n{key}: 2026-03-08\n---\nbody")
    assert field_text(document, "title") == "Rota"
    assert field_text(document, "date created") == "2026-03-08"
    assert document.body == "body"


def test_a_quoted_key_is_that_key() -> None:
    text = '---\n"name": Rota\n---\n'
    assert field_text(parse_document(text), "name") == "Rota"
    assert with_field(text, "name", "Crew") == '---\n"name": Crew\n---\n'


# --- BOM and line endings --------------------------------------------------------------------------------

RELEASE = BOM + "---\r\ntitle: Release steps\r\ntags: [ci]\r\n---\r\n\r\n    make tag\r\nlast line  \r\n\r\n"


def test_o07_a_bom_and_crlf_hide_nothing_and_survive() -> None:
    document = parse_document(RELEASE)
    assert field_text(document, "title") == "Release steps"
    assert field_list(document, "tags") == ("ci",)
    assert document.body == "\r\n    make tag\r\nlast line  \r\n\r\n"
    tagged = with_field(RELEASE, "tags", '["ci", "deploy"]')
    assert tagged == RELEASE.replace("tags: [ci]", 'tags: ["ci", "deploy"]')


def test_o07_a_new_key_and_a_new_block_take_the_line_ending_of_the_file() -> None:
    assert with_field(RELEASE, "verified", "2026-05-01").count("\r\nverified: 2026-05-01\r\n---\r\n") == 1
    assert with_field(BOM + "one\r\ntwo\n", "a", "b") == BOM + "---\r\na: b\r\n---\r\none\r\ntwo\n"


def test_a_key_keeps_the_line_ending_that_it_has() -> None:
    text = "---\na: 1\r\nb: 2\nc:\r\n- x\r\n---\n"
    assert with_field(text, "a", "9") == text.replace("a: 1", "a: 9")
    assert with_field(text, "b", "9") == text.replace("b: 2", "b: 9")
    assert with_field(text, "c", "9") == "---\na: 1\r\nb: 2\nc: 9\r\n---\n"


def test_a_new_body_begins_on_a_line_of_its_own() -> None:
    # The closing fence was the last line and had no ending: the body was glued to it, and the block was gone.
    assert with_body("---\nname: x\n---", "text") == "---\nname: x\n---\ntext"
    assert with_body("---\r\nname: x\r\n---", "text") == "---\r\nname: x\r\n---\r\ntext"
    assert with_body("---\nname: x\n---", "") == "---\nname: x\n---"


# --- values as they are read -----------------------------------------------------------------------------

TYPED = """---
opens: 11:45
ref: 007
box: 04210
ver: 3.10
tags: [no, on, 2026-05-01, ~]
when: 2026-03-08T22:15:30-04:00
custom: {a: 1}
---
"""


def test_o11_values_are_the_text_that_stands_there() -> None:
    document = parse_document(TYPED)
    texts = {field.key: field_text(document, field.key) for field in document.fields if field.key != "tags"}
    assert texts == {
        "opens": "11:45",
        "ref": "007",
        "box": "04210",
        "ver": "3.10",
        "when": "2026-03-08T22:15:30-04:00",
        "custom": "{a: 1}",
    }
    assert field_list(document, "tags") == ("no", "on", "2026-05-01", "~")


@pytest.mark.parametrize("key", ["opens", "ref", "box", "ver", "tags", "when", "custom", "pinned"])
def test_o11_lines_that_need_not_change_are_identical(key: str) -> None:
    old, new = TYPED.splitlines(), with_field(TYPED, key, "true").splitlines()
    assert [line for line in new if not line.startswith(f"{key}:")] == [
        line for line in old if not line.startswith(f"{key}:")
    ]
    assert new.count(f"{key}: true") == 1


def test_the_last_of_several_keys_counts_and_is_the_one_that_changes() -> None:
    text = "---\nname: first\nname: second\n---\n"
    assert field_text(parse_document(text), "name") == "second"
    assert with_field(text, "name", "third") == "---\nname: first\nname: third\n---\n"
    assert without_field(text, "name") == "---\n---\n"


def test_a_block_scalar_keeps_its_paragraphs_and_what_looks_like_a_comment() -> None:
    # Blank lines inside a block scalar were lost, and so were the lines that began with a number sign.
    document = parse_document("---\nnote: |\n  one\n\n  # two\nname: x\n---\n")
    field = find_field(document, "note")
    assert field is not None
    assert field.rest == "  one\n\n  # two\n"
    assert field_text(document, "note") == "one # two"


def test_an_indented_comment_is_no_part_of_the_value_above() -> None:
    text = "---\ntitle: Rota\n  # who made it\nname: x\n---\n"
    assert field_text(parse_document(text), "title") == "Rota"
    assert with_field(text, "title", "Crew") == text.replace("Rota", "Crew")


def test_a_comment_beside_a_key_hides_no_list_below_it() -> None:
    document = parse_document("---\nname: x\ntags: # of the crew\n- ci\n- deploy\n---\nbody")
    assert field_list(document, "tags") == ("ci", "deploy")
    assert document.body == "body"


def test_o13_a_value_of_several_lines_is_read_as_one_line() -> None:
    document = parse_document('---\nname: "Rota\\n- [Evil](evil.md)"\ntags: ["a\\u2028b"]\n---\n')
    assert field_text(document, "name") == "Rota - [Evil](evil.md)"
    assert field_list(document, "tags") == ("a b",)


def test_o13_no_rendered_value_forges_another_key() -> None:
    forged = "Use tabs\nstatus: saved\r\n---\npinned: true"
    text = with_field("---\nstatus: pending\n---\n", "name", render_scalar(forged))
    document = parse_document(text)
    assert [field.key for field in document.fields] == ["status", "name"]
    assert field_text(document, "status") == "pending"


# --- one nested level ------------------------------------------------------------------------------------

NESTED = "---\nname: x\nmetadata:\n  type: lesson\n  verified: 2026-05-01\n---\n"


def test_a_key_under_metadata_answers_and_is_changed_in_place() -> None:
    assert field_text(parse_document(NESTED), "type") == "lesson"
    assert with_field(NESTED, "type", "user") == NESTED.replace("lesson", "user")
    assert without_field(NESTED, "verified") == NESTED.replace("  verified: 2026-05-01\n", "")


def test_a_key_at_the_top_goes_before_one_under_metadata() -> None:
    text = NESTED.replace("name: x\n", "type: user\n")
    assert field_text(parse_document(text), "type") == "user"
    assert with_field(text, "type", "feedback") == text.replace("type: user", "type: feedback")


def test_a_key_under_any_other_key_is_somebody_elses() -> None:
    # `author:` with `name:` under it answered for the name of the topic, and was overwritten with it.
    text = "---\nauthor:\n  name: Dana Roe\n---\n# Rota\n"
    assert field_text(parse_document(text), "name") is None
    assert with_field(text, "name", "Rota") == "---\nauthor:\n  name: Dana Roe\nname: Rota\n---\n# Rota\n"
    assert without_field(text, "name") == text


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("metadata:\n  type:\n    - a\n    - b\n  x: y\n", "metadata:\n  type: new\n  x: y\n"),
        ("metadata:\n  type:\n  - a\n  - b\n  x: y\n", "metadata:\n  type: new\n  x: y\n"),
        ("metadata:\n  type: [a,\n    b\n  ]\n  x: y\n", "metadata:\n  type: new\n  x: y\n"),
        ("metadata:\n  type: |\n    a\n\n    b\n  x: y\n", "metadata:\n  type: new\n  x: y\n"),
        ("metadata:\n    type: a\n  x: y\n", "metadata:\n    type: new\n  x: y\n"),
        ("metadata:\n\ttype: a\n\tx: y\n", "metadata:\n\ttype: new\n\tx: y\n"),
        (
            "metadata:\n  # c\n\n  type: a\n  # d\n  x: y\n",
            "metadata:\n  # c\n\n  type: new\n  # d\n  x: y\n",
        ),
    ],
)
def test_setting_a_nested_key_replaces_its_own_lines(block: str, expected: str) -> None:
    assert with_field(f"---\n{block}---\n", "type", "new") == f"---\n{expected}---\n"


def test_the_last_key_stays_empty_where_only_comments_would_be_left() -> None:
    # Without it the block would be no block any more, and its fences and comments would be part of the body.
    text = "---\n# of the crew\nverified: 2026-05-01\n---\nbody"
    removed = without_field(text, "verified")
    assert removed == "---\n# of the crew\nverified:\n---\nbody"
    assert without_field(removed, "verified") == removed
    twice = "---\n\nv: 1\n# c\nv: 2\n---\n"
    assert without_field(twice, "v") == "---\n\n# c\nv:\n---\n"


# --- hostile values --------------------------------------------------------------------------------------

BOMB = "\n".join(
    ["  a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"  a{n}: &a{n} [{f'*a{n - 1}, ' * 9}]" for n in range(1, 10)]
)
HOSTILE = (
    "rev: " + "9" * 5_000,
    "created: 2026-02-30",
    "created: 2026-02-03T10:00:00+99:99",
    r't: "\UFFFFFFFF"',
    r't: ["\UFFFFFFFF"]',
    r't: "\ud83d"',
    r't: ["\ud83d", "\udc00\ud83d"]',
    "id: 0b_",
    "id: [0b_]",
    "x: " + "[" * 2_000,
    "x: " + "[" * 2_000 + "]" * 2_000,
    "x:\n  " + "[" * 2_000,
    "x:\n" + "".join(" " * depth + "-\n" for depth in range(1, 400)),
    "x: " + "{a: " * 2_000,
    "x: " + '["' * 2_000,
    "a: &x [*x]",
    "a: [&x y, *x]",
    "bomb:\n" + BOMB,
    "bomb: [" + BOMB.replace("\n", ",") + "]",
    "key:\n\tindented: with a tab",
    "\tkey: x",
    "x: !!python/object/apply:os.getcwd []",
    "x: !!binary [a]",
    "x: [? a, : b, - c]",
    "x: |9\n  a",
    "x: 'open\n  and open",
    'x: "open\n  and open',
    "x: [a, 'b]",
    "x: \x00\x1b[2J",
    "x: [\x00]",
    "<<: {a: b}",
    "x: =",
    "x: %YAML 9",
    "x:\n  --- a\n  ... b",
)


@pytest.mark.parametrize("block", HOSTILE)
def test_o12_hostile_values_are_read_as_text_without_an_exception(block: str) -> None:
    text = f"---\n{block}\nname: Kestrel\n---\nbody"
    document = parse_document(text)
    for field in document.fields:
        shown = (field_text(document, field.key) or "", *field_list(document, field.key))
        assert len("".join(shown).encode()) <= 2 * len(text.encode())
    if document.has_block:
        assert field_text(document, "name") == "Kestrel"
        assert document.body == "body"


@given(st.text(st.sampled_from("[]{}&*!|>'\"%@`\\,:# -?\t\nxa~")), st.sampled_from(["", "\n  ", "\n- "]))
@example(value="", start="\n- ")
def test_o12_any_value_is_read_without_an_exception(value: str, start: str) -> None:
    document = parse_document(f"---\nkey: {start}{value}\n---\n")
    for field in document.fields:
        field_text(document, field.key)
        field_list(document, field.key)
