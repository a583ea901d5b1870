"""The one place that asks what time it is, so that a test can answer."""

import time


def now() -> float:
    """Return seconds since the epoch."""
    return time.time()


def rfc3339(seconds: float) -> str:
    """Return `seconds` since the epoch as UTC, to the second: `2026-05-01T07:30:00Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def today() -> str:
    """Return the local date as `YYYY-MM-DD`: a person's "today" is the one of their clock."""
    return time.strftime("%Y-%m-%d", time.localtime(now()))


def latest_date() -> str:
    """Return the date as `YYYY-MM-DD` where it is latest on Earth (UTC+14): no place has a later one."""
    return time.strftime("%Y-%m-%d", time.gmtime(now() + 14 * 3600))
