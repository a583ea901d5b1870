"""What `wuu memory model` answers for the tool `memory_graph`: the same as `wuu memory graph`."""

from wuu.cli.call import Call
from wuu.cli.memory.changed import reply_of
from wuu.cli.memory.graph import DEFAULT_LIMIT, overview_reply, search_reply, validate_reply
from wuu.cli.memory.linking import link_reply
from wuu.cli.output import Reply
from wuu.memory.graph import actions
from wuu.memory.model import actions as model
from wuu.memory.model.values import ModelCall
from wuu.situation.writing import WriteOptions


def answer(call: Call, wanted: ModelCall, options: WriteOptions) -> Reply:
    """Return the answer to an action of the graph."""
    match wanted.action:
        case "overview":
            return overview_reply(call)
        case "search":
            return search_reply(call, wanted.text("query"), wanted.given.get("limit", DEFAULT_LIMIT))
        case "upsert_fact":
            fact = model.wanted_fact(wanted)
            done = actions.upsert_fact(call.situation, fact, options)
            return reply_of(call, done, wanted_scope=fact.scope)
        case "link":
            link = model.wanted_link(wanted)
            return link_reply(call, actions.link_memories(call.situation, link, options))
        case _:
            return validate_reply(call)
