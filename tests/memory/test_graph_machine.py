"""Links over real files against a model that knows pairs and kinds alone: whatever the order of the steps."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memory.conftest import PLAIN, Room, after
from wuu.errors import LinkLimit, Refused
from wuu.memory.format.entry import LINK_KINDS, SAVED
from wuu.memory.graph.actions import link_memories, unlink_memories, upsert_fact
from wuu.memory.graph.values import LinkMemories, UnlinkMemories, UpsertFact
from wuu.memory.links import SYMMETRIC

NUMBERS = st.integers(0, 5)
KINDS = st.sampled_from(LINK_KINDS)


class Links(RuleBasedStateMachine):
    """Six memories, two of them the person's own."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp(prefix="wuu-links-"))
        self.room = Room(self.place)
        self.ids = [
            after(self.room.add(f"Fact {at}.", "user" if at < 2 else "project")).id for at in range(6)
        ]
        self.status = dict.fromkeys(self.ids, SAVED)
        self.scope = {one: "user" if at < 2 else "project" for at, one in enumerate(self.ids)}
        self.pairs: dict[frozenset[str], tuple[str, str]] = {}  # the source (or smaller id) and the kind
        self.number = 0

    def teardown(self) -> None:
        shutil.rmtree(self.place)

    def _pick(self, one: int, other: int) -> tuple[str, str]:
        return self.ids[one], self.ids[other]

    @rule(one=NUMBERS, other=NUMBERS, kind=KINDS)
    def link(self, one: int, other: int, kind: str) -> None:
        source, target = self._pick(one, other)
        request = LinkMemories(source, target, kind)
        if source == target or {self.status[source], self.status[target]} != {SAVED}:
            self._refused(lambda: link_memories(self.room.asks(), request, PLAIN))
            return
        link_memories(self.room.asks(), request, PLAIN)
        holder = min(source, target) if kind in SYMMETRIC else source
        self.pairs[frozenset((source, target))] = (holder, kind)

    @rule(one=NUMBERS, other=NUMBERS)
    def unlink(self, one: int, other: int) -> None:
        source, target = self._pick(one, other)
        if source != target:
            unlink_memories(self.room.asks(), UnlinkMemories(source, target), PLAIN)
            self.pairs.pop(frozenset((source, target)), None)

    @rule(one=NUMBERS, other=NUMBERS, kind=KINDS)
    def upsert(self, one: int, other: int, kind: str) -> None:
        source, target = self._pick(one, other)
        self.number += 1
        request = UpsertFact(f"Fact changed {self.number}.", source, links=((target, kind),))
        if source == target or {self.status[source], self.status[target]} != {SAVED}:
            if self.status[source] == SAVED:
                self._refused(lambda: upsert_fact(self.room.asks(), request, PLAIN))
            return
        upsert_fact(self.room.asks(), request, PLAIN)
        holder = min(source, target) if kind in SYMMETRIC else source
        self.pairs[frozenset((source, target))] = (holder, kind)

    @rule(one=NUMBERS)
    def edit(self, one: int) -> None:
        self.number += 1
        self.room.edit(self.ids[one], text=f"Fact edited {self.number}.")

    @rule(one=NUMBERS, scope=st.sampled_from(("user", "project")))
    def move(self, one: int, scope: str) -> None:
        if self.status[self.ids[one]] == SAVED:
            self.room.edit(self.ids[one], scope=scope)

    @rule(one=NUMBERS)
    def put_away(self, one: int) -> None:
        self.room.change("archive", self.ids[one])
        self.status[self.ids[one]] = "archived"

    @rule(one=NUMBERS)
    def bring_back(self, one: int) -> None:
        if self.status[self.ids[one]] != SAVED:
            self.room.change("restore", self.ids[one])
            self.status[self.ids[one]] = SAVED

    @precondition(lambda self: len(self.ids) == 6)
    @rule(one=st.integers(2, 5))
    def delete(self, one: int) -> None:
        gone = self.ids[one]
        self.room.change("delete", gone)
        self.number += 1
        self.ids[one] = after(self.room.add(f"Fact anew {self.number}.")).id
        self.status[self.ids[one]] = SAVED
        self.pairs = {pair: what for pair, what in self.pairs.items() if gone not in pair}

    def _refused(self, act: Any) -> None:
        try:
            act()
        except (Refused, LinkLimit):
            return
        raise AssertionError("nothing was refused")

    @invariant()
    def files_hold_just_the_links_of_the_model(self) -> None:
        entries = [*self.room.entries("user"), *self.room.entries("project")]
        found = {(one.id, target, kind) for one in entries for target, kind in one.links}
        wanted = {(holder, *(pair - {holder}), kind) for pair, (holder, kind) in self.pairs.items()}
        assert found == wanted


TestLinks = Links.TestCase
TestLinks.settings = settings(max_examples=12, stateful_step_count=20, deadline=None)
