"""What a call of a model asks of the memories: the same values that the command line makes of options."""

from wuu import clock
from wuu.memory.context.values import REQUEST, ContextRequest
from wuu.memory.graph.values import CLASSIFICATIONS, RELATED, LinkMemories, UpsertFact
from wuu.memory.model.table import GLOBAL
from wuu.memory.model.values import ModelCall
from wuu.memory.shelves import PROJECT, USER
from wuu.memory.values import AddMemory, ChangeMemory, EditMemory, Filters

_DELETE = "delete"
_TODAY = "today"


def wanted_memory(asked: ModelCall) -> AddMemory:
    """Return the new memory that `add` or `propose` asks for: in this project unless a scope is named."""
    given = asked.given
    return AddMemory(
        asked.text("text"),
        scope_of(asked) or PROJECT,
        given.get("category"),
        asked.texts("categories"),
        asked.texts("tags"),
        given.get("pinned", False),
        given.get("sensitivity"),
        given.get("confidence"),
        _date_of(asked),
        tuple(given.get("evidence", ())),
        given.get("message"),
    )


def wanted_edit(asked: ModelCall) -> EditMemory:
    """Return the change that `update` asks for; what is not named stays as it is."""
    given = asked.given
    return EditMemory(
        asked.text("id"),
        given.get("text"),
        given.get("category"),
        given.get("categories"),
        given.get("tags"),
        asked.texts("add_tags"),
        asked.texts("remove_tags"),
        given.get("sensitivity"),
        given.get("confidence"),
        _date_of(asked),
        given.get("pinned"),
        scope_of(asked),
        given.get("revision"),
    )


def wanted_deletion(asked: ModelCall) -> ChangeMemory:
    """Return the removal that `delete` asks for."""
    return ChangeMemory(asked.text("id"), _DELETE, revision=asked.given.get("revision"))


def wanted_filters(asked: ModelCall) -> Filters:
    """Return which memories `list` or `search` is about, without the limit."""
    names = set(Filters._fields) - {"limit", "scope"}
    chosen = {name: value for name, value in asked.given.items() if name in names}
    return Filters(**chosen, scope=scope_of(asked))


def wanted_context(asked: ModelCall) -> ContextRequest:
    """Return the block that `context` asks for."""
    return ContextRequest(asked.text("prompt"), asked.text("mode") or REQUEST, asked.given.get("budget"))


def wanted_link(asked: ModelCall) -> LinkMemories:
    """Return the link that `link` asks for."""
    return LinkMemories(asked.text("from"), asked.text("to"), asked.text("kind") or RELATED)


def wanted_fact(asked: ModelCall) -> UpsertFact:
    """Return the fact that `upsert_fact` asks for; a classification stands in the place of a scope."""
    given, scope = asked.given, scope_of(asked)
    classified = scope if scope in CLASSIFICATIONS else None
    return UpsertFact(
        given.get("text"),
        given.get("id"),
        PROJECT if classified else scope,
        given.get("category"),
        given.get("categories"),
        given.get("tags"),
        tuple((one["id"], one.get("kind", RELATED)) for one in given.get("links", ())),
        classified,
    )


def scope_of(asked: ModelCall) -> str | None:
    """Return the scope that is named, as wuu names it; None if there is none."""
    scope = asked.text("scope") or None
    return USER if scope == GLOBAL else scope


def _date_of(asked: ModelCall) -> str | None:
    """Return the date that `verified` means: `today` is the person's own."""
    verified: str | None = asked.given.get("verified")
    return clock.today() if verified == _TODAY else verified
