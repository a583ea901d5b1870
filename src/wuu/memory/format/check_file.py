"""Problems inside the file of one memory: keys that break rules, credentials, unsafe lines, open merges.

Owns how they are said; the rules are those of `entry` and of the text floor. No message repeats a credential.
"""

from collections.abc import Iterator

from wuu import clock
from wuu.memory.format.entry import Entry, examine_entry
from wuu.memory.format.fields import DOUBLE, Flaw
from wuu.memory.shelves import Shelf
from wuu.problems import Problem, problem
from wuu.text import document as md
from wuu.text.block_lines import find_break
from wuu.text.conflicts import find_conflict_marker
from wuu.text.safety import find_unsafe_lines, visible

_FORMAT = "Edit the file. docs/reference/memory-format.md says what it may hold."


class Checker:
    """Checks one file after another, all of them as of the same day."""

    def __init__(self) -> None:
        self._latest = clock.latest_date()

    def check(self, memory_id: str, shelf: Shelf, text: str) -> tuple[Entry, list[Problem]]:
        """Return the memory in the file `text`, and what is wrong with it."""
        entry, flaws = examine_entry(memory_id, shelf, text)
        problems = [*_flaws(entry.path, text, flaws), *_text(entry.path, text)]
        if entry.verified_at is not None and entry.verified_at > self._latest:
            line = _line_of(text, "verified")
            note = f"It says that it was verified on {entry.verified_at}, which has not come yet."
            fix = f"wuu memory edit {memory_id} --verified today"
            problems.append(found("verified_in_future", entry.path, line, note, fix))
        return entry, problems


def found(code: str, path: str, line: int | None, message: str, fix: str | None = None) -> Problem:
    """Return a problem of the file at `path`, with the severity of its code."""
    return problem(code, shown(path), line, message, fix)


def shown(name: str) -> str:
    """Return a name or path as one line that can be printed and encoded, whatever bytes it holds."""
    return name if name.isprintable() else visible(name, tabs=False).replace("\n", r"\x0a")


def _flaws(path: str, text: str, flaws: list[Flaw]) -> Iterator[Problem]:
    for flaw in flaws:
        line = None if flaw.key is None else _line_of(text, flaw.key)
        if flaw.code == DOUBLE:
            fix = "Keep one. The last counts; of a status, a pin and a sensitivity, the least privileged."
            yield found(DOUBLE, path, line, f"{_sentence(flaw.words)}.", fix)
            continue
        broken = (
            find_break(text, len(md.BOM) if text.startswith(md.BOM) else 0) if flaw.is_missing_block else None
        )
        if broken is not None:
            where = f"breaks off on line {broken.line}" if broken.is_stray else "is never closed"
            yield found(flaw.code, path, broken.line, f"Its frontmatter {where}, so there is none.", _FORMAT)
        else:
            yield found(flaw.code, path, line, f"{_sentence(flaw.words)}.", _FORMAT)


def _text(path: str, text: str) -> Iterator[Problem]:
    """Yield what is wrong with any text, wherever in the file."""
    from wuu.text.secrets import find_secrets  # noqa: PLC0415  (its patterns are for those who look)

    for secret in find_secrets(text):
        note = f"It holds what looks like a credential ({secret.kind})."
        fix = "Take it out, and revoke it if the file was shared; git keeps it in its history."
        yield found("secret_detected", path, text.count("\n", 0, secret.start) + 1, note, fix)
    for line in find_unsafe_lines(text):
        note = "The line reads like an instruction to the agent, or hides characters; agents do not get it."
        yield found("unsafe_line", path, line, note, "Reword it, or take the hidden characters out.")
    conflict = find_conflict_marker(text)
    if conflict is not None:
        note = "It holds a merge that was left unfinished."
        yield found("conflict_marker", path, conflict, note, "Keep what is right, drop the marker lines.")


def _line_of(text: str, key: str) -> int | None:
    field = md.find_field(md.parse_document(text), key)
    return None if field is None else field.line


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
