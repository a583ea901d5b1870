"""How a context is made: look into the indexes, rank, place, and tell what was left out. It only reads."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wuu import clock
from wuu.errors import Caveat
from wuu.memory.caveats import reading_caveats, unreadable_caveat
from wuu.memory.context import block, linking, looking, scoring
from wuu.memory.context.block import LeftOut
from wuu.memory.context.limits import Limits, limits_of
from wuu.memory.context.looking import Known
from wuu.memory.context.placing import Placed, place
from wuu.memory.context.shown import read_shown
from wuu.memory.context.values import GROUPS, MATCH, OVERALL_CAP, Context, ContextRequest, Used
from wuu.memory.folder import irregular_caveats
from wuu.memory.shelves import Shelf, near_shelves
from wuu.memory.standing import standing_twice
from wuu.situation.situation import Situation
from wuu.store.files import Scan
from wuu.store.home import Home, open_home
from wuu.text.budget import estimate_tokens


class Built(NamedTuple):
    """A context, and what it was chosen from; with memories switched off there is no such thing."""

    context: Context
    ranking: scoring.Ranking


def build(situation: Situation, request: ContextRequest) -> Built:
    """Return the block for a prompt, as an agent in this session would get it (seed 002).

    Only saved memories of this profile, project and session are in it, each as its file says it is now. With
    memoryEnabled off it is empty.

    Raises:
        UsageProblem: The mode or the budget cannot be.
        SettingsInvalid: The settings cannot be read.
    """
    settings = situation.settings
    limits = limits_of(request, settings)
    enabled, use = settings.flag("memoryEnabled"), settings.flag("memoryUse")
    if not enabled:
        return Built(_switched_off(request, limits, use=use), scoring.Ranking((), (), (), ()))
    home = open_home(situation.home)
    scans = {shelf: home.scan(shelf.folder) for shelf in near_shelves(situation)}
    knowns, ranking = _rank(home, situation, request, scans)
    total = sum(known.saved for known in knowns)
    placed = _place(home, ranking, limits, scans, total)
    caveats = (*_caveats(home, knowns, scans), *reading_caveats(home, situation), *settings.caveats)
    return Built(_context(request, limits, knowns, placed, caveats)._replace(use=use), ranking)


def _rank(
    home: Home, situation: Situation, request: ContextRequest, scans: dict[Shelf, Scan]
) -> tuple[tuple[Known, ...], scoring.Ranking]:
    """Return what the indexes know for a prompt, and the candidates in their order."""
    now = clock.now()
    pieces = looking.cut_prompt(request.prompt)
    session = situation.caller.session
    knowns = tuple(looking.look(home, shelf, scan, pieces, now) for shelf, scan in scans.items())
    strong = scoring.find_strong(knowns, situation.settings.number("memoryMatchFloor") or 0.0)
    links = linking.find_links(knowns)
    knowns = looking.add_linked(home, knowns, scans, strong, links.near)
    shown = () if session is None else tuple(read_shown(home, session))
    return knowns, scoring.rank(knowns, strong, links, shown, now)


def _place(
    home: Home, ranking: scoring.Ranking, limits: Limits, scans: dict[Shelf, Scan], total: int
) -> Placed:
    """Return what gets into the block, with room for the note on what is left out unless all of it fits."""
    twice = standing_twice(scans)
    placed = place(home, ranking, limits, twice, _longest_frame(total, limits))
    if any(one.reason == OVERALL_CAP for one in placed.left_out):
        tight = place(home, ranking, limits, twice, _frame(0))
        if not placed.items or len(tight.items) == total:
            return tight
    return placed


def _longest_frame(total: int, limits: Limits) -> str:
    """Return all that may stand around the items, without the note on what is left out if it cannot fit."""
    whole = _frame(total)
    return whole if _fits(whole, limits) else _frame(0)


def _frame(total: int) -> str:
    """Return what stands around items that are `total` fewer than there are."""
    return block.render_block((), LeftOut(total, total)).replace(block.NOTHING, "", 1)


def _context(
    request: ContextRequest,
    limits: Limits,
    knowns: Sequence[Known],
    placed: Placed,
    caveats: Sequence[Caveat],
) -> Context:
    """Return the context of what was placed; a block that does not fit even empty is none."""
    total = sum(known.saved for known in knowns)
    left_out = max(total - len(placed.items), 0)
    matching = min(sum(one.group == MATCH for one in placed.left_out), left_out)
    candidates = (LeftOut(left_out, matching), LeftOut(0, 0))
    texts = (block.render_block(placed.items, one) for one in candidates)
    text = next((one for one in texts if _fits(one, limits)), "")
    entries = placed.entries if text else ()
    used = Used(limits.chars, limits.tokens, len(text), estimate_tokens(text), _by_group(entries))
    return Context(
        request.mode,
        enabled=True,
        use=False,
        block=text,
        entries=entries,
        omitted=total - len(entries),
        matching=matching,
        left_out=placed.left_out,
        used=used,
        caveats=tuple(caveats),
    )


def _fits(text: str, limits: Limits) -> bool:
    return (limits.chars is None or len(text) <= limits.chars) and estimate_tokens(text) <= limits.tokens


def _by_group(entries: Sequence[Any]) -> dict[str, int]:
    return {group: sum(one.chars for one in entries if one.group == group) for group in GROUPS}


def _switched_off(request: ContextRequest, limits: Limits, *, use: bool) -> Context:
    note = "Memories are switched off (memoryEnabled), so agents get none."
    return Context(
        request.mode,
        enabled=False,
        use=use,
        block="",
        entries=(),
        omitted=0,
        matching=0,
        left_out=(),
        used=Used(limits.chars, limits.tokens, 0, 0, _by_group(())),
        caveats=(Caveat("memory_disabled", note, {"setting": "memoryEnabled"}),),
    )


def _caveats(home: Home, knowns: Sequence[Known], scans: dict[Shelf, Scan]) -> Iterator[Caveat]:
    """Yield what of the visible shelves cannot be read (cases O-06 and O-18)."""
    for known in knowns:
        yield from irregular_caveats(known.shelf, scans[known.shelf].irregular)
        yield from (unreadable_caveat(home, known.shelf, name) for name in known.unreadable)
