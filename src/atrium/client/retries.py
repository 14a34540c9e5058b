"""Decide whether and when a request is retried. Pure: the sync and the async connection both use it."""

import email.utils
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

import httpx

NOT_PROCESSED = (429, 503)  # rejected before the server did anything
TEMPORARY = (*NOT_PROCESSED, 502, 504)
IDEMPOTENT_METHODS = ("GET", "HEAD", "PUT", "DELETE")
NEVER_SUCCEEDS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True)
class Retries:
    """The retry policy of a client: up to `attempts` retries per request.

    The waits, in seconds, double from `first_wait` to `max_wait`. Each is shortened by up to half at random, so
    that many clients do not retry simultaneously. The client waits as long as a `Retry-After` says, unless that is
    longer than `max_retry_after`: then it raises the error, with its `retry_after`. With `retry_unreachable=False`, the
    client retries when the server is busy, but raises Unreachable immediately when the server cannot be reached.
    """

    attempts: int = 10
    first_wait: float = 0.5
    max_wait: float = 30.0
    max_retry_after: float = 120.0
    retry_unreachable: bool = True

    def wait(self, request: "Request", outcome: httpx.Response | httpx.TransportError, tried: int) -> float | None:
        """Return the seconds to wait before the next retry, or None to give up. `tried` counts the retries so far."""
        away = isinstance(outcome, httpx.TransportError)
        if tried >= self.attempts or not _may_succeed(request, outcome) or (away and not self.retry_unreachable):
            return None
        seconds = retry_after(outcome) if isinstance(outcome, httpx.Response) else None
        if seconds is not None:
            return seconds if seconds <= self.max_retry_after else None
        return self.backoff(tried)

    def backoff(self, tried: int) -> float:
        """Return the seconds to wait when the server does not say how long."""
        longest = min(self.first_wait * 2.0 ** min(tried, 30), self.max_wait)
        return longest * random.uniform(0.5, 1)  # noqa: S311 - jitter, not a secret


NO_RETRIES = Retries(attempts=0)


@dataclass(frozen=True)
class Request:
    """A request. `path` is relative to the server's URL, `body` is JSON."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes | None = None
    idempotency_key: str | None = None

    @property
    def is_idempotent(self) -> bool:
        """Return whether the request is idempotent."""
        return self.method in IDEMPOTENT_METHODS or self.idempotency_key is not None

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of this request."""
        content_type = {"content-type": "application/json"} if self.body is not None else {}
        return content_type | ({"idempotency-key": self.idempotency_key} if self.idempotency_key else {})


def new_idempotency_key() -> str:
    """Return a new unique idempotency key."""
    return str(uuid4())


def retry_after(response: httpx.Response) -> float | None:
    """Return the seconds in `Retry-After`, which may be a number or a date, or None if it is missing or invalid."""
    value = response.headers.get("retry-after", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        at = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max((at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)


def _may_succeed(request: Request, outcome: httpx.Response | httpx.TransportError) -> bool:
    if isinstance(outcome, httpx.Response):
        return outcome.status_code in (TEMPORARY if request.is_idempotent else NOT_PROCESSED)
    if isinstance(outcome, NEVER_SUCCEEDS):
        return False
    return request.is_idempotent or isinstance(outcome, NOT_SENT)
