"""Listing memories, showing one, counting them: what is read from the files alone, without the search index.

Everything here reads. A file that cannot be read or breaks a rule is a caveat, never just missing (O-06).
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wuu.errors import Caveat, UsageProblem
from wuu.memory import reach
from wuu.memory.categories import CATEGORIES, OTHER, find_policy, fold_category, known_category
from wuu.memory.caveats import reading_caveats
from wuu.memory.entries import Catalogue, created_time, links_of, read_catalogue, revision_of
from wuu.memory.filtering import read_asked
from wuu.memory.folder import irregular_caveats, scan_names
from wuu.memory.format.entry import PENDING, STATUSES, Entry
from wuu.memory.shelves import SCOPES, Shelf, id_of, visible_shelves
from wuu.memory.values import Filters, MemoryList, Shown
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.home import Home, open_home

GATES = ("memoryEnabled", "memoryUse", "memoryGenerate", "memoryRequireApproval")
"""The settings that decide whether memories are proposed and shown at all (seed, "Extraction tab")."""


def show_memory(situation: Situation, prefix: str) -> Shown:
    """Return the one memory whose id begins with `prefix`: of the visible shelves or any session here.

    Raises:
        UsageProblem: `prefix` cannot begin an id.
        NotFound: There is none.
        Ambiguous: There are several, or the id stands in two places.
        NotUtf8, UnsafeFile, TooLarge, IoProblem: Its file cannot be read.
    """
    home = open_home(situation.home)
    return reach.shown(home, situation, reach.get_reachable(home, situation, prefix))


def list_memories(situation: Situation, filters: Filters) -> MemoryList:
    """Return what `filters` let pass, of every status unless one is named, newest first.

    A memory whose file does not say when it was made comes last.

    Raises:
        UsageProblem: A filter that cannot be, or a limit under 1.
        Refused: The scope is project or session, and there is no project.
    """
    if filters.limit is not None and filters.limit < 1:
        raise UsageProblem(f"--limit is at least 1; got {filters.limit}.")
    home = open_home(situation.home)
    asked = read_asked(home, situation, filters, STATUSES)
    visible = visible_shelves(situation)
    catalogue = read_catalogue(home, union(visible, asked.shelves))
    found = sorted(filter(asked.has, catalogue.entries), key=lambda entry: entry.id)
    found.sort(key=created_time, reverse=True)
    chosen = found if filters.limit is None else found[: filters.limit]
    incoming = links_into(entry for entry in catalogue.entries if entry.shelf in visible)
    memories = tuple(shown(home, entry, incoming.get(entry.id, ())) for entry in chosen)
    caveats = (*file_caveats(home, asked.shelves, catalogue), *reading_caveats(home, situation))
    return MemoryList(memories, len(found), len(found) - len(chosen), caveats)


def memory_status(situation: Situation) -> dict[str, Any]:
    """Return what there is and what waits, the settings that gate it, extraction apart, and the index.

    `memories` counts by scope and status, with `total`, and `pinned` by scope; session memories are those of
    every session of the project. `waiting` is the number of pending ones. Seed, "Memory consent and notices".

    Raises:
        SettingsInvalid: The settings cannot be read.
    """
    from wuu.memory.extraction_state import read_extraction  # noqa: PLC0415  (only the status asks)
    from wuu.memory.find import index_status  # noqa: PLC0415  (imports SQLite)

    home = open_home(situation.home)
    settings = situation.settings
    found = situation.workspace
    project = None if isinstance(found, NoProject) else found
    catalogue = read_catalogue(home, reach.reachable_shelves(home, situation))
    entries = catalogue.entries
    return {
        "profile": situation.caller.profile,
        "workspace": None if project is None else {"key": project.key, "root": project.root},
        "session_id": situation.caller.session,
        "memories": _counts(entries),
        "waiting": sum(entry.status == PENDING for entry in entries),
        "unreadable": len(catalogue.caveats),
        "settings": {name: settings.flag(name) for name in GATES},
        "extraction": {
            "enabled": settings.flag("memoryEnabled"),
            "generate": settings.flag("memoryGenerate"),
            "extractor": settings.text("extractor"),
            **read_extraction(home, None if project is None else project.key),
        },
        "maintenance": settings.text("memoryMaintenance"),
        "index": index_status(situation),
    }


def list_categories(situation: Situation) -> list[dict[str, Any]]:
    """Return the known categories in their order, then those in use that are unknown, by name.

    Each has `id`, `meaning`, `policy`, `default`, `known`, and `count`: how many visible memories of any
    status have it as their first category. What is unknown counts as `other` as well.

    Raises:
        SettingsInvalid: The settings cannot be read.
    """
    home = open_home(situation.home)
    policies = situation.settings.table("memoryPolicies")
    used = [fold_category(entry.category) for entry in _visible(home, situation)]
    unknown = sorted({name for name in used if known_category(name).id != name})
    counted = [known_category(name).id for name in used] + [name for name in used if name in unknown]
    rows = [(category.id, category) for category in CATEGORIES]
    rows += [(name, known_category(name)) for name in unknown]
    return [
        {
            "id": name,
            "meaning": category.meaning if name == category.id else f"Not known: counts as {OTHER}.",
            "policy": find_policy(name, policies),
            "default": category.default,
            "known": name == category.id,
            "count": counted.count(name),
        }
        for name, category in rows
    ]


def shown(home: Home, entry: Entry, linking: Iterable[Entry]) -> Shown:
    """Return a memory with its links and revision, given the visible memories that link to it."""
    links = links_of(entry, linking)
    return Shown(entry, links, revision_of(entry, links), home.place(entry.path))


def links_into(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return, for each id that is linked to, the memories whose files hold the link."""
    incoming: dict[str, list[Entry]] = {}
    for entry in entries:
        for other, _ in entry.links:
            incoming.setdefault(other, []).append(entry)
    return incoming


def union(shelves: Sequence[Shelf], more: Sequence[Shelf]) -> tuple[Shelf, ...]:
    """Return each shelf once, in order."""
    return tuple(dict.fromkeys((*shelves, *more)))


def file_caveats(home: Home, shelves: Sequence[Shelf], catalogue: Catalogue) -> Iterator[Caveat]:
    """Yield what is wrong with files of `shelves`: unreadable, breaking a rule, or no memory at all."""
    folders = {shelf.folder for shelf in shelves}
    for caveat in catalogue.caveats:
        if os.path.dirname(caveat.details["file"]) in folders:
            yield caveat
    for entry in catalogue.entries:
        if entry.problems and entry.shelf in shelves:
            note = f"{entry.path}: {'; '.join(entry.problems)}."
            details = {"file": entry.path, "id": entry.id, "problems": list(entry.problems)}
            yield Caveat("entry_problem", note, details)
    for shelf in shelves:
        names = scan_names(home, shelf.folder)
        yield from irregular_caveats(shelf, names.irregular)
        for name in names.files:
            if name.endswith(".md") and id_of(name) is None:
                note = f"{shelf.folder}/{name} is no memory: its name is no id of 16 hex digits."
                yield Caveat("entry_name", note, {"file": f"{shelf.folder}/{name}"})


def _visible(home: Home, situation: Situation) -> tuple[Entry, ...]:
    return read_catalogue(home, visible_shelves(situation)).entries


def _counts(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return how many there are by scope and status, and how many are pinned."""
    by_scope = {
        scope: {
            **{status: _number(entries, scope, status) for status in STATUSES},
            "pinned": sum(entry.pinned for entry in entries if entry.shelf.scope == scope),
        }
        for scope in SCOPES
    }
    by_status = {status: sum(entry.status == status for entry in entries) for status in STATUSES}
    return {"total": len(entries), "by_scope": by_scope, "by_status": by_status}


def _number(entries: Sequence[Entry], scope: str, status: str) -> int:
    return sum(entry.shelf.scope == scope and entry.status == status for entry in entries)
