"""The links between saved memories as a context needs them: who is near whom, and what is superseded.

A session's memories are not in the graph (seed 002, "Scopes"). Pure arithmetic over values.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from wuu.memory.context.looking import Known
from wuu.memory.format.entry import SAVED
from wuu.memory.links import settled_pairs
from wuu.memory.shelves import SESSION

_SUPERSEDES = "supersedes"


class Links(NamedTuple):
    """The neighbours of each memory, and for each superseded one the memory that supersedes it."""

    near: Mapping[str, tuple[str, ...]]
    superseded: Mapping[str, str]


def find_links(knowns: Iterable[Known]) -> Links:
    """Return the links between what is saved on these shelves; whether their targets exist is not asked."""
    nodes = [known for known in knowns if known.shelf.scope != SESSION]
    near: dict[str, list[str]] = {}
    superseded: dict[str, str] = {}
    for holder, target, kind in settled_pairs(_held(nodes)):
        if all(known.is_saved(target) for known in nodes):
            near.setdefault(holder, []).append(target)
            near.setdefault(target, []).append(holder)
            if kind == _SUPERSEDES:
                superseded.setdefault(target, holder)
    return Links({one: tuple(others) for one, others in near.items()}, superseded)


def _held(nodes: Iterable[Known]) -> Iterator[tuple[str, str, str]]:
    for known in nodes:
        for one, note in known.notes.items():
            if note.status == SAVED:
                yield from ((one, target, kind) for target, kind in note.links)
