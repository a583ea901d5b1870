"""A module of wuu as the house rules see it: its place in the house, its syntax tree and its imports.

Owns the map of floors and rooms (ARCHITECTURE 1); the rules themselves are in `house.rules`.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

FLOORS: dict[str, int] = {
    **dict.fromkeys(("text", "errors", "problems", "clock", "ids"), 0),
    "store": 1,
    **dict.fromkeys(("search", "situation"), 2),
    **dict.fromkeys(("notebook", "memory", "session", "models"), 3),
    **dict.fromkeys(("dream", "exchange", "personal"), 4),
    **dict.fromkeys(("agents", "services", "checks"), 5),
    "cli": 6,
}
# Parts of a room that lie outside its folder. `wuu/__init__.py` holds the version and nothing else.
ALIASES = {"launch": "cli", "__main__": "cli"}
ROOMS_WITH_A_DOOR = (3, 4)
DOOR = "actions"


class Import(NamedTuple):
    """One imported thing: `name` is None for `import module`; `line` counts from 1."""

    line: int
    module: str
    name: str | None


class Module(NamedTuple):
    """A parsed file. `path` is relative to the package, with `/`: `notebook/actions.py`."""

    path: str
    source: str
    tree: ast.Module

    def __repr__(self) -> str:
        """Show the place alone; a failing test would print the whole file."""
        return self.path

    def at(self, line: int, text: str) -> str:
        """Return an objection to this line."""
        return f"{self.path}:{line}: {text}"

    @property
    def dotted(self) -> str:
        """Return the name it is imported by."""
        return ".".join(["wuu", *self.path.removesuffix(".py").split("/")]).removesuffix(".__init__")

    @property
    def room(self) -> str:
        """Return its room; `wuu` for the package's own `__init__.py`."""
        return room_of(self.dotted)

    @property
    def is_package(self) -> bool:
        """Say whether this is an `__init__.py`."""
        return self.path.endswith("__init__.py")

    def imports(self) -> Iterator[Import]:
        """Yield every import at any depth, relative ones and `import_module("…")` included."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (Import(node.lineno, alias.name, None) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                origin = self._origin(node)
                yield from (Import(node.lineno, origin, alias.name) for alias in node.names)
            elif isinstance(node, ast.Call) and called_name(node) in ("import_module", "__import__"):
                yield from _imported_by_call(node)

    def _origin(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.dotted.split(".") if self.is_package else self.dotted.split(".")[:-1]
        base = package[: len(package) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])


def parse_module(path: str, source: str) -> Module:
    """Return the module at `path` (relative to the package) with this source."""
    return Module(path, source, ast.parse(source))


def read_modules(package: Path) -> tuple[Module, ...]:
    """Read every module of the package in the folder `package`."""
    return tuple(
        parse_module(file.relative_to(package).as_posix(), file.read_text(encoding="utf-8"))
        for file in sorted(package.rglob("*.py"))
    )


def room_of(dotted: str) -> str:
    """Return the room of an imported name: `notebook` for `wuu.notebook.topics`, `wuu` for `wuu`."""
    parts = dotted.split(".")
    return ALIASES.get(parts[1], parts[1]) if len(parts) > 1 else parts[0]


def called_name(call: ast.Call) -> str:
    """Return the last name of what is called: `join` for `os.path.join(…)`."""
    return last_name(call.func)


def last_name(node: ast.AST) -> str:
    """Return the name, or the last part of a dotted one; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def stands_in(path: str, homes: Iterable[str]) -> bool:
    """Say whether `path` is one of `homes` or lies in one of them (a folder ends in a slash)."""
    return any(path == home or (home.endswith("/") and path.startswith(home)) for home in homes)


def _imported_by_call(call: ast.Call) -> Iterator[Import]:
    if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
        yield Import(call.lineno, call.args[0].value, None)
