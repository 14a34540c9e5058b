"""Times in the format of the API: UTC, RFC 3339, milliseconds, `Z`."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MAX_SKEW = timedelta(minutes=1)  # the clocks of an installation differ by less
MILLISECOND, MICROSECOND = timedelta(milliseconds=1), timedelta(microseconds=1)
ISO_8601 = re.compile(r"(?P<date>[0-9W-]+)([T ](?P<time>[0-9:.,]+)(?P<offset>Z|[ +-][0-9:]+)?)?")
# What the standard library does not parse: days of a year, months, the end of a day (24:00), leap seconds, and
# fractions of minutes and hours.
ORDINAL_DATE = re.compile(r"[0-9]{4}-?[0-9]{3}")
MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
TIME_OF_DAY = re.compile(
    r"(?P<hours>[0-9]{2})(?:(?P<colon>:?)(?P<minutes>[0-9]{2})(?:(?P=colon)(?P<seconds>[0-9]{2}))?)?"
    r"(?:[.,](?P<fraction>[0-9]+))?"
)
UNITS = {"hours": timedelta(hours=1), "minutes": timedelta(minutes=1), "seconds": timedelta(seconds=1)}
USUAL_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?")
LEAP_SECOND = re.compile(r"^[0-9]{2}:?[0-9]{2}:?60")
PRECISION = 15  # digits of a fraction that count


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
    date, time, offset = parts["date"], parts["time"] or "00", parts["offset"] or ""
    if ORDINAL_DATE.fullmatch(date):
        date = _day_of_year(int(date[:4]), int(date[-3:]))
    elif MONTH.fullmatch(date):
        date = f"{date}-01"
    try:
        return _in_utc(date, time, offset.replace(" ", "+"))
    except OverflowError as error:
        raise ValueError("time out of range") from error


def _in_utc(date: str, time: str, offset: str) -> datetime:
    if USUAL_TIME.fullmatch(time):  # the standard library is faster
        at = datetime.fromisoformat(f"{date}T{time}{offset}")
        return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
    midnight = datetime.fromisoformat(f"{date}T00{offset}")
    at = (midnight.replace(tzinfo=midnight.tzinfo or UTC) + _time_of_day(time)).astimezone(UTC)
    if LEAP_SECOND.search(time) and (at.hour, at.minute, at.second) != (0, 0, 0):
        raise ValueError("a leap second is the last one of a day")
    return at


def _time_of_day(text: str) -> timedelta:
    """Return the time since midnight: at most 24:00, and with a leap second the first one of the next day."""
    found = TIME_OF_DAY.fullmatch(text)
    if found is None:
        raise ValueError("not an ISO 8601 time of day")
    named = {unit: int(found[unit]) for unit in UNITS if found[unit] is not None}
    fraction = (found["fraction"] or "0")[:PRECISION]
    unit = UNITS[[*named][-1]]
    microseconds = unit // MICROSECOND * int(fraction) // 10 ** len(fraction)
    total = sum((UNITS[each] * number for each, number in named.items()), microseconds * MICROSECOND)
    if named.get("minutes", 0) > 59 or named.get("seconds", 0) > 60 or named["hours"] > 24:
        raise ValueError("no such time of day")
    if named["hours"] == 24 and total > timedelta(days=1):
        raise ValueError("24:00 is the end of a day")
    return total


def _day_of_year(year: int, day: int) -> str:
    first = datetime(year, 1, 1, tzinfo=UTC)
    if not 1 <= day <= (first.replace(month=12, day=31) - first).days + 1:
        raise ValueError("the day does not exist in that year")
    return (first + timedelta(days=day - 1)).date().isoformat()
