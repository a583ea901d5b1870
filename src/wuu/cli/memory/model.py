"""`wuu memory model`: the memories as a tool that a model calls, one JSON object in and one envelope out."""

import functools
import json
import sys
from collections.abc import Callable
from typing import NamedTuple

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import WritingCommand
from wuu.cli.memory.asking import Act
from wuu.cli.memory.batches import change_all
from wuu.cli.memory.changed import reply_of
from wuu.cli.output import Reply
from wuu.errors import UsageProblem
from wuu.memory import actions
from wuu.memory.model import actions as model
from wuu.memory.model.values import ModelCall
from wuu.situation.situation import Situation
from wuu.situation.writing import WriteOptions, refuse_read_only

_STDIN = "-"
_DEFAULT_LIMIT = 20  # hits of a search, as of `wuu memory search`
_HELP = f"""Do what a model asks for in one JSON object on stdin, and answer with the --json envelope.

The object has an "action" and its parameters: {{"action": "search", "query": "staging"}}. With "tool":
"memory_graph" the action is one of the graph's. Anything unknown, missing or of a wrong type is refused, and
nothing is done. The answers and the rules are those of the commands of the same names: what an agent adds
waits for a person, and what it wants changed is proposed. A scope is project, user (also called global) or
session. It never asks, and with --read-only it does nothing at all, not even read.

\b
{model.render_actions()}

"request_id" goes with every action. --schema prints all of this as a JSON Schema, to register the tool with.
"""


class _Asked(NamedTuple):
    """What a model wants in this call, and how it is written."""

    call: Call
    wanted: ModelCall
    options: WriteOptions

    @property
    def situation(self) -> Situation:
        """Who calls, and from where."""
        return self.call.situation


class _MachineCommand(WritingCommand):
    """A command that a machine calls: it gets JSON, also where it has options that do not exist."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and note that the failure is to be told as JSON."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError:
            ctx.ensure_object(Call).given["json"] = True
            raise


@click.command(
    cls=_MachineCommand,
    name="model",
    help=_HELP,
    examples=(
        """echo '{"action": "search", "query": "staging"}' | wuu memory model""",
        """wuu memory model '{"action": "add", "text": "The staging database is reset on Mondays."}'""",
        "wuu memory model --schema",
    ),
)
@click.argument("request", required=False)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a request, and do nothing.")
@pass_call
def model_command(
    call: Call, request: str | None, schema: bool, dry_run: bool, request_id: str | None
) -> Reply:
    """Do what a model asks for; the help is `_HELP`."""
    if schema:
        return _schema(request)
    call.given["json"] = True  # a machine reads the answer, whatever else it typed
    refuse_read_only(call.situation)
    wanted = model.parse_call(_read(request))
    options = call.write_options(dry_run, _request_id(wanted, request_id))
    return _answer_of(wanted)(_Asked(call, wanted, options))


def _answer_of(wanted: ModelCall) -> Callable[[_Asked], Reply]:
    return _ANSWERS[wanted.action] if wanted.tool == model.MEMORY else _graph


def _graph(asked: _Asked) -> Reply:
    from wuu.cli.memory.model_graph import answer  # noqa: PLC0415  (the other tool needs none of it)

    return answer(asked.call, asked.wanted, asked.options)


def _schema(request: str | None) -> Reply:
    if request is not None:
        raise UsageProblem("A request does not go with --schema.")
    value = model.render_schema()
    return Reply(value, document=json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _read(request: str | None) -> bytes:
    """Return the request, of stdin unless it was typed; no more than shows that it is too large."""
    if request is None or request == _STDIN:
        return sys.stdin.buffer.read(model.MOST_BYTES + 1)
    return request.encode("utf-8", "surrogateescape")  # an argument may be any bytes


def _request_id(wanted: ModelCall, flag: str | None) -> str | None:
    if None not in (wanted.request_id, flag) and wanted.request_id != flag:
        raise UsageProblem("request_id and --request-id differ.", parameter="request_id")
    return wanted.request_id or flag


def _status(asked: _Asked) -> Reply:
    return Reply(actions.memory_status(asked.situation))


def _categories(asked: _Asked) -> Reply:
    return Reply({"categories": actions.list_categories(asked.situation)})


def _list(asked: _Asked) -> Reply:
    filters = model.wanted_filters(asked.wanted)._replace(limit=asked.wanted.given.get("limit"))
    found = actions.list_memories(asked.situation, filters)
    memories = [actions.memory_value(one) for one in found.memories]
    data = {"memories": memories, "total": found.total, "omitted": found.omitted}
    return Reply(data, caveats=found.caveats)


def _search(asked: _Asked) -> Reply:
    query, limit = asked.wanted.text("query"), asked.wanted.given.get("limit", _DEFAULT_LIMIT)
    found = actions.search_memories(asked.situation, query, model.wanted_filters(asked.wanted), limit)
    memories = [
        {**actions.memory_value(hit.memory), "score": hit.score, "snippet": hit.snippet} for hit in found.hits
    ]
    data = {"query": found.query, "memories": memories, "total": found.total}
    return Reply(data, caveats=found.caveats)


def _context(asked: _Asked) -> Reply:
    from wuu.memory.context import actions as contexts  # noqa: PLC0415  (the other actions need none of it)

    context = contexts.build_context(asked.situation, model.wanted_context(asked.wanted))
    if asked.situation.caller.is_agent and not asked.options.dry_run:
        contexts.note_shown(asked.situation, context)
    return Reply(contexts.context_value(context), caveats=context.caveats)


def _add(asked: _Asked) -> Reply:
    return _new(asked, actions.add_memory)


def _propose(asked: _Asked) -> Reply:
    return _new(asked, actions.propose_memory)


def _new(asked: _Asked, act: Act) -> Reply:
    wanted = model.wanted_memory(asked.wanted)
    done = act(asked.situation, wanted, asked.options)
    return reply_of(asked.call, done, wanted_scope=wanted.scope)


def _update(asked: _Asked) -> Reply:
    done = actions.edit_memory(asked.situation, model.wanted_edit(asked.wanted), asked.options)
    return reply_of(asked.call, done)


def _delete(asked: _Asked) -> Reply:
    act = functools.partial(actions.change_memory, asked.situation)
    return change_all(asked.call, [model.wanted_deletion(asked.wanted)], asked.options, act)


_ANSWERS: dict[str, Callable[[_Asked], Reply]] = {
    "status": _status,
    "categories": _categories,
    "list": _list,
    "search": _search,
    "context": _context,
    "add": _add,
    "propose": _propose,
    "update": _update,
    "delete": _delete,
}
