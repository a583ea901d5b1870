"""JSON as values of frontmatter hold it: written on one line, read only if it can be written again.

Owns what is refused: the numbers that JSON does not know, and deep nesting (case O-12). It touches no file.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from wuu.text.scalars import MAX_NESTING

_HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


def render_json(value: Any) -> str:
    """Return `value` as JSON on one line that every reader of lines takes for one.

    Raises:
        ValueError: It holds a number that JSON does not know.
    """
    rendered = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if rendered.isprintable():
        return rendered
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in rendered)


def find_json(text: str) -> Any:
    """Return the JSON value in `text` if it can be written again, else None; half characters are U+FFFD."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
        if _HALF_CHARACTER.search(text):
            whole = json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass")
            value = json.loads(whole.decode("utf-16-le", "replace"))
    except (ValueError, RecursionError):
        return None
    return None if _nests_deeply(value) else value


def _refuse(constant: str) -> float:
    raise ValueError(constant)  # NaN and the infinities are no JSON


def _finite(digits: str) -> float:
    number = float(digits)
    return number if number - number == 0 else _refuse(digits)


def _nests_deeply(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_NESTING):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
