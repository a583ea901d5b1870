"""What may become of a memory: which status, pin and scope follows which (seed, "Pinned" and "Scopes").

Pure rules: nothing here reads, writes or knows who asks; rules over a shelf get what is on it handed in.
"""

from collections.abc import Sequence
from typing import NamedTuple

from wuu.errors import Caveat, PinLimit, Refused, UsageProblem
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, Entry
from wuu.memory.shelves import Shelf
from wuu.memory.writing.notices import named, place_of

ARCHIVE, RESTORE, PIN, UNPIN, DELETE = VERBS = ("archive", "restore", "pin", "unpin", "delete")

MAX_PINS = 20
"""Most pinned memories of one shelf: a profile, a workspace, a session (seed, "Pinned")."""

UNCHANGED = "unchanged"


class Step(NamedTuple):
    """What a memory becomes, what that is called (in the past), and what has to be said about it."""

    entry: Entry
    verb: str
    caveats: tuple[Caveat, ...] = ()


def check_verb(verb: str, to: str | None) -> None:
    """Refuse what no memory can be asked to do.

    Raises:
        UsageProblem: There is no such verb, or `to` does not go with it.
    """
    if verb not in VERBS:
        raise UsageProblem(f"What can be done is {', '.join(VERBS)}; got {verb!r}.", verb=verb)
    if to is not None and (verb != RESTORE or to not in (SAVED, PENDING)):
        raise UsageProblem(f"--to goes with restore, and is {SAVED} or {PENDING}; got {to!r}.", to=to)


def step(entry: Entry, verb: str, to: str | None, session: str | None) -> Step:
    """Return what `archive`, `restore`, `pin` or `unpin` makes of a memory.

    One that is like that already stays as it is, which is no error. `restore` leads to `saved` unless `to`
    says `pending`; `session` is the one in which that happens.

    Raises:
        Refused: Only saved memories are pinned; what waits is not restored but approved.
    """
    if verb == ARCHIVE:
        return _put_away(entry, ARCHIVED, "archived")
    if verb == RESTORE:
        return _put_away(entry, PENDING, "returned to review") if to == PENDING else _restored(entry, session)
    if verb == PIN:
        return pinned(entry)
    return _stepped(entry, entry._replace(pinned=False), "unpinned")


def pinned(entry: Entry) -> Step:
    """Return a memory as it is pinned; whether there is room is another question.

    Raises:
        Refused: Only saved memories are pinned.
    """
    _refuse_unsaved(entry, "are pinned")
    return _stepped(entry, entry._replace(pinned=True), "pinned")


def refuse_pinned_proposal() -> None:
    """Refuse to propose a pin.

    Raises:
        Refused: Always.
    """
    raise Refused(
        "A proposal is not pinned.", hint="wuu memory approve ID --pin pins it when it is approved."
    )


def refuse_move(entry: Entry) -> None:
    """Refuse another scope for a memory that is not saved.

    Raises:
        Refused: It is pending or archived.
    """
    _refuse_unsaved(entry, "change their scope")


def refuse_without_room(shelf: Shelf, others: Sequence[Entry]) -> None:
    """Refuse one more pin on a shelf where `others` are pinned already.

    Raises:
        PinLimit: There is no room; the message names them.
    """
    if len(others) >= MAX_PINS:
        names = "; ".join(named(one) for one in others)
        raise PinLimit(
            f"{len(others)} memories are pinned in {place_of(shelf)}, and {MAX_PINS} is the most: {names}.",
            hint="Make room first: wuu memory unpin ID",
            scope=shelf.scope,
            limit=MAX_PINS,
            pinned=[one.id for one in others],
        )


def _refuse_unsaved(entry: Entry, what: str) -> None:
    if entry.status != SAVED:
        raise Refused(
            f"{named(entry)} is {entry.status}, and only saved memories {what}.",
            hint=f"First: wuu memory {'approve' if entry.status == PENDING else 'restore'} {entry.id}",
            id=entry.id,
            status=entry.status,
        )


def approved(entry: Entry, session: str | None) -> Step:
    """Return a memory of its own that waits as it is saved in `session`; one that is saved stays as it is.

    Raises:
        Refused: It is archived.
    """
    if entry.status == SAVED:
        return Step(entry, UNCHANGED)
    if entry.status != PENDING:
        raise Refused(
            f"{named(entry)} is {entry.status}, and only what waits is approved.",
            hint=f"wuu memory restore {entry.id} takes it back into use.",
            id=entry.id,
            status=entry.status,
        )
    return Step(entry._replace(status=SAVED, saved_in=session), "saved")


def _restored(entry: Entry, session: str | None) -> Step:
    """Return a memory as it is back in use; it stays with the session that saved it first."""
    if entry.status == SAVED:
        return Step(entry, UNCHANGED)
    if entry.status == PENDING or entry.proposes_change:
        hint = f"wuu memory approve {entry.id}"
        if entry.status != PENDING:
            hint = f"First: wuu memory restore {entry.id} --to pending"
        note = "waits" if entry.status == PENDING else "proposes a change of another memory"
        raise Refused(f"{named(entry)} {note}: it is approved, not restored.", hint=hint, id=entry.id)
    return Step(entry._replace(status=SAVED, saved_in=entry.saved_in or session), "restored")


def _put_away(entry: Entry, status: str, verb: str) -> Step:
    """Return a memory that is out of use: no longer pinned, and said so; what waits belongs to no session."""
    saved_in, saved_at = (None, None) if status == PENDING else (entry.saved_in, entry.saved_at)
    away = entry._replace(status=status, pinned=False, saved_in=saved_in, saved_at=saved_at)
    if entry.status == status:
        return Step(entry, UNCHANGED)
    note = f"{named(entry)} was pinned and is no longer: only saved memories are."
    caveats = (Caveat("unpinned", note, {"id": entry.id}),) if entry.pinned else ()
    return Step(away, verb, caveats)


def _stepped(before: Entry, after: Entry, verb: str) -> Step:
    return Step(after, UNCHANGED if after == before else verb)
