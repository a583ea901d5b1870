"""Which project a directory belongs to, and the key under which the home keeps that project.

One rule for reading and for writing (ARCHITECTURE 2, cases O-27 and O-28). It only reads, starts no process,
and opens nothing but small regular files of git.
"""

import os
import re
import stat
from collections.abc import Iterator
from typing import Literal, NamedTuple

from wuu.errors import NotFound, Refused
from wuu.ids import sha256_hex

MAX_SLUG_BYTES = 48
_MAX_GIT_FILE_BYTES = 65_536
_NOT_IN_SLUG = re.compile(r"[^A-Za-z0-9._-]+")
_HEAD = re.compile(rb"ref: refs/|[0-9a-f]{40}")
_READ_ONLY = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class Workspace(NamedTuple):
    """A project: the absolute path of its `root`, links resolved; its `key` in the home; how it was found.

    `override`: somebody named it. `git`: the main worktree of a repository. `known`: the nearest folder above
    that the home has a workspace for. `directory`: the directory itself.
    """

    root: str
    key: str
    found_by: Literal["override", "git", "known", "directory"]


class NoProject(NamedTuple):
    """The answer for `$HOME` and `/`: `directory` is nobody's project (FACTS, "Other decisions")."""

    directory: str

    @property
    def root(self) -> None:
        """There is none."""


def workspace_key(root: str) -> str:
    """Return the name of the folder under `workspaces/` for the absolute, symlink-resolved path `root`.

    A readable part of at most 48 bytes and 16 hex digits of the SHA-256 of the whole path, so that two
    projects never share a key (case O-27).
    """
    slug = _NOT_IN_SLUG.sub("-", os.path.basename(root)).strip(".-")[:MAX_SLUG_BYTES].strip(".-")
    return f"{slug or 'workspace'}-{sha256_hex(os.fsencode(root))[:16]}"


def find_workspace(
    directory: str, *, home: str, user_home: str | None, override: str | None = None
) -> Workspace | NoProject:
    """Return the project that `directory` belongs to (ARCHITECTURE 2, "Workspace key").

    The main worktree of its git repository, which all linked worktrees share; else the nearest folder above
    that `home` knows as a workspace; else the directory itself. `override` is taken as the root just as it
    is, so it can also give one worktree a workspace of its own. All paths are absolute.

    Raises:
        NotFound: `override` is neither a directory nor a workspace that the home knows.
    """
    place = os.path.realpath(directory if override is None else override)
    never = {os.path.realpath(user_home)} if user_home else set()
    if _is_nobodys(place, never):
        return NoProject(place)
    if override is not None:
        return _named(place, home)
    root = find_git_root(place)
    if root is not None and not _is_nobodys(root, never):
        return Workspace(root, workspace_key(root), "git")
    for folder in _upwards(place):
        if not _is_nobodys(folder, never) and _is_known(home, folder):
            return Workspace(folder, workspace_key(folder), "known")
    return Workspace(place, workspace_key(place), "directory")


def get_project(found: Workspace | NoProject) -> Workspace:
    """Return `found` if it is a project.

    Raises:
        Refused: It is none (FACTS, "Other decisions").
    """
    if isinstance(found, NoProject):
        raise Refused(
            f"{found.directory} belongs to no project.",
            hint="Use --user for what holds everywhere, or name a project with --workspace PATH.",
            directory=found.directory,
        )
    return found


def find_git_root(directory: str) -> str | None:
    """Return the main worktree of the innermost git repository around `directory`, or None outside of any.

    A bare repository with its worktrees has as root the folder whose `.git` file points at it, else itself. A
    submodule is a repository of its own. A `.git` that git would not accept counts as none (case O-28).
    """
    return next((root for folder in _upwards(directory) if (root := _git_root_at(folder)) is not None), None)


def read_git_config(root: str) -> bytes | None:
    """Return the configuration of the repository whose main worktree, or bare folder, is at `root`."""
    dot_git = os.path.join(root, ".git")
    pointed = _read_pointer(dot_git)
    if _is_git_directory(dot_git):
        folder = dot_git
    else:
        folder = root if pointed is None else _common_directory(pointed)
    return _read_small(os.path.join(folder, "config"))


def holds_a_file(folder: str) -> bool:
    """Tell whether the folder of a workspace has any file, at any depth: one that moved leaves it empty.

    A link is a file, what a killed writer left is none.
    """
    if os.path.lexists(os.path.join(folder, "workspace.json")):
        return True
    if not os.path.isdir(folder):
        return False
    from wuu.store.files import TEMP_PREFIX  # noqa: PLC0415  (hardly any workspace gets here)

    return any(
        any(not name.startswith(TEMP_PREFIX) for name in files)
        or any(os.path.islink(os.path.join(place, name)) for name in folders)
        for place, folders, files in os.walk(folder)
    )


def _named(place: str, home: str) -> Workspace:
    if not os.path.isdir(place) and not _is_known(home, place):
        raise NotFound(
            f"There is no directory {place}, and no workspace is known for it.",
            hint="Name an existing project directory with --workspace or WUU_WORKSPACE.",
            path=place,
        )
    return Workspace(place, workspace_key(place), "override")


def _is_nobodys(place: str, never: set[str]) -> bool:
    return place in never or os.path.dirname(place) == place


def _is_known(home: str, folder: str) -> bool:
    return holds_a_file(os.path.join(home, "workspaces", workspace_key(folder)))


def _upwards(directory: str) -> Iterator[str]:
    """Yield `directory` and every folder above it, the innermost first."""
    while True:
        yield directory
        above = os.path.dirname(directory)
        if above == directory:
            return
        directory = above


def _git_root_at(folder: str) -> str | None:
    """Return the root that the repository at exactly `folder` belongs to, or None if none begins there."""
    dot_git = os.path.join(folder, ".git")
    if _is_git_directory(dot_git):
        return folder
    pointed = _read_pointer(dot_git)
    if pointed is not None and _is_git_directory(pointed):
        common = _common_directory(pointed)
        return folder if common == pointed else _main_worktree(common)
    if _is_git_directory(folder):
        return _main_worktree(_common_directory(folder))
    return None


def _main_worktree(common: str) -> str:
    """Return the one root for all worktrees of the repository whose shared files are in `common`."""
    above, name = os.path.split(common)
    if name == ".git" or _read_pointer(os.path.join(above, ".git")) == common:
        return above
    configured = _configured_worktree(common)
    return configured if configured is not None and os.path.isdir(configured) else common


def _is_git_directory(path: str) -> bool:
    head = _read_small(os.path.join(path, "HEAD"))
    if head is None or not _HEAD.match(head):
        return False
    common = _common_directory(path)
    return os.path.isdir(os.path.join(common, "objects")) and os.path.isdir(os.path.join(common, "refs"))


def _common_directory(git_directory: str) -> str:
    """Return where a git directory keeps what all worktrees share: elsewhere only for a linked worktree."""
    line = _read_small(os.path.join(git_directory, "commondir"))
    return git_directory if line is None else _path_in(line, git_directory) or git_directory


def _read_pointer(dot_git: str) -> str | None:
    """Return the git directory that a `.git` file names, or None if it is no such file."""
    line = _read_small(dot_git)
    if line is None or not line.startswith(b"gitdir: "):
        return None
    return _path_in(line.removeprefix(b"gitdir: "), os.path.dirname(dot_git))


def _configured_worktree(common: str) -> str | None:
    """Return `core.worktree`, which the repository of a submodule has, from its configuration files."""
    for name in ("config.worktree", "config"):
        section = b""
        for line in (_read_small(os.path.join(common, name)) or b"").splitlines():
            if line.lstrip().startswith(b"["):
                section = line.strip().lower()
            key, found, value = line.partition(b"=")
            if found and section == b"[core]" and key.strip().lower() == b"worktree":
                return _path_in(value.strip().strip(b'"'), common)
    return None


def _path_in(line: bytes, folder: str) -> str | None:
    path = os.fsdecode(line.rstrip(b"\r\n"))
    return os.path.realpath(os.path.join(folder, path)) if path and "\0" not in path else None


def _read_small(path: str) -> bytes | None:
    """Return the bytes of a small regular file; None for anything else, which git could not use either."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(os.open(path, _READ_ONLY), "rb") as file:
            data = file.read(_MAX_GIT_FILE_BYTES + 1)
    except OSError:
        return None
    return data if len(data) <= _MAX_GIT_FILE_BYTES else None
