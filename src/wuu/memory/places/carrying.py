"""What must still hold of memories whose project got another key: pins, proposals, and what was rejected.

A revision is over the path of a memory as well (CONTRACT, "memory"), so a proposal that names one would be
stale by the move alone. Only the line of the proposal is changed in such a file.
"""

from collections.abc import Iterator

from wuu.errors import PinLimit, TooLarge, UnsafeFile
from wuu.memory.approving.rejected import REJECTED_FILE
from wuu.memory.entries import links_of, read_catalogue, revision_of
from wuu.memory.reading import links_into
from wuu.memory.shelves import PROFILES, WORKSPACES, Shelf, project_shelf, session_shelves, user_shelf
from wuu.memory.writing.lifecycle import MAX_PINS
from wuu.store.changes import Change, change
from wuu.store.files import MAX_CHANGE_BYTES
from wuu.store.home import Home

_PROPOSAL, _REVISION = b"proposal:", b"target_revision"


def check_pins(home: Home, source: str, target: str) -> None:
    """Refuse to bring more pins together than a project can have.

    Raises:
        PinLimit: It would have more than 20.
        UnsafeFile, IoProblem: A shelf cannot be read.
    """
    shelves = (project_shelf(source), project_shelf(target))
    pinned = [one.shelf for one in read_catalogue(home, shelves).entries if one.pinned]
    if len(set(pinned)) > 1 and len(pinned) > MAX_PINS:
        note = f"{len(pinned)} memories would be pinned in this project, and {MAX_PINS} is the most."
        raise PinLimit(note, hint="Unpin some: wuu memory unpin ID.", limit=MAX_PINS)


def new_names(home: Home, profile: str, source: str, target: str) -> dict[bytes, bytes]:
    """Return what proposals name, as it is and as it will be: the workspace, and revisions of its memories.

    Raises:
        UnsafeFile, IoProblem: A shelf cannot be read.
    """
    near = (user_shelf(profile), project_shelf(source))
    entries = read_catalogue(home, (*near, *session_shelves(home, source))).entries
    incoming = links_into(entry for entry in entries if entry.shelf in near)
    found = {f'"{source}"'.encode(): f'"{target}"'.encode()}
    for entry in entries:
        if entry.shelf.workspace == source:
            links = links_of(entry, incoming.get(entry.id, ()))
            after = entry._replace(shelf=_moved(entry.shelf, source, target))
            found[revision_of(entry, links).encode()] = revision_of(after, links).encode()
    return found


def with_names(data: bytes, names: dict[bytes, bytes]) -> bytes:
    """Return a file whose proposal says the new names; any other file as it is."""
    if _REVISION not in data:
        return data
    lines = data.split(b"\n")
    for at, line in enumerate(lines):
        if line.startswith(_PROPOSAL) and _REVISION in line:
            for old, new in names.items():
                line = line.replace(old, new)  # noqa: PLW2901
            lines[at] = line
            break
    return b"\n".join(lines)


def plan_proposals(home: Home, names: dict[bytes, bytes]) -> Iterator[Change]:
    """Plan that proposals among the user's memories, of any profile, say the new names.

    Raises:
        UnsafeFile, IoProblem: A shelf cannot be read.
    """
    for shelf in map(user_shelf, home.folders(PROFILES)):
        for entry in read_catalogue(home, (shelf,)).entries:
            data = home.read(entry.path, follow=False) if entry.proposal else None
            after = None if data is None else with_names(data, names)
            if after != data:
                yield change(entry.path, data, after)


def plan_rejected(home: Home, source: str, target: str) -> tuple[Change, ...]:
    """Plan that what was rejected in the project stays so; a file that cannot be read says nothing.

    Raises:
        IoProblem: The system refused.
    """
    try:
        data = home.read(REJECTED_FILE, limit=MAX_CHANGE_BYTES, follow=False)
    except (TooLarge, UnsafeFile):
        return ()
    old, new = (f'"{WORKSPACES}/{key}/'.encode() for key in (source, target))
    if data is None or old not in data:
        return ()
    return (change(REJECTED_FILE, data, data.replace(old, new)),)


def _moved(shelf: Shelf, source: str, target: str) -> Shelf:
    inside = shelf.folder.removeprefix(f"{WORKSPACES}/{source}/")
    return shelf._replace(folder=f"{WORKSPACES}/{target}/{inside}", workspace=target)
