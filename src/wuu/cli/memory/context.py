"""The commands of `wuu memory` that show what an agent gets: the block for a prompt, and why."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from wuu.cli.bodies import read_body
from wuu.cli.call import Call, pass_call
from wuu.cli.commands import command
from wuu.cli.output import Reply, Rows, one_line
from wuu.errors import Ambiguous, NotFound, UsageProblem
from wuu.memory.context import actions
from wuu.memory.context.values import Context, ContextRequest, LeftOutEntry, Parts

if TYPE_CHECKING:
    from wuu.memory.context.why_values import Explained, WhyMemory

_MODES = ("request", "after-compaction")
_COLUMNS = ("ID", "GROUP", "SCORE", "PARTS", "WHY", "TEXT")
_IN = "in the block"
_MODE = click.option(
    "--mode",
    type=click.Choice(_MODES),
    default="request",
    show_default=True,
    help="Before an ordinary request, or after the agent shortened what it knew.",
)
_BUDGET = click.option(
    "--budget",
    type=int,
    metavar="CHARS",
    help="At most so many characters, all included.  [default: settings]",
)


@command(
    name="context",
    examples=(
        "wuu memory context 'reset the staging database'",
        "wuu memory context --mode after-compaction",
    ),
)
@click.argument("prompt", nargs=-1)
@_MODE
@_BUDGET
@click.option("--explain", is_flag=True, help="Show every part of each score, and why others are left out.")
@pass_call
def context_command(
    call: Call, prompt: tuple[str, ...], mode: str, budget: int | None, explain: bool
) -> Reply:
    """Print the block of saved memories that an agent gets for PROMPT; `-` reads it from stdin.

    Pinned ones come first, then what matches and what is linked to it, then a little of the rest. It is a
    preview and always answers, whether memoryUse is on or not. Of what an agent prints in a session it is
    noted which memories that session saw.
    """
    request = ContextRequest(_prompt_of(prompt), mode, budget)
    if explain:
        return _explained(call, request)
    context = actions.build_context(call.situation, request)
    if call.situation.caller.is_agent:
        actions.note_shown(call.situation, context)
    data = actions.context_value(context) if call.json else {}
    return Reply(data, f"{context.block}\n" if context.block else "", _hint(context), context.caveats)


@command(name="why", examples=("wuu memory why 3f2a 'reset the staging database'", "wuu memory why staging"))
@click.argument("what", nargs=-1, required=True, metavar="ID|PROMPT...")
@_MODE
@_BUDGET
@pass_call
def why_command(call: Call, what: tuple[str, ...], mode: str, budget: int | None) -> Reply:
    """Tell why a memory ID is shown for a PROMPT or not; or what a PROMPT brings up, and why.

    The first word is an ID if a memory has it; what follows is the prompt. Without one it is told what every
    session gets.
    """
    request = ContextRequest(_prompt_of(what[1:]), mode, budget)
    try:
        found = actions.explain_memory(call.situation, what[0], request)
    except (UsageProblem, NotFound, Ambiguous):
        if _is_whole_id(what[0]):
            raise
        return _explained(call, ContextRequest(_prompt_of(what), mode, budget))
    data = actions.why_memory_value(found) if call.json else {}
    return Reply(data, _why_text(found), caveats=found.context.caveats)


def _prompt_of(given: tuple[str, ...]) -> str:
    return (read_body("-", None) or "") if given == ("-",) else " ".join(given)


def _is_whole_id(word: str) -> bool:
    return len(word) == 16 and not word.strip("0123456789abcdefABCDEF")


def _hint(context: Context) -> str:
    if context.entries or not context.enabled:
        return ""
    if not context.omitted:
        return "No memory is saved here: wuu remember saves one."
    return f"None of {context.omitted} saved memories is shown: --explain tells why."


def _explained(call: Call, request: ContextRequest) -> Reply:
    found = actions.explain_prompt(call.situation, request)
    data = actions.explained_value(found) if call.json else {}
    texts = _texts(found)
    rows = [_row(one.id, one.group, one.parts, _IN, texts) for one in found.context.entries]
    rows += [_row(one.id, one.group, one.parts, one.reason, texts) for one in _left_out(found)]
    return Reply(data, Rows(_COLUMNS, rows), _figures(found.context), found.context.caveats)


def _left_out(found: "Explained") -> Iterable[LeftOutEntry]:
    return (*found.context.left_out, *found.weak)


def _texts(found: "Explained") -> dict[str, str]:
    return {one.id: _flat(one.text) for one in found.context.entries}


def _row(memory_id: str, group: str, parts: Parts, reason: str, texts: dict[str, str]) -> tuple[str, ...]:
    return (memory_id, group, f"{parts.score:.3f}", _told(parts), reason, texts.get(memory_id, "-"))


def _told(parts: Parts) -> str:
    """Return the parts of a score that make a difference."""
    return (
        ", ".join(f"{name} {value:.3f}" for name, value in parts._asdict().items() if round(value, 3)) or "-"
    )


def _figures(context: Context) -> str:
    used = context.used
    most = "" if used.max_chars is None else f" of {used.max_chars:,}"
    groups = ", ".join(f"{group} {chars:,}" for group, chars in used.groups.items())
    return (
        f"{used.chars:,}{most} characters ({groups}), about {used.tokens:,} of {used.max_tokens:,} tokens; "
        f"left out: {context.omitted:,}, of them matching: {context.matching:,}."
    )


def _why_text(found: "WhyMemory") -> str:
    lines = [
        ("id", found.id),
        ("prompt", one_line(_flat(found.prompt)) or "-"),
        ("shown", "yes" if found.shown else "no"),
        ("reason", f"{found.reason}: {actions.reason_text(found.reason)}"),
    ]
    if found.group is not None:
        lines.append(("group", found.group))
    if found.parts is not None:
        lines.append(("score", f"{found.parts.score:.3f}"))
        lines += [(name, f"{value:.3f}") for name, value in found.parts._asdict().items() if round(value, 3)]
    lines += [("instead", one) for one in found.instead]
    lines += [("seen by", f"{one.session} at {one.at}") for one in found.sessions]
    return "".join(f"{name}\t{value}\n" for name, value in lines)


def _flat(text: str) -> str:
    from wuu.cli.memory.rendering import flat  # noqa: PLC0415  (the block alone needs none of it)

    return flat(text)
