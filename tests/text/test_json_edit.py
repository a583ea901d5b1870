"""A member of a JSON text set or removed; the rest of the text stays."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.text.json_edit import with_member, without_member

AS_WRITTEN = """{
    "zebra": 1.50,
    "list": [1,
        2],   "caf\\u00e9": {"b": true},

    "last": "x"
}
"""


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ("{}\n", ("a",), True, '{\n  "a": true\n}\n'),
        ("{ }", ("a",), 1, '{\n  "a": 1\n}'),
        ('{"a": 1}', ("a",), 2, '{"a": 2}'),
        ('{"a":1}', ("b",), 2, '{"a":1, "b": 2}'),
        ('{"a": 1, "c": 3}', ("b",), {"x": []}, '{"a": 1, "c": 3, "b": {"x": []}}'),
        ('{"a": 1, "a": 2}', ("a",), 3, '{"a": 1, "a": 3}'),
        ('{\n\t"a": 1\n}\n', ("b",), {"x": 1}, '{\n\t"a": 1,\n\t"b": {\n\t\t"x": 1\n\t}\n}\n'),
        ('{\r\n "a": 1\r\n}\r\n', ("b", "c"), 1, '{\r\n "a": 1,\r\n "b": {\r\n  "c": 1\r\n }\r\n}\r\n'),
        ('\ufeff{\n  "a": 1\n}', ("a",), 2, '\ufeff{\n  "a": 2\n}'),
        ('{\n  "p": {}\n}', ("p", "/x"), 1, '{\n  "p": {\n    "/x": 1\n  }\n}'),
        ('{\n  "p": {"/x": {"a": 1}}\n}', ("p", "/x", "b"), 2, '{\n  "p": {"/x": {"a": 1, "b": 2}}\n}'),
        (
            '{\n  "p": {\n    "/x": {}\n  }\n}',
            ("p", "/y"),
            1,
            '{\n  "p": {\n    "/x": {},\n    "/y": 1\n  }\n}',
        ),
        ('{"a": "é"}', ("b",), "ü", '{"a": "é", "b": "ü"}'),
        ('{"a": 1}', ("/\udc80",), "x", '{"a": 1, "/\\udc80": "x"}'),
    ],
)
def test_a_member_is_set(before: str, path: tuple[str, ...], value: Any, after: str) -> None:
    assert with_member(before, path, value) == after


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ('{"a": 1}', ("a",), "{}"),
        ('{"a": 1, "b": 2}', ("a",), '{"b": 2}'),
        ('{"a": 1, "b": 2}', ("b",), '{"a": 1}'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n', ("b",), '{\n  "a": 1,\n  "c": 3\n}\n'),
        ('{\n  "a": 1,\n  "b": 2\n}\n', ("b",), '{\n  "a": 1\n}\n'),
        ('{"a": 1, "b": 2, "a": 3}', ("a",), '{"b": 2}'),
        ('{"a": 1}', ("b",), '{"a": 1}'),
        ('{"p": {}}', ("p", "x"), '{"p": {}}'),
        ('{"a": 1}', ("p", "x"), '{"a": 1}'),
        ('{"a": 1, "p": {"/x": {"b": 1}}}', ("p", "/x", "b"), '{"a": 1}'),
        ('{"p": {"/x": {"b": 1}, "/y": {}}}', ("p", "/x", "b"), '{"p": {"/y": {}}}'),
    ],
)
def test_a_member_is_removed(before: str, path: tuple[str, ...], after: str) -> None:
    assert without_member(before, path) == after


def test_every_other_byte_stays() -> None:
    assert with_member(AS_WRITTEN, ("last",), [1]) == AS_WRITTEN.replace('"x"', "[\n        1\n    ]")
    assert with_member(AS_WRITTEN, ("new",), 1) == AS_WRITTEN.replace('"x"', '"x",\n\n    "new": 1')
    assert with_member(AS_WRITTEN, ("café", "b"), False) == AS_WRITTEN.replace("true", "false")
    assert without_member(AS_WRITTEN, ("last",)) == AS_WRITTEN.replace(',\n\n    "last": "x"', "")


@pytest.mark.parametrize("change", [lambda text, path: with_member(text, path, 1), without_member])
def test_what_is_in_the_way_is_not_replaced(change: Any) -> None:
    with pytest.raises(ValueError, match="p is no object"):
        change('{"p": 3}', ("p", "x"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)
INDENTS = st.sampled_from([None, 0, 1, 2, "\t"])


@given(OBJECTS, st.text(), JSON, INDENTS)
def test_setting_a_key_changes_only_it(found: dict[str, Any], key: str, value: Any, indent: Any) -> None:
    text = json.dumps(found, indent=indent)
    edited = with_member(text, (key,), value)
    assert json.loads(edited) == {**found, key: value}
    assert list(json.loads(edited)) == list({**found, key: value})
    assert json.loads(without_member(edited, (key,))) == {k: v for k, v in found.items() if k != key}


@given(OBJECTS, st.text(), st.text(), JSON, INDENTS)
def test_setting_and_removing_below_gives_the_text_back(
    found: dict[str, Any], outer: str, inner: str, value: Any, indent: Any
) -> None:
    found.pop(outer, None)
    found["kept"] = 1
    text = json.dumps(found, indent=indent)
    if outer == "kept":
        return
    edited = with_member(text, (outer, inner), value)
    assert json.loads(edited) == {**found, outer: {inner: value}}
    assert without_member(edited, (outer, inner)) == text
