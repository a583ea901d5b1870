"""What a session was shown: kept as ids and times, without a lock, and lost without harm."""

import json

import pytest

from memory.conftest import Room
from wuu.memory.context.shown import MOST_IDS, find_sessions, keep_shown, read_shown
from wuu.memory.context.why_values import SeenBy
from wuu.store.home import prepare_home

A, B = "a" * 16, "b" * 16
FIRST, SECOND = 1_800_000_000.0, 1_800_000_060.0
FIRST_TIME, SECOND_TIME = "2027-01-15T08:00:00Z", "2027-01-15T08:01:00Z"


@pytest.fixture
def shown(room: Room) -> Room:
    prepare_home(room.home)
    return room


def test_a_session_remembers_what_it_was_shown_and_when_last(shown: Room) -> None:
    keep_shown(shown.home, "s1", [A, B], now=FIRST)
    keep_shown(shown.home, "s1", [B], now=SECOND)
    assert read_shown(shown.home, "s1") == {A: FIRST_TIME, B: SECOND_TIME}
    assert read_shown(shown.home, "s2") == {}


def test_the_sessions_of_a_memory_come_latest_first(shown: Room) -> None:
    keep_shown(shown.home, "early", [A], now=FIRST)
    keep_shown(shown.home, "late", [A, B], now=SECOND)
    assert find_sessions(shown.home, A) == [SeenBy("late", SECOND_TIME), SeenBy("early", FIRST_TIME)]
    assert find_sessions(shown.home, B) == [SeenBy("late", SECOND_TIME)]
    assert find_sessions(shown.home, "c" * 16) == []


def test_the_latest_ids_are_kept_and_no_text(shown: Room) -> None:
    keep_shown(shown.home, "s1", [A], now=FIRST)
    keep_shown(shown.home, "s1", [f"{number:016x}" for number in range(MOST_IDS)], now=SECOND)
    assert len(read_shown(shown.home, "s1")) == MOST_IDS
    assert A not in read_shown(shown.home, "s1")


@pytest.mark.parametrize(
    "damaged",
    [b"", b"{", b"[]", b'{"session": "s1"}', b'{"session": "s2", "shown": {}}', b"\xff", b"[" * 9_000],
)
def test_a_damaged_file_means_that_nothing_is_known(shown: Room, damaged: bytes) -> None:
    keep_shown(shown.home, "s1", [A], now=FIRST)
    (file,) = (shown.root / "state" / "shown").iterdir()
    file.write_bytes(damaged)
    assert read_shown(shown.home, "s1") == {}
    assert find_sessions(shown.home, A) == []


def test_a_file_says_whose_it_is(shown: Room) -> None:
    keep_shown(shown.home, "s1", [A], now=FIRST)
    (file,) = (shown.root / "state" / "shown").iterdir()
    assert json.loads(file.read_bytes()) == {"session": "s1", "shown": {A: FIRST_TIME}}


@pytest.mark.parametrize("session", ["..", "a/b", "x" * 300, ""])
def test_a_session_that_is_no_plain_name_has_no_file(shown: Room, session: str) -> None:
    keep_shown(shown.home, session, [A], now=FIRST)
    assert find_sessions(shown.home, A) == []
    assert not (shown.root.parent / "state").exists()


def test_without_a_home_nothing_is_made(room: Room) -> None:
    keep_shown(room.home, "s1", [A], now=FIRST)
    assert not room.root.exists()
    assert read_shown(room.home, "s1") == {}
