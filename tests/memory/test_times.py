"""Times of memories: any RFC 3339 in, one form out, whose order is that of time."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.memory.format.times import find_time, is_date, render_time

MOMENTS = st.datetimes(timezones=st.just(dt.UTC))
OFFSETS = st.integers(min_value=-23 * 60 - 59, max_value=23 * 60 + 59)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-11-30T22:41:07.123456Z", "2026-11-30T22:41:07.123456Z"),
        ("2026-05-01T07:30:00Z", "2026-05-01T07:30:00.000000Z"),
        ("2026-05-01t07:30:00z", "2026-05-01T07:30:00.000000Z"),
        ("2026-05-01 07:30:00.5+02:00", "2026-05-01T05:30:00.500000Z"),
        ("2026-05-01T00:30:00-04:00", "2026-05-01T04:30:00.000000Z"),
        ("2026-05-01", "2026-05-01T00:00:00.000000Z"),
        ("2026-12-31T23:59:60Z", "2026-12-31T23:59:59.999999Z"),
        ("2026-05-01T07:30:00.1234567891Z", "2026-05-01T07:30:00.123456Z"),
        ("2024-02-29T00:00:00.000000Z", "2024-02-29T00:00:00.000000Z"),
    ],
)
def test_any_rfc_3339_is_read(written: str, read: str) -> None:
    assert find_time(written) == read


@pytest.mark.parametrize(
    "written",
    [
        *("", "yesterday", "2026-02-30", "2026-02-30T10:00:00.000000Z", "2026-13-01", "0000-01-01"),
        *("2026-05-01T07:30:00", "2026-05-01T24:00:00Z", "2026-05-01T07:61:00Z", "2026-02-03T10:00:00+99:99"),
        *("0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00", "0000-05-01T07:30:00.000000Z"),
        *("２０２６-05-01", "2026-05-01T07:30:00Z ", "9" * 5000, "2026-05-01T07:30:00." + "9" * 5000),
    ],
)
def test_what_is_no_time_is_none(written: str) -> None:
    assert find_time(written) is None


@given(MOMENTS, OFFSETS)
def test_the_same_moment_reads_the_same_in_every_zone(moment: dt.datetime, minutes: int) -> None:
    try:
        there = moment.astimezone(dt.timezone(dt.timedelta(minutes=minutes)))
    except OverflowError:
        return
    assert find_time(there.isoformat()) == find_time(moment.isoformat())


@given(MOMENTS, MOMENTS)
def test_the_order_of_text_is_the_order_of_time(one: dt.datetime, other: dt.datetime) -> None:
    first, second = find_time(one.isoformat()), find_time(other.isoformat())
    assert first is not None
    assert second is not None
    assert (first < second) == (one < other)


@given(st.text())
def test_reading_never_raises_and_ends_after_one_round(written: str) -> None:
    found = find_time(written)
    assert found is None or find_time(found) == found


@given(st.integers(min_value=0, max_value=253_402_300_799_999_999))
def test_what_is_written_is_canonical(micros: int) -> None:
    whole, rest = divmod(micros, 1_000_000)
    written = render_time(whole)
    assert find_time(written) == written
    assert written.endswith(".000000Z")
    assert render_time(1_700_000_000 + rest / 1_000_000).endswith(f".{rest:06}Z")


@pytest.mark.parametrize("written", ["2026-11-30", "2024-02-29"])
def test_a_date_is_a_date(written: str) -> None:
    assert is_date(written)


@pytest.mark.parametrize("written", ["2026-02-29", "2026-11-30T00:00:00Z", "26-11-30", "2026-1-30", ""])
def test_what_is_no_date(written: str) -> None:
    assert not is_date(written)
