"""What readers are told of changes that a killed writer left half-made: they read the disk as it is."""

from wuu.errors import Caveat
from wuu.store.files import names_in
from wuu.store.home import CONFLICTS, JOURNAL, Home


def recovery_caveats(home: Home) -> tuple[Caveat, ...]:
    """Warn that a writer was killed half-way; readers read the disk as it is."""
    if not any(names_in(home.place(folder)) for folder in (JOURNAL, CONFLICTS)):
        return ()
    from wuu.store.recovery import parked_intents, pending_intents  # noqa: PLC0415  (0.1 x bare Python)

    found = []
    if pending := pending_intents(home):
        note = "An interrupted change waits; the next command that writes finishes it."
        found.append(Caveat("recovery_pending", note, {"intents": pending}))
    if parked := parked_intents(home):
        note = "An interrupted change needs your decision: wuu reconcile files"
        found.append(Caveat("recovery_needed", note, {"intents": parked}))
    return tuple(found)
