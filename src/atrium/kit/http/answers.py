"""What a handler may answer with beside a value that becomes JSON, and the headers that one may read."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Pool

T = TypeVar("T")


class Afterwards(Generic[T]):
    """An answer that is still to be got, when the transaction of the request is over: from outside, where no
    connection is to be held meanwhile. `get` is given the pool and the clock."""

    def __init__(self, get: Callable[[Pool, Clock], Awaitable[T]]) -> None:
        self.get = get


Headers: TypeAlias = tuple[tuple[str, str], ...]


class Headed(Generic[T]):
    """An answer with headers of its own, in JSON or, as `written`, in the other form that its route has."""

    def __init__(self, shown: T, *headers: tuple[str, str], written: bytes | None = None) -> None:
        self.shown, self.headers, self.written = shown, headers, written


class Reply(NamedTuple):
    """An answer that is ready to go: its status and its bytes, or what it is streamed from, and headers of its own;
    `media_type` where it differs from that of the dialect."""

    status: int
    body: bytes
    headers: Headers = ()
    streamed: "Streamed[Any] | None" = None
    media_type: str | None = None


class Receiving(Generic[T]):
    """An answer that is made of a body which streams in, when the transaction of the request is over: no connection is
    held while a client sends. `take` reads the stream; then who sent it is let in anew, in a transaction of its own,
    where `finish` is given the call, the subject and what was taken."""

    def __init__(
        self,
        take: Callable[[Pool, AsyncIterator[bytes]], Awaitable[Any]],
        finish: Callable[[Any, Any, Any], Awaitable[T | Headed[T]]],
    ) -> None:
        self.take, self.finish = take, finish


class Streamed(Generic[T]):
    """An answer that is sent part by part, when the transaction of the request is over; the parts show one `T` after
    the other. `parts` is given the pool and the clock."""

    media_type: ClassVar[str]
    headers: Headers = ()
    status: int = 200

    def __init__(self, parts: Callable[[Pool, Clock], AsyncIterator[bytes]]) -> None:
        self.parts = parts


class Binary(Streamed[T]):
    """Bytes of a stored file, with the headers that say which; HEAD answers the headers alone."""

    media_type = "application/octet-stream"

    def __init__(self, parts: Callable[[Pool, Clock], AsyncIterator[bytes]], status: int, headers: Headers) -> None:
        super().__init__(parts)
        self.status, self.headers = status, headers


class JsonLines(Streamed[T]):
    """A `T` a line."""

    media_type = "application/x-ndjson"


class PlainText(Streamed[T]):
    """A `T` as it is."""

    media_type = "text/plain"  # UTF-8, as the server says of every text


class ServerSent(Generic[T]):
    """An answer that goes on (server-sent events). `wanted` is what for; the server opens it when the request's
    connection is back."""

    def __init__(self, wanted: T) -> None:
        self.wanted = wanted


@dataclass(frozen=True)
class Header:
    """A request header that a handler reads, as the OpenAPI document shows it."""

    name: str
    description: str
    example: str
    required: bool = True
