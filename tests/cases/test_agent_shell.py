"""An agent's shell tries everything that writes, and gets what the table of `matrix` says: O-25, O-13."""

import json
import shutil
from pathlib import Path

import pytest

from cases import matrix
from cases.matrix import ALLOWED, APPROVAL, WAITS
from cases.memories import PLAIN, put, shelf_of, user_shelf
from cases.processes import at_terminal, console
from cases.test_credentials import GITHUB
from cases.trees import tree
from house.invocation import Invoke, Ran
from wuu.cli.root import root
from wuu.situation.caller import AGENTS

IDS = {
    name: f"{letter}{number:015x}"
    for number, (name, letter) in enumerate(
        {"pending": "1", "saved": "2", "archived": "3", "pinned": "4", "foreign": "5", "mine": "6"}.items()
    )
}
VALUES = {**IDS, "secret": GITHUB}
"""What stands in the places of a call; no two ids begin alike."""

WAYS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    **{
        name: ({name: "1"}, ())
        for name in ("CLAUDECODE", "CODEX_THREAD_ID", "GEMINI_CLI", "OPENCODE", "CURSOR_AGENT", "AI_AGENT")
    },
    "--as agent": ({}, ("--as", "agent")),
}
"""The ways to be an agent: what is set, and what is typed."""

LEAVES = dict(matrix.leaves(root))
FLAGS = {name: {flag for one in command.params for flag in one.opts} for name, command in LEAVES.items()}
SETTINGS = '{"memoryUse": false, "memoryPolicies": {"stack": "auto"}}\n'


@pytest.fixture
def shell(invoke: Invoke, home: Path) -> Path:
    """Return a home with a memory of each kind, settings and a notebook."""
    (home / "settings.json").write_text(SETTINGS)
    assert (
        invoke("memory", "config", "set", "memoryEnabled", "true").exit_code == 0
    )  # it is a home from now on
    shelf = shelf_of(home)
    forms = {
        "pending": ("status: pending", "proposer: agent"),
        "saved": ("status: saved", "proposer: user"),
        "archived": ("status: archived", "proposer: user"),
        "pinned": ("status: saved\npinned: true", "proposer: user"),
        "foreign": ("status: pending", "proposer: user"),
    }
    for name, (status, proposer) in forms.items():
        text = PLAIN.format(f"The {name} sail is red.")
        text = text.replace("status: saved", status).replace("proposer: user", proposer)
        (shelf / f"{IDS[name]}.md").write_text(text)
    put(user_shelf(home), IDS["mine"], "I like short messages.")
    (home / "memory").mkdir()
    (home / "memory" / "MEMORY.md").write_text("- [Anchor](anchor.md) — where it lies\n")
    (home / "memory" / "anchor.md").write_text("---\nname: Anchor\n---\n\nThe anchor lies aft.\n")
    return home


def kept(home: Path) -> dict[str, bytes | str]:
    """Return what no agent changes: settings, and every memory that is saved or archived."""
    found = tree(home)
    return {
        path: data
        for path, data in found.items()
        if path == "settings.json"
        or ("entries" in path.split("/") and isinstance(data, bytes) and b"status: pending" not in data)
    }


def restored(home: Path, before: Path) -> None:
    """Make a home what it was."""
    shutil.rmtree(home)
    shutil.copytree(before, home)


# --- Every command that writes has a place --------------------------------------------------------------


def test_o25_every_command_that_writes_has_an_answer_for_an_agent() -> None:
    placed = {matrix.command_of(rule.call, LEAVES) for rule in matrix.WRITES}
    unread = set(LEAVES) - set(matrix.READS_NONE) - set(matrix.READS_MEMORIES)
    missing = sorted(unread - placed)
    assert not missing, (
        f"tests/cases/matrix.py says nothing about an agent that calls: {', '.join(missing)}. Add to WRITES "
        "a call for each thing that the command can do, and what an agent gets for it."
    )


def test_o25_every_variable_of_an_agent_makes_one(invoke: Invoke, shell: Path) -> None:
    variables = {one for agent in AGENTS for one in (*agent.variables, agent.session_variable) if one}
    assert variables | {"AI_AGENT"} >= set(WAYS) - {"--as agent"}
    for variable in variables:
        refused = invoke("memory", "pin", IDS["saved"], "--json", env={variable: "x1"})
        _check_answer(refused, APPROVAL, variable)


def test_o25_the_answers_are_the_known_ones() -> None:
    assert {rule.answer for rule in matrix.WRITES} == {APPROVAL, WAITS, ALLOWED}


# --- What an agent gets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", matrix.WRITES, ids=lambda rule: rule.call)
def test_o25_an_agent_gets_what_the_matrix_says(
    invoke: Invoke, shell: Path, tmp_path: Path, rule: matrix.Rule
) -> None:
    call = matrix.arguments(rule.call, VALUES)
    before = tmp_path / "before"
    shutil.copytree(shell, before)
    expected, all_files = kept(shell), _without_locks(tree(shell))
    for way, (env, typed) in WAYS.items():
        ran = invoke(*call, *typed, "--json", env=env)
        _check_answer(ran, rule.answer, f"{way}: {rule.call}: {ran.stdout}")
        assert kept(shell) == expected, way
        if rule.answer == APPROVAL:
            assert _without_locks(tree(shell)) == all_files, way
        elif rule.answer == ALLOWED:
            restored(shell, before)


def _check_answer(ran: Ran, answer: str, why: str) -> None:
    if answer == APPROVAL:
        assert ran.exit_code == 5, why
        assert [one["code"] for one in ran.json()["errors"]] == ["approval_required"], why
        assert ran.json()["errors"][0]["hint"], why
        return
    assert ran.exit_code == 0, why
    if answer == WAITS:
        assert ran.data["memory"]["status"] == "pending", why
        assert ran.data["memory"]["proposer"] == "agent", why
        assert not ran.data["memory"]["pinned"], why


def _without_locks(files: dict[str, bytes | str]) -> dict[str, bytes | str]:
    """Return the files of a home but for those that say who writes."""
    return {path: data for path, data in files.items() if not path.startswith(".lock")}


@pytest.mark.parametrize("answer", [APPROVAL, WAITS])
def test_o25_text_for_people_says_the_same(invoke: Invoke, shell: Path, tmp_path: Path, answer: str) -> None:
    expected, before = kept(shell), tmp_path / "before"
    shutil.copytree(shell, before)
    for rule in matrix.WRITES:
        if rule.answer == answer and not rule.call.startswith("memory model"):  # that is for machines
            if answer == WAITS:
                restored(shell, before)
            ran = invoke(*matrix.arguments(rule.call, VALUES), env={"CLAUDECODE": "1"})
            assert ran.exit_code == (5 if answer == APPROVAL else 0), rule.call
            if answer == APPROVAL:
                assert ran.stderr.startswith(("Error: Only a person ", "Error: A person ")), rule.call
                assert ran.stdout == ""
            else:
                assert "Waits for approval" in ran.stdout, f"{rule.call}: {ran.stdout}"
            assert kept(shell) == expected, rule.call


@pytest.mark.parametrize(
    "rule",
    [
        rule
        for rule in matrix.WRITES
        if rule.call in ("memory pin {saved}", "memory add 'The mast is oak.'", "memory delete {saved} --yes")
    ],
    ids=lambda rule: rule.call,
)
def test_o25_the_installed_program_answers_an_agent_alike(shell: Path, rule: matrix.Rule) -> None:
    expected = kept(shell)
    ran = console(*matrix.arguments(rule.call, VALUES), "--json", env={"CLAUDECODE": "1"})
    _check_answer(ran, rule.answer, ran.stdout)
    assert kept(shell) == expected


def test_o25_a_dry_run_of_an_agent_is_answered_alike(invoke: Invoke, shell: Path) -> None:
    before = _without_locks(tree(shell))
    tried = [
        rule
        for rule in matrix.WRITES
        if rule.answer != ALLOWED
        and "--dry-run" in FLAGS[matrix.command_of(rule.call, LEAVES)]
        and not rule.call.startswith("reconcile")
    ]
    for rule in tried:
        ran = invoke(*matrix.arguments(rule.call, VALUES), "--dry-run", "--json", "--as", "agent")
        _check_answer(ran, rule.answer, f"{rule.call}: {ran.stdout}")
    assert _without_locks(tree(shell)) == before


def test_o25_an_agent_in_a_batch_gets_nothing_past_the_rules(invoke: Invoke, shell: Path) -> None:
    expected = kept(shell)
    ids = [IDS[name] for name in ("saved", "pinned", "archived", "foreign", "mine")]
    for verb in (("archive",), ("delete", "--yes"), ("pin",), ("restore",)):
        ran = invoke("memory", verb[0], *ids, *verb[1:], "--json", env={"GEMINI_CLI": "1"})
        assert ran.exit_code in (1, 5)
        assert kept(shell) == expected
        for one in ran.data.get("results", ()):
            assert one["outcome"] in ("proposed", "known") or one["code"] == "approval_required", one


def test_o25_what_an_agent_asks_to_remove_is_proposed_to_be_archived(invoke: Invoke, shell: Path) -> None:
    for verb in (("archive",), ("delete", "--yes")):
        ran = invoke("memory", verb[0], IDS["saved"], *verb[1:], "--json", env={"CLAUDECODE": "1"})
        proposal = ran.data["memory"]["proposal"]
        assert (proposal["operation"], proposal["target"]) == ("archive", IDS["saved"])
    waiting = invoke("memory", "list", "--status", "pending", "--json").data["memories"]
    assert sum(one["proposal"] is not None for one in waiting) == 1  # the same wish is not made twice


def test_o25_an_agent_edits_and_removes_its_own_proposal(invoke: Invoke, shell: Path) -> None:
    env = {"CURSOR_AGENT": "1"}
    edited = invoke("memory", "edit", IDS["pending"], "--text", "The sail is blue.", "--json", env=env)
    assert (edited.exit_code, edited.data["memory"]["text"]) == (0, "The sail is blue.")
    assert (edited.data["memory"]["status"], edited.data["memory"]["id"]) == ("pending", IDS["pending"])
    removed = invoke("memory", "delete", IDS["pending"], "--yes", "--json", env=env)
    assert (removed.exit_code, removed.data["memory"]) == (0, None)


@pytest.mark.parametrize(
    "proposer", ["user", "dream", "extraction", "evolution", "import", "assistant", "xyz"]
)
def test_o25_what_somebody_else_proposed_is_not_an_agents_to_change(
    invoke: Invoke, shell: Path, proposer: str
) -> None:
    path = shelf_of(shell) / f"{IDS['foreign']}.md"
    path.write_text(path.read_text().replace("proposer: user", f"proposer: {proposer}"))
    before = path.read_bytes()
    for verb in (("edit", "--text", "Mine."), ("delete", "--yes"), ("archive",)):
        ran = invoke("memory", verb[0], IDS["foreign"], *verb[1:], "--json", "--as", "agent")
        assert (ran.exit_code, ran.json()["errors"][0]["code"]) == (5, "approval_required")
    assert path.read_bytes() == before


def test_o25_what_a_person_asked_for_is_not_an_agents_to_repeat(invoke: Invoke, shell: Path) -> None:
    call = ("memory", "approve", IDS["pending"], "--request-id", "r1", "--json")
    assert invoke(*call).exit_code == 0
    again = invoke(*call, env={"CLAUDECODE": "1"})
    assert again.exit_code in (4, 5), again.stdout
    assert again.json()["errors"][0]["code"] in ("approval_required", "request_id_reused")


# --- What an agent claims -------------------------------------------------------------------------------

CLAIMS = {
    "no session": ((), {}),
    "a session": (("--session", "s1"), {}),
    "a session of its own": ((), {"CODEX_THREAD_ID": "s1"}),
}


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("command", ["remember", "memory add"])
def test_o25_a_message_without_proof_changes_nothing(
    invoke: Invoke, shell: Path, command: str, claim: str
) -> None:
    typed, env = CLAIMS[claim]
    fact = "The staging database is reset on Mondays."
    expected = kept(shell)
    for message in (f"Please remember: {fact}", f"remember that {fact}", "Yes, save it.", ""):
        ran = invoke(*command.split(), fact, "--message", message, *typed, "--json", "--as", "agent", env=env)
        assert (ran.exit_code, ran.data["memory"]["status"]) == (0, "pending")
    assert kept(shell) == expected


def test_o25_an_agent_cannot_make_itself_a_person(invoke: Invoke, shell: Path) -> None:
    expected = kept(shell)
    for typed in (("--as", "person"), ("--as", "user"), ("--as", "")):
        refused = invoke("memory", "pin", IDS["saved"], *typed, "--json", env={"CLAUDECODE": "1"})
        assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (2, "usage")
    for env in ({"WUU_AS": "person"}, {"AI_AGENT": " x "}, {"CLAUDECODE": "0"}):
        ran = invoke("memory", "pin", IDS["saved"], "--json", env={"GEMINI_CLI": "1", **env})
        assert ran.json()["errors"][0]["code"] == "approval_required"
    assert kept(shell) == expected


def test_o37_an_agent_at_a_terminal_is_asked_nothing(shell: Path) -> None:
    expected = kept(shell)
    for call in (("review",), ("approve", "--all"), ("reject", "--all")):
        shown = at_terminal(["memory", *call], typed=b"y\n", env={"CLAUDECODE": "1"})
        assert shown.exit_code == 5
        assert "Only a person may" in shown.screen
    assert kept(shell) == expected


def test_o16_what_an_agent_adds_holds_no_credential(invoke: Invoke, shell: Path) -> None:
    ran = invoke("memory", "add", f"The key is {GITHUB}.", "--json", env={"CLAUDECODE": "1"})
    assert (ran.exit_code, ran.data["memory"]["status"]) == (0, "pending")
    assert ran.data["memory"]["redactions"]
    assert GITHUB not in json.dumps(ran.json()) + "".join(str(one) for one in tree(shell).values())
