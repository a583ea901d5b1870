"""Links as both of their ends see them, and the revision that changes when one of them does.

Owns that a link is stored once and counts at both ends (ARCHITECTURE 2, "A memory"). It reads no files.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from wuu.ids import sha256_hex
from wuu.memory.format.entry import Entry

SYMMETRIC = ("related", "conflicts")


class Link(NamedTuple):
    """A link as one of its ends sees it: `direction` is `out`, `in` or `both` (symmetric kinds)."""

    id: str
    kind: str
    direction: str


def links_of(entry: Entry, others: Iterable[Entry]) -> tuple[Link, ...]:
    """Return the links of a memory, its own and those that `others` hold, by id; see `all_links` for many."""
    near = [other for other in others if any(target == entry.id for target, _ in other.links)]
    return all_links([entry, *near]).get(entry.id, ())


def all_links(entries: Iterable[Entry]) -> dict[str, tuple[Link, ...]]:
    """Return the links that each memory has, by its id, those that it holds and those that lead to it.

    A pair has one link: where both files hold one, that of the smaller id counts.
    """
    found: dict[str, list[Link]] = {}
    for holder, target, kind in settled_pairs({(one.id, *link) for one in entries for link in one.links}):
        out, back = ("both", "both") if kind in SYMMETRIC else ("out", "in")
        found.setdefault(holder, []).append(Link(target, kind, out))
        found.setdefault(target, []).append(Link(holder, kind, back))
    return {memory_id: tuple(sorted(links)) for memory_id, links in found.items()}


def settled_pairs(held: Iterable[tuple[str, str, str]]) -> Iterable[tuple[str, str, str]]:
    """Return one link for each pair out of (holder, target, kind): that of the smaller holder counts."""
    pairs: dict[tuple[str, str], tuple[str, str, str]] = {}
    for holder, target, kind in sorted(held):
        pairs.setdefault((min(holder, target), max(holder, target)), (holder, target, kind))
    return pairs.values()


def revision_of(entry: Entry, links: Iterable[Link]) -> str:
    """Return `sha256:` and 64 hex digits over the file's bytes, its place, and all its links.

    CONTRACT, "memory".
    """
    parts = [entry.digest, entry.path, [list(link) for link in sorted(links)]]
    return f"sha256:{sha256_hex(json.dumps(parts).encode())}"
