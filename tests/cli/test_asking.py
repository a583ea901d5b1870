"""The card, as an agent's `remember` shows it to a person at the terminal, and what each answer does."""

import json
import os
from pathlib import Path

import pytest

from cli.terminals import terminal
from house.invocation import Invoke

pytestmark = pytest.mark.slow
CALL = ["--as", "agent", "remember", "The mast is oak."]


def _answered(key: str, **env: str) -> tuple[int, str]:
    with terminal(CALL, env={"NO_COLOR": "1", **env}) as screen:
        screen.wait_for("Save to memory?")
        screen.wait_for("d, e or r: ")
        screen.press(key)
        return screen.wait_for_end(), screen.screen


def _statuses(invoke: Invoke) -> dict[str, str]:
    return {one["text"]: one["status"] for one in invoke("memory", "list", "--json").data["memories"]}


def test_a_person_who_saves_has_it_saved(invoke: Invoke) -> None:
    status, screen = _answered("s")
    assert (status, 'Memory saved · project · "The mast is oak."' in screen) == (0, True)
    assert _statuses(invoke) == {"The mast is oak.": "saved"}


def test_a_person_who_will_not_be_asked_again_is_not(invoke: Invoke) -> None:
    assert _answered("d")[0] == 0
    settings = Path(os.environ["WUU_HOME"]) / "settings.json"
    assert json.loads(settings.read_text()) == {"memoryRequireApproval": False}
    assert invoke("--as", "agent", "remember", "The keel is lead.").stdout.startswith("Memory saved")


def test_what_a_person_rejects_is_not_proposed_again(invoke: Invoke) -> None:
    status, _ = _answered("r")
    assert (status, _statuses(invoke)) == (5, {})
    again = invoke("--as", "agent", "remember", "the mast is OAK.", "--json")
    assert again.json()["errors"][0]["details"]["reason"] == "rejected"


def test_what_a_person_edits_is_what_is_saved(invoke: Invoke, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf 'The mast is ash.\\n' > \"$1\"\n")
    editor.chmod(0o700)
    assert _answered("e", EDITOR=str(editor), VISUAL="")[0] == 0
    assert _statuses(invoke) == {"The mast is ash.": "saved"}


def test_nobody_is_shown_a_card_where_nothing_would_wait(invoke: Invoke) -> None:
    invoke("memory", "add", "The mast is oak.")
    with terminal(CALL, env={"NO_COLOR": "1"}) as screen:
        assert screen.wait_for_end() == 0
    assert "Save to memory?" not in screen.screen
    assert "Already remembered" in screen.screen
