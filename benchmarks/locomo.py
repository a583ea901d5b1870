"""How well search finds what a question needs: recall on LoCoMo, beside two plain ways to use FTS5.

Run by hand: `python benchmarks/locomo.py [locomo10.json]`; without a path the file is looked for where
WUU_SHARED_DATA says. Each turn of a conversation is a memory, each conversation a store of its own, and each
question of categories 1 to 4 a query. Whatever was chosen was chosen on the first five conversations.
"""

import json
import os
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from measuring import say

from wuu.ids import sha256_hex
from wuu.memory.find import search_memories
from wuu.memory.format.entry import SAVED, Entry, render_entry
from wuu.memory.shelves import Shelf, project_shelf
from wuu.memory.values import Filters
from wuu.situation.situation import Situation, resolve_situation
from wuu.text.irregular import STOP_WORDS

FILE = "locomo10.json"
CATEGORIES = (1, 2, 3, 4)
CHOSEN_ON = 5
DEPTHS = (5, 10)
GOALS = {5: 0.56, 10: 0.63}

_TURN = re.compile(r"D\d+:\d+")
_WORD = re.compile(r"\w+")
_DATE = "%I:%M %p on %d %B, %Y"


class Turn(NamedTuple):
    """One thing that was said: by whom, what, and when its session was."""

    key: str
    text: str
    at: datetime


class Question(NamedTuple):
    """A question and the keys of the turns that answer it, of those that exist."""

    text: str
    evidence: frozenset[str]


class Conversation(NamedTuple):
    """Everything that was said, and what is asked about it."""

    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


Search = Callable[[str], Sequence[str]]


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed."""
    conversations = read_conversations(data_path())
    ways = {
        "FTS5, OR": plain_search,
        "FTS5, OR, Porter, stop words": porter_search,
        "wuu memory search": our_search,
    }
    asked = sum(len(one.questions) for one in conversations)
    print(f"{len(conversations)} conversations, {asked:,} questions; recall@5 / recall@10")
    print(f"{'':30}{'chosen on (1-5)':>18}{'held out (6-10)':>18}{'all':>18}")
    recalls: dict[int, float] = {}
    for name, way in ways.items():
        say(f"{name} …")
        found = [measure(one, way) for one in conversations]
        groups = (found[:CHOSEN_ON], found[CHOSEN_ON:], found)
        print(f"{name:30}" + "".join(f"{_shown(group):>18}" for group in groups))
        recalls = _mean(found)
    print("goal for the last one: " + ", ".join(f"recall@{depth} >= {goal}" for depth, goal in GOALS.items()))
    return 0 if all(recalls[depth] >= goal for depth, goal in GOALS.items()) else 1


def read_conversations(path: str) -> list[Conversation]:
    """Return the conversations of a LoCoMo file."""
    with open(path, encoding="utf-8") as file:
        return [_conversation(one) for one in json.load(file)]


def measure(
    conversation: Conversation, way: Callable[[Sequence[Turn]], Iterator[Search]]
) -> dict[int, list[float]]:
    """Return, for each depth, which share of its evidence each question finds."""
    shares: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    for search in way(conversation.turns):
        for question in conversation.questions:
            found = search(question.text)
            for depth in DEPTHS:
                hits = question.evidence.intersection(found[:depth])
                shares[depth].append(len(hits) / len(question.evidence))
    return shares


def plain_search(turns: Sequence[Turn]) -> Iterator[Search]:
    """Yield FTS5 as it is: any word of the question, in the order of its own BM25."""
    yield from _fts5(turns, "unicode61", frozenset())


def porter_search(turns: Sequence[Turn]) -> Iterator[Search]:
    """Yield FTS5 with its Porter tokenizer, and questions without stop words."""
    yield from _fts5(turns, "porter unicode61", frozenset(STOP_WORDS))


def our_search(turns: Sequence[Turn]) -> Iterator[Search]:
    """Yield wuu's search over files in a home of its own."""
    with tempfile.TemporaryDirectory(prefix="wuu-locomo-") as folder:
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        project = os.path.join(folder, "project")
        os.mkdir(project)
        environ = {"HOME": folder, "WUU_HOME": os.path.join(folder, "home")}
        situation = resolve_situation(environ=environ, cwd=os.path.realpath(project))
        keys = dict(write_memories(situation, turns))
        yield lambda query: [
            keys[hit.memory.entry.id]
            for hit in search_memories(situation, query, Filters(), limit=max(DEPTHS)).hits
        ]


def write_memories(situation: Situation, turns: Sequence[Turn]) -> Iterator[tuple[str, str]]:
    """Write each turn as a saved memory of the project; yield its id and its key."""
    shelf = project_shelf(situation.get_workspace().key)
    folder = os.path.join(situation.home, shelf.folder)
    os.makedirs(folder, mode=0o700)
    for turn in turns:
        entry = _entry(shelf, turn)
        with open(os.path.join(folder, f"{entry.id}.md"), "w", encoding="utf-8", newline="") as file:
            file.write(render_entry(entry))
        yield entry.id, turn.key


def _entry(shelf: Shelf, turn: Turn) -> Entry:
    created = turn.at.strftime("%Y-%m-%dT%H:%M:00.000000Z")
    return Entry(sha256_hex(turn.key.encode())[:16], shelf, SAVED, turn.text, created_at=created)


def _fts5(turns: Sequence[Turn], tokenizer: str, left_out: frozenset[str]) -> Iterator[Search]:
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE terms USING fts5 (key UNINDEXED, text, tokenize='{tokenizer}')")
    database.executemany("INSERT INTO terms VALUES (?, ?)", ((turn.key, turn.text) for turn in turns))

    def search(query: str) -> list[str]:
        words = [word for word in _WORD.findall(query.lower()) if word not in left_out]
        if not words:
            return []
        expression = " OR ".join(f'"{word}"' for word in words)
        best = "SELECT key FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?"
        return [key for (key,) in database.execute(best, (expression, max(DEPTHS)))]

    yield search
    database.close()


def _conversation(value: dict[str, Any]) -> Conversation:
    turns = tuple(_turns(value["conversation"]))
    known = {turn.key for turn in turns}
    questions = (
        Question(one["question"], frozenset(_TURN.findall(" ".join(one.get("evidence", ())))) & known)
        for one in value["qa"]
        if one["category"] in CATEGORIES
    )
    return Conversation(turns, tuple(question for question in questions if question.evidence))


def _turns(value: dict[str, Any]) -> Iterator[Turn]:
    for name, session in value.items():
        if isinstance(session, list):
            at = datetime.strptime(value[f"{name}_date_time"].upper(), _DATE).replace(tzinfo=UTC)
            yield from (Turn(one["dia_id"], f"{one['speaker']}: {one['text']}", at) for one in session)


def _mean(found: Sequence[dict[int, list[float]]]) -> dict[int, float]:
    together = {depth: [share for one in found for share in one[depth]] for depth in DEPTHS}
    return {depth: sum(shares) / len(shares) for depth, shares in together.items()}


def _shown(found: Sequence[dict[int, list[float]]]) -> str:
    return " / ".join(f"{share:.3f}" for share in _mean(found).values())


def data_path() -> str:
    """Return the path of the LoCoMo file."""
    if len(sys.argv) > 1:
        return sys.argv[1]
    folder = os.environ.get("WUU_SHARED_DATA")
    if not folder:
        sys.exit("Name locomo10.json, or the folder it is in with WUU_SHARED_DATA.")
    return os.path.join(folder, FILE)


if __name__ == "__main__":
    sys.exit(main())
