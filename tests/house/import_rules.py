"""The house rules about imports: floors, doors, and libraries that stay in their rooms (ARCHITECTURE 1).

An objection reads `path:line: text`. Nothing here reads a file or knows which exceptions are granted.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from house.modules import DOOR, FLOORS, ROOMS_WITH_A_DOOR, Import, Module, last_name, room_of, stands_in

HOMES_OF_LIBRARIES = {
    "click": ("cli/",),
    "rich": ("cli/",),
    "sqlite3": ("search/index.py", "search/connection.py", "session/transcripts/opencode.py"),
}
# Floor 0 is one floor, but text rules raise errors, return caveats and make digests.
NEIGHBOURS = {("text", "errors"), ("text", "ids")}

_VALUE_BASES = frozenset(("NamedTuple", "Enum", "StrEnum", "IntEnum", "Flag", "IntFlag", "TypedDict"))


def imports_go_down(module: Module) -> Iterator[str]:
    """Object to an import of a higher floor, of a neighbour, or of a room without a floor."""
    for one in _imports_of_wuu(module):
        room = _room_imported(one)
        if room in ("wuu", module.room):
            continue
        if room not in FLOORS or module.room not in (*FLOORS, "wuu"):
            yield module.at(one.line, f"{room} or {module.room} has no floor in house/modules.py")
        elif FLOORS[room] > FLOORS.get(module.room, -1):
            yield module.at(one.line, f"imports go down, and {room} is above {module.room}")
        elif FLOORS[room] == FLOORS.get(module.room) and (module.room, room) not in NEIGHBOURS:
            yield module.at(one.line, f"{room} is a room on the same floor as {module.room}")


def rooms_are_entered_by_the_door(module: Module, values: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Object to an import past `actions.py` of a room on floor 3 or 4; `values` names what is free to all.

    A part of a divided room has a door of its own: `actions.py` in its folder.
    """
    for one in _imports_of_wuu(module):
        room = _room_imported(one)
        if room == module.room or FLOORS.get(room) not in ROOMS_WITH_A_DOOR:
            continue
        door = f"wuu.{room}.{DOOR}"
        through = _is_door(room, one.module) or _is_door(room, f"{one.module}.{one.name}")
        if not through and one.name not in values.get(one.module, frozenset()):
            yield module.at(one.line, f"{one.module} is behind {door}; only value types are free to all")


def value_types(modules: Iterable[Module]) -> dict[str, frozenset[str]]:
    """Return, by dotted name of the module, the names of immutable values and of type aliases in it."""
    return {module.dotted: frozenset(_value_names(module.tree)) for module in modules}


def libraries_stay_home(module: Module) -> Iterator[str]:
    """Object to a library outside the rooms that may know it."""
    for one in module.imports():
        library = one.module.split(".")[0]
        homes = HOMES_OF_LIBRARIES.get(library)
        if homes and not stands_in(module.path, homes):
            yield module.at(one.line, f"{library} is imported only in {', '.join(homes)}")


def _is_door(room: str, module: str) -> bool:
    return module.startswith(f"wuu.{room}.") and module.endswith(f".{DOOR}")


def _imports_of_wuu(module: Module) -> Iterator[Import]:
    return (one for one in module.imports() if one.module.split(".")[0] == "wuu")


def _room_imported(one: Import) -> str:
    whole = f"wuu.{one.name}"
    return room_of(whole) if one.module == "wuu" and room_of(whole) in FLOORS else room_of(one.module)


def _value_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and {last_name(base) for base in node.bases} & _VALUE_BASES:
            yield node.name
        elif isinstance(node, ast.AnnAssign) and last_name(node.annotation) == "TypeAlias":
            yield last_name(node.target)
