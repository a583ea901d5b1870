"""The proof that a person typed something: keyed, of one session, of the main agent, recent, used once."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wuu.memory.approving.prompts import (
    MAX_AGE_SECONDS,
    find_prompt,
    is_proven,
    keep_prompt,
    plan_use,
    prompt_digest,
)
from wuu.situation.caller import Caller
from wuu.store import files
from wuu.store.changes import digest_of
from wuu.store.home import Home, prepare_home

NOW = 1_790_000_000.0
TEXT = "my name is Nora, remember that"
MAIN = Caller("claude-code", "CLAUDECODE", "default", "s1", "WUU_SESSION")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(os.path.realpath(tmp_path / "home"))
    prepare_home(home)
    return home


def _file(home: Home, session: str = "s1") -> Path:
    return Path(home.place(f"state/prompts/{session}.json"))


def test_what_was_typed_last_is_proven(home: Home) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    assert is_proven(home, MAIN, TEXT, NOW + 1) == find_prompt(home, "s1")
    assert is_proven(home, MAIN, TEXT, NOW + 1) is not None
    keep_prompt(home, "s1", "fix the test", now=NOW + 2)
    assert is_proven(home, MAIN, TEXT, NOW + 3) is None


def test_only_a_digest_is_kept_for_nobody_else_to_read(home: Home) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    fields = json.loads(_file(home).read_bytes())
    assert fields == {
        "digest": prompt_digest(home, TEXT),
        "at": "2026-09-21T14:13:20Z",
        "used": False,
        "agent_id": None,
    }
    assert stat.S_IMODE(_file(home).stat().st_mode) == 0o600
    assert b"Nora" not in _file(home).read_bytes()


def test_the_digest_is_keyed_with_the_home(home: Home, tmp_path: Path) -> None:
    other = Home(os.path.realpath(tmp_path / "other"))
    prepare_home(other)
    assert prompt_digest(home, TEXT) != prompt_digest(other, TEXT)


def test_spacing_and_composition_do_not_count_but_case_and_lines_do(home: Home) -> None:
    typed = prompt_digest(home, "Me llamo Jos\u00e9\nrecuerda eso")
    assert prompt_digest(home, "  Me  llamo\tJose\u0301 \r\n\n recuerda eso\n") == typed
    assert prompt_digest(home, "me llamo Jos\u00e9\nrecuerda eso") != typed
    assert prompt_digest(home, "Me llamo Jos\u00e9 recuerda eso") != typed


@pytest.mark.parametrize(
    ("kept", "caller", "later"),
    [
        ({"agent_id": "a7"}, MAIN, 1),
        ({"session": "s2"}, MAIN, 1),
        ({}, MAIN._replace(session=None), 1),
        ({}, MAIN, MAX_AGE_SECONDS + 1),
        ({}, MAIN, -3_600),
        ({"text": "My name is Nora, remember that"}, MAIN, 1),
    ],
    ids=("sub-agent", "other session", "no session", "old", "from the future", "other text"),
)
def test_nothing_else_is_a_proof(kept: dict[str, Any], caller: Caller, later: float, home: Home) -> None:
    keep_prompt(
        home, kept.get("session", "s1"), kept.get("text", TEXT), now=NOW, agent_id=kept.get("agent_id")
    )
    assert is_proven(home, caller, TEXT, NOW + later) is None


def test_twelve_hours_are_not_too_old(home: Home) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    assert is_proven(home, MAIN, TEXT, NOW + MAX_AGE_SECONDS) is not None


def test_a_proof_is_used_once_and_a_newer_prompt_gets_in_its_way(home: Home) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    prompt = is_proven(home, MAIN, TEXT, NOW)
    assert prompt is not None
    change = plan_use(home, "s1", prompt)
    assert Path(home.place(change.path)) == _file(home)
    assert change.before == digest_of(_file(home).read_bytes())
    keep_prompt(home, "s1", TEXT, now=NOW + 5)
    assert change.before != digest_of(_file(home).read_bytes())
    assert change.after is not None
    _file(home).write_bytes(change.after)
    assert is_proven(home, MAIN, TEXT, NOW) is None
    keep_prompt(home, "s1", TEXT, now=NOW + 9)
    assert is_proven(home, MAIN, TEXT, NOW + 9) is not None


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 4_000,
        b'{"digest": 1, "at": "", "used": false, "agent_id": null}',
        b'{"digest": "x", "at": "y", "used": 0, "agent_id": null}',
        b'{"digest": "x", "at": "y", "used": false}',
        b"{}" + b" " * 10_000,
    ],
    ids=range(10),
)
def test_a_damaged_file_is_no_prompt(damage: bytes, home: Home) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    _file(home).write_bytes(damage)
    assert find_prompt(home, "s1") is None
    assert is_proven(home, MAIN, TEXT, NOW) is None
    keep_prompt(home, "s1", TEXT, now=NOW)
    assert is_proven(home, MAIN, TEXT, NOW) is not None


def test_a_date_that_is_none_is_no_proof(home: Home) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    fields = json.loads(_file(home).read_bytes())
    for at in ("", "yesterday", "9999-12-31T00:00:00Z", "2026-09-21"):
        _file(home).write_text(json.dumps({**fields, "at": at}))
        assert is_proven(home, MAIN, TEXT, NOW) is None


def test_no_home_is_made(tmp_path: Path) -> None:
    home = Home(str(tmp_path / "none"))
    keep_prompt(home, "s1", TEXT, now=NOW)
    assert os.listdir(tmp_path) == []
    assert find_prompt(home, "s1") is None
    assert is_proven(home, MAIN, TEXT, NOW) is None


@pytest.mark.parametrize("session", ["", ".", "..", "a/b", "../../x", "a\\b", "a\0b", "\ud83d", "x" * 300])
def test_o17_a_session_that_is_no_plain_name_is_none(session: str, home: Home) -> None:
    keep_prompt(home, session, TEXT, now=NOW)
    assert not Path(home.place("state/prompts")).exists()
    assert find_prompt(home, session) is None


def test_o18_a_link_in_the_place_is_neither_read_nor_followed(home: Home, tmp_path: Path) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    target = tmp_path / "outside"
    target.write_bytes(_file(home).read_bytes())
    _file(home).unlink()
    _file(home).symlink_to(target)
    assert find_prompt(home, "s1") is None
    before = target.read_bytes()
    keep_prompt(home, "s1", "other", now=NOW)
    assert target.read_bytes() == before
    assert find_prompt(home, "s1") is not None


def test_a_full_disk_keeps_the_old_prompt_silently(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    before = _file(home).read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(files, "_sync", full)
    keep_prompt(home, "s1", "other", now=NOW)
    assert _file(home).read_bytes() == before
    assert os.listdir(_file(home).parent) == ["s1.json"]


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text_has_a_digest(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    home = Home(str(tmp_path_factory.getbasetemp() / "no-home"))
    assert prompt_digest(home, text) == prompt_digest(home, f" {text}\n")


@pytest.mark.parametrize("content", [b"x" * 70_000, b"{}", b"\xff"], ids=("too large", "no id", "no text"))
def test_a_home_whose_description_is_damaged_proves_nothing(content: bytes, home: Home) -> None:
    keep_prompt(home, "s1", TEXT, now=NOW)
    before = _file(home).read_bytes()
    Path(home.place("home.json")).write_bytes(content)
    keep_prompt(home, "s1", "other", now=NOW)
    assert _file(home).read_bytes() == before
    assert is_proven(home, MAIN, TEXT, NOW) is None
