"""What is taken for a credential and what is not: the labelled set, and the steps of cases O-29 and O-30."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from text.secret_lines import (
    FIRST_WITH,
    FIRST_WITHOUT,
    HELD_WITH,
    HELD_WITHOUT,
    HEX,
    LATER_WITH,
    Labelled,
    made,
    pem,
)
from wuu.text.secrets import find_secrets, redact

WITH, WITHOUT = FIRST_WITH + HELD_WITH + LATER_WITH, FIRST_WITHOUT + HELD_WITHOUT
MARKER = r"\[REDACTED:[a-z0-9-]+\]"
SMALLEST = 0.98
KEY = pem("case")

HARMLESS = (
    "# Rollback\n\nNever on Fridays, see [the rule](rollback-rule.md). The token bucket refills ten times a\n"
    "second: reset your password by Friday. Fixed in 3f9c1ab; `NODE_ENV=production`, https://example.org/docs.\n"
) * 10


def _spans(labelled: Labelled) -> list[tuple[int, int]]:
    spans, at = [], 0
    for part, secret in zip(labelled.parts, labelled.secrets, strict=False):
        at += len(part)
        spans.append((at, at + len(secret)))
        at += len(secret)
    return spans


def _found(text: str) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in find_secrets(text)]


def _is_clean(labelled: Labelled) -> bool:
    """Say whether each credential became one marker, and all else is there byte for byte."""
    pattern = rf'(?:{MARKER}|"{MARKER}")'.join(map(re.escape, labelled.parts))
    return re.fullmatch(pattern, redact(labelled.text).text) is not None


def test_the_labelled_set_is_large_and_has_no_doubles() -> None:
    assert len(WITH) >= 150
    assert len(WITHOUT) >= 300
    assert len({one.name for one in WITH}) == len(WITH)
    assert len(set(WITHOUT)) == len(WITHOUT)


def test_precision_and_recall_over_the_labelled_set() -> None:
    right = missed = wrong = 0
    names = []
    for one in WITH:
        expected, found = set(_spans(one)), set(_found(one.text))
        right += len(expected & found)
        missed += len(expected - found)
        wrong += len(found - expected)
        if expected != found or not _is_clean(one):
            names.append(f"missed or cut wrong: {one.name}")
    for text in WITHOUT:
        wrong += len(_found(text))
        names += [f"wrongly found in: {text}"] * bool(_found(text))
    report = "\n".join(names)
    assert right / (right + missed) >= SMALLEST, report
    assert right / (right + wrong) >= SMALLEST, report
    assert not names, report


@pytest.mark.parametrize("one", WITH, ids=lambda one: one.name.replace(" ", "-"))
def test_no_part_of_a_credential_stays(one: Labelled) -> None:
    rest = redact(one.text).text
    for secret in one.secrets:
        kept = "".join(one.parts) + rest if len(secret) < 8 else rest
        pieces = {secret[at : at + 8] for at in range(max(1, len(secret) - 7))}
        assert secret not in rest
        assert not [piece for piece in pieces if piece in kept and piece not in "".join(one.parts)]


@pytest.mark.parametrize(
    "text",
    [
        f"reset_token: {made('r', 32, HEX)}",
        f"csrf_token={made('c', 32, HEX)}",
        f"DEVICE_TOKEN={made('d', 40)}",
        f"run --passphrase {made('p', 12)} now",
        f"run --api-key {made('k', 30)} now",
        f"run --api-key={made('k', 30)} now",
        f'{{"password": "{made("j", 16)}"}}',
        "gl" + f"pat-{made('g', 9)}-{made('h', 5)}_{made('i', 6)}",
        "s" + f"k-ant-api03-{made('s', 40)}-{made('t', 30)}_{made('u', 22)}",
        "\\n".join(KEY),
        "".join(KEY),
        " ".join(KEY),
        "\n".join(f"{number:6}\t{line}" for number, line in enumerate(KEY, 1)),
        "\n".join(KEY[:5]),
        "\\n".join(KEY[:5]),
    ],
)
def test_o29_each_format_that_slipped_through(text: str) -> None:
    tool_result = json.dumps({"type": "tool_result", "content": [{"text": f"$ cat it\n{text}\ndone"}]})
    for place in (text, f"before\n{text}\nafter", tool_result):
        rest = redact(place)
        assert len(rest.found) == 1
        for value in (made(seed, length, HEX) for seed in "rc" for length in (32,)):
            assert value not in rest.text
        assert not [line for line in KEY[1:-1] if line in rest.text]
    assert redact(f"before\n{text}\nafter").text.startswith("before\n")
    assert redact(f"before\n{text}\nafter").text.endswith("\nafter")
    assert json.loads(redact(tool_result).text)["content"][0]["text"].endswith("\ndone")


@pytest.mark.parametrize(
    "text",
    [
        "see 3f9c1ab",
        made("sha", 40, HEX),
        "7d9f1c2e-4b3a-4f6d-9e8c-0a1b2c3d4e5f",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        f"sha256:{made('sha', 64, HEX)}",
        f'"integrity": "sha512-{made("sri", 86)}=="',
        "2001:db8:85a3::8a2e:370:7334",
        "move-this-task-before-you-rebase-anything-else",
        "disk-usage-report-for-the-nightly-runner",
        "Please reset your password by Friday.",
        "https://example.org/a/b?c=d#e",
        "NODE_ENV=production",
    ],
)
def test_o30_good_memories_stay_as_they_are(text: str) -> None:
    for place in (text, f"- {text}\n", json.dumps({"text": text}), f"value: {text}"):
        assert redact(place) == (place, ())


def test_a_found_credential_is_described_without_being_repeated() -> None:
    value = made("quiet", 40)
    (found,) = find_secrets(f"api_key={value}")
    assert value not in repr(found)
    assert found.kind == "key"


def test_what_is_known_already_stays() -> None:
    old, new = made("old", 32), made("new", 32)
    text = f"api_key={old}\nauth_token={new}\n"
    assert redact(text, known=f"we had {old}") == (
        f"api_key={old}\nauth_token=[REDACTED:token]\n",
        find_secrets(text)[1:],
    )


def test_a_value_of_one_line_stays_on_one_line() -> None:
    for one in WITH:
        if not any("\n" in secret for secret in one.secrets):
            assert redact(one.text).text.count("\n") == one.text.count("\n"), one.name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"password": 12345678}', '{"password": "[REDACTED:password]"}'),
        ('{"password":12345678,"n":1}', '{"password":"[REDACTED:password]","n":1}'),
        ('"{\\"password\\": 12345678}"', '"{\\"password\\": \\"[REDACTED:password]\\"}"'),
        ("password: 12345678", "password: [REDACTED:password]"),
    ],
)
def test_a_number_of_json_becomes_a_string(text: str, expected: str) -> None:
    assert redact(text).text == expected


@pytest.mark.parametrize(
    "text", ['["password:",12345678]', '["the token is ","abc",1]', '{"a":"pass","b":1}']
)
def test_a_string_that_ends_after_a_name_does_not_open_a_value(text: str) -> None:
    assert redact(text) == (text, ())


def test_a_key_cut_into_strings_is_taken_out_of_each() -> None:
    document = {"lines": list(KEY), "next": "nothing else"}
    rest = json.loads(redact(json.dumps(document, indent=2)).text)
    assert rest == {"lines": ["[REDACTED:private-key]"] * len(KEY), "next": "nothing else"}


def test_harmless_text_compiles_nothing_and_imports_no_rules() -> None:
    script = (
        "import re, sys, typing\n"
        "seen = []\n"
        "compile_ = re._compile\n"
        "re._compile = lambda pattern, flags: seen.append(pattern) or compile_(pattern, flags)\n"
        "from wuu.text.secrets import find_secrets\n"
        "assert find_secrets(sys.stdin.read()) == ()\n"
        "print(seen, sorted(name for name in sys.modules if 'secret_' in name))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=HARMLESS, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] []\n"


def test_the_notebooks_of_the_shared_data_hold_no_credential(shared_data: Path) -> None:
    found = [
        (path.name, one.kind)
        for path in sorted((shared_data / "notebooks").rglob("*.md"))
        for one in find_secrets(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("gh" + "p_" + "A1b2" * 9, "gh" + "p_" + "A1b2" * 9),
        ("AK" + "IA" + "A1B2" * 4, "AK" + "IA" + "A1B2" * 4),
        ("glpat-" + "A1b2-C3d4_" * 2, "glpat-" + "A1b2-C3d4_" * 2),
        ("https://ci:pw@host.example/x", "pw"),
        ("redis://:secret@cache:6379", "secret"),
        ("sign --passphrase correct-horse-battery file", "correct-horse-battery"),
        ("passphrase: correct horse battery staple", "correct horse battery staple"),
        ("The passphrase is correct horse battery staple.\nMore.", "correct horse battery staple"),
    ],
)
def test_o29_what_looks_made_up_is_a_credential_all_the_same(text: str, secret: str) -> None:
    assert redact(text).text.count("[REDACTED:") == 1
    assert [text[one.start : one.end] for one in find_secrets(text)] == [secret]


@pytest.mark.parametrize(
    "text",
    [
        "The passphrase is known to the release team only.",
        "passphrase: ask the person on call for it",
        "sign --passphrase read-from-stdin",
        "postgres://postgres:postgres@localhost/dev",
        "sk-Learn-v2-Upgrade-Guide-For-Everyone",
    ],
)
def test_o30_what_is_said_about_credentials_is_none(text: str) -> None:
    assert find_secrets(text) == ()
