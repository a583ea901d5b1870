"""One way for every use case to write: read-only mode, dry runs, request ids and recovered changes."""

import json
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from wuu.errors import Caveat, ReadOnlyMode
from wuu.ids import sha256_hex
from wuu.situation.situation import Situation
from wuu.store.changes import Change, ChangeSet, Receipt, Recovered, Request
from wuu.store.home import Home
from wuu.store.transaction import commit, preview

T = TypeVar("T")


class WriteOptions(NamedTuple):
    """How to write: only show it, or under a request id that makes a repetition harmless.

    `waiting` is told when the lock is slow to come. `secrets` says what becomes of a credential in what is
    added: `refuse`, `redact` or `keep` (`situation/credentials.py`). `progress` is told how many of how many
    files are written.
    """

    dry_run: bool = False
    request_id: str | None = None
    waiting: Callable[[str], None] | None = None
    secrets: str = "refuse"
    progress: Callable[[int, int], None] | None = None


class Written(NamedTuple, Generic[T]):
    """What a write did or, with `dry_run`, would do. `outcome` is None if a request was answered again."""

    outcome: T | None
    changes: tuple[Change, ...]
    receipt: Receipt | None
    dry_run: bool
    replayed: bool
    caveats: tuple[Caveat, ...]


def write(
    situation: Situation,
    home: Home,
    plan: Callable[[Home], ChangeSet[T]],
    options: WriteOptions,
    *,
    command: str,
    asked: Any,
) -> Written[T]:
    """Commit `plan`, or preview it for a dry run.

    `asked` is the request, of values that JSON has or that have a `repr`; with a request id its digest tells
    a repetition from a reuse.

    Raises:
        ReadOnlyMode: The whole program runs read-only.
        WuuError: Whatever `transaction.commit` raises.
    """
    if options.dry_run:
        planned = preview(home, plan)
        return Written(planned.outcome, planned.changes, None, dry_run=True, replayed=False, caveats=())
    refuse_read_only(situation)
    digest = sha256_hex(json.dumps([command, asked], sort_keys=True, default=_as_text).encode())
    request = None if options.request_id is None else Request(options.request_id, digest)
    done = commit(
        home, plan, command=command, request=request, waiting=options.waiting, progress=options.progress
    )
    caveats = tuple(_caveat(one) for one in done.recovered)
    return Written(
        done.outcome, done.changes, done.receipt, dry_run=False, replayed=done.replayed, caveats=caveats
    )


def refuse_read_only(situation: Situation) -> None:
    """Refuse if nothing may be written.

    Raises:
        ReadOnlyMode: The whole program runs read-only.
    """
    if situation.read_only:
        raise ReadOnlyMode(
            "This would write, and wuu runs read-only.", hint="Leave out --read-only or WUU_READ_ONLY."
        )


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else repr(value)


def _caveat(one: Recovered) -> Caveat:
    paths = ", ".join(one.paths) or "unknown files"
    details = {"id": one.id, "paths": list(one.paths)}
    if one.outcome == "completed":
        return Caveat("recovered", f"An interrupted change of {paths} was finished first.", details)
    note = f"An interrupted change of {paths} needs your decision: wuu reconcile files"
    return Caveat("recovery_needed", note, details)
