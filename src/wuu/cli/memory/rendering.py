"""Memories in the words of a person: one line, a row of a table, or everything that is known of one."""

from typing import Any

from wuu import clock
from wuu.memory import actions
from wuu.memory.values import Preview, Shown

COLUMNS = ("ID", "SCOPE", "STATUS", "CATEGORY", "PIN", "AGE", "TEXT")
STALE_COLUMNS = (*COLUMNS[:-1], "STALE", "TEXT")

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_CHANGING = ("text", "category", "categories", "tags", "sensitivity", "confidence", "verified_at", "status")

_SHOWN = 60  # characters of a text that a notice quotes (seed 002, "What a memory write says")
_FIELDS = (
    *("id", "scope", "session_id", "status", "pinned", "category", "categories", "tags", "sensitivity"),
    *("confidence", "proposer", "created_at", "updated_at", "verified_at", "redactions", "revision", "path"),
)


def quoted(text: str) -> str:
    """Return the first 60 characters of a text in quotes, in one line."""
    flat = " ".join(text.split())
    return f'"{flat}"' if len(flat) <= _SHOWN else f'"{flat[:_SHOWN].rstrip()}…"'


def flat(text: str) -> str:
    """Return a whole text in one line: its line breaks become blanks, all else stays."""
    return text.replace("\n", " ")


def headline(shown: Shown) -> str:
    """Return what a memory is called in a question."""
    return f"{shown.entry.id} · {shown.entry.shelf.scope} · {quoted(shown.entry.text)}"


def row_of(shown: Shown) -> tuple[str, ...]:
    """Return a memory as a row under `COLUMNS`."""
    entry = shown.entry
    pin = "pinned" if entry.pinned else "-"
    age = age_of(entry.created_at)
    return entry.id, _place(shown), entry.status, entry.category, pin, age, flat(entry.text)


def age_of(created_at: str | None) -> str:
    """Return how long ago the RFC 3339 time `created_at` is: now, in minutes, hours or days; `-` if unknown.

    What lies ahead, on another clock, is now.
    """
    if created_at is None:
        return "-"
    import datetime as dt  # noqa: PLC0415  (only tables and cards for people need it)

    seconds = clock.now() - dt.datetime.fromisoformat(created_at).timestamp()
    if seconds < _MINUTE:
        return "now"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min"
    return f"{int(seconds // _HOUR)} h" if seconds < _DAY else f"{int(seconds // _DAY)} d"


def render_memory(shown: Shown, preview: Preview | None = None) -> str:
    """Return everything that is known of a memory, a line each, and its text below.

    With a `preview`, also what approving it would change, and why it cannot be approved.
    """
    value = actions.memory_value(shown)
    lines = [f"{name}\t{_cell(value[name])}" for name in _FIELDS if value.get(name) not in (None, [], False)]
    lines += [f"evidence\t{_evidence(one)}" for one in value["evidence"]]
    lines += [f"link\t{one['kind']}\t{one['direction']}\t{one['id']}" for one in value["links"]]
    if value["proposal"]:
        lines.append(f"proposal\t{value['proposal']['operation']}\t{value['proposal']['target']}")
    if preview is not None:
        lines += _consequences(preview)
    lines += [f"problem\t{one}" for one in shown.entry.problems]
    return "\n".join([*(flat(line) for line in lines), "", shown.entry.text]) + "\n"


def render_status(value: dict[str, Any]) -> str:
    """Return the state of the memories, a line for each thing that is told."""
    project = value["workspace"]["root"] if value["workspace"] else None
    lines = [("profile", value["profile"]), ("project", project), ("session", value["session_id"])]
    lines += [
        (f"{scope} memories", ", ".join(f"{number} {name}" for name, number in counts.items()))
        for scope, counts in value["memories"]["by_scope"].items()
    ]
    lines += [(name, value[name]) for name in ("waiting", "unreadable")]
    lines += [(name, one) for name, one in value["settings"].items()]
    lines += [(f"extraction {name}", one) for name, one in value["extraction"].items() if name != "last_job"]
    lines += [("maintenance", value["maintenance"])]
    lines += [
        ("index", f"{one['folder']}: {one['state']}, {one['indexed']} of {one['memories']}")
        for one in value["index"]
    ]
    return "".join(f"{name}\t{_cell(one)}\n" for name, one in lines)


def _consequences(preview: Preview) -> list[str]:
    """Return a line for each field that approving would change, and one for what stands in the way."""
    before, after, error = preview
    lines = []
    if before is not None and after is not None:
        pairs = [(name, getattr(before, name), getattr(after, name)) for name in _CHANGING]
        pairs.append(("scope", before.shelf.scope, after.shelf.scope))
        lines = [f"change\t{name}\t{_cell(old)} → {_cell(new)}" for name, old, new in pairs if old != new]
    return lines if error is None else [*lines, f"obstacle\t{error.code}\t{error.message}"]


def _place(shown: Shown) -> str:
    shelf = shown.entry.shelf
    return shelf.scope if shelf.session is None else f"{shelf.scope}:{shelf.session}"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value)) or "-"
    return "-" if value is None else str(value)


def _evidence(one: dict[str, Any]) -> str:
    return " ".join(f"{name}={_cell(value)}" for name, value in one.items() if value is not None)
