"""Write completions, manual pages and reference pages from the command tree; `--check` only compares.

Without `--check` it writes what is stale and removes the pages of commands that are gone. With it it writes
nothing, names what is stale, and exits 1 if anything is.
"""

import argparse
import sys
from pathlib import Path

import click

from command_tree import read_tree
from completions import render_completions
from man_page import render_pages
from matrix import read_tables, render_states
from reference import render_commands, render_exit_statuses, render_problems
from surroundings import read_errors
from wuu import __version__
from wuu.problems import CODES

REPOSITORY = Path(__file__).resolve().parent.parent
PROGRAM = "wuu"
# Nothing but generated files may lie here.
OWNED_FOLDERS = ("completions", "man")


def render_all(root: click.Command, version: str) -> dict[str, str]:
    """Return every generated file by its path in the repository."""
    tree = read_tree(root, PROGRAM)
    files = {f"completions/{name}": text for name, text in render_completions(PROGRAM).items()}
    files |= {f"man/{name}": text for name, text in render_pages(tree, version).items()}
    files["docs/reference/commands.md"] = render_commands(tree)
    files["docs/reference/exit-statuses.md"] = render_exit_statuses(read_errors())
    files["docs/reference/problems.md"] = render_problems(CODES)
    return files


def find_stale(files: dict[str, str], repository: Path) -> list[str]:
    """Return the paths that are missing, differ, or belong to a command that is gone."""
    differing = [path for path, text in files.items() if _read_text(repository / path) != text]
    present = [path for folder in OWNED_FOLDERS for path in (repository / folder).glob("*")]
    gone = [path.relative_to(repository).as_posix() for path in present]
    return sorted([*differing, *(path for path in gone if path not in files)])


def write_stale(files: dict[str, str], repository: Path) -> list[str]:
    """Bring the repository up to date; return the paths that were not."""
    stale = find_stale(files, repository)
    for path in stale:
        target = repository / path
        if path in files:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(files[path], encoding="utf-8", newline="\n")
        else:
            target.unlink()
    return stale


def main(arguments: list[str]) -> int:
    """Run the script; return its exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is stale")
    checking = parser.parse_args(arguments).check
    files = _render_wuu()
    stale = find_stale(files, REPOSITORY) if checking else write_stale(files, REPOSITORY)
    for path in stale:
        print(f"{'stale' if checking else 'written'}: {path}")
    if stale and checking:
        print("run: python scripts/generate.py")
    return 1 if stale and checking else 0


def _render_wuu() -> dict[str, str]:
    from wuu.cli.root import root  # noqa: PLC0415  (the rest of this script works on any command tree)

    return {**render_all(root, __version__), "docs/reference/states.md": render_states(read_tables())}


def _read_text(file: Path) -> str | None:
    return file.read_bytes().decode() if file.is_file() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
