"""What a request can end with, as exceptions: a server's refusal carries its problem (RFC 9457)."""

from typing import Any

import msgspec


class FieldError(msgspec.Struct, frozen=True):
    """One thing wrong with a request: where (a JSON pointer into the body, or a parameter's name) and what."""

    detail: str = ""
    pointer: str | None = None
    parameter: str | None = None


class Problem(msgspec.Struct, frozen=True):
    """What a server says of a request that it refuses. `code` is stable; `more` holds members of this code alone."""

    status: int
    code: str = ""
    title: str = ""
    detail: str = ""
    type: str = "about:blank"
    request_id: str = ""
    errors: list[FieldError] = []
    more: dict[str, Any] = {}


class AtriumError(Exception):
    """Whatever this client raises."""


class Unreachable(AtriumError):
    """The server cannot be reached, or broke off before its answer was there. What was asked may have been done."""


class UnexpectedAnswer(AtriumError):
    """What answered is no Atrium server, or one that this client does not understand."""


class Refused(AtriumError):
    """The server refused. `problem` says why; `retry_after` for how many seconds, where the server said so."""

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        super().__init__(problem.detail or problem.title or f"answered {problem.status}")
        self.problem = problem
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem.status

    @property
    def code(self) -> str:
        """The problem's stable code, such as `room_not_found`."""
        return self.problem.code


class BadRequest(Refused):
    """400: something in the request cannot be read or is out of its bounds; `problem.errors` says what."""


class Unauthenticated(Refused):
    """401: the key is missing, unknown, expired, rotated or revoked, or its person's account is closed."""


class Forbidden(Refused):
    """403: the caller reaches the thing, but lacks the role."""


class NotFound(Refused):
    """404: there is no such thing, or the caller does not reach it."""


class Conflict(Refused):
    """409: the request contradicts the present state."""


class TooLarge(Refused):
    """413: the body is too large."""


class IdempotencyMismatch(Refused):
    """422: the idempotency key was used before, for something else."""


class RateLimited(Refused):
    """429: too many requests with this key, also after waiting as often as the client's `Retries` allow."""


class ServerError(Refused):
    """5xx: the server failed, or is not available."""


class InvalidSignature(AtriumError):
    """A webhook delivery that is not what its sender signed; answer it with 401."""


class StaleDelivery(InvalidSignature):
    """A delivery signed too long ago, or ahead of the clock: it may be a replay."""


BY_STATUS: dict[int, type[Refused]] = {
    400: BadRequest, 401: Unauthenticated, 403: Forbidden, 404: NotFound, 409: Conflict, 413: TooLarge,
    422: IdempotencyMismatch, 429: RateLimited,
}  # fmt: skip


def refused(status: int, content: bytes, retry_after: float | None) -> Refused:
    """The exception for an answer of that status."""
    kind = BY_STATUS.get(status, ServerError if status >= 500 else Refused)
    return kind(read_problem(status, content), retry_after)


def read_problem(status: int, content: bytes) -> Problem:
    """The problem in an answer's body; of a body that holds none, its beginning."""
    try:
        members = msgspec.json.decode(content, type=dict[str, Any])
        known = {name: value for name, value in members.items() if name in Problem.__struct_fields__}
        more = {name: value for name, value in members.items() if name not in known}
        return msgspec.convert(known | {"status": status, "more": more}, Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Problem(status, title=f"answered {status}", detail=content[:200].decode(errors="replace"))
