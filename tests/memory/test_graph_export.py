"""The graph as DOT, Mermaid and JSON: whatever a memory says, it stays a label and comes back as one."""

import html
import json
import re
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.by_hand import number
from wuu.memory.format.entry import LINK_KINDS, SAVED, Entry
from wuu.memory.graph.export import (
    first_line,
    label_of,
    overview_value,
    render_dot,
    render_mermaid,
)
from wuu.memory.graph.overview import Edge, Overview
from wuu.memory.shelves import project_shelf, user_shelf
from wuu.text.safety import visible

SHELVES = (project_shelf("shop-0000"), user_shelf("default"))
A, B, C = number(0xA), number(0xB), number(0xC)


class Picture(NamedTuple):
    """What a strict reader finds in a picture: labels by id, and (source, target, kind, arrow, red)."""

    nodes: dict[str, str]
    edges: list[tuple[str, str, str, bool, bool]]
    omitted: int


NASTY = (
    'a "quoted" word"]',
    "a back\\slash at the end\\",
    '\\" ]; evil [label="x',
    "x --> y; %% gone",
    "%%{init: {'theme': 'dark'}}%%",
    "<b>bold</b><script>alert(1)</script>",
    "#quot; &quot; &#34; #34; ﬂ°°34¶ß",
    "1. a list",
    "- a list",
    "`code` **bold** _em_ fa:fa-car",
    "style a:b# c; classDef x:y#z;",
    "end",
    "subgraph x",
    "| pipe | {brace} (round) [[two]]",
    "\\N \\G \\l \\n \\E",
    "/* no */ // comment",
    "tab\there\x1b[31mred\x00",
    "\u202egnp.\u200b\ufeff",
    "\ufeff",
    "   \n\n  second line\nthird",
    "one\u2028two\x0bthree",
    "日本語 \U0001f469\u200d\U0001f680 café",
    "x" * 59 + '"' * 5,
    "\\" * 80,
    "",
)
texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=80),
    st.lists(st.sampled_from([*NASTY, *"\"\\[]{}()|<>&#;%`'\n-=.*_ :"]), max_size=8).map("".join),
)


@st.composite
def overviews(draw: st.DrawFn) -> Overview:
    written = draw(st.lists(texts, max_size=6))
    entries = [
        Entry(number(at + 1), draw(st.sampled_from(SHELVES)), SAVED, text) for at, text in enumerate(written)
    ]
    ids = [entry.id for entry in entries]
    pairs = [(one, other) for one in ids for other in ids if one < other]
    edges = [
        Edge(*draw(st.permutations(pair)), draw(st.sampled_from(LINK_KINDS)))
        for pair in pairs
        if draw(st.booleans())
    ]
    return _overview(entries, edges, draw(st.integers(0, 2_000)))


def _overview(entries: list[Entry], edges: list[Edge], omitted: int = 0) -> Overview:
    nodes = tuple((entry, sum(entry.id in edge[:2] for edge in edges)) for entry in entries)
    isolated = sum(not degree for _, degree in nodes)
    conflicts = sum(edge.kind == "conflicts" for edge in edges)
    total = len(entries) + omitted
    return Overview("partial", total, len(edges), isolated, conflicts, nodes, tuple(edges), omitted)


def _one(text: str) -> Overview:
    return _overview([Entry(A, SHELVES[0], SAVED, text)], [])


def _expected(overview: Overview) -> Picture:
    edges = [
        (*edge, edge.kind in ("supersedes", "supports"), edge.kind == "conflicts") for edge in overview.edges
    ]
    return Picture({entry.id: label_of(entry) for entry, _ in overview.nodes}, edges, overview.omitted)


@given(overviews())
@example(_overview([Entry(number(at + 1), SHELVES[0], SAVED, text) for at, text in enumerate(NASTY)], []))
def test_a_strict_reader_of_dot_finds_the_nodes_edges_and_labels(overview: Overview) -> None:
    assert _read_dot(render_dot(overview)) == _expected(overview)


@given(overviews())
@example(_overview([Entry(number(at + 1), SHELVES[0], SAVED, text) for at, text in enumerate(NASTY)], []))
def test_a_strict_reader_of_mermaid_finds_the_nodes_edges_and_labels(overview: Overview) -> None:
    assert _read_mermaid(render_mermaid(overview)) == _expected(overview)


@given(texts)
def test_a_label_is_one_line_of_what_can_be_seen_and_never_empty(text: str) -> None:
    label = label_of(Entry(A, SHELVES[0], SAVED, text))
    assert label.strip()
    assert visible(label, tabs=False) == label
    assert len(label.splitlines()) == 1
    assert not label.startswith("\ufeff")


@given(texts, st.integers(1, 300))
def test_the_first_line_is_short_and_stands_in_the_text(text: str, most: int) -> None:
    line = first_line(text, most)
    assert len(line) <= most
    assert len(line.splitlines()) <= 1
    assert bool(line) == bool(text.strip())
    assert line == line.strip()
    assert line in text or (line[-1] == "…" and line[:-1] in text)


def test_what_is_cut_says_so() -> None:
    assert first_line("a" * 60, 60) == "a" * 60
    assert first_line("a" * 61, 60) == "a" * 59 + "…"
    assert first_line("\n \n  one \ntwo") == "one"
    assert len(first_line("b" * 500)) == 200
    assert label_of(_one("c" * 61).nodes[0][0]) == "c" * 59 + "…"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ('say "no"\\', r"say \"no\"\\"),
        ("&quot; <b>", "&amp;quot; <b>"),
        ("a\x1bb", r"a\\x1bb"),
        ("", A),
    ],
)
def test_dot_reads_no_escape_of_a_text_as_its_own(text: str, escaped: str) -> None:
    assert f'  m_{A} [label="{escaped}"];\n' in render_dot(_one(text))


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("don't, or v1.2-rc", "don't, or v1.2-rc"),
        ('"no"]', "#34;no#34;#93;"),
        ("%% #quot; <b>", "#37;#37; #35;quot#59; #60;b#62;"),
        ("1. one", "1#46; one"),
        ("- one", "#45; one"),
        ("a: b_c", "a#58; b#95;c"),
        ("", A),
    ],
)
def test_mermaid_gets_as_numbers_what_means_something_to_it(text: str, escaped: str) -> None:
    assert render_mermaid(_one(text)) == f'flowchart LR\n  m_{A}["{escaped}"]\n'


def test_kinds_are_drawn_as_they_point_and_conflicts_stand_out() -> None:
    entries = [Entry(one, SHELVES[0], SAVED, one[-1]) for one in (A, B, C)]
    edges = [Edge(B, A, "supersedes"), Edge(A, C, "conflicts"), Edge(B, C, "related")]
    overview = _overview(entries, edges, 1_234)
    assert render_dot(overview).splitlines()[5:] == [
        f'  m_{B} -> m_{A} [label="supersedes"];',
        f'  m_{A} -> m_{C} [label="conflicts", dir=none, color=red, fontcolor=red];',
        f'  m_{B} -> m_{C} [label="related", dir=none];',
        "  // not shown: 1,234",
        "}",
    ]
    assert render_mermaid(overview).splitlines()[4:] == [
        f"  m_{B} -->|supersedes| m_{A}",
        f"  m_{A} ---|conflicts| m_{C}",
        f"  m_{B} ---|related| m_{C}",
        "  linkStyle 1 stroke:red,color:red",
        "  %% not shown: 1,234",
    ]


def test_an_empty_graph_is_an_empty_picture() -> None:
    assert render_dot(_overview([], [])) == "digraph memories {\n  node [shape=box];\n}\n"
    assert render_mermaid(_overview([], [])) == "flowchart LR\n"


def test_the_json_is_that_of_the_contract() -> None:
    entry = Entry(A, SHELVES[1], SAVED, "d" * 300 + "\nmore", category="security", pinned=True)
    overview = _overview([entry, Entry(B, SHELVES[0], SAVED, "")], [Edge(B, A, "conflicts")], 3)
    assert overview_value(overview) == {
        "health": "partial",
        "memories": 5,
        "links": 1,
        "isolated": 0,
        "conflicts": 1,
        "nodes": [
            {
                "id": A,
                "scope": "user",
                "category": "security",
                "pinned": True,
                "links": 1,
                "text": "d" * 199 + "…",
            },
            {"id": B, "scope": "project", "category": "other", "pinned": False, "links": 1, "text": ""},
        ],
        "edges": [{"source": B, "target": A, "kind": "conflicts"}],
        "omitted": 3,
    }


@given(overviews())
def test_the_json_can_be_written_and_keeps_every_text(overview: Overview) -> None:
    value = json.loads(json.dumps(overview_value(overview)))
    assert [one["text"] for one in value["nodes"]] == [first_line(entry.text) for entry, _ in overview.nodes]
    assert [(one["source"], one["target"], one["kind"]) for one in value["edges"]] == list(overview.edges)


_ID = r"m_([0-9a-f]{16})"
_DOT_NODE = re.compile(rf'  {_ID} \[label="((?:[^"\\]|\\["\\])*)"\];')
_DOT_EDGE = re.compile(rf'  {_ID} -> {_ID} \[label="([a-z]+)"(, dir=none)?(, color=red, fontcolor=red)?\];')
_MERMAID_NODE = re.compile(rf"""  {_ID}\["((?:[^"#\][{{}}()|<>&%`;:*_\\]|[()]|#[0-9]+;)+)"\]""")
_MERMAID_EDGE = re.compile(rf"  {_ID} (---|-->)\|([a-z]+)\| {_ID}")


def _read_dot(text: str) -> Picture:
    first, box, *lines, last, end = text.split("\n")
    assert (first, box, last, end) == ("digraph memories {", "  node [shape=box];", "}", "")
    found = Picture({}, [], 0)
    for line in lines:
        if node := _DOT_NODE.fullmatch(line):
            assert "&" not in node[2].replace("&amp;", "")
            found.nodes[node[1]] = html.unescape(re.sub(r"\\(.)", r"\1", node[2]))
        elif edge := _DOT_EDGE.fullmatch(line):
            found.edges.append((edge[1], edge[2], edge[3], not edge[4], bool(edge[5])))
        else:
            found = found._replace(omitted=_read_omitted(line, "//"))
    return found


def _read_mermaid(text: str) -> Picture:
    first, *lines, end = text.split("\n")
    assert (first, end) == ("flowchart LR", "")
    nodes, edges, red, omitted = {}, [], set(), 0
    for line in lines:
        if node := _MERMAID_NODE.fullmatch(line):
            nodes[node[1]] = re.sub(r"#([0-9]+);", lambda found: chr(int(found[1])), node[2])
        elif edge := _MERMAID_EDGE.fullmatch(line):
            edges.append((edge[1], edge[4], edge[3], edge[2] == "-->"))
        elif style := re.fullmatch(r"  linkStyle ([0-9,]+) stroke:red,color:red", line):
            red = set(map(int, style[1].split(",")))
        else:
            omitted = _read_omitted(line, "%%")
    assert red <= set(range(len(edges)))
    return Picture(nodes, [(*edge, at in red) for at, edge in enumerate(edges)], omitted)


def _read_omitted(line: str, comment: str) -> int:
    found = re.fullmatch(rf"  {comment} not shown: ([0-9,]+)", line)
    assert found is not None, line
    return int(found[1].replace(",", ""))
