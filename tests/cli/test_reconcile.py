"""`wuu reconcile files`: what a killed writer left open is listed by anybody and settled by a person."""

import os
from pathlib import Path

import pytest

from house.invocation import Invoke
from wuu.store.changes import change
from wuu.store.home import open_home
from wuu.store.journal import Intent, render_intent


@pytest.fixture
def parked(invoke: Invoke) -> Path:
    """Leave the intent of a killed writer whose topic a person edited since; return that topic."""
    invoke("notebook", "write", "a.md", "old", "--description", "d")
    home = open_home(os.environ["WUU_HOME"])
    topic = Path(home.place("memory/a.md"))
    intent = Intent(
        "0123456789abcdef",
        "notebook edit",
        "2026-05-01T00:00:00Z",
        None,
        (change("memory/a.md", topic.read_bytes(), b"prepared\n"),),
    )
    Path(home.place("journal/0123456789abcdef.intent")).write_bytes(render_intent(intent))
    assert "recovery_pending" in [
        one["code"] for one in invoke("notebook", "list", "--json").json()["warnings"]
    ]
    topic.write_text("mine\n")
    assert invoke("notebook", "write", "b.md", "x").exit_code == 0  # a writer finds it, and parks it
    return topic


def test_a_parked_change_is_listed_and_blocks_its_own_file_only(invoke: Invoke, parked: Path) -> None:
    found = invoke("reconcile", "files", "--json").data
    assert [(one["id"], one["files"]) for one in found["conflicts"]] == [
        ("0123456789abcdef", [{"path": "memory/a.md", "state": "changed"}])
    ]
    assert "0123456789abcdef" in invoke("reconcile", "files").stdout
    assert invoke("notebook", "verify", "b.md").exit_code == 0
    blocked = invoke("notebook", "verify", "a.md", "--json").json()
    assert (blocked["exit_code"], blocked["errors"][0]["code"]) == (7, "recovery_needed")
    assert "recovery_needed" in [
        one["code"] for one in invoke("notebook", "list", "--json").json()["warnings"]
    ]


def test_keeping_the_disk(invoke: Invoke, parked: Path) -> None:
    assert invoke("reconcile", "files", "--keep-disk").exit_code == 0
    assert parked.read_text() == "mine\n"
    assert "Nothing is open." in invoke("reconcile", "files").stderr
    assert invoke("notebook", "verify", "a.md").exit_code == 0


def test_keeping_what_was_prepared_keeps_a_copy_too(invoke: Invoke, parked: Path) -> None:
    done = invoke("reconcile", "files", "0123456789abcdef", "--keep-prepared", "--json").data
    assert parked.read_text() == "prepared\n"
    (copy,) = done["kept"]
    assert Path(copy).read_text() == "mine\n"
    assert done["settled"] == ["0123456789abcdef"]


def test_a_dry_run_settles_nothing(invoke: Invoke, parked: Path) -> None:
    for choice in ("--keep-disk", "--keep-prepared"):
        assert invoke("reconcile", "files", choice, "--dry-run", "--json").data["settled"] == []
    assert len(invoke("reconcile", "files", "--json").data["conflicts"]) == 1


def test_an_agent_may_look_and_not_settle(invoke: Invoke, parked: Path) -> None:
    for env, arguments in (({"CLAUDECODE": "1"}, ()), ({}, ("--as", "agent"))):
        assert invoke("reconcile", "files", *arguments, env=env).exit_code == 0
        ran = invoke("reconcile", "files", "--keep-disk", *arguments, "--json", env=env).json()
        assert (ran["exit_code"], ran["errors"][0]["code"]) == (5, "approval_required")
    assert parked.read_text() == "mine\n"


def test_wrong_calls(invoke: Invoke, parked: Path) -> None:
    assert invoke("reconcile", "files", "--keep-disk", "--keep-prepared").exit_code == 2
    assert invoke("reconcile", "files", "0123456789abcdef").exit_code == 2
    assert invoke("reconcile", "files", "ffffffffffffffff", "--keep-disk").exit_code == 3
    assert invoke("reconcile", "files", "--keep-disk", "--read-only").exit_code == 5
