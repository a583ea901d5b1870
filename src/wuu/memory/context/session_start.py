"""What memories bring into every session before a word is typed, and how large it is. It only reads.

The parts are those of the block for no prompt, and the index of the project's memory. What the notebook
brings is the notebook's to say; the limits of agents are known to whoever shows this.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wuu.errors import Caveat, WuuError
from wuu.memory.context import block
from wuu.memory.context.block import Item
from wuu.memory.context.building import Built, build
from wuu.memory.context.limits import Limits
from wuu.memory.context.placing import place
from wuu.memory.context.scoring import Ranking
from wuu.memory.context.values import OVERALL_CAP, PINNED, REST, Context, ContextRequest
from wuu.memory.shelves import WORKSPACES, near_shelves
from wuu.memory.standing import standing_twice
from wuu.situation.situation import Situation
from wuu.situation.workspace import NoProject
from wuu.store.files import decode
from wuu.store.home import Home, open_home
from wuu.text.budget import PROJECT_INDEX_BYTES, PROJECT_INDEX_LINES, estimate_tokens, prompt_form

PROJECT_INDEX, FRAME = "project_index", "frame"
LINES, MEMORIES = "lines", "memories"

_NO_LIMIT = 1 << 62


class Part(NamedTuple):
    """A part of what a session gets: its UTF-8 bytes, characters and estimated tokens.

    `shown` and `omitted` count what is there and what did not fit, in `unit`: `lines` or `memories`.
    """

    name: str
    bytes: int
    chars: int
    tokens: int
    shown: int
    omitted: int
    unit: str

    @classmethod
    def measured(cls, name: str, text: str, shown: int, omitted: int, unit: str = LINES) -> "Part":
        """Return a part that consists of `text`."""
        size = len(text.encode("utf-8", "surrogatepass"))
        return cls(name, size, len(text), estimate_tokens(text), shown, omitted, unit)


class Pin(NamedTuple):
    """A pinned memory as it stands in the block, or would if it fitted; `text` is its first line.

    `reason` says why it is not shown: one of `why_values.REASONS`, or None.
    """

    id: str
    bytes: int
    chars: int
    tokens: int
    shown: bool
    reason: str | None
    text: str


class SessionStart(NamedTuple):
    """What memories bring into every session of this project.

    `parts` are the project's index, and the pinned memories, the rest and the frame of the block; the last
    three add up to the block. `enabled` and `use` are memoryEnabled and memoryUse. `max_tokens` is the most
    tokens of a block; `capped` says that something was left out for it.
    """

    enabled: bool
    use: bool
    parts: tuple[Part, ...]
    pins: tuple[Pin, ...]
    max_tokens: int
    block_tokens: int
    capped: bool
    caveats: tuple[Caveat, ...]


def read_session_start(situation: Situation) -> SessionStart:
    """Return what memories bring into every session, as an agent in this session would get it.

    Pins come in the order of the block, newest first. With memoryEnabled off there is nothing: contexts and
    hooks are empty (ARCHITECTURE 6).

    Raises:
        SettingsInvalid: The settings cannot be read.
    """
    built = build(situation, ContextRequest())
    context = built.context
    home = open_home(situation.home)
    path = project_index_path(situation) if context.enabled else None
    index, caveats = _read_project_index(home, path)
    return SessionStart(
        enabled=context.enabled,
        use=context.use,
        parts=(index, *_block_parts(context)),
        pins=tuple(_pins(context, _read_pins(home, situation, built))),
        max_tokens=context.used.max_tokens,
        block_tokens=context.used.tokens,
        capped=context.enabled and _is_capped(context),
        caveats=(*context.caveats, *caveats),
    )


def project_index_path(situation: Situation) -> str | None:
    """Return the path of the project's index inside the home, or None where there is no project."""
    found = situation.workspace
    return None if isinstance(found, NoProject) else f"{WORKSPACES}/{found.key}/memory/MEMORY.md"


def _read_project_index(home: Home, path: str | None) -> tuple[Part, tuple[Caveat, ...]]:
    """Return what a session gets of the project's index; one that cannot be read is nothing, and is told."""
    try:
        data = None if path is None else home.read(path)
        text = "" if data is None else decode(data, path or "")
    except WuuError as error:
        caveat = Caveat(error.code, error.message, {"file": path, **error.details})
        return Part.measured(PROJECT_INDEX, "", 0, 0), (caveat,)
    form = prompt_form(text, PROJECT_INDEX_LINES, PROJECT_INDEX_BYTES)
    shown = form.text.count("\n") + 1 if form.text else 0
    return Part.measured(PROJECT_INDEX, form.text, shown, len(form.omitted)), ()


def _block_parts(context: Context) -> tuple[Part, ...]:
    """Return the parts of the block, which add up to it: its frame is what is not an item."""
    items = block.parse_block(context.block)[0] if context.block else ()
    group = {entry.id: entry.group for entry in context.entries}
    pinned = [item for item in items if group[item.id] == PINNED]
    rest = [item for item in items if group[item.id] != PINNED]
    left = sum(one.group == PINNED for one in context.left_out)
    parts = (
        Part.measured(PINNED, _rendered(pinned), len(pinned), left, MEMORIES),
        Part.measured(REST, _rendered(rest), len(rest), max(context.omitted - left, 0), MEMORIES),
    )
    whole = Part.measured(FRAME, context.block, context.block.count("\n") + 1 if context.block else 0, 0)
    lines = _rendered(items).count("\n")
    return (*parts, _without(whole, parts)._replace(shown=whole.shown - lines))


def _without(whole: Part, parts: Sequence[Part]) -> Part:
    """Return what is left of a part; tokens are rounded up in the others, so it may have a few too few."""
    return whole._replace(
        bytes=whole.bytes - sum(one.bytes for one in parts),
        chars=whole.chars - sum(one.chars for one in parts),
        tokens=whole.tokens - sum(one.tokens for one in parts),
    )


def _rendered(items: Iterable[Item]) -> str:
    return "".join(map(block.render_item, items))


def _read_pins(home: Home, situation: Situation, built: Built) -> tuple[Item, ...]:
    """Return every pinned memory as its file says it is now, by placing them where there is no limit."""
    pinned = built.ranking.pinned
    if not pinned:
        return ()
    scans = {shelf: home.scan(shelf.folder) for shelf in near_shelves(situation)}
    limits = Limits(groups={PINNED: _NO_LIMIT}, relevance=_NO_LIMIT, entries={}, chars=None, tokens=_NO_LIMIT)
    return place(home, Ranking(pinned, (), (), ()), limits, standing_twice(scans), "").items


def _pins(context: Context, items: Iterable[Item]) -> Iterator[Pin]:
    shown = {one.id for one in context.entries}
    reasons = {one.id: one.reason for one in context.left_out}
    for item in items:
        size = Part.measured(PINNED, block.render_item(item), 1, 0, MEMORIES)
        first = item.text.partition("\n")[0]
        reason = reasons.get(item.id)
        yield Pin(item.id, size.bytes, size.chars, size.tokens, item.id in shown, reason, first)


def _is_capped(context: Context) -> bool:
    return not context.block or any(one.reason == OVERALL_CAP for one in context.left_out)
