"""Writes, renames, hand edits, forgets, crashes, recoveries, settlements and repairs, in any order.

The model knows the topics by the words in them, and that each has one line in the index. What a crash may
leave is two states: before and after. `tests/store/test_machine.py` has the same for plain files.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from cases.trees import entries
from store.checking import leftovers, outcome_under, tree
from store.faults import Killed, kill_at, no_fault
from wuu.errors import AlreadyExists, NotFound, RecoveryNeeded, WuuError
from wuu.notebook import actions
from wuu.notebook.values import EditTopic, Fields, ForgetTopic, RenameTopic, WriteTopic
from wuu.situation.caller import Caller
from wuu.situation.situation import Situation
from wuu.situation.writing import WriteOptions
from wuu.store import files
from wuu.store.home import Home
from wuu.store.locks import hold
from wuu.store.recovery import read_conflicts, recover, settle

INDEX = "MEMORY.md"
FILES = st.sampled_from(("owl.md", "elk.md", "fox.md", "jay.md"))
CALLS = st.integers(1, 85) | st.integers(52, 72)  # of a commit; the second: between decided and done
# Where a step is killed, and whether a person then edits one of its files before anybody recovers.
KILL = st.none() | st.tuples(CALLS, st.sampled_from((None, "index", "topic")))
OPTIONS = WriteOptions()
VERIFIED = "2026-05-01"


Kill = tuple[int, str | None]


class Topic(NamedTuple):
    """What the model knows of a topic: the words in it, in order, and whether somebody verified it."""

    words: tuple[str, ...]
    is_verified: bool = False


Topics = dict[str, Topic]


class Step(NamedTuple):
    """A use case, the topics that it leaves (None: it is refused), and what it is refused with."""

    act: Callable[[], object]
    after: Topics | None
    refusal: type[WuuError] | None = None


class NotebookMachine(RuleBasedStateMachine):
    """`topics` is what has to be there; with `interrupted` it may still be that, or become it.

    `odd` is set as long as the index may not fit the topics: after a person's edits, until a repair.
    """

    def __init__(self) -> None:
        super().__init__()
        self.flush = mock.patch.object(files, "_sync")
        self.flush.start()
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self.place = Path(tempfile.mkdtemp(prefix="wuu-tests-", dir=memory)).resolve()
        self.home = Home(str(self.place / "home"))
        self.folder = self.place / "home" / "memory"
        person = Caller(None, None, "default", None, None)
        self.situation = Situation(home=self.home.root, caller=person, cwd=str(self.place))
        self.topics: Topics = {}
        self.interrupted: Topics | None = None
        self.meant: Topics = {}  # what was interrupted, as it was asked for
        self.claimed: dict[str, Topic | None] = {}
        self.doomed: set[str] = set()
        self.fresh: set[str] = set()  # files that the interrupted change was to make
        self.titles: set[str] = set()  # files whose name is still the title of a renamed topic
        self.odd = self.parked = self.doubled = False
        self.words = 0
        self.edits: set[str] = set()
        actions.write_topic(
            self.situation, WriteTopic("start.md", "word\n", Fields(description="d")), OPTIONS
        )
        actions.forget_topic(self.situation, ForgetTopic("start.md"), OPTIONS)

    def teardown(self) -> None:
        shutil.rmtree(self.place)
        self.flush.stop()

    # --- the use cases ---

    @rule(file=FILES, replace=st.booleans(), kill=KILL)
    def write(self, file: str, kill: Kill | None, *, replace: bool) -> None:
        self._finish()
        word = self._word()
        request = WriteTopic(file, f"{word}\n", Fields(description="d"), replace=replace)
        after = {**self.topics, file: Topic((word,))}
        exists = file in self.topics and not replace
        act = self._calling(actions.write_topic, request)
        self._do(Step(act, None, AlreadyExists) if exists else Step(act, after), kill)

    @rule(file=FILES, verify=st.booleans(), kill=KILL)
    def edit(self, file: str, kill: Kill | None, *, verify: bool) -> None:
        self._finish()
        word = self._word()
        fields = Fields(verified=VERIFIED) if verify else Fields()
        act = self._calling(actions.edit_topic, EditTopic(file, fields, None if verify else word))
        old = self.topics.get(file)
        if old is None:
            self._do(Step(act, None, NotFound), kill)
            return
        new = old._replace(is_verified=True) if verify else old._replace(words=(*old.words, word))
        self._do(Step(act, {**self.topics, file: new}), kill)

    @rule(file=FILES, new=FILES, kill=KILL)
    def rename(self, file: str, new: str, kill: Kill | None) -> None:
        self._finish()
        if file == new:
            return
        act = self._calling(actions.rename_topic, RenameTopic(file, new))
        if file not in self.topics or new in self.topics:
            self._do(Step(act, None, AlreadyExists if file in self.topics else NotFound), kill)
            return
        after = {new if name == file else name: topic for name, topic in self.topics.items()}
        self.titles.add(file)
        self.doubled |= self.odd  # a dangling line of that name stays beside the renamed one
        self._do(Step(act, after), kill)

    @rule(file=FILES, kill=KILL)
    def forget(self, file: str, kill: Kill | None) -> None:
        self._finish()
        act = self._calling(actions.forget_topic, ForgetTopic(file))
        after = {name: topic for name, topic in self.topics.items() if name != file}
        gone = file not in self.topics and file not in entries(self._index())
        self._do(Step(act, None, NotFound) if gone else Step(act, after), kill)

    @rule(kill=KILL)
    def repair(self, kill: Kill | None) -> None:
        self._finish()
        if self._do(Step(lambda: actions.repair_notebook(self.situation, OPTIONS), self.topics), kill):
            self.odd = False

    # --- what a person does with an editor ---

    @rule(file=FILES)
    def edit_a_topic_by_hand(self, file: str) -> None:
        if (self.folder / file).exists():
            self._add_by_hand(file)

    @rule()
    def edit_the_index_by_hand(self) -> None:
        if (self.folder / INDEX).exists():
            self._add_by_hand(INDEX)

    def _edit_what_was_interrupted(self, what: str) -> None:
        names = self.topics.keys() | self.meant.keys()
        changed = sorted(name for name in names if self.topics.get(name) != self.meant.get(name))
        if what == "index":
            self.edit_the_index_by_hand()
        elif changed:
            self.edit_a_topic_by_hand(changed[0])

    @rule(file=FILES)
    def make_a_topic_by_hand(self, file: str) -> None:
        if not (self.folder / file).exists():
            (self.folder / file).write_text("---\nname: made\ndescription: d\n---\n\n")
            self._each(lambda topics: {**topics, file: topics.get(file, Topic(()))})
            self._add_by_hand(file)
            self.odd = True

    @rule(file=FILES)
    def remove_a_topic_by_hand(self, file: str) -> None:
        if self.interrupted is not None and (file not in self.topics or file in self.fresh):
            return  # recovery cannot tell it from a file that was not made yet, and makes it
        if (self.folder / file).exists():
            self.edits -= set(_words(self.folder / file))
            (self.folder / file).unlink()
            self._each(lambda topics: {name: one for name, one in topics.items() if name != file})
            self.odd = True

    def _add_by_hand(self, file: str) -> None:
        word = self._word()
        self.edits.add(word)
        with (self.folder / file).open("a") as stream:
            stream.write(f"{word}\n")
        self._each(
            lambda topics: {
                name: one._replace(words=(*one.words, word)) if name == file else one
                for name, one in topics.items()
            }
        )

    def _each(self, changed: Callable[[Topics], Topics]) -> None:
        """Change both states that there may be."""
        self.topics = changed(self.topics)
        if self.interrupted is not None:
            self.interrupted = changed(self.interrupted)

    # --- crashes and what comes of them ---

    @rule(kill=st.none() | CALLS)
    def recover(self, kill: int | None) -> None:
        if kill is None:
            self._finish()
        else:
            outcome_under(kill_at(kill), self._recover)

    @precondition(lambda self: self.parked)
    @rule(keep_prepared=st.booleans())
    def settle(self, *, keep_prepared: bool) -> None:
        self._finish()
        before = self._read()
        with hold(self.home, "settle"):
            for conflict in read_conflicts(self.home):
                assert not conflict.damaged
                settle(self.home, conflict.id, keep_prepared=keep_prepared)
        found = self._read()
        for file, wanted in self.claimed.items() if keep_prepared else ():
            assert found.get(file) == wanted
        if keep_prepared:
            self.edits -= self.doomed  # what the change was to remove goes now
        else:
            assert found == before
        self.topics, self.parked, self.odd = found, False, True

    def _recover(self) -> None:
        with hold(self.home, "recover"):
            recover(self.home)

    def _finish(self) -> None:
        """Let the next writer come: a change that was interrupted is made, never begun, or waits."""
        if self.interrupted is None:
            return
        self._recover()
        found, before, after = self._read(), self.topics, self.interrupted
        self.interrupted = None
        if read_conflicts(self.home):
            changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
            for name in (before.keys() | after.keys()) - changed:
                assert found[name] == before[name]
            self.claimed = {name: self.meant.get(name) for name in changed}
            self.parked = self.odd = True
        else:
            assert found in (before, after)
        self.topics = found
        self.edits -= set() if found == before else self.doomed

    def _do(self, step: Step, kill: Kill | None) -> bool:
        """Do one thing, perhaps killed at a call; return whether it was done."""
        fault = no_fault if kill is None or self.parked else kill_at(kill[0])
        ended, _ = outcome_under(fault, step.act)
        if isinstance(ended, Killed):
            self.interrupted = self.topics if step.after is None else step.after
            self.meant, self.doomed = dict(self.interrupted), self._dropped_by(self.interrupted)
            self.fresh = self.meant.keys() - self.topics.keys()
            if kill is not None and kill[1] is not None:
                self._edit_what_was_interrupted(kill[1])
            return False
        if self.parked and isinstance(ended, RecoveryNeeded):
            return False
        assert ended is None if step.refusal is None else isinstance(ended, step.refusal)
        if step.after is not None and ended is None:
            self.edits -= self._dropped_by(step.after)
            self.topics = step.after
        return ended is None

    def _dropped_by(self, after: Topics) -> set[str]:
        """Return the words that somebody asks to go."""
        had, has = (
            {word for one in topics.values() for word in one.words} for topics in (self.topics, after)
        )
        return had - has

    # --- what has to be ---

    @invariant()
    def no_edit_is_lost(self) -> None:
        data = b"\n".join(tree(self.home.root).values())
        if self.interrupted is None:
            assert {word for word in self.edits if not re.search(rf"\b{word}\b".encode(), data)} == set()

    @invariant()
    def the_topics_are_as_expected(self) -> None:
        if self.interrupted is None:
            assert self._read() == self.topics

    @invariant()
    def each_topic_has_one_line(self) -> None:
        if self.interrupted is None and not self.odd:
            found = entries(self._index())
            # A line that names a gone file may be about the topic of that title, and a repair leaves it.
            assert set(self.topics) <= set(found) <= set(self.topics) | self.titles
            assert self.doubled or self.titles or len(found) == len(self.topics)

    @invariant()
    def nothing_is_left_behind(self) -> None:
        if self.interrupted is None and not self.parked:
            assert [path for path in leftovers(self.home) if path.startswith(("journal", "conflicts"))] == []

    # --- looking ---

    def _calling(self, action: Callable[..., object], request: object) -> Callable[[], object]:
        return lambda: action(self.situation, request, OPTIONS)

    def _word(self) -> str:
        self.words += 1
        return f"word{self.words}"

    def _index(self) -> str:
        return (self.folder / INDEX).read_text() if (self.folder / INDEX).exists() else ""

    def _read(self) -> Topics:
        found = {}
        for place in sorted(self.folder.glob("*.md")):
            if place.name != INDEX:
                found[place.name] = Topic(_words(place), f"verified: {VERIFIED}" in place.read_text())
        return found


def _words(place: Path) -> tuple[str, ...]:
    return tuple(re.findall(r"\bword\d+\b", place.read_text()))


TestNotebook = NotebookMachine.TestCase
TestNotebook.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
