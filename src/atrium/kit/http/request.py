"""A request before routing, and the types that bodies and query parameters are decoded into."""

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Generic, NamedTuple, TypeVar

import msgspec

from atrium.kit.errors import invalid_parameter
from atrium.kit.http.headers import session_in, token_of
from atrium.kit.http.idempotency import hash_of_body
from atrium.kit.http.peer import UNKNOWN_NETWORK

MAX_BODY = 1 << 20
T = TypeVar("T")


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a create or update request. Unknown fields are errors."""


class Content(Body, Generic[T]):
    """The `content` wrapper of create and update requests under `/v1`."""

    content: T


Limit = Annotated[int, msgspec.Meta(ge=1, le=200, description="entries per page")]
Cursor = Annotated[str | None, msgspec.Meta(description="`next_cursor` of the previous page")]


class Paging(msgspec.Struct, kw_only=True):
    """The query parameters of a list."""

    limit: Limit = 50
    cursor: Cursor = None


class Request(NamedTuple):
    """A request before anything is decoded or looked up."""

    path_parameters: Mapping[str, str]
    query_string: bytes
    headers: Mapping[bytes, bytes]
    body: bytes = b""
    address: str | None = None  # of the client, also behind trusted proxies
    request_id: str = ""
    network: str = UNKNOWN_NETWORK  # that limits count the client by
    stream: AsyncIterator[bytes] | None = None

    @property
    def bearer(self) -> str:
        """Return the key in the Authorization header, or else the session in the cookie. Raise Unauthenticated."""
        return token_of(self.headers)

    @property
    def uses_cookie(self) -> bool:
        """Return whether a cookie identifies the caller; browsers also send it with requests that other sites make."""
        return b"authorization" not in self.headers and session_in(self.headers.get(b"cookie", b"")) is not None

    @property
    def idempotency_key(self) -> str | None:
        """Return the Idempotency-Key header. Raise InvalidRequest if it cannot be stored."""
        raw = self.headers.get(b"idempotency-key")
        if raw is None:
            return None
        if not 1 <= len(raw) <= 255 or not raw.isascii() or not raw.decode().isprintable():
            raise invalid_parameter("Idempotency-Key", "must be 1 to 255 printable ASCII characters")
        return raw.decode()

    @property
    def media_type(self) -> str:
        """Return the media type of the body without parameters; JSON by default."""
        declared = self.headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
        return declared or "application/json"

    @property
    def body_hash(self) -> bytes:
        """Return the hash that identifies the body under an idempotency key."""
        return hash_of_body(self.body)
