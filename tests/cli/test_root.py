"""The root of the command line: options on both sides, one envelope, one place where failures end."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from house.invocation import Invoke
from wuu.notebook import actions


def test_shared_options_count_before_and_after_the_subcommand(invoke: Invoke, tmp_path: Path) -> None:
    place = str(tmp_path / "elsewhere")
    for arguments in (
        ("--home", place, "notebook", "path"),
        ("notebook", "--home", place, "path"),
        ("notebook", "path", "--home", place),
        ("--home", "/nowhere", "notebook", "path", "--home", place),
    ):
        assert invoke(*arguments).stdout == f"{place}/memory\n"


def test_the_envelope_has_every_key(invoke: Invoke) -> None:
    document = invoke("notebook", "path", "--json").json()
    assert sorted(document) == [
        "command",
        "data",
        "errors",
        "exit_code",
        "receipt",
        "schema",
        "status",
        "warnings",
    ]
    assert (document["schema"], document["command"], document["status"]) == (
        "wuu.result/1",
        ["notebook", "path"],
        "ok",
    )


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (("--json",), []),
        (("--json", "nothing"), []),
        (("notebook", "--json"), ["notebook"]),
        (("notebook", "read", "--json"), ["notebook", "read"]),
        (("notebook", "list", "--bogus", "--json"), ["notebook", "list"]),
        (("--json", "notebook", "read", "a.md", "--max-bytes", "many"), ["notebook", "read"]),
    ],
)
def test_o35_a_wrong_call_is_one_document_too(
    invoke: Invoke, arguments: tuple[str, ...], command: list[str]
) -> None:
    ran = invoke(*arguments)
    document = ran.json()
    assert (ran.exit_code, document["exit_code"], document["status"]) == (2, 2, "error")
    assert (document["command"], document["errors"][0]["code"]) == (command, "usage")
    assert ran.stderr == ""


def test_an_argument_after_two_dashes_is_no_option(invoke: Invoke) -> None:
    ran = invoke("notebook", "search", "--", "--json")
    assert (ran.exit_code, ran.stdout) == (0, "")


def test_a_bug_leaves_a_report_and_exits_70(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    invoke("notebook", "write", "a.md", "x")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(actions, "list_topics", broken)
    ran = invoke("notebook", "list", "--json")
    error = ran.json()["errors"][0]
    assert (ran.exit_code, error["code"]) == (70, "internal_error")
    report = Path(error["details"]["report"]).read_text()
    assert "ZeroDivisionError: oops" in report
    assert "command: notebook list" in report
    assert "Traceback" not in invoke("notebook", "list").stderr
    assert "Traceback" in invoke("notebook", "list", "--debug").stderr


def test_a_bug_in_a_read_only_home_still_has_a_report(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(actions, "list_topics", broken)
    monkeypatch.setenv("WUU_HOME", "/proc/none")
    ran = invoke("notebook", "list")
    assert ran.exit_code == 70
    assert "ZeroDivisionError: oops" in ran.stderr


def test_ctrl_c_exits_130(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(actions, "list_topics", interrupted)
    ran = invoke("notebook", "list", "--json")
    assert (ran.exit_code, ran.json()["errors"][0]["code"]) == (130, "interrupted")


def test_sigterm_while_waiting_exits_143_and_leaves_nothing(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(tmp_path / "h")], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    assert holder.stdout.readline() == b"held\n"
    waiting = subprocess.Popen(
        [sys.executable, "-m", "wuu", "notebook", "write", "a.md", "x", "--home", str(tmp_path / "h")],
        stderr=subprocess.PIPE,
    )
    assert waiting.stderr is not None
    assert b"Waiting for the lock" in waiting.stderr.readline()
    waiting.send_signal(signal.SIGTERM)
    assert waiting.wait(timeout=10) == 143
    waiting.stderr.close()
    holder.communicate(b"\n")
    assert not (tmp_path / "h" / "memory").exists()


_HOLDER = """
import sys
from wuu.store.home import open_home
from wuu.store.locks import hold
with hold(open_home(sys.argv[1]), "test"):
    print("held", flush=True)
    sys.stdin.readline()
"""


class TestWritingCommands:
    WRITES = (
        ("notebook", "write", "b.md", "x"),
        ("notebook", "edit", "a.md", "--append", "x"),
        ("notebook", "verify", "a.md"),
        ("notebook", "rename", "a.md", "b.md"),
        ("notebook", "forget", "a.md", "--yes"),
    )

    @pytest.fixture(autouse=True)
    def _topic(self, invoke: Invoke) -> None:
        assert invoke("notebook", "write", "a.md", "text", "--description", "d").exit_code == 0

    @pytest.mark.parametrize("arguments", WRITES)
    def test_read_only_refuses(self, invoke: Invoke, arguments: tuple[str, ...]) -> None:
        before = _tree()
        for ran in (invoke(*arguments, "--read-only"), invoke(*arguments, env={"WUU_READ_ONLY": "1"})):
            assert ran.exit_code == 5
            assert "read-only" in ran.stderr
        assert _tree() == before

    @pytest.mark.parametrize("arguments", WRITES)
    def test_a_dry_run_shows_a_diff_and_writes_nothing(
        self, invoke: Invoke, arguments: tuple[str, ...]
    ) -> None:
        before = _tree()
        ran = invoke(*arguments, "--dry-run")
        assert ran.exit_code == 0
        assert ran.stdout.startswith(("--- memory/", "--- /dev/null"))
        assert ran.stderr.count("Dry run · ") == 1
        assert invoke(*arguments, "--dry-run", "--json").json()["data"]["diff"] == ran.stdout
        assert _tree() == before

    @pytest.mark.parametrize("arguments", WRITES)
    def test_a_request_id_makes_a_repetition_harmless(
        self, invoke: Invoke, arguments: tuple[str, ...]
    ) -> None:
        first = invoke(*arguments, "--request-id", "r1", "--json").json()
        before = _tree()
        again = invoke(*arguments, "--request-id", "r1", "--json").json()
        assert again["receipt"] == first["receipt"]
        assert (again["exit_code"], again["data"]["replayed"]) == (0, True)
        assert {key: again["data"][key] for key in ("file", "revision", "changes")} == {
            key: first["data"][key] for key in ("file", "revision", "changes")
        }
        assert _tree() == before
        other = invoke("notebook", "write", "other.md", "y", "--request-id", "r1", "--json").json()
        assert (other["exit_code"], other["errors"][0]["code"]) == (4, "request_id_reused")

    def test_quiet_says_nothing(self, invoke: Invoke) -> None:
        ran = invoke("notebook", "write", "b.md", "x", "--quiet")
        assert (ran.stdout, ran.stderr) == ("", "")


def _tree() -> dict[str, bytes]:
    root = Path(os.environ["WUU_HOME"])
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != ".lock.json"
    }


def test_json_survives_text_that_no_terminal_shows(invoke: Invoke) -> None:
    invoke("notebook", "write", "a.md", "語 \u202e \x1b[31m", "--name", "語 [bold] :warning:")
    ran = invoke("notebook", "read", "a.md", "--json")
    assert "\u202e \\u001b[31m" in json.loads(ran.stdout)["data"]["content"].replace("\x1b", "\\u001b")
    assert "語" in ran.stdout


def test_a_name_that_is_nearly_right_is_pointed_out(invoke: Invoke) -> None:
    invoke("notebook", "write", "deploy-steps.md", "x")
    for command in (("read",), ("verify",), ("forget", "--yes")):
        ran = invoke("notebook", *command[:1], "Deploy_Steps.md", *command[1:])
        assert (ran.exit_code, "There is deploy-steps.md." in ran.stderr) == (3, True)


def test_an_empty_request_id_is_refused(invoke: Invoke) -> None:
    assert invoke("notebook", "write", "a.md", "x", "--request-id", " ").exit_code == 2


def test_a_named_topic_may_have_a_body_that_ends_in_a_file_name(invoke: Invoke) -> None:
    ran = invoke("notebook", "write", "--name", "Where", "See docs/setup.md", "--json")
    assert ran.data["file"] == "where.md"
    assert invoke("notebook", "read", "where.md").stdout.endswith("\nSee docs/setup.md\n")


def test_a_body_file_that_is_not_there_is_not_found(invoke: Invoke) -> None:
    assert invoke("notebook", "write", "a.md", "--file", "nothing.md").exit_code == 3
