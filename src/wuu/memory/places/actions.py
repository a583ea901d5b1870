"""The door of the places: the projects that the home knows, and their memories. It decides nothing."""

from typing import TYPE_CHECKING, Any

from wuu.memory.values import Filters
from wuu.situation.situation import Situation
from wuu.store.home import Home, open_home

if TYPE_CHECKING:
    from wuu.errors import Caveat
    from wuu.memory.places.browsing import Browsed
    from wuu.memory.places.listing import Place, WorkspaceList
    from wuu.memory.places.relinking import Relink, Relinked
    from wuu.situation.writing import WriteOptions, Written

MAX_SHOWN = 200
"""Most projects or memories that are shown unless a call says otherwise (seed 002)."""


def list_workspaces(situation: Situation, limit: int = MAX_SHOWN) -> "WorkspaceList":
    """Return where memories are, with counts; see `listing.list_workspaces`."""
    from wuu.memory.places import listing  # noqa: PLC0415  (hardly anybody asks)

    return listing.list_workspaces(situation, limit)


def place_value(place: "Place") -> dict[str, Any]:
    """Return the JSON of a place (CONTRACT, "memory workspaces list")."""
    from wuu.memory.places import listing  # noqa: PLC0415  (hardly anybody asks)

    return listing.place_value(place)


def browse(situation: Situation, view: str, filters: Filters, limit: int = MAX_SHOWN) -> "Browsed":
    """Return the memories of a view: `current`, `user`, `all`, or a project; see `browsing.browse`."""
    from wuu.memory.places import browsing  # noqa: PLC0415  (hardly anybody asks)

    return browsing.browse(situation, view, filters, limit)


def browsed_value(browsed: "Browsed") -> dict[str, Any]:
    """Return the JSON of a view (CONTRACT, "memory browse")."""
    from wuu.memory.places import browsing  # noqa: PLC0415  (hardly anybody asks)

    return browsing.browsed_value(browsed)


def moved_caveats(home: Home, situation: Situation) -> "tuple[Caveat, ...]":
    """Return the warning that this project may have been elsewhere; see `moving.moved_caveats`."""
    from wuu.memory.places import moving  # noqa: PLC0415  (only calls in a project ask)

    return moving.moved_caveats(home, situation)


def check_relink(situation: Situation, request: "Relink") -> "Relinked":
    """Return what `relink` would do now, before anybody is asked whether they mean it.

    Raises:
        ReadOnlyMode: wuu runs read-only.
        WuuError: Whatever `relink` would be refused for.
    """
    from wuu.memory.places import relinking  # noqa: PLC0415  (hardly anybody asks)
    from wuu.situation.writing import refuse_read_only  # noqa: PLC0415

    refuse_read_only(situation)
    return relinking.plan_relink(open_home(situation.home), situation, request).outcome


def relink(situation: Situation, request: "Relink", options: "WriteOptions") -> "Written[Relinked]":
    """Move what is kept for a project to where it is now; see `relinking.plan_relink`."""
    from wuu.memory.places import relinking  # noqa: PLC0415  (hardly anybody asks)
    from wuu.situation.writing import write  # noqa: PLC0415

    home = open_home(situation.home)
    done = write(
        situation,
        home,
        lambda current: relinking.plan_relink(current, situation, request),
        options,
        command="memory workspaces relink",
        asked=[request, situation.workspace.root],
    )
    if not done.dry_run and done.outcome is not None and done.outcome.source is not None:
        relinking.forget_indexes(home, done.outcome.source.key)
    return done
