"""Which project a workspace of the home belongs to, as its workspace.json says; `workspace_file` writes that.

Owns what a file must say to be believed.
"""

import json
import os
from typing import Any, NamedTuple

from wuu.errors import WuuError
from wuu.memory.shelves import WORKSPACES
from wuu.memory.writing.workspace_file import WORKSPACE_FILE
from wuu.situation.workspace import workspace_key
from wuu.store.home import Home

MAX_BYTES = 65_536


class Described(NamedTuple):
    """What a workspace.json says; `problem` is why it names no project, in a sentence."""

    root: str | None = None
    origin: str | None = None
    first_used: str | None = None
    problem: str | None = None


def read_description(home: Home, key: str) -> Described:
    """Return what the home notes of the workspace with this key; what cannot be read is a `problem`."""
    path = f"{WORKSPACES}/{key}/{WORKSPACE_FILE}"
    try:
        data = home.read(path, limit=MAX_BYTES)
    except WuuError as error:
        return Described(problem=error.message)
    if data is None:
        return Described(problem=f"{path} is not there.")
    value = _load(data)
    if value is None:
        return Described(problem=f"{path} is no JSON object.")
    problem = root_problem(value)
    root = None if problem else str(value["root"])
    if root is not None and workspace_key(root) != key:
        problem = "names a project that another workspace is for"
    origin, first_used = (
        one if isinstance(one := value.get(name), str) else None for name in ("origin", "first_used")
    )
    return Described(root, origin, first_used, f"{path} {problem}." if problem else None)


def find_root(home: Home, key: str) -> str | None:
    """Return the absolute root of the project whose workspace has this key, or None if nothing says it."""
    try:
        data = home.read(f"{WORKSPACES}/{key}/{WORKSPACE_FILE}", limit=MAX_BYTES)
    except WuuError:
        return None
    value = None if data is None else _load(data)
    return None if value is None or root_problem(value) else str(value["root"])


def file_problem(data: bytes) -> str | None:
    """Say why `data` is no workspace.json, as the end of a sentence, or return None."""
    value = _load(data)
    return "is no JSON object" if value is None else root_problem(value)


def root_problem(value: dict[str, Any]) -> str | None:
    """Say why the content of a workspace.json names no project, as the end of a sentence, or return None."""
    root = value.get("root")
    if not isinstance(root, str) or not os.path.isabs(root) or "\0" in root:
        return "has no root that is an absolute path"
    return None


def _load(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
