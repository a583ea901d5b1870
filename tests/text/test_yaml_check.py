"""Which frontmatter strict YAML readers take: all that the screen lets pass; the rest has a reason."""

import tracemalloc

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wuu.text.scalars import render_scalar
from wuu.text.yaml_check import MAX_CHARACTERS, find_yaml_problem, is_surely_yaml

BOMB = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))


@pytest.fixture(params=["c", "python"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test with both loaders, since not every machine has the fast one."""
    if request.param == "python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    elif not hasattr(yaml, "CSafeLoader"):
        pytest.skip("PyYAML was built without libyaml")


HARMLESS = [
    "",
    "name: Ferry\ndescription: When it sails, and why (May)\ntype: reference\n",
    "name: Ferry\r\ntype: user\r\n",
    "name: \"a: b #c\"\nother: 'it''s: fine'\n",
    "metadata: \n  node_type: memory\n  id: 3eb5f0aa-d867-e051-021b-831678ebed96\nverified: 2026-05-31\n",
    "name: 部署说明\ndescription: Ответы — да\n",
    "description: 24 terine, at 9:30 or so\n",
    "url: https://example.org/a#b\n",
    "count: 007\nday: 2026-02-28\n",
]
TAKEN = [
    "tags: [ci, deploy]\n",
    "a: |\n  x: y\n   z\n",
    "a: >-\n  folded\n",
    "x:\n- a\n- b\n",
    "<<: {a: 1}\n",
    "a: *x\n",
]


@pytest.mark.parametrize("block", HARMLESS)
def test_plain_blocks_never_reach_yaml(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "parse")
    assert is_surely_yaml(block)
    assert find_yaml_problem(block) is None


@pytest.mark.parametrize("block", [*HARMLESS, *TAKEN[:-1]])
def test_what_is_yaml_has_no_problem(loader, block: str) -> None:
    assert find_yaml_problem(block) is None
    assert isinstance(yaml.safe_load(block) or {}, dict)


@pytest.mark.parametrize(
    ("block", "line", "reason"),
    [
        ("ok: 1\nrev: " + "9" * 5_000 + "\n", 2, "5,000 digits"),
        ("created: 2026-02-30\n", 1, "value of created looks like a date or time"),
        ("created: 2026-02-03T10:00:00+99:99\n", 1, "value of created looks like a date or time"),
        ('t: "\\UFFFFFFFF"\n', 1, "names a character that does not exist"),
        ("id: 0b_\n", 1, "value of id looks like a number"),
        ("a: " + "[" * 2_000 + "\n", 1, "nests deeper than 32"),
        ("- " * 3_000 + "\n", 1, "nests deeper than 32"),
        ("a: &x [*x]\n", 1, "alias"),
        (BOMB, 2, "alias"),
        ("\tkey: x\n", 1, "tab"),
        ("title: Deploy: blue\n", 1, "colon and a blank"),
        ("ok: 1\nat: @dana\n", 2, "reserves"),
        ("star: *dana\n", 1, "alias"),
        ("a: !mine x\n", 1, "value of a cannot be read: its tag"),
        ("a: !!python/object:os.system x\n", 1, "its tag is not known"),
        ("a: !!int ''\n", 1, "value of a looks like a number"),
        ("a: !!bool maybe\n", 1, "value of a looks like yes or no"),
        ("a: !!timestamp soon\n", 1, "value of a looks like a date"),
        ("a: =\n", 1, "its tag is not known"),
        ("<<: [x]\n", 1, "merging"),
        ("? [a]\n: b\n", 1, "where a key belongs"),
        ("- a\n", 1, "no keys"),
        ("words\n", 1, "no keys"),
        ("a: \x01\n", 1, "YAML forbids"),
        ("ok: 1\nb: \x01\n", 2, "YAML forbids"),
        ("a: [x\nb: y\n", 2, ""),
        ('a: "x\n', 1, ""),
        ("x: " + "é, " * MAX_CHARACTERS + "\t\n", 1, "longer than"),
    ],
)
def test_o12_what_readers_fail_on_is_named(loader, block: str, line: int, reason: str) -> None:
    problem = find_yaml_problem(block)
    assert problem is not None
    assert reason in problem.reason
    assert problem.line == line or not reason
    assert 1 <= problem.line <= block.count("\n") + 1


def test_o12_a_bomb_takes_no_memory(loader) -> None:
    tracemalloc.start()
    try:
        assert find_yaml_problem(BOMB) is not None
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "block",
    [
        "key: 0b_QUOLL\n",
        "a: &QUOLL [*QUOLL]\n",
        "a: !QUOLL x\n",
        "title: a: 'QUOLL'\n",
        "a: @QUOLL\n",
        "a: 'QUOLL\n",
        "QUOLL\n",
        "a: !!int QUOLL\n",
        "? [QUOLL]\n: b\n",
        'a: "\\QUOLL"\n',
        "a: [QUOLL\nb: QUOLL\n",
        "a: !!binary QUOLL\n",
    ],
)
def test_the_reason_repeats_no_value(loader, block: str) -> None:
    problem = find_yaml_problem(block)
    assert problem is None or "QUOLL" not in problem.reason


PIECES = st.sampled_from(
    [
        "name",
        "a",
        "y",
        "null",
        "metadata",
        ": ",
        ":",
        "\n",
        "\r\n",
        "  ",
        " ",
        "#",
        " #",
        "'",
        '"',
        "\\",
        "[",
        "]",
        "-",
        "- ",
        "?",
        "0",
        "1_0",
        "0x",
        "0b_",
        "2026-02-29",
        "2026-04-31",
        "1:59",
        "e+5",
        ".5",
        ".inf",
        "=",
        "<<",
        "~",
        "é",
        "\u2028",
        "\x85",
        "\ufeff",
        "\xa0",
        "\t",
        "&a",
        "*a",
        "!t",
        "%",
        "@",
        "`",
        "{",
        "}",
        ",",
        "|",
        ">",
        "---",
        "...",
    ]
)
LINES = st.builds(
    "{}{}:{}{}{}".format,
    st.sampled_from(["", "", "", "  ", " "]),
    st.sampled_from(["name", "type", "null", "y", "k-1", "é"]),
    st.sampled_from([" ", "", "  "]),
    st.one_of(
        st.lists(PIECES, max_size=4).map("".join),
        st.text(max_size=12),
        st.from_regex(r"[0-9T:.+Z eoxb_-]{1,22}"),
    ),
    st.sampled_from(["\n", "\r\n", " \n"]),
)


@settings(max_examples=1_500)
@given(st.one_of(st.lists(LINES, max_size=4).map("".join), st.lists(PIECES, max_size=12).map("".join)))
@example("a: 2026-02-29\n")
@example("a: 9999-12-31\n")
@example("a: 0000-01-01\n")
@example("a: 1e5 x\n")
@example("y: n\nnull: ~\n")
@example("a: b:c d:\n")
@example("a: b #\n")
@example("a: 1:59:59\n")
def test_whatever_passes_the_screen_is_a_mapping_for_yaml(block: str) -> None:
    if is_surely_yaml(block):
        for loader_class in {yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)}:
            assert isinstance(yaml.load(block, Loader=loader_class) or {}, dict)


@settings(max_examples=500)
@given(st.one_of(st.lists(LINES, max_size=5).map("".join), st.text(max_size=60)))
def test_no_problem_means_that_yaml_reads_it(block: str) -> None:
    problem = find_yaml_problem(block)
    if problem is None:
        assert isinstance(yaml.safe_load(block) or {}, dict)
    else:
        assert problem.reason.isprintable()


@settings(max_examples=300)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_what_wuu_renders_is_yaml(value: str) -> None:
    assert find_yaml_problem(f"name: {render_scalar(value)}\n") is None


def test_a_long_line_that_fails_at_its_end_is_given_up_at_once() -> None:
    for block in ("a: " + "x:" * 60_000 + " \n", "a: '" + "''" * 60_000 + "\n", "a: " + "1" * 120_000 + "\n"):
        assert not is_surely_yaml(block)
