"""What holds for every text: JSON stays JSON, nothing is found twice, offsets are right, and size is fine."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.secret_lines import FIRST_WITH, FIRST_WITHOUT, HELD_WITH, HELD_WITHOUT, LATER_WITH, Labelled
from wuu.text.secrets import find_secrets, redact

WITH, WITHOUT = FIRST_WITH + HELD_WITH + LATER_WITH, FIRST_WITHOUT + HELD_WITHOUT
WHOLE = [one for one in WITH if min(map(len, one.secrets)) >= 8]
KEYS = ("password", "token", "apiKey", "api_keys", "tokens", "note", "content", "q", '"', "the secret")
ODD = (
    "",
    "'",
    '"',
    "it's",
    "password:",
    "token=",
    'he said "password: x"',
    "ünï — 密码",
    "密码",
    "\\",
    "a\nb",
)

strings = st.one_of(
    st.sampled_from([one.text for one in WITH]), st.sampled_from(WITHOUT), st.sampled_from(ODD), st.text()
)
numbers = st.one_of(st.integers(), st.just(12345678), st.floats(allow_nan=False, allow_infinity=False))
leaves = st.one_of(strings, numbers, st.booleans(), st.none())
documents = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)
styles = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from([None, 2]),
        "separators": st.sampled_from([None, (",", ":")]),
    }
)
fragments = st.one_of(
    strings, st.sampled_from([" ", "\n", "\\n", "=", ": ", "[REDACTED:token]", "'", '"', ","])
)

# Pieces that a careless pattern would go over again and again.
PIECES = (
    *("a", " ", "\n", "\\", '\\"', "=", "token=", "token: ", "password", 'password:"', 'token="', "token:“"),
    *(
        "token='token=\"",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
        "sk-",
        "eyJ",
    ),
    *(
        "eyJaaaaaaaaaaaa.",
        "://a:",
        "://a:b@",
        "cookie=a;",
        "authorization=",
        "bearer ",
        "mysql -p",
        "curl -u ",
    ),
    *(
        "machine a login b ",
        "signature=",
        "tokens:\n- ",
        'tokens=["',
        "<password>a",
        "密码：",
        "seed phrase: word ",
    ),
    *(
        "[REDACTED:",
        "[REDACTED:a]",
        "token=${A:-",
        "password for ",
        "('token', '",
        "contraseña:",
        "12345678:AA",
    ),
)


def _shape(value: Any) -> Any:
    """Return the structure of a document; a number may have become a string."""
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    return value if isinstance(value, bool) or value is None else "leaf"


@given(document=documents, style=styles)
def test_json_stays_json(document: Any, style: dict[str, Any]) -> None:
    rest = redact(json.dumps(document, **style)).text
    assert _shape(json.loads(rest)) == _shape(document)


@given(document=documents, style=styles)
def test_json_inside_json_stays_json(document: Any, style: dict[str, Any]) -> None:
    rest = redact(json.dumps({"body": json.dumps(document, **style), "n": 1}, **style)).text
    assert _shape(json.loads(json.loads(rest)["body"])) == _shape(document)


@pytest.mark.parametrize("ensure_ascii", [True, False])
@pytest.mark.parametrize("one", WHOLE, ids=lambda one: one.name.replace(" ", "-"))
def test_a_credential_in_strings_of_any_depth_is_nowhere_left(one: Labelled, *, ensure_ascii: bool) -> None:
    text, secrets = one.text, one.secrets
    for depth in range(1, 4):
        text = json.dumps({"content": text, "n": depth}, ensure_ascii=ensure_ascii)
        secrets = tuple(json.dumps(secret, ensure_ascii=ensure_ascii)[1:-1] for secret in secrets)
        rest = redact(text).text
        assert not [secret for secret in secrets if secret in rest]
        assert _shape(json.loads(rest)) == {"content": "leaf", "n": "leaf"}


@given(pieces=st.lists(fragments, max_size=6))
def test_what_is_redacted_holds_nothing_to_redact(pieces: list[str]) -> None:
    once = redact("".join(pieces)).text
    assert redact(once) == (once, ())


@given(pieces=st.lists(fragments, max_size=6))
def test_offsets_are_in_order_and_rebuild_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    rest, found = redact(text)
    assert found == find_secrets(text)
    at, rebuilt = 0, []
    for one in found:
        assert at <= one.start < one.end <= len(text)
        rebuilt += [text[at : one.start], f"[REDACTED:{one.kind}]"]
        at = one.end
    rebuilt.append(text[at:])
    assert rest.replace('"', "").replace("\\", "") == "".join(rebuilt).replace('"', "").replace("\\", "")


@given(text=st.text())
def test_any_text_at_all_can_be_read(text: str) -> None:
    assert redact(text + "\ud800") == redact(text + "\ud800")


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_a_long_row_of_one_piece_is_read_to_its_end(piece: str) -> None:
    text = (piece * (100_000 // len(piece)))[:100_000] + "\nreset_token: 0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    assert "0f1e2d3c4b5a6978" not in redact(text).text


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["token: ", "a", "://a:b@", "contraseña:", "-----BEGIN PRIVATE KEY-----", "\\"]
)
def test_a_megabyte_is_read_to_its_end(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + "\nreset_token: 0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    assert "0f1e2d3c4b5a6978" not in redact(text).text
