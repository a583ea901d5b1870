"""Proposals that waited too long: which they are, and how the next change puts them away."""

import pytest

from memory.conftest import Room, after
from memory.samples import parse
from wuu.memory.approving.expiry import overdue, with_overdue
from wuu.memory.format.times import render_time
from wuu.memory.values import MemoryChange
from wuu.store.changes import ChangeSet, change

DAY = 86_400
NOW = 1_800_000_000.0
ID = "00000000000000a1"
OLD = (
    "---\nstatus: pending\nproposer: agent\ncreated: 2020-01-01T00:00:00.000000Z\n---\n\nThe keel is iron.\n"
)


def setting(room: Room, days: int) -> None:
    room.root.mkdir(exist_ok=True)
    (room.root / "settings.json").write_text(f'{{"memoryPendingDays": {days}}}')


def planned(*paths: str) -> ChangeSet[MemoryChange]:
    changes = tuple(change(path, None, b"x") for path in paths)
    return ChangeSet(changes, MemoryChange("saved", None, None))


@pytest.mark.parametrize(
    ("status", "age", "days", "expected"),
    [
        ("pending", 31, 30, True),
        ("pending", 30, 30, False),
        ("pending", 29, 30, False),
        ("pending", 4_000, 0, False),
        ("saved", 31, 30, False),
        ("archived", 31, 30, False),
    ],
)
def test_only_what_waits_longer_than_the_days_is_overdue(
    status: str, age: int, days: int, expected: bool
) -> None:
    entry = parse(f"---\nstatus: {status}\ncreated: {render_time(NOW - age * DAY)}\n---\n\nA text.\n")
    assert overdue(entry, days, NOW) is expected


def test_a_memory_without_a_time_is_never_overdue() -> None:
    assert not overdue(parse("---\nstatus: pending\n---\n\nA text.\n"), 1, NOW)


def test_what_is_overdue_is_archived_beside_the_change_and_told_once(room: Room) -> None:
    setting(room, 30)
    old = room.put(ID, OLD)
    young = after(room.propose("The mast is oak."))
    assert room.entry(old).status == "archived"  # already by the proposal, which is a change as well
    room.put(ID, OLD)
    found = with_overdue(room.home, room.asks(), planned("elsewhere.md"))
    (caveat,) = found.outcome.caveats
    assert (caveat.code, caveat.details) == ("lapsed", {"ids": [ID], "days": 30})
    assert [one.path for one in found.changes] == ["elsewhere.md", old.path]
    assert b"status: archived" in (found.changes[1].after or b"")
    assert room.entry(young).status == "pending"


def test_a_change_proposal_is_archived_with_what_it_proposes(room: Room) -> None:
    target = after(room.add("The mast is oak."))
    proposal = after(room.propose_change(target.id))
    path = room.file(proposal)
    path.write_text(path.read_text().replace(f"created: {proposal.created_at}", "created: 2020-01-01"))
    setting(room, 30)
    found = with_overdue(room.home, room.asks(), planned("elsewhere.md"))
    text = (found.changes[1].after or b"").decode()
    assert "status: archived" in text
    assert target.id in text


def test_what_the_plan_touches_and_a_plan_that_does_nothing_are_left_alone(room: Room) -> None:
    setting(room, 30)
    old = room.put(ID, OLD)
    for plan in (planned(old.path), planned()):
        assert with_overdue(room.home, room.asks(), plan) == plan


def test_with_the_setting_off_no_shelf_is_read(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.put(ID, OLD)
    monkeypatch.setattr("wuu.memory.approving.expiry.scan_names", lambda *_: pytest.fail("a shelf was read"))
    plan = planned("elsewhere.md")
    assert with_overdue(room.home, room.asks(), plan) is plan


def test_settings_that_cannot_be_read_keep_nobody_from_adding(room: Room) -> None:
    room.add("The home is there")
    (room.root / "settings.json").write_text("{")
    assert room.add("Use tabs").verb == "saved"
