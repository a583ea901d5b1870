"""What becomes of what an agent wants kept: consent and its proof, approval, policies, restating."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from memory.conftest import Room, after
from wuu.errors import ApprovalRequired, Refused
from wuu.memory.approving.prompts import keep_prompt
from wuu.memory.format.entry import PENDING, SAVED
from wuu.memory.values import EditMemory

SECRET = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
MESSAGE = "My name is Nora, remember that."
SPANISH = "Me llamo Nora, recuerda eso."
Typed = Callable[..., None]


@pytest.fixture
def typed(room: Room) -> Typed:
    """Return what leaves the digest of a prompt, as the hook of an agent does."""
    room.add("The home is there")

    def run(text: str, session: str = "s1", **options: Any) -> None:
        keep_prompt(room.home, session, text, now=options.pop("now", time.time()), **options)

    return run


@pytest.fixture
def approval_off(room: Room) -> None:
    room.add("The home is there")
    (room.root / "settings.json").write_text('{"memoryRequireApproval": false}')


class TestConsent:
    @pytest.mark.parametrize(
        ("message", "fact"), [(MESSAGE, "User's name is Nora"), (SPANISH, "Se llama Nora")]
    )
    def test_what_a_person_asked_for_is_saved_at_once_and_once(
        self, room: Room, typed: Typed, message: str, fact: str
    ) -> None:
        typed(message)
        change = room.add(fact, agent=True, session="s1", message=message)
        saved = after(change)
        assert (change.verb, saved.status, saved.proposer, saved.saved_in) == ("saved", SAVED, "agent", "s1")
        again = room.add("Nora is the name", agent=True, session="s1", message=message)
        assert after(again).status == PENDING

    def test_a_prompt_allows_one_write(self, room: Room, typed: Typed) -> None:
        message = "Remember this: deploys happen on Fridays."
        typed(message)
        first = room.add("Deploys happen on Fridays", agent=True, session="s1", message=message)
        room.change("delete", after(first).id)
        second = room.add("Deploys happen on Fridays", agent=True, session="s1", message=message)
        assert (first.verb, second.verb) == ("saved", "proposed")
        state = json.loads((room.root / "state" / "prompts" / "s1.json").read_text())
        assert state["used"] is True
        typed(message)
        third = room.add("Deploys happen on Fridays", agent=True, session="s1", message=message)
        assert third.verb == "saved"

    def test_without_proof_it_waits(self, room: Room, typed: Typed) -> None:
        fact = "User's name is Nora"
        for how in (
            lambda: None,  # nothing was typed
            lambda: typed("Something else, remember that."),
            lambda: typed(MESSAGE, "s2"),
            lambda: typed(MESSAGE, agent_id="helper"),
            lambda: typed(MESSAGE, now=time.time() - 13 * 3600),
            lambda: (room.root / "state" / "prompts" / "s1.json").write_text("{"),
        ):
            how()
            change = room.add(fact, agent=True, session="s1", message=MESSAGE)
            assert (change.waits, after(change).status) == ("approval", PENDING)
            room.change("delete", after(change).id)
        typed(MESSAGE)
        assert room.add(fact, agent=True, message=MESSAGE).verb == "proposed"  # no session

    @pytest.mark.parametrize("fact", ["User's name is Nadia", "Nora likes tabs", "User's name is not Nora"])
    def test_another_fact_waits(self, room: Room, typed: Typed, fact: str) -> None:
        typed(MESSAGE)
        assert room.add(fact, agent=True, session="s1", message=MESSAGE).verb == "proposed"

    def test_what_waits_already_is_saved_by_consent(self, room: Room, typed: Typed) -> None:
        waiting = after(room.add("User's name is Nora", agent=True, session="s1"))
        typed(MESSAGE)
        change = room.add("User's name is Nora", agent=True, session="s1", message=MESSAGE)
        assert (change.verb, change.duplicate_of, after(change).status) == ("saved", waiting.id, SAVED)

    def test_consent_reaches_past_a_rejection_and_never_past_a_credential(
        self, room: Room, typed: Typed
    ) -> None:
        room.reject(after(room.add("User's name is Nora", agent=True)).id)
        typed(MESSAGE)
        assert room.add("User's name is Nora", agent=True, session="s1", message=MESSAGE).verb == "saved"
        message = f"My token is {SECRET}, remember that."
        typed(message)
        change = room.add(f"The token is {SECRET}", agent=True, session="s1", message=message)
        assert (change.waits, SECRET in after(change).text) == ("redacted", False)

    def test_consent_is_no_leave_to_pin_to_propose_or_to_change(self, room: Room, typed: Typed) -> None:
        typed(MESSAGE)
        with pytest.raises(ApprovalRequired):
            room.add("Name is Nora", agent=True, session="s1", message=MESSAGE, pinned=True)
        assert room.propose("Name is Nora", agent=True, session="s1", message=MESSAGE).verb == "proposed"


class TestCard:
    def test_what_a_person_was_shown_is_saved(self, room: Room) -> None:
        assert room.add("Use tabs", agent=True).waits == "approval"
        change = room.add("Use tabs", agent=True, approved=True)
        assert (change.verb, after(change).proposer) == ("saved", "agent")
        assert not (room.root / "settings.json").exists()

    def test_nobody_is_asked_again_where_they_say_so(self, room: Room) -> None:
        room.add("Use tabs", agent=True, approved=True, stop_asking=True)
        assert json.loads((room.root / "settings.json").read_text()) == {"memoryRequireApproval": False}
        assert room.add("Use spaces", agent=True).verb == "saved"

    def test_not_to_be_asked_takes_an_answer(self, room: Room) -> None:
        assert room.add("Use tabs", agent=True, stop_asking=True).verb == "proposed"
        assert not (room.root / "settings.json").exists()


@pytest.mark.usefixtures("approval_off")
class TestWithoutApproval:
    def test_what_an_agent_adds_is_saved(self, room: Room) -> None:
        assert room.add("Use tabs", agent=True).verb == "saved"

    @pytest.mark.parametrize(
        ("proposer", "verb"), [("import", "known"), ("dream", "known"), ("agent", "saved")]
    )
    def test_what_others_proposed_an_agent_does_not_save(self, room: Room, proposer: str, verb: str) -> None:
        room.put("00000000000000aa", f"---\nstatus: pending\nproposer: {proposer}\n---\n\nUse tabs\n")
        assert room.add("Use tabs", agent=True).verb == verb
        assert room.add("use TABS", agent=True, approved=True).duplicate_of == "00000000000000aa"
        assert [one.status for one in room.entries() if one.text == "Use tabs"] == [SAVED]

    def test_what_restates_the_request_waits(self, room: Room) -> None:
        message = "Please write the deploy script for the staging cluster with retries."
        change = room.add("Write the deploy script for staging with retries", agent=True, message=message)
        assert (change.verb, change.waits) == ("proposed", "restates")
        standing = f"Always {message}"
        saved = room.add("Deploy script for the staging cluster has retries", agent=True, message=standing)
        assert saved.verb == "saved"
        assert room.add("The keel is lead", agent=True, message=message).verb == "saved"

    def test_what_was_redacted_waits_whatever_the_policy(self, room: Room) -> None:
        (room.root / "settings.json").write_text(
            '{"memoryRequireApproval": false, "memoryPolicies": {"stack": "auto"}}'
        )
        for act in (room.add, room.propose):
            change = act(f"{act.__name__}: the token is {SECRET}", agent=True, category="stack")
            assert (change.verb, change.waits) == ("proposed", "redacted")

    def test_a_proposal_follows_the_policy_of_its_category(self, room: Room) -> None:
        (room.root / "settings.json").write_text(
            '{"memoryRequireApproval": false, "memoryPolicies": {"stack": "auto", "release": "never"}}'
        )
        assert room.propose("One", agent=True, category="Project.Stack").verb == "saved"
        assert room.propose("Two", agent=True, category="objective").waits == "policy"
        for act in (room.propose, room.add):
            for category in ("release", "volatile.reject"):
                with pytest.raises(Refused) as caught:
                    act("Three", agent=True, category=category)
                assert caught.value.details["reason"] == "policy"
        assert room.propose("Four", category="stack").verb == "proposed"  # a person's waits
        assert room.add("Five", category="release").verb == "saved"

    def test_what_is_saved_is_still_only_changed_by_a_person(self, room: Room) -> None:
        target = after(room.add("Use tabs"))
        assert room.edit(target.id, text="Use spaces", agent=True).verb == "proposed"
        change = room.propose_change(target.id, EditMemory(target.id, category="stack"), agent=True)
        assert change.verb == "proposed"


def test_while_approval_is_required_no_policy_saves(room: Room) -> None:
    room.add("The home is there")
    (room.root / "settings.json").write_text('{"memoryPolicies": {"stack": "auto"}}')
    for act in (room.add, room.propose):
        assert act(f"By {act.__name__}", agent=True, category="stack").waits == "approval"
