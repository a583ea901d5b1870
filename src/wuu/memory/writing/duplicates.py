"""Which memories have a text already, in other case or spacing too (FACTS, "MendCode memories").

Owns the comparison over whole shelves, quick enough to be done with the lock held: the key of a text is made
only if its last word is the one that is looked for. A file that cannot be read is nobody's duplicate.
"""

from collections.abc import Iterable

from wuu.errors import AlreadyExists
from wuu.memory.entries import read_bodies, read_entry
from wuu.memory.format.entry import Entry
from wuu.memory.shelves import Shelf
from wuu.memory.writing.notices import named
from wuu.store.home import Home
from wuu.text.normalise import duplicate_key


def find_duplicates(home: Home, shelves: Iterable[Shelf], text: str) -> list[Entry]:
    """Return the memories of `shelves` whose text counts as the same as `text`, whatever their status."""
    key = duplicate_key(text)
    last = _last_word(key)
    found = (
        read_entry(home, shelf, memory_id)
        for shelf, memory_id, body in read_bodies(home, shelves)
        if _last_word(body) == last and duplicate_key(body) == key
    )
    return [entry for entry in found if entry is not None]


def refuse_duplicate(
    home: Home, shelves: Iterable[Shelf], entry: Entry, statuses: Iterable[str] | None = None
) -> None:
    """Refuse if a memory other than `entry` has its text; only those with one of `statuses`, where given.

    Raises:
        AlreadyExists: There is one. A proposed change of a memory is none.
    """
    wanted = None if statuses is None else frozenset(statuses)
    for other in find_duplicates(home, shelves, entry.text):
        counts = not other.proposes_change and (wanted is None or other.status in wanted)
        if counts and other.id != entry.id:
            raise AlreadyExists(
                f"{named(other)} says the same ({other.status}, {other.shelf.scope}).",
                hint=f"Look at it: wuu memory show {other.id}",
                id=other.id,
            )


def _last_word(text: str) -> str:
    """Return the end of the duplicate key of a text, told without making the whole key."""
    words = text.rsplit(None, 1)
    return duplicate_key(words[-1]).rpartition(" ")[2] if words else ""
