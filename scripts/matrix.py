"""The reference page of states: what each command tells of memories, and what it answers an agent.

The tables are those that the tests hold wuu to (tests/cases/matrix.py), so the page promises nothing else.
"""

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from reference import NOTICE

TESTS = Path(__file__).resolve().parent.parent / "tests"
STATES = ("pending", "saved", "archived", "rejected")

_ANSWERS = {
    "approval_required": "refused with `approval_required`",
    "waits": "a proposal, which waits for a person",
    "allowed": "done",
}
_PLACES = ("pending", "saved", "archived", "pinned", "foreign")
_INTRODUCTION = """\
A memory is *pending* until a person approves it, then *saved*; it can be *archived*. What was *rejected* is
kept nowhere: only a keyed digest of it remains. The tests hold every command to this page, and a new command
fails them until it has a place here."""
_ASKED = """\
An agent is whoever calls with one of the variables that coding agents set, or with `--as agent`. `SAVED` and
the like stand for the id of such a memory, `PENDING` for that of a proposal by an agent, `FOREIGN` for that
of one by a person."""


def read_tables() -> Any:
    """Return the module with the tables."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    return import_module("cases.matrix")


def render_states(tables: Any) -> str:
    """Return `docs/reference/states.md` from the tables."""
    return "\n".join(
        [
            *(NOTICE, "", "# States and commands", "", _INTRODUCTION, ""),
            *("## What a command tells of a memory", ""),
            *_reading(tables.READS_MEMORIES),
            *(
                "",
                "These read no memories: " + ", ".join(f"`wuu {name}`" for name in tables.READS_NONE) + ".",
                "",
            ),
            *("## What an agent gets", "", _ASKED, ""),
            *_writing(tables.WRITES),
            "",
        ]
    )


def _reading(rows: Mapping[str, Any]) -> Iterator[str]:
    yield f"| command | {' | '.join(STATES)} | on request |"
    yield "| --- " * (len(STATES) + 2) + "|"
    for name, row in rows.items():
        cells = [getattr(row, state) for state in STATES]
        request = f"`wuu {_call(row.request)}`" if row.request else ""
        yield f"| `wuu {name}` | {' | '.join(cells)} | {request} |"


def _writing(rules: tuple[Any, ...]) -> Iterator[str]:
    yield "| call of an agent | answer |"
    yield "| --- | --- |"
    for rule in rules:
        yield f"| `wuu {_call(rule.call)}` | {_ANSWERS[rule.answer]} |"


def _call(call: str) -> str:
    """Return a call with capitals in the places of values."""
    places = {name: name.upper() for name in (*_PLACES, "id", "status", "secret")}
    return call.format_map(places).replace("|", "\\|")
