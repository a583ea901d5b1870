"""The protocol, weakened in one place at a time: what a checker lets pass shows that it checks nothing.

Owns the patches of production functions and which cases show each of them up.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

from store.checking import SCENARIOS
from store.crash_cases import (
    INDEX,
    commit_case,
    edit_case,
    first_write_case,
    lying_case,
    park_case,
    settle_case,
)
from store.crash_states import Case
from wuu.store import files, finishing, journal, recovery, transaction
from wuu.store.apply import Target, make_room, publish_all, stage_all, sync_all
from wuu.store.changes import Receipt
from wuu.store.home import CONFLICTS, JOURNAL, RECEIPTS, Home
from wuu.store.journal import Intent

Weakening = Callable[[], contextlib.AbstractContextManager[object]]

TWO, RENAME, EDIT = SCENARIOS[0], SCENARIOS[1], SCENARIOS[3]


class Weakened(NamedTuple):
    """One weakened protocol: what is wrong, the patch, the case, and after which cut recovery is cut too."""

    name: str
    patch: Weakening
    case: Case
    where: str | None = None


class _Module:
    """A module with some of its functions replaced."""

    def __init__(self, module: ModuleType, **replaced: Callable[..., Any]) -> None:
        self.__dict__.update(replaced)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


# --- other orders of the full path ----------------------------------------------------------------------


def _staged(home: Home, intent: Intent) -> list[Target]:
    targets: list[Target] = []
    make_room(home, intent.changes, JOURNAL, RECEIPTS)
    stage_all(home, intent.changes, targets)
    return targets


def _sync(targets: list[Target]) -> None:
    sync_all(target.place for target in targets)


def _leave(home: Home, intent: Intent) -> Receipt:
    receipt = intent.receipt()
    place = home.place(f"{RECEIPTS}/{journal.receipt_name(receipt)}")
    files.write_atomic(place, journal.render_receipt(receipt))
    return receipt


def _intend(home: Home, intent: Intent) -> str:
    place = home.place(f"{JOURNAL}/{intent.id}{journal.INTENT_ENDING}")
    files.write_atomic(place, journal.render_intent(intent))
    return place


def without_intent(home: Home, intent: Intent, _: object = None) -> Receipt:
    targets = _staged(home, intent)
    publish_all(targets)
    _sync(targets)
    return _leave(home, intent)


def intent_after_publishing(home: Home, intent: Intent, _: object = None) -> Receipt:
    targets = _staged(home, intent)
    publish_all(targets)
    place = _intend(home, intent)
    _sync(targets)
    receipt = _leave(home, intent)
    files.remove(place)
    return receipt


def receipt_before_publishing(home: Home, intent: Intent, _: object = None) -> Receipt:
    targets = _staged(home, intent)
    place = _intend(home, intent)
    receipt = _leave(home, intent)
    publish_all(targets)
    _sync(targets)
    files.remove(place)
    return receipt


def receipt_before_durable(home: Home, intent: Intent, _: object = None) -> Receipt:
    targets = _staged(home, intent)
    place = _intend(home, intent)
    publish_all(targets)
    receipt = _leave(home, intent)
    _sync(targets)
    files.remove(place)
    return receipt


def intent_gone_before_durable(home: Home, intent: Intent, _: object = None) -> Receipt:
    targets = _staged(home, intent)
    place = _intend(home, intent)
    publish_all(targets)
    files.remove(place)
    _sync(targets)
    return _leave(home, intent)


def intent_gone_before_receipt(home: Home, intent: Intent, _: object = None) -> Receipt:
    targets = _staged(home, intent)
    place = _intend(home, intent)
    publish_all(targets)
    _sync(targets)
    files.remove(place)
    return _leave(home, intent)


# --- single steps left out ------------------------------------------------------------------------------


def _fill_unsynced(descriptor: int, data: bytes, place: str) -> None:
    try:
        files.os.write(descriptor, data)
        files._copy_access(descriptor, place)
    finally:
        files.os.close(descriptor)


def _publish_in_place(temp: str, place: str) -> None:
    with open(temp, "rb") as file:
        data = file.read()
    descriptor = files.os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    files._fill(descriptor, data, place)
    files.os.unlink(temp)


def _parse_unchecked(data: bytes, name: str) -> Intent:
    line, _, body = data.partition(b"\n")[2].partition(b"\n")
    try:
        return journal._intent(json.loads(line), body)
    except (ValueError, KeyError, TypeError) as error:
        raise journal.Corrupt(name) from error


def _state_without_after(home: Home, intent: Intent, one: Any) -> str:
    found = finishing.current_digest(home, one.path)
    return finishing.BEFORE if found == one.before else finishing.CHANGED


def _ensure_unsynced(place: str) -> None:
    if not os.path.isdir(place):
        _ensure_unsynced(os.path.dirname(place))
        files.os.mkdir(place, files.PRIVATE_FOLDER)


def _park_by_renaming(place: str, new_place: str) -> None:
    files.publish(place, new_place)
    files.sync_folder(os.path.dirname(new_place))
    files.sync_folder(os.path.dirname(place))


def _park_and_sync_late(place: str, new_place: str) -> None:
    files.publish(place, new_place)
    files.sync_folder(os.path.dirname(place))
    files.sync_folder(os.path.dirname(new_place))


def _forget(home: Home, name: str, new_name: str) -> None:
    files.remove(home.place(f"{JOURNAL}/{name}"))


def _park_in_a_new_folder(home: Home, name: str, new_name: str) -> None:
    if not os.path.isdir(home.place(CONFLICTS)):
        files.ensure_folder(home.place(CONFLICTS))
    files.move(home.place(f"{JOURNAL}/{name}"), home.place(f"{CONFLICTS}/{new_name}"))


def _settle_at_once(home: Home, intent: Intent, *, careful: bool) -> None:
    if not careful:
        files.remove(home.place(f"{CONFLICTS}/{intent.id}{journal.INTENT_ENDING}"))
        files.sync_folder(home.place(CONFLICTS))
    finishing.finish(home, intent, careful=careful)


def _not_syncing(module: ModuleType | None, folder: str) -> Weakening:
    """Return the patch after which the names in one folder are never synced, anywhere or in one module."""
    real = files.sync_folder

    def sync_folder(place: str) -> None:
        if os.path.basename(place) != folder:
            real(place)

    if module is None:
        return lambda: mock.patch.object(files, "sync_folder", sync_folder)
    return lambda: mock.patch.object(
        module, "files", _Module(files, sync_folder=sync_folder, sync_file=lambda _: None)
    )


def _with(module: ModuleType, name: str, replacement: object) -> Weakening:
    return lambda: mock.patch.object(module, name, replacement)


def _nothing(*_: object, **__: object) -> None:
    return None


def _orders() -> Iterator[Weakened]:
    for function in (
        without_intent,
        intent_after_publishing,
        receipt_before_publishing,
        receipt_before_durable,
        intent_gone_before_durable,
        intent_gone_before_receipt,
    ):
        name = function.__name__.replace("_", " ")
        yield Weakened(name, _with(transaction, "_write_all", function), commit_case(RENAME))


WEAKENED = (
    *_orders(),
    Weakened("staged files are not synced", _with(files, "_fill", _fill_unsynced), commit_case(TWO)),
    Weakened("published names are not synced", _with(transaction, "sync_all", _nothing), commit_case(TWO)),
    Weakened("the name of the intent is not synced", _not_syncing(None, JOURNAL), commit_case(TWO)),
    Weakened("the name of the receipt is not synced", _not_syncing(None, RECEIPTS), commit_case(TWO)),
    Weakened(
        "new folders are not synced", _with(files, "ensure_folder", _ensure_unsynced), first_write_case()
    ),
    Weakened("files are written in place", _with(files, "publish", _publish_in_place), commit_case(EDIT)),
    Weakened("modes are not kept", _with(files, "_copy_access", _nothing), commit_case(EDIT)),
    Weakened("temporary files are not swept", _with(files, "sweep", lambda _: 0), commit_case(TWO)),
    Weakened(
        "a torn intent is believed", _with(journal, "parse_intent", _parse_unchecked), lying_case(RENAME)
    ),
    Weakened(
        "recovery takes what is made for an edit",
        _with(finishing, "state_of", _state_without_after),
        commit_case(RENAME),
    ),
    Weakened(
        "recovery overwrites an edit", _with(finishing, "_refuse_changed", _nothing), edit_case(RENAME, INDEX)
    ),
    Weakened(
        "recovery does not sync what it makes",
        _with(finishing, "sync_all", _nothing),
        commit_case(TWO),
        "fsync of journal",
    ),
    Weakened(
        "recovery believes an intent unsynced",
        _not_syncing(recovery, JOURNAL),
        commit_case(TWO),
        "fsync of journal",
    ),
    Weakened(
        "recovery believes a receipt unsynced",
        _not_syncing(recovery, RECEIPTS),
        commit_case(TWO),
        "fsync of receipts",
    ),
    Weakened(
        "a folder that a killed writer made is believed",
        _with(files, "_is_empty", lambda _: False),
        commit_case(RENAME),
        "fsync of old",
    ),
    Weakened(
        "what an edit stopped is forgotten", _with(recovery, "_park", _forget), edit_case(RENAME, INDEX)
    ),
    Weakened("parking renames across folders", _with(files, "move", _park_by_renaming), park_case()),
    Weakened("parking syncs the wrong folder first", _with(files, "move", _park_and_sync_late), park_case()),
    Weakened(
        "parking believes a folder that a killed writer made",
        _with(recovery, "_park", _park_in_a_new_folder),
        park_case(),
        "fsync of home",
    ),
    Weakened(
        "a settlement keeps no copy", _with(recovery, "_keep_copy", _nothing), settle_case(keep_prepared=True)
    ),
    Weakened(
        "a settlement drops the intent first",
        _with(recovery, "finish", _settle_at_once),
        settle_case(keep_prepared=True),
    ),
    Weakened(
        "the end of a settlement is not synced",
        _not_syncing(recovery, CONFLICTS),
        settle_case(keep_prepared=False),
    ),
)
