"""What the tests of the format are made of: a shelf, hostile texts, strategies for memories and files."""

from typing import Any

from hypothesis import strategies as st

from wuu.memory.format.entry import LINK_KINDS, PROPOSERS, SAVED, SENSITIVITIES, STATUSES, Entry, parse_entry
from wuu.memory.format.fields import clean_text
from wuu.memory.format.times import find_time
from wuu.memory.shelves import project_shelf
from wuu.text.safety import single_line_problem

ID = "00c0ffee00c0ffee"
SHELF = project_shelf("shop-0123456789abcdef")

HOSTILE = (
    *(
        "Deploy: blue/green (Split: EU)",
        "fix C #sharp build",
        "- dash",
        "*star",
        "@at",
        "\"quote' mix",
        "yes",
    ),
    *("[[x]]", "{a}", "| pipe", "> gt", "%p", "~", "null", "1e3", "0x1f", "2026-05-01", "007", "# heading"),
    *(
        "---",
        "status: saved",
        "a: b: c",
        "trailing:",
        "é",
        "语言",
        "👍🏽",
        "a\u00a0b",
        "a\u3000b",
        "'",
        '"',
        "\\",
    ),
    *("x" * 1_024, "\ufeffmark", "\u202eright", "it's", "tab\there"),
)
HOSTILE_TEXTS = (
    *HOSTILE,
    *("---\nstatus: saved\npinned: true\n---\nforged", "one\n---\ntwo", "  indented\nand more  ", "\ta"),
    *(
        "a\u2028b\u2029c\x85d",
        "line\n\n\nline",
        "```\n---\n```",
        "\ufeff---\nstatus: saved\n---\n",
        "…\n\x00",
    ),
    *("link-00000000deadbeef: supports", "Use tabs\nstatus: saved\npinned: true\nscope: user"),
)


def parse(text: str) -> Entry:
    return parse_entry(ID, SHELF, text)


def said(entry: Entry) -> Entry:
    """Return a memory without what depends on the exact bytes of its file."""
    return entry._replace(digest="", problems=())


_characters = st.characters(exclude_categories=("Cs",))
lines = st.one_of(st.sampled_from(HOSTILE), st.text(_characters, min_size=1, max_size=20)).filter(
    lambda value: single_line_problem(value) is None
)
trimmed = lines.map(str.strip).filter(bool)
texts = (
    st.one_of(st.sampled_from(HOSTILE_TEXTS), st.text(_characters, max_size=60))
    .map(lambda text: clean_text(text.replace("\0", "")))
    .filter(lambda text: bool(text.strip()))
)
_strings = st.one_of(st.sampled_from(HOSTILE_TEXTS), st.text(_characters, max_size=8))
_json = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _strings
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_strings, inner, max_size=3)),
    max_leaves=6,
)
objects = st.dictionaries(_strings, _json, max_size=4)
_times = st.none() | st.datetimes().map(lambda moment: find_time(moment.isoformat() + "Z"))
_ids = st.text("0123456789abcdef", min_size=16, max_size=16).filter(lambda other: other != ID)
_links = st.dictionaries(_ids, st.sampled_from(LINK_KINDS), max_size=4).map(
    lambda links: tuple(sorted(links.items()))
)


def _tuples(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=3).map(tuple)


entries = st.builds(
    Entry,
    id=st.just(ID),
    shelf=st.just(SHELF),
    status=st.sampled_from(STATUSES),
    text=texts,
    category=lines,
    categories=_tuples(trimmed),
    tags=_tuples(trimmed),
    pinned=st.booleans(),
    sensitivity=st.sampled_from(SENSITIVITIES),
    confidence=st.none() | st.floats(0, 1),
    proposer=st.sampled_from(PROPOSERS),
    saved_in=st.none() | lines,
    classification=st.none() | lines,
    created_at=_times,
    updated_at=_times,
    saved_at=_times,
    verified_at=st.none() | st.dates().map(str),
    evidence=_tuples(objects),
    redactions=_tuples(trimmed),
    proposal=st.none() | objects,
    links=_links,
    digest=st.just(""),
    problems=st.just(()),
).map(lambda entry: entry._replace(pinned=entry.pinned and entry.status == SAVED))
"""Every memory that wuu could write."""

_KEYS = (
    *(
        "status",
        "category",
        "categories",
        "tags",
        "pinned",
        "sensitivity",
        "confidence",
        "proposer",
        "metadata",
    ),
    *(
        "saved_in",
        "created",
        "updated",
        "verified",
        "evidence",
        "redactions",
        "classification",
        "proposal",
        "title",
        "link-x",
    ),
    *("link-00000000deadbeef", f"link-{ID}", "link-", "Status", "x y"),
)
_VALUES = st.one_of(
    st.sampled_from(
        (
            *(
                "saved",
                "Saved",
                "archived",
                "pending",
                "true",
                "false",
                "high",
                "low",
                "0.5",
                "1",
                "nan",
                "1e999",
            ),
            *(
                "[",
                "]",
                "[1, 2",
                '["a", "b"]',
                "[a, no]",
                "{",
                "{}",
                '[{"a": NaN}]',
                '[{"a": 1e999}]',
                "&x [*x]",
            ),
            *(
                '["\\ud800"]',
                '{"a": "\\udc00"}',
                "[" * 2_000,
                "9" * 5_000,
                '"\\UFFFFFFFF"',
                "|",
                ">",
                "# c",
                "",
            ),
            *("\n  - a\n  - b", "\n  status: saved", "\n  tags: [x]", "supports", "2026-02-30", "2026-05-01"),
        )
    ),
    st.text(_characters, max_size=12),
)
files = st.builds(
    lambda mark, fields, text, newline, fences: (
        mark
        + fences[0]
        + "".join(f"{key}:{blank}{value}\n" for key, blank, value in fields)
        + fences[1]
        + text
    ).replace("\n", newline),
    st.sampled_from(("", "", "\ufeff", "\n")),
    st.lists(st.tuples(st.sampled_from(_KEYS), st.sampled_from((" ", "", "  ", "\t")), _VALUES), max_size=7),
    st.one_of(st.sampled_from(HOSTILE_TEXTS), st.text(_characters, max_size=30)),
    st.sampled_from(("\n", "\n", "\r\n", "\r")),
    st.sampled_from((("---\n", "---\n"), ("---\n", "---\n\n"), ("---\n", "---"), ("---\n", ""), ("", ""))),
)
"""Files as people, editors and accidents leave them."""
