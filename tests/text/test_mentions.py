"""How a line of Markdown names topic files, and how a name is written into a link."""

from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from wuu.text.markdown_lines import split_lines
from wuu.text.mentions import Mention, find_mentions, render_target
from wuu.text.normalise import name_problem


def _mentions(content: str) -> tuple[Mention, ...]:
    line = split_lines(f"{content}\n").lines[0]
    return find_mentions(line.content, line.open_text)


def _named(content: str) -> list[tuple[str, str]]:
    return [(mention.kind, mention.file) for mention in _mentions(content)]


@pytest.mark.parametrize(
    ("content", "file"),
    [
        ("[Deploy](deploy.md)", "deploy.md"),
        ("[](deploy.md)", "deploy.md"),
        ("[Deploy](deploy)", "deploy"),
        ("[Deploy](./deploy.md)", "deploy.md"),
        ("[Deploy](memory/deploy.md)", "deploy.md"),
        ("[Deploy](./memory/deploy.md)", "deploy.md"),
        ("[Deploy](deploy.md#steps)", "deploy.md"),
        ("[Deploy](deploy.md?plain=1#L3)", "deploy.md"),
        ('[Deploy](deploy.md "the steps")', "deploy.md"),
        ("[Deploy](deploy.md 'the steps')", "deploy.md"),
        ("[Deploy](deploy.md (the steps))", "deploy.md"),
        ('[Deploy](deploy.md "sad :( steps")', "deploy.md"),
        ('[Deploy]( deploy.md  "x" )', "deploy.md"),
        ("[Deploy](<deploy.md>)", "deploy.md"),
        ("[Deploy](<deploy steps.md>)", "deploy steps.md"),
        ('[Deploy](<memory/deploy (2.md> "two")', "deploy (2.md"),
        ("[Deploy](deploy%20steps.md)", "deploy steps.md"),
        ("[Deploy](deploy steps.md)", "deploy steps.md"),
        ('[Deploy](deploy steps.md "x")', "deploy steps.md"),
        ("[Deploy](%E9%83%A8%E7%BD%B2.md)", "部署.md"),
        ("[Deploy](部署 说明.md)", "部署 说明.md"),
        ("[Deploy](a%2523b.md)", "a%23b.md"),
        ("[Deploy](%23deploy.md)", "#deploy.md"),
        ("[Deploy](~deploy.md)", "~deploy.md"),
        ("[Deploy](deploy(2).md)", "deploy(2).md"),
        ("[Deploy](deploy((2)).md)", "deploy((2)).md"),
        ("[Deploy](deploy\\(2.md)", "deploy(2.md"),
        ("[Deploy](my\\_deploy.md)", "my_deploy.md"),
        ("[Deploy [EU]](deploy.md)", "deploy.md"),
        ("[Deploy [EU [a]]](deploy.md)", "deploy.md"),
        ("[Deploy \\[EU](deploy.md)", "deploy.md"),
        ("[Deploy \\](deploy.md)](x.md)", "x.md"),
        ("\\\\[Deploy](deploy.md)", "deploy.md"),
        ("\\![Deploy](deploy.md)", "deploy.md"),
        ("[Deploy `]` [x](deploy.md)", "deploy.md"),
        ("[![logo](logo.png)](deploy.md)", "deploy.md"),
        ("[[Deploy]](deploy.md)", "deploy.md"),
        ("[other.md](deploy.md)", "deploy.md"),
        ("[`other.md`](deploy.md)", "deploy.md"),
        ("[Deploy](DEPLOY.MD)", "DEPLOY.MD"),
    ],
)
def test_a_link_names_the_file_of_its_target(content: str, file: str) -> None:
    assert _named(content) == [("link", file)]
    assert _named(f"- **{content}** — see") == [("link", file)]


@pytest.mark.parametrize(
    ("content", "file"),
    [
        ("[[deploy]]", "deploy"),
        ("[[deploy.md]]", "deploy.md"),
        ("[[ Deploy steps ]]", "Deploy steps"),
        ("[[deploy|The steps]]", "deploy"),
        ("| [[deploy\\|The steps]] |", "deploy"),
        ("[[deploy#Roll back]]", "deploy"),
        ("[[memory/deploy]]", "deploy"),
        ("![[deploy]]", "deploy"),
        ("[[部署]]", "部署"),
        ("[[[deploy]]]", "deploy"),
    ],
)
def test_a_wiki_link_names_a_file(content: str, file: str) -> None:
    assert _named(content) == [("wiki", file)]


@pytest.mark.parametrize(
    ("content", "file"),
    [
        ("deploy.md", "deploy.md"),
        ("`deploy.md`", "deploy.md"),
        ("`./deploy.md`", "deploy.md"),
        ("see memory/deploy.md.", "deploy.md"),
        ("see ./memory/deploy.md, please", "deploy.md"),
        ("(deploy.md)", "deploy.md"),
        ('"deploy.md"', "deploy.md"),
        ("**deploy.md**", "deploy.md"),
        ("见memory/deploy.md", "deploy.md"),
        ("*memory/deploy.md*", "deploy.md"),
        ("deploy.md: the steps", "deploy.md"),
        ("deploy.md's steps", "deploy.md"),
        ("deploy.md — steps", "deploy.md"),
        ("deploy.md—steps", "deploy.md"),
        ("→deploy.md", "deploy.md"),
        ("see:deploy.md", "deploy.md"),
        ("c++.md", "c++.md"),
        ("v1.2.md", "v1.2.md"),
        ("naïve.md", "naïve.md"),
        ("部署说明.md", "部署说明.md"),
        ("部署：部署说明.md。", "部署说明.md"),
        ("（部署.md）", "部署.md"),
        ("deploy.md的说明", "deploy.md"),
        ("deploy.md를 보라", "deploy.md"),
        ("DEPLOY.MD", "DEPLOY.MD"),
    ],
)
def test_a_bare_name_names_a_file(content: str, file: str) -> None:
    assert _named(content) == [("bare", file)]


@pytest.mark.parametrize(
    ("content", "files"),
    [
        ("见deploy.md", ["见deploy.md", "deploy.md"]),
        ("見るdeploy.mdとbuild.md", ["見るdeploy.mdとbuild.md", "deploy.md", "build.md"]),
        ("문서deploy-steps.md를", ["문서deploy-steps.md", "deploy-steps.md"]),
        ("见部署deploy.md", ["见部署deploy.md", "deploy.md"]),
    ],
)
def test_a_bare_name_beside_cjk_text_counts_with_and_without_it(content: str, files: list[str]) -> None:
    # There are no blanks between words: only the notebook knows which of the two files there is.
    mentions = _mentions(content)
    assert [mention.file for mention in mentions] == files
    assert all(content[mention.start : mention.end] == mention.file for mention in mentions)


@pytest.mark.parametrize(
    "content",
    [
        "[Deploy](https://kestrel.example/deploy.md)",
        "https://kestrel.example/deploy.md",
        "<https://kestrel.example/deploy.md>",
        "[Deploy](mailto:deploy.md)",
        "[Deploy](docs/deploy.md)",
        "docs/deploy.md",
        "docs/memory/deploy.md",
        "[Deploy](../deploy.md)",
        "../deploy.md",
        "~/deploy.md",
        "/deploy.md",
        "C:\\docs\\deploy.md",
        "[Deploy](%2e%2e%2fdeploy.md)",
        "[Deploy](a%5Cb.md)",
        "[Deploy](a%00.md)",
        "[Deploy](#steps)",
        "[Deploy](.hidden.md)",
        ".hidden.md",
        "[Deploy]()",
        "[Deploy](<>)",
        "[[]]",
        "[[ ]]",
        "[[#steps]]",
        "[[docs/deploy]]",
        "\\[[deploy]]",
        "![Deploy](deploy.md)",
        "*.md and *-notes.md and {a,b}/*.md",
        ".md",
        "deploy.mdx, deploy.md.bak, deploy.md/, deploy.md-old, deploy.md_",
        "`[Deploy](deploy.md)`",
        "`cat deploy.md`",
        "`` [[deploy]] ``",
        "<!-- [Deploy](deploy.md) deploy.md `deploy.md` -->",
        "",
        "nothing",
    ],
)
def test_what_is_no_plain_file_beside_the_index_is_no_mention(content: str) -> None:
    assert _named(content) == []


def test_several_mentions_come_in_the_order_of_the_line() -> None:
    content = "- [A](a.md) / [b](b.md): [[c]], `d.md` and e.md, not [x](https://x.example/f.md)"
    assert _named(content) == [
        ("link", "a.md"),
        ("link", "b.md"),
        ("wiki", "c"),
        ("bare", "d.md"),
        ("bare", "e.md"),
    ]


def test_the_inner_one_of_two_links_counts() -> None:
    assert _named("[a [b](b.md) c](https://x.example)") == [("link", "b.md")]


@pytest.mark.parametrize(
    ("content", "name", "whole"),
    [
        ("- [A](<memory/a b.md> 'x') y", "a b.md", "[A](<memory/a b.md> 'x')"),
        ("- [A](./a.md#b)", "a.md", "[A](./a.md#b)"),
        ("- x [[memory/a |b]]", "a", "[[memory/a |b]]"),
        ("- `./a.md` b", "a.md", "`./a.md`"),
        ("- memory/a.md b", "a.md", "memory/a.md"),
    ],
)
def test_a_mention_says_where_its_name_and_where_all_of_it_stands(
    content: str, name: str, whole: str
) -> None:
    (mention,) = _mentions(content)
    assert content[mention.start : mention.end] == name
    assert content[mention.outer_start : mention.outer_end] == whole


# --- names written into links ----------------------------------------------------------------------------

MARKS = st.sampled_from(
    [*" %()<>[]#?\\\"'`|:&;*_~!$^+,=@{}-.", "\u00a0", "\u200b", "\u3000", "é", "部", "👍", "a"]
)
STEMS = st.lists(MARKS, min_size=1, max_size=8).map("".join) | st.text(min_size=1, max_size=12)
NAMES = STEMS.map(lambda stem: f"{stem}.md").filter(lambda name: name_problem(name) is None)


@given(NAMES)
@example("memory.md.md")
@example("a&amp;b.md")
@example("a:b.md")
@example("#a.md")
@example(" a.md")
def test_any_valid_name_is_found_again_in_a_link(name: str) -> None:
    target = render_target(name)
    assert target.isprintable()
    assert not set(target) & set(" ()<>[]`|")
    for content in (f"[T]({target})", f"- [T]({target}) — `x` [y](z)", f"| [T]({target}) |"):
        mention = _mentions(content)[0]
        assert (mention.kind, mention.file) == ("link", name)
        assert content[mention.start : mention.end] == target


@given(
    old=NAMES,
    new=NAMES,
    form=st.sampled_from(["[T]({})", "[T](<{}>)", "[T](./{}#x)", "[[{}]]", "`{}`", "{}"]),
)
def test_a_renamed_mention_names_the_new_file_and_renamed_back_the_old_one(
    old: str, new: str, form: str
) -> None:
    before = form.format(render_target(old) if "](" in form else old)
    mentions = [mention for mention in _mentions(before) if mention.file == old]
    assume(len(mentions) == 1 and mentions[0].can_name(new))
    assume(mentions[0].kind == ("link" if "](" in form else "wiki" if "[[" in form else "bare"))
    after = _renamed(before, mentions[0], new)
    renamed = next(mention for mention in _mentions(after) if mention.file == new)
    assert renamed.kind == mentions[0].kind
    back = _renamed(after, renamed, old)
    assert _mentions(back)[0].file == old
    if "<" not in form:
        assert back == before


def _renamed(content: str, mention: Mention, new: str) -> str:
    return content[: mention.start] + mention.renamed(new) + content[mention.end :]


def test_an_enclosed_target_keeps_its_blanks_when_it_is_renamed_and_back() -> None:
    content = "[A](<a (1.md> 'x')"
    after = _renamed(content, _mentions(content)[0], "b [2] c.md")
    assert after == "[A](<b %5B2%5D c.md> 'x')"
    assert _renamed(after, _mentions(after)[0], "a (1.md") == content
    assert _mentions(content)[0].renamed(" b.md") == "%20b.md"


def test_a_link_without_extension_keeps_it_that_way() -> None:
    assert _mentions("[A](a)")[0].renamed("b c.md") == "b%20c"
    assert _mentions("[[a]]")[0].renamed("b c.md") == "b c"
    assert _mentions("[A](a)")[0].renamed("b.md.md") == "b.md.md"


@pytest.mark.parametrize(
    ("content", "new", "can"),
    [
        ("[A](a.md)", "a|b [c].md", True),
        ("[[a]]", "b c.md", True),
        ("[[a]]", "b|c.md", False),
        ("[[a]]", " b.md", False),
        ("a.md", "b.md", True),
        ("a.md", "b c.md", False),
        ("`a.md`", "b c.md", False),
    ],
)
def test_a_mention_can_name_what_its_kind_can_spell(content: str, new: str, *, can: bool) -> None:
    assert _mentions(content)[0].can_name(new) is can


@given(
    st.lists(
        st.sampled_from(
            [
                "[",
                "]",
                "(",
                ")",
                "a.md",
                "|",
                "`",
                "\\",
                "<",
                ">",
                " ",
                "[[",
                "]]",
                "](",
                "!",
                '"',
                "'",
                "#",
                "*",
                "见",
                "./",
                "%2F",
            ]
        ),
        max_size=14,
    ).map("".join)
)
def test_any_line_is_read_and_every_mention_lies_within_it(content: str) -> None:
    mentions = _mentions(f"x{content}")
    for mention in mentions:
        assert (
            0 <= mention.outer_start <= mention.start < mention.end <= mention.outer_end <= len(content) + 1
        )
        assert mention.file
        assert "/" not in mention.file
    linked = [mention for mention in mentions if mention.kind != "bare"]
    assert all(one.outer_end <= two.outer_start for one, two in pairwise(linked))
