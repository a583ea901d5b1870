"""Why what waits can no longer be applied, by the reason."""

import pytest

from memory.conftest import Room, after
from wuu.errors import UsageProblem
from wuu.memory.approving import scene, stale
from wuu.memory.values import EditMemory, Filters

ID = "00000000000000a1"
PENDING = "---\nstatus: pending\nproposer: agent\ncreated: {}\n---\n\n{}\n"


def told(room: Room, **filters: object) -> dict[str, str]:
    found = stale.list_stale(room.asks(), Filters(**filters))  # type: ignore[arg-type]
    return {one.memory.entry.id: one.obstacle.code for one in found.memories}


@pytest.mark.parametrize(
    ("verb", "code"),
    [("archive", "target_archived"), ("pin", "target_changed")],
)
def test_o26_a_target_that_changed_since(room: Room, verb: str, code: str) -> None:
    target = after(room.add("The mast is oak."))
    proposal = after(room.propose_change(target.id, EditMemory(target.id, text="The mast is pine.")))
    assert told(room) == {}
    room.change(verb, target.id)
    assert told(room) == {proposal.id: code}


def test_o26_a_target_that_is_gone(room: Room) -> None:
    target = after(room.add("The mast is oak."))
    proposal = after(room.propose_change(target.id))
    room.file(target).unlink()
    assert told(room) == {proposal.id: "target_gone"}


def test_a_text_that_is_saved_by_now(room: Room) -> None:
    room.put(ID, PENDING.format("2026-05-01", "The mast is oak."))
    after(room.add("The keel is iron."))
    other = room.put("00000000000000a2", "---\nstatus: saved\n---\n\nthe MAST is  oak.\n")
    assert other.status == "saved"
    assert told(room) == {ID: "already_exists"}


def test_what_is_too_large_holds_a_credential_or_is_broken(room: Room) -> None:
    large, secret, broken = ("00000000000000b1", "00000000000000b2", "00000000000000b3")
    room.put(large, PENDING.format("2026-05-01", "x " * 20_000))
    room.put(secret, PENDING.format("2026-05-01", "The token is ghp_" + "a1B2c3D4e5F6" * 3 + "."))
    room.put(broken, PENDING.format("no time", "The sail is red."))
    found = told(room)
    assert found[secret] == "secret_detected"
    assert found[large] in ("too_large", "entry_problem")
    assert found[broken] == "entry_problem"


def test_a_category_that_is_never_saved_and_what_waited_too_long(room: Room) -> None:
    never = room.put(ID, "---\nstatus: pending\ncategory: volatile.reject\n---\n\nThe tide is high.\n")
    old = room.put("00000000000000a2", PENDING.format("2020-01-01", "The sail is red."))
    room.put("00000000000000a3", PENDING.format("2020-01-01", "The keel is iron."))
    assert told(room) == {never.id: "policy_never"}
    (room.root / "settings.json").write_text('{"memoryPendingDays": 30}')
    assert told(room)[old.id] == "overdue"
    assert told(room, text="sail") == {old.id: "overdue"}


def test_the_limit_leaves_out_and_the_shelves_are_read_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        room.put(f"{number:016x}", f"---\nstatus: pending\ncategory: volatile.reject\n---\n\nText {number}\n")
    reads: list[int] = []
    real = scene.read_catalogue
    monkeypatch.setattr(scene, "read_catalogue", lambda *given: reads.append(1) or real(*given))
    found = stale.list_stale(room.asks(), Filters(limit=2))
    assert (len(found.memories), found.total, found.omitted, len(reads)) == (2, 5, 3, 1)


def test_a_filter_that_cannot_be_is_refused(room: Room) -> None:
    with pytest.raises(UsageProblem):
        stale.list_stale(room.asks(), Filters(scope="ship"))
