"""Who calls: a person or an agent, in which session, with which profile (FACTS, "Who is asking").

Owns the table of agents' variables. What an agent may not do is decided where it is done. An agent that
unsets its variables, or edits the files, is outside this guarantee.
"""

from collections.abc import Mapping
from typing import NamedTuple

from wuu.errors import UsageProblem
from wuu.text.safety import single_line_problem

DEFAULT_PROFILE = "default"
MAX_NAME_BYTES = 200
"""Longest session id or profile, in UTF-8 bytes: both name folders."""

_MAX_AGENT_BYTES = 64
_UNNAMED = "agent"


class Agent(NamedTuple):
    """A coding agent, the variables that it sets for what it runs, and the one with its session id."""

    name: str
    variables: tuple[str, ...]
    session_variable: str | None = None


# Public sources, read in 2026. Claude Code sets its session id since 2.1.132 (anthropics/claude-code#56879),
# Codex since openai/codex#10096, Gemini CLI for hooks only (its docs/hooks). opencode sets none itself
# (anomalyco/opencode#12158): its variable is for a plugin. Cursor documents none.
AGENTS = (
    Agent("claude-code", ("CLAUDECODE",), "CLAUDE_CODE_SESSION_ID"),
    Agent("codex", ("CODEX_SANDBOX", "CODEX_CI"), "CODEX_THREAD_ID"),
    Agent("gemini", ("GEMINI_CLI",), "GEMINI_SESSION_ID"),
    Agent("opencode", ("OPENCODE",), "OPENCODE_SESSION_ID"),
    Agent("cursor", ("CURSOR_AGENT",)),
)
NAMING_VARIABLE = "AI_AGENT"
"""The variable with which any other agent says its own name."""


class Caller(NamedTuple):
    """Who asks. `agent` is None for a person; `recognised_by` is the variable that gave the agent away.

    `session` is a plain base name, or None outside of any session; `session_from` says where it comes from.
    """

    agent: str | None
    recognised_by: str | None
    profile: str
    session: str | None
    session_from: str | None

    @property
    def is_agent(self) -> bool:
        """Tell whether an agent asks, for whom much ends in `approval_required`."""
        return self.agent is not None

    def get_session(self) -> str:
        """Return the session id.

        Raises:
            UsageProblem: There is no session (CONTRACT: exit status 2).
        """
        if self.session is None:
            raise UsageProblem(
                "This needs a session, and none is known.", hint="Name one with --session ID or WUU_SESSION."
            )
        return self.session


def identify_caller(
    environ: Mapping[str, str],
    *,
    as_agent: bool = False,
    session: str | None = None,
    profile: str | None = None,
) -> Caller:
    """Return who asks: flags first, then wuu's variables, then the agent's own; blank counts as unset.

    Raises:
        UsageProblem: A session or profile that is named cannot be a plain base name.
    """
    agent, recognised_by = _find_agent(environ)
    if agent is None and as_agent:
        agent, recognised_by = _UNNAMED, "--as agent"
    chosen, origin = _session(environ, session)
    return Caller(agent, recognised_by, _profile(environ, profile), chosen, origin)


def plain_name_problem(value: str) -> str | None:
    """Say why `value` cannot be a session id or a profile, as the end of a sentence, or return None.

    FACTS, "memory.session and project memory": a plain base name, not `.` or `..`.
    """
    if value in {".", ".."}:
        return "is not a name"
    if "/" in value or "\\" in value:
        return "is not a plain name: / and \\ are not allowed"
    return single_line_problem(value, MAX_NAME_BYTES)


def _find_agent(environ: Mapping[str, str]) -> tuple[str | None, str | None]:
    for agent in AGENTS:
        for variable in (*agent.variables, agent.session_variable):
            if variable and _value(environ, variable):
                return agent.name, variable
    own_name = _value(environ, NAMING_VARIABLE)
    if own_name is None:
        return None, None
    return (_UNNAMED if single_line_problem(own_name, _MAX_AGENT_BYTES) else own_name), NAMING_VARIABLE


def _session(environ: Mapping[str, str], flag: str | None) -> tuple[str | None, str | None]:
    named = _named(environ, "--session", flag, "WUU_SESSION")
    if named is not None:
        return named
    own = [
        (value, agent.session_variable)
        for agent in AGENTS
        if agent.session_variable
        and (value := _value(environ, agent.session_variable))
        and not plain_name_problem(value)
    ]
    # One agent inside another: nothing says whose session is meant, and a wrong one is worse than none.
    return own[0] if len(own) == 1 else (None, None)


def _profile(environ: Mapping[str, str], flag: str | None) -> str:
    named = _named(environ, "--profile", flag, "WUU_PROFILE")
    return named[0] if named is not None else DEFAULT_PROFILE


def _named(
    environ: Mapping[str, str], option: str, flag: str | None, variable: str
) -> tuple[str, str] | None:
    """Return what the flag or wuu's variable says, and which of them it was."""
    for origin, value in ((option, (flag or "").strip()), (variable, _value(environ, variable))):
        if value:
            problem = plain_name_problem(value)
            if problem:
                raise UsageProblem(f"The value of {origin} {problem}.", value=value)
            return value, origin
    return None


def _value(environ: Mapping[str, str], variable: str) -> str | None:
    return environ.get(variable, "").strip() or None
