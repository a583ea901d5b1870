"""Why a proposal that waits can no longer be applied, or is not wanted: what `list --stale` tells.

Owns the reasons and their codes. What approving would do is `approval`'s answer; the shelves are read once
for any number of proposals. It writes nothing.
"""

from typing import NamedTuple

from wuu import clock
from wuu.errors import Caveat, StaleRevision, WuuError
from wuu.memory.approving.approval import preview
from wuu.memory.approving.expiry import SETTING, overdue
from wuu.memory.approving.scene import Scene
from wuu.memory.categories import NEVER, find_policy
from wuu.memory.caveats import reading_caveats
from wuu.memory.entries import created_time
from wuu.memory.filtering import read_asked
from wuu.memory.format.entry import ARCHIVED, PENDING, Entry
from wuu.memory.reading import file_caveats
from wuu.memory.values import Filters, Preview, Shown
from wuu.situation.situation import Situation
from wuu.store.home import open_home

BROKEN, TARGET_GONE, TARGET_ARCHIVED, TARGET_CHANGED = (
    "entry_problem",
    "target_gone",
    "target_archived",
    "target_changed",
)
POLICY_NEVER, OVERDUE = "policy_never", "overdue"


class Obstacle(NamedTuple):
    """Why a proposal cannot be applied: one of the codes here or that of an error, and a sentence."""

    code: str
    reason: str


class Stale(NamedTuple):
    """A proposal and what stands in its way."""

    memory: Shown
    obstacle: Obstacle


class StaleList(NamedTuple):
    """Proposals with obstacles, newest first; how many there are in all; how many a limit left out."""

    memories: tuple[Stale, ...]
    total: int
    omitted: int
    caveats: tuple[Caveat, ...]


def list_stale(situation: Situation, filters: Filters) -> StaleList:
    """Return the proposals that pass `filters` and can no longer be applied, newest first, each with why.

    Raises:
        UsageProblem: A filter that cannot be.
        Refused: The scope is project or session, and there is no project.
        SettingsInvalid: The settings cannot be read.
    """
    home = open_home(situation.home)
    asked = read_asked(home, situation, filters._replace(status=PENDING), (PENDING,))
    scene = Scene(home, situation)
    waiting = sorted(filter(asked.has, scene.catalogue.entries), key=lambda entry: entry.id)
    waiting.sort(key=created_time, reverse=True)
    found = [(entry, why) for entry in waiting if (why := find_obstacle(scene, entry)) is not None]
    chosen = found[: filters.limit]
    memories = tuple(Stale(scene.shown(entry), why) for entry, why in chosen)
    caveats = (*file_caveats(home, asked.shelves, scene.catalogue), *reading_caveats(home, situation))
    return StaleList(memories, len(found), len(found) - len(chosen), caveats)


def find_obstacle(scene: Scene, entry: Entry) -> Obstacle | None:
    """Return why `entry`, which waits, can no longer be applied, or None if it can; the gravest one is told.

    Raises:
        SettingsInvalid: The settings cannot be read.
    """
    if entry.problems:
        return Obstacle(BROKEN, f"Its file breaks a rule: {'; '.join(entry.problems)}.")
    found = preview(scene, entry)
    if found.error is not None:
        return _from_error(scene, entry, found.error)
    return _unwanted(scene.situation, found) or _late(scene.situation, entry)


def _from_error(scene: Scene, entry: Entry, error: WuuError) -> Obstacle:
    if not isinstance(error, StaleRevision):
        return Obstacle(error.code, error.message)
    target = scene.find(str(error.details.get("target", (entry.proposal or {}).get("target"))))
    if target is None:
        return Obstacle(TARGET_GONE, error.message)
    if target.status == ARCHIVED:
        return Obstacle(
            TARGET_ARCHIVED, f"{target.id} was archived since {entry.id} proposed a change of it."
        )
    return Obstacle(TARGET_CHANGED, error.message)


def _unwanted(situation: Situation, found: Preview) -> Obstacle | None:
    """Return that nothing in its category is to be saved; what is saved already may go on being changed."""
    if found.after is None or found.after.status == ARCHIVED:
        return None
    category = found.after.category
    if found.before is not None and found.before.category == category:
        return None
    if find_policy(category, situation.settings.table("memoryPolicies")) != NEVER:
        return None
    return Obstacle(POLICY_NEVER, f"Nothing in the category {category} is to be saved (policy never).")


def _late(situation: Situation, entry: Entry) -> Obstacle | None:
    days = situation.settings.integer(SETTING)
    if not overdue(entry, days, clock.now()):
        return None
    return Obstacle(OVERDUE, f"It waited more than {days} days, and is put away with the next change.")
