"""Memories as they lie on the disk, put there as another program would, and what a command says of them."""

import os
from collections.abc import Callable
from pathlib import Path

from cases.trees import tree
from house.invocation import Ran
from wuu.situation.workspace import workspace_key

IDS = tuple(f"{number:016x}" for number in range(0xA1, 0xA1 + 40))
"""Ids for files that a test puts there."""

PLAIN = (
    "---\nstatus: saved\ncategory: other\nproposer: user\ncreated: 2026-05-01T07:30:00.000000Z\n---\n\n{}\n"
)
"""The file of a memory with nothing but a text."""


def shelf_of(home: Path, project: str | os.PathLike[str] = ".") -> Path:
    """Return the folder of a project's memories, made."""
    place = home / "workspaces" / workspace_key(os.path.realpath(project)) / "entries"
    place.mkdir(parents=True, exist_ok=True)
    return place


def user_shelf(home: Path) -> Path:
    """Return the folder of the memories of the default profile, made."""
    place = home / "entries" / "default"
    place.mkdir(parents=True, exist_ok=True)
    return place


def put(folder: Path, memory_id: str, text: str) -> Path:
    """Put a saved memory into a folder."""
    place = folder / f"{memory_id}.md"
    place.write_text(PLAIN.format(text), encoding="utf-8")
    return place


def worktrees(folder: Path) -> list[Path]:
    """Make a repository with a linked worktree, by hand: what git would leave."""
    main, linked = folder / "main", folder / "linked"
    private = main / ".git" / "worktrees" / "linked"
    private.mkdir(parents=True)
    linked.mkdir()
    repository(main)
    (linked / ".git").write_text(f"gitdir: {private}\n")
    (private / "HEAD").write_text("ref: refs/heads/linked\n")
    (private / "commondir").write_text("../..\n")
    (private / "gitdir").write_text(f"{linked / '.git'}\n")
    return [main, linked]


def repository(folder: Path) -> Path:
    """Make the repository that git would see in a folder."""
    fill(folder / ".git")
    return folder


def fill(git_directory: Path) -> Path:
    """Put into a git directory what makes it one."""
    for name in ("objects", "refs"):
        (git_directory / name).mkdir(parents=True, exist_ok=True)
    (git_directory / "HEAD").write_text("ref: refs/heads/main\n")
    return git_directory


def texts(ran: Ran) -> list[str]:
    """Return the texts of the memories in the JSON of a listing or a search."""
    return [one["text"] for one in ran.data["memories"]]


def ids(ran: Ran) -> list[str]:
    """Return the ids of the memories in the JSON of a listing or a search."""
    return [one["id"] for one in ran.data["memories"]]


def warned(ran: Ran) -> list[str]:
    """Return the codes of the warnings in the JSON of a reply."""
    return [one["code"] for one in ran.json()["warnings"]]


def added(run: Callable[..., Ran], *arguments: str, **options: object) -> str:
    """Add a memory and return its id."""
    done = run("add", "--json", *arguments, **options)
    assert done.exit_code == 0, done.stdout
    return str(done.data["memory"]["id"])


def stored(home: Path) -> dict[str, bytes | str]:
    """Return every file and link in a folder of memories, with its bytes."""
    return {name: content for name, content in tree(home).items() if "entries" in name.split("/")}
