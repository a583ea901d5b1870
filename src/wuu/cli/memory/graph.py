"""`wuu memory graph`: what reads the graph of the saved memories; what changes it is in `linking`."""

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import Lazy, LazyGroup, command
from wuu.cli.memory.rendering import flat
from wuu.cli.output import Reply, Rows
from wuu.errors import Findings
from wuu.memory import actions as door
from wuu.memory.graph import actions

_HERE, _LINKING = "wuu.cli.memory.graph:", "wuu.cli.memory.linking:"
COMMANDS = {
    "overview": Lazy(_HERE + "overview_command", "The state of the graph, its memories and their links."),
    "search": Lazy(_HERE + "search_command", "Memories that hold these words, with what they are linked to."),
    "link": Lazy(_LINKING + "link_command", "Link a memory to another one."),
    "unlink": Lazy(_LINKING + "unlink_command", "Remove the link of two memories."),
    "upsert": Lazy(_LINKING + "upsert_command", "Remember a fact with its links, or change one."),
    "validate": Lazy(_HERE + "validate_command", "Whether every link is as it should be."),
    "export": Lazy(_HERE + "export_command", "The graph for other programs: DOT, Mermaid or JSON."),
}
_NODES = ("ID", "SCOPE", "CATEGORY", "PIN", "LINKS", "TEXT")
_HITS = ("ID", "SCOPE", "KIND", "DIRECTION", "LINKED", "TEXT")
_FLAWS = ("SEVERITY", "CODE", "ID", "OTHER", "MESSAGE")
_STATES = {
    "empty": "Nothing is saved.",
    "disconnected": "Nothing is linked.",
    "partial": "Some memories have no links.",
    "connected": "Every memory has at least one link.",
}
_SHOWN = 60
DEFAULT_LIMIT = 20
LIMIT = click.option(
    "--limit",
    type=click.IntRange(1, actions.MAX_NODES),
    default=actions.MAX_NODES,
    show_default=True,
    metavar="N",
    help="At most N memories, the most linked first.",
)


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    name="graph",
    examples=("wuu memory graph link 3f2a 91bc --kind supersedes", "wuu memory graph overview"),
)
def group() -> None:
    """Links between saved memories: related, supersedes, supports, conflicts; at most 16 for each memory.

    The graph has your memories and those of this project; what waits or is archived is not in it.
    """


@command(name="overview", examples=("wuu memory graph overview", "wuu memory graph overview --json"))
@LIMIT
@pass_call
def overview_command(call: Call, limit: int) -> Reply:
    """Show the state of the graph, then its memories, the most linked first."""
    return overview_reply(call, limit)


def overview_reply(call: Call, limit: int = actions.MAX_NODES) -> Reply:
    """Return what `overview` answers."""
    found = actions.read_overview(call.situation, limit)
    value = actions.overview_value(found)
    rows = [
        (
            one["id"],
            one["scope"],
            one["category"],
            "pinned" if one["pinned"] else "-",
            str(one["links"]),
            flat(one["text"]),
        )
        for one in value["nodes"]
    ]
    numbers = ((found.memories, "memory"), (found.links, "link"), (found.conflicts, "conflict"))
    memories, links, conflicts = (_counted(number, what) for number, what in numbers)
    figures = f"{memories}, {links}, {found.isolated} isolated, {conflicts}"
    notice = f"{found.health}: {_STATES[found.health]} {figures}."
    if found.omitted:
        notice += f" {found.omitted} more memories are not shown."
    return Reply(value if call.json else {}, Rows(_NODES, rows), notice, found.caveats)


@command(name="search", examples=("wuu memory graph search staging",))
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--limit", type=int, default=DEFAULT_LIMIT, show_default=True, metavar="N", help="At most N memories."
)
@pass_call
def search_command(call: Call, query: tuple[str, ...], limit: int) -> Reply:
    """Find saved memories that hold any word of QUERY, each with what it is linked to, best first."""
    return search_reply(call, " ".join(query), limit)


def search_reply(call: Call, query: str, limit: int = DEFAULT_LIMIT) -> Reply:
    """Return what `search` answers."""
    found = actions.search_graph(call.situation, query, limit)
    data = {}
    if call.json:
        hits = [
            {
                **door.memory_value(hit.memory),
                "score": hit.score,
                "snippet": hit.snippet,
                "neighbours": [one._asdict() for one in hit.neighbours],
            }
            for hit in found.hits
        ]
        data = {"query": found.query, "memories": hits, "total": found.total}
    rows: list[tuple[str, ...]] = []
    for hit in found.hits:
        entry = hit.memory.entry
        rows.append((entry.id, entry.shelf.scope, "-", "-", "-", flat(hit.snippet)))
        rows += [
            (entry.id, entry.shelf.scope, one.kind, one.direction, one.id, flat(one.text)[:_SHOWN])
            for one in hit.neighbours
        ]
    notice = "" if rows else "No saved memory holds any of these words."
    return Reply(data, Rows(_HITS, rows), notice, found.caveats)


@command(name="validate", examples=("wuu memory graph validate",))
@pass_call
def validate_command(call: Call) -> Reply:
    """Check every link: ends that are gone, pairs linked twice, circles of supersedes. Exits 1 with errors.

    How well the memories are linked is another question, and no error: wuu memory graph overview.
    """
    return validate_reply(call)


def validate_reply(call: Call) -> Reply:
    """Return what `validate` answers."""
    found = actions.validate_graph(call.situation)
    errors = sum(one.severity == "error" for one in found.problems)
    data = {
        "problems": [one._asdict() for one in found.problems],
        "errors": errors,
        "warnings": len(found.problems) - errors,
        "memories": found.memories,
        "links": found.links,
        "health": found.health,
    }
    rows = [(one.severity, one.code, one.id, one.other or "-", one.message) for one in found.problems]
    told = f"{_counted(errors, 'error')}, {_counted(len(found.problems) - errors, 'warning')}"
    links, memories = _counted(found.links, "link"), _counted(found.memories, "memory")
    notice = f"{links} of {memories}: {told if rows else 'all as they should be'}."
    failure = Findings(f"The links have {_counted(errors, 'error')}.") if errors else None
    return Reply(data, Rows(_FLAWS, rows), notice, found.caveats, failure=failure)


@command(
    name="export",
    examples=("wuu memory graph export --format mermaid", "wuu memory graph export | dot -Tsvg"),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("dot", "mermaid", "json")),
    default="dot",
    show_default=True,
    help="For Graphviz, for Markdown, or for a program.",
)
@LIMIT
@pass_call
def export_command(call: Call, form: str, limit: int) -> Reply:
    """Print the graph for another program; what memories say is shortened, and quoted."""
    found = actions.read_overview(call.situation, limit)
    if form == "json":
        import json  # noqa: PLC0415  (only this form)

        value = actions.overview_value(found)
        text = json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"
        return Reply(value, caveats=found.caveats, document=text)
    text = actions.render_graph(found, form)
    data = {"format": form, "text": text, "omitted": found.omitted}
    return Reply(data, caveats=found.caveats, document=text)


def _counted(number: int, what: str) -> str:
    if number == 1:
        return f"1 {what}"
    return f"{number} {what.removesuffix('y')}ies" if what.endswith("y") else f"{number} {what}s"
