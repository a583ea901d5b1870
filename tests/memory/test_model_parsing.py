"""What a model may ask for: the requests that are taken, and those that are refused."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.errors import UsageProblem
from wuu.memory.format.entry import LINK_KINDS
from wuu.memory.model import actions, table
from wuu.memory.model.values import (
    FLAG,
    GRAPH,
    INTEGER,
    LINKS,
    MEMORY,
    MOST_BYTES,
    NUMBER,
    REFERENCES,
    TEXT,
    TEXTS,
    Action,
    Parameter,
)

SCHEMA = jsonschema.Draft202012Validator(actions.render_schema())
SAMPLES: dict[str, Any] = {
    TEXT: "oak",
    INTEGER: 3,
    NUMBER: 0.5,
    FLAG: True,
    TEXTS: ["oak", "ash"],
    REFERENCES: [{"kind": "source", "ref": "ticket:41"}],
    LINKS: [{"id": "3f2a", "kind": "supports"}],
}
WRONG: dict[str, list[Any]] = {
    TEXT: [None, 1, True, ["oak"], {"a": 1}],
    INTEGER: [None, "3", True, 1.5, [3]],
    NUMBER: [None, "0.5", False, [0.5]],
    FLAG: [None, 0, "true", []],
    TEXTS: [None, "oak", [1], ["oak", None], {"a": "b"}],
    REFERENCES: [
        None,
        "x",
        ["x"],
        [{"kind": "source"}],
        [{"kind": "s", "ref": 1}],
        [{"kind": "", "ref": "", "x": ""}],
    ],
    LINKS: [None, "3f2a", ["3f2a"], [{"kind": "related"}], [{"id": "3f2a", "kind": "loves"}], [{"id": 3}]],
}
PAIRS = [(action, one) for action in table.ACTIONS for one in action.parameters.values()]


def request_of(action: Action, **more: Any) -> dict[str, Any]:
    """Return the shortest request for an action, and what stands in it besides."""
    named = {} if action.tool == MEMORY else {"tool": action.tool}
    return {**named, "action": action.name, **{one.name: sample(one) for one in action.required}, **more}


def sample(parameter: Parameter) -> Any:
    return (
        parameter.choices[-1] if parameter.choices else SAMPLES[parameter.kind] if parameter.most != 1 else 1
    )


def parse(value: Any) -> Any:
    return actions.parse_call(json.dumps(value).encode())


def refused(data: bytes) -> UsageProblem:
    with pytest.raises(UsageProblem) as caught:
        actions.parse_call(data)
    return caught.value


def names_of(pair: Any) -> str:
    return f"{pair.tool}-{pair.name}" if isinstance(pair, Action) else pair.name


# --- What is taken --------------------------------------------------------------------------------------


def test_the_seeds_actions_are_all_there() -> None:
    of_memory = {"status", "categories", "list", "search", "context", "add", "update", "delete", "propose"}
    of_graph = {"overview", "search", "upsert_fact", "link", "validate"}
    assert {one.name for one in table.ACTIONS if one.tool == MEMORY} == of_memory
    assert {one.name for one in table.ACTIONS if one.tool == GRAPH} == of_graph
    assert len(table.BY_NAME) == len(table.ACTIONS)


@pytest.mark.parametrize(("action", "one"), PAIRS, ids=names_of)
def test_each_parameter_is_taken_alone_and_as_it_was_given(action: Action, one: Parameter) -> None:
    value = request_of(action, **{one.name: sample(one)})
    asked = parse(value)
    assert (asked.tool, asked.action, asked.request_id) == (action.tool, action.name, None)
    assert json.loads(json.dumps(asked.given[one.name])) == sample(one)
    assert set(asked.given) == set(value) - {"tool", "action"}
    SCHEMA.validate(value)


def test_a_request_id_goes_with_every_action_and_is_no_parameter() -> None:
    for action in table.ACTIONS:
        asked = parse(request_of(action, request_id="r1"))
        assert asked.request_id == "r1"
        assert "request_id" not in asked.given


def test_the_first_tool_may_be_named_and_a_mark_of_utf8_is_no_text() -> None:
    named = actions.parse_call('\ufeff {"tool": "memory", "action": "status"} \n'.encode())
    assert named == parse({"action": "status"})


def test_an_integer_may_be_written_as_a_number_without_a_rest() -> None:
    asked = actions.parse_call(b'{"action": "list", "limit": 5.0}')
    assert asked.given == {"limit": 5}
    assert isinstance(asked.given["limit"], int)


def test_the_kind_of_a_link_is_related_where_it_is_left_out() -> None:
    asked = parse({"tool": GRAPH, "action": "upsert_fact", "text": "x", "links": [{"id": "3f2a"}]})
    assert asked.given["links"] == ({"id": "3f2a", "kind": LINK_KINDS[0]},)


# --- What is refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "one"), PAIRS, ids=names_of)
def test_a_parameter_of_a_wrong_type_is_refused_by_name(action: Action, one: Parameter) -> None:
    for wrong in WRONG[one.kind]:
        value = request_of(action, **{one.name: wrong})
        error = refused(json.dumps(value).encode())
        assert error.details["parameter"] == one.name, wrong
        assert one.name in error.message
        assert not SCHEMA.is_valid(value), wrong


@pytest.mark.parametrize("action", table.ACTIONS, ids=names_of)
def test_a_parameter_that_is_missing_or_unknown_is_refused_by_name(action: Action) -> None:
    for one in action.required:
        value = request_of(action)
        del value[one.name]
        assert refused(json.dumps(value).encode()).details["parameter"] == one.name
        assert not SCHEMA.is_valid(value)
    every = {name for one in table.ACTIONS for name in one.parameters}
    for name in (*(every - set(action.parameters)), "dry_run", "Text", "", "text "):
        value = request_of(action, **{name: "x"})
        assert refused(json.dumps(value).encode()).details["parameter"] == name
        assert not SCHEMA.is_valid(value)


@pytest.mark.parametrize(("action", "one"), [pair for pair in PAIRS if pair[1].choices], ids=names_of)
def test_only_the_choices_are_taken(action: Action, one: Parameter) -> None:
    for choice in one.choices:
        assert parse(request_of(action, **{one.name: choice})).given[one.name] == choice
    for wrong in ("", one.choices[0].upper(), f"{one.choices[0]} "):
        error = refused(json.dumps(request_of(action, **{one.name: wrong})).encode())
        assert error.details["parameter"] == one.name
        assert one.choices[0] in error.message


@pytest.mark.parametrize(
    ("action", "one"), [pair for pair in PAIRS if pair[1].most is not None], ids=names_of
)
def test_bounds_hold_on_both_sides(action: Action, one: Parameter) -> None:
    assert one.least is not None
    assert one.most is not None
    for within in (one.least, one.most):
        assert parse(request_of(action, **{one.name: within})).given[one.name] == within
    for outside in (one.least - 1, one.most + 1, 10**30):
        value = request_of(action, **{one.name: outside})
        assert refused(json.dumps(value).encode()).details["parameter"] == one.name
        assert not SCHEMA.is_valid(value)


@pytest.mark.parametrize(
    ("value", "parameter"),
    [
        ({}, "action"),
        ({"action": None}, "action"),
        ({"action": "forget"}, "action"),
        ({"action": "overview"}, "action"),
        ({"action": ["list"]}, "action"),
        ({"action": "list", "tool": None}, "tool"),
        ({"action": "list", "tool": "remember"}, "tool"),
        ({"action": "list", "tool": {}}, "tool"),
        ({"action": "add", "text": "x", "tool": "memory_graph"}, "action"),
        ({"action": "list", "request_id": ""}, "request_id"),
        ({"action": "list", "request_id": " "}, "request_id"),
        ({"action": "list", "request_id": 7}, "request_id"),
        ({"action": "list", "request_id": None}, "request_id"),
    ],
)
def test_an_unknown_tool_action_or_request_id_is_refused_by_name(value: Any, parameter: str) -> None:
    assert refused(json.dumps(value).encode()).details["parameter"] == parameter
    assert not SCHEMA.is_valid(value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no request"),
        (b" \n", "no request"),
        (b"\xef\xbb\xbf", "no request"),
        (b"[]", "a list"),
        (b"null", "null"),
        (b'"list"', "a string"),
        (b'{"action": "list"}{"action": "list"}', "follows"),
        (b'{"action": "list"}\n{"action": "list"}\n', "follows"),
        (b'{"action": "list"} x', "follows"),
        (b'{"action": "list"', "not JSON"),
        (b"{'action': 'list'}", "not JSON"),
        (b'{"action": "add", "text": "a\nb"}', "not JSON"),
        (b'{"action": "list", "limit": 1,}', "not JSON"),
        (b'{"action": "add", "text": "x", "confidence": NaN}', "NaN"),
        (b'{"action": "add", "text": "x", "confidence": Infinity}', "Infinity"),
        (b'{"action": "add", "text": "x", "confidence": 1e999}', "confidence"),
        (b'{"action": "list", "limit": 1e999}', "limit"),
        (b'{"action": "list", "limit": ' + b"9" * 5000 + b"}", "too long"),
        (b"[" * 100_000, "nested"),
        (b'{"action": "add", "text": "\xff"}', "byte 27"),
        ('{"action": "status"}'.encode("utf-16"), "byte 0"),
        (b'{"action": "add", "text": "x\\ud800"}', "text holds half of a character"),
        (b'{"action": "add", "text": "x", "tags": ["\\udc00"]}', "tags holds half"),
        (b'{"action": "add", "text": "x", "text": "y"}', "'text' stands twice"),
        (b'{"action": "add", "action": "list"}', "'action' stands twice"),
        (
            b'{"action": "add", "text": "x", "evidence": [{"kind": "a", "ref": "b", "ref": "c"}]}',
            "'ref' stands",
        ),
    ],
)
def test_what_is_not_one_json_object_in_utf8_is_refused(data: bytes, said: str) -> None:
    assert said in refused(data).message


def test_a_request_is_taken_up_to_its_size_and_not_beyond() -> None:
    def sized(length: int) -> bytes:
        data = b'{"action": "add", "text": ""}'
        return data.replace(b'""', b'"' + b"x" * (length - len(data)) + b'"')

    assert len(sized(MOST_BYTES)) == MOST_BYTES
    assert actions.parse_call(sized(MOST_BYTES)).action == "add"
    error = refused(sized(MOST_BYTES + 1))
    assert error.details["limit"] == MOST_BYTES == 256 * 1024
    assert refused(b"{" * (MOST_BYTES + 1)).details["limit"] == MOST_BYTES


def test_what_is_shown_of_a_refused_value_is_short_and_fit_for_a_terminal() -> None:
    error = refused(json.dumps({"action": "\x1b[31m" + "x" * 10_000}).encode())
    assert len(error.message) < 300
    assert error.message.isprintable()


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_whatever_comes_is_taken_or_refused_as_usage(data: bytes) -> None:
    try:
        actions.parse_call(data)
    except UsageProblem:
        return
