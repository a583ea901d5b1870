"""`wuu memory review` at a terminal: what is approved is what was shown, and only by a key pressed for it."""

import os
import signal
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.terminals import Terminal, terminal
from house.invocation import Invoke, Ran

AGENT = {"CLAUDECODE": "1"}
QUESTION = "q or ?: "


@pytest.fixture
def mem(invoke: Invoke) -> Invoke:
    def run(*arguments: str, **others: Any) -> Ran:
        return invoke("memory", *arguments, **others)

    return run


@pytest.fixture
def propose(mem: Invoke) -> Callable[..., str]:
    def run(*arguments: str) -> str:
        return str(mem("propose", *arguments, "--json", env=AGENT).data["memory"]["id"])

    return run


@contextmanager
def _review(*arguments: str, **options: Any) -> Iterator[Terminal]:
    with terminal(["memory", "review", *arguments], **options) as screen:
        yield screen


def _press(screen: Terminal, keys: str) -> None:
    for key in keys:
        screen.wait_for(QUESTION)
        screen.press(key)


def _memories(mem: Invoke) -> dict[str, dict[str, Any]]:
    return {one["text"]: one for one in mem("list", "--json").data["memories"]}


def _editor(tmp_path: Path, text: str) -> dict[str, str]:
    script = tmp_path / "editor.py"
    script.write_text(f"import sys; open(sys.argv[1], 'w').write({text!r})")
    return {"EDITOR": f"'{sys.executable}' '{script}'"}


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_each_is_decided_by_its_key(mem: Invoke, propose: Callable[..., str], columns: int) -> None:
    for text in ("First fact.", "Second fact.", "Third " + "界" * 60):
        propose(text)
    with _review(columns=columns) as screen:
        shown = screen.wait_for(QUESTION).replace("\r", "").split("\n")
        assert max(map(len, shown)) <= columns
        screen.press("a")
        _press(screen, "xk")
        assert screen.wait_for_end() == 0
    assert "1 of 3" in screen.screen
    assert "1 left." in screen.screen
    assert {text[:5]: one["status"] for text, one in _memories(mem).items()} == {
        "First": "saved",
        "Third": "pending",
    }


def test_scope_and_pin_are_shown_and_hold(mem: Invoke, propose: Callable[..., str]) -> None:
    propose("I sail.")
    with _review() as screen:
        _press(screen, "spa")
        assert screen.wait_for_end() == 0
    assert "user (proposed for project)" in screen.screen
    memory = _memories(mem)["I sail."]
    assert (memory["scope"], memory["pinned"]) == ("user", True)


def test_an_edited_text_is_shown_again_before_it_is_approved(
    mem: Invoke, propose: Callable[..., str], tmp_path: Path
) -> None:
    propose("The mast is oak.")
    with _review(env=_editor(tmp_path, "The mast is ash.\n")) as screen:
        _press(screen, "e")
        shown = screen.wait_for(QUESTION)
        assert "| The mast is ash." in shown
        assert set(_memories(mem)) == {"The mast is oak."}
        screen.press("a")
        assert screen.wait_for_end() == 0
    assert _memories(mem)["The mast is ash."]["status"] == "saved"


def test_o02_an_edited_text_that_is_not_approved_is_kept(
    mem: Invoke, propose: Callable[..., str], tmp_path: Path
) -> None:
    propose("The mast is oak.")
    with _review(env=_editor(tmp_path, "The mast is ash."), columns=400) as screen:
        _press(screen, "eq")
        assert screen.wait_for_end() == 0
    place = screen.screen.split("Your text is in ")[1].split("\n")[0]
    assert Path(place).read_text().strip() == "The mast is ash."


def test_o26_what_changed_since_it_was_shown_is_asked_about_anew(
    mem: Invoke, propose: Callable[..., str]
) -> None:
    place = Path(mem("show", propose("The mast is oak."), "--json").data["memory"]["path"])
    with _review() as screen:
        screen.wait_for(QUESTION)
        place.write_text(place.read_text().replace("oak", "balsa"))
        screen.press("a")
        shown = screen.wait_for(QUESTION)
        for part in ("changed since you were shown it", "- The mast is oak.", "+ The mast is balsa."):
            assert part in shown
        assert _memories(mem)["The mast is balsa."]["status"] == "pending"
        screen.press("a")
        assert screen.wait_for_end() == 0
    assert _memories(mem)["The mast is balsa."]["status"] == "saved"


def test_o26_a_change_of_what_changed_meanwhile_is_not_made(mem: Invoke) -> None:
    target = mem("add", "The mast is oak.", "--json").data["memory"]["id"]
    mem("edit", target, "--text", "The mast is ash.", env=AGENT)
    with _review() as screen:
        assert "- The mast is oak." in screen.wait_for(QUESTION)
        mem("edit", target, "--add-tag", "ship")
        screen.press("a")
        assert "Cannot be applied" in screen.wait_for(QUESTION)
        screen.press("x")
        assert screen.wait_for_end() == 0
    assert list(_memories(mem)) == ["The mast is oak."]


def test_what_is_gone_is_said_and_the_next_one_comes(mem: Invoke, propose: Callable[..., str]) -> None:
    first = propose("First fact.")
    propose("Second fact.")
    with _review() as screen:
        screen.wait_for(QUESTION)
        mem("reject", first)
        screen.press("a")
        shown = screen.wait_for(QUESTION)
        assert "is gone" in shown
        assert "2 of 2" in shown
        screen.press("a")
        assert screen.wait_for_end() == 0
    assert list(_memories(mem)) == ["Second fact."]


@pytest.mark.parametrize("key", ["\x03", "\x04", "q"])
def test_quitting_leaves_what_was_decided(mem: Invoke, propose: Callable[..., str], key: str) -> None:
    propose("First fact.")
    propose("Second fact.")
    with _review() as screen:
        before = screen.local_flags()
        _press(screen, "a" + key)
        assert screen.wait_for_end() == 0
        assert screen.local_flags() == before
    assert {text: one["status"] for text, one in _memories(mem).items()} == {
        "First fact.": "saved",
        "Second fact.": "pending",
    }


def test_sigterm_leaves_the_terminal_as_it_was(mem: Invoke, propose: Callable[..., str]) -> None:
    propose("First fact.")
    with _review() as screen:
        before = screen.local_flags()
        assert before & termios.ICANON
        screen.wait_for(QUESTION)
        os.kill(screen.pid, signal.SIGTERM)
        assert screen.wait_for_end() == 143
        assert screen.local_flags() == before


def test_o37_what_was_typed_before_or_pasted_is_no_answer(mem: Invoke, propose: Callable[..., str]) -> None:
    propose("First fact.")
    with _review(typed="aaaa\n") as screen:
        screen.wait_for(QUESTION)
        screen.press("a pasted answer\n")
        screen.wait_quietly()
        screen.press("\x1b[A")
        screen.wait_quietly()
        screen.press("z")
        screen.wait_for("no key 'z'")
        _press(screen, "?")
        screen.wait_for("Skip: it goes on waiting.")
        _press(screen, "q")
        assert screen.wait_for_end() == 0
    assert _memories(mem)["First fact."]["status"] == "pending"


def test_colours_can_be_switched_off(propose: Callable[..., str]) -> None:
    propose("First fact.")
    for env, painted in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        with _review(env=env) as screen:
            screen.wait_for(QUESTION)
            assert ("\x1b[" in screen.raw) is painted
            screen.press("q")
            assert screen.wait_for_end() == 0


def test_nothing_waits() -> None:
    with _review() as screen:
        assert screen.wait_for_end() == 0
    assert screen.screen == "Nothing waits.\n"


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--no-input",)])
def test_o37_without_a_terminal_it_fails_and_names_the_commands(
    mem: Invoke, propose: Callable[..., str], arguments: tuple[str, ...]
) -> None:
    propose("First fact.")
    done = mem("review", *arguments, stdin="a\n")
    assert done.exit_code == 5
    told = done.stdout + done.stderr
    for part in ("list --status pending", "show ID", "approve ID --revision R", "reject ID"):
        assert part in told
    assert _memories(mem)["First fact."]["status"] == "pending"


def test_it_is_no_place_for_agents_and_readers(mem: Invoke) -> None:
    for arguments, env, code in ((), AGENT, "approval_required"), (("--read-only",), {}, "read_only_mode"):
        done = mem("review", *arguments, "--json", env=env)
        assert (done.exit_code, done.json()["errors"][0]["code"]) == (5, code)
