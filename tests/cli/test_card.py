"""The card that a person answers when an agent wants something remembered."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from cli.terminals import Terminal, terminal
from wuu.cli.memory.card import render_card

_ASK = """
import sys
from wuu.cli.call import Call
from wuu.cli.memory.card import ask_card
from wuu.errors import WuuError
try:
    answer = ask_card(Call(), sys.argv[1], "project", "stack", "Restates this request.")
    print("answer", answer.choice, repr(answer.text))
except WuuError as error:
    print("failed", error.code)
"""
_QUESTION = "s, d, e or r: "


def _end(screen: Terminal) -> str:
    assert screen.wait_for_end() == 0, screen.screen
    shown: str = screen.screen.rstrip()
    return shown.rpartition("\n")[2]


@given(st.text(min_size=1), st.text(), st.integers(30, 120))
def test_a_card_fits_the_screen(text: str, category: str, width: int) -> None:
    lines = [line.text for line in render_card(text, "user", category, "Restates this request.", width)]
    assert max(map(cell_len, lines)) <= width
    assert all("\x1b" not in line and "\n" not in line for line in lines)


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_card_shows_what_would_be_saved(columns: int) -> None:
    with terminal(["Ship \x1b]0;x\x07it."], columns=columns, code=_ASK) as screen:
        shown = screen.wait_for(_QUESTION)
        for part in ("Save to memory?", r"! Ship \x1b]0;x\x07it.", "[project] [stack]", "Restates this"):
            assert part in shown
        assert max(map(len, shown.replace("\r", "").split("\n"))) <= columns
        screen.press("r")
        assert _end(screen) == "answer reject 'Ship \\x1b]0;x\\x07it.'"


@pytest.mark.parametrize(
    ("key", "said"),
    [("s", "answer save 'x'"), ("D", "answer save_and_do_not_ask 'x'"), ("\x04", "failed declined")],
)
def test_each_key_is_an_answer(key: str, said: str) -> None:
    with terminal(["x"], code=_ASK) as screen:
        screen.wait_for(_QUESTION)
        screen.press(key)
        assert _end(screen) == said


def test_another_key_is_none(tmp_path: Path) -> None:
    with terminal(["x"], code=_ASK, env={"EDITOR": "false"}) as screen:
        screen.wait_for(_QUESTION)
        screen.press("y")
        screen.wait_for("There is no key 'y' here.")
        screen.wait_for(_QUESTION)
        screen.press("e")
        screen.wait_for("nothing was saved")
        screen.wait_for(_QUESTION)
        screen.press("s")
        assert _end(screen) == "answer save 'x'"


def test_an_edited_text_is_the_answer(tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text("import sys; open(sys.argv[1], 'a').write(' And more.')")
    with terminal(["x"], code=_ASK, env={"EDITOR": f"'{sys.executable}' '{script}'"}) as screen:
        screen.wait_for(_QUESTION)
        screen.press("e")
        assert _end(screen) == "answer edit 'x And more.'"


def test_what_was_typed_or_pasted_is_no_answer() -> None:
    with terminal(["x"], code=_ASK, typed="ssss\n") as screen:
        screen.wait_for(_QUESTION)
        screen.press("\x1b[A")
        screen.press("sdr is pasted\n")
        screen.press(b"\xff\xfe")
        screen.wait_quietly()
        screen.press("r")
        assert _end(screen) == "answer reject 'x'"
