"""The responses of handlers other than a value encoded as JSON, and the request headers that handlers read."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Pool

T = TypeVar("T")


class AfterCommit(Generic[T]):
    """A response that is produced after the transaction, so that a slow call to another server holds no database
    connection. `produce` receives the pool and the clock."""

    def __init__(self, produce: Callable[[Pool, Clock], Awaitable[T]]) -> None:
        self.produce = produce


Headers: TypeAlias = tuple[tuple[str, str], ...]


class WithHeaders(Generic[T]):
    """A value with response headers; `raw_body` is its body if the dialect of the route is not JSON."""

    def __init__(self, value: T, *headers: tuple[str, str], raw_body: bytes | None = None) -> None:
        self.value, self.headers, self.raw_body = value, headers, raw_body


class Response(NamedTuple):
    """A complete response: status, body or stream, and headers; `media_type` replaces that of the dialect."""

    status: int
    body: bytes
    headers: Headers = ()
    streamed: "StreamedResponse[Any] | None" = None
    media_type: str | None = None


class ReceivesBody(Generic[T]):
    """A response to a streamed body. `receive` reads the stream without a connection; then the caller is authenticated
    and authorized again in a new transaction, where `finish` gets the call, the subject and the result of `receive`."""

    def __init__(
        self,
        receive: Callable[[Pool, AsyncIterator[bytes]], Awaitable[Any]],
        finish: Callable[[Any, Any, Any], Awaitable[T | WithHeaders[T]]],
    ) -> None:
        self.receive, self.finish = receive, finish


class StreamedResponse(Generic[T]):
    """A response sent in parts after the transaction of the request; `T` is one part. `parts` receives the pool and the
    clock."""

    media_type: ClassVar[str]
    headers: Headers = ()
    status: int = 200

    def __init__(self, parts: Callable[[Pool, Clock], AsyncIterator[bytes]]) -> None:
        self.parts = parts


class FileResponse(StreamedResponse[T]):
    """The bytes of a stored file with its headers; HEAD returns the headers alone."""

    media_type = "application/octet-stream"

    def __init__(self, parts: Callable[[Pool, Clock], AsyncIterator[bytes]], status: int, headers: Headers) -> None:
        super().__init__(parts)
        self.status, self.headers = status, headers


class JsonLines(StreamedResponse[T]):
    """One `T` per line."""

    media_type = "application/x-ndjson"


class CsvTable(JsonLines[T]):
    """One `T` per row of CSV, below the names of the columns."""

    media_type = "text/csv"


class PlainText(StreamedResponse[T]):
    """One `T` as text."""

    media_type = "text/plain"  # the server adds the charset, UTF-8


class EventStreamResponse(Generic[T]):
    """Server-sent events of a subscription. The server opens the stream after it has released its connection."""

    def __init__(self, subscription: T) -> None:
        self.subscription = subscription


@dataclass(frozen=True)
class Header:
    """A request header that a handler reads, for the OpenAPI document."""

    name: str
    description: str
    example: str
    required: bool = True
