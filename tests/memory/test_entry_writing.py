"""How the file of a memory is written and edited: all of it comes back, and no byte changes without need."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.samples import HOSTILE_TEXTS, ID, SHELF, entries, files, parse, said
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, Entry, edited_entry, render_entry
from wuu.memory.format.fields import clean_text

OTHER = "00000000deadbeef"
BY_HAND = (
    "\ufeff---\r\n"
    "# who wrote this\r\n"
    "title:   Release steps   \r\n"
    "Tags: not ours\r\n"
    "status:  Saved\r\n"
    "opens: 11:45\r\n"
    "\r\n"
    "tags: [ci, no, 2026-05-01]\r\n"
    "sensitivity: low\r\n"
    "pinned: false\r\n"
    "verified: soon\r\n"
    "custom: {a: 1}\r\n"
    "---\r\n"
    "\r\n"
    "\r\n"
    "    make tag\r\n"
    "last line  \r\n"
    "\r\n"
)


def edited(file: str, **changes: Any) -> str:
    old = parse(file)
    new = old._replace(**changes)
    result = edited_entry(file, old, new)
    assert said(parse(result)) == said(new)
    return result


def test_a_new_file_has_its_keys_in_their_order() -> None:
    entry = Entry(
        ID,
        SHELF,
        SAVED,
        "Run make gates.",
        category="commands",
        tags=("ci", "deploy"),
        confidence=0.8,
        created_at="2026-11-30T22:41:07.123456Z",
        updated_at="2026-11-30T22:41:07.123456Z",
        evidence=({"kind": "commit", "ref": "4b825dc"},),
        links=((OTHER, "supports"),),
    )
    assert render_entry(entry) == (
        "---\n"
        "status: saved\n"
        "category: commands\n"
        'tags: ["ci", "deploy"]\n'
        "confidence: 0.8\n"
        "proposer: user\n"
        "created: 2026-11-30T22:41:07.123456Z\n"
        "updated: 2026-11-30T22:41:07.123456Z\n"
        'evidence: [{"kind": "commit", "ref": "4b825dc"}]\n'
        f"link-{OTHER}: supports\n"
        "---\n"
        "\n"
        "Run make gates.\n"
    )


@given(entries)
def test_o09_what_is_written_is_read_back(entry: Entry) -> None:
    read = parse(render_entry(entry))
    assert read._replace(digest="") == entry
    assert read.problems == ()


@given(entries)
def test_o13_no_value_makes_a_second_line(entry: Entry) -> None:
    head = render_entry(entry).split("\n---\n\n", 1)[0]
    keys = [line.partition(": ")[0] for line in head.splitlines()[1:]]
    assert len(keys) == len(set(keys))
    assert all(key.removeprefix("link-").replace("_", "").isalnum() for key in keys)


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_o13_a_text_that_looks_like_keys_forges_none(text: str) -> None:
    text = clean_text(text.replace("\0", ""))
    for status in (PENDING, ARCHIVED):
        entry = Entry(ID, SHELF, status, text)
        assert parse(render_entry(entry))._replace(digest="") == entry
        assert said(parse(edited_entry("Old text.", parse("Old text."), entry))) == entry


@given(entries, entries)
@example(
    Entry(ID, SHELF, PENDING, "a"), Entry(ID, SHELF, SAVED, "---\nstatus: archived\n---\n\nb", pinned=True)
)
def test_any_memory_can_become_any_other(old: Entry, new: Entry) -> None:
    text = render_entry(old)
    result = edited_entry(text, parse(text), new)
    assert said(parse(result)) == new
    assert parse(result).problems == ()


@given(files, entries)
def test_any_file_can_become_any_memory(text: str, new: Entry) -> None:
    assert said(parse(edited_entry(text, parse(text), new))) == new


@given(files, entries, st.sets(st.sampled_from(Entry._fields[2:20])))
def test_any_field_of_any_file_can_be_changed(text: str, other: Entry, names: set[str]) -> None:
    old = parse(text)
    new = old._replace(**{name: getattr(other, name) for name in names})
    new = new._replace(pinned=new.pinned and new.status == SAVED)
    if "\0" in new.text or not new.text.strip():
        return  # such a text is only read
    result = edited_entry(text, old, new)
    assert said(parse(result)) == said(new)
    if not names:
        assert result == text


@given(files)
def test_nothing_changes_where_nothing_is_to_change(text: str) -> None:
    assert edited_entry(text, parse(text), parse(text)) == text


# --- byte by byte ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        ({"tags": ("ci", "deploy")}, "tags: [ci, no, 2026-05-01]", 'tags: ["ci", "deploy"]'),
        ({"tags": ()}, "tags: [ci, no, 2026-05-01]\r\n", ""),
        ({"status": PENDING}, "status:  Saved", "status:  pending"),
        ({"sensitivity": "high"}, "sensitivity: low", "sensitivity: high"),
        ({"pinned": True}, "pinned: false", "pinned: true"),
        ({"verified_at": "2026-05-01"}, "verified: soon", "verified: 2026-05-01"),
        ({"category": "a: b"}, "custom: {a: 1}\r\n", 'custom: {a: 1}\r\ncategory: "a: b"\r\n'),
        ({"links": ((OTHER, "related"),)}, "1}\r\n", f"1}}\r\nlink-{OTHER}: related\r\n"),
        ({"text": "    make tag\n語"}, "last line  \r\n", "語\r\n"),
        ({"text": "one\n\ntwo"}, "    make tag\r\nlast line  ", "one\r\n\r\ntwo"),
        (
            {"evidence": ({"kind": "url", "ref": "x"},)},
            "1}\r\n",
            '1}\r\nevidence: [{"kind": "url", "ref": "x"}]\r\n',
        ),
    ],
)
def test_o07_o11_only_the_lines_that_change_are_written(
    changes: dict[str, Any], before: str, after: str
) -> None:
    assert BY_HAND.count(before) == 1
    assert edited(BY_HAND, **changes) == BY_HAND.replace(before, after)


def test_o11_a_pin_leaves_foreign_values_alone() -> None:
    text = "---\nstatus: saved\nref: 007\nbox: 04210\nver: 3.10\nwhen: 2026-03-08T22:15:30-04:00\n---\nx"
    assert edited(text, pinned=True) == text.replace("-04:00\n", "-04:00\npinned: true\n")


def test_o10_the_text_between_two_rules_stays_when_keys_come() -> None:
    text = "---\n**Kestrel weekly**\nDana Roe\n---\nPager moved."
    assert edited(text, tags=("ops",)) == f'---\ntags: ["ops"]\n---\n{text}'


@pytest.mark.parametrize(
    "text", ["Old.", "Old.\n", "---\nstatus: saved\n---\nOld.\n\n", "---\nstatus: saved\n---"]
)
def test_a_text_keeps_the_lines_around_it(text: str) -> None:
    result = edited(text, text="New\ntext.")
    if "Old." in text:
        assert result == text.replace("Old.", "New\ntext.")
    else:
        assert result == text + "\n\nNew\ntext.\n"


def test_a_file_without_keys_gets_none_from_its_new_text() -> None:
    assert edited("Old.", text="---\nstatus: saved\n---\nx") == "\n---\nstatus: saved\n---\nx"


def test_an_approval_gives_no_effect_to_what_had_none() -> None:
    text = "---\nstatus: pending\npinned: true\ncategories: [a\n---\nx\n"
    approved = edited(text, status=SAVED)
    assert approved == "---\nstatus: saved\ncategories: [a\n---\nx\n"
    healed = edited(approved, categories=("a",))
    assert healed == '---\nstatus: saved\ncategories: ["a"]\nsensitivity: high\n---\nx\n'


def test_of_a_key_that_stands_twice_one_is_left_when_it_changes() -> None:
    text = "---\nstatus: pending\ntags: [a]\nstatus: saved\nmetadata:\n  status: saved\n---\nx"
    assert edited(text, status=ARCHIVED) == "---\ntags: [a]\nstatus: archived\nmetadata:\n---\nx"


def test_what_cannot_be_told_from_a_file_is_written_anew_if_nothing_else_helps() -> None:
    text = "---\nstatus: saved\ncategories: [security\n---\nx\n"
    assert edited(text, sensitivity="low") == '---\nstatus: saved\ncategories: ["[security"]\n---\nx\n'


def test_nul_characters_are_only_got_rid_of_with_the_text() -> None:
    text = "---\nstatus: saved\n---\ntext\0\0"
    assert parse(edited_entry(text, parse(text), parse(text)._replace(status=SAVED))).status == PENDING
    assert edited(text, text="text", status=SAVED) == "---\nstatus: saved\n---\ntext"
