"""Errors as facts of the domain: each class carries its status and its stable code; a dialect renders it."""

from typing import Annotated, Any, ClassVar
from uuid import UUID

import msgspec

PROBLEM_JSON = "application/problem+json"
CLOSE = (("connection", "close"),)  # of a refused body, what was not read is still on its way


class FieldError(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing wrong with a request: where (a JSON pointer into the body, or a parameter's name) and what."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None


class Made(msgspec.Struct, frozen=True):
    """What the first request under an Idempotency-Key made or changed."""

    type: Annotated[str, msgspec.Meta(examples=["webhook"])]
    id: UUID


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error answer (RFC 9457, `application/problem+json`)."""

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


class Problem(Exception):
    """A request that is refused."""

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
        """The body of the answer."""
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
    """Something in the request cannot be read or is out of its bounds; `errors` says what and where."""


class UnsupportedEncoding(InvalidRequest):
    """Bodies are read as they are: send this one without `Content-Encoding`."""

    status = 415
    code = "unsupported_encoding"
    title = "Compressed bodies are not read; send the body without Content-Encoding"


def invalid_parameter(name: str, detail: str) -> InvalidRequest:
    """A path, query or header parameter that cannot be used."""
    return InvalidRequest(f"{name}: {detail}", errors=[FieldError(detail, parameter=name)])


def invalid_field(pointer: str, detail: str) -> InvalidRequest:
    """A field of the body that cannot be used."""
    return InvalidRequest(f"{pointer}: {detail}", errors=[FieldError(detail, pointer=pointer)])


class Unauthenticated(Problem):
    """The key is missing, unknown, expired, rotated or revoked, or its person's account is deactivated."""

    status = 401
    code = "unauthenticated"
    title = "A valid API key is needed"
    headers = (("www-authenticate", "Bearer"),)


class Forbidden(Problem):
    """The caller reaches the thing, but does not hold the role that this needs."""

    status = 403
    code = "forbidden"
    title = "The role for this is missing"


class NotFound(Problem):
    """The path names nothing. A thing that exists but cannot be reached by the caller answers the very same."""

    status = 404
    code = "not_found"
    title = "There is no such thing"


class MethodNotAllowed(Problem):
    """The path exists, the method does not; the header `Allow` lists those that do."""

    status = 405
    code = "method_not_allowed"
    title = "This path does not take that method"


class Conflict(Problem):
    """The request contradicts the present state."""

    status = 409
    code = "conflict"
    title = "The request conflicts with the present state"


class TooLarge(Problem):
    """A JSON body may hold at most 1 MiB."""

    status = 413
    code = "too_large"
    title = "The body is too large"
    headers = CLOSE


class BodyCut(Problem):
    """The body ended before its end, or took too long: a minute for JSON, a minute without a byte for a file."""

    status = 408
    code = "body_cut"
    title = "The body did not arrive whole"
    headers = CLOSE


class RateLimited(Problem):
    """The key has used up its requests for now; `Retry-After` says for how many seconds."""

    status = 429
    code = "rate_limited"
    title = "Too many requests with this key"


class InternalError(Problem):
    """A fault of the server; its log names the request id."""

    status = 500
    code = "internal_error"
    title = "The server failed"


class Unavailable(Problem):
    """The database cannot be reached just now; nothing is known to have been changed. Try again."""

    status = 503
    code = "unavailable"
    title = "The service is not available just now"
    headers = (("retry-after", "1"),)
