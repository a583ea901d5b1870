"""What lies on the disk, as values that can be compared, and how a case puts things there."""

import re
from pathlib import Path

_ENTRY = re.compile(r"^- \[(?:\\.|[^\]\\])*\]\(([^)]*)\)", re.MULTILINE)


def tree(folder: Path) -> dict[str, bytes | str]:
    """Return every file below `folder` with its bytes, and every link with its target."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def copy_files(source: Path, target: Path) -> None:
    """Copy the files directly in `source`, bytes only, whatever their modes are."""
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.is_file():
            (target / path.name).write_bytes(path.read_bytes())


def topic_names(notebook: Path) -> set[str]:
    """Return the names of the topic files, as anybody would list them."""
    return {path.name for path in notebook.glob("*.md")} - {"MEMORY.md"}


def entries(index: str) -> list[str]:
    """Return the targets of the plain entry lines of an index, in their order."""
    return _ENTRY.findall(index)


def added_lines(before: str, after: str) -> list[str]:
    """Return the lines that `after` has more than `before`; all others must be the same, in that order."""
    rest = iter(before.splitlines(keepends=True))
    expected = next(rest, None)
    added = []
    for line in after.splitlines(keepends=True):
        if line == expected:
            expected = next(rest, None)
        else:
            added.append(line)
    assert expected is None, f"a line went or changed: {expected!r}"
    return added
