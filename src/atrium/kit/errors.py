"""Domain errors. Each class has an HTTP status and a stable code; the dialect of the path renders the response."""

from typing import Annotated, Any, ClassVar
from uuid import UUID

import msgspec

PROBLEM_JSON = "application/problem+json"
CLOSE = (("connection", "close"),)  # the client may still be sending the rejected body


class FieldError(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error in a field of the body (`pointer`, a JSON pointer) or in a parameter (its name)."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None


class Made(msgspec.Struct, frozen=True):
    """The resource that the first request with an Idempotency-Key created or changed."""

    type: Annotated[str, msgspec.Meta(examples=["webhook"])]
    id: UUID


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of an error response (RFC 9457, `application/problem+json`)."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: list[FieldError] | None = None
    thread_root_id: str | None = None
    block: msgspec.Raw | None = None
    transcript: msgspec.Raw | None = None
    made: Made | None = None
    reasons: list[str] | None = None


class Problem(Exception):
    """An error in a request: the response has its status, its code and its headers."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "invalid_request"
    title: ClassVar[str] = "The request is not valid"
    headers: tuple[tuple[str, str], ...] = ()

    def __init__(self, detail: str | None = None, *, errors: list[FieldError] | None = None, **more: Any) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or f"{self.title}."
        self.errors = errors
        self.more = more

    def details(self, request_id: str) -> ProblemDetails:
        """Return the body of the response."""
        return ProblemDetails(
            type=f"/docs/problems#{self.code}",
            title=self.title,
            status=self.status,
            detail=self.detail,
            code=self.code,
            request_id=request_id,
            errors=self.errors,
            **self.more,
        )


class InvalidRequest(Problem):
    """Something in the request is invalid; `errors` names the fields or parameters."""


class UnsupportedEncoding(InvalidRequest):
    """Compressed request bodies are not supported. Send the body without `Content-Encoding`."""

    status = 415
    code = "unsupported_encoding"
    title = "Compressed bodies are not supported; send the body without Content-Encoding"


def invalid_parameter(name: str, detail: str) -> InvalidRequest:
    """Return the error for a path, query or header parameter."""
    return InvalidRequest(f"{name}: {detail}", errors=[FieldError(detail, parameter=name)])


def invalid_field(pointer: str, detail: str) -> InvalidRequest:
    """Return the error for a field of the body; `pointer` is a JSON pointer."""
    return InvalidRequest(f"{pointer}: {detail}", errors=[FieldError(detail, pointer=pointer)])


class Unauthenticated(Problem):
    """The key is missing, unknown, expired, rotated or revoked, or the account of its owner is deactivated."""

    status = 401
    code = "unauthenticated"
    title = "A valid API key is required"
    headers = (("www-authenticate", "Bearer"),)


class Forbidden(Problem):
    """The caller can see the resource, but the request requires a higher role."""

    status = 403
    code = "forbidden"
    title = "Your role does not allow this"


class NotFound(Problem):
    """The resource does not exist, or the caller cannot see it; the response is the same in both cases."""

    status = 404
    code = "not_found"
    title = "Not found"


class MethodNotAllowed(Problem):
    """The path does not support this method; the header `Allow` lists the methods that it supports."""

    status = 405
    code = "method_not_allowed"
    title = "Method not allowed"


class Conflict(Problem):
    """The request conflicts with the current state of the resource."""

    status = 409
    code = "conflict"
    title = "The request conflicts with the current state"


class TooLarge(Problem):
    """The body exceeds the limit, which is 1 MiB for JSON."""

    status = 413
    code = "too_large"
    title = "The body is too large"
    headers = CLOSE


class BodyCut(Problem):
    """The body is incomplete or too slow: JSON must arrive within a minute, a file without a pause of a minute."""

    status = 408
    code = "body_cut"
    title = "The body is incomplete"
    headers = CLOSE


class RateLimited(Problem):
    """The caller has reached the rate limit. `Retry-After` is the number of seconds to wait."""

    status = 429
    code = "rate_limited"
    title = "Too many requests"


class InternalError(Problem):
    """An error of the server. The server's log has its cause under the request id."""

    status = 500
    code = "internal_error"
    title = "Internal server error"


class Unavailable(Problem):
    """The database is not available. The request may have been processed. Retry it."""

    status = 503
    code = "unavailable"
    title = "The service is temporarily unavailable"
    headers = (("retry-after", "1"),)
