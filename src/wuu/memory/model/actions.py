"""The door of the model's tools: what a request says, and how it is described to a model.

Nothing is done here: what is asked for goes through `wuu.memory.actions`, as for anybody else.
"""

from typing import Any

from wuu.memory.model.requests import (
    wanted_context,
    wanted_deletion,
    wanted_edit,
    wanted_fact,
    wanted_filters,
    wanted_link,
    wanted_memory,
)
from wuu.memory.model.table import ACTIONS
from wuu.memory.model.values import MEMORY, MOST_BYTES, Action, ModelCall

__all__ = [
    "MEMORY",
    "MOST_BYTES",
    "parse_call",
    "render_actions",
    "render_schema",
    "wanted_context",
    "wanted_deletion",
    "wanted_edit",
    "wanted_fact",
    "wanted_filters",
    "wanted_link",
    "wanted_memory",
]

_WIDTH = 78  # columns
_INDENT = "  "


def parse_call(data: bytes) -> ModelCall:
    """Return what a model asks for, all of it valid; see `parsing.parse_call`.

    Raises:
        UsageProblem: `details["parameter"]` names what is wrong, where that is a parameter.
    """
    from wuu.memory.model import parsing  # noqa: PLC0415  (the help needs none of it)

    return parsing.parse_call(data)


def render_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a request, to register the tool; see `schema`."""
    from wuu.memory.model import schema  # noqa: PLC0415  (a request needs none)

    return schema.render_schema()


def render_actions() -> str:
    """Return every action with its parameters, at most 78 columns wide; `*` marks those that it needs."""
    return "\n".join(line for action in ACTIONS for line in _action_lines(action))


def _action_lines(action: Action) -> list[str]:
    import textwrap  # noqa: PLC0415  (only the help needs it)

    tool = "" if action.tool == MEMORY else f"{action.tool} "
    names = [f"{one.name}*" for one in action.required] + [one.name for one in action.optional]
    line = f"{tool}{action.name}: {', '.join(names) or '-'}"
    return textwrap.wrap(line, _WIDTH - len(_INDENT), subsequent_indent=_INDENT * 2)
