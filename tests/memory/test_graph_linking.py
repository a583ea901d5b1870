"""Links made, replaced and taken away: where they are, how many, and who may (seed 002, "Links")."""

from typing import Any

import pytest

from memory.conftest import PLAIN, Room, after
from wuu.errors import (
    Ambiguous,
    ApprovalRequired,
    LinkLimit,
    NotFound,
    ReadOnlyMode,
    Refused,
    UsageProblem,
)
from wuu.memory.actions import show_memory
from wuu.memory.format.entry import Entry
from wuu.memory.graph.actions import link_memories, unlink_memories, upsert_fact
from wuu.memory.graph.values import LinkChange, LinkMemories, UnlinkMemories, UpsertFact
from wuu.memory.values import MemoryChange


def link(
    room: Room, source: Entry | str, target: Entry | str, kind: str = "related", **who: Any
) -> LinkChange:
    done = link_memories(room.asks(**who), LinkMemories(_id(source), _id(target), kind), PLAIN)
    assert done.outcome is not None
    return done.outcome


def unlink(room: Room, one: Entry | str, other: Entry | str, **who: Any) -> LinkChange:
    done = unlink_memories(room.asks(**who), UnlinkMemories(_id(one), _id(other)), PLAIN)
    assert done.outcome is not None
    return done.outcome


def upsert(room: Room, text: str | None, memory_id: str | None = None, **fields: Any) -> MemoryChange:
    agent = fields.pop("agent", False)
    done = upsert_fact(room.asks(agent=agent), UpsertFact(text, memory_id, **fields), PLAIN)
    assert done.outcome is not None
    return done.outcome


def _id(one: Entry | str) -> str:
    return one if isinstance(one, str) else one.id


def links(room: Room, entry: Entry) -> list[tuple[str, str, str]]:
    return [(one.id, one.kind, one.direction) for one in show_memory(room.asks(), entry.id).links]


def several(room: Room, count: int, scope: str = "project") -> list[Entry]:
    made = [after(room.add(f"The {scope} fact number {at}.", scope)) for at in range(count)]
    return sorted(made, key=lambda one: one.id)


# --- where it is stored ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["supersedes", "supports"])
def test_a_link_with_a_direction_is_stored_in_its_source(room: Room, kind: str) -> None:
    one, other = several(room, 2)
    link(room, other, one, kind)
    assert room.entry(other).links == ((one.id, kind),)
    assert room.entry(one).links == ()
    assert links(room, one) == [(other.id, kind, "in")]
    assert links(room, other) == [(one.id, kind, "out")]


@pytest.mark.parametrize("kind", ["related", "conflicts"])
def test_a_link_without_a_direction_is_stored_in_the_smaller_id(room: Room, kind: str) -> None:
    one, other = several(room, 2)
    link(room, other, one, kind)
    assert room.entry(one).links == ((other.id, kind),)
    assert room.entry(other).links == ()
    assert links(room, other) == [(one.id, kind, "both")]


def test_linking_again_replaces_kind_and_direction_whichever_file_has_it(room: Room) -> None:
    one, other = several(room, 2)
    assert link(room, one, other).verb == "linked"
    done = link(room, other, one, "supersedes")
    assert (done.verb, done.before, done.kind) == ("relinked", "related", "supersedes")
    assert (room.entry(one).links, room.entry(other).links) == ((), ((one.id, "supersedes"),))
    assert link(room, one, other, "supersedes").verb == "relinked"
    assert (room.entry(one).links, room.entry(other).links) == (((other.id, "supersedes"),), ())


def test_linking_what_is_linked_so_already_changes_no_file(room: Room) -> None:
    one, other = several(room, 2)
    link(room, one, other, "supports")
    before = room.tree()
    assert link(room, one, other, "supports").verb == "unchanged"
    assert room.tree() == before


def test_a_pair_that_both_files_hold_is_settled(room: Room) -> None:
    one, other = several(room, 2)
    for holder, target, kind in ((one, other, "related"), (other, one, "supports")):
        path = room.file(holder)
        path.write_text(path.read_text().replace("\n---\n", f"\nlink-{target.id}: {kind}\n---\n", 1))
    assert link(room, one, other).verb == "relinked"
    assert (room.entry(one).links, room.entry(other).links) == (((other.id, "related"),), ())


def test_a_link_changes_the_revision_of_both_ends(room: Room) -> None:
    one, other = several(room, 2)
    before = [show_memory(room.asks(), end.id).revision for end in (one, other)]
    link(room, one, other, "supports")
    now = [show_memory(room.asks(), end.id).revision for end in (one, other)]
    assert not set(before) & set(now)


def test_unlinking_takes_the_link_away_from_either_side(room: Room) -> None:
    one, other = several(room, 2)
    link(room, one, other, "supports")
    done = unlink(room, other, one)
    assert (done.verb, done.before, done.kind) == ("unlinked", "supports", None)
    assert (room.entry(one).links, room.entry(other).links) == ((), ())
    assert unlink(room, other, one).verb == "unchanged"


def test_a_link_to_what_is_gone_can_be_removed_by_its_whole_id(room: Room) -> None:
    one, _ = several(room, 2)
    path = room.file(one)
    path.write_text(path.read_text().replace("\n---\n", f"\nlink-{'f' * 16}: related\n---\n", 1))
    done = unlink(room, one, "f" * 16)
    assert (done.verb, done.target) == ("unlinked", None)
    assert room.entry(one).links == ()
    with pytest.raises(NotFound):
        unlink(room, one, "f" * 16)


def test_links_survive_edits_moves_and_archiving(room: Room) -> None:
    one, other = several(room, 2)
    link(room, one, other, "supports")
    room.edit(one.id, text="Another text.")
    room.edit(one.id, scope="user")
    assert links(room, other) == [(one.id, "supports", "in")]
    room.change("archive", other.id)
    room.change("restore", other.id)
    assert links(room, other) == [(one.id, "supports", "in")]


def test_user_and_project_memories_can_be_linked(room: Room) -> None:
    mine, theirs = after(room.add("I sail.", "user")), after(room.add("The mast is oak."))
    link(room, mine, theirs, "supports")
    assert links(room, theirs) == [(mine.id, "supports", "in")]


# --- what is refused ------------------------------------------------------------------------------------


def test_only_saved_memories_are_linked(room: Room) -> None:
    saved = after(room.add("The mast is oak."))
    waiting = after(room.add("The bell is bronze.", agent=True))
    archived = after(room.add("The rope is new."))
    room.change("archive", archived.id)
    before = room.tree()
    for other, status in ((waiting, "pending"), (archived, "archived")):
        for pair in ((saved, other), (other, saved)):
            with pytest.raises(Refused, match=status):
                link(room, *pair)
    assert room.tree() == before


def test_a_memory_is_not_linked_to_itself_nor_to_one_of_a_session(room: Room) -> None:
    one = after(room.add("The mast is oak."))
    session = after(room.add("The crew is five.", "session", session="s1"))
    with pytest.raises(Refused, match="itself"):
        link(room, one, one)
    with pytest.raises(Refused, match="session"):
        link(room, one, session, session="s1")


def test_memories_of_another_profile_or_project_are_invisible(room: Room) -> None:
    one = after(room.add("The mast is oak."))
    for other in (
        after(room.add("I sail.", "user", profile="night")),
        after(room.add("The quay is wet.", project="other")),
    ):
        with pytest.raises(NotFound):
            link(room, one, other)


def test_ids_may_be_short_as_long_as_they_are_unique(room: Room) -> None:
    text = "---\nstatus: saved\n---\n\nThe {} is here.\n"
    room.put("a1" + "0" * 14, text.format("mast"))
    room.put("a2" + "0" * 14, text.format("bell"))
    assert link(room, "a1", "a2").verb == "linked"
    with pytest.raises(Ambiguous):
        link(room, "a", "a2")


def test_a_memory_has_sixteen_links_at_both_ends_together(room: Room) -> None:
    hub, *others = several(room, 18)
    for at, other in enumerate(others[:16]):
        link(room, *((hub, other) if at % 2 else (other, hub)), "supports")
    before = room.tree()
    for pair in ((hub, others[16]), (others[16], hub)):
        with pytest.raises(LinkLimit) as refused:
            link(room, *pair)
        assert refused.value.details["id"] == hub.id
    assert room.tree() == before
    assert link(room, hub, others[0], "conflicts").verb == "relinked"
    unlink(room, hub, others[0])
    assert link(room, hub, others[16]).verb == "linked"


def test_a_kind_that_there_is_not_is_refused(room: Room) -> None:
    one, other = several(room, 2)
    with pytest.raises(UsageProblem):
        link(room, one, other, "likes")


def test_an_agent_changes_links_only_where_its_writes_need_no_approval(room: Room) -> None:
    one, other = several(room, 2)
    for act in (link, unlink):
        with pytest.raises(ApprovalRequired):
            act(room, one, other, agent=True)
    (room.root / "settings.json").write_text('{"memoryRequireApproval": false}')
    assert link(room, one, other, agent=True).verb == "linked"
    assert unlink(room, one, other, agent=True).verb == "unlinked"


def test_read_only_nothing_is_linked(room: Room) -> None:
    one, other = several(room, 2)
    with pytest.raises(ReadOnlyMode):
        link(room, one, other, read_only=True)


# --- upsert ---------------------------------------------------------------------------------------------


def test_a_new_fact_is_saved_with_its_links_in_one_step(room: Room) -> None:
    one, other = several(room, 2)
    made = after(upsert(room, "The mast is pine.", links=((one.id, "supersedes"), (other.id, "related"))))
    assert {(link[0], link[1]) for link in links(room, made)} == {
        (one.id, "supersedes"),
        (other.id, "related"),
    }
    assert room.entry(made).status == "saved"


def test_a_fact_keeps_its_id_and_its_links_when_it_is_changed_and_moved(room: Room) -> None:
    one, other = several(room, 2)
    link(room, one, other, "supports")
    changed = after(
        upsert(room, "The fact is another one.", one.id, scope="user", links=((other.id, "conflicts"),))
    )
    assert (changed.id, changed.shelf.scope, changed.text) == (one.id, "user", "The fact is another one.")
    assert links(room, other) == [(one.id, "conflicts", "both")]
    assert not room.file(one).exists()


def test_only_links_may_be_changed(room: Room) -> None:
    one, other = several(room, 2)
    done = upsert(room, None, one.id, links=((other.id[:12], "supports"),))
    assert (done.verb, links(room, other)) == ("updated", [(one.id, "supports", "in")])
    assert upsert(room, None, one.id, links=((other.id, "supports"),)).verb == "unchanged"


def test_a_bad_link_leaves_everything_as_it_was(room: Room) -> None:
    one, other = several(room, 2)
    before = room.tree()
    for bad, error in (("f" * 16, NotFound), (one.id, Refused)):
        with pytest.raises(error):
            upsert(room, "Changed.", one.id, scope="user", links=((other.id, "related"), (bad, "related")))
    with pytest.raises(UsageProblem):
        upsert(room, "Changed.", one.id, links=((other.id, "likes"),))
    with pytest.raises(UsageProblem):
        upsert(room, None)
    assert room.tree() == before


def test_a_fact_has_sixteen_links_as_well(room: Room) -> None:
    others = several(room, 17)
    with pytest.raises(LinkLimit):
        upsert(room, "A hub.", links=tuple((one.id, "related") for one in others))
    made = after(upsert(room, "A hub.", links=tuple((one.id, "related") for one in others[:16])))
    assert len(links(room, made)) == 16


def test_what_an_agent_upserts_waits_and_is_not_linked(room: Room) -> None:
    one, _ = several(room, 2)
    done = upsert(room, "The bell is bronze.", links=((one.id, "related"),), agent=True)
    assert (after(done).status, after(done).links) == ("pending", ())
    assert "links_left_out" in [caveat.code for caveat in done.caveats]
    done = upsert(room, "The fact is another one.", one.id, links=((one.id, "related"),), agent=True)
    assert room.entry(one).text == one.text
    assert "links_left_out" in [caveat.code for caveat in done.caveats]


@pytest.mark.parametrize("classification", ["workspace", "group-view"])
def test_a_classification_is_kept_and_belongs_to_the_project(room: Room, classification: str) -> None:
    made = after(upsert(room, "Three services make the shop.", classification=classification))
    assert (made.shelf.scope, room.entry(made).classification) == ("project", classification)
    upsert(room, "Four services make the shop.", made.id)
    assert room.entry(made).classification == classification
    with pytest.raises(UsageProblem):
        upsert(room, "Mine.", classification=classification, scope="user")
    with pytest.raises(UsageProblem):
        upsert(room, "Mine.", classification="galaxy")
