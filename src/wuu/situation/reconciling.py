"""What an interrupted write left open: shown to anybody, settled by a person."""

from typing import Any, NamedTuple

from wuu.errors import ApprovalRequired, NotFound
from wuu.situation.situation import Situation
from wuu.situation.writing import WriteOptions, refuse_read_only
from wuu.store.changes import Recovered
from wuu.store.home import open_home
from wuu.store.locks import hold
from wuu.store.recovery import Conflict, pending_intents, read_conflicts, recover, settle

KEEP_DISK, KEEP_PREPARED = "disk", "prepared"


class Reconciliation(NamedTuple):
    """What is open, what was finished or settled just now, and copies kept of what was replaced."""

    pending: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    recovered: tuple[Recovered, ...] = ()
    settled: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    def value(self) -> dict[str, Any]:
        """Return this as JSON."""
        conflicts = [
            {**one._asdict(), "files": [file._asdict() for file in one.files]} for one in self.conflicts
        ]
        return {
            "pending": list(self.pending),
            "conflicts": conflicts,
            "recovered": [{**one._asdict(), "paths": list(one.paths)} for one in self.recovered],
            "settled": list(self.settled),
            "kept": list(self.kept),
        }


def list_open(situation: Situation) -> Reconciliation:
    """Return what is open, without touching it."""
    home = open_home(situation.home)
    return Reconciliation(tuple(pending_intents(home)), tuple(read_conflicts(home)))


def settle_open(
    situation: Situation, ids: tuple[str, ...], keep: str, options: WriteOptions
) -> Reconciliation:
    """Finish what can be finished, then settle the conflicts `ids` (empty: all), keeping disk or change.

    A dry run lists what is open and writes nothing.

    Raises:
        ReadOnlyMode: wuu runs read-only.
        ApprovalRequired: An agent asked (FACTS, "Who is asking").
        NotFound: One of `ids` is no conflict; nothing was settled.
        Corrupt: A damaged intent cannot be kept as prepared.
    """
    if options.dry_run:
        return list_open(situation)
    refuse_read_only(situation)
    if situation.caller.is_agent:
        raise ApprovalRequired("A person has to settle this.", hint="Ask them to run wuu reconcile files.")
    home = open_home(situation.home)
    with hold(home, "reconcile files", waiting=options.waiting):
        recovered = recover(home)
        known = [one.id for one in read_conflicts(home)]
        for one in ids:
            if one not in known:
                raise NotFound(f"There is no conflict {one}.", hint="wuu reconcile files lists them.", id=one)
        chosen = ids or tuple(known)
        kept = [
            home.place(copy)
            for one in chosen
            for copy in settle(home, one, keep_prepared=keep == KEEP_PREPARED)
        ]
        return Reconciliation((), tuple(read_conflicts(home)), recovered, tuple(chosen), tuple(kept))
