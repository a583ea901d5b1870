"""The graph as text for other programs: DOT, Mermaid, JSON.

Owns that no stored text can break what it stands in: labels are one short line, and whatever means something
to the other program is escaped. It reads nothing. Seed 002, "Graph tab"; CONTRACT, "memory graph overview".
"""

import re
from typing import Any

from wuu.memory.format.entry import Entry
from wuu.memory.graph.overview import Edge, Overview
from wuu.memory.links import SYMMETRIC
from wuu.text.safety import visible

MAX_TEXT = 200
"""Most characters of a text beside a node or a neighbour."""

MAX_LABEL = 60
"""Most characters of a text in a picture, before what cannot be seen is written out."""

_CONFLICTS, _CONFLICT_COLOUR = "conflicts", "red"

# Mermaid takes `#59;` for a character. Free are letters, digits and what has no meaning to it, to Markdown
# (labels are that) or to HTML (they become that); `ﬂ` begins the form that it gives to `#59;` meanwhile.
_NOT_FREE = re.compile(r"(?<![0-9A-Za-z])[-.]|[-.](?![0-9A-Za-z])|[^0-9A-Za-z ,'/!?.\-\u0080-\U0010ffff]|ﬂ")


def first_line(text: str, most: int = MAX_TEXT) -> str:
    """Return the first line of `text` that is not blank, cut to at most `most` characters."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def label_of(entry: Entry) -> str:
    """Return what a memory is called in a picture: one line, never empty, with nothing unseen in it."""
    return visible(first_line(entry.text, MAX_LABEL).lstrip("\ufeff"), tabs=False) or entry.id


def render_dot(overview: Overview) -> str:
    """Return the graph in the language of Graphviz. Symmetric links have no heads, conflicts are red."""
    lines = ["digraph memories {", "  node [shape=box];"]
    lines += [f'  m_{entry.id} [label="{_in_dot(label_of(entry))}"];' for entry, _ in overview.nodes]
    lines += [f"  m_{edge.source} -> m_{edge.target} [{_dot_attributes(edge)}];" for edge in overview.edges]
    return "\n".join([*lines, *_omitted(overview, "//"), "}"]) + "\n"


def render_mermaid(overview: Overview) -> str:
    """Return the graph as a flowchart of Mermaid. Symmetric links have no heads, conflicts are red."""
    lines = ["flowchart LR"]
    lines += [f'  m_{entry.id}["{_in_mermaid(label_of(entry))}"]' for entry, _ in overview.nodes]
    lines += [_mermaid_edge(edge) for edge in overview.edges]
    red = [str(at) for at, edge in enumerate(overview.edges) if edge.kind == _CONFLICTS]
    if red:
        lines.append(f"  linkStyle {','.join(red)} stroke:{_CONFLICT_COLOUR},color:{_CONFLICT_COLOUR}")
    return "\n".join([*lines, *_omitted(overview, "%%")]) + "\n"


def overview_value(overview: Overview) -> dict[str, Any]:
    """Return the JSON of the graph; CONTRACT, "memory graph overview"."""
    return {
        "health": overview.health,
        "memories": overview.memories,
        "links": overview.links,
        "isolated": overview.isolated,
        "conflicts": overview.conflicts,
        "nodes": [_node_value(entry, degree) for entry, degree in overview.nodes],
        "edges": [edge._asdict() for edge in overview.edges],
        "omitted": overview.omitted,
    }


def _node_value(entry: Entry, degree: int) -> dict[str, Any]:
    return {
        "id": entry.id,
        "scope": entry.shelf.scope,
        "category": entry.category,
        "pinned": entry.pinned,
        "links": degree,
        "text": first_line(entry.text),
    }


def _in_dot(label: str) -> str:
    """Return a label for double quotes: Graphviz reads backslashes, and character references as well."""
    return label.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def _dot_attributes(edge: Edge) -> str:
    attributes = [f'label="{edge.kind}"']
    if edge.kind in SYMMETRIC:
        attributes.append("dir=none")
    if edge.kind == _CONFLICTS:
        attributes += [f"color={_CONFLICT_COLOUR}", f"fontcolor={_CONFLICT_COLOUR}"]
    return ", ".join(attributes)


def _in_mermaid(label: str) -> str:
    return _NOT_FREE.sub(lambda found: f"#{ord(found.group())};", label)


def _mermaid_edge(edge: Edge) -> str:
    line = "---" if edge.kind in SYMMETRIC else "-->"
    return f"  m_{edge.source} {line}|{edge.kind}| m_{edge.target}"


def _omitted(overview: Overview, comment: str) -> list[str]:
    return [f"  {comment} not shown: {overview.omitted:,}"] if overview.omitted else []
