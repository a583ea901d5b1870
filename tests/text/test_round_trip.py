"""Real notebooks: what people and agents wrote is read, and every byte survives a change and its opposite.

The counts were checked by eye; no text of the notebooks stands here.
"""

from pathlib import Path

import pytest

from wuu.text.document import field_list, field_text, find_field, parse_document, with_field, without_field
from wuu.text.index_lines import (
    entry_text,
    parse_index,
    render_entry,
    with_entry,
    with_entry_renamed,
    with_entry_replaced,
    without_entries,
)

# Folder: entries of the index, its mentions, topic files, those with frontmatter.
NOTEBOOKS = {
    "cjk-unindexed": (7, 7, 8, 8),
    "hangul-headings": (12, 14, 12, 11),
    "index-only-mixed-links": (7, 7, 0, 0),
    "index-only-numbered": (8, 9, 0, 0),
    "index-only-prefixed-links": (4, 5, 0, 0),
    "invalid-yaml-colon": (4, 4, 4, 4),
    "large-flat-truncated-descriptions": (108, 112, 108, 108),
    "link-climbs-out": (15, 20, 12, 11),
    "odd-yaml-hash-name": (19, 24, 24, 22),
    "prose-index": (13, 13, 13, 13),
    "small-flat": (14, 14, 14, 14),
    "tiny": (3, 3, 3, 3),
    "windows-desktop": (0, 3, 15, 2),
}
FIELDS = ("name", "description", "type", "verified", "metadata", "new-key")


@pytest.fixture(params=sorted(NOTEBOOKS))
def notebook(request: pytest.FixtureRequest, shared_data: Path) -> Path:
    return shared_data / "notebooks" / request.param


def _read(path: Path) -> str:
    return path.read_bytes().decode()


def _index(notebook: Path) -> str:
    return _read(notebook / "MEMORY.md")


def _topics(notebook: Path) -> dict[str, str]:
    return {path.name: _read(path) for path in sorted(notebook.glob("*.md")) if path.name != "MEMORY.md"}


def test_every_notebook_is_in_the_table(shared_data: Path) -> None:
    assert {path.name for path in (shared_data / "notebooks").iterdir()} == set(NOTEBOOKS)


def test_entries_mentions_and_topics_are_counted_right(notebook: Path) -> None:
    index, topics = parse_index(_index(notebook)), _topics(notebook)
    blocks = [text for text in topics.values() if parse_document(text).has_block]
    counted = (len(index.entries), len(index.mentions), len(topics), len(blocks))
    assert counted == NOTEBOOKS[notebook.name]
    assert index.open_at is None


def test_o40_an_entry_added_and_dropped_restores_the_index(notebook: Path) -> None:
    text = _index(notebook)
    before = parse_index(text)
    rendered = render_entry("kestrel rota.md", "Kestrel [rota]", "who is `on call` | see ](x)")
    changed = with_entry(text, rendered)
    after = parse_index(changed)
    assert len(after.lines) == len(before.lines) + 1
    assert len(after.entries) == len(before.entries) + 1
    (entry,) = [entry for entry in after.entries if entry.mentions[0].file == "kestrel rota.md"]
    assert entry_text(after, entry) == rendered
    assert without_entries(changed, [entry]) == text


def test_every_entry_can_be_renamed_and_replaced_and_back(notebook: Path) -> None:
    text = _index(notebook)
    index = parse_index(text)
    for at, entry in enumerate(index.entries):
        first = entry.mentions[0]
        renamed = with_entry_renamed(text, entry, [first], "kestrel.md")
        there = parse_index(renamed).entries[at]
        assert there.mentions[0].file == "kestrel.md"
        assert with_entry_renamed(renamed, there, [there.mentions[0]], first.file) == text
        replaced = with_entry_replaced(text, entry, render_entry("kestrel.md", "K", "x"))
        assert parse_index(replaced).entries[at].mentions[0].file == "kestrel.md"
        assert with_entry_replaced(replaced, entry, entry_text(index, entry)) == text


def test_dropping_every_entry_drops_their_lines_alone(notebook: Path) -> None:
    text = _index(notebook)
    index = parse_index(text)
    left = parse_index(without_entries(text, list(index.entries)))
    gone = sum(entry.end - entry.at for entry in index.entries)
    assert len(left.lines) == len(index.lines) - gone
    assert left.entries == ()


def test_every_topic_is_read(notebook: Path) -> None:
    for file, text in _topics(notebook).items():
        document = parse_document(text)
        assert text.endswith(document.body)
        assert (field_text(document, "name") is not None) == document.has_block, file
        assert (field_text(document, "description") is not None) == document.has_block, file
        assert not document.body.startswith("---\nname"), file
        for field in document.fields:
            assert "\n" not in "".join(
                (field_text(document, field.key) or "", *field_list(document, field.key))
            )


@pytest.mark.parametrize("key", FIELDS)
def test_every_topic_keeps_every_other_byte_when_a_key_is_set(notebook: Path, key: str) -> None:
    for file, text in _topics(notebook).items():
        document = parse_document(text)
        changed = with_field(text, key, "kestrel")
        after = parse_document(changed)
        assert after.body == document.body
        assert field_text(after, key) == "kestrel"
        field = find_field(document, key)
        if field is None:
            assert not document.has_block or without_field(changed, key) == text, file
        elif not field.rest:
            written = text[field.value_at : field.end].rstrip("\r\n")
            assert with_field(changed, key, written) == text, file
