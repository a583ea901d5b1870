"""Values of frontmatter keys: written so that everybody reads them back, read however they were written."""

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from wuu.text.safety import single_line_problem
from wuu.text.scalars import (
    MAX_NESTING,
    MAX_YAML_CHARACTERS,
    decode_list,
    decode_scalar,
    render_list,
    render_scalar,
)

TITLES = (
    "Deploy: blue/green (Split: EU)",
    "fix C #sharp build",
    "- dash",
    "*star",
    "@at",
    "\"quote' mix",
    "yes",
    "[[x]]",
    "{a}",
    "| pipe",
    "> gt",
    "%p",
)
RETYPED = (
    *(
        "no",
        "On",
        "TRUE",
        "y",
        "null",
        "~",
        "=",
        "<<",
        ".inf",
        "-.INF",
        ".nan",
        "+12",
        "007",
        "0b1",
        "0x1F",
        "0o17",
    ),
    *(
        "1_000",
        "3.10",
        "1e3",
        "1.5e-3",
        "11:45",
        "190:20:30",
        "2026-05-01",
        "2026-5-1 10:00:00",
        "2026-05-01T10:00",
    ),
)
UNTOUCHED = (
    *(
        "Crew rota",
        "-dash",
        ":colon",
        "?mark",
        "a:b",
        "a#b",
        "C++",
        "it's",
        'say "x"',
        "a - b",
        "x=y",
        "=x",
        "~x",
    ),
    *(
        "1.2.3",
        "10.0.0.1",
        "3 Bed",
        "2026-05",
        "v3.10",
        "12:99",
        "nope",
        "1e",
        "0xZZ",
        "部署说明",
        "https://a.b/c",
    ),
    *("---", "--- x", "...", "<a>", "(a)", "/x", ".hidden", "a, b", "a]", "a}", "x|", "e\u0301", "a\u00a0b"),
)


def _accepted(value: str) -> bool:
    return single_line_problem(value) is None


def _by_yaml(rendered: str) -> object:
    return yaml.safe_load(f"key: {rendered}\nnext: x\n")["key"]


# Text made of what YAML trips over, and any text.
SYNTAX = st.lists(
    st.sampled_from(
        [
            *"-?:,[]{}#&*!|>'\"%@`~=<\\",
            " ",
            ": ",
            " #",
            "a",
            "0",
            "1",
            ".",
            "e",
            "_",
            "no",
            "\u00e9",
            "\u200b",
        ]
    ),
    max_size=8,
).map("".join)
SINGLE_LINES = (SYNTAX | st.text(max_size=30) | st.sampled_from(TITLES + RETYPED + UNTOUCHED)).filter(
    _accepted
)
NUMBERS = st.from_regex(r"[-+]?[0-9._:exobTZ -]{1,12}", fullmatch=True)


@given(SINGLE_LINES | NUMBERS)
@example("")
@example("\ufeff")
@example("\ufffe a")
@example("x\u3000")
@example("'a\0b'".replace("\0", "\u0300"))
def test_o09_a_scalar_is_read_back_by_us_and_by_yaml(value: str) -> None:
    rendered = render_scalar(value)
    assert "\n" not in rendered
    assert decode_scalar(rendered.strip()) == value
    assert _by_yaml(rendered) == value


@pytest.mark.parametrize("title", TITLES)
def test_o09_titles_that_yaml_reads_as_syntax_are_quoted(title: str) -> None:
    rendered = render_scalar(title)
    assert rendered[0] == rendered[-1] == '"'
    assert decode_scalar(rendered) == _by_yaml(rendered) == title


@pytest.mark.parametrize("value", RETYPED)
def test_o11_text_that_yaml_would_retype_is_quoted(value: str) -> None:
    assert render_scalar(value) == f'"{value}"'


@pytest.mark.parametrize("value", UNTOUCHED)
def test_a_value_stands_unquoted_where_no_yaml_reader_trips(value: str) -> None:
    assert render_scalar(value) == value
    assert decode_scalar(value) == _by_yaml(value) == value


OTHER_READERS = frozenset({"y", "n", "=", "<<", *(value.lower() for value in RETYPED)})


@given(SINGLE_LINES)
def test_a_value_is_quoted_only_where_a_yaml_reader_trips(value: str) -> None:
    # What only other YAML readers retype stands in RETYPED, and NUMBERS are more than PyYAML takes for them.
    assume(
        value.lower() not in OTHER_READERS and not any(mark.isdigit() or mark == "\ufeff" for mark in value)
    )
    try:
        reads_plain = _by_yaml(value) == value
    except yaml.YAMLError:
        reads_plain = False
    assert (render_scalar(value) == value) == (reads_plain and value == value.strip())


@given(st.lists(SINGLE_LINES | NUMBERS, max_size=5))
def test_a_list_is_read_back_by_us_and_by_yaml(values: list[str]) -> None:
    rendered = render_list(tuple(values))
    assert "\n" not in rendered
    assert decode_list(rendered) == tuple(value.strip() for value in values if value.strip())
    assert _by_yaml(rendered) == values


@given(st.text(st.characters(), max_size=20))
def test_o13_any_text_is_rendered_on_one_line_that_can_be_stored(value: str) -> None:
    for rendered in (render_scalar(value), render_list((value,))):
        assert rendered.splitlines() in ([], [rendered])
        rendered.encode()


# --- scalars as people and programs write them -----------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Deploy: blue/green", "Deploy: blue/green"),
        ("fix C #sharp build", "fix C #sharp build"),
        ("'it''s'", "it's"),
        ("'a' or 'b'", "'a' or 'b'"),
        ('"a" or "b"', '"a" or "b"'),
        ("'a\0b'", "a\0b"),
        ('"tab\\tand \\u00e9"', "tab\tand é"),
        ('"Caf\\xe9 \\U0001F6A2 \\e"', "Café \U0001f6a2 \x1b"),
        ('"C:\\dir\\logs"', "C:\\dir\\logs"),
        ('"\\UFFFFFFFF"', "\\UFFFFFFFF"),
        ('"\\ud83d\\udea2"', "\U0001f6a2"),
        ('"half \\ud83d"', "half \ufffd"),
        ('"', '"'),
        ("''", ""),
        ("\"it's'", "\"it's'"),
        ("[a, b]", "[a, b]"),
        ("| pipe", "| pipe"),
        ("&anchor", "&anchor"),
        ("*alias", "*alias"),
        ("~", "~"),
        ("", ""),
    ],
)
def test_a_scalar_beside_its_key_is_read_as_text(raw: str, expected: str) -> None:
    assert decode_scalar(raw) == expected


@pytest.mark.parametrize(
    ("raw", "rest", "expected"),
    [
        ("|", "  one\n\n  two\n", "one\n\ntwo"),
        (">-", "  one\n  two\n", "one two"),
        ("one", "  two\n\n  three\n", "one two three"),
        ("", "  below\n", "below"),
        ("# why", "  below\n", "below"),
        ('"one', '  two"\n', "one two"),
        ("'it''s", "  open'\n", "it's open"),
        ('"never', "  closed\n", '"never closed'),
        ("| pipe", "  goes on\n", "| pipe goes on"),
        ("[a,", "  b]\n", ""),
        ("", "  type: x\n", ""),
    ],
)
def test_a_scalar_of_several_lines_is_read_as_yaml_or_as_its_own_text(
    raw: str, rest: str, expected: str
) -> None:
    assert decode_scalar(raw, rest) == expected


# --- lists as people and programs write them -------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("[no, on, 2026-05-01, ~]", ("no", "on", "2026-05-01", "~")),
        ("[007, 3.10, 11:45, 0b_]", ("007", "3.10", "11:45", "0b_")),
        ('["a, b", "c"]', ("a, b", "c")),
        ("['it''s', \"x\"]", ("it's", "x")),
        ("[1, 2]", ("1", "2")),
        ("[a, [b], {c: d}, '']", ("a",)),
        ("[wip, @dana, %p]", ("wip", "@dana", "%p")),
        ("[&x a, *x]", ("&x a", "*x")),
        ("[a, b] # both", ("a", "b")),
        ("[a, b", ("[a", "b")),
        ("a, b,, c", ("a", "b", "c")),
        ('"a, b"', ("a", "b")),
        ('["\\ud83d"]', ("\ufffd",)),
        ("[]", ()),
        ("", ()),
    ],
)
def test_a_list_beside_its_key_is_read_as_texts(raw: str, expected: tuple[str, ...]) -> None:
    assert decode_list(raw) == expected


@pytest.mark.parametrize(
    ("raw", "rest", "expected"),
    [
        ("", "- a\n- b\n", ("a", "b")),
        ("# both", "  - a\n\n  - b\n", ("a", "b")),
        ("", "- no\n- 2026-05-01\n- ~\n-\n", ("no", "2026-05-01", "~")),
        (
            "",
            "- Deploy: blue/green\n- fix C #sharp\n- '*star'\n- *alias\n",
            ("Deploy: blue/green", "fix C #sharp", "*star", "*alias"),
        ),
        ("", "- one\n  goes on\n- two\n", ("one goes on", "two")),
        ("", "- |\n  one\n- two\n", ("one", "two")),
        ("", "- [a](b.md) that\n  goes on\n- two\n", ("[a](b.md) that goes on", "two")),
        ("", "- a: b\n  c: d\n- two\n", ("two",)),
        ("[a,", "  b\n]\n", ("a", "b")),
        ("[", '  "a",\n  "b"\n  ]\n', ("a", "b")),
        ("a,", "  b\n", ("a", "b")),
        ("", "  type: x\n", ()),
    ],
)
def test_a_list_below_its_key_is_read_as_texts(raw: str, rest: str, expected: tuple[str, ...]) -> None:
    assert decode_list(raw, rest) == expected


def test_a_long_list_of_links_is_no_deep_nesting() -> None:
    # Brackets were counted, not nested: a list with more than 32 of them in its items was read as empty.
    items = [f"[note {number}](note-{number}.md)" for number in range(MAX_NESTING + 8)]
    assert decode_list("", "".join(f"- {item}\n" for item in items)) == tuple(items)
    flow = ",".join(f"[x], '{number}'" for number in range(MAX_NESTING + 8))
    assert len(decode_list(f"[{flow}]")) == MAX_NESTING + 8


def test_o12_a_value_that_nests_too_deeply_is_its_own_text() -> None:
    deep = "[" * (MAX_NESTING + 1) + "]" * (MAX_NESTING + 1)
    assert decode_list(deep.replace("[", "[a,", 1)) == ("a", deep[1:-1])
    assert decode_list("[" * 2_000) == ("[" * 2_000,)


def test_o12_what_is_too_long_for_yaml_is_read_without_it() -> None:
    many = ["@x"] * MAX_YAML_CHARACTERS
    assert decode_list(f"[{','.join(many)}]") == tuple(many)
    assert decode_scalar(">", "  x y\n" * MAX_YAML_CHARACTERS).startswith("> x y x y")


@pytest.mark.parametrize(
    "load",
    ["a", "- a", "[a]", "{a: b}", "[&x a, b]"],
)
def test_the_plain_loader_reads_what_has_no_alias(load: str) -> None:
    from wuu.text.plain_yaml import PlainLoader

    assert yaml.load(load, Loader=PlainLoader) == yaml.load(load, Loader=yaml.BaseLoader)


def test_o12_the_plain_loader_refuses_aliases() -> None:
    from wuu.text.plain_yaml import YAML_ERRORS, PlainLoader

    with pytest.raises(YAML_ERRORS):
        yaml.load("&x [*x]", Loader=PlainLoader)
