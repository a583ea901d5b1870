"""How a memory's file is read: without exceptions, and what breaks a rule in the least privileged way."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.samples import ID, SHELF, files, parse
from wuu.memory.format import fields
from wuu.memory.format.entry import (
    HIGH,
    MAX_TEXT_BYTES,
    SENSITIVITIES,
    STATUSES,
    Entry,
    examine_entry,
    find_status,
    render_entry,
    rendered_keys,
)
from wuu.memory.format.fields import parse_parts, parse_text

WHOLE = """\
---
status: saved
category: commands
categories: ["release", "stack"]
tags: ["ci", "deploy"]
pinned: true
sensitivity: medium
confidence: 0.8
proposer: dream
saved_in: 3f2a
created: 2026-05-01T07:30:00Z
updated: 2026-05-02T09:30:00+02:00
verified: 2026-05-03
evidence: [{"kind": "commit", "ref": "4b825dc"}]
redactions: ["token"]
link-00000000deadbeef: supports
---

Run make gates before you push.
"""


def with_field(line: str, status: str = "saved") -> Entry:
    return parse(f"---\nstatus: {status}\n{line}\n---\n\nText.\n")


def test_every_key_is_read() -> None:
    assert parse(WHOLE)._replace(digest="") == Entry(
        ID,
        SHELF,
        "saved",
        "Run make gates before you push.",
        category="commands",
        categories=("release", "stack"),
        tags=("ci", "deploy"),
        pinned=True,
        sensitivity="medium",
        confidence=0.8,
        proposer="dream",
        saved_in="3f2a",
        created_at="2026-05-01T07:30:00.000000Z",
        updated_at="2026-05-02T07:30:00.000000Z",
        verified_at="2026-05-03",
        evidence=({"kind": "commit", "ref": "4b825dc"},),
        redactions=("token",),
        links=(("00000000deadbeef", "supports"),),
    )


@given(files | st.text(st.characters(exclude_categories=("Cs",))))
@example("")
@example("\ufeff")
@example("---\n---\n")
@example("\0" * 4096)
@example("---\nstatus: saved\nevidence: " + "[" * 100_000 + "\n---\nx")
@example("---\nstatus: saved\nproposal: " + "9" * 100_000 + "\n---\nx")
def test_o12_any_text_is_read_and_can_be_written_again(text: str) -> None:
    entry = parse(text)
    assert entry.status in STATUSES
    assert entry.sensitivity in SENSITIVITIES
    assert not entry.pinned or entry.status == "saved"
    assert entry.text == fields.clean_text(entry.text)
    written = render_entry(entry)
    written.encode()
    json.dumps(entry.evidence, allow_nan=False).encode()
    assert rendered_keys(parse(written)) == rendered_keys(entry)


@given(files | st.text(st.characters(exclude_categories=("Cs",))))
def test_the_quick_ways_read_what_the_slow_one_reads(text: str) -> None:
    slow = fields._parse_any(text)
    assert parse_parts(text)._replace(values={}) == slow._replace(values={})
    assert parse_parts(text).values == slow.values
    assert parse_text(text) == parse(text).text
    assert find_status(text) == parse(text).status


def test_what_wuu_writes_takes_the_quick_way() -> None:
    assert fields._parse_plain(WHOLE) == fields._parse_any(WHOLE)


# --- the least privileged reading -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Just a text.",
        "",
        "---\n\nA rule\n\n---\nstatus: saved",
        "---\nstatus: saved\nText that is no key\n---\nbody",
        "---\nstatus: saved\nbody without an end",
        "\n---\nstatus: saved\n---\nbody",
        "--- \nstatus: saved\n---\nbody",
        "---\nstatus:\n---\nbody",
        "---\nstatus: done\n---\nbody",
        "---\nstatus: saved # or is it\n---\nbody",
        "---\nstatus: [saved]\n---\nbody",
        "---\nstatus: |\n  pending\n  saved\n---\nbody",
        "---\ntags: saved\n---\nbody",
        "---\nother:\n  status: saved\n---\nbody",
        "---\nstatus: saved\n---\nbody \0\0\0",
        "\0" * 400,
    ],
)
def test_what_does_not_say_that_it_is_saved_is_pending(text: str) -> None:
    entry = parse(text)
    assert entry.status == "pending"
    assert entry.problems


@pytest.mark.parametrize("value", ["Saved", "SAVED", '"saved"', "'saved'", "|\n  saved", " saved"])
def test_the_case_and_the_quotes_of_a_status_say_nothing(value: str) -> None:
    entry = parse(f"---\nstatus: {value}\n---\nbody")
    assert (entry.status, entry.problems) == ("saved", ())


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("status: saved\nstatus: pending", "pending"),
        ("status: pending\nstatus: saved", "pending"),
        ("status: archived\nstatus: pending\nstatus: saved", "archived"),
        ("status: saved\nstatus: done", "pending"),
        ("status: saved\nmetadata:\n  status: pending", "pending"),
        ("status: pending\nmetadata:\n  status: saved", "pending"),
        ("status: saved\nstatus: saved", "saved"),
    ],
)
def test_of_two_statuses_the_lesser_one_counts(lines: str, status: str) -> None:
    entry = parse(f"---\n{lines}\n---\nbody")
    assert entry.status == status
    assert any("stands" in problem for problem in entry.problems)


def test_a_damaged_archived_memory_stays_archived() -> None:
    assert parse("---\nstatus: archived\n---\nbody\0").status == "archived"


@pytest.mark.parametrize("status", ["pending", "archived", "done"])
def test_a_pin_counts_only_on_a_saved_memory(status: str) -> None:
    entry = with_field("pinned: true", status)
    assert not entry.pinned
    assert any("only saved memories are pinned" in problem for problem in entry.problems)


@pytest.mark.parametrize(
    "lines", ["pinned: yes", "pinned: 1", "pinned: true\npinned: false", "pinned: [true]"]
)
def test_what_is_not_surely_a_pin_is_none(lines: str) -> None:
    entry = with_field(lines)
    assert not entry.pinned
    assert len(entry.problems) == 1


@pytest.mark.parametrize(
    "line",
    [
        "sensitivity: secret",
        "sensitivity: low\nsensitivity: high",
        "sensitivity: high\nsensitivity: low",
        'sensitivity: low\ncategories: ["security", "stack"',
        "sensitivity: low\ncategory: security\ncategory: other",
        "category: " + "x" * 2_000,
    ],
)
def test_what_may_be_sensitive_is(line: str) -> None:
    entry = with_field(line)
    assert entry.sensitivity == HIGH
    assert entry.problems


def test_an_unknown_proposer_is_trusted_like_an_agent() -> None:
    assert with_field("proposer: dana").proposer == "agent"
    assert with_field("proposer: user\nproposer: import").proposer == "import"
    assert with_field("x: y").proposer == "user"


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("confidence: high", "confidence", None),
        ("confidence: 1.5", "confidence", None),
        ("confidence: -0.1", "confidence", None),
        ("confidence: nan", "confidence", None),
        ("confidence: 1_0", "confidence", None),
        ("confidence: ٠", "confidence", None),
        ("created: yesterday", "created_at", None),
        ("updated: 2026-02-30", "updated_at", None),
        ("verified: 2026-02-30", "verified_at", None),
        ("verified: 2026-05-01T10:00:00Z", "verified_at", None),
        ("evidence: {}", "evidence", ()),
        ("evidence: [", "evidence", ()),
        ('evidence: [{"a": NaN}]', "evidence", ()),
        ('evidence: [{"a": -1e999}]', "evidence", ()),
        ('evidence: ["commit 4b825dc"]', "evidence", ()),
        ("evidence: " + '[{"a":' * 40 + "1" + "}]" * 40, "evidence", ()),
        ("evidence: [{'a': 1}]", "evidence", ()),
        ("proposal: []", "proposal", {}),
        ("link-00000000deadbeef: likes", "links", ()),
        ("link-deadbeef: supports", "links", ()),
        (f"link-{ID}: supports", "links", ()),
        ("link-00000000DEADBEEF: supports", "links", ()),
        ("tags: [ci, deploy", "tags", ("[ci", "deploy")),
    ],
)
def test_a_value_that_cannot_be_is_named_and_left_out(line: str, name: str, value: Any) -> None:
    entry = with_field(line)
    assert getattr(entry, name) == value
    assert len(entry.problems) == 1
    assert entry.problems[0].startswith(line.partition(":")[0])
    assert (entry.status, entry.text) == ("saved", "Text.")


@pytest.mark.parametrize(
    "line",
    [
        *(
            "tags:",
            "evidence:",
            "proposal:",
            "confidence:",
            "created:",
            "pinned:",
            "sensitivity:",
            "category:",
        ),
        *(
            "link-00000000deadbeef:",
            "title: x: y",
            "unknown: [",
            "pinned: false",
            "# pinned: true",
            "metadata: x",
        ),
    ],
)
def test_a_key_without_value_and_one_that_is_not_ours_are_fine(line: str) -> None:
    entry = with_field(line)
    assert rendered_keys(entry) == rendered_keys(with_field("other: 1"))
    assert entry.problems == ()


def test_evidence_may_span_lines_and_hold_half_characters() -> None:
    assert with_field('evidence: [\n  {"kind": "commit",\n   "ref": "\\ud800x"}\n ]').evidence == (
        {"kind": "commit", "ref": "\ufffdx"},
    )


def test_o16_a_text_of_the_most_bytes_is_fine_and_one_more_is_named() -> None:
    assert parse("---\nstatus: saved\n---\n" + "語" * (MAX_TEXT_BYTES // 3)).problems == ()
    long = parse("---\nstatus: saved\n---\n" + "x" * (MAX_TEXT_BYTES + 1))
    assert long.problems == ("its text is longer than 32,768 bytes",)


def test_the_place_of_a_flaw_is_known() -> None:
    _, flaws = examine_entry(ID, SHELF, "---\nstatus: done\ntags: []\ntags: [a\n---\n")
    assert [(flaw.key, flaw.code) for flaw in flaws] == [
        ("tags", "duplicate_key"),
        ("status", "entry_invalid"),
        (None, "entry_invalid"),
        ("tags", "entry_invalid"),
    ]


# --- cases ----------------------------------------------------------------------------------------------


def test_o07_a_byte_order_mark_and_crlf_hide_nothing() -> None:
    entry = parse(
        "\ufeff---\r\nstatus: saved\r\ntags: [ci]\r\n---\r\n\r\n    make tag\r\nlast line  \r\n\r\n"
    )
    assert (entry.status, entry.tags, entry.text) == ("saved", ("ci",), "    make tag\nlast line  ")


@pytest.mark.parametrize("category", ["Deploy: blue/green (Split: EU)", "fix C #sharp build", "yes", "[[x]]"])
def test_o09_a_value_by_hand_is_what_stands_there(category: str) -> None:
    assert with_field(f"category: {category}").category == category


def test_o10_a_leading_rule_is_text() -> None:
    text = "---\n**Kestrel Ops weekly**\nDana Roe, on call\n---\nPager moved to Tuesday."
    assert (parse(text).text, parse(text).status) == (text, "pending")
    block = parse("---\nstatus: saved\ncategory: a --- b\n---\none\n---\ntwo")
    assert (block.category, block.text) == ("a --- b", "one\n---\ntwo")


def test_o11_values_keep_their_type() -> None:
    entry = with_field("tags: [no, on, 2026-05-01, ~]\nopens: 11:45\ncustom: {a: 1}\ncategory: 007")
    assert (entry.tags, entry.category) == (("no", "on", "2026-05-01", "~"), "007")


@pytest.mark.parametrize(
    "line",
    [
        *(
            "rev: " + "9" * 5_000,
            "created: 2026-02-30",
            "created: 2026-02-03T10:00:00+99:99",
            "tags: &x [*x]",
        ),
        *('category: "\\UFFFFFFFF"', "confidence: 0b_", "tags: " + "[" * 2_000, "x:\n\tstatus: pending"),
        "tags: &a [x]\ncategories: [" + ",".join(["*a"] * 9) + "]",
    ],
)
def test_o12_hostile_yaml_is_only_text(line: str) -> None:
    entry = with_field(line)
    assert (entry.status, entry.text) == ("saved", "Text.")
    assert len(rendered_keys(entry)["tags"] or "") < 9_000


def test_o13_lines_below_a_value_are_no_keys() -> None:
    entry = with_field("category: |\n  x\n  pinned: true\n  sensitivity: low", "pending")
    assert (entry.category, entry.pinned) == ("x pinned: true sensitivity: low", False)
