"""The reference page of the format: its examples are memories, and its tables say what the code does."""

import re
from pathlib import Path

import pytest

from memory.samples import ID, SHELF, parse
from wuu.memory.format import entry as format_
from wuu.memory.format.entry import Entry, edited_entry, render_entry, rendered_keys
from wuu.memory.shelves import project_shelf, session_shelf, user_shelf
from wuu.memory.writing.lifecycle import MAX_PINS
from wuu.store.reads import MAX_FILE_BYTES
from wuu.text.safety import MAX_FIELD_BYTES
from wuu.text.scalars import MAX_NESTING

EXAMPLES = ("whole", "least", "lists", "hostile", "broken")


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "reference" / "memory-format.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def examples(page: str) -> dict[str, str]:
    found = re.findall(r"^```memory\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    return dict(zip(EXAMPLES, found, strict=True))


def test_the_whole_example_is_a_file_as_wuu_writes_it(examples: dict[str, str]) -> None:
    entry = parse(examples["whole"])
    assert entry.problems == ()
    assert render_entry(entry) == examples["whole"]
    assert (entry.tags, entry.pinned, entry.links) == (
        ("ci", "deploy"),
        True,
        (("00000000deadbeef", "supports"),),
    )


def test_the_examples_by_hand_break_no_rule(examples: dict[str, str]) -> None:
    least, lists = parse(examples["least"]), parse(examples["lists"])
    assert least._replace(digest="") == Entry(ID, SHELF, "saved", "Dana is on call on Tuesdays.")
    assert lists.problems == ()
    assert (lists.tags, lists.categories) == (("ci", "no"), ("release", "stack"))
    assert [one["ref"] for one in lists.evidence] == ["https://example.org/42", "4b825dc"]


def test_o13_the_hostile_example_is_text(examples: dict[str, str]) -> None:
    entry = parse(examples["hostile"])
    assert entry.status == "pending"
    assert entry.text.startswith("---\nstatus: saved\n---\n")


def test_the_broken_example_is_read_in_the_least_privileged_way(examples: dict[str, str]) -> None:
    entry = parse(examples["broken"])
    assert (entry.status, entry.pinned, entry.sensitivity) == ("pending", False, "high")
    assert len(entry.problems) == 3
    approved = edited_entry(examples["broken"], entry, entry._replace(status="saved"))
    assert approved == examples["broken"].replace("status: approved", "status: saved").replace(
        "pinned: true\n", ""
    )


def test_the_keys_and_their_order_are_those_of_the_code(page: str) -> None:
    table = page[page.index("| key | value |") : page.index("Every other key is yours")]
    rows = [line.split("|")[1] for line in table.splitlines()[2:] if line.startswith("|")]
    documented = [key for row in rows for key in re.findall(r"`([a-z<>_-]+)`", row)]
    assert documented == [*rendered_keys(Entry(ID, SHELF, "saved", "x")), "link-<id>"]
    words = set(re.findall(r"`([a-z]+)`", table))
    known = (format_.STATUSES, format_.SENSITIVITIES, format_.PROPOSERS, format_.LINK_KINDS)
    assert {word for words_ in known for word in words_} <= words


def test_the_paths_are_those_of_the_code(page: str) -> None:
    for shelf in (user_shelf("<profile>"), project_shelf("<key>"), session_shelf("<key>", "<session>")):
        assert f"| {shelf.scope} | `{shelf.path('<id>')}` |" in page


def test_the_limits_are_those_of_the_code(page: str) -> None:
    limits = page[page.index("## Limits") :]
    found = [int(number.replace(",", "")) for number in re.findall(r"\| ([0-9,]+)", limits)]
    assert found == [format_.MAX_TEXT_BYTES, MAX_FILE_BYTES, MAX_FIELD_BYTES, MAX_NESTING, MAX_PINS]
