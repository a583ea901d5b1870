"""The lines of a Markdown file: nothing is lost in splitting, and code and comments are told from text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.text.markdown_lines import split_lines, starts_block

SCRAPS = (
    *(
        "```",
        "~~~",
        "````",
        "`",
        "``",
        "<!--",
        "-->",
        "<!-->",
        "- ",
        "1. ",
        "  ",
        "\t",
        "> ",
        "| ",
        "# ",
        "text",
    ),
    *("\n", "\n", "\n", "\r\n", "\r", "\n\n", "\\", "\u2028", "\x85", "\x0c", "[x](y.md)", "---", "\ufeff"),
)
TEXTS = st.lists(st.sampled_from(SCRAPS), max_size=25).map("".join) | st.text(max_size=40)


def _live(text: str) -> list[str]:
    """Return what is neither code nor comment, line by line, without backticks and with single blanks."""
    return [" ".join(line.open_text.replace("`", " ").split()) for line in split_lines(text).lines]


def _literal(text: str) -> list[int]:
    return [number for number, line in enumerate(split_lines(text).lines) if line.literal]


@given(TEXTS)
def test_the_lines_joined_are_the_text(text: str) -> None:
    lines, open_at = split_lines(text)
    assert "".join(line.content + line.ending for line in lines) == text
    assert all(line.ending in ("\n", "\r\n") for line in lines[:-1])
    assert not any("\n" in line.content for line in lines)
    assert open_at is None or 0 <= open_at < len(lines)


@given(TEXTS)
def test_the_mask_hides_characters_and_moves_none(text: str) -> None:
    lines, open_at = split_lines(text)
    for line in lines:
        assert len(line.open_text) == len(line.content)
        pairs = zip(line.open_text, line.content, strict=True)
        assert all(shown in (written, " ") for shown, written in pairs)
        assert not line.literal or not line.open_text.strip()
    if open_at is not None:
        assert lines[-1].continues
        assert open_at == 0 or not lines[open_at - 1].continues


@given(TEXTS)
def test_a_text_that_is_closed_reads_the_same_in_front_of_anything(text: str) -> None:
    lines, _ = split_lines(text)
    if text.endswith("\n") and not lines[-1].continues:
        assert split_lines(f"{text}\n- [x](y.md)\n").lines[: len(lines)] == lines


def test_lines_end_at_line_feeds_only() -> None:
    lines, _ = split_lines("a\u2028b\x85c\x0cd\re\r\nf")
    assert [(line.content, line.ending) for line in lines] == [("a\u2028b\x85c\x0cd\re", "\r\n"), ("f", "")]
    assert split_lines("").lines == ()
    assert split_lines("\n").lines == (("", "\n", "", False, False),)


# --- fences ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "```\nx\n```\nlive",
        "~~~\nx\n~~~\nlive",
        "```sh -x\nx\n```\nlive",
        "~~~ `info`\nx\n~~~\nlive",
        "````\n```\n````\nlive",
        "```\nx\n`````  \nlive",
        "```\n~~~\n```\nlive",
        "~~~\n```\n~~~~\nlive",
        "```\n<!--\n```\nlive",
        "   ```\n x\n   ```\nlive",
        "- ```\n  x\n  ```\nlive",
        "1. ```\n   x\n   ```\nlive",
        "- - ```\n    x\n    ```\nlive",
        "- a\n  - b\n    ```\n    x\n    ```\nlive",
        "- a\n\n  ```\n\n  x\n  ```\nlive",
        "```\r\nx\r\n```\r\nlive",
    ],
)
def test_o40_everything_between_two_fences_is_code(text: str) -> None:
    live = _live(text)
    assert live[-1] == "live"
    assert not {"x", "<!--"} & set(live)
    assert split_lines(text).open_at is None


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("``` `not a fence`\nlive", "live"),
        ("``\nlive", "live"),
        ("text ```\nlive", "live"),
        ("```\nx\n``` no closer\n```\nlive", "live"),
        ("````\nx\n```\n````\nlive", "live"),
    ],
)
def test_what_only_looks_like_a_fence_opens_and_closes_nothing(text: str, live: str) -> None:
    assert _live(text)[-1] == live
    assert "x" not in _live(text)


@pytest.mark.parametrize("fence", ["```", "~~~", "  ```sh", "````"])
def test_a_fence_that_nothing_closes_is_open_to_the_end(fence: str) -> None:
    lines, open_at = split_lines(f"one\n\n{fence}\ntwo\n- [x](y.md)\n")
    assert open_at == 2
    assert [line.literal for line in lines] == [False, False, True, True, True]
    assert [line.continues for line in lines] == [False, False, True, True, True]


@pytest.mark.parametrize(
    "text",
    [
        "- a\n  ```\n  x\n- live",
        "- ```\n  x\n\n  x\n- live",
        "1. a\n   ~~~\n   x\nlive",
        "- a\n  - ```\n    x\n  - live",
        "-\ta\n\n\t```\n\tx\n- live",
        "- <!-- x\n  x\n- live",
    ],
)
def test_a_fence_or_comment_in_a_list_item_ends_with_its_item(text: str) -> None:
    # An open fence in one item swallowed every entry behind it.
    lines, open_at = split_lines(text)
    assert _live(text)[-1].endswith("live")
    assert "x" not in _live(text)
    assert not lines[-2].continues
    assert open_at is None


def test_a_fence_in_the_last_list_item_is_open_but_a_new_item_ends_it() -> None:
    lines, open_at = split_lines("- a\n  ```\n  x\n")
    assert lines[-1].continues
    assert open_at is None


@pytest.mark.parametrize("rule", ["- - -", "***", "* * *", "_ _ _", "-----"])
def test_a_rule_is_no_list_item(rule: str) -> None:
    assert _literal(f"{rule}\n\n   ```\nx\n   ```\nlive") == [2, 3, 4]


# --- comments --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("a <!-- x --> b", ["a b"]),
        ("<!-- x -->", [""]),
        ("<!-- x\nx\n\nx -->\nlive", ["", "", "", "", "live"]),
        ("<!-- x\nx --> a", ["", "a"]),
        ("a <!-- x\nx --> b", ["a", "b"]),
        ("<!-- x --> a <!-- x --> b", ["a b"]),
        ("<!-- x --> <!-- x\nx --> a <!-- x -->", ["", "a"]),
        ("<!--> a", ["a"]),
        ("<!---> a", ["a"]),
        ("<!-- ` --> a ` b", ["a b"]),
        ("\\<!-- a", ["\\<!-- a"]),
        ("a --> b", ["a --> b"]),
        ("- <!-- x -->", ["-"]),
    ],
)
def test_o40_a_comment_is_no_text(text: str, live: list[str]) -> None:
    assert _live(text) == live
    assert split_lines(text).open_at is None


@pytest.mark.parametrize("opener", ["<!-- x", "  <!-- x", "<!--"])
def test_a_comment_that_nothing_closes_is_open_to_the_end(opener: str) -> None:
    lines, open_at = split_lines(f"one\n{opener}\n\n- [x](y.md)\n")
    assert open_at == 1
    assert [line.literal for line in lines] == [False, False, True, True]
    assert not lines[3].open_text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "- about <!-- markers\n- live",
        "- about <!-- markers\n- live -->",
        "about <!-- markers\n\nlive -->",
        "about <!-- markers\n# live -->",
        "| about <!-- markers |\n| live --> |",
        "a `<!--` b\nlive",
        "a ``<!-- ` `` b\nlive",
    ],
)
def test_an_opener_in_the_middle_of_text_needs_its_end_in_the_same_paragraph(text: str) -> None:
    # One `<!--` in a hook swallowed every entry behind it.
    assert "live" in _live(text)[-1]
    assert split_lines(text).open_at is None


# --- code spans ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "open_text"),
    [
        ("a `x` b", "a ` ` b"),
        ("a `` x ` x `` b", "a ``       `` b"),
        ("a `x b", "a `x b"),
        ("a `x `` b", "a `x `` b"),
        ("a \\`x` b `y` c", "a \\`x`   `y` c"),
        ("a \\\\`x` b", "a \\\\` ` b"),
        ("a `x\\` b", "a `  ` b"),
        ("`<!--` a `-->`", "`    ` a `   `"),
        ("`[x](y.md)` z", "`         ` z"),
        ("` ` ` a", "` ` ` a"),
    ],
)
def test_the_inside_of_a_code_span_is_no_text(text: str, open_text: str) -> None:
    assert split_lines(text).lines[0].open_text == open_text


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("", True),
        ("  ", True),
        ("- a", True),
        ("12) a", True),
        ("# a", True),
        ("> a", True),
        ("| a |", True),
        ("```", True),
        ("<!-- a -->", True),
        ("---", True),
        ("* * *", True),
        ("===", True),
        ("text", False),
        ("-text", False),
        ("#text", False),
        ("2026 was", False),
        ("a | b", False),
        ("**a**", False),
        ("< 5", False),
    ],
)
def test_a_line_that_starts_a_block_is_told_from_one_that_goes_on(line: str, *, starts: bool) -> None:
    assert starts_block(line) is starts
