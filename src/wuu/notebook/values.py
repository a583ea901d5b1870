"""What callers ask of the notebook and what they get: plain values, nothing that reads or writes."""

from typing import Any, NamedTuple

from wuu.errors import Caveat
from wuu.problems import Problem


class Fields(NamedTuple):
    """Frontmatter to set. None leaves a field alone; `sources` are added to what is there."""

    name: str | None = None
    description: str | None = None
    type: str | None = None
    verified: str | None = None
    sources: tuple[str, ...] = ()

    def any(self) -> bool:
        """Tell whether there is anything to set."""
        return self != Fields()


class WriteTopic(NamedTuple):
    """Write a topic: `file` None makes a name from `fields.name`; `revision` is what the caller read."""

    file: str | None
    body: str
    fields: Fields
    replace: bool = False
    revision: str | None = None


class EditTopic(NamedTuple):
    """Set fields of a topic, or add `append` at its end, or both."""

    file: str
    fields: Fields
    append: str | None = None
    revision: str | None = None


class SaveText(NamedTuple):
    """Save `text`, which a person made out of `base` while the file may have changed."""

    file: str
    base: bytes
    text: str


class RenameTopic(NamedTuple):
    """Give a topic another file name; its text stays."""

    file: str
    new: str
    revision: str | None = None


class ForgetTopic(NamedTuple):
    """Remove a topic and its index line."""

    file: str
    revision: str | None = None


class Snapshot(NamedTuple):
    """`memory.notebook.snapshot.v1` of the seed, with what people are told beside it."""

    file: str
    found: bool
    revision: str | None
    content: str
    truncated: bool
    caveats: tuple[Caveat, ...] = ()

    def value(self) -> dict[str, Any]:
        """Return the JSON of the seed; `revision` is left out when nothing was found."""
        value = {
            "version": 1,
            "source": {"scope": "user_notebook", "file": self.file},
            "found": self.found,
            "content": self.content,
            "truncated": self.truncated,
        }
        return value if self.revision is None else {**value, "revision": self.revision}


class TopicList(NamedTuple):
    """`memory.notebook.list.v1` of the seed, with what people are told beside it."""

    value: dict[str, Any]
    caveats: tuple[Caveat, ...]


class BudgetReport(NamedTuple):
    """What of the index a session gets before a word is typed."""

    value: dict[str, Any]
    caveats: tuple[Caveat, ...]


class TopicHit(NamedTuple):
    """A topic that a search found: higher scores are better; `line` counts from 1."""

    file: str
    title: str
    score: float
    line: int
    snippet: str


class SearchResult(NamedTuple):
    """The best hits, and how many there are in all."""

    query: str
    hits: tuple[TopicHit, ...]
    total: int
    caveats: tuple[Caveat, ...]


class TopicChange(NamedTuple):
    """What a plan did to a topic: its name, and its index line and revision now, None where it has none."""

    verb: str
    file: str
    title: str
    type: str | None
    line: str | None
    revision: str | None
    caveats: tuple[Caveat, ...] = ()


class IndexLine(NamedTuple):
    """A line of the index that was added or dropped: the topic it is about, and its text without a marker."""

    file: str
    text: str


class Repaired(NamedTuple):
    """What a repair did or would do to lines of the index and to temporary files, and why not more."""

    added: tuple[IndexLine, ...]
    dropped: tuple[IndexLine, ...]
    temps: tuple[str, ...]
    caveats: tuple[Caveat, ...]


class Checked(NamedTuple):
    """What a check found, at how many files it looked, and in which folder (absolute)."""

    problems: tuple[Problem, ...]
    checked: int
    folder: str
