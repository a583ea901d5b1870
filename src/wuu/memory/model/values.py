"""What a model asks for, and what the table of it is made of: plain values, nothing that reads or decides."""

from typing import Any, NamedTuple

MEMORY, GRAPH = TOOLS = ("memory", "memory_graph")
"""The two tools that are registered with a model; the first one is meant where none is named."""

TEXT, INTEGER, NUMBER, FLAG, TEXTS, REFERENCES, LINKS = (
    *("string", "integer", "number", "boolean"),
    *("list of strings", "list of references", "list of links"),
)
"""The kinds of parameters. A reference is `{kind, ref}`, a link `{id, kind}`."""

MOST_BYTES = 262_144
"""Most bytes of a request."""


class Parameter(NamedTuple):
    """Something that an action can be told: one of `choices` if there are any, from `least` to `most`."""

    name: str
    kind: str
    meaning: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


class Action(NamedTuple):
    """What a tool can do, and the parameters that it needs and takes."""

    tool: str
    name: str
    meaning: str
    required: tuple[Parameter, ...] = ()
    optional: tuple[Parameter, ...] = ()

    @property
    def parameters(self) -> dict[str, Parameter]:
        """All of them, by name."""
        return {one.name: one for one in (*self.required, *self.optional)}


class ModelCall(NamedTuple):
    """What a model asks for: an action and its parameters, each of the right type, and a request id."""

    tool: str
    action: str
    given: dict[str, Any]
    request_id: str | None = None

    def text(self, name: str) -> str:
        """Return a parameter that is a string, "" if it was not given."""
        return str(self.given.get(name, ""))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a parameter that is a list of strings, empty if it was not given."""
        return tuple(self.given.get(name, ()))
