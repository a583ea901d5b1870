"""`wuu memory budget`: what every session gets of memories and of the notebook, and what it may get.

Owns what agents take at most, and what is advised. What there is, the two rooms say.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import command
from wuu.cli.memory.rendering import quoted
from wuu.cli.output import Reply, Rows
from wuu.errors import Caveat, WuuError
from wuu.memory.context import actions
from wuu.memory.context.session_start import Part, Pin, SessionStart
from wuu.notebook import actions as notebook
from wuu.situation.situation import Situation

NOTEBOOK_INDEX, PROJECT_INDEX = "notebook_index", "project_index"
PINNED, REST, FRAME = "pinned", "rest", "frame"
CHARS, TOKENS = "chars", "tokens"


class AgentLimit(NamedTuple):
    """The most that an agent takes from a hook at a time, in `unit`; None where its makers name no limit."""

    agent: str
    limit: int | None
    unit: str | None


AGENT_LIMITS = (
    AgentLimit("claude-code", 10_000, CHARS),  # any string that a hook gives back; more goes to a file
    AgentLimit("codex", 2_500, TOKENS),  # about as many in a message
    AgentLimit("gemini", None, None),
    AgentLimit("opencode", None, None),
    AgentLimit("cursor", None, None),
)
"""What the makers of agents say of the output of hooks, as read in 2026."""

PROMPT_LIMIT = "memoryMaxPromptTokens"
_MOST_ADVICE = 5
_SWITCHES = ("notebookEnabled", "memoryEnabled", "memoryUse")
_NOT_IN_USE = "memoryUse is off: hooks give agents no memories, but wuu memory context does."
_COLUMNS = ("WHAT", "NAME", "BYTES", "CHARS", "TOKENS", "SHOWN", "LEFT OUT", "NOTE")


@command(name="budget", examples=("wuu memory budget", "wuu memory budget --json"))
@pass_call
def budget_command(call: Call) -> Reply:
    """Show what every session gets before a word is typed: in bytes, characters and estimated tokens.

    These are the indexes of the notebook and of the project, pinned memories, and a little of the others.
    Shown are also what does not fit, what agents take at most, and what to shorten. It is a preview and
    always answers, whether memoryUse is on or not.
    """
    situation = call.situation
    start = actions.session_start(situation)
    index, caveats = _read_notebook(situation)
    settings = {name: situation.settings.flag(name) for name in _SWITCHES}
    data = {**budget_value(index, start), "settings": settings}
    notice = _NOT_IN_USE if start.enabled and not start.use else ""
    return Reply(data, Rows(_COLUMNS, list(_rows(data))), notice, _once((*start.caveats, *caveats)))


def budget_value(index: Part, start: SessionStart) -> dict[str, Any]:
    """Return the parts with their total, the limits, the pins and the advice, as JSON says them.

    `index` is what a session gets of the notebook's index. The limit of wuu holds for the block alone, those
    of agents for all parts together.
    """
    parts = [index, *start.parts]
    total = {unit: sum(getattr(one, unit) for one in parts) for unit in ("bytes", CHARS, TOKENS)}
    limits = [_block_limit(start), *(_limit(one, total) for one in AGENT_LIMITS)]
    return {
        "parts": [one._asdict() for one in parts],
        "total": total,
        "limits": limits,
        "pins": [one._asdict() for one in start.pins],
        "advice": [one._asdict() for one in _advice(parts, start, total, limits)],
    }


class Advice(NamedTuple):
    """What to shorten or to set, why, and the command that does it, None where there is none."""

    what: str
    why: str
    command: str | None


def _read_notebook(situation: Situation) -> tuple[Part, tuple[Caveat, ...]]:
    """Return what a session gets of the notebook's index: nothing if it cannot be read, which is told."""
    nothing = Part.measured(NOTEBOOK_INDEX, "", 0, 0)
    if not situation.settings.flag("notebookEnabled"):
        return nothing, ()
    try:
        report = notebook.report_budget(situation)
        text = notebook.read_index(situation).content
    except WuuError as error:
        return nothing, (Caveat(error.code, error.message, {"file": "MEMORY.md", **error.details}),)
    shown, omitted = report.value["shown_lines"], len(report.value["omitted"])
    return Part.measured(NOTEBOOK_INDEX, text, shown, omitted), report.caveats


def _block_limit(start: SessionStart) -> dict[str, Any]:
    used, fits = start.block_tokens, not start.capped
    return _limit_value(AgentLimit("wuu", start.max_tokens, TOKENS), used, fits, PROMPT_LIMIT)


def _limit(one: AgentLimit, total: dict[str, int]) -> dict[str, Any]:
    if one.limit is None or one.unit is None:
        return _limit_value(one, None, None, None)
    used = total[one.unit]
    return _limit_value(one, used, used <= one.limit, None)


def _limit_value(one: AgentLimit, used: int | None, fits: bool | None, setting: str | None) -> dict[str, Any]:
    return {**one._asdict(), "used": used, "fits": fits, "setting": setting}


def _advice(
    parts: Sequence[Part], start: SessionStart, total: dict[str, int], limits: Iterable[dict[str, Any]]
) -> Iterator[Advice]:
    """Yield what does not fit, what to do about it first, and what is more than some agent takes."""
    by_name = {one.name: one for one in parts}
    if start.enabled and not by_name[FRAME].shown:
        why = f"{start.max_tokens:,} tokens are too few for any block, even an empty one."
        yield Advice(PROMPT_LIMIT, why, f"wuu memory config set {PROMPT_LIMIT} 10000")
    else:
        yield from map(_shorten, _longest(one for one in start.pins if not one.shown)[:_MOST_ADVICE])
    if omitted := by_name[NOTEBOOK_INDEX].omitted:
        why = f"{_lines(omitted)} of the notebook's index {_do(omitted)} not fit."
        yield Advice(NOTEBOOK_INDEX, why, "wuu notebook budget")
    if omitted := by_name[PROJECT_INDEX].omitted:
        why = f"{_lines(omitted)} of the project's index {_do(omitted)} not fit: move up what matters."
        yield Advice(PROJECT_INDEX, why, None)
    over = [one["agent"] for one in limits if one["fits"] is False and one["setting"] is None]
    if over:
        yield _shorten_largest(parts, start.pins, total, over)


def _shorten(pin: Pin) -> Advice:
    reason = "" if pin.reason is None else f" {actions.reason_text(pin.reason)}"
    why = f"This pinned memory of {pin.chars:,} characters does not fit.{reason}"
    return Advice(pin.id, why, f"wuu memory edit {pin.id}")


def _shorten_largest(
    parts: Sequence[Part], pins: Sequence[Pin], total: dict[str, int], over: Sequence[str]
) -> Advice:
    """Return what to do where all parts together are more than the agents `over` take."""
    largest = max(parts, key=lambda one: one.chars)
    why = (
        f"{total[CHARS]:,} characters, about {total[TOKENS]:,} tokens, are more than one output of a hook "
        f"holds ({', '.join(over)}); this is the largest part."
    )
    longest = _longest(one for one in pins if one.shown)
    commands = {NOTEBOOK_INDEX: "wuu notebook budget", REST: "wuu memory list"}
    if longest:
        commands[PINNED] = f"wuu memory edit {longest[0].id}"
    return Advice(largest.name, why, commands.get(largest.name))


def _longest(pins: Iterable[Pin]) -> list[Pin]:
    return sorted(pins, key=lambda one: (-one.chars, one.id))


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


def _do(number: int) -> str:
    return "does" if number == 1 else "do"


def _rows(data: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each thing that is told, under `_COLUMNS`."""
    for name, on in data["settings"].items():
        yield _row("setting", name, note="on" if on else "off")
    for part in data["parts"]:
        yield _row("part", part["name"], part, str(part["shown"]), str(part["omitted"]), part["unit"])
    yield _row("total", "-", data["total"])
    for limit in data["limits"]:
        yield _limit_row(limit)
    for pin in data["pins"]:
        shown, omitted = ("1", "0") if pin["shown"] else ("0", "1")
        yield _row("pin", pin["id"], pin, shown, omitted, quoted(pin["text"]))
    for one in data["advice"]:
        command = "" if one["command"] is None else f" {one['command']}"
        yield _row("advice", one["what"], note=f"{one['why']}{command}")


def _row(
    what: str,
    name: str,
    sizes: dict[str, Any] | None = None,
    shown: str = "-",
    left: str = "-",
    note: str = "-",
) -> tuple[str, ...]:
    cells = ["-" if sizes is None else str(sizes.get(unit, "-")) for unit in ("bytes", CHARS, TOKENS)]
    return (what, name, *cells, shown, left, note or "-")


def _limit_row(limit: dict[str, Any]) -> tuple[str, ...]:
    name = limit["setting"] or limit["agent"]
    if limit["limit"] is None:
        return _row("limit", name, note="not documented")
    cell = {limit["unit"]: f"{limit['used']} of {limit['limit']}"}
    return _row("limit", name, cell, note="fits" if limit["fits"] else "does not fit")


def _once(caveats: Iterable[Caveat]) -> tuple[Caveat, ...]:
    """Return each caveat once: both rooms tell what is odd about the settings."""
    told: list[Caveat] = []
    for one in caveats:
        if one not in told:
            told.append(one)
    return tuple(told)
