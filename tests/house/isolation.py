"""Keeps the tests away from the home of whoever runs them.

Owns the environment that a test starts from and the watch over the real home; runs nothing itself.
"""

import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

# What says who is asking (FACTS), and what editors, colours and widths are taken from.
_OUTSIDE = ("AI_AGENT", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "EDITOR", "VISUAL")
# A process that a test starts is not measured by coverage unless its runner says so: it would start slowly,
# import what is not its own, and spoil the data when it is killed.
_MEASURING_PREFIX = "COV"
_OUTSIDE_PREFIXES = (
    _MEASURING_PREFIX,
    "CLAUDE",
    "CODEX_",
    "GEMINI_",
    "OPENCODE",
    "CURSOR_",
    "WUU_",
    "_WUU_",
    "XDG_",
)

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGING_EVENTS = frozenset(
    (
        *("os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.link", "os.symlink"),
        *("os.truncate", "os.chmod", "os.chown", "os.utime", "sqlite3.connect"),
    )
)


def own_environment(outside: Mapping[str, str], home: str) -> dict[str, str]:
    """Return `outside` without what could reach wuu, with every home of wuu below `home`."""
    kept = {
        name: value
        for name, value in outside.items()
        if name not in _OUTSIDE and not name.startswith(_OUTSIDE_PREFIXES)
    }
    kept["HOME"] = kept["USERPROFILE"] = home
    kept["WUU_HOME"] = os.path.join(home, ".wuu")
    kept["XDG_CACHE_HOME"] = os.path.join(home, ".cache")
    kept["XDG_CONFIG_HOME"] = os.path.join(home, ".config")
    kept["XDG_DATA_HOME"] = os.path.join(home, ".local", "share")
    kept["XDG_STATE_HOME"] = os.path.join(home, ".local", "state")
    return kept


def measuring(outside: Mapping[str, str]) -> dict[str, str]:
    """Return the part of `outside` that makes coverage measure a process."""
    return {name: value for name, value in outside.items() if name.startswith(_MEASURING_PREFIX)}


class Fence(NamedTuple):
    """A home that must stay as it is, but for the `allowed` folders that happen to lie in it."""

    homes: tuple[str, ...]
    allowed: tuple[str, ...]

    def trespass(self, event: str, args: tuple[Any, ...]) -> str | None:
        """Return the path inside the fence that this audit event is about to change, or None."""
        return next((path for path in _changed_paths(event, args) if self.forbids(path)), None)

    def forbids(self, path: str) -> bool:
        """Say whether `path` lies in the home and in none of the allowed folders."""
        inside_home = any(_is_inside(path, home) for home in self.homes)
        return inside_home and not any(_is_inside(path, root) for root in self.allowed)


def fence_around(home: str, allowed: Iterable[str]) -> Fence:
    """Return the fence around `home`; a temporary folder inside the home is allowed, one around it is not."""
    homes = (os.path.abspath(home), os.path.realpath(home))
    roots = [*allowed, sys.prefix, sys.base_prefix]
    temporary = os.path.realpath(tempfile.gettempdir())
    if not any(_is_inside(one, temporary) for one in homes):
        roots.append(temporary)
    return Fence(homes, tuple({form(root) for root in roots for form in (os.path.abspath, os.path.realpath)}))


def watch(fence: Fence, seen: list[str]) -> None:
    """Add to `seen` every change inside the fence that this process tries, for as long as it lives."""

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" or event in _CHANGING_EVENTS:
            path = fence.trespass(event, args)
            if path is not None:
                seen.append(f"{event} {path}")

    sys.addaudithook(hook)


def _changed_paths(event: str, args: tuple[Any, ...]) -> tuple[str, ...]:
    if event == "open":
        path, _, flags = args
        changed: tuple[Any, ...] = (path,) if isinstance(flags, int) and flags & _WRITES else ()
    elif event in ("os.rename", "os.link", "os.symlink"):
        changed = args[:2]
    else:
        changed = args[:1]
    return tuple(os.path.abspath(os.fsdecode(path)) for path in changed if isinstance(path, str | bytes))


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
