"""Which candidates get into the block: pinned ones, then matches, then a little of the rest, if they fit.

Every memory is read again from its file before it is placed, and left out silently unless it still qualifies
(ARCHITECTURE 4). No text is ever cut: what does not fit is left out whole, and said to be (case O-15).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from wuu.memory.context import block
from wuu.memory.context.block import Item
from wuu.memory.context.limits import Limits
from wuu.memory.context.scoring import Candidate, Ranking
from wuu.memory.context.values import (
    ENTRY_CAP,
    GROUP_BUDGET,
    MATCH,
    OVERALL_CAP,
    PINNED,
    REST,
    REST_SHARE,
    ContextEntry,
    LeftOutEntry,
)
from wuu.memory.entries import created_time, least_privileged
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.shelves import Shelf
from wuu.memory.standing import read_current
from wuu.store.home import Home
from wuu.text.budget import token_quarters

SHORTEST_ITEM = 40
"""Characters that an item has at least, so that a full block need not read on to know that it is full."""

_READ_AT_ONCE = 8


class Placed(NamedTuple):
    """The items of a block in their order with what they are, and what qualified and is not there."""

    items: tuple[Item, ...]
    entries: tuple[ContextEntry, ...]
    left_out: tuple[LeftOutEntry, ...]


def place(
    home: Home, ranking: Ranking, limits: Limits, twice: Mapping[str, tuple[Shelf, ...]], reserved: str
) -> Placed:
    """Return what gets into the block; `reserved` is the text around the items, at its longest.

    `twice` names the files that stand on several shelves; they are as little privileged as one of them says.
    """
    page = _Page(home, limits, twice, reserved)
    page.place_pinned(ranking.pinned)
    page.place(ranking.matches)
    page.place(ranking.rest)
    return Placed(tuple(page.items), tuple(page.entries), tuple(page.left_out))


class _Page:
    """The block as it fills up: what is in it, what is not, and how much room there is left."""

    def __init__(
        self, home: Home, limits: Limits, twice: Mapping[str, tuple[Shelf, ...]], reserved: str
    ) -> None:
        self._home, self._limits, self._twice = home, limits, twice
        self._room = None if limits.chars is None else limits.chars - len(reserved)
        self._quarters = 4 * limits.tokens - token_quarters(reserved)
        self._used = {PINNED: 0, MATCH: 0, REST: 0}
        self.items: list[Item] = []
        self.entries: list[ContextEntry] = []
        self.left_out: list[LeftOutEntry] = []

    def place_pinned(self, candidates: Sequence[Candidate]) -> None:
        """Place pinned memories, newest first: first those within a fair share, then larger ones.

        So no huge pin can push out small ones (case O-15); the order in the block is that of their age.
        """
        there = [(one, entry) for one, entry in self._current(candidates) if entry.pinned]
        there.sort(key=lambda pair: pair[0].id)
        there.sort(key=lambda pair: created_time(pair[1]), reverse=True)
        made = [(one, _item_of(one, entry)) for one, entry in there]
        is_large = self._tell_large([item for _, item in made])
        fits = {
            one.id: self._take(one, item)
            for large in (False, True)
            for one, item in made
            if is_large(item) is large
        }
        for one, item in made:
            self._put(one, item, fits[one.id])

    def place(self, candidates: Sequence[Candidate]) -> None:
        """Place what is not pinned, best first; a memory that does not fit makes way for a smaller one."""
        for start in range(0, len(candidates), _READ_AT_ONCE):
            chunk = candidates[start : start + _READ_AT_ONCE]
            worth_reading = [one for one in chunk if self._hopeless(one) is None]
            now = dict(self._current(worth_reading))
            for one in chunk:
                reason = self._hopeless(one)
                entry = now.get(one)
                if reason is None and entry is not None and not entry.pinned:
                    item = _item_of(one, entry)
                    self._put(one, item, self._take(one, item))
                elif reason is not None and (entry is not None or one not in worth_reading):
                    self._leave(one, reason)

    def _tell_large(self, items: Sequence[Item]) -> Callable[[Item], bool]:
        """Return what tells whether one of these items takes more than its share of the room for pins."""
        room = min(self._limits.groups[PINNED], self._quarters if self._room is None else self._room)
        most, quarters = room // max(len(items), 1), self._quarters // max(len(items), 1)

        def is_large(item: Item) -> bool:
            text = block.render_item(item)
            return len(text) > most or token_quarters(text) > quarters

        return is_large

    def _current(self, candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, Entry]]:
        """Yield the candidates as their files say they are now, without those that are not saved any more."""
        places = [(shelf, f"{one.id}.md") for one in candidates for shelf in self._shelves(one)]
        now = read_current(self._home, places)
        for one in candidates:
            found = [now.get((shelf, f"{one.id}.md")) for shelf in self._shelves(one)]
            entries = [entry for entry in found if entry is not None]
            if entries and (entry := reduce(least_privileged, entries)).status == SAVED:
                yield one, entry

    def _shelves(self, one: Candidate) -> tuple[Shelf, ...]:
        return self._twice.get(f"{one.id}.md", (one.shelf,))

    def _hopeless(self, one: Candidate) -> str | None:
        """Say why not even the shortest memory would fit for this candidate, or return None."""
        most = self._limits.entries.get(one.shelf.scope)
        there = sum(entry.scope == one.shelf.scope and entry.group != PINNED for entry in self.entries)
        if most is not None and there >= most:
            return ENTRY_CAP
        return self._objection(one.group, SHORTEST_ITEM, SHORTEST_ITEM)

    def _take(self, one: Candidate, item: Item) -> str | None:
        """Take the room of an item, or say why there is none."""
        text = block.render_item(item)
        size, quarters = len(text), token_quarters(text)
        reason = self._objection(one.group, size, quarters)
        if reason is None:
            self._used[one.group] += size
            self._quarters -= quarters
            self._room = None if self._room is None else self._room - size
        return reason

    def _objection(self, group: str, size: int, quarters: int) -> str | None:
        if quarters > self._quarters or (self._room is not None and size > self._room):
            return OVERALL_CAP
        shared = self._limits.relevance - self._used[MATCH] - self._used[REST]
        if group == PINNED:
            shared = self._limits.groups[PINNED] - self._used[PINNED]
        if group == REST and size > self._limits.groups[REST] - self._used[REST]:
            return REST_SHARE
        return GROUP_BUDGET if size > shared else None

    def _put(self, one: Candidate, item: Item, reason: str | None) -> None:
        if reason is None:
            self.items.append(item)
            chars = len(block.render_item(item))
            self.entries.append(
                ContextEntry(
                    one.id, item.text, item.scope, item.category, item.pinned, one.group, one.parts, chars
                )
            )
        else:
            self._leave(one, reason)

    def _leave(self, one: Candidate, reason: str) -> None:
        self.left_out.append(LeftOutEntry(one.id, one.group, reason, one.parts, self._instead(one, reason)))

    def _instead(self, one: Candidate, reason: str) -> tuple[str, ...]:
        """Return the memories that took the room: of its scope, of its group, or all of them."""
        there = [entry for entry in self.entries if reason != REST_SHARE or entry.group == REST]
        if reason == ENTRY_CAP:
            there = [entry for entry in there if entry.scope == one.shelf.scope and entry.group != PINNED]
        elif reason == GROUP_BUDGET:
            there = [entry for entry in there if (entry.group == PINNED) is (one.group == PINNED)]
        return tuple(entry.id for entry in there)


def _item_of(one: Candidate, entry: Entry) -> Item:
    created = created_time(entry)
    return Item(
        id=entry.id,
        scope=entry.shelf.scope,
        category=block.shown_category(entry.category),
        date=created[:10] or None,
        pinned=entry.pinned,
        verified=entry.verified_at,
        superseded_by=one.superseded_by,
        text=block.shown_text(entry.text),
    )
