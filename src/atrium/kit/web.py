"""Requests and answers as the routes see them: a table of routes, bodies and parameters decoded into their types."""

import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)
from urllib.parse import parse_qsl

import msgspec

from atrium.kit.clock import Clock
from atrium.kit.database import Pool
from atrium.kit.errors import FieldError, InvalidRequest, Problem, invalid_parameter
from atrium.kit.headers import Headers, bearer_of, session_in

MAX_BODY = 1 << 20
T = TypeVar("T")


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a create or an update: a field it does not know is refused by name."""


class Content(Body, Generic[T]):
    """The wrapper that creates and updates under `/v1` have around their fields."""

    content: T


Limit = Annotated[int, msgspec.Meta(ge=1, le=200, description="entries a page")]
Cursor = Annotated[str | None, msgspec.Meta(description="`next_cursor` of the page before")]


class Paging(msgspec.Struct, kw_only=True):
    """The query parameters of a list."""

    limit: Limit = 50
    cursor: Cursor = None


class Incoming(NamedTuple):
    """A request as it came: nothing decoded, nothing looked up."""

    path: Mapping[str, str]
    query_string: bytes
    headers: Mapping[bytes, bytes]
    body: bytes = b""
    peer: str | None = None
    request_id: str = ""

    @property
    def bearer(self) -> str:
        """The key in the Authorization header, else the session in the cookie. Raises Unauthenticated."""
        return bearer_of(self.headers)

    @property
    def is_by_cookie(self) -> bool:
        """Whether what identifies the caller is a cookie, which browsers send along whoever makes them."""
        return b"authorization" not in self.headers and session_in(self.headers.get(b"cookie", b"")) is not None

    @property
    def idempotency_key(self) -> str | None:
        """The Idempotency-Key header. Raises InvalidRequest where it cannot be kept."""
        raw = self.headers.get(b"idempotency-key")
        if raw is None:
            return None
        if not 1 <= len(raw) <= 255 or not raw.isascii() or not raw.decode().isprintable():
            raise invalid_parameter("Idempotency-Key", "has to be 1 to 255 printable ASCII characters")
        return raw.decode()

    @property
    def body_hash(self) -> bytes:
        """What tells this body from another, for the idempotency key."""
        return sha256(self.body).digest()


@dataclass(frozen=True)
class Answer(Generic[T]):
    """An answer with headers of its own: a cookie, or where to go. Never kept under an Idempotency-Key."""

    content: T
    headers: Headers = ()


class Afterwards(Generic[T]):
    """An answer that is still to be got, when the transaction of the request is over: from outside, where no
    connection is to be held meanwhile. `get` is given the pool and the clock."""

    def __init__(self, get: Callable[[Pool, Clock], Awaitable[T]]) -> None:
        self.get = get


class Streamed(Generic[T]):
    """An answer that is sent part by part, when the transaction of the request is over; the parts show one `T` after
    the other. `parts` is given the pool and the clock."""

    media_type: ClassVar[str]

    def __init__(self, parts: Callable[[Pool, Clock], AsyncIterator[bytes]]) -> None:
        self.parts = parts


class JsonLines(Streamed[T]):
    """A `T` a line."""

    media_type = "application/x-ndjson"


class ServerSent(Generic[T]):
    """An answer that goes on (server-sent events). `wanted` is what for; the server opens it when the request's
    connection is back."""

    def __init__(self, wanted: T) -> None:
        self.wanted = wanted


Handler = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Route:
    """A line of the route table: method, path, the handler that answers, and the permission that it asks for.

    A batched handler is given the request as it came and answers bytes through one statement that also checks the
    key; any other is called with what its parameters name: `call`, the subject of its permission, `body`, `query`, ids,
    `request` for what is in none of these.
    """

    method: str
    path: str
    handler: Handler
    permission: Any
    status: int = 200

    @cached_property
    def batched(self) -> "Batched | None":
        """What the handler says of itself where it is a batched one."""
        return _BATCHED.get(self.handler)

    @cached_property
    def hints(self) -> Mapping[str, Any]:
        """The types of the handler's parameters and of its answer."""
        return get_type_hints(self.handler, include_extras=True)

    @property
    def body(self) -> Any:
        """The type of the body, None where there is none."""
        return self.batched.body if self.batched else self.hints.get("body")

    @property
    def query(self) -> Any:
        """The type of the query parameters, None where there are none."""
        return self.batched.query if self.batched else self.hints.get("query")

    @property
    def answer(self) -> Any:
        """The type of the answer; NoneType where it has no body."""
        answer = self.batched.answer if self.batched else self.hints["return"]
        while (wrapper := get_origin(answer)) and wrapper in (Afterwards, Answer, self.streamed):
            answer = get_args(answer)[0]
        return answer

    @cached_property
    def has_headers(self) -> bool:
        """Whether the answer comes with headers of its own."""
        answer = None if self.batched else self.hints["return"]
        return get_origin(get_args(answer)[0] if self.is_answered_afterwards else answer) is Answer

    @cached_property
    def is_answered_afterwards(self) -> bool:
        """Whether the handler's answer is got when its transaction is over."""
        return not self.batched and get_origin(self.hints["return"]) is Afterwards

    @cached_property
    def streamed(self) -> type[Streamed[Any]] | None:
        """The kind of stream that answers, None where the answer comes whole."""
        kind = None if self.batched else get_origin(self.hints["return"])
        return kind if isinstance(kind, type) and issubclass(kind, Streamed) else None

    @cached_property
    def is_server_sent(self) -> bool:
        """Whether the answer goes on, as server-sent events."""
        return not self.batched and get_origin(self.hints["return"]) is ServerSent

    @cached_property
    def path_names(self) -> tuple[str, ...]:
        """The parameters in the path, in order."""
        return tuple(re.findall(r"{(\w+)}", self.path))

    @cached_property
    def parameter_names(self) -> frozenset[str]:
        """What the handler wants to be called with."""
        return frozenset(inspect.signature(self.handler).parameters)

    @property
    def errors(self) -> tuple[type[Problem], ...]:
        """The refusals that the handler says it makes, beside those that any request can meet."""
        return _RAISES.get(self.handler, ())


_RAISES: dict[Handler, tuple[type[Problem], ...]] = {}
_BATCHED: dict[Handler, "Batched"] = {}


def raises(*errors: type[Problem]) -> Callable[[Handler], Handler]:
    """Say which refusals a handler makes; they appear in the OpenAPI document."""

    def note(handler: Handler) -> Handler:
        _RAISES[handler] = errors
        return handler

    return note


@dataclass(frozen=True)
class Batched:
    """The types that a batched handler reads and shows."""

    answer: Any
    query: Any = None
    body: Any = None


def batched(*, answer: Any, query: Any = None, body: Any = None) -> Callable[[Handler], Handler]:
    """Mark a handler as batched: it answers bytes, which show `answer`."""

    def note(handler: Handler) -> Handler:
        _BATCHED[handler] = Batched(answer, query, body)
        return handler

    return note


def decode_body(body: bytes, kind: type[T]) -> T:
    """Read a JSON body into its type. Raises InvalidRequest that points at the field."""
    try:
        return _decoder(kind).decode(body)
    except msgspec.ValidationError as error:
        raise _explained(str(error), pointer=True) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        detail = str(error) or "nested too deeply"
        raise InvalidRequest(f"The body is not JSON: {detail}", errors=[FieldError(detail, pointer="")]) from None


def decode_query(query_string: bytes, kind: type[T]) -> T:
    """Read the query string into its type. Raises InvalidRequest that names the parameter."""
    try:
        pairs = parse_qsl(query_string.decode("ascii"), keep_blank_values=True, errors="strict")
    except (UnicodeDecodeError, ValueError):
        raise InvalidRequest("The query string is not percent-encoded UTF-8.") from None
    for name, text in pairs:
        if "\x00" in text:
            raise invalid_parameter(name, "holds a NUL character")
    try:
        found = msgspec.convert(dict(pairs), kind, strict=False)
    except msgspec.ValidationError as error:
        raise _explained(str(error), pointer=False) from None
    for name, text in pairs:  # the word null is read as nothing
        if getattr(found, name, text) is None:
            raise invalid_parameter(name, "cannot be null; leave it out")
    return found


_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}


def _decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    if kind not in _decoders:
        _decoders[kind] = msgspec.json.Decoder(kind)
    return _decoders[kind]


def _explained(message: str, *, pointer: bool) -> InvalidRequest:
    """msgspec's message as a problem: `Expected ... - at `$.content.name`` names /content/name."""
    detail, _, where = message.partition(" - at `$")
    steps = re.findall(r"\.([^.\[`]+)|\[(\d+|\.\.\.)\]", where)
    names = [name or index for name, index in steps]
    if "..." in names:  # somewhere in a list, msgspec does not say where: the pointer names the list
        names = names[: names.index("...")]
    elif found := re.search(r"(?:unknown|required) field `([^`]*)`", detail):
        names.append(found[1])
    if pointer:
        path = "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names)
        return InvalidRequest(f"{path or 'The body'}: {detail}", errors=[FieldError(detail, pointer=path)])
    name = names[0] if names else "query"
    return InvalidRequest(f"{name}: {detail}", errors=[FieldError(detail, parameter=name)])
