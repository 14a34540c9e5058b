"""When a request is made again, and after how long. Pure: the two drivers, sync and async, ask here."""

import email.utils
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

import httpx

NOT_DONE = (429, 503)  # refused before anything was done
LATER = (*NOT_DONE, 502, 504)
REPEATABLE = ("GET", "HEAD", "PUT", "DELETE")
HOPELESS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True)
class Retries:
    """How patient a client is: a request is made again up to `attempts` times.

    The waits, in seconds, double from `first_wait` to `longest_wait`, each shortened by up to half so that many
    clients do not come back at once. A `Retry-After` is waited out as the server says it, unless it is longer than
    `longest_told`: then the refusal is raised, with its `retry_after`. With `while_away` off, a server that cannot be
    reached is told of at once, and only one that is busy is waited for.
    """

    attempts: int = 10
    first_wait: float = 0.5
    longest_wait: float = 30.0
    longest_told: float = 120.0
    while_away: bool = True

    def wait(self, asked: "Asked", outcome: httpx.Response | httpx.TransportError, tried: int) -> float | None:
        """Seconds until the request is made again; None where it is not. `tried`: how often it was made again."""
        away = isinstance(outcome, httpx.TransportError)
        if tried >= self.attempts or not _may_help(asked, outcome) or (away and not self.while_away):
            return None
        told = retry_after(outcome) if isinstance(outcome, httpx.Response) else None
        if told is not None:
            return told if told <= self.longest_told else None
        return self.backoff(tried)

    def backoff(self, tried: int) -> float:
        """The wait where the server does not say how long, in seconds."""
        longest = min(self.first_wait * 2.0 ** min(tried, 30), self.longest_wait)
        return longest * random.uniform(0.5, 1)  # noqa: S311 - spreads clients, keeps no secret


NEVER = Retries(attempts=0)


@dataclass(frozen=True)
class Asked:
    """A request: path under the server's address, query, body as JSON bytes, and its idempotency key."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes | None = None
    idempotency_key: str | None = None

    @property
    def repeatable(self) -> bool:
        """Whether making it twice is as good as once."""
        return self.method in REPEATABLE or self.idempotency_key is not None

    @property
    def headers(self) -> dict[str, str]:
        """The headers that belong to this request."""
        about_body = {"content-type": "application/json"} if self.body is not None else {}
        return about_body | ({"idempotency-key": self.idempotency_key} if self.idempotency_key else {})


def new_idempotency_key() -> str:
    """A key that no other request has."""
    made: UUID = uuid4()
    return str(made)


def retry_after(response: httpx.Response) -> float | None:
    """Seconds that the server asks to wait: `Retry-After` in either of its forms. None where it says nothing."""
    told = response.headers.get("retry-after", "").strip()
    if told.isdecimal():
        return float(told)
    try:
        at = email.utils.parsedate_to_datetime(told)
    except ValueError:
        return None
    return max((at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)


def _may_help(asked: Asked, outcome: httpx.Response | httpx.TransportError) -> bool:
    if isinstance(outcome, httpx.Response):
        return outcome.status_code in (LATER if asked.repeatable else NOT_DONE)
    if isinstance(outcome, HOPELESS):
        return False
    return asked.repeatable or isinstance(outcome, NOT_SENT)
