"""What the tests of the check share: a sound notebook, and a look at one in short form."""

from collections.abc import Mapping

from wuu.notebook.checking import check
from wuu.problems import CODES, Problem

INDEX = "# Memory\n\n- [Ferry](ferry.md) — When it sails\n"
MARKED = "---\nname: Ferry\ndescription: When it sails\ntype: reference\n---\n\n"
TOPIC = f"{MARKED}At nine.\n"
# Invented, and put together here so that no scanner trips over it.
KEY = "gh" + "p_" + "aB3dE5fG7hJ9kL1m" + "N3pQ5rS7tU9vW1xY3zA5"

Files = Mapping[str, str | bytes]
Found = list[tuple[str, str, int | None]]


def block(*lines: str) -> str:
    """Return a topic with these lines as its frontmatter."""
    return "---\n" + "".join(f"{line}\n" for line in lines) + "---\n\nAt nine.\n"


def topic(**fields: str) -> str:
    """Return a topic like `TOPIC` with other fields; an empty one is left out."""
    known = {"name": "Ferry", "description": "When it sails", "type": "reference"} | fields
    return block(*(f"{key}: {value}" for key, value in known.items() if value))


def problems_of(shelf, files: Files, stale_days: int | None = None) -> tuple[Problem, ...]:
    """Put the files into the notebook and check it."""
    for name, content in files.items():
        shelf.put(name, content)
    return check(shelf.notebook, stale_days).problems


def look(shelf, files: Files, stale_days: int | None = None) -> Found:
    """Put the files into the notebook and return (code, file, line) of each problem."""
    return short(problems_of(shelf, files, stale_days))


def short(problems: tuple[Problem, ...]) -> Found:
    """Return (code, file, line) of each problem, every one of which is well formed."""
    for one in problems:
        assert one.severity == CODES[one.code].severity
        assert "\n" not in one.message
        assert one.message.endswith(".")
    return [(one.code, one.file, one.line) for one in problems]
