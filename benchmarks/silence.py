"""Which memories a prompt brings up, and how often a stranger's question draws anything in: LoCoMo.

Run by hand: `python benchmarks/silence.py [locomo10.json]`; without a path the file is looked for where
WUU_SHARED_DATA says. Each turn of a conversation is a memory, each conversation a store of its own; what
counts is the group of matches of `wuu memory context`, with budgets and caps lifted. Whatever was chosen was
chosen on the first five conversations. It takes some minutes.

- own: the questions about a conversation, asked of its own memories
- foreign: the questions about every other conversation, with the names of this one's speakers put in
- buried: each question amid 200 words that others said in a third conversation
"""

import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from locomo import (
    CHOSEN_ON,
    DEPTHS,
    Conversation,
    data_path,
    plain_search,
    read_conversations,
    write_memories,
)
from measuring import say

from wuu.memory.context.actions import build_context
from wuu.memory.context.values import ContextRequest
from wuu.search.strength import DEFAULT_FLOOR
from wuu.situation.situation import Situation, resolve_situation

RECALL_GOALS = {5: 0.54, 10: 0.61}
FOREIGN_GOAL = 0.30
BURIED_WORDS = 200
EVERY_FOREIGN = 2
"""Of the questions of another conversation, one in so many is asked; buried, one in so many of these."""

_LIFTED = dict.fromkeys(
    ("memoryRetrievalChars", "memoryMaxPromptTokens", "memoryMaxEntries", "memoryProjectMaxEntries"),
    1_000_000,
)
Ask = Callable[[str], Sequence[str]]


class Asked(NamedTuple):
    """What came of some prompts: recall by depth (of those with evidence), and how many drew anything in."""

    recalls: dict[int, list[float]]
    drawn: list[bool]
    matches: list[int]


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed on the conversations that were held out."""
    path = data_path()
    conversations, names = read_conversations(path), _speakers(path)
    plain: dict[int, float] = {}
    met = True
    print(f"{'':41}{'chosen on (1-5)':>18}{'held out (6-10)':>18}{'all':>18}")
    for name, floor in (("FTS5, OR", None), ("floor 0", 0.0), (f"floor {DEFAULT_FLOOR}", DEFAULT_FLOOR)):
        say(f"{name} …")
        asked = [_measure(conversations, names, at, floor) for at in range(len(conversations))]
        _print(name, asked)
        if floor is None:
            plain = _recalls(asked[CHOSEN_ON:], "buried")
        elif floor == DEFAULT_FLOOR:
            met = _is_good(asked[CHOSEN_ON:], plain)
    goals = ", ".join(f"recall@{depth} >= {goal}" for depth, goal in RECALL_GOALS.items())
    print(f"goals, held out: {goals} while at most {FOREIGN_GOAL:.0%} of foreign questions draw anything in;")
    print("buried, no worse than plain FTS5")
    return 0 if met else 1


def _measure(
    conversations: Sequence[Conversation], names: Sequence[tuple[str, str]], at: int, floor: float | None
) -> dict[str, Asked]:
    """Return what comes of every kind of prompt in the conversation number `at`."""
    here = conversations[at]
    chance = random.Random(at)
    count = len(conversations)
    third = [" ".join(turn.text for turn in one.turns).split() for one in conversations]
    own = [(one.text, one.evidence) for one in here.questions]
    foreign = [
        (_renamed(one.text, names[other], names[at]), frozenset[str]())
        for other in range(count)
        if other != at
        for one in conversations[other].questions[(at + other) % EVERY_FOREIGN :: EVERY_FOREIGN]
    ]
    kinds = {
        "own": own,
        "foreign": foreign,
        "buried": [(_bury(text, third[(at + 3) % count], chance), keys) for text, keys in own],
        "buried foreign": [
            (_bury(text, third[(at + 5) % count], chance), keys) for text, keys in foreign[::EVERY_FOREIGN]
        ],
    }
    way = plain_search(here.turns) if floor is None else _contexts(here, floor)
    for ask in way:
        return {kind: _ask_all(ask, prompts) for kind, prompts in kinds.items()}
    raise AssertionError


def _ask_all(ask: Ask, prompts: Sequence[tuple[str, frozenset[str]]]) -> Asked:
    asked = Asked({depth: [] for depth in DEPTHS}, [], [])
    for prompt, evidence in prompts:
        found = ask(prompt)
        asked.drawn.append(bool(found))
        asked.matches.append(len(found))
        for depth in DEPTHS if evidence else ():
            asked.recalls[depth].append(len(evidence.intersection(found[:depth])) / len(evidence))
    return asked


def _contexts(conversation: Conversation, floor: float) -> Iterator[Ask]:
    """Yield what asks for a context over files in a home of its own."""
    with tempfile.TemporaryDirectory(prefix="wuu-silence-") as folder:
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        project = os.path.join(folder, "project")
        home = os.path.join(folder, "home")
        os.makedirs(project)
        os.makedirs(home, mode=0o700)
        with open(os.path.join(home, "settings.json"), "w", encoding="utf-8") as file:
            json.dump(_LIFTED | {"memoryMatchFloor": floor}, file)
        situation = resolve_situation(
            environ={"HOME": folder, "WUU_HOME": home}, cwd=os.path.realpath(project)
        )
        keys = dict(write_memories(situation, conversation.turns))
        yield lambda prompt: _matches(situation, prompt, keys)


def _matches(situation: Situation, prompt: str, keys: dict[str, str]) -> list[str]:
    found = build_context(situation, ContextRequest(prompt))
    return [keys[one.id] for one in found.entries if one.group == "match"]


def _bury(question: str, dialogue: Sequence[str], chance: random.Random) -> str:
    """Return a question amid words of a dialogue, half of them before it and half behind."""
    half = BURIED_WORDS // 2
    start = chance.randrange(len(dialogue) - BURIED_WORDS)
    middle = start + half
    return f"{' '.join(dialogue[start:middle])} {question} {' '.join(dialogue[middle : middle + half])}"


def _renamed(question: str, names: tuple[str, str], new: tuple[str, str]) -> str:
    """Return a question with both names changed at once: the new one may be the other old one."""
    table = dict(zip(names, new, strict=True))
    return re.sub(rf"\b({'|'.join(map(re.escape, names))})\b", lambda found: table[found[1]], question)


def _speakers(path: str) -> list[tuple[str, str]]:
    with open(path, encoding="utf-8") as file:
        return [
            (one["conversation"]["speaker_a"], one["conversation"]["speaker_b"]) for one in json.load(file)
        ]


def _print(name: str, asked: Sequence[dict[str, Asked]]) -> None:
    """Print what came of each kind of prompt."""
    groups = (asked[:CHOSEN_ON], asked[CHOSEN_ON:], asked)
    for kind in asked[0]:
        whole = [_together([one[kind] for one in group]) for group in groups]
        if "foreign" not in kind:
            recalls = (" / ".join(f"{_mean(one.recalls[depth]):.3f}" for depth in DEPTHS) for one in whole)
            print(f"{name:18}{kind:>16} recall" + "".join(f"{one:>18}" for one in recalls))
        shares = (f"{_mean(one.drawn):.1%} ({_mean(one.matches):.1f})" for one in whole)
        print(f"{name:18}{kind:>16} draws " + "".join(f"{one:>18}" for one in shares))


def _is_good(held_out: Sequence[dict[str, Asked]], plain: dict[int, float]) -> bool:
    """Tell whether the goals are met where nothing was chosen; `plain` is the recall of FTS5, buried."""
    own, buried = _recalls(held_out, "own"), _recalls(held_out, "buried")
    foreign = _together([one["foreign"] for one in held_out])
    return (
        all(own[depth] >= goal for depth, goal in RECALL_GOALS.items())
        and all(buried[depth] >= plain[depth] for depth in DEPTHS)
        and _mean(foreign.drawn) <= FOREIGN_GOAL
    )


def _recalls(asked: Sequence[dict[str, Asked]], kind: str) -> dict[int, float]:
    found = _together([one[kind] for one in asked])
    return {depth: _mean(found.recalls[depth]) for depth in DEPTHS}


def _together(several: Sequence[Asked]) -> Asked:
    recalls = {depth: [share for one in several for share in one.recalls[depth]] for depth in DEPTHS}
    drawn = [value for one in several for value in one.drawn]
    return Asked(recalls, drawn, [value for one in several for value in one.matches])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


if __name__ == "__main__":
    sys.exit(main())
