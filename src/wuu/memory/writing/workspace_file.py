"""workspace.json: what the home knows of a project, written with the first thing that is kept for it.

Owns the content: `root` (absolute), `origin` (where its repository comes from, without credentials, or null)
and `first_used`. How a repository is read is `situation/workspace.py`'s business.
"""

import json
import os
import re
from typing import Any

from wuu.situation.workspace import Workspace, read_git_config
from wuu.store.changes import Change, change
from wuu.store.home import Home

WORKSPACE_FILE = "workspace.json"

# Compiled at first need: only the first memory of a project asks.
_SECTION = rb'(?i)\[remote "origin"\]\s*(?:[#;].*)?'
_URL = r"(?i)[a-z][a-z0-9+.-]*://(?:[^/]*@)?([^/?#]*)([^?#]*)"
_SCP = r"(?:[^/:]*@)?([^/:]+):(.*)"


def plan_workspace(home: Home, workspace: Workspace, now: str) -> tuple[Change, ...]:
    """Plan the file of a workspace that has none yet; one that is there is never rewritten."""
    path = f"workspaces/{workspace.key}/{WORKSPACE_FILE}"
    if os.path.lexists(home.place(path)):
        return ()
    value = {"first_used": now, "origin": find_origin(workspace.root), "root": workspace.root}
    return (change(path, None, _encoded(value)),)


def plan_moved_workspace(home: Home, old_key: str, workspace: Workspace, now: str) -> tuple[Change, ...]:
    """Plan the file of a workspace that takes over from another one; what else both say is kept.

    Raises:
        UnsafeFile, TooLarge, IoProblem: One of the two files cannot be read.
    """
    path = f"workspaces/{workspace.key}/{WORKSPACE_FILE}"
    there = home.read(path, follow=False)
    old, new = _parsed(home.read(f"workspaces/{old_key}/{WORKSPACE_FILE}", follow=False)), _parsed(there)
    first = [value for one in (old, new) if isinstance(value := one.get("first_used"), str)]
    origin = find_origin(workspace.root) or new.get("origin") or old.get("origin")
    told = {"first_used": min(first, default=now), "origin": origin, "root": workspace.root}
    return (change(path, there, _encoded({**old, **new, **told})),)


def find_origin(root: str) -> str | None:
    """Return where the repository at the absolute `root` comes from, normalised, or None."""
    config = read_git_config(root) or b""
    found, inside = None, False
    for line in map(bytes.strip, config.splitlines()):
        if line.startswith(b"["):
            inside = re.fullmatch(_SECTION, line) is not None
        key, is_set, value = line.partition(b"=")
        if inside and is_set and key.strip().lower() == b"url":
            found = value.strip().strip(b'"').decode("utf-8", "replace")
    return normalise_origin(found) if found else None


def normalise_origin(url: str) -> str:
    """Return `host/path` for the address of a repository, the same whatever way leads there.

    Without scheme, user, password, query, `.git` and slashes at the end; a path on this machine stays one.
    """
    match = re.match(_URL, url) or re.fullmatch(_SCP, url)
    if match is None or not match[1]:
        path = url.removeprefix("file://").rpartition("@")[2]  # rather a path cut short than a password
        return path.rstrip("/").removesuffix(".git").rstrip("/")
    path = match[2].strip("/").removesuffix(".git").rstrip("/")
    return f"{match[1].lower()}/{path}"


def _parsed(data: bytes | None) -> dict[str, Any]:
    try:
        value = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _encoded(value: dict[str, Any]) -> bytes:
    """Return the JSON, readable where it can be: a path that is not UTF-8 has to be escaped."""
    try:
        return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(value, indent=2) + "\n").encode()
