"""Routes, and what the route table says about each of them."""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec

from atrium.kit.errors import Made, Problem
from atrium.kit.http.request import Content
from atrium.kit.http.responses import (
    AfterCommit,
    EventStreamResponse,
    FileResponse,
    Header,
    Headers,
    ReceivesBody,
    StreamedResponse,
    WithHeaders,
)

GET, POST, PUT, PATCH, DELETE = "GET", "POST", "PUT", "PATCH", "DELETE"
WRAPPERS = (AfterCommit, WithHeaders, ReceivesBody)
Handler: TypeAlias = Callable[..., Awaitable[Any]]


class OneTimeSecret(NamedTuple):
    """The kind of resource whose key or secret a response shows, and the path of its id in that response."""

    kind: str
    path: tuple[str, ...]

    def created_resource(self, body: bytes) -> Made:
        """Return the resource that a response body shows."""
        found = msgspec.json.decode(body)
        for name in self.path:
            found = found[name]
        return Made(self.kind, UUID(found))


@dataclass(frozen=True)
class Batched:
    """The types of a batched handler's response, query parameters and request body."""

    response: Any
    query: Any = None
    body: Any = None


@dataclass(frozen=True)
class Alternative:
    """A media type other than JSON: of the request body if `read` is set, else of the response. If `reads_json`, `read`
    reads JSON too, which may be less strict than that of other routes."""

    media_type: str
    example: str
    read: Callable[[bytes], Any] | None = None
    reads_json: bool = False


@dataclass(frozen=True, eq=False)  # two routes are never the same, and some of their fields are lists
class Route:
    """A row of the route table: a method and a path, their handler, and the permission that they need.

    A batched handler receives the raw request and returns bytes, from one statement that also authenticates the caller.
    Any other handler receives the parameters that it names: `call`, the subject of its permission, `body`, `query`, ids
    from the path, and `request` for everything else. Its result is encoded, unless it is a Response.
    """

    method: str
    path: str
    handler: Handler
    permission: Any
    status: int = 200
    headers: Headers = ()  # of every response, errors too

    _: KW_ONLY
    batched: Batched | None = None
    is_action: bool = False  # the fields of the body may be in `content` or not; if all are optional, so is the body
    receives: str | None = None  # the media type of a body that is received as a stream; the handler: ReceivesBody
    alternative: Alternative | None = None
    reads_headers: Sequence[Header] = ()  # of the request
    shows_once: OneTimeSecret | None = None  # a repetition with the same Idempotency-Key is an error that names it
    reads_replica: bool = False  # a replica may answer: the handler reads much, writes nothing, may be called twice
    is_concurrent: bool = False  # changes only what is the caller's own, or locks it: others need not wait for it
    raises: Sequence[type[Problem]] = ()  # besides the errors of every request and of the subject

    @cached_property
    def hints(self) -> Mapping[str, Any]:
        """Return the types of the handler's parameters and of its result."""
        return get_type_hints(self.handler, include_extras=True)

    @property
    def body(self) -> Any:
        """Return the type of the request body, or None."""
        return self.batched.body if self.batched else self.hints.get("body")

    @property
    def is_body_optional(self) -> bool:
        """Return whether the request body may be omitted: that of an action without required fields."""
        return self.is_action and not any(field.required for field in msgspec.structs.fields(self.bodies[-1]))

    @property
    def bodies(self) -> tuple[Any, ...]:
        """Return the types of the request body: for an action, with the wrapper `content`, then without it."""
        if not self.is_action:
            return () if self.body is None else (self.body,)
        plain: Any = get_args(self.body)[0] if get_origin(self.body) is Content else self.body
        wrapper: Any = Content
        return wrapper[plain], plain

    @property
    def query(self) -> Any:
        """Return the type of the query parameters, or None."""
        return self.batched.query if self.batched else self.hints.get("query")

    @property
    def response(self) -> Any:
        """Return the type of the response body, NoneType if there is no body."""
        response = self.batched.response if self.batched else self.hints["return"]
        while (wrapper := get_origin(response)) and wrapper in (*WRAPPERS, self.streamed):
            response = get_args(response)[0]
        return response

    @property
    def is_read_only(self) -> bool:
        """Return whether the request runs without a transaction: every GET, and no other method."""
        return self.method == "GET"

    @property
    def is_exclusive(self) -> bool:
        """Return whether requests that change the same subject wait for one another."""
        return self.method in ("PUT", "PATCH", "DELETE") and not self.is_concurrent

    @property
    def methods(self) -> tuple[str, ...]:
        """Return the methods that the handler serves: HEAD too, if GET returns headers of its own."""
        has_head = self.is_read_only and (self.streamed is FileResponse or self.has_headers)
        return (self.method, "HEAD") if has_head else (self.method,)

    @property
    def has_headers(self) -> bool:
        """Return whether the response has headers of its own."""
        result = None if self.batched else self.hints["return"]
        return get_origin(get_args(result)[0] if self.responds_after_commit else result) is WithHeaders

    @property
    def is_repeatable(self) -> bool:
        """Return whether an Idempotency-Key applies: one transaction produces the response, all of it in the body."""
        return self.method == "POST" and not (self.responds_after_commit or self.receives or self.has_headers)

    @cached_property
    def responds_after_commit(self) -> bool:
        """Return whether the response is produced after the transaction."""
        return not self.batched and get_origin(self.hints["return"]) is AfterCommit

    @cached_property
    def streamed(self) -> type[StreamedResponse[Any]] | None:
        """Return the class of a streamed response, None for a complete one."""
        kind = None if self.batched else get_origin(self.hints["return"])
        return kind if isinstance(kind, type) and issubclass(kind, StreamedResponse) else None

    @cached_property
    def is_event_stream(self) -> bool:
        """Return whether the response is a stream of server-sent events."""
        return not self.batched and get_origin(self.hints["return"]) is EventStreamResponse

    @cached_property
    def path_names(self) -> tuple[str, ...]:
        """Return the names of the path parameters, in order."""
        return tuple(re.findall(r"{(\w+)}", self.path))

    @cached_property
    def parameter_names(self) -> frozenset[str]:
        """Return the names of the handler's parameters."""
        return frozenset(inspect.signature(self.handler).parameters)
