"""The parts of a score and the order that they give, over values alone (seed 002, "What the agent sees")."""

import itertools

import pytest

from wuu.memory.context import scoring, weights
from wuu.memory.context.linking import Links, find_links
from wuu.memory.context.looking import Known, Match
from wuu.memory.context.scoring import Candidate, Ranking
from wuu.memory.context.values import MATCH, PINNED, REST
from wuu.memory.indexing import Note
from wuu.memory.shelves import Shelf, project_shelf, session_shelf, user_shelf

NOW = 1_800_000_000.0
DAY = 86_400.0
FLOOR = 0.5
A, B, C, D = (f"{number:016x}" for number in range(10, 14))
PROJECT, USER, SESSION = project_shelf("shop-0"), user_shelf("default"), session_shelf("shop-0", "s1")


def known(
    shelf: Shelf = PROJECT,
    *,
    matches: dict[str, float] | None = None,
    weak: dict[str, float] | None = None,
    times: dict[str, float] | None = None,
    notes: dict[str, Note] | None = None,
    newest: tuple[str, ...] = (),
) -> Known:
    found = [Match(one, share, 1.0) for one, share in (matches or {}).items()]
    found += [Match(one, share, 0.1) for one, share in (weak or {}).items()]
    return Known(
        shelf,
        saved=10,
        notes=notes or {},
        times=dict.fromkeys([one.id for one in found], NOW) | (times or {}),
        newest=newest,
        matches=tuple(found),
    )


def rank(*knowns: Known, shown: tuple[str, ...] = ()) -> Ranking:
    strong = scoring.find_strong(knowns, FLOOR)
    return scoring.rank(knowns, strong, find_links(knowns), shown, NOW)


def ids(candidates: tuple[Candidate, ...]) -> list[str]:
    return [one.id for one in candidates]


def part(candidates: tuple[Candidate, ...], memory_id: str, name: str) -> float:
    (value,) = [getattr(one.parts, name) for one in candidates if one.id == memory_id]
    return float(value)


def test_the_best_match_is_a_full_one_and_the_others_are_shares_of_it() -> None:
    found = rank(known(matches={A: 0.4, B: 0.1}))
    assert ids(found.matches) == [A, B]
    assert part(found.matches, A, "match") == 1
    assert part(found.matches, B, "match") == pytest.approx(0.25)


def test_matches_of_several_shelves_are_compared() -> None:
    found = rank(known(matches={A: 0.2}), known(USER, matches={B: 0.4}))
    assert ids(found.matches) == [B, A]
    assert part(found.matches, A, "match") == pytest.approx(0.5)


def test_recency_halves_in_thirty_days_and_is_never_more_than_a_twentieth_of_a_match() -> None:
    assert weights.recency(NOW, NOW) == weights.RECENCY == 0.05
    assert weights.recency(NOW - 30 * DAY, NOW) == pytest.approx(weights.RECENCY / 2)
    assert weights.recency(NOW - 60 * DAY, NOW) == pytest.approx(weights.RECENCY / 4)
    assert weights.recency(NOW + 5 * DAY, NOW) == weights.RECENCY
    assert weights.recency(0.0, NOW) == pytest.approx(0, abs=1e-9)


def test_of_equal_matches_the_newer_comes_first_and_age_never_beats_a_clearly_better_match() -> None:
    times = {A: NOW - 400 * DAY, B: NOW}
    assert ids(rank(known(matches={A: 0.3, B: 0.3}, times=times)).matches) == [B, A]
    assert ids(rank(known(matches={A: 0.3, B: 0.287}, times=times)).matches) == [B, A]
    assert ids(rank(known(matches={A: 0.3, B: 0.27}, times=times)).matches) == [A, B]


def test_what_is_linked_to_a_match_comes_along_in_both_directions() -> None:
    links = {A: Note("saved", links=((B, "supports"),)), C: Note("saved", links=((A, "related"),))}
    found = rank(known(matches={A: 0.3}, times={B: NOW, C: NOW, D: NOW}, notes=links))
    assert set(ids(found.matches)) == {A, B, C}
    assert found.matches[0].id == A
    assert part(found.matches, B, "links") == part(found.matches, C, "links") == weights.LINK
    assert part(found.matches, B, "match") == 0


def test_links_do_not_reach_further_than_one_step() -> None:
    chain = {A: Note("saved", links=((B, "related"),)), B: Note("saved", links=((C, "related"),))}
    assert set(ids(rank(known(matches={A: 0.3}, times={B: NOW, C: NOW}, notes=chain)).matches)) == {A, B}


def test_links_in_a_circle_are_no_trouble() -> None:
    circle = {
        A: Note("saved", links=((B, "supersedes"),)),
        B: Note("saved", links=((C, "supersedes"),)),
        C: Note("saved", links=((A, "supersedes"),)),
    }
    found = rank(known(matches={A: 0.3, B: 0.2}, times={C: NOW}, notes=circle))
    assert set(ids(found.matches)) == {A, B, C}
    assert all(part(found.matches, one, "superseded") < 0 for one in (A, B, C))


def test_a_link_to_what_is_not_saved_and_one_from_it_count_for_nothing() -> None:
    notes = {
        A: Note("saved", links=((B, "related"),)),
        B: Note("archived"),
        C: Note("pending", links=((A, "supersedes"),)),
    }
    found = rank(known(matches={A: 0.3}, times={B: NOW, C: NOW}, notes=notes))
    assert ids(found.matches) == [A]
    assert part(found.matches, A, "superseded") == 0


def test_a_link_in_a_session_memory_is_in_no_graph() -> None:
    session = known(SESSION, times={B: NOW}, notes={B: Note("saved", links=((A, "supersedes"),))})
    found = rank(known(matches={A: 0.3}), session)
    assert ids(found.matches) == [A]
    assert part(found.matches, A, "superseded") == 0


@pytest.mark.parametrize("best", [1.0, 0.2])
@pytest.mark.parametrize(("shown", "preferred"), list(itertools.product((True, False), repeat=2)))
def test_the_newer_one_always_stands_before_what_it_supersedes(
    best: float, *, shown: bool, preferred: bool
) -> None:
    notes = {
        A: Note("saved", links=((B, "supersedes"),)),
        B: Note("saved", ranks_higher=preferred),
    }
    times = {A: NOW - 900 * DAY, B: NOW, C: NOW}
    found = rank(
        known(matches={B: 0.3 * best, C: 0.3}, times=times, notes=notes), shown=(B,) if shown else ()
    )
    order = ids(found.matches)
    assert order.index(A) < order.index(B)
    assert [one.superseded_by for one in found.matches if one.id == B] == [A]


def test_a_superseded_memory_never_comes_up_without_a_match() -> None:
    notes = {A: Note("saved", links=((B, "supersedes"),)), B: Note("saved", ranks_higher=True)}
    found = rank(known(times={A: NOW, B: NOW}, notes=notes, newest=(A, B)))
    assert ids(found.rest) == [A]
    assert found.superseded == {B}


def test_a_weak_match_is_no_match_and_may_still_come_up_as_one_of_the_rest() -> None:
    found = rank(known(weak={A: 0.1, B: 0.1}, newest=(A,)))
    assert ids(found.matches) == []
    assert ids(found.rest) == [A]
    assert set(ids(found.weak)) == {A, B}
    assert part(found.weak, B, "match") == 0


def test_the_rest_is_ordered_by_age_and_lifted_by_category_session_and_what_was_shown() -> None:
    old = NOW - 300 * DAY
    project = known(
        times={A: old, B: old, C: NOW}, notes={A: Note("saved", ranks_higher=True)}, newest=(C, B, A)
    )
    session = known(SESSION, times={D: old}, newest=(D,))
    assert part(rank(project, session, shown=(B,)).rest, B, "shown") == weights.SHOWN
    plain = rank(project, session).rest
    assert plain[-1].id == B
    assert part(plain, A, "category") == weights.CATEGORY
    assert part(plain, D, "session") == weights.SESSION
    assert {one.group for one in plain} == {REST}


def test_what_was_shown_stays_until_the_ranking_clearly_says_otherwise() -> None:
    shown = rank(known(matches={A: 0.29, B: 0.3}), shown=(A,)).matches
    assert ids(shown) == [A, B]
    assert ids(rank(known(matches={A: 0.28, B: 0.3}), shown=(A,)).matches) == [B, A]


def test_what_is_new_surfaces_before_what_was_shown_long_ago() -> None:
    times = {A: NOW - 300 * DAY, B: NOW, C: NOW - 290 * DAY}
    found = rank(known(times=times, newest=(B, C, A)), shown=(A,))
    assert ids(found.rest) == [B, A, C]


def test_a_pinned_memory_is_pinned_and_nothing_else() -> None:
    found = rank(known(matches={A: 0.3}, notes={A: Note("saved", pinned=True)}, newest=(A,)))
    assert (ids(found.pinned), ids(found.matches), ids(found.rest)) == ([A], [], [])
    assert found.pinned[0].group == PINNED
    assert part(found.pinned, A, "match") == 1


def test_what_a_session_saw_and_is_gone_is_nobody() -> None:
    assert rank(known(), shown=(A,)) == Ranking((), (), (), (), frozenset())


def test_candidates_with_the_same_score_come_in_the_order_of_their_ids() -> None:
    found = rank(known(matches={C: 0.3, A: 0.3, B: 0.3}))
    assert ids(found.matches) == [A, B, C]
    assert {one.group for one in found.matches} == {MATCH}


def test_without_links_there_are_none() -> None:
    assert find_links([known()]) == Links({}, {})
