"""Person or agent, session and profile (FACTS, "Who is asking")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.errors import UsageProblem
from wuu.situation.caller import AGENTS, MAX_NAME_BYTES, Caller, identify_caller, plain_name_problem


def test_without_any_variable_a_person_asks() -> None:
    assert identify_caller({}) == Caller(None, None, "default", None, None)
    assert not identify_caller({}).is_agent


@pytest.mark.parametrize(
    ("variable", "agent"),
    [
        ("CLAUDECODE", "claude-code"),
        ("CODEX_THREAD_ID", "codex"),
        ("CODEX_SANDBOX", "codex"),
        ("CODEX_CI", "codex"),
        ("GEMINI_CLI", "gemini"),
        ("OPENCODE", "opencode"),
        ("CURSOR_AGENT", "cursor"),
    ],
)
def test_each_variable_of_the_table_gives_an_agent_away(variable: str, agent: str) -> None:
    for value in ("1", "0", "false", "seatbelt"):
        caller = identify_caller({variable: value})
        assert caller.is_agent
        assert (caller.agent, caller.recognised_by) == (agent, variable)
    for blank in ("", "  "):
        assert not identify_caller({variable: blank}).is_agent


def test_any_other_agent_says_its_own_name() -> None:
    assert identify_caller({"AI_AGENT": " my-agent@2 "}).agent == "my-agent@2"
    assert identify_caller({"AI_AGENT": "claude-code/2", "CLAUDECODE": "1"}).agent == "claude-code"
    for odd in ("x" * 100, "a\nb", "a\x1b[31m"):
        assert identify_caller({"AI_AGENT": odd}).agent == "agent"
    assert not identify_caller({"AI_AGENT": " "}).is_agent


def test_a_person_can_only_become_an_agent() -> None:
    assert identify_caller({}, as_agent=True) == Caller("agent", "--as agent", "default", None, None)
    assert identify_caller({"CODEX_CI": "1"}, as_agent=True).agent == "codex"
    assert identify_caller({"CODEX_CI": "1"}, as_agent=False).is_agent


def test_a_session_comes_from_the_flag_then_wuu_then_the_agent() -> None:
    environ = {"WUU_SESSION": "from-wuu", "CODEX_THREAD_ID": "from-codex"}
    assert identify_caller(environ, session="flag").session == "flag"
    assert identify_caller(environ, session="flag").session_from == "--session"
    assert identify_caller(environ, session=" ").session == "from-wuu"
    assert identify_caller(environ).session_from == "WUU_SESSION"
    environ["WUU_SESSION"] = " "
    assert identify_caller(environ).session == "from-codex"
    assert identify_caller(environ).session_from == "CODEX_THREAD_ID"


@pytest.mark.parametrize(
    "agent", [agent for agent in AGENTS if agent.session_variable], ids=lambda agent: agent.name
)
def test_the_session_variable_of_an_agent_is_one_of_its_variables(agent) -> None:
    caller = identify_caller({agent.session_variable: "7d1e-44"})
    assert (caller.agent, caller.session) == (agent.name, "7d1e-44")


def test_an_agent_inside_another_has_no_session_unless_it_is_named() -> None:
    environ = {"CLAUDE_CODE_SESSION_ID": "outer", "CODEX_THREAD_ID": "inner"}
    assert identify_caller(environ).session is None
    assert identify_caller(environ, session="inner").session == "inner"


def test_a_session_of_an_agent_that_is_no_plain_name_is_ignored() -> None:
    assert identify_caller({"CODEX_THREAD_ID": "../x"}).session is None
    assert identify_caller({"CODEX_THREAD_ID": "../x"}).is_agent


def test_a_profile_comes_from_the_flag_then_wuu() -> None:
    assert identify_caller({"WUU_PROFILE": "work"}, profile="play").profile == "play"
    assert identify_caller({"WUU_PROFILE": " work "}, profile="").profile == "work"
    assert identify_caller({"WUU_PROFILE": ""}).profile == "default"


@pytest.mark.parametrize(
    "name", [".", "..", "a/b", "../x", "a\\b", "a\0b", "a\nb", "a\u2028b", "a\udcff", "x" * 201]
)
def test_o17_a_session_or_profile_that_is_no_plain_name_is_refused(name: str) -> None:
    for wrong in (
        {"session": name},
        {"profile": name},
        {"environ": {"WUU_SESSION": name}},
        {"environ": {"WUU_PROFILE": name}},
    ):
        with pytest.raises(UsageProblem):
            identify_caller(**{"environ": {}, **wrong})


@pytest.mark.parametrize(
    "name", ["default", "0199…", "ses_1", "...", ".a", "部署", "a b", "x" * MAX_NAME_BYTES]
)
def test_plain_names_are_accepted(name: str) -> None:
    assert plain_name_problem(name) is None


@given(st.text())
def test_an_accepted_name_is_one_part_of_a_path(name: str) -> None:
    if name and plain_name_problem(name) is None:
        assert not set(name) & set("/\\\0\n")
        assert name not in {".", ".."}
        assert len(name.encode()) <= MAX_NAME_BYTES


def test_a_session_that_is_needed_and_missing_is_wrong_usage() -> None:
    assert identify_caller({}, session="s1").get_session() == "s1"
    with pytest.raises(UsageProblem) as caught:
        identify_caller({}).get_session()
    assert "--session" in (caught.value.hint or "")
