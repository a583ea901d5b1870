"""What a write of one memory answers: what was done to which memory, in the words of a person and as JSON."""

import os
from typing import Any

from wuu.cli.call import Call
from wuu.cli.memory.rendering import quoted
from wuu.cli.output import Reply
from wuu.errors import NotFound
from wuu.memory import actions
from wuu.memory.values import MemoryChange, Shown
from wuu.situation.writing import Written

# What is not told as "Memory <verb>".
_TOLD = {
    "proposed": "Waits for approval",
    "known": "Already remembered",
    "unchanged": "Nothing to change",
}
_OF_PROPOSALS = ("proposed", "known", "rejected")
_STATUS = {"pending": "waiting for approval", "archived": "archived"}


def reply_of(call: Call, done: Written[MemoryChange], *, wanted_scope: str | None = None) -> Reply:
    """Return the reply of a command that changed a memory, tried to, or did so already.

    `wanted_scope` is where a new memory was to go: one that has the text already may be elsewhere.
    """
    notice, hint = notice_of(done), _hint(done, wanted_scope)
    data = _data(call, done, f"{notice} · {hint}" if hint else notice) if call.json else {}
    caveats = (*done.caveats, *(done.outcome.caveats if done.outcome else ()))
    if done.dry_run:
        difference = difference_of(call, done)
        return Reply({**data, "diff": difference}, difference, notice, caveats)
    return Reply(data, "" if call.quiet else f"{notice}\n", hint, caveats, done.receipt)


def notice_of(done: Written[MemoryChange]) -> str:
    """Return what was done, in one line (seed 002, "What a memory write says")."""
    change = done.outcome
    if change is None:
        changed_id = id_of(done)
        return f"Done before · {changed_id}" if changed_id else "Done before."
    told = _TOLD.get(change.verb, f"Memory {change.verb}")
    parts = [told, subject_of(done), *_remarks(change)]
    return " · ".join([*(["Dry run"] if done.dry_run else []), *filter(None, parts)])


def subject_of(done: Written[MemoryChange]) -> str:
    """Return the scope and the beginning of the text of the memory that a write was about."""
    return subject_of_change(done.outcome) if done.outcome else ""


def subject_of_change(change: MemoryChange) -> str:
    """Return the scope and the beginning of the text of the memory that was changed, and what is proposed."""
    entry = change.after or change.before
    if entry is None:
        return ""
    proposed = ""
    if entry.proposal is not None and change.verb in _OF_PROPOSALS:
        proposed = f"{entry.proposal.get('operation', 'change')} of {entry.proposal.get('target', '?')} · "
    return f"{proposed}{entry.shelf.scope} · {quoted(entry.text)}"


def id_of(done: Written[MemoryChange]) -> str | None:
    """Return the id of the memory that a write was about; for a repeated one its receipt names it."""
    change = done.outcome
    entry = (change.after or change.before) if change else None
    if entry is not None:
        return entry.id
    paths = [path for path, _, _ in done.receipt.files] if done.receipt else []
    return next((path[:-3].rpartition("/")[2] for path in paths if "/entries/" in f"/{path}"), None)


def difference_of(call: Call, done: Written[Any]) -> str:
    """Return what a dry run would do to the files."""
    from wuu.cli.difference import render_difference  # noqa: PLC0415  (only dry runs show one)

    return render_difference(call.situation.home, done.changes)


def _data(call: Call, done: Written[MemoryChange], notice: str) -> dict[str, Any]:
    shown = _shown_after(call, done)
    return {
        "memory": None if shown is None else actions.memory_value(shown),
        "notice": notice,
        "duplicate_of": done.outcome.duplicate_of if done.outcome else None,
        "dry_run": done.dry_run,
        "replayed": done.replayed,
    }


def _shown_after(call: Call, done: Written[MemoryChange]) -> Shown | None:
    """Return the memory as it is now, None if it is gone; a dry run has the revision from before, if any."""
    change = done.outcome
    if change is not None and change.after is None:
        return None
    before = None if change is None else change.before
    if done.dry_run and change and change.after:
        links, revision = ((), "") if before is None else _show(call, before.id)[1:3]
        own = actions.own_links(change.after)
        links = (*(one for one in links if one.id not in {two.id for two in own}), *own)
        place = os.path.join(os.path.realpath(call.situation.home), change.after.path)
        return Shown(change.after, tuple(sorted(links)), revision, place)
    changed_id = id_of(done)
    try:
        return None if changed_id is None else _show(call, changed_id)
    except NotFound:
        return None


def _show(call: Call, memory_id: str) -> Shown:
    return actions.show_memory(call.situation, memory_id)


def _remarks(change: MemoryChange) -> list[str]:
    before, after = change.before, change.after
    if before is None or after is None:
        return ["pinned"] if after and after.pinned else []
    if (change.duplicate_of or change.verb == "saved") and before.status in _STATUS:
        is_now = before.status == after.status
        return [f"it {'is' if is_now else 'was'} {_STATUS[before.status]}"]
    remarks = [] if before.shelf == after.shelf else [f"moved from {before.shelf.scope}"]
    if change.verb == "updated" and before.pinned != after.pinned:
        remarks.append("pinned" if after.pinned else "no longer pinned")
    return remarks


def _hint(done: Written[MemoryChange], wanted_scope: str | None) -> str:
    """Say where the text is remembered already, and how it gets to where it was wanted."""
    change = done.outcome
    entry = change.after if change and change.duplicate_of else None
    if entry is None:
        return ""
    if wanted_scope in (None, entry.shelf.scope):
        return f"It is {entry.id}."
    return f"It is {entry.id}; wuu memory edit {entry.id} --scope {wanted_scope} moves it."
