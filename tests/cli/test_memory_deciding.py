"""`wuu memory propose`, `approve` and `reject`: what they answer, to people and as JSON, and refuse."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases.processes import at_terminal
from house.invocation import Invoke, Ran

AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def mem(invoke: Invoke) -> Invoke:
    def run(*arguments: str, **others: Any) -> Ran:
        return invoke("memory", *arguments, **others)

    return run


@pytest.fixture
def propose(mem: Invoke) -> Callable[..., str]:
    """Return what proposes a memory as an agent and returns its id."""

    def run(*arguments: str) -> str:
        done = mem("propose", *arguments, "--json", env=AGENT)
        assert done.exit_code == 0, done.stdout
        return str(done.data["memory"]["id"])

    return run


def _code(ran: Ran) -> str:
    return str(ran.json()["errors"][0]["code"])


def _statuses(mem: Invoke) -> dict[str, str]:
    return {one["text"]: one["status"] for one in mem("list", "--json").data["memories"]}


# --- proposing ------------------------------------------------------------------------------------------


def test_what_anybody_proposes_waits(mem: Invoke) -> None:
    done = mem("propose", "The", "mast", "is oak.", "--category", "stack", "--source", "log:3", "--json")
    memory = done.data["memory"]
    assert (memory["status"], memory["proposer"], memory["proposal"]) == ("pending", "user", None)
    assert done.data["notice"] == 'Waits for approval · project · "The mast is oak."'
    again = mem("propose", "the MAST is oak.", "--json", env=AGENT)
    assert (again.data["duplicate_of"], again.exit_code) == (memory["id"], 0)


def test_a_change_and_putting_away_are_proposed(mem: Invoke) -> None:
    target = mem("add", "The mast is oak.", "--tag", "a", "--json").data["memory"]
    update = mem("propose", "--update", target["id"], "The mast is ash.", "--tag", "b", "--json").data[
        "memory"
    ]
    assert update["proposal"] == {
        "operation": "update",
        "target": target["id"],
        "target_revision": target["revision"],
        "changes": {"tags": ["b"], "text": "The mast is ash."},
    }
    archive = mem("propose", "--archive", target["id"], "--source", "log:4", "--json").data["memory"]
    assert archive["proposal"]["operation"] == "archive"
    assert archive["evidence"] == [{"kind": "source", "ref": "log:4"}]
    assert mem("show", target["id"], "--json").data["memory"] == target


@pytest.mark.parametrize(
    "arguments",
    [
        ("--update", "ffff", "--archive", "ffff"),
        ("--update", "ffff"),
        ("--update", "ffff", "x", "--pin"),
        ("--update", "ffff", "x", "--user"),
        ("--archive", "ffff", "x"),
        ("x", "--pin"),
    ],
)
def test_what_cannot_be_proposed(mem: Invoke, arguments: tuple[str, ...]) -> None:
    done = mem("propose", *arguments, "--json")
    assert done.exit_code == (5 if "--update" not in arguments and "--archive" not in arguments else 2)


def test_a_credential_in_a_proposal_is_redacted_whoever_proposes_it(mem: Invoke) -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    for env in ({}, AGENT):
        done = mem("propose", f"The token is {secret} {len(env)}.", "--json", env=env)
        assert secret not in done.stdout
        assert done.data["memory"]["redactions"]


# --- deciding -------------------------------------------------------------------------------------------


def test_one_is_approved(mem: Invoke, propose: Callable[..., str]) -> None:
    memory_id = propose("The mast is oak.")
    dry = mem("approve", memory_id, "--dry-run")
    assert dry.stdout.startswith("--- ")
    assert "+status: saved" in dry.stdout
    assert dry.stderr == "Dry run · 1 would be decided.\n"
    done = mem("approve", memory_id[:10])
    assert (done.exit_code, done.stdout) == (0, 'Memory saved · project · "The mast is oak."\n')
    again = mem("approve", memory_id, "--json")
    assert again.data["results"] == [{"id": memory_id, "outcome": "unchanged", "reason": None, "code": None}]
    assert again.data["memory"]["status"] == "saved"


def test_one_is_approved_elsewhere_and_pinned(mem: Invoke, propose: Callable[..., str]) -> None:
    done = mem("approve", propose("I sail."), "--to", "user", "--pin", "--json").data
    assert (done["memory"]["scope"], done["memory"]["pinned"]) == ("user", True)


def test_one_is_rejected(mem: Invoke, propose: Callable[..., str]) -> None:
    memory_id = propose("The mast is oak.")
    done = mem("reject", memory_id, "--reason", "It is ash.")
    assert (done.exit_code, done.stdout) == (0, 'Rejected · project · "The mast is oak."\n')
    refused = mem("propose", "the mast is OAK.", env=AGENT)
    assert refused.exit_code == 5
    assert "It is ash." in refused.stderr
    added = mem("add", "The mast is oak.")
    assert added.exit_code == 0
    assert "rejected" in added.stderr


def test_all_that_pass_are_decided_in_one_receipt(mem: Invoke, propose: Callable[..., str]) -> None:
    ids = [propose(f"Fact {number}.", "--category", "stack") for number in range(3)]
    propose("Other.")
    done = mem("approve", "--all", "--category", "stack", "--yes", "--json")
    assert [one["id"] for one in done.data["results"]] == ids
    assert len(done.json()["receipt"]["files"]) == 3
    assert sorted(_statuses(mem).values()) == ["pending", "saved", "saved", "saved"]
    assert mem("approve", "--all", "--category", "stack").stderr.startswith(
        "Nothing that waits is like that."
    )
    assert mem("reject", "--all", "--yes").exit_code == 0
    assert mem("reject", "--all", "--yes").stderr == "Nothing waits.\n"


def test_of_several_each_has_its_reason(mem: Invoke, propose: Callable[..., str]) -> None:
    first = propose("Fact.")
    saved = mem("add", "Saved.", "--json").data["memory"]["id"]
    done = mem("reject", first, saved, "ffff", "--json")
    assert (done.exit_code, done.json()["status"]) == (1, "partial")
    outcomes = [(one["outcome"], one["code"]) for one in done.data["results"]]
    assert outcomes == [("rejected", None), ("failed", "refused"), ("failed", "not_found")]
    assert [row.split("\t")[1] for row in mem("approve", saved, "ffff").stdout.splitlines()] == [
        "unchanged",
        "failed",
    ]


@pytest.mark.parametrize("command", ["approve", "reject"])
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("ffff", "--all"),
        ("ffff", "eeee", "--revision", "r"),
        ("ffff", "--tag", "a"),
        ("--all", "--status", "saved"),
    ],
)
def test_what_is_no_decision(mem: Invoke, command: str, arguments: tuple[str, ...]) -> None:
    done = mem(command, *arguments, "--json")
    assert (done.exit_code, _code(done)) == (2, "usage")


def test_pins_and_scopes_go_with_one(mem: Invoke) -> None:
    assert mem("approve", "--all", "--pin").exit_code == 2
    assert mem("approve", "ffff", "eeee", "--to", "user").exit_code == 2


@pytest.mark.parametrize(
    "arguments", [("approve", "--all"), ("reject", "--all"), ("approve", "f"), ("reject", "f")]
)
def test_an_agent_decides_nothing(
    mem: Invoke, propose: Callable[..., str], arguments: tuple[str, ...]
) -> None:
    propose("Fact.")
    done = mem(*arguments, "--json", env=AGENT)
    assert (done.exit_code, _code(done)) == (5, "approval_required")


def test_o37_rejecting_all_needs_a_yes_where_nobody_can_be_asked(
    mem: Invoke, propose: Callable[..., str]
) -> None:
    propose("Fact.")
    done = mem("reject", "--all", "--json", stdin="y\n")
    assert (done.exit_code, _code(done)) == (5, "confirmation_required")
    assert mem("reject", "--all", "--dry-run").exit_code == 0
    assert list(_statuses(mem).values()) == ["pending"]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "left"), [("approve", ["saved"] * 2), ("reject", [])])
def test_at_a_terminal_all_are_shown_and_asked_about(
    mem: Invoke, propose: Callable[..., str], command: str, left: list[str]
) -> None:
    for text in ("First fact.", "Second fact."):
        propose(text)
    declined = at_terminal(["memory", command, "--all"], typed=b"n\n")
    assert declined.exit_code == 5
    assert "First fact." in declined.screen
    assert set(_statuses(mem).values()) == {"pending"}
    done = at_terminal(["memory", command, "--all"], typed=b"y\n")
    assert done.exit_code == 0
    assert f"{command.capitalize()} these 2 proposals?" in done.screen
    assert sorted(_statuses(mem).values()) == left


@pytest.mark.slow
def test_many_have_a_bar_at_a_terminal_and_nowhere_else(mem: Invoke, propose: Callable[..., str]) -> None:
    for number in range(25):
        propose(f"Fact {number}.")
    shown = at_terminal(["memory", "approve", "--all", "--yes"], stdout_is_pipe=True)
    assert "Writing" in shown.screen
    assert "100%" in shown.screen
    assert "Writing" not in shown.stdout
    assert set(_statuses(mem).values()) == {"saved"}


def test_deleting_takes_what_was_proposed_along(mem: Invoke) -> None:
    target = mem("add", "The mast is oak.", "--json").data["memory"]
    mem("edit", target["id"], "--text", "The mast is ash.", env=AGENT)
    done = mem("delete", target["id"], "--yes")
    assert "went with it" in done.stderr
    assert not list(Path(target["path"]).parent.glob("*.md"))
