"""From the bytes that a model sends to a `ModelCall`: all of it is right, or nothing is done.

Owns what is refused; what there is to ask for is `table`. Reads nothing from the disk.
"""

import json
from collections.abc import Callable
from typing import Any, NoReturn

from wuu.errors import UsageProblem
from wuu.memory.format.entry import LINK_KINDS
from wuu.memory.model.table import ACTIONS, BY_NAME
from wuu.memory.model.values import (
    FLAG,
    INTEGER,
    LINKS,
    MEMORY,
    MOST_BYTES,
    NUMBER,
    REFERENCES,
    TEXT,
    TEXTS,
    TOOLS,
    Action,
    ModelCall,
    Parameter,
)

_TOOL, _ACTION, _REQUEST_ID = "tool", "action", "request_id"
_SHOWN = 40
_HINT = "wuu memory model --schema prints what can be asked for."


def parse_call(data: bytes) -> ModelCall:
    """Return what a model asks for.

    Raises:
        UsageProblem: It is not one JSON object in UTF-8 of at most 256 KiB; or there is no such tool, action
            or parameter, one is missing, or has the wrong type. `details["parameter"]` names it.
    """
    value = _object_of(data)
    action = _action_of(value)
    given = {name: one for name, one in value.items() if name not in (_TOOL, _ACTION)}
    request_id = _request_id_of(given)
    known = action.parameters
    for name in given:
        if name not in known:
            takes = ", ".join(known) or "none"
            _refuse(f"{_said(action)} has no parameter {_quoted(name)}; it has: {takes}.", name)
    for one in action.required:
        if one.name not in given:
            _refuse(f"{_said(action)} needs the parameter {one.name}.", one.name)
    checked = {name: _checked(known[name], one) for name, one in given.items()}
    return ModelCall(action.tool, action.name, checked, request_id)


def _object_of(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise UsageProblem(
            f"The request has more than {MOST_BYTES:,} bytes, the most that is taken.", limit=MOST_BYTES
        )
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise UsageProblem(
            f"The request is not UTF-8 at byte {error.start}.", hint=_HINT, offset=error.start
        ) from error
    if not text.strip():
        raise UsageProblem("There is no request: one JSON object is expected.", hint=_HINT)
    value = _json_of(text)
    if not isinstance(value, dict):
        raise UsageProblem(f"The request is {_type_of(value)}, and has to be a JSON object.", hint=_HINT)
    return value


def _json_of(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            note = f"Something follows the JSON object, at character {error.pos}; one request is taken."
        else:
            note = f"The request is not JSON: {error.msg}, at character {error.pos}."
        raise UsageProblem(note, hint=_HINT, offset=error.pos) from error
    except RecursionError as error:
        raise UsageProblem("The request is nested too deeply.", hint=_HINT) from error
    except ValueError as error:  # an integer of thousands of digits
        raise UsageProblem("The request holds a number that is too long.", hint=_HINT) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, and refuse a name that stands twice: readers differ about which one counts."""
    value: dict[str, Any] = {}
    for name, one in pairs:
        if name in value:
            _refuse(f"{_quoted(name)} stands twice.", name)
        value[name] = one
    return value


def _no_number(word: str) -> NoReturn:
    raise UsageProblem(f"{word} is no JSON number.", hint=_HINT)


def _action_of(value: dict[str, Any]) -> Action:
    tool, name = value.get(_TOOL, MEMORY), value.get(_ACTION)
    if not isinstance(tool, str) or tool not in TOOLS:
        _refuse(f"tool is one of {', '.join(TOOLS)}; got {_shown(tool)}.", _TOOL)
    names = ", ".join(one.name for one in ACTIONS if one.tool == tool)
    if name is None and _ACTION not in value:
        _refuse(f"The action is missing; {tool} has: {names}.", _ACTION)
    action = BY_NAME.get((tool, name)) if isinstance(name, str) else None
    if action is None:
        _refuse(f"The action of {tool} is one of {names}; got {_shown(name)}.", _ACTION)
    return action


def _request_id_of(given: dict[str, Any]) -> str | None:
    """Take the request id out of the parameters."""
    if _REQUEST_ID not in given:
        return None
    value = given.pop(_REQUEST_ID)
    if not isinstance(value, str) or not value.strip():
        _refuse(f"request_id is a text that is not empty; got {_shown(value)}.", _REQUEST_ID)
    _check_text(_REQUEST_ID, value)
    return value


def _checked(parameter: Parameter, value: Any) -> Any:
    """Return a value that fits a parameter."""
    return _CHECKS[parameter.kind](parameter, value)


def _text(parameter: Parameter, value: Any) -> str:
    if not isinstance(value, str):
        _refuse_type(parameter, "a string", value)
    if parameter.choices and value not in parameter.choices:
        known = ", ".join(parameter.choices)
        _refuse(f"{parameter.name} is one of {known}; got {_shown(value)}.", parameter.name)
    _check_text(parameter.name, value)
    return value


def _integer(parameter: Parameter, value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # JSON does not tell 5.0 from 5
    if not isinstance(value, int) or isinstance(value, bool):
        _refuse_type(parameter, "an integer", value)
    _check_bounds(parameter, value)
    return value


def _number(parameter: Parameter, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        _refuse_type(parameter, "a number", value)
    _check_bounds(parameter, value)
    return float(value)


def _flag(parameter: Parameter, value: Any) -> bool:
    if not isinstance(value, bool):
        _refuse_type(parameter, "true or false", value)
    return value


def _texts(parameter: Parameter, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        _refuse_type(parameter, "a list of strings", value)
    for one in value:
        _check_text(parameter.name, one)
    return tuple(value)


def _references(parameter: Parameter, value: Any) -> tuple[dict[str, str], ...]:
    return tuple(
        _pair(parameter, one, ("kind", "ref"), "a list of objects {kind, ref}")
        for one in _list(parameter, value)
    )


def _links(parameter: Parameter, value: Any) -> tuple[dict[str, str], ...]:
    found = []
    for one in _list(parameter, value):
        full = {"kind": LINK_KINDS[0], **one} if isinstance(one, dict) else one
        pair = _pair(parameter, full, ("id", "kind"), "a list of objects {id, kind}")
        if pair["kind"] not in LINK_KINDS:
            known = ", ".join(LINK_KINDS)
            _refuse(
                f"The kind in {parameter.name} is one of {known}; got {_shown(pair['kind'])}.", parameter.name
            )
        found.append(pair)
    return tuple(found)


def _list(parameter: Parameter, value: Any) -> list[Any]:
    if not isinstance(value, list):
        _refuse_type(parameter, f"a {parameter.kind}", value)
    return value


def _pair(parameter: Parameter, value: Any, names: tuple[str, str], wanted: str) -> dict[str, str]:
    is_pair = isinstance(value, dict) and value.keys() == set(names)
    if not is_pair or not all(isinstance(one, str) for one in value.values()):
        _refuse(f"{parameter.name} is {wanted}, all of them strings.", parameter.name)
    for one in value.values():
        _check_text(parameter.name, one)
    return dict(value)


_CHECKS: dict[str, Callable[[Parameter, Any], Any]] = {
    TEXT: _text,
    INTEGER: _integer,
    NUMBER: _number,
    FLAG: _flag,
    TEXTS: _texts,
    REFERENCES: _references,
    LINKS: _links,
}


def _check_bounds(parameter: Parameter, value: float) -> None:
    least, most = parameter.least, parameter.most
    if (least is not None and value < least) or (most is not None and value > most):
        _refuse(f"{parameter.name} is from {least} to {most}; got {value}.", parameter.name)


def _check_text(name: str, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        _refuse(f"{name} holds half of a character, the one at {error.start}.", name)


def _refuse_type(parameter: Parameter, wanted: str, value: Any) -> NoReturn:
    _refuse(f"{parameter.name} is {wanted}; got {_type_of(value)}.", parameter.name)


def _refuse(message: str, parameter: str) -> NoReturn:
    raise UsageProblem(message, hint=_HINT, parameter=parameter)


def _said(action: Action) -> str:
    return f"The action {action.name} of {action.tool}"


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    names = ((str, "a string"), (int, "an integer"), (float, "a number"), (list, "a list"))
    return next((name for kind, name in names if isinstance(value, kind)), "an object")


def _shown(value: Any) -> str:
    return _quoted(value) if isinstance(value, str) else _type_of(value)


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
