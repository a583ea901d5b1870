"""Times and dates of memories: read in any form of RFC 3339, kept in one, whose order is that of time.

Owns the canonical form, `2026-11-30T22:41:07.123456Z`. It asks no clock.
"""

import re
import time

_DAY_OF_A_YEAR = (
    r"(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31"
)
_CANONICAL = re.compile(
    rf"[0-9]{{4}}-(?:{_DAY_OF_A_YEAR})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{{6}}Z"
)
_TIME = (
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:([Zz])|([+-][0-9]{2}):([0-9]{2})))?"
)
_LEAP_SECOND = 60


def find_time(value: str) -> str | None:
    """Return the RFC 3339 time `value` in UTC with microseconds, or None if it is none.

    A date alone is its first moment in UTC; digits behind the microseconds are dropped, and a leap second is
    the last microsecond of its minute.
    """
    if _CANONICAL.fullmatch(value) and value[:4] != "0000":
        return value
    match = re.fullmatch(_TIME, value)
    if match is None:
        return None
    import datetime as dt  # noqa: PLC0415  (times that wuu wrote do not get here)

    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    micros = int((match[7] or "")[:6].ljust(6, "0"))
    if second == _LEAP_SECOND:
        second, micros = 59, 999_999
    try:
        moment = dt.datetime(year, month, day, hour, minute, second, micros, tzinfo=dt.UTC)
        moment -= dt.timedelta(minutes=_offset(match[9], match[10]))
    except (ValueError, OverflowError):  # a day that does not exist, or one before the year 1
        return None
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def render_time(seconds: float) -> str:
    """Return `seconds` since the epoch in the canonical form."""
    whole, micros = divmod(round(seconds * 1_000_000), 1_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{micros:06}Z"


def seconds_of(canonical: str) -> float:
    """Return the seconds since the epoch of a time in the canonical form."""
    import datetime as dt  # noqa: PLC0415  (most calls do no arithmetic with times)

    return dt.datetime.fromisoformat(canonical[:-1]).replace(tzinfo=dt.UTC).timestamp()


def is_date(value: str) -> bool:
    """Tell whether `value` is a real date in the form `YYYY-MM-DD`."""
    return len(value) == len("2026-11-30") and find_time(value) is not None


def _offset(hours: str | None, minutes: str | None) -> int:
    """Return an offset from UTC in minutes.

    Raises:
        ValueError: It has more than 23 hours or 59 minutes.
    """
    if hours is None or minutes is None:
        return 0
    if int(hours[1:]) > 23 or int(minutes) > 59:
        raise ValueError(hours)
    return (-1 if hours[0] == "-" else 1) * (int(hours[1:]) * 60 + int(minutes))
