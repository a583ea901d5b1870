"""Approving and rejecting: what is approved is what was shown, in one pass, each with its own reason."""

import json
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest

from memory.conftest import Room, after
from wuu.errors import (
    AlreadyExists,
    ApprovalRequired,
    NotFound,
    NotUtf8,
    PinLimit,
    Refused,
    SecretDetected,
    StaleRevision,
    TooLarge,
    UsageProblem,
    WuuError,
)
from wuu.memory import actions
from wuu.memory.approving import scene
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, Entry
from wuu.memory.values import ApproveMemory, Decided, EditMemory, Filters, MemoryChange
from wuu.memory.writing import lifecycle
from wuu.situation.writing import WriteOptions

SECRET = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
OTHER, TARGET = "00000000000000bb", "00000000000000cc"
WELL_MADE = {"operation": "update", "target": TARGET, "target_revision": "", "changes": {}}
FORGED: tuple[dict[str, Any], ...] = (
    {**WELL_MADE, "operation": "delete"},
    {**WELL_MADE, "target": "x"},
    {**WELL_MADE, "target_revision": 1},
    {**WELL_MADE, "changes": []},
    {**WELL_MADE, "changes": {"pinned": True}},
    {**WELL_MADE, "changes": {"status": "saved"}},
    {**WELL_MADE, "changes": {"tags": "a"}},
    {**WELL_MADE, "changes": {"scope": "all"}},
    {**WELL_MADE, "changes": {"confidence": True}},
)


def change_of(result: Decided) -> MemoryChange:
    assert result.change is not None, result.error
    return result.change


def error_of(result: Decided) -> WuuError:
    assert result.error is not None
    return result.error


@pytest.fixture
def target(room: Room) -> Entry:
    return after(room.add("Deploys happen on Fridays", category="release", tags=("ci",)))


@pytest.fixture
def proposal(room: Room, target: Entry) -> Entry:
    edit = EditMemory(target.id, text="Deploys happen on Thursdays", add_tags=("ship",))
    return after(room.propose_change(target.id, edit, agent=True))


class TestNewMemories:
    def test_what_waits_is_saved_in_this_session_and_says_since_when(self, room: Room) -> None:
        waiting = after(room.add("Use tabs", agent=True))
        change = change_of(room.approve(waiting.id, session="s1")[0])
        saved = after(change)
        assert (change.verb, saved.status, saved.saved_in, saved.proposer) == ("saved", SAVED, "s1", "agent")
        assert waiting.saved_at is None
        assert saved.saved_at == saved.updated_at > (saved.created_at or "")
        assert room.entry(saved) == saved
        assert change_of(room.approve(waiting.id)[0]).verb == "unchanged"

    def test_undo_reaches_what_was_approved_last(self, room: Room) -> None:
        first = after(room.propose("Approved late"))
        room.add("Added meanwhile")
        room.approve(first.id)
        assert room.undo().before is not None
        assert [one.text for one in room.entries()] == ["Added meanwhile"]

    def test_a_person_may_word_place_and_pin_it(self, room: Room) -> None:
        waiting = after(room.add("use tabs", agent=True))
        saved = after(change_of(room.approve(waiting.id, text="Use tabs.", scope="user", pinned=True)[0]))
        assert (saved.text, saved.shelf.scope, saved.pinned, saved.id) == (
            "Use tabs.",
            "user",
            True,
            waiting.id,
        )
        assert room.entries() == []

    def test_only_what_waits_is_decided(self, room: Room) -> None:
        saved = after(room.add("Saved"))
        archived = after(room.add("Archived"))
        room.change("archive", archived.id)
        assert isinstance(error_of(room.approve(archived.id)[0]), Refused)
        for one in (saved, archived):
            assert isinstance(error_of(room.reject(one.id)[0]), Refused)
        assert isinstance(error_of(room.approve("ffff")[0]), NotFound)

    def test_an_agent_decides_nothing(self, room: Room, proposal: Entry) -> None:
        for decide in (room.approve, room.reject):
            with pytest.raises(ApprovalRequired):
                decide(proposal.id, agent=True)

    def test_a_text_that_is_saved_meanwhile_is_not_saved_twice(self, room: Room) -> None:
        first, second = after(room.propose("Use tabs")), after(room.propose("Use spaces"))
        room.file(second).write_text(room.file(second).read_text().replace("Use spaces", "use  TABS"))
        results = room.approve(first.id, second.id)
        assert change_of(results[0]).verb == "saved"
        assert isinstance(error_of(results[1]), AlreadyExists)

    def test_a_pin_needs_room(self, room: Room) -> None:
        waiting = after(room.propose("One more"))
        with mock.patch.object(lifecycle, "MAX_PINS", 1):
            room.add("Pinned", pinned=True)
            assert isinstance(error_of(room.approve(waiting.id, pinned=True)[0]), PinLimit)


class TestByHand:
    @pytest.mark.parametrize(
        ("edit", "error"),
        [
            (lambda text: text + "x" * 32_769, TooLarge),
            (lambda text: text.replace("proposer:", f"tags: [{SECRET}]\nproposer:"), SecretDetected),
            (lambda text: text + f"token {SECRET}\n", SecretDetected),
            (lambda text: text.replace("Use tabs\n", "\n"), UsageProblem),
        ],
    )
    def test_o16_the_checks_of_adding_hold_for_what_a_hand_changed(
        self, room: Room, edit: Callable[[str], str], error: type[WuuError]
    ) -> None:
        waiting = after(room.add("Use tabs", agent=True))
        path = room.file(waiting)
        path.write_text(edit(path.read_text()))
        tree = room.tree()
        assert type(error_of(room.approve(waiting.id)[0])) is error
        assert room.tree() == tree

    def test_a_credential_is_kept_where_a_person_insists(self, room: Room) -> None:
        waiting = after(room.add("Use tabs", agent=True))
        path = room.file(waiting)
        path.write_text(path.read_text() + f"token {SECRET}\n")
        requests, options = [ApproveMemory(waiting.id)], WriteOptions(secrets="keep")
        done = actions.approve_memories(room.asks(), requests, options)
        assert done.outcome is not None
        assert change_of(done.outcome.results[0]).verb == "saved"

    def test_o26_what_changed_since_it_was_shown_is_refused_with_a_diff(self, room: Room) -> None:
        waiting = after(room.add("Use tabs", agent=True))
        revision = actions.show_memory(room.asks(), waiting.id).revision
        path = room.file(waiting)
        path.write_text(path.read_text().replace("Use tabs", "Use spaces"))
        error = error_of(room.approve(waiting.id, revision=revision)[0])
        assert isinstance(error, StaleRevision)
        assert "+Use spaces" in error.details["diff"]
        assert isinstance(error_of(room.reject(waiting.id, revision=revision)[0]), StaleRevision)

    @pytest.mark.parametrize("value", ["nonsense", "[]", "{}", *map(json.dumps, FORGED)])
    def test_o13_a_forged_proposal_is_approved_as_nothing_else(self, room: Room, value: str) -> None:
        room.put(TARGET, "---\nstatus: saved\n---\n\nSaved\n")
        waiting = room.put(OTHER, f"---\nstatus: pending\nproposal: {value}\n---\n\nForged\n")
        tree = room.tree()
        assert isinstance(error_of(room.approve(OTHER)[0]), Refused)
        assert room.tree() == tree
        assert waiting.proposes_change
        assert change_of(room.reject(OTHER)[0]).verb == "rejected"

    def test_the_key_says_nothing_in_a_saved_memory(self, room: Room) -> None:
        room.put(OTHER, "---\nstatus: saved\nproposal: nonsense\n---\n\nSaved\n")
        assert after(room.edit(OTHER, category="stack")).category == "stack"
        assert room.add("saved").duplicate_of == OTHER


class TestChanges:
    def test_an_update_is_made_of_its_target_and_goes(
        self, room: Room, target: Entry, proposal: Entry
    ) -> None:
        change = change_of(room.approve(proposal.id)[0])
        changed = after(change)
        assert (change.verb, changed.id) == ("updated", target.id)
        assert (changed.text, changed.tags) == ("Deploys happen on Thursdays", ("ci", "ship"))
        assert (changed.category, changed.saved_at) == ("release", target.saved_at)
        assert [one.id for one in room.entries()] == [target.id]

    def test_an_archive_is_made_and_goes(self, room: Room, target: Entry) -> None:
        proposal = after(room.change("archive", target.id, agent=True))
        assert change_of(room.approve(proposal.id)[0]).verb == "archived"
        assert [(one.id, one.status) for one in room.entries()] == [(target.id, ARCHIVED)]

    def test_a_move_is_made(self, room: Room, target: Entry) -> None:
        proposal = after(room.edit(target.id, scope="user", agent=True))
        assert proposal.shelf.scope == "project"
        assert after(change_of(room.approve(proposal.id)[0])).shelf.scope == "user"
        assert room.entries() == []

    @pytest.mark.parametrize("how", ["text", "pin", "move", "link", "archive", "remove", "hand"])
    def test_o26_whatever_changed_of_the_target_makes_it_stale(
        self, room: Room, target: Entry, proposal: Entry, how: str
    ) -> None:
        path = room.file(target)
        if how == "text":
            room.edit(target.id, text="Deploys happen on Mondays")
        elif how == "pin":
            room.change("pin", target.id)
        elif how == "move":
            room.edit(target.id, scope="user")
        elif how == "link":
            room.put(OTHER, f"---\nstatus: saved\nlink-{target.id}: supports\n---\n\nLinks\n")
        elif how == "archive":
            room.change("archive", target.id)
        elif how == "remove":
            path.unlink()
        else:
            path.write_text(path.read_text() + "\n")
        tree = room.tree()
        error = error_of(room.approve(proposal.id)[0])
        assert isinstance(error, StaleRevision)
        assert "+Deploys happen on Thursdays" in error.details["diff"]
        assert room.tree() == tree
        found = actions.preview_approval(room.asks(), actions.show_memory(room.asks(), proposal.id))
        assert isinstance(found.error, StaleRevision)

    def test_of_two_changes_the_second_is_stale(self, room: Room, target: Entry, proposal: Entry) -> None:
        archive = after(room.change("archive", target.id, agent=True))
        results = room.approve(proposal.id, archive.id)
        assert [result.change is not None for result in results] == [True, False]

    def test_the_same_change_is_proposed_once(self, room: Room, target: Entry, proposal: Entry) -> None:
        edit = EditMemory(target.id, text=" deploys happen on THURSDAYS", add_tags=("ship",))
        again = room.propose_change(target.id, edit, agent=True)
        assert (again.verb, again.duplicate_of) == ("known", proposal.id)
        edit = edit._replace(text=target.text, add_tags=("CI",))
        assert room.propose_change(target.id, edit).verb == "unchanged"

    def test_what_a_person_words_differently_is_what_is_made(
        self, room: Room, target: Entry, proposal: Entry
    ) -> None:
        room.edit(proposal.id, text="Deploys happen on Wednesdays", category="commands")
        changed = after(change_of(room.approve(proposal.id)[0]))
        assert (changed.text, changed.category) == ("Deploys happen on Wednesdays", "commands")
        assert changed.id == target.id

    def test_a_change_has_no_pin_and_no_scope_of_its_own(self, room: Room, proposal: Entry) -> None:
        assert isinstance(error_of(room.approve(proposal.id, pinned=True)[0]), Refused)
        assert isinstance(error_of(room.approve(proposal.id, scope="user")[0]), Refused)

    def test_only_changes_of_saved_memories_are_proposed(self, room: Room, proposal: Entry) -> None:
        with pytest.raises(Refused):
            room.propose_change(proposal.id)

    def test_deleting_takes_what_was_proposed_along(self, room: Room, target: Entry, proposal: Entry) -> None:
        change = room.change("delete", target.id)
        assert [one.code for one in change.caveats] == ["proposals_removed"]
        assert room.entries() == []
        assert not [name for name, data in room.tree().items() if b"Thursdays" in data]

    def test_evidence_and_what_was_redacted_go_along(self, room: Room, target: Entry) -> None:
        edit = EditMemory(target.id, text=f"Deploys need {SECRET}")
        proposal = after(room.propose_change(target.id, edit))
        assert SECRET not in proposal.text
        changed = after(change_of(room.approve(proposal.id)[0]))
        assert changed.redactions == proposal.redactions != ()


class TestRejecting:
    def test_it_goes_and_leaves_no_text(self, room: Room) -> None:
        waiting = after(room.add("The quokka is secret", agent=True))
        change = change_of(room.reject(waiting.id, reason="Not true.")[0])
        assert (change.verb, change.after) == ("rejected", None)
        assert not [name for name, data in room.tree().items() if b"quokka" in data]

    @pytest.mark.parametrize("again", ["Use tabs", "  use\n TABS ", "Use\u00a0tabs"])
    def test_o24_an_agent_does_not_propose_it_again(self, room: Room, again: str) -> None:
        room.reject(after(room.add("Use tabs", agent=True)).id, reason="Spaces.")
        for propose in (room.add, room.propose):
            with pytest.raises(Refused) as caught:
                propose(again, agent=True)
            assert caught.value.details["reason"] == "rejected"
            assert caught.value.details["given_reason"] == "Spaces."
        with pytest.raises(Refused):
            room.add(again, "user", agent=True)
        assert after(room.add(again, agent=True, project="farm")).status == PENDING
        other = after(room.add("Something else"))
        with pytest.raises(Refused):
            room.edit(other.id, text=again, agent=True)

    def test_a_person_may_still_add_it_and_is_told(self, room: Room) -> None:
        room.reject(after(room.add("Use tabs", agent=True)).id)
        change = room.add("use tabs")
        assert change.verb == "saved"
        assert [one.code for one in change.caveats] == ["rejected_before"]

    def test_a_rejected_change_is_not_proposed_again(self, room: Room, target: Entry) -> None:
        room.reject(after(room.change("archive", target.id, agent=True)).id)
        with pytest.raises(Refused):
            room.change("archive", target.id, agent=True)
        room.reject(after(room.edit(target.id, category="stack", agent=True)).id)
        with pytest.raises(Refused):
            room.edit(target.id, category="stack", agent=True)
        assert after(room.edit(target.id, category="commands", agent=True)).status == PENDING
        room.edit(target.id, text="Deploys happen daily")
        assert after(room.change("archive", target.id, agent=True)).status == PENDING

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"rejected": [1, {"digest": 2}]}', b"\xff"])
    def test_o12_a_damaged_record_is_an_empty_one(self, room: Room, data: bytes) -> None:
        waiting = after(room.add("Use tabs", agent=True))
        path = room.root / "state" / "rejected.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        assert after(room.add("Use spaces", agent=True)).status == PENDING
        room.reject(waiting.id)
        with pytest.raises(Refused):
            room.add("Use tabs", agent=True)

    def test_a_reason_is_one_line(self, room: Room, proposal: Entry) -> None:
        with pytest.raises(UsageProblem):
            room.reject(proposal.id, reason="a\nstatus: saved")


class TestMany:
    def test_o26_one_that_is_broken_does_not_stop_the_others(self, room: Room) -> None:
        waiting = [after(room.add(f"Fact {number}", agent=True)) for number in range(5)]
        room.file(waiting[2]).write_bytes(b"---\nstatus: pending\n---\n\n\xff\n")
        for _ in range(2):
            done = actions.approve_memories(room.asks(), (), WriteOptions(), Filters())
            assert done.outcome is not None
            failed = [one for one in done.outcome.results if one.error]
            assert [(one.id, type(one.error)) for one in failed] == [(waiting[2].id, NotUtf8)]
        assert sorted(one.text for one in room.entries() if one.status == SAVED) == [
            f"Fact {number}" for number in (0, 1, 3, 4)
        ]

    def test_the_files_are_read_once_for_all(self, room: Room) -> None:
        for number in range(20):
            room.add(f"Fact {number}", agent=True)
        with mock.patch.object(scene, "read_catalogue", wraps=scene.read_catalogue) as read:
            done = actions.approve_memories(room.asks(), (), WriteOptions(), Filters())
        assert done.outcome is not None
        assert (len(done.outcome.results), read.call_count) == (20, 1)
        assert done.receipt is not None
        assert len(done.receipt.files) == 20

    def test_progress_is_told_file_by_file(self, room: Room) -> None:
        for number in range(3):
            room.add(f"Fact {number}", agent=True)
        told: list[tuple[int, int]] = []
        options = WriteOptions(progress=lambda done, total: told.append((done, total)))
        actions.approve_memories(room.asks(), (), options, Filters())
        assert told == [(1, 3), (2, 3), (3, 3)]

    def test_filters_say_which(self, room: Room) -> None:
        room.add("One", agent=True, category="stack")
        room.add("Two", agent=True, category="release")
        actions.approve_memories(room.asks(), (), WriteOptions(), Filters(category="stack"))
        assert {one.text: one.status for one in room.entries()} == {"One": SAVED, "Two": PENDING}

    def test_the_same_one_named_twice_is_decided_once(
        self, room: Room, target: Entry, proposal: Entry
    ) -> None:
        results = room.approve(proposal.id, proposal.id[:8])
        assert change_of(results[0]).verb == "updated"
        assert len(results) == 1
        assert len(room.entries()) == 1

    def test_a_repeated_request_decides_once(self, room: Room) -> None:
        waiting = after(room.add("One", agent=True))
        options = WriteOptions(request_id="r1")
        requests = [ApproveMemory(waiting.id)]
        assert actions.approve_memories(room.asks(), requests, options).outcome is not None
        assert actions.approve_memories(room.asks(), requests, options).replayed
