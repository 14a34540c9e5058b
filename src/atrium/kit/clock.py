"""Time, as the contract writes it: UTC, RFC 3339, milliseconds, `Z`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def utc_now() -> datetime:
    """The present, to the millisecond."""
    return in_milliseconds(datetime.now(UTC))


def in_milliseconds(at: datetime) -> datetime:
    """`at` without what is finer than a millisecond."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def to_ms(at: datetime) -> int:
    """Milliseconds since 1970, rounded down."""
    return (at - EPOCH) // MILLISECOND


def from_ms(ms: int) -> datetime:
    """The time that is `ms` milliseconds after 1970."""
    return EPOCH + ms * MILLISECOND


def rfc3339(at: datetime) -> str:
    """`2026-11-21T09:07:13.460Z`."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """Read any ISO 8601 form; without an offset it means UTC, and a `+` that became a space still reads.

    Raises ValueError for what is no time (decisions, section 1).
    """
    cleaned = text.strip()
    date, _, rest = cleaned.partition("T")
    try:
        at = datetime.fromisoformat(f"{date}T{rest.replace(' ', '+')}" if rest else cleaned)
        return (at.replace(tzinfo=UTC) if at.tzinfo is None else at).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("time out of range") from error
