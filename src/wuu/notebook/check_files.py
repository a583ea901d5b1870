"""Problems of the names in a notebook's folder: no plain files, one name twice, conflict copies, temps.

Owns what the copies of synchronisation services are called. It opens no file; hidden names are nobody's
business but for wuu's own temporary files.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wuu.notebook.topics import INDEX, irregular_in
from wuu.problems import Problem, problem
from wuu.store.files import TEMP_PREFIX, Scan
from wuu.text.normalise import path_key
from wuu.text.safety import visible

_WORDS = (
    "conflicted copy|konfliktkopie|in konflikt stehende kopie|copie en conflit|copia en conflicto"
    "|copia conflictiva|copia in conflitto|cópia em conflito|cópia conflitante|conflicterende kopie"
    "|конфликтующая копия|sfconflict"
)
_WORDS_WITHOUT_BLANKS = "競合コピー|冲突副本|衝突複本|충돌하는 사본"
_BY_DROPBOX = "(?:case|unicode encoding|selective sync) conflict(?: [0-9]+)?"
_COPIES = (
    re.compile(
        rf"(?P<stem>.+?) \((?:{_BY_DROPBOX}"
        rf"|[^()]*?(?:(?<!\w)(?:{_WORDS})(?!\w)|{_WORDS_WITHOUT_BLANKS})[^()]*)\)(?P<end>.*)",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<stem>.+)\.sync-conflict-[0-9]{8}-[0-9]{6}(?:-[A-Z0-9]*)?(?P<end>.*)"),
    re.compile(r"(?P<stem>.+?)_conflict-(?:.+-)?[0-9]{8}-[0-9]{6}(?P<end>.*)"),
    re.compile(r"(?P<stem>.+)\.variant-[0-9a-f]{4}(?P<end>\..*)?"),
    re.compile(
        r"(?P<stem>.+) \((?:copy: )?conflict(?: #?[0-9]+)? on [0-9]{4}-[0-9]{2}-[0-9]{2}\)(?P<end>.*)"
    ),
)
"""The forms of Dropbox, Nextcloud, Obsidian Sync and Seafile; Syncthing; old ownCloud; git-annex; Unison."""


class Folder(NamedTuple):
    """What stands in a notebook's folder: its files and links as scanned, and the names of its subfolders."""

    scan: Scan
    subfolders: tuple[str, ...]


def find_in_names(folder: Folder, *, writer_at_work: bool) -> Iterator[Problem]:
    """Yield what the names alone tell; the temporary file of a `writer_at_work` is no problem."""
    yield from _unsafe(folder)
    yield from _collisions(folder)
    originals = {name: find_original(name) for name in folder.scan.names}
    yield from _copies(folder, {name: original for name, original in originals.items() if original})
    if not writer_at_work:
        for name in temps_in(folder.scan):
            note = f"{shown(name)} is a temporary file that a killed writer left."
            yield problem("leftover_temp", shown(name), None, note, "Delete it; wuu notebook repair does.")


def temps_in(scan: Scan) -> list[str]:
    """Return the names of wuu's own temporary files."""
    return [name for name in scan.names if name.startswith(TEMP_PREFIX)]


def is_sync_conflict(name: str) -> bool:
    """Tell whether a file is a second copy that a synchronisation service made in a conflict."""
    return find_original(name) is not None


def find_original(name: str) -> str | None:
    """Return the name of the file that `name` is a conflict copy of, or None if it is none."""
    if name.startswith(".") or ("onfli" not in name and name.isascii() and ".variant-" not in name):
        return None
    match = next((found for shape in _COPIES if (found := shape.fullmatch(name))), None)
    return None if match is None else match["stem"].rstrip() + (match["end"] or "")


def shown(name: str) -> str:
    """Return a name as one line that can be printed and encoded, whatever bytes it holds."""
    return name if name.isprintable() else visible(name, tabs=False).replace("\n", r"\x0a")


def _unsafe(folder: Folder) -> Iterator[Problem]:
    note = "is a link, a special file or no plain name, and is not read"
    fix = "Put a plain file with a plain name in its place."
    odd = [name for name in folder.scan.names if _is_odd_topic(name)]
    for name in sorted({*irregular_in(folder.scan), *odd}):
        yield problem("unsafe_file", shown(name), None, f"{shown(name)} {note}.", fix)
    for name in folder.subfolders:
        if name.endswith(".md") and not name.startswith(".") and name != INDEX:
            yield problem(
                "unsafe_file", shown(name), None, f"{shown(name)} is a folder.", "Rename the folder."
            )


def _is_odd_topic(name: str) -> bool:
    """Tell whether a visible Markdown file has a name with a separator of Windows in it."""
    return "\\" in name and name.endswith(".md") and not name.startswith(".")


def _collisions(folder: Folder) -> Iterator[Problem]:
    groups: dict[str, list[str]] = defaultdict(list)
    for name in (*folder.scan.names, *folder.scan.irregular, *folder.subfolders):
        if not name.startswith("."):
            groups[path_key(name)].append(name)
    for key, names in groups.items():
        if len(names) > 1 and key.endswith(".md"):
            first, *others = sorted(names, key=lambda name: (name != INDEX, name))
            for name in others:
                pair = f"{shown(name)} and {shown(first)}"
                note = f"{pair} are one name on a disk that ignores case or Unicode form."
                yield problem("name_collision", shown(name), None, note, "Rename one of them, or merge them.")


def _copies(folder: Folder, originals: Mapping[str, str]) -> Iterator[Problem]:
    there = {*folder.scan.names, *folder.scan.irregular}
    for name, original in originals.items():
        of = f" of {shown(original)}" if original in there else ""
        note = f"{shown(name)} is a copy{of} that a synchronisation service made of two different versions."
        fix = f"Merge it into {shown(original)} and delete it."
        yield problem("sync_conflict", shown(name), None, note, fix)
