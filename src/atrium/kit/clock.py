"""Times in the format of the API: UTC, RFC 3339, milliseconds, `Z`."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MAX_SKEW = timedelta(minutes=1)  # the clocks of an installation differ by less
MILLISECOND = timedelta(milliseconds=1)
ISO_8601 = re.compile(r"(?P<date>[0-9W-]+)([T ](?P<time>[0-9:.,]+)(?P<offset>Z|[ +-][0-9:]+)?)?")
ORDINAL_DATE = re.compile(r"[0-9]{4}-?[0-9]{3}")  # the only format that the standard library does not parse


def utc_now() -> datetime:
    """Return the current time, rounded down to the millisecond."""
    return truncate_to_ms(datetime.now(UTC))


def truncate_to_ms(at: datetime) -> datetime:
    """Return a time, rounded down to the millisecond."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def to_ms(at: datetime) -> int:
    """Return a time as milliseconds since 1970, rounded down."""
    return (at - EPOCH) // MILLISECOND


def from_ms(ms: int) -> datetime:
    """Return the time that is `ms` milliseconds after 1970."""
    return EPOCH + ms * MILLISECOND


def rfc3339(at: datetime) -> str:
    """Return a time as text: `2026-11-21T09:07:13.460Z`."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """Parse a time in any ISO 8601 format. Without an offset it is UTC; a space in place of `+` is accepted.

    Raise ValueError for anything else (docs/contract.md#conventions).
    """
    parts = ISO_8601.fullmatch(text.strip().upper())
    if parts is None:
        raise ValueError("not an ISO 8601 time")
    date, time, offset = parts["date"], parts["time"], parts["offset"] or ""
    if ORDINAL_DATE.fullmatch(date):
        date = _day_of_year(int(date[:4]), int(date[-3:]))
    try:
        at = datetime.fromisoformat(f"{date}T{time}{offset.replace(' ', '+')}" if time else date)
        return (at.replace(tzinfo=UTC) if at.tzinfo is None else at).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("time out of range") from error


def _day_of_year(year: int, day: int) -> str:
    first = datetime(year, 1, 1, tzinfo=UTC)
    if not 1 <= day <= (first.replace(month=12, day=31) - first).days + 1:
        raise ValueError("the day does not exist in that year")
    return (first + timedelta(days=day - 1)).date().isoformat()
