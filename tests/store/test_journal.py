"""Intents and receipts: what is written can be read back, and what is torn is never taken for whole."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.checking import make_home
from wuu.errors import Corrupt, TooLarge
from wuu.ids import sha256_hex
from wuu.store import journal
from wuu.store.changes import Change, Receipt, Request, digest_of
from wuu.store.home import JOURNAL, RECEIPTS, Home
from wuu.store.journal import (
    RECEIPTS_KEPT,
    Intent,
    find_receipt,
    has_receipt,
    intent_names,
    parse_intent,
    prune_receipts,
    read_intent,
    receipt_name,
    receipt_value,
    render_intent,
    render_receipt,
)

_BYTES = st.binary(max_size=40) | st.sampled_from([b"", b"\n", b"wuu-intent/1 x\n"])
_CHANGES = st.lists(
    st.builds(Change, st.text(), st.none() | st.just("0" * 64), st.none() | _BYTES), max_size=4
).map(tuple)
INTENTS = st.builds(
    Intent, st.text(), st.text(), st.text(), st.none() | st.builds(Request, st.text(), st.text()), _CHANGES
)


@given(INTENTS)
def test_an_intent_reads_back_as_it_was(intent: Intent) -> None:
    assert parse_intent(render_intent(intent), "x") == intent


@given(INTENTS, st.data())
def test_a_torn_or_altered_intent_is_damaged(intent: Intent, data: st.DataObject) -> None:
    whole = render_intent(intent)
    at = data.draw(st.integers(0, len(whole) - 1))
    altered = bytearray(whole)
    altered[at] ^= data.draw(st.integers(1, 255))
    for torn in (whole[:at], whole + b"\0", bytes(altered)):
        with pytest.raises(Corrupt):
            parse_intent(torn, "x")


@pytest.mark.parametrize("header", [b"", b"null", b"{}", b'{"files": [1]}', b"[" * 20_000, b"\xff"])
def test_a_whole_file_that_is_no_intent_is_damaged_too(header: bytes) -> None:
    rest = header + b"\n"
    with pytest.raises(Corrupt):
        parse_intent(f"wuu-intent/1 {sha256_hex(rest)}\n".encode() + rest, "x")


def test_an_intent_that_recovery_could_not_read_back_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_MOST_BYTES", 1_000)
    fitting = Intent("1", "c", "t", None, (Change("a.md", None, b"x" * 600),))
    assert len(render_intent(fitting)) <= 1_000
    with pytest.raises(TooLarge):
        render_intent(fitting._replace(changes=(Change("a.md", None, b"x" * 900),)))


def test_an_intent_that_is_gone_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(Corrupt):
        read_intent(make_home(str(tmp_path / "home"), {}), JOURNAL, "none.intent")


def test_the_oldest_intent_comes_first(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {})
    for name, age in (("c.intent", 3), ("a.intent", 1), ("b.intent", 2), ("notes.txt", 4)):
        place = home.place(f"{JOURNAL}/{name}")
        Path(place).write_text("x")
        os.utime(place, ns=(0, 10**9 - age))
    assert intent_names(home) == ["c.intent", "b.intent", "a.intent"]
    assert intent_names(Home(str(tmp_path / "none"))) == []


def _receipt(number: int = 1, request: str | None = None, second: int = 0) -> Receipt:
    stamp = f"2026-05-01T07:{second // 60:02}:{second % 60:02}Z"
    digest = None if request is None else "digest"
    return Receipt(f"{number:016x}", request, digest, "test", stamp, (("a.md", None, "0" * 64),))


def _leave(home: Home, receipt: Receipt) -> str:
    place = home.place(f"{RECEIPTS}/{receipt_name(receipt)}")
    Path(place).write_bytes(render_receipt(receipt))
    return place


def test_a_receipt_holds_hashes_only(tmp_path: Path) -> None:
    changes = (Change("a.md", None, b"secret"), Change("b.md", digest_of(b"old"), None))
    receipt = Intent("1", "c", "2026-05-01T07:30:00Z", Request("r", "d"), changes).receipt()
    assert receipt.files == (("a.md", None, digest_of(b"secret")), ("b.md", digest_of(b"old"), None))
    assert b"secret" not in render_receipt(receipt)
    assert json.loads(render_receipt(receipt)) == receipt_value(receipt)


@pytest.mark.parametrize("request_id", ["r", "", "../x", "a b", "語" * 200, "\ud83d", "0"])
def test_a_receipt_is_found_by_its_request_id_alone(tmp_path: Path, request_id: str) -> None:
    home = make_home(str(tmp_path / "home"), {})
    _leave(home, _receipt(1))
    _leave(home, _receipt(2, "another"))
    assert find_receipt(home, request_id) is None
    wanted = _receipt(3, request_id)
    _leave(home, wanted)
    assert find_receipt(home, request_id) == wanted
    assert has_receipt(home, wanted)
    assert not has_receipt(home, _receipt(4, request_id))


def test_a_receipt_that_cannot_be_read_is_no_answer(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {})
    place = _leave(home, _receipt(1, "r"))
    for data in (b"", b"{}", b"null", b"\xff", b'{"files": 1}'):
        Path(place).write_bytes(data)
        with pytest.raises(Corrupt) as raised:
            find_receipt(home, "r")
        assert raised.value.details["path"] == f"{RECEIPTS}/{os.path.basename(place)}"


def test_a_receipt_of_ten_thousand_files_is_read_back(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {})
    files = tuple((f"memory/{number}.md", "0" * 64, "1" * 64) for number in range(10_000))
    _leave(home, _receipt(1, "r")._replace(files=files))
    found = find_receipt(home, "r")
    assert found is not None
    assert found.files == files


def test_the_newest_thousand_receipts_are_kept(tmp_path: Path) -> None:
    home = make_home(str(tmp_path / "home"), {})
    places = [
        _leave(home, _receipt(7 * number % 1_003, second=number)) for number in range(RECEIPTS_KEPT + 3)
    ]
    Path(home.place(f"{RECEIPTS}/notes.txt")).write_text("mine")
    prune_receipts(home)
    left = sorted(os.listdir(home.place(RECEIPTS)))
    assert left == sorted([*(os.path.basename(place) for place in places[3:]), "notes.txt"])
