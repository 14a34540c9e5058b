"""Routes, and the decorators that describe their handlers."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec

from atrium.kit.errors import Made, Problem
from atrium.kit.http.alternatives import Alternative, Handler, alternative_of
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


@dataclass(frozen=True)
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

    @cached_property
    def batched(self) -> "Batched | None":
        """Return the types of a batched handler, None for any other handler."""
        return _BATCHED.get(self.handler)

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
    def is_action(self) -> bool:
        """Return whether the fields of the body may be in `content` or not."""
        return self.handler in _ACTIONS

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
    def alternative(self) -> Alternative | None:
        """Return the media type other than JSON that the handler declares, or None."""
        return alternative_of(self.handler)

    @property
    def is_read_only(self) -> bool:
        """Return whether the request runs without a transaction: every GET, and no other method."""
        return self.method == "GET"

    @property
    def is_exclusive(self) -> bool:
        """Return whether requests that change the same subject wait for one another: every PUT, PATCH and DELETE,
        unless the handler is `concurrent`."""
        return self.method in ("PUT", "PATCH", "DELETE") and self.handler not in _CONCURRENT

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
        return self.method == "POST" and not (
            self.responds_after_commit or self.streamed_media_type or self.has_headers
        )

    @cached_property
    def streamed_media_type(self) -> str | None:
        """Return the media type of a body that is received as a stream, or None."""
        return _STREAMED_BODIES.get(self.handler)

    @property
    def shown_once(self) -> "OneTimeSecret | None":
        """Return the resource whose key or secret this response shows for the only time, or None."""
        return _SHOWN_ONCE.get(self.handler)

    @property
    def request_headers(self) -> tuple[Header, ...]:
        """Return the request headers that the handler reads."""
        return _HEADERS.get(self.handler, ())

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

    @property
    def reads_replica(self) -> bool:
        """Return whether a replica may answer, if there is one."""
        return self.handler in _READS_REPLICA

    @property
    def errors(self) -> tuple[type[Problem], ...]:
        """Return the errors that the handler declares, in addition to those of every request."""
        return _RAISES.get(self.handler, ())


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


WRAPPERS = (AfterCommit, WithHeaders, ReceivesBody)
_STREAMED_BODIES: dict[Handler, str] = {}
_HEADERS: dict[Handler, tuple[Header, ...]] = {}
_ACTIONS: set[Handler] = set()
_READS_REPLICA: set[Handler] = set()
_CONCURRENT: set[Handler] = set()
_RAISES: dict[Handler, tuple[type[Problem], ...]] = {}
_SHOWN_ONCE: dict[Handler, OneTimeSecret] = {}
_BATCHED: dict[Handler, "Batched"] = {}


def raises(*errors: type[Problem]) -> Callable[[Handler], Handler]:
    """Declare the errors of a handler for the OpenAPI document."""

    def register(handler: Handler) -> Handler:
        _RAISES[handler] = errors
        return handler

    return register


def receives(media_type: str, *headers: Header) -> Callable[[Handler], Handler]:
    """Declare that a handler receives its body as a stream. It returns ReceivesBody."""

    def register(handler: Handler) -> Handler:
        _STREAMED_BODIES[handler] = media_type
        return reads_headers(*headers)(handler)

    return register


def reads_headers(*headers: Header) -> Callable[[Handler], Handler]:
    """Declare the request headers that a handler reads for the OpenAPI document."""

    def register(handler: Handler) -> Handler:
        _HEADERS[handler] = headers
        return handler

    return register


def shows_once(kind: str, *path: str) -> Callable[[Handler], Handler]:
    """Declare that a response shows the key or secret of a resource, and that `path` leads to the resource's id in it.

    A repetition with the same Idempotency-Key gets an error that names the resource (docs/contract.md#conventions).
    """

    def register(handler: Handler) -> Handler:
        _SHOWN_ONCE[handler] = OneTimeSecret(kind, path)
        return handler

    return register


def action(handler: Handler) -> Handler:
    """Declare that a request acts on its subject: the fields of the body may be in `content` or not, and if none is
    required, the body may be omitted."""
    _ACTIONS.add(handler)
    return handler


def reads_replica(handler: Handler) -> Handler:
    """Declare that a replica may answer: the handler reads much, writes nothing, and may be called twice."""
    _READS_REPLICA.add(handler)
    return handler


def concurrent(handler: Handler) -> Handler:
    """Declare that requests for the same subject may run at the same time: each changes only what is the caller's own,
    or locks it, and the audit log has no entry or one of what was locked."""
    _CONCURRENT.add(handler)
    return handler


@dataclass(frozen=True)
class Batched:
    """The types of a batched handler's response, query parameters and request body."""

    response: Any
    query: Any = None
    body: Any = None


def batched(*, response: Any, query: Any = None, body: Any = None) -> Callable[[Handler], Handler]:
    """Declare that a handler is batched: it returns bytes, which are `response` as JSON."""

    def register(handler: Handler) -> Handler:
        _BATCHED[handler] = Batched(response, query, body)
        return handler

    return register
