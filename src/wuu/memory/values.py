"""What callers ask of the memories and what they get: plain values, nothing that reads or writes."""

from typing import Any, NamedTuple

from wuu.errors import Caveat, WuuError
from wuu.memory.entries import Link
from wuu.memory.format.entry import Entry


class AddMemory(NamedTuple):
    """Remember `text` in `scope`. `evidence` holds `{kind, ref}` or the quote of a turn (CONTRACT).

    Of an agent: `message` is what the person typed, as it claims, and `approved` says that a person was shown
    this very request and wants it saved (the card); `stop_asking`, that they do not want to be asked again.
    """

    text: str
    scope: str
    category: str | None = None
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    pinned: bool = False
    sensitivity: str | None = None
    confidence: float | None = None
    verified: str | None = None
    evidence: tuple[dict[str, Any], ...] = ()
    message: str | None = None
    approved: bool = False
    stop_asking: bool = False
    classification: str | None = None


class ProposeChange(NamedTuple):
    """Propose to change a saved memory by `edit`, or with None to archive it."""

    id: str
    edit: "EditMemory | None" = None
    evidence: tuple[dict[str, Any], ...] = ()


class EditMemory(NamedTuple):
    """Change a memory; None leaves a field alone. `tags` and `categories` replace, the others add and remove.

    `scope` moves it, together with the rest or not at all. `revision` is what the caller has seen.
    """

    id: str
    text: str | None = None
    category: str | None = None
    categories: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    sensitivity: str | None = None
    confidence: float | None = None
    verified: str | None = None
    pinned: bool | None = None
    scope: str | None = None
    revision: str | None = None
    classification: str | None = None


class ChangeMemory(NamedTuple):
    """Do to one memory what `verb` says: `delete`, `archive`, `restore`, `pin` or `unpin`.

    `to` is where `restore` leads: `saved` or `pending`.
    """

    id: str
    verb: str
    to: str | None = None
    revision: str | None = None


class Filters(NamedTuple):
    """Which memories are listed; None does not filter. `session` is an id, `all`, or None: no session's.

    `text` has to occur in the text, in any case; `older_than` and `newer_than` are days since it was made.
    """

    text: str | None = None
    category: str | None = None
    tag: str | None = None
    scope: str | None = None
    status: str | None = None
    pinned: bool | None = None
    proposer: str | None = None
    older_than: int | None = None
    newer_than: int | None = None
    session: str | None = None
    limit: int | None = None


class Shown(NamedTuple):
    """A memory with its links, its revision and the absolute path of its file."""

    entry: Entry
    links: tuple[Link, ...]
    revision: str
    place: str


class MemoryList(NamedTuple):
    """Memories, newest first; how many there are in all; how many a limit left out."""

    memories: tuple[Shown, ...]
    total: int
    omitted: int
    caveats: tuple[Caveat, ...]


class MemoryHit(NamedTuple):
    """A memory that a search found, its score (higher is better), and the line to show."""

    memory: Shown
    score: float
    snippet: str


class MemorySearch(NamedTuple):
    """The best hits, and how many there are in all."""

    query: str
    hits: tuple[MemoryHit, ...]
    total: int
    caveats: tuple[Caveat, ...]


class MemoryChange(NamedTuple):
    """What a plan did: `verb` in the past, the memory as it is now (None: it is gone), what is said about it.

    `duplicate_of` is the id of a memory that has the text already; then nothing or only its status changed.
    `before` is the memory as it was, None for a new one. `waits` says why a proposal does (`asking`), and
    `target` is the memory whose change it proposes.
    """

    verb: str
    before: Entry | None
    after: Entry | None
    duplicate_of: str | None = None
    caveats: tuple[Caveat, ...] = ()
    waits: str | None = None
    target: Entry | None = None


class ApproveMemory(NamedTuple):
    """Approve the proposal `id`; with `revision` only if it still is what was shown.

    `text`, `scope` and `pinned` are what a person made of it while looking; None leaves it as proposed.
    """

    id: str
    revision: str | None = None
    text: str | None = None
    scope: str | None = None
    pinned: bool | None = None


class RejectMemory(NamedTuple):
    """Reject the proposal `id`; with `revision` only if it still is what was shown. `reason` is one line."""

    id: str
    revision: str | None = None
    reason: str | None = None


class Decided(NamedTuple):
    """What became of one of several proposals: what was done, or why it was not. `id` is the proposal's."""

    id: str
    change: MemoryChange | None = None
    error: WuuError | None = None


class Decisions(NamedTuple):
    """What became of several proposals, in the order in which they were named."""

    results: tuple[Decided, ...]
    caveats: tuple[Caveat, ...] = ()


class Preview(NamedTuple):
    """What approving a proposal would do now: `before` becomes `after`, or `error` says why it cannot be.

    `before` is None for a new memory. `after` is there even with an `error` where it can be told.
    """

    before: Entry | None
    after: Entry | None
    error: WuuError | None = None
