"""What a model can ask for: every action with its parameters. Input is checked and described from here.

Owns the table and nothing else; seed 002, "Agent tool". `*` marks what an action needs:

    tool          action       parameters
    memory        status
    memory        categories
    memory        list         the filters, limit
    memory        search       query*, limit, the filters
    memory        context      prompt, mode, budget
    memory        add          text*, scope, category, categories, tags, pinned, evidence, confidence,
                               sensitivity, verified, message
    memory        propose      the same
    memory        update       id*, text, category, categories, tags, add_tags, remove_tags, pinned,
                               confidence, sensitivity, verified, scope, revision
    memory        delete       id*, revision
    memory_graph  overview
    memory_graph  search       query*, limit
    memory_graph  upsert_fact  text, id, scope, category, categories, tags, links
    memory_graph  link         from*, to*, kind
    memory_graph  validate

The filters are text, category, tag, scope, status, pinned, proposer, older_than, newer_than and session.
`tool`, `action` and `request_id` go with all of them.
"""

from wuu.memory.context.limits import MAX_BUDGET
from wuu.memory.context.values import MODES
from wuu.memory.filtering import ALL, LONGEST_AGE
from wuu.memory.format.entry import LINK_KINDS, PROPOSERS, SENSITIVITIES, STATUSES
from wuu.memory.graph.values import CLASSIFICATIONS
from wuu.memory.model.values import (
    FLAG,
    GRAPH,
    INTEGER,
    LINKS,
    MEMORY,
    NUMBER,
    REFERENCES,
    TEXT,
    TEXTS,
    Action,
    Parameter,
)
from wuu.memory.shelves import PROJECT, SCOPES, USER

GLOBAL = "global"
"""What the seed's tool calls the user scope."""

_ANY_SCOPE = (*SCOPES, GLOBAL)
_MOST = 1_000  # memories in one answer, of `list` as of `search`

_ID = Parameter("id", TEXT, "The memory: its id, or the beginning of it if that is unique.")
_FACT = Parameter(
    "text", TEXT, "The fact: one, in a sentence or two that are clear without this conversation."
)
_SCOPE = Parameter(
    "scope",
    TEXT,
    f"Where it holds: this {PROJECT} (the default of what is new), {USER} or {GLOBAL}: for the person "
    "everywhere, or this session.",
    _ANY_SCOPE,
)
_CATEGORY = Parameter("category", TEXT, "The category; the action categories lists them.")
_QUERY = Parameter("query", TEXT, "Words to look for; any of them is enough, and the best come first.")
_LIMIT = Parameter("limit", INTEGER, "At most so many memories.", least=1, most=_MOST)
_REVISION = Parameter("revision", TEXT, "What you saw: refused if the memory is not at this revision.")

_FIELDS = (
    _CATEGORY,
    Parameter("categories", TEXTS, "Further categories."),
    Parameter("tags", TEXTS, "Tags; those of an update replace what is there."),
    Parameter("pinned", FLAG, "Always in the context. Only a person pins."),
    Parameter("confidence", NUMBER, "How sure you are.", least=0, most=1),
    Parameter("sensitivity", TEXT, "How private it is.", SENSITIVITIES),
    Parameter("verified", TEXT, "When it was last checked: YYYY-MM-DD, or today."),
)
_NEW = (
    _SCOPE,
    *_FIELDS,
    Parameter("evidence", REFERENCES, "Where it comes from: a kind such as source, and a reference."),
    Parameter("message", TEXT, "What the person typed last, to the letter, if they asked for this."),
)
_FILTERS = (
    Parameter("text", TEXT, "Only those whose text has this in it, in any case."),
    Parameter("category", TEXT, "Only those of this category."),
    Parameter("tag", TEXT, "Only those with this tag."),
    Parameter("scope", TEXT, f"Only those of this scope; {GLOBAL} is {USER}.", _ANY_SCOPE),
    Parameter("status", TEXT, "Only those of this status.", (*STATUSES, ALL)),
    Parameter("pinned", FLAG, "Only those that are pinned, or are not."),
    Parameter("proposer", TEXT, "Only those that this one proposed.", PROPOSERS),
    Parameter("older_than", INTEGER, "Only those made so many days ago or before.", (), 0, LONGEST_AGE),
    Parameter("newer_than", INTEGER, "Only those made since so many days.", (), 0, LONGEST_AGE),
    Parameter("session", TEXT, f"Also those of this session; {ALL}: of every session of this project."),
)
_GRAPH_SCOPE = _SCOPE._replace(choices=(*_ANY_SCOPE, *CLASSIFICATIONS))

ACTIONS = (
    Action(MEMORY, "status", "How many memories there are, what waits, what is switched on."),
    Action(MEMORY, "categories", "The categories, and what becomes of a proposal in each."),
    Action(MEMORY, "list", "Memories, newest first, each with its status.", (), (*_FILTERS, _LIMIT)),
    Action(MEMORY, "search", "Saved memories that hold words of a query.", (_QUERY,), (_LIMIT, *_FILTERS)),
    Action(
        MEMORY,
        "context",
        "The block of memories that belongs before an answer to a prompt.",
        (),
        (
            Parameter("prompt", TEXT, "What the person asks for; without it, what every session gets."),
            Parameter("mode", TEXT, "Before an ordinary request, or after the context was shortened.", MODES),
            Parameter("budget", INTEGER, "At most so many characters.", (), 0, MAX_BUDGET),
        ),
    ),
    Action(
        MEMORY,
        "add",
        "Remember a fact. Mostly it waits for a person, and the answer says so.",
        (_FACT,),
        _NEW,
    ),
    Action(MEMORY, "propose", "Propose a fact; a person decides about it.", (_FACT,), _NEW),
    Action(
        MEMORY,
        "update",
        "Change a memory, all of it or nothing; a saved one is changed when a person agrees.",
        (_ID,),
        (
            _FACT,
            _SCOPE,
            *_FIELDS,
            Parameter("add_tags", TEXTS, "Tags more than there are."),
            Parameter("remove_tags", TEXTS, "Tags less than there are."),
            _REVISION,
        ),
    ),
    Action(
        MEMORY,
        "delete",
        "Remove a proposal of your own; of a saved memory it is proposed to put it away.",
        (_ID,),
        (_REVISION,),
    ),
    Action(GRAPH, "overview", "How the saved memories are linked: health, nodes and edges."),
    Action(GRAPH, "search", "Memories that hold words of a query, with their links.", (_QUERY,), (_LIMIT,)),
    Action(
        GRAPH,
        "upsert_fact",
        "Change the memory id, which keeps its links; without id, remember a fact.",
        (),
        (
            _ID,
            _FACT,
            _GRAPH_SCOPE,
            _CATEGORY,
            Parameter("categories", TEXTS, "Further categories."),
            Parameter("tags", TEXTS, "Tags."),
            Parameter("links", LINKS, "What it is linked to, and how; related if the kind is left out."),
        ),
    ),
    Action(
        GRAPH,
        "link",
        "Link two saved memories; linking them again replaces the kind.",
        (
            Parameter("from", TEXT, "The id of the memory that the link starts at."),
            Parameter("to", TEXT, "The id of the other one."),
        ),
        (Parameter("kind", TEXT, "What the first is to the second; related by default.", LINK_KINDS),),
    ),
    Action(GRAPH, "validate", "What is wrong with links, whatever their number."),
)
"""Every action of both tools."""

BY_NAME = {(one.tool, one.name): one for one in ACTIONS}
