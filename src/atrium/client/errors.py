"""The exceptions that the client raises. An error from the server carries its problem document (RFC 9457)."""

from typing import Any

import msgspec


class FieldError(msgspec.Struct, frozen=True):
    """An invalid field: `pointer` is a JSON pointer into the body, `parameter` the name of a query parameter."""

    detail: str = ""
    pointer: str | None = None
    parameter: str | None = None


class Problem(msgspec.Struct, frozen=True):
    """A problem document (RFC 9457). `code` is stable; `more` holds the members specific to this code."""

    status: int
    code: str = ""
    title: str = ""
    detail: str = ""
    type: str = "about:blank"
    request_id: str = ""
    errors: list[FieldError] = []
    more: dict[str, Any] = {}


class AtriumError(Exception):
    """The base class of all exceptions that this client raises."""


class Unreachable(AtriumError):
    """The server cannot be reached, or closed the connection before it responded. It may have processed the request."""


class UnexpectedResponse(AtriumError):
    """The response is not from an Atrium server, or from one that this client does not understand."""


class APIError(AtriumError):
    """The server rejected the request. `problem` has the reason; `retry_after` is in seconds, if the server sent it."""

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        super().__init__(problem.detail or problem.title or f"HTTP {problem.status}")
        self.problem = problem
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        """Return the HTTP status."""
        return self.problem.status

    @property
    def code(self) -> str:
        """Return the problem's stable code, such as `room_not_found`."""
        return self.problem.code


class BadRequest(APIError):
    """400: part of the request is invalid; `problem.errors` says which."""


class Unauthenticated(APIError):
    """401: the key is missing, unknown, expired, rotated or revoked, or its owner is deactivated."""


class Forbidden(APIError):
    """403: the caller lacks the role that the request requires."""


class NotFound(APIError):
    """404: the resource does not exist, or the caller has no access to it."""


class Conflict(APIError):
    """409: the request conflicts with the current state."""


class TooLarge(APIError):
    """413: the request body is too large."""


class IdempotencyMismatch(APIError):
    """422: the idempotency key was used before, for a different request."""


class RateLimited(APIError):
    """429: too many requests with this key, even after the retries that the client's `Retries` allow."""


class ServerError(APIError):
    """5xx: the server failed or is unavailable."""


class InvalidSignature(AtriumError):
    """A webhook delivery whose signature is invalid. Respond with 401."""


class StaleDelivery(InvalidSignature):
    """A delivery whose timestamp is too old or in the future: it may be a replay."""


BY_STATUS: dict[int, type[APIError]] = {
    400: BadRequest, 401: Unauthenticated, 403: Forbidden, 404: NotFound, 409: Conflict, 413: TooLarge,
    422: IdempotencyMismatch, 429: RateLimited,
}  # fmt: skip


def error_for_status(status: int, content: bytes, retry_after: float | None) -> APIError:
    """Return the exception for a response with this status."""
    kind = BY_STATUS.get(status, ServerError if status >= 500 else APIError)
    return kind(read_problem(status, content), retry_after)


def read_problem(status: int, content: bytes) -> Problem:
    """Return the problem document in a response body, or one with the start of the body as its detail."""
    try:
        members = msgspec.json.decode(content, type=dict[str, Any])
        known = {name: value for name, value in members.items() if name in Problem.__struct_fields__}
        more = {name: value for name, value in members.items() if name not in known}
        return msgspec.convert(known | {"status": status, "more": more}, Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Problem(status, title=f"HTTP {status}", detail=content[:200].decode(errors="replace"))
