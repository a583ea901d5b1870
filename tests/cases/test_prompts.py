"""Questions when nobody is there to answer, and when somebody is: case O-37."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cases.conftest import Note
from cases.processes import at_terminal, console
from cases.trees import tree

JSON = pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])


@pytest.fixture
def old(notebook: Path) -> Path:
    (notebook / "old.md").write_text("old\n")
    (notebook / "MEMORY.md").write_text("- [Old](old.md)\n")
    return notebook


@JSON
@pytest.mark.parametrize("piped", [b"", b"y\n", b"yes\n", b"y\n" * 100])
def test_o37_without_a_terminal_nothing_is_asked_and_nothing_deleted(
    note_process: Note, old: Path, as_json: tuple[str, ...], piped: bytes
) -> None:
    before = tree(old)
    refused = note_process("forget", "old.md", *as_json, stdin=piped)
    assert refused.exit_code == 5
    assert tree(old) == before
    if as_json:
        (error,) = refused.json()["errors"]
        assert error["code"] == "confirmation_required"
        assert "--yes" in error["hint"]
        assert refused.stderr == ""
    else:
        assert refused.stdout == ""
        assert "--yes" in refused.stderr


@JSON
def test_o37_an_open_pipe_that_says_nothing_is_not_waited_for(old: Path, as_json: tuple[str, ...]) -> None:
    before = tree(old)
    with subprocess.Popen(["sleep", "600"], stdout=subprocess.PIPE) as silent:
        try:
            refused = console("notebook", "forget", "old.md", *as_json, from_stream=silent.stdout)
        finally:
            silent.kill()
    assert refused.exit_code == 5
    assert tree(old) == before


@pytest.mark.parametrize(
    ("flags", "env"),
    [
        (("--no-input",), {}),
        (("--json",), {}),
        (("--read-only", "--yes"), {}),
        (("--yes",), {"WUU_READ_ONLY": "1"}),
    ],
    ids=["no-input", "json", "read-only", "read-only variable"],
)
def test_o37_who_must_not_be_asked_is_not_asked_at_a_terminal_either(
    old: Path, flags: tuple[str, ...], env: dict[str, str]
) -> None:
    before = tree(old)
    shown = at_terminal(["notebook", "forget", "old.md", *flags], typed=b"y\n", env=env)
    assert shown.exit_code == 5
    assert "[y/N]" not in shown.screen
    assert tree(old)["old.md"] == before["old.md"]


@pytest.mark.parametrize(
    "typed", [b"n\n", b"\n", b"no\n", b"\x04"], ids=["n", "nothing", "no", "end of file"]
)
def test_o37_declined_is_not_a_success(old: Path, typed: bytes) -> None:
    before = tree(old)
    shown = at_terminal(["notebook", "forget", "old.md"], typed=typed, stdout_is_pipe=True)
    assert shown.exit_code == 5
    assert shown.stdout == ""
    assert "Forget old.md" in shown.screen
    assert "nothing was changed" in shown.screen.lower()
    assert tree(old) == before


def test_o37_an_interrupt_at_the_question_is_an_interrupt(old: Path) -> None:
    before = tree(old)
    shown = at_terminal(["notebook", "forget", "old.md"], interrupt_at="[y/N]")
    assert shown.exit_code == 130
    assert "Traceback" not in shown.screen
    assert tree(old) == before


@pytest.mark.parametrize("typed", [b"y\n", b"Y\n", b"yes\n", b"maybe\ny\n"])
def test_o37_consent_is_taken_from_a_person_and_asked_for_on_stderr(old: Path, typed: bytes) -> None:
    shown = at_terminal(["notebook", "forget", "old.md"], typed=typed, stdout_is_pipe=True)
    assert shown.exit_code == 0
    assert "[y/N]" in shown.screen
    assert "[y/N]" not in shown.stdout
    assert set(tree(old)) == {"MEMORY.md"}


@JSON
def test_o37_what_comes_through_a_pipe_is_data(note: Note, notebook: Path, as_json: tuple[str, ...]) -> None:
    assert note("write", "answer.md", "-", *as_json, stdin="y\n").exit_code == 0
    assert (notebook / "answer.md").read_text().endswith("\n\ny\n")
    assert note("edit", "answer.md", "--append", "-", *as_json, stdin="yes\n").exit_code == 0
    assert (notebook / "answer.md").read_text().endswith("\n\ny\nyes\n")


def test_o37_what_is_wrong_is_said_before_anybody_is_asked(old: Path) -> None:
    before = tree(old)
    shown = at_terminal(["notebook", "forget", "../old.md"], typed=b"y\n")
    assert "[y/N]" not in shown.screen
    assert shown.exit_code == 2
    assert tree(old) == before


@JSON
@pytest.mark.parametrize("call", [("write", "new.md"), ("edit", "old.md"), ("write", "--name", "New")])
def test_o37_without_text_and_editor_a_command_ends_and_says_what_it_needs(
    note_process: Note, old: Path, as_json: tuple[str, ...], call: tuple[str, ...]
) -> None:
    before = tree(old)
    refused = note_process(*call, *as_json)
    assert refused.exit_code == 2
    assert tree(old) == before
    said = refused.json()["errors"][0]["hint"] if as_json else refused.stderr
    assert ("BODY" if call[0] == "write" else "--append") in said


@pytest.mark.parametrize("flag", ["--no-input", "--json"])
def test_o37_no_editor_is_opened_where_nobody_may_be_asked(
    note_process: Note, old: Path, editor: Callable[[str], dict[str, str]], flag: str
) -> None:
    env = editor("(notes / 'opened').touch()\n")
    assert note_process("edit", "old.md", flag, env=env).exit_code == 2
    assert not (old / "opened").exists()


def test_o37_an_editor_that_reads_keys_gets_none_from_a_pipe(
    note_process: Note, old: Path, editor: Callable[[str], dict[str, str]]
) -> None:
    env = editor("place.write_text('read: ' + repr(sys.stdin.read()) + '\\n')\n")
    assert note_process("edit", "old.md", stdin="y\ny\n", env=env).exit_code == 0
    assert (old / "old.md").read_text() == "read: ''\n"


@pytest.mark.parametrize("command", ["false", "no-such-editor-anywhere", "'unclosed"])
def test_o37_an_editor_that_fails_saves_nothing(note_process: Note, old: Path, command: str) -> None:
    before = tree(old)
    refused = note_process("edit", "old.md", env={"EDITOR": command})
    assert refused.exit_code in (2, 5)
    assert "editor" in refused.stderr
    assert tree(old) == before


@pytest.mark.parametrize("call", [("write", "new.md"), ("write", "--name", "Big plan"), ("edit", "old.md")])
def test_o37_an_editor_that_is_left_without_a_change_writes_nothing(
    note_process: Note, old: Path, call: tuple[str, ...]
) -> None:
    before = tree(old)
    done = note_process(*call, env={"EDITOR": "true"})
    assert done.exit_code == (0 if call[0] == "edit" else 2)
    assert tree(old) == before


def test_o37_a_repeated_forget_is_told_apart_from_the_first(note: Note, old: Path) -> None:
    assert note("forget", "old.md", "--yes").exit_code == 0
    assert note("forget", "old.md", "--yes").exit_code == 3
