"""The main job through whole processes: remember → context → why → link → supersede → context."""

from pathlib import Path
from typing import Any

import pytest

from cases.processes import console
from house.invocation import Ran
from wuu.memory.context.block import parse_block


@pytest.fixture
def wuu(tmp_path: Path, home: Path) -> Any:
    project = tmp_path / "harbour"
    project.mkdir()

    def run(*arguments: str, **options: Any) -> Ran:
        return console(*arguments, cwd=project, **options)

    return run


def saved(ran: Ran) -> str:
    assert ran.exit_code == 0, ran.stderr
    return str(ran.data["memory"]["id"])


def test_a_fact_its_reason_and_its_successor(wuu: Any) -> None:
    old = saved(wuu("remember", "The staging database is reset on Mondays.", "--json"))
    other = saved(wuu("remember", "Deploys go out on Tuesdays.", "--json"))
    pin = saved(wuu("remember", "--user", "Answer in English.", "--pin", "--json"))

    block = wuu("memory", "context", "why is the staging database empty?")
    assert (block.exit_code, block.stderr) == (0, "")
    items, left_out = parse_block(block.stdout.removesuffix("\n"))
    assert [item.id for item in items] == [pin, old, other]
    assert left_out.total == 0

    why = wuu("memory", "why", old, "why is the staging database empty?", "--json").data
    assert (why["shown"], why["reason"], why["group"], why["why"]["match"]) == (True, "shown", "match", 1.0)
    why = wuu("memory", "why", other, "why is the staging database empty?", "--json").data
    assert (why["shown"], why["group"], why["why"]["match"]) == (True, "rest", 0.0)

    new = saved(wuu("remember", "Resets happen on the first of each month now.", "--json"))
    assert wuu("memory", "graph", "link", new, old, "--kind", "supersedes").exit_code == 0
    items, _ = parse_block(wuu("memory", "context", "staging database").stdout.removesuffix("\n"))
    assert [(item.id, item.superseded_by) for item in items] == [
        (pin, None),
        (new, None),
        (old, new),
        (other, None),
    ]
    why = wuu("memory", "why", new, "staging database", "--json").data
    assert (why["group"], why["why"]["match"], why["why"]["links"]) == ("match", 0.0, 0.5)
    assert wuu("memory", "why", old, "staging database", "--json").data["why"]["superseded"] == -0.8

    assert wuu("memory", "archive", old).exit_code == 0
    why = wuu("memory", "why", old, "staging database", "--json").data
    assert (why["shown"], why["reason"], why["score"]) == (False, "not_saved", None)
    assert old not in wuu("memory", "context", "staging database").stdout


def test_an_agent_in_a_session_leaves_word_of_what_it_saw_and_a_person_does_not(wuu: Any, home: Path) -> None:
    seen = saved(wuu("remember", "The staging database is reset on Mondays.", "--json"))
    person = wuu("memory", "context", "staging", "--session", "s1")
    assert seen in person.stdout
    assert not (home / "state" / "shown").exists()
    agent = wuu("memory", "context", "staging", env={"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"})
    assert agent.stdout == person.stdout
    (session,) = wuu("memory", "why", seen, "staging", "--json").data["sessions"]
    assert session["session"] == "s1"
    read_only = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s2", "WUU_READ_ONLY": "1"}
    assert seen in wuu("memory", "context", "staging", env=read_only).stdout
    assert len(wuu("memory", "why", seen, "--json").data["sessions"]) == 1
    why = wuu("memory", "why", seen, "staging", "--session", "s1", "--json").data
    assert why["why"]["shown"] == 0.04
