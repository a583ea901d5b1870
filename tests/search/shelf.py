"""A shelf of notes that exist only as values, for an index that never touches a note itself."""

from dataclasses import dataclass, field

from wuu.search.index import SearchIndex
from wuu.store.files import FileStat
from wuu.text.words import words

LONG_AGO = 1_600_000_000_000_000_000  # nanoseconds


@dataclass
class Shelf:
    """Texts by name, their stats, and the names that were loaded since one last looked."""

    texts: dict[str, str | None] = field(default_factory=dict)
    stats: dict[str, FileStat] = field(default_factory=dict)
    loaded: list[str] = field(default_factory=list)
    inode: int = 100

    def put(self, name: str, text: str | None, **stat: int) -> None:
        """Lay a text on the shelf as an editor does, in a file of its own; `stat` says what is different."""
        self.inode += 1
        usual = {"size": len(text or ""), "mtime_ns": LONG_AGO, "ctime_ns": LONG_AGO, "inode": self.inode}
        self.texts[name] = text
        self.stats[name] = FileStat(name, **(usual | stat))

    def drop(self, name: str) -> None:
        del self.texts[name], self.stats[name]

    def load(self, name: str) -> str | None:
        self.loaded.append(name)
        return self.texts[name]

    def newly_loaded(self) -> list[str]:
        names, self.loaded = sorted(self.loaded), []
        return names

    def listing(self) -> list[FileStat]:
        return list(self.stats.values())


def full_shelf() -> Shelf:
    """Return enough notes for an index of some dozens of pages; each has one word of its own, `only7x`."""
    shelf = Shelf()
    for number in range(150):
        talk = " ".join(f"word{number * step % 997:03}" for step in range(2, 60))
        shelf.put(f"note-{number:03}.md", f"# Note {number}\n\nonly{number}x\n{talk}\n")
    return shelf


def found(index: SearchIndex, query: str) -> list[str]:
    """Return the names that a typed query finds, best first."""
    return [hit.name for hit in index.search(words(query), 50).best]
