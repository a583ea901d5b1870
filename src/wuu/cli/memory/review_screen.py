"""How a proposal looks in the review: values to lines for a width. Reads nothing and prints nothing.

Nothing is cut, and every character that cannot be seen is escaped: what is approved is what is here.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from wuu.cli.folding import BOLD, DIM, Line, body_lines, guttered, labelled, plain_lines
from wuu.memory.values import Preview, Shown
from wuu.text.safety import find_unsafe_lines

if TYPE_CHECKING:
    from wuu.memory.format.entry import Entry

KEYS = (
    ("a", "approve"),
    ("x", "reject"),
    ("e", "edit"),
    ("s", "scope"),
    ("p", "pin"),
    ("k", "skip"),
    ("q", "quit"),
    ("?", "help"),
)
HELP = (
    ("a", "Approve: what is on the screen is saved, and nothing else."),
    ("x", "Reject: it is removed, and nothing proposes it again."),
    ("e", "Edit the text in your editor; then you are asked again."),
    ("s", "Another scope: user, project, session."),
    ("p", "Pin it, or not: have it always in the context."),
    ("k", "Skip: it goes on waiting."),
    ("q", "Quit: what you decided stays."),
)

_DECIDED = (
    *("status", "category", "categories", "tags", "pinned", "sensitivity", "confidence", "verified_at"),
    *("evidence", "redactions"),
)
_INDENT = 12
_QUOTE = 200  # characters of a quote that are shown (issue 5)
_UNITS = ((86_400 * 365, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute"))


class View(NamedTuple):
    """A proposal as a person has it before them: as it was read, and what they made of it so far.

    `policy` is that of its category, `age` in seconds, None where the file does not say. `text`, `scope` and
    `pinned` are what they chose; None leaves it as proposed.
    """

    number: int
    total: int
    shown: Shown
    preview: Preview
    policy: str
    age: float | None
    text: str | None = None
    scope: str | None = None
    pinned: bool = False


def render_proposal(view: View, width: int) -> list[Line]:
    """Return the screen of one proposal, at most `width` cells wide (20 or more)."""
    entry, kind = view.shown.entry, _kind(view.shown.entry)
    lines = [Line(""), *plain_lines(f"{view.number} of {view.total} · {kind} · {entry.id}", width, BOLD)]
    for label, value in _fields(view):
        lines += [Line(one, DIM) for one in labelled(label, value, width, _INDENT)]
    for problem in entry.problems:
        lines += plain_lines(f"Its file breaks a rule: {problem}.", width, BOLD)
    lines += [Line(""), *_proposed(view, width)]
    if view.preview.error is not None:
        lines += [Line(""), *_refusal(view.preview, width)]
    return [*lines, Line("")]


def render_keys(width: int) -> list[Line]:
    """Return the keys and what they do, in as few lines as the width allows."""
    lines, current = [], ""
    for key, what in KEYS:
        word = f"{key} {what}"
        if current and len(current) + 2 + len(word) > width:
            lines.append(current)
            current = ""
        current += f"  {word}" if current else word
    return [Line(one, DIM) for one in (*lines, current)]


def render_help(width: int) -> list[Line]:
    """Return what each key does."""
    return [Line(one) for key, what in HELP for one in labelled(key, what, width, 3)]


def render_difference(before: "Entry | None", after: "Entry | None", width: int) -> list[Line]:
    """Return what differs between two forms of a memory, as the lines of a unified diff."""
    from difflib import unified_diff  # noqa: PLC0415  (a new memory needs none)

    lines: list[Line] = []
    for line in list(unified_diff(_form(before), _form(after), lineterm=""))[2:]:
        if not line.startswith("@@"):
            lines += _difference_line(line, width)
        elif lines:
            lines.append(Line("  ...", DIM))
    return lines or [Line("Nothing differs.", DIM)]


def render_age(seconds: float) -> str:
    """Return how long ago something was, in the largest unit that fits."""
    for length, name in _UNITS:
        count = int(seconds // length)
        if count > 0:
            return f"{count:,} {name}{'' if count == 1 else 's'} ago"
    return "just now"


def approved_form(view: View) -> "Entry | None":
    """Return what approving would make of it, with the text that a person wrote, if that can be told."""
    after = view.preview.after
    return after if after is None or view.text is None else after._replace(text=view.text)


def _kind(entry: "Entry") -> str:
    if not entry.proposes_change:
        return "new memory"
    proposal = entry.proposal or {}
    operation = proposal.get("operation")
    verb = f"{operation} of" if operation in ("update", "archive") else "unreadable change of"
    return f"{verb} {proposal.get('target', 'an unknown memory')}"


def _fields(view: View) -> Iterator[tuple[str, str]]:
    entry = view.shown.entry
    when = entry.created_at or "an unknown time"
    age = "" if view.age is None else f" · {render_age(view.age)}"
    yield "proposed", f"{entry.proposer} · {when}{age}"
    yield "scope", _scope(view)
    if view.pinned:
        yield "pinned", "yes"
    yield "category", f"{entry.category} · policy {view.policy}"
    if entry.categories:
        yield "further", ", ".join(entry.categories)
    if entry.tags:
        yield "tags", ", ".join(entry.tags)
    yield "sensitivity", entry.sensitivity
    if entry.confidence is not None:
        yield "confidence", str(entry.confidence)
    if entry.verified_at is not None:
        yield "verified", entry.verified_at
    for one in entry.evidence:
        yield "evidence", _evidence(one)
    if entry.redactions:
        yield "redacted", ", ".join(entry.redactions)


def _scope(view: View) -> str:
    shelf = view.shown.entry.shelf
    own = shelf.scope if shelf.session is None else f"{shelf.scope} {shelf.session}"
    return own if view.scope in (None, shelf.scope) else f"{view.scope} (proposed for {own})"


def _evidence(one: dict[str, Any]) -> str:
    known = ("agent", "session", "turn", "line", "kind", "ref")
    places = [f"{name} {one[name]}" for name in known if one.get(name) is not None]
    quote = one.get("quote")
    if isinstance(quote, str) and quote:
        places.append(f'"{quote}"' if len(quote) <= _QUOTE else f'"{quote[:_QUOTE]}…"')
    return " · ".join(places) or "nothing that is known here"


def _proposed(view: View, width: int) -> list[Line]:
    entry, after = view.shown.entry, approved_form(view)
    edited = plain_lines("Edited by you:", width, BOLD) if view.text is not None else []
    if view.preview.before is not None and after is not None:
        text = after.text
        body = render_difference(view.preview.before, after, width)
    else:
        text = entry.text if view.text is None else view.text
        body = body_lines(text, width, find_unsafe_lines(text))
    return [*edited, *body, *_warning(text, width)]


def _warning(text: str, width: int) -> list[Line]:
    unsafe = find_unsafe_lines(text)
    if not unsafe:
        return []
    numbers = ", ".join(map(str, unsafe))
    what = f"Line {numbers} is" if len(unsafe) == 1 else f"Lines {numbers} are"
    return plain_lines(f"{what} unsafe: no agent will get it.", width, BOLD)


def _refusal(preview: Preview, width: int) -> list[Line]:
    error = preview.error
    if error is None:
        return []
    lines = plain_lines(f"Cannot be applied: {error.message}", width, BOLD)
    return [*lines, *(plain_lines(error.hint, width, DIM) if error.hint else [])]


def _form(entry: "Entry | None") -> list[str]:
    """Return what a person decides about: the fields of a memory, a line each, and its text."""
    if entry is None:
        return []
    values = [("scope", entry.shelf.scope), *((name, getattr(entry, name)) for name in _DECIDED)]
    fields = [f"{name}: {_word(value)}" for name, value in values if value not in (None, (), False)]
    return [*fields, "", *entry.text.split("\n")]


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(_evidence(one) if isinstance(one, dict) else str(one) for one in value)
    return "yes" if value is True else str(value)


def _difference_line(line: str, width: int) -> list[Line]:
    sign = line[0] if line[0] in "+-" else " "
    pieces = guttered(line[1:], width, f"{sign} ", f"{sign}:")
    return [Line(one, BOLD if sign == "+" else DIM if sign == " " else "") for one in pieces]
