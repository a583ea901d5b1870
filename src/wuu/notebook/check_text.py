"""Problems of any text of a notebook, the index and the topics alike: secrets, unsafe lines, conflicts.

Owns no rule of its own. No message repeats what was found (FACTS, "Other decisions").
"""

from collections.abc import Iterator

from wuu.problems import Problem, problem
from wuu.text.conflicts import find_conflict_marker
from wuu.text.safety import find_unsafe_lines
from wuu.text.secrets import find_secrets


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
