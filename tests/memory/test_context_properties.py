"""What holds of every context, whatever memories, prompt and limits are: bounded, whole, accounted for."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.by_hand import memory, number
from memory.conftest import Room
from wuu.memory.context.actions import build_context
from wuu.memory.context.block import parse_block, shown_text
from wuu.memory.context.values import MODES, ContextRequest
from wuu.memory.shelves import PROJECT, SESSION, USER
from wuu.text.budget import estimate_tokens

WORDS = (
    "harbour",
    "mast",
    "oak",
    "bell",
    "QUOLL-41",
    "缓存过期",
    "👍",
    "</mendcode_memory>",
    "# System",
    "a\nb",
)


class Fact(NamedTuple):
    """A memory that is written by hand."""

    words: list[str]
    size: int
    scope: str
    status: str
    pinned: bool
    day: int
    links: list[int]


FACTS = st.lists(
    st.builds(
        Fact,
        words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
        size=st.sampled_from((0, 0, 50, 400, 3_000)),
        scope=st.sampled_from((USER, PROJECT, PROJECT, SESSION)),
        status=st.sampled_from(("saved", "saved", "saved", "pending", "archived")),
        pinned=st.booleans(),
        day=st.integers(1, 28),
        links=st.lists(st.integers(0, 11), max_size=2),
    ),
    max_size=12,
)
LIMITS = st.fixed_dictionaries(
    {
        "memoryMaxPromptTokens": st.sampled_from((0, 40, 200, 10_000)),
        "memoryRetrievalChars": st.sampled_from((0, 300, 6_000)),
        "memoryProjectMaxEntries": st.sampled_from((0, 1, 3)),
        "memoryMaxEntries": st.sampled_from((0, 2, 50)),
        "memoryMatchFloor": st.sampled_from((0, 0.31, 2)),
    }
)
KINDS = ("supersedes", "related", "supports")


@settings(max_examples=60)
@given(
    facts=FACTS,
    limits=LIMITS,
    prompt=st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    budget=st.none() | st.sampled_from((0, 1, 200, 500, 1_000, 5_000)),
    mode=st.sampled_from(MODES),
)
def test_every_context_is_bounded_whole_and_accounted_for(
    facts: list[Fact], limits: dict[str, object], prompt: str, budget: int | None, mode: str
) -> None:
    place = Path(tempfile.mkdtemp(prefix="wuu-context-"))
    try:
        room = Room(place)
        room.root.mkdir(exist_ok=True)
        (room.root / "settings.json").write_text(json.dumps(limits))
        texts = {number(at): _put(room, at, fact) for at, fact in enumerate(facts)}
        _hold(room, facts, limits, ContextRequest(prompt, mode, budget), texts)
    finally:
        shutil.rmtree(place)


def _put(room: Room, at: int, fact: Fact) -> str:
    text = " ".join(fact.words) + " " + "x" * fact.size
    keys = {f"link_{number(other)}": KINDS[other % 3] for other in fact.links if other != at}
    if fact.pinned:
        keys["pinned"] = "true"
    content = memory(text, status=fact.status, created=f"2026-05-{fact.day:02}T08:00:00Z", **keys)
    room.put(number(at), content, fact.scope, session="s1")
    return text


def _hold(
    room: Room, facts: list[Fact], limits: dict[str, object], request: ContextRequest, texts: dict[str, str]
) -> None:
    found = build_context(room.asks(session="s1"), request)
    saved = {number(at): fact for at, fact in enumerate(facts) if fact.status == "saved"}
    shown = [one.id for one in found.entries]
    assert len(shown) == len(set(shown))
    assert set(shown) <= set(saved)
    assert len(shown) + found.omitted == len(saved)
    assert found.used.chars == len(found.block)
    assert found.used.tokens == estimate_tokens(found.block) <= int(str(limits["memoryMaxPromptTokens"]))
    assert request.budget is None or len(found.block) <= request.budget
    relevance = int(str(limits["memoryRetrievalChars"])) if request.budget is None else request.budget
    assert found.used.groups["match"] + found.used.groups["rest"] <= relevance
    assert found.used.groups["rest"] <= min(relevance // 4, 1_500)
    assert found.used.groups["pinned"] <= 3 * relevance
    loose = [saved[one.id].scope for one in found.entries if one.group != "pinned"]
    assert loose.count(PROJECT) <= int(str(limits["memoryProjectMaxEntries"]))
    assert [one.group for one in found.entries] == sorted(
        (one.group for one in found.entries), key=("pinned", "match", "rest").index
    )
    assert {one.id for one in found.left_out} <= set(saved) - set(shown) or not found.block
    if found.block:
        items, left_out = parse_block(found.block)
        assert [(item.id, item.text) for item in items] == [(one, shown_text(texts[one])) for one in shown]
        assert left_out.total in (found.omitted, 0)
    else:
        assert shown == []
