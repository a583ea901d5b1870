"""The schema of what a model may ask for, and what the help says of it, held to what is taken."""

import json
from typing import Any

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from memory.test_model_parsing import PAIRS, parse, request_of, sample
from wuu.errors import UsageProblem
from wuu.memory.model import actions, table
from wuu.memory.model.values import GRAPH, MEMORY

SCHEMA = jsonschema.Draft202012Validator(actions.render_schema())


def test_the_schema_is_one_of_its_dialect() -> None:
    schema = actions.render_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema


def test_the_schema_says_what_to_save_and_what_not() -> None:
    told = actions.render_schema()["description"]
    for words in ("standing preferences", "stated", "corrections", "repository does not show"):
        assert words in told
    for words in ("credentials", "the content or the format of the present request", "how far a task is"):
        assert words in told.partition("Never save")[2]
    assert "not sure, do not save" in told
    assert "untrusted context" in told


def test_without_its_branches_the_schema_still_names_every_parameter() -> None:
    schema = actions.render_schema()
    flat = jsonschema.Draft202012Validator({key: one for key, one in schema.items() if key != "oneOf"})
    for action, one in PAIRS:
        assert schema["properties"][one.name]["description"]
        flat.validate(request_of(action, **{one.name: sample(one)}))
    assert not flat.is_valid({"action": "list", "unknown": 1})


_VALUES = st.one_of(
    st.sampled_from([None, True, False, 0, 1, -1, 0.5, 5.0, 1001]),
    st.sampled_from(["", "x", "user", "global", "saved", "all", "related", "workspace"]),
    st.sampled_from([["a"], [1], {}, [{"kind": "source", "ref": "x"}], [{"id": "3f2a"}]]),
    st.builds(list),
)
_NAMES = st.sampled_from(
    sorted({"request_id", "unknown", *(name for one in table.ACTIONS for name in one.parameters)})
)
_REQUESTS = st.builds(
    lambda head, base, more: {**head, **(base if "action" in head else {}), **more},
    st.fixed_dictionaries(
        {"action": st.sampled_from(["forget", *sorted({one.name for one in table.ACTIONS})])},
        optional={"tool": st.sampled_from(["memory", "memory_graph", "other"])},
    ),
    st.sampled_from([{}, {"text": "x"}, {"query": "x"}, {"id": "3f2a"}, {"from": "3f2a", "to": "91bc"}]),
    st.dictionaries(_NAMES, _VALUES, max_size=3),
)


@given(_REQUESTS)
def test_the_schema_allows_what_is_taken_and_nothing_else(value: dict[str, Any]) -> None:
    try:
        parse(value)
    except UsageProblem:
        assert not SCHEMA.is_valid(value)
    else:
        SCHEMA.validate(value)


# --- The help -------------------------------------------------------------------------------------------


def test_the_help_names_every_action_and_parameter_and_is_narrow() -> None:
    told = actions.render_actions()
    assert max(map(len, told.splitlines())) <= 78
    unfolded = told.replace("\n    ", " ").splitlines()
    assert len(unfolded) == len(table.ACTIONS)
    for line, action in zip(unfolded, table.ACTIONS, strict=True):
        name, _, parameters = line.partition(": ")
        assert name.split() == ([] if action.tool == MEMORY else [action.tool]) + [action.name]
        needed = {one.name for one in action.required}
        wanted = [f"{one}*" if one in needed else one for one in action.parameters]
        assert parameters.split(", ") == (wanted or ["-"])


def test_the_table_in_the_module_is_the_real_one() -> None:
    rows: dict[tuple[str, str], str] = {}
    for line in (table.__doc__ or "").splitlines():
        words = line.split(maxsplit=2)
        if words[:1] and words[0] in (MEMORY, GRAPH) and len(words) > 1:
            key = (words[0], words[1])
            rows[key] = words[2] if len(words) > 2 else ""
        elif line.startswith(" " * 20):
            rows[key] += f" {line.strip()}"
    filters = "text, category, tag, scope, status, pinned, proposer, older_than, newer_than, session"
    rows = {
        key: one.replace("the filters", filters).replace("the same", rows[MEMORY, "add"])
        for key, one in rows.items()
    }
    assert set(rows) == set(table.BY_NAME)
    for key, row in rows.items():
        told = {one.strip() for one in row.split(",") if one.strip()}
        needed = {f"{one.name}*" for one in table.BY_NAME[key].required}
        assert told == needed | {one.name for one in table.BY_NAME[key].optional}, key
