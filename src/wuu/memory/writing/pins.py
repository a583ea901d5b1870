"""Whether a shelf has room for another pin, told from what stands on it now (seed 002, "Pinned")."""

from wuu.memory.entries import read_catalogue
from wuu.memory.format.entry import Entry
from wuu.memory.writing import lifecycle
from wuu.store.home import Home


def refuse_without_room(home: Home, entry: Entry) -> None:
    """Refuse a pin that `entry` does not have yet on its shelf, where there is no room for it.

    Raises:
        PinLimit: There is none.
    """
    there = read_catalogue(home, (entry.shelf,)).entries
    lifecycle.refuse_without_room(entry.shelf, [one for one in there if one.pinned])
