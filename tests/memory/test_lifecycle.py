"""Which status, pin and scope follows which: every rule of issue 4, point 2, by itself."""

import pytest

from wuu.errors import PinLimit, Refused, UsageProblem
from wuu.memory.format.entry import ARCHIVED, PENDING, SAVED, STATUSES, Entry
from wuu.memory.shelves import project_shelf, session_shelf, user_shelf
from wuu.memory.writing.lifecycle import (
    ARCHIVE,
    MAX_PINS,
    PIN,
    RESTORE,
    UNCHANGED,
    UNPIN,
    VERBS,
    approved,
    check_verb,
    refuse_move,
    refuse_without_room,
    step,
)
from wuu.memory.writing.notices import named

SHELF = project_shelf("shop-0123456789abcdef")


def memory(status: str = SAVED, **fields: object) -> Entry:
    return Entry("00000000000000aa", SHELF, status, "Use tabs in Makefiles", **fields)  # type: ignore[arg-type]


class TestPins:
    def test_a_saved_memory_is_pinned_and_unpinned(self) -> None:
        done = step(memory(), PIN, None, None)
        assert (done.entry, done.verb) == (memory(pinned=True), "pinned")
        assert step(done.entry, UNPIN, None, None).entry == memory()

    @pytest.mark.parametrize("status", [PENDING, ARCHIVED])
    def test_only_saved_memories_are_pinned_and_the_reason_is_given(self, status: str) -> None:
        with pytest.raises(Refused) as caught:
            step(memory(status), PIN, None, None)
        assert caught.value.message == (
            f'00000000000000aa "Use tabs in Makefiles" is {status}, and only saved memories are pinned.'
        )
        verb = "approve" if status == PENDING else "restore"
        assert caught.value.hint == f"First: wuu memory {verb} 00000000000000aa"

    def test_what_is_so_already_is_no_error(self) -> None:
        assert step(memory(pinned=True), PIN, None, None).verb == UNCHANGED
        assert step(memory(), UNPIN, None, None).verb == UNCHANGED
        assert step(memory(PENDING), UNPIN, None, None).verb == UNCHANGED

    def test_there_are_at_most_twenty_and_the_message_names_them(self) -> None:
        others = [memory(pinned=True)._replace(id=f"{n:016x}", text=f"Fact {n}") for n in range(MAX_PINS)]
        refuse_without_room(SHELF, others[1:])
        with pytest.raises(PinLimit) as caught:
            refuse_without_room(SHELF, others)
        assert MAX_PINS == 20
        assert caught.value.details["pinned"] == [one.id for one in others]
        assert all(f'{one.id} "{one.text}"' in caught.value.message for one in others)
        assert "in this project" in caught.value.message

    @pytest.mark.parametrize(
        ("shelf", "words"),
        [(user_shelf("work"), "the profile work"), (session_shelf("w-1", "s1"), "the session s1")],
    )
    def test_the_message_names_the_place(self, shelf: object, words: str) -> None:
        with pytest.raises(PinLimit, match=words):
            refuse_without_room(shelf, [memory()] * MAX_PINS)  # type: ignore[arg-type]


class TestArchiving:
    @pytest.mark.parametrize("status", [SAVED, PENDING])
    def test_what_is_saved_or_waits_can_be_archived(self, status: str) -> None:
        done = step(memory(status), ARCHIVE, None, None)
        assert (done.entry, done.verb, done.caveats) == (memory(ARCHIVED), "archived", ())

    def test_it_unpins_and_says_so_and_keeps_links_and_session(self) -> None:
        links = (("00000000000000bb", "related"),)
        done = step(memory(pinned=True, links=links, saved_in="s1"), ARCHIVE, None, "s2")
        assert done.entry == memory(ARCHIVED, links=links, saved_in="s1")
        assert [caveat.code for caveat in done.caveats] == ["unpinned"]
        assert '00000000000000aa "Use tabs in Makefiles" was pinned' in done.caveats[0].message

    def test_twice_is_no_error(self) -> None:
        assert step(memory(ARCHIVED), ARCHIVE, None, None).verb == UNCHANGED


class TestRestoring:
    @pytest.mark.parametrize("to", [None, SAVED])
    def test_an_archived_memory_is_saved_again_and_not_pinned(self, to: str | None) -> None:
        done = step(memory(ARCHIVED), RESTORE, to, "s1")
        assert (done.entry, done.verb) == (memory(saved_in="s1"), "restored")

    def test_it_stays_with_the_session_that_saved_it_first(self) -> None:
        assert step(memory(ARCHIVED, saved_in="s1"), RESTORE, None, "s2").entry.saved_in == "s1"

    def test_a_saved_memory_needs_nothing(self) -> None:
        assert step(memory(pinned=True), RESTORE, SAVED, "s1").entry == memory(pinned=True)
        assert step(memory(), RESTORE, None, "s1").verb == UNCHANGED

    def test_returning_to_review_unpins_and_says_so_and_forgets_the_session(self) -> None:
        done = step(memory(pinned=True, saved_in="s1"), RESTORE, PENDING, "s2")
        assert (done.entry, done.verb) == (memory(PENDING), "returned to review")
        assert [caveat.code for caveat in done.caveats] == ["unpinned"]
        assert step(memory(ARCHIVED), RESTORE, PENDING, None).entry == memory(PENDING)

    def test_what_waits_is_approved_and_then_saved_in_this_session(self) -> None:
        done = approved(memory(PENDING, proposer="agent"), "s1")
        assert (done.entry, done.verb) == (memory(proposer="agent", saved_in="s1"), "saved")
        assert approved(memory(saved_in="s0"), "s1") == (memory(saved_in="s0"), UNCHANGED, ())
        with pytest.raises(Refused, match="only what waits is approved"):
            approved(memory(ARCHIVED), "s1")

    def test_what_waits_is_not_restored(self) -> None:
        assert step(memory(PENDING), RESTORE, PENDING, "s1").verb == UNCHANGED
        with pytest.raises(Refused, match="approved, not restored") as caught:
            step(memory(PENDING), RESTORE, SAVED, None)
        assert caught.value.hint == "wuu memory approve 00000000000000aa"

    def test_a_proposed_change_that_was_put_away_waits_again_at_most(self) -> None:
        proposal = {"operation": "archive"}
        with pytest.raises(Refused, match="proposes a change"):
            step(memory(ARCHIVED, proposal=proposal), RESTORE, SAVED, None)
        done = step(memory(ARCHIVED, proposal=proposal), RESTORE, PENDING, None)
        assert done.entry == memory(PENDING, proposal=proposal)


class TestMoving:
    def test_only_saved_memories_change_their_scope(self) -> None:
        refuse_move(memory(pinned=True))
        for status in (PENDING, ARCHIVED):
            with pytest.raises(Refused, match=f"is {status}, and only saved memories change their scope"):
                refuse_move(memory(status))


class TestVerbs:
    @pytest.mark.parametrize(
        ("verb", "to"),
        [("approve", None), ("", None), (PIN, SAVED), (ARCHIVE, PENDING), (RESTORE, ARCHIVED), (RESTORE, "")],
    )
    def test_what_no_memory_can_be_asked_is_refused(self, verb: str, to: str | None) -> None:
        with pytest.raises(UsageProblem):
            check_verb(verb, to)

    def test_the_verbs_are_these_and_restore_leads_to_two_places(self) -> None:
        for verb in VERBS:
            check_verb(verb, None)
        check_verb(RESTORE, SAVED)
        check_verb(RESTORE, PENDING)

    @pytest.mark.parametrize("status", STATUSES)
    @pytest.mark.parametrize("verb", [ARCHIVE, RESTORE, UNPIN])
    def test_a_step_keeps_all_but_status_pin_and_session(self, verb: str, status: str) -> None:
        fields = {"tags": ("a",), "category": "stack", "links": (("00000000000000bb", "supports"),)}
        before = memory(status, pinned=status == SAVED, **fields)
        if (verb, status) == (RESTORE, PENDING):
            done = approved(before, "s1").entry
        else:
            done = step(before, verb, None, "s1").entry
        assert done._replace(status=status, pinned=before.pinned, saved_in=None) == before


class TestNames:
    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("Use tabs", '"Use tabs"'),
            ("Use\n\ttabs ", '"Use tabs"'),
            ("x" * 40, f'"{"x" * 40}"'),
            ("x" * 41, f'"{"x" * 40}…"'),
            (f"{'x' * 39} yes", f'"{"x" * 39}…"'),
            ("x" + " " * 1_000 + "y", '"x…"'),
        ],
    )
    def test_a_memory_is_called_by_its_id_and_its_first_words(self, text: str, name: str) -> None:
        assert named(memory()._replace(text=text)) == f"00000000000000aa {name}"
