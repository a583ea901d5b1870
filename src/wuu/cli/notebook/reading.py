"""The commands of `wuu notebook` that only read."""

from typing import Any

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import command
from wuu.cli.output import Reply, Rows
from wuu.notebook import actions

MAX_BYTES = click.option("--max-bytes", type=int, metavar="N", help="At most N bytes; 0 is the default.")


@command(name="list", examples=("wuu notebook list", "wuu notebook list --json"))
@pass_call
def list_command(call: Call) -> Reply:
    """List every topic: file, type, times read, date of verification, title.

    With --json this is memory.notebook.list.v1, which has descriptions, sources and sizes as well, and the
    names in the index that no file answers to.
    """
    found = actions.list_topics(call.situation)
    rows = [_row(entry) for entry in found.value["files"]]
    notice = (
        ""
        if rows
        else "No topics yet. Write one: wuu notebook write --name 'Deploy steps' 'Tag, build, announce.'"
    )
    if found.value["dangling"]:
        notice = f"MEMORY.md names topics that are not there: {', '.join(found.value['dangling'])}"
    table = Rows(("FILE", "TYPE", "READS", "VERIFIED", "TITLE"), rows)
    return Reply(found.value, table, notice, found.caveats)


@command(
    name="read",
    examples=("wuu notebook read deploy-steps.md", "wuu notebook read deploy-steps.md --max-bytes 2000"),
)
@click.argument("file")
@MAX_BYTES
@pass_call
def read_command(call: Call, file: str, max_bytes: int | None) -> Reply:
    """Print the topic FILE, at most 16,384 bytes of it unless --max-bytes says more (at most 65,536).

    A read counts: Dream checks much-read notes first. With --read-only it does not.
    """
    found = actions.read_topic(call.situation, file, max_bytes)
    if not found.found:
        missing = actions.missing_topic(call.situation, file)
        return Reply(found.value(), caveats=found.caveats, failure=missing)
    notice = "The text goes on; --max-bytes shows more of it." if found.truncated else ""
    return Reply(found.value(), found.content, notice, found.caveats)


@command(name="index", examples=("wuu notebook index",))
@MAX_BYTES
@pass_call
def index_command(call: Call, max_bytes: int | None) -> Reply:
    """Print MEMORY.md as a session gets it: the first 200 lines and 25,000 bytes, without unsafe lines."""
    found = actions.read_index(call.situation, max_bytes)
    notice = "" if found.found else "There is no MEMORY.md yet; the first topic makes it."
    return Reply(found.value(), found.content, notice, found.caveats)


@command(
    name="search", examples=("wuu notebook search deploy", "wuu notebook search 'redis cache' --limit 3")
)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=int, default=20, show_default=True, metavar="N", help="At most N topics.")
@pass_call
def search_command(call: Call, query: tuple[str, ...], limit: int) -> Reply:
    """Find topics that hold any word of QUERY, best first. The words are plain text, never an expression."""
    found = actions.search_topics(call.situation, " ".join(query), limit)
    topics = [hit._asdict() for hit in found.hits]
    rows = [(hit.file, str(hit.line), hit.title, hit.snippet) for hit in found.hits]
    notice = "No topic holds any of these words." if not rows else ""
    if found.total > len(rows):
        notice = f"{found.total - len(rows)} more; --limit shows them."
    data = {"query": found.query, "topics": topics, "total": found.total}
    return Reply(data, Rows(("FILE", "LINE", "TITLE", "TEXT"), rows), notice, found.caveats)


@command(name="budget", examples=("wuu notebook budget",))
@pass_call
def budget_command(call: Call) -> Reply:
    """Show how much of MEMORY.md a session gets, and name the lines that do not fit.

    A session gets the first lines of the file, in the order in which they stand there: at most 200 lines and
    25,000 bytes. Move what matters up, or shorten what stands above it.
    """
    report = actions.report_budget(call.situation)
    return Reply(report.value, _budget_text(report.value), caveats=report.caveats)


@command(name="path", examples=("wuu notebook path", "cd $(wuu notebook path)"))
@click.argument("file", required=False)
@pass_call
def path_command(call: Call, file: str | None) -> Reply:
    """Print where the notebook is, or where FILE is in it."""
    place = actions.find_path(call.situation, file)
    return Reply({"path": place}, place + "\n")


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    title = entry.get("title") or entry["file"].removesuffix(".md")
    if "error" in entry:
        title = f"({entry['error']['code']})"
    return entry["file"], entry.get("type", "-"), str(entry["reads"]), entry.get("verified", "-"), title


def _budget_text(value: dict[str, Any]) -> str:
    lines = [
        f"lines\t{value['shown_lines']} of {value['max_lines']}",
        f"bytes\t{value['shown_bytes']} of {value['max_bytes']}",
        f"used\t{value['used_percent']} %",
        f"setting\tnotebookEnabled is {'on' if value['enabled'] else 'off'}",
    ]
    lines += [f"left out\tline {one['line']}\t{one['text']}" for one in value["omitted"]]
    lines += [f"replaced\tline {number}\tunsafe for a prompt" for number in value["removed_lines"]]
    return "\n".join(lines) + "\n"
