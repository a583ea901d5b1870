"""How far a call reaches: which memories it names by id, and among which it looks for duplicates and links.

One answer for reading and for writing, so that a revision that was shown is the one that is compared.
"""

from wuu.memory.entries import get_entry, linkers, links_of, revision_of
from wuu.memory.format.entry import Entry
from wuu.memory.shelves import Shelf, session_shelves, visible_shelves
from wuu.memory.values import Shown
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.home import Home


def reachable_shelves(home: Home, situation: Situation) -> tuple[Shelf, ...]:
    """Return the shelves whose memories can be named by id: the visible ones and every session's here."""
    found = situation.workspace
    sessions = () if isinstance(found, NoProject) else session_shelves(home, found.key)
    return (*visible_shelves(situation), *sessions)


def get_reachable(home: Home, situation: Situation, prefix: str) -> Entry:
    """Return the one memory that this call can name by `prefix`; see `entries.get_entry`."""
    return get_entry(home, reachable_shelves(home, situation), prefix)


def shown(home: Home, situation: Situation, entry: Entry) -> Shown:
    """Return a memory with the links that this call can see, its revision and its absolute place."""
    links = links_of(entry, linkers(home, visible_shelves(situation), entry.id))
    return Shown(entry, links, revision_of(entry, links), home.place(entry.path))
