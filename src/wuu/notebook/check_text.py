"""Problems of any text of a notebook, the index and the topics alike: secrets, unsafe lines, conflicts.

Owns no rule of its own but that for conflict markers. No message repeats what was found (FACTS, "Other
decisions").
"""

from collections.abc import Iterator

from wuu.problems import Problem, problem
from wuu.text.markdown_lines import split_lines
from wuu.text.safety import find_unsafe_lines
from wuu.text.secrets import find_secrets

_OURS, _BASE, _MIDDLE, _THEIRS = "<<<<<<<", "|||||||", "=======", ">>>>>>>"


def find_in_text(file: str, text: str) -> Iterator[Problem]:
    """Yield what is wrong with the text of a file, wherever in it."""
    yield from _secrets(file, text)
    for line in find_unsafe_lines(text):
        note = f"Line {line} of {file} reads like an instruction to the agent, or hides characters."
        yield problem("unsafe_line", file, line, note, "Reword it, or take the hidden characters out.")
    marker = find_conflict_marker(text)
    if marker is not None:
        note = f"{file} holds a merge that was left unfinished."
        yield problem("conflict_marker", file, marker, note, "Keep what is right, and drop the marker lines.")


def _secrets(file: str, text: str) -> Iterator[Problem]:
    line, at = 1, 0
    for secret in find_secrets(text):
        line += text.count("\n", at, secret.start)
        at = secret.start
        note = f"Line {line} of {file} holds what looks like a credential ({secret.kind})."
        fix = "Take it out, and revoke it if the file was shared; git keeps it in its history."
        yield problem("secret_detected", file, line, note, fix)


def find_conflict_marker(text: str) -> int | None:
    """Return the first line of an unfinished merge, or None.

    The markers stand in their order at line starts, outside of code and comments: a heading underlined with
    `=======` is none.
    """
    if _OURS not in text:
        return None
    opened, divided = None, False
    for number, line in enumerate(split_lines(text).lines, 1):
        mark = "" if line.literal else _mark(line.content.rstrip("\r"))
        if mark == _OURS:
            opened, divided = number, False
        elif mark == _MIDDLE and opened is not None:
            divided = True
        elif mark == _THEIRS and divided:
            return opened
    return None


def _mark(content: str) -> str:
    """Return the marker that a line is, or nothing; only the one in the middle may stand alone."""
    head, rest = content[:7], content[7:8]
    if head == _MIDDLE:
        return head if not content[7:].strip() else ""
    return head if head in (_OURS, _BASE, _THEIRS) and rest == " " else ""
