"""The commands of `wuu memory graph` that change it: link, unlink, upsert."""

import functools

import click

from wuu.cli.bodies import read_body
from wuu.cli.call import Call, pass_call
from wuu.cli.commands import writing_command
from wuu.cli.credentials import secret_options, with_answer
from wuu.cli.memory.changed import difference_of, reply_of
from wuu.cli.memory.options import CATEGORIES, CATEGORY, SCOPES, names_of
from wuu.cli.memory.rendering import quoted
from wuu.cli.output import Reply
from wuu.errors import UsageProblem
from wuu.memory.graph import actions
from wuu.memory.graph.values import LinkChange, LinkMemories, UnlinkMemories, UpsertFact
from wuu.situation.writing import Written

# Restated: a group shows its help without loading the room. A test holds them to the room's own.
KINDS = ("related", "supersedes", "supports", "conflicts")
CLASSIFICATIONS = ("workspace", "group-view")
_TOLD = {
    "linked": "Memories linked",
    "relinked": "Link replaced",
    "unlinked": "Link removed",
    "unchanged": "Nothing to change",
}


@writing_command(
    name="link",
    examples=("wuu memory graph link 3f2a 91bc", "wuu memory graph link 3f2a 91bc --kind supersedes"),
)
@click.argument("memory_id", metavar="ID")
@click.argument("other_id", metavar="OTHER")
@click.option(
    "--kind", type=click.Choice(KINDS), default="related", show_default=True, help="What ID does to OTHER."
)
@pass_call
def link_command(
    call: Call, memory_id: str, other_id: str, kind: str, dry_run: bool, request_id: str | None
) -> Reply:
    """Link the memory ID to OTHER. Two memories have one link: linking them again replaces its kind.

    Of supersedes and supports, ID is the one that does it; related and conflicts have no direction.
    """
    request = LinkMemories(memory_id, other_id, kind)
    return link_reply(
        call, actions.link_memories(call.situation, request, call.write_options(dry_run, request_id))
    )


@writing_command(name="unlink", examples=("wuu memory graph unlink 3f2a 91bc",))
@click.argument("memory_id", metavar="ID")
@click.argument("other_id", metavar="OTHER")
@pass_call
def unlink_command(call: Call, memory_id: str, other_id: str, dry_run: bool, request_id: str | None) -> Reply:
    """Remove the link of the memories ID and OTHER; OTHER may be gone if it is a whole id."""
    request = UnlinkMemories(memory_id, other_id)
    return link_reply(
        call, actions.unlink_memories(call.situation, request, call.write_options(dry_run, request_id))
    )


@writing_command(
    name="upsert",
    examples=(
        "wuu memory graph upsert 'Resets moved to Fridays.' --link 91bc:supersedes",
        "wuu memory graph upsert --id 3f2a 'Resets moved to Sundays.'",
    ),
)
@click.argument("text", nargs=-1)
@click.option("--id", "memory_id", metavar="ID", help="Change this memory; it keeps its id and its links.")
@click.option("--scope", type=click.Choice(SCOPES), help="Where it holds, or where it goes.")
@CATEGORY
@CATEGORIES
@click.option("--tag", "tags", multiple=True, metavar="T", help="A tag; repeatable. With --id they replace.")
@click.option("--link", "links", multiple=True, metavar="ID[:KIND]", help="Link it to ID; repeatable.")
@click.option(
    "--classification", type=click.Choice(CLASSIFICATIONS), help="What a graph calls it; it is the project's."
)
@pass_call
@secret_options
def upsert_command(
    call: Call,
    text: tuple[str, ...],
    memory_id: str | None,
    scope: str | None,
    category: str | None,
    categories: tuple[str, ...],
    tags: tuple[str, ...],
    links: tuple[str, ...],
    classification: str | None,
    secrets: str,
    dry_run: bool,
    request_id: str | None,
) -> Reply:
    """Remember TEXT with its links, or with --id change a memory, which keeps its id and its links.

    Text, place and links change together or not at all. What waits for approval is not linked.
    """
    request = UpsertFact(
        read_body(" ".join(text), None) if text else None,
        memory_id,
        scope,
        category,
        names_of(categories) or None,
        names_of(tags) or None,
        tuple(_link_of(one) for one in links),
        classification,
    )
    options = call.write_options(dry_run, request_id, secrets)
    act = functools.partial(actions.upsert_fact, call.situation, request)
    return reply_of(call, with_answer(call, options, act), wanted_scope=scope)


def _link_of(given: str) -> tuple[str, str]:
    memory_id, _, kind = given.partition(":")
    if kind and kind not in KINDS:
        raise UsageProblem(f"The kind of a link is one of {', '.join(KINDS)}; got {kind!r}.", field="link")
    return memory_id, kind or "related"


def link_reply(call: Call, done: Written[LinkChange]) -> Reply:
    """Return what `link` and `unlink` answer."""
    notice = _notice(done)
    data = {
        "link": _value(done.outcome),
        "notice": notice,
        "dry_run": done.dry_run,
        "replayed": done.replayed,
    }
    if done.dry_run:
        difference = difference_of(call, done)
        return Reply({**data, "diff": difference}, difference, notice, done.caveats)
    return Reply(data, "" if call.quiet else f"{notice}\n", "", done.caveats, done.receipt)


def _notice(done: Written[LinkChange]) -> str:
    change = done.outcome
    if change is None:
        return "Done before."
    other = change.target_id if change.target is None else quoted(change.target.text)
    kind = change.kind or change.before or "no link"
    was = f" · it was {change.before}" if change.verb == "relinked" else ""
    dry = "Dry run · " if done.dry_run else ""
    return f"{dry}{_TOLD[change.verb]} · {quoted(change.source.text)} · {kind} · {other}{was}"


def _value(change: LinkChange | None) -> dict[str, object] | None:
    if change is None:
        return None
    return {
        "verb": change.verb,
        "source": change.source.id,
        "target": change.target_id,
        "kind": change.kind,
        "before": change.before,
    }
