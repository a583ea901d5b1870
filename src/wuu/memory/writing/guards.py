"""What a change of a memory is refused for before it is worked out: fields, limits, revisions, and who asks.

FACTS, "Other decisions" and "Who is asking"; cases O-13 and O-16: adding and editing take the same checks.
"""

from collections.abc import Iterable
from typing import Any

from wuu.errors import ApprovalRequired, Caveat, StaleRevision, TooLarge, UsageProblem
from wuu.memory.categories import fold_category
from wuu.memory.format.entry import DEFAULT_CATEGORY, MAX_TEXT_BYTES, PENDING, SENSITIVITIES, Entry
from wuu.memory.format.fields import clean_text
from wuu.memory.format.times import is_date
from wuu.memory.shelves import SCOPES, SESSION, Shelf, find_shelf
from wuu.memory.values import Shown
from wuu.memory.writing.notices import named
from wuu.situation.caller import Caller
from wuu.situation.situation import Situation
from wuu.text.normalise import duplicate_key
from wuu.text.safety import find_unsafe_lines, single_line_problem

MAX_TAGS = 32
MAX_CATEGORIES = 32
MAX_EVIDENCE = 32

_AGENT = "agent"
_ASK_THEM = "Ask them to run the command in a terminal of their own."


def checked_text(text: str) -> str:
    r"""Return a text as it is stored: line ends are `\n`, no blank lines around it.

    Raises:
        UsageProblem: There is nothing in it, or it is no text.
        TooLarge: It has more than 32,768 bytes (case O-16).
    """
    stored = clean_text(text)
    if not stored.strip():
        raise UsageProblem("The text is empty.", hint="Say what is to be remembered.")
    try:
        length = len(stored.encode())
    except UnicodeEncodeError as error:
        raise UsageProblem("The text holds bytes that are not UTF-8.") from error
    if length > MAX_TEXT_BYTES:
        raise TooLarge(
            f"The text is {length:,} bytes long; a memory has at most {MAX_TEXT_BYTES:,}.",
            hint="Keep what matters; a longer text is a topic: wuu notebook write",
            bytes=length,
            limit=MAX_TEXT_BYTES,
        )
    return stored


def checked_category(category: str | None) -> str:
    """Return a category as it is stored; none and an empty one are `other`.

    Raises:
        UsageProblem: It is not one line.
    """
    return _one_line("category", (category or "").strip() or DEFAULT_CATEGORY)


def checked_categories(categories: Iterable[str], first: str) -> tuple[str, ...]:
    """Return further categories as they are stored: each once, and without the `first`.

    Raises:
        UsageProblem: One is not one line, or there are too many.
    """
    known = {fold_category(first)}
    kept = []
    for category in categories:
        stored = checked_category(category)
        if fold_category(stored) not in known:
            kept.append(stored)
            known.add(fold_category(stored))
    return _at_most(MAX_CATEGORIES, "categories", tuple(kept))


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags as they are stored: as typed, each once.

    Raises:
        UsageProblem: One is empty, not one line, or holds a comma; or there are more than 32.
    """
    kept: dict[str, str] = {}
    for tag in tags:
        stored = _one_line("tag", tag.strip())
        if not stored:
            raise UsageProblem("--tag is empty.", field="tag")
        if "," in stored:
            raise UsageProblem(
                f"A tag holds no comma; got {stored!r}.", hint="Give --tag twice.", field="tag"
            )
        kept.setdefault(duplicate_key(stored), stored)
    return _at_most(MAX_TAGS, "tags", tuple(kept.values()))


def checked_evidence(evidence: Iterable[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return evidence as it is stored.

    Raises:
        UsageProblem: There is too much, or a value that names something is not one line.
    """
    kept = _at_most(MAX_EVIDENCE, "pieces of evidence", tuple(evidence))
    for one in kept:
        for key, value in one.items():
            if isinstance(value, str) and key != "quote":
                _one_line("evidence", value)
    return kept


def checked_reason(reason: str | None) -> str | None:
    """Return why something was rejected, as it is stored.

    Raises:
        UsageProblem: It is not one line.
    """
    return _one_line("reason", reason.strip()) or None if reason else None


def check_values(sensitivity: str | None, confidence: float | None, verified: str | None) -> None:
    """Refuse a value that is none of its kind.

    Raises:
        UsageProblem: Names the option.
    """
    if sensitivity is not None and sensitivity not in SENSITIVITIES:
        known = ", ".join(SENSITIVITIES)
        raise UsageProblem(f"--sensitivity is one of {known}; got {sensitivity!r}.", field="sensitivity")
    if confidence is not None and not 0 <= confidence <= 1:
        raise UsageProblem(f"--confidence is from 0 to 1; got {confidence}.", field="confidence")
    if verified and not is_date(verified):
        raise UsageProblem(
            f"--verified takes a date as YYYY-MM-DD, or today; got {verified!r}.", field="verified"
        )


def target_shelf(situation: Situation, scope: str) -> Shelf:
    """Return the shelf on which something new is put in this call.

    Raises:
        UsageProblem: There is no such scope, or no session to be in.
        ApprovalRequired: An agent asks for a session memory: only a person creates them.
        Refused: There is no project (FACTS, "No project").
    """
    if scope not in SCOPES:
        raise UsageProblem(f"The scope is one of {', '.join(SCOPES)}; got {scope!r}.", field="scope")
    if scope == SESSION:
        refuse_agent(situation.caller, "create session memories")
    return find_shelf(situation, scope)


def refuse_agent(caller: Caller, doing: str) -> None:
    """Refuse what only a person may do.

    Raises:
        ApprovalRequired: An agent asks.
    """
    if caller.is_agent:
        raise ApprovalRequired(f"Only a person may {doing}.", hint=_ASK_THEM)


def refuse_foreign(caller: Caller, entry: Entry, doing: str) -> None:
    """Refuse an agent that wants to change anything but a proposal of an agent that still waits.

    Raises:
        ApprovalRequired: It is saved or archived, proposed by somebody else, or broken.
    """
    own = entry.status == PENDING and entry.proposer == _AGENT and not entry.problems
    if caller.is_agent and not own:
        raise ApprovalRequired(
            f"Only a person may {doing} {named(entry)}.", hint=_ASK_THEM, id=entry.id, status=entry.status
        )


def check_revision(found: Shown, revision: str | None) -> None:
    """Refuse a memory that is not at the `revision` that the caller has seen.

    Raises:
        StaleRevision: The file, its place or its links changed since.
    """
    if revision is not None and revision != found.revision:
        entry = found.entry
        raise StaleRevision(
            f"{named(entry)} changed since you looked at it.",
            hint=f"Look at it again: wuu memory show {entry.id}",
            id=entry.id,
            path=entry.path,
            expected=revision,
            found=found.revision,
        )


def text_caveats(entry: Entry) -> tuple[Caveat, ...]:
    """Return what a person is told about a text: which of its lines no agent will get (FACTS)."""
    lines = find_unsafe_lines(entry.text)
    if not lines:
        return ()
    which = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"
    note = f"Agents will not get {which}: it reads like an instruction to them, or hides characters."
    return (Caveat("unsafe_line", note, {"id": entry.id, "lines": list(lines)}),)


def _one_line(field: str, value: str) -> str:
    problem = single_line_problem(value)
    if problem is not None:
        raise UsageProblem(f"--{field} {problem}.", field=field)
    return value


def _at_most(limit: int, what: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(values) > limit:
        raise UsageProblem(f"A memory has at most {limit} {what}; these are {len(values)}.", limit=limit)
    return values
