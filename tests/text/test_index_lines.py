"""MEMORY.md: the line of one topic comes, changes and goes, and every other byte stays (case O-40)."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from wuu.text.document import BOM
from wuu.text.index_lines import (
    Entry,
    Index,
    entry_text,
    parse_index,
    render_entry,
    with_entry,
    with_entry_renamed,
    with_entry_replaced,
    without_entries,
)
from wuu.text.normalise import name_problem

# Pieces of an index: each ends with a line feed, and every kind of line that people write is among them.
PIECES = (
    *(
        "# Memory\n",
        "\n",
        "\n",
        "prose about it\n",
        "  indented prose\n",
        "    four blanks\n",
        "---\n",
        "===\n",
    ),
    *("- [One](one.md) — first\n", "- [Two](two.md)\n", "* [Star](star.md)\n", "-   [Wide](wide.md)\n"),
    *("+\t[Tab](tab.md)\n", "- [ ] [Task](task.md)\n", "- **[Bold](bold.md)**\n", "- bare.md — hook\n"),
    *(
        "- `code.md` — hook\n",
        "  - [Nested](nested.md)\n",
        "\t- [Deep](deep.md)\n",
        "- plain bullet\n",
        "-\n",
    ),
    *(
        "1. [Number](number.md)\n",
        "   — its hook\n",
        "   with a [link](other.md) in it\n",
        "2) [Two](two.md)\n",
    ),
    *("| Topic | About |\n", "|---|---|\n", "| [Cell](cell.md) | text |\n", "| `row.md` | text |\n"),
    *(
        "```\n",
        "```sh\n",
        "~~~\n",
        "  ```\n",
        "- ```\n",
        "````\n",
        "- [x](y.md)\n",
        "- [Ticks](ticks.md) ```\n",
    ),
    *(
        "<!-- one line -->\n",
        "<!-- opens\n",
        "closes -->\n",
        "text <!-- opens\n",
        "  <!-- opens\n",
        "--> tail\n",
    ),
    *("[Paragraph](paragraph.md)\n", "[[wiki]]\n", "> - [Quoted](quoted.md)\n", "- [Odd](<odd name.md>) `\n"),
    *(
        "- [Open <!--](open.md)\n",
        "- [Ends](ends.md) -->\n",
        "* * *\n",
        "<details>\n",
        "line\u2028of one\r\n",
    ),
)


@st.composite
def indexes(draw: st.DrawFn) -> str:
    """Return the text of a MEMORY.md with any line endings, maybe a BOM, maybe no newline at its end."""
    text = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=12)))
    ending = draw(st.sampled_from(["\n", "\r\n", "mixed", "\r"]))
    if ending == "mixed":
        every = draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=1, max_size=3))
        lines = text.split("\n")
        text = "".join(line + every[number % len(every)] for number, line in enumerate(lines[:-1]))
    else:
        text = text.replace("\n", ending)
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return draw(st.sampled_from(["", BOM])) + text


SYNTAX = (
    *(
        "[",
        "]",
        "(",
        ")",
        "\\",
        "`",
        "``",
        "<!--",
        "-->",
        "|",
        "*",
        "_",
        "[[x]]",
        "](x)",
        "](x.md)",
        "[y](z.md)",
    ),
    *(
        " ",
        "word",
        "\n",
        "\r",
        "- ",
        "```",
        "#",
        "<",
        "!",
        "\u2028",
        "é",
        "部署",
        "w.md",
        "[ ]",
        "\\`",
        "~~~",
    ),
)
WORDS = st.lists(st.sampled_from(SYNTAX), max_size=8).map("".join) | st.text(max_size=12)
STEMS = st.text(min_size=1, max_size=8) | st.sampled_from(
    ["new", "a b", "a(b", "部署", "a]b", "#a", "a%20b", "a:b"]
)
FILES = STEMS.map(lambda stem: f"{stem}.md").filter(lambda name: name_problem(name) is None)


def _lines(index: Index) -> list[tuple[str, str]]:
    return [(line.content, line.ending) for line in index.lines]


def _entries_of(index: Index, file: str) -> list[Entry]:
    return [entry for entry in index.entries if entry.mentions[0].file == file]


def _file(entry: Entry) -> str:
    return entry.mentions[0].file


def _added(before: Index, after: Index) -> int:
    """Return where the one new line is, after checking that all the others are the old ones."""
    old, new = _lines(before), _lines(after)
    assert len(new) == len(old) + 1
    at = next((number for number, line in enumerate(old) if new[number] != line), len(old))
    if old and at == len(old) - 1 and new[at][0] == old[at][0]:
        assert old[at][1] == ""
        old[at] = new[at]  # the last line got the ending that it lacked
        at += 1
    assert new[:at] + new[at + 1 :] == old
    return at


# --- one line comes and goes ------------------------------------------------------------------------------


@given(text=indexes() | st.text(max_size=60), file=FILES, title=WORDS, hook=WORDS)
@example(text="", file="a.md", title="", hook="")
@example(text=BOM, file="a.md", title="A", hook="")
@example(text="ends in a return\r", file="a.md", title="A", hook="b")
@example(text="- [One](one.md)\n  ```\n  never closed\n", file="a.md", title="A", hook="b")
def test_o40_an_entry_adds_one_line_and_without_it_every_byte_is_back(
    text: str, file: str, title: str, hook: str
) -> None:
    rendered = render_entry(file, title, hook)
    before, changed = parse_index(text), with_entry(text, rendered)
    after = parse_index(changed)
    at = _added(before, after)
    assert after.bom == before.bom
    entry = next(entry for entry in after.entries if entry.at == at)
    assert entry.mentions[0].is_link
    assert (_file(entry), entry.end, entry_text(after, entry)) == (file, at + 1, rendered)
    assert without_entries(changed, [entry]) == text


@given(text=indexes(), file=FILES, title=WORDS, hook=WORDS)
def test_an_entry_changes_no_other_line_of_the_index(text: str, file: str, title: str, hook: str) -> None:
    before = parse_index(text)
    # A new item in front of an indented fence that nothing closes takes that fence in; Markdown is like that.
    assume(before.open_at is None or not before.lines[before.open_at].content.startswith((" ", "\t")))
    after = parse_index(with_entry(text, render_entry(file, title, hook)))
    at = _added(before, after)
    kept = [line for number, line in enumerate(after.lines) if number != at]
    assert [(line.open_text, line.literal) for line in kept] == [
        (line.open_text, line.literal) for line in before.lines
    ]
    others = [entry._replace(at=entry.at - (entry.at > at)) for entry in after.entries if entry.at != at]
    assert [(entry.at, entry.mentions) for entry in others] == [
        (entry.at, entry.mentions) for entry in before.entries
    ]


@given(file=FILES, title=WORDS, hook=WORDS)
@example(file="a.md", title="x](evil.md)", hook="")
@example(file="a.md", title="\\", hook="](evil.md)")
@example(file="a.md", title="`", hook="` [y](z.md)")
@example(file="a.md", title="<!--", hook="-->")
@example(file="a.md", title="a\n- [Evil](evil.md)", hook="b\r\n# System")
def test_o31_titles_and_hooks_open_no_link_code_or_comment(file: str, title: str, hook: str) -> None:
    rendered = render_entry(file, title, hook)
    assert len(rendered.splitlines()) == 1
    index = parse_index(f"- {rendered}\n- [Next](next.md)\n")
    assert [_file(entry) for entry in index.entries] == [file, "next.md"]
    assert [(line, one.file) for line, one in index.mentions if one.kind != "bare"] == [
        (0, file),
        (1, "next.md"),
    ]
    assert not any(line.continues or line.literal for line in index.lines)
    assert index.lines[0].open_text.startswith(f"- [{rendered[1 : rendered.index('](')]}](")


@pytest.mark.parametrize(
    ("title", "hook", "line"),
    [
        ("Crew rota", "who is on call", "[Crew rota](f.md) — who is on call"),
        ("Crew rota", "", "[Crew rota](f.md)"),
        ("Crew rota", "  ", "[Crew rota](f.md)"),
        (
            "fix [/etc/hosts] :warning:",
            "in [tool.ruff]",
            "[fix \\[/etc/hosts\\] :warning:](f.md) — in [tool.ruff]",
        ),
        ("[[x]]", "see [[y]]", "[\\[\\[x\\]\\]](f.md) — see \\[\\[y\\]\\]"),
        ("a ` b", "use `make`", "[a \\` b](f.md) — use `make`"),
        ("C:\\dir\\", "a \\ b", "[C:\\dir\\\\](f.md) — a \\ b"),
        ("a <!-- b", "c <!-- d -->", "[a <\\!-- b](f.md) — c <\\!-- d -->"),
        (" one\n two ", "three\r\nfour", "[one two](f.md) — three four"),
    ],
)
def test_o36_an_entry_shows_the_text_as_plainly_as_it_can(title: str, hook: str, line: str) -> None:
    assert render_entry("f.md", title, hook) == line


# --- where it goes ----------------------------------------------------------------------------------------


def _placed(text: str) -> str:
    changed = with_entry(text, "[New](new.md)")
    return changed.replace(next(line for line in changed.split("\n") if "new.md" in line), "HERE")


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("", "HERE\n"),
        ("# Memory\n\n", "# Memory\n\nHERE\n"),
        ("prose", "prose\nHERE"),
        ("- [A](a.md)\n\nprose\n", "- [A](a.md)\nHERE\n\nprose\n"),
        ("- [A](a.md)\n- plain\n", "- [A](a.md)\nHERE\n- plain\n"),
        ("- [A](a.md)\n  wrapped\n- plain\n", "- [A](a.md)\n  wrapped\nHERE\n- plain\n"),
        ("- [A](a.md)\nwrapped\n\nprose\n", "- [A](a.md)\nwrapped\nHERE\n\nprose\n"),
        (
            "- [A](a.md)\n  - nested\n    - deeper\ntail\n",
            "- [A](a.md)\n  - nested\n    - deeper\ntail\nHERE\n",
        ),
        ("- [A](a.md)\n\n  second\n\nprose\n", "- [A](a.md)\n\n  second\nHERE\n\nprose\n"),
        ("- [A](a.md)\n  ```\n  x\n  ```\nprose\n", "- [A](a.md)\n  ```\n  x\n  ```\nHERE\nprose\n"),
        ("- [A](a.md)\n```\nx\n```\n", "- [A](a.md)\nHERE\n```\nx\n```\n"),
        ("- [A](a.md)\n  <!-- x\ny\n", "- [A](a.md)\n  <!-- x\nHERE\ny\n"),
        ("- [A](a.md)\n  b <!-- x\n  x --> y\nz\n", "- [A](a.md)\n  b <!-- x\n  x --> y\nz\nHERE\n"),
        ("- [A](a.md)\n# Next\n- [B](b.md)\n# Last\n", "- [A](a.md)\n# Next\n- [B](b.md)\nHERE\n# Last\n"),
        ("- [A](a.md)\n# Files\n- b.md — b\n", "- [A](a.md)\nHERE\n# Files\n- b.md — b\n"),
        ("# Files\n- b.md — b\nprose\n\n", "# Files\n- b.md — b\nprose\nHERE\n\n"),
        ("1. [A](a.md)\n| [B](b.md) |\n", "1. [A](a.md)\n| [B](b.md) |\nHERE\n"),
        ("prose\n```\n- [x](y.md)\n", "prose\nHERE\n```\n- [x](y.md)\n"),
        ("prose\n<!--\n- [x](y.md)\n", "prose\nHERE\n<!--\n- [x](y.md)\n"),
        ("- a <!-- b\n- [C](c.md)\n", "- a <!-- b\n- [C](c.md)\nHERE\n"),
    ],
)
def test_a_new_line_goes_behind_the_last_bullet_or_to_the_end(text: str, placed: str) -> None:
    assert _placed(text) == placed


@pytest.mark.parametrize("bullet", ["- ", "* ", "+ ", "-   ", "*\t"])
def test_a_new_line_takes_the_bullet_of_the_one_above(bullet: str) -> None:
    text = f"{bullet}[A](a.md)\r\n\r\nprose\n"
    assert with_entry(text, "[B](b.md)") == f"{bullet}[A](a.md)\r\n{bullet}[B](b.md)\r\n\r\nprose\n"


HANDWRITTEN = """# My memory

An intro paragraph of mine.
<!-- a comment - [c](c.md) -->
1. first
2. second

| a | b |
|---|---|
| 1 | 2 |

## My section
- top
  - nested

```
- [x](y.md)
```
"""


def test_o40_handwritten_text_survives_a_topic_that_comes_and_goes() -> None:
    changed = with_entry(HANDWRITTEN, render_entry("z.md", "Z", "new"))
    assert changed == HANDWRITTEN + "- [Z](z.md) — new\n"
    index = parse_index(changed)
    assert [_file(entry) for entry in index.entries] == ["z.md"]
    assert [mention.file for _, mention in index.mentions] == ["z.md"]
    assert without_entries(changed, list(index.entries)) == HANDWRITTEN


# --- what is an entry -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("- [A](a.md) — hook\n", [(0, 1)]),
        ("- [A](a.md) — hook\n  wrapped\n  and on\nnot\n", [(0, 3)]),
        ("1. [A](a.md)\n   — hook\n2. [B](b.md)\n", [(0, 2), (2, 3)]),
        ("- [A](a.md)\n  - nested\n", [(0, 1)]),
        ("- [A](a.md)\n  - [B](b.md)\n    wrapped\n", [(0, 1), (1, 3)]),
        ("- [A](a.md)\n  see [B](b.md)\n  wrapped\n", [(0, 1)]),
        ("- [A](a.md)\n  see b.md\n  wrapped\n", [(0, 3)]),
        ("- [A](a.md)\n  <!-- mine -->\n", [(0, 1)]),
        ("- [A](a.md)\n  ```\n  x\n  ```\n", [(0, 1)]),
        ("- [A](a.md)\n\n  second paragraph\n", [(0, 1)]),
        (
            '- **[A](a.md)** x\n- _a.md_\n- *a.md*\n- `a.md`: x\n- "a.md" x\n',
            [(0, 1), (2, 3), (3, 4), (4, 5)],
        ),
        ("- [x] [A](a.md)\n- [ ] a.md\n", [(0, 1), (1, 2)]),
        ("- see [A](a.md)\n- the a.md\n", []),
        ("- [A](a.md) `<!--` x\n- [B](b.md) <!-- x -->\n", [(0, 1), (1, 2)]),
        ("- [A](a.md) <!-- x\n  x -->\n", []),
        ("<!-- x\n- [A](a.md) -->\n", []),
        ("| [A](a.md) | x |\n| x | `b.md` |\n| see c.md |\n", [(0, 1), (1, 2)]),
        ("| [[a\\|A]] | x |\n| [a \\| b](c.md)\n", [(0, 1), (1, 2)]),
        ("[A](a.md) — x\n[B](b.md) — y\n", [(0, 1), (1, 2)]),
        ("# H\n[A](a.md) — x\n\nprose\n", [(1, 2)]),
        ("<!-- c -->\n[A](a.md)\n```\nx\n```\n", [(1, 2)]),
        ("[A](a.md) — x\n- [B](b.md)\n", [(0, 1), (1, 2)]),
        ("[A](a.md) — x\ngoes on\n", []),
        ("prose\n[A](a.md) — x\n", []),
        ("- [A](a.md)\n[B](b.md) is lazy\n", [(0, 1)]),
        ("[A](a.md)\n---\n", []),
        ("a.md — x\n", []),
        ("## [A](a.md)\n", []),
        ("> - [A](a.md)\n", []),
        ("```\n- [A](a.md)\n```\n", []),
    ],
)
def test_a_line_that_opens_with_a_topic_is_its_entry(text: str, entries: list[tuple[int, int]]) -> None:
    assert [(entry.at, entry.end) for entry in parse_index(text).entries] == entries


def test_a_row_is_about_the_topic_that_has_a_cell_for_itself() -> None:
    # The first name in the row counted, and forgetting that topic dropped the row of the other one.
    (entry,) = parse_index("| see b.md | **[A](a.md)** | c.md |\n").entries
    assert [mention.file for mention in entry.mentions] == ["a.md", "b.md", "c.md"]


def test_places_that_name_a_topic_and_are_no_entry_are_mentions() -> None:
    index = parse_index("## [A](a.md)\nsee [[b]], `c.md`\n> d.md\n")
    assert [(line, mention.file) for line, mention in index.mentions] == [
        (0, "a.md"),
        (1, "b"),
        (1, "c.md"),
        (2, "d.md"),
    ]
    assert index.entries == ()
    assert index.line_text(2) == "> d.md"


# --- replaced, renamed, dropped ---------------------------------------------------------------------------


@given(text=indexes(), title=WORDS, hook=WORDS, data=st.data())
def test_a_replaced_entry_keeps_its_marker_and_every_other_line(
    text: str, title: str, hook: str, data: st.DataObject
) -> None:
    index = parse_index(text)
    assume(index.entries)
    entry = data.draw(st.sampled_from(index.entries))
    rendered = render_entry("new.md", title, hook)
    after = parse_index(with_entry_replaced(text, entry, rendered))
    marker = index.line_text(entry.at).removesuffix(entry_text(index, entry))
    old, new = _lines(index), _lines(after)
    assert new[entry.at] == (marker + rendered, old[entry.at][1])
    assert new[: entry.at] + new[entry.at + 1 :] == old[: entry.at] + old[entry.at + 1 :]
    assert (after.bom, after.open_at) == (index.bom, index.open_at)
    assert (
        with_entry_replaced(with_entry_replaced(text, entry, rendered), entry, entry_text(index, entry))
        == text
    )


@given(text=indexes(), new=FILES, data=st.data())
def test_an_entry_renamed_and_back_is_the_same_bytes(text: str, new: str, data: st.DataObject) -> None:
    index = parse_index(text)
    assume(index.entries)
    entry = data.draw(st.sampled_from(index.entries))
    old = _file(entry)
    mentions = [mention for mention in entry.mentions if mention.file == old]
    assume(all(mention.can_name(new) for mention in mentions) and not _entries_of(index, new))
    changed = with_entry_renamed(text, entry, mentions, new)
    after = parse_index(changed)
    (renamed,) = _entries_of(after, new)
    assert (renamed.at, renamed.end, renamed.bullet) == (entry.at, entry.end, entry.bullet)
    again = [mention for mention in renamed.mentions if mention.file == new]
    assert len(again) == len(mentions)
    assert with_entry_renamed(changed, renamed, again, old) == text


@pytest.mark.parametrize(
    ("line", "new", "expected"),
    [
        ("- [A](a.md) — x", "b c.md", "- [A](b%20c.md) — x"),
        ("- [A](<a.md> 't') — a.md", "b c.md", "- [A](<b c.md> 't') — [b c](b%20c.md)"),
        ("- a.md — x", "b.md", "- b.md — x"),
        ("- a.md — x", "b c.md", "- [b c](b%20c.md) — x"),
        ("- **`./a.md`**: x", "b c.md", "- **[b c](b%20c.md)**: x"),
        ("- [[a]] x", "b c.md", "- [[b c]] x"),
        ("- [[a|An A]] x", "b]c.md", "- [An A](b%5Dc.md) x"),
        ("- [[a]] x", "b]c.md", "- [b\\]c](b%5Dc.md) x"),
        ("| [[a\\|A]] | x |", "b|c.md", "| [A](b%7Cc.md) | x |"),
    ],
)
def test_a_renamed_entry_stays_an_entry_whatever_the_name(line: str, new: str, expected: str) -> None:
    (entry,) = parse_index(line).entries
    mentions = [mention for mention in entry.mentions if mention.file.startswith("a")]
    changed = with_entry_renamed(line, entry, mentions, new)
    assert changed == expected
    assert [_file(entry).removesuffix(".md") for entry in parse_index(changed).entries] == [
        new.removesuffix(".md")
    ]


@given(text=indexes(), data=st.data())
def test_dropped_entries_take_their_own_lines_and_no_other(text: str, data: st.DataObject) -> None:
    index = parse_index(text)
    assume(index.entries)
    doomed = data.draw(st.lists(st.sampled_from(index.entries), min_size=1, unique=True))
    gone = {at for entry in doomed for at in range(entry.at, entry.end)}
    kept = [line for at, line in enumerate(_lines(index)) if at not in gone]
    left = _lines(parse_index(without_entries(text, doomed)))
    if len(index.lines) - 1 in gone and not index.lines[-1].ending and kept:
        kept[-1] = (kept[-1][0], "")  # a file without a newline at its end stays one
        kept = kept if kept[-1][0] else kept[:-1]
    assert left == kept
    assert not any(index.lines[at].literal for at in gone)


def test_dropping_nothing_changes_nothing() -> None:
    assert without_entries(HANDWRITTEN, []) == HANDWRITTEN


def test_the_last_line_without_a_newline_leaves_none_behind() -> None:
    text = "# Memory\r\n- [A](a.md)"
    assert without_entries(text, list(parse_index(text).entries)) == "# Memory"
