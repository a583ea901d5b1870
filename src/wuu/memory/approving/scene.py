"""The shelves as one plan sees them, read once: for what decides about many memories in one pass.

Owns what has to be known of all memories to decide about one: links and revisions, which texts are saved, how
many pins a shelf has. `put` tells it what was decided, so that the next decision counts on it.
"""

from collections.abc import Container, Iterable

from wuu.errors import NotFound, WuuError
from wuu.memory import reach
from wuu.memory.entries import Catalogue, links_of, read_catalogue, revision_of
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.reading import links_into
from wuu.memory.shelves import Shelf, near_shelves, visible_shelves
from wuu.memory.values import Shown
from wuu.memory.writing import lifecycle
from wuu.memory.writing.notices import named
from wuu.situation.situation import Situation
from wuu.store.home import Home
from wuu.text.normalise import duplicate_key

_FULL_ID = 16


class Scene:
    """Every memory that the call can name by id, each once."""

    def __init__(self, home: Home, situation: Situation) -> None:
        self.home, self.situation = home, situation
        self.shelves = reach.reachable_shelves(home, situation)
        self.catalogue: Catalogue = read_catalogue(home, self.shelves)
        self._entries = self.catalogue.by_id()
        visible = frozenset(visible_shelves(situation))
        self._incoming = links_into(one for one in self.catalogue.entries if one.shelf in visible)
        self._near = frozenset(near_shelves(situation))
        self._saved: dict[str, list[str]] | None = None
        self._gone: set[str] = set()

    def get(self, prefix: str) -> Entry:
        """Return the one memory whose id begins with `prefix`, as `reach.get_reachable` does.

        Raises:
            NotFound, Ambiguous: It is not there, not there any more, or not unique.
            NotUtf8, UnsafeFile, TooLarge, IoProblem: Its file cannot be read.
        """
        found = self._entries.get(prefix) if len(prefix) == _FULL_ID else None
        if found is not None and not _stands_twice(found):
            return found
        entry = reach.get_reachable(self.home, self.situation, prefix)
        if entry.id in self._gone:
            raise NotFound(f"{named(entry)} was decided already.", id=entry.id, decided=True)
        return self._entries.get(entry.id, entry)

    def find(self, memory_id: str) -> Entry | None:
        """Return a memory, or None if there is none of this id that can be read."""
        return self._entries.get(memory_id)

    def shown(self, entry: Entry) -> Shown:
        """Return a memory with its links, its revision and its absolute place."""
        links = links_of(entry, self._incoming.get(entry.id, ()))
        return Shown(entry, links, revision_of(entry, links), self.home.place(entry.path))

    def find_saved(self, text: str, but: Iterable[str], shelf: Shelf) -> Entry | None:
        """Return a saved memory near this call or on `shelf` that has `text`; those in `but` do not count."""
        if self._saved is None:
            self._saved = {}
            for entry in self._entries.values():
                self._note(entry)
        ids = self._saved.get(duplicate_key(text), ())
        others = [self._entries[one] for one in ids if one not in but and one in self._entries]
        return next((one for one in others if one.shelf in self._near or one.shelf == shelf), None)

    def refuse_without_room(self, entry: Entry) -> None:
        """Refuse one more pin on the shelf of `entry` where there is no room.

        Raises:
            PinLimit: There is none.
        """
        pinned = [one for one in self._entries.values() if one.pinned and one.shelf == entry.shelf]
        lifecycle.refuse_without_room(entry.shelf, [one for one in pinned if one.id != entry.id])

    def put(self, entry: Entry) -> None:
        """Note what a memory has become."""
        self._entries[entry.id] = entry
        if self._saved is not None:
            self._note(entry)

    def remove(self, memory_id: str) -> None:
        """Note that a memory is gone."""
        self._entries.pop(memory_id, None)
        self._gone.add(memory_id)

    def unreadable(self, folders: Container[str]) -> list[tuple[str, WuuError]]:
        """Return the ids of the files in `folders` that cannot be read, each with what keeps it from that."""
        found = []
        for caveat in self.catalogue.caveats:
            folder, _, name = str(caveat.details["file"]).rpartition("/")
            if folder not in folders:
                continue
            memory_id = name.removesuffix(".md")
            try:
                reach.get_reachable(self.home, self.situation, memory_id)
            except WuuError as error:
                found.append((memory_id, error))
        return found

    def _note(self, entry: Entry) -> None:
        if self._saved is not None and entry.status == SAVED:
            self._saved.setdefault(duplicate_key(entry.text), []).append(entry.id)


def told(entry: Entry) -> str:
    """Return how a sentence calls a memory and where it stands."""
    return f"{named(entry)} ({entry.status}, {entry.shelf.scope})"


def _stands_twice(entry: Entry) -> bool:
    return any(problem.startswith("the same id is in ") for problem in entry.problems)
