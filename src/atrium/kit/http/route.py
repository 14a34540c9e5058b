"""A line of the route table, and the decorators that describe its handler."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec

from atrium.kit.errors import Made, Problem
from atrium.kit.http.forms import Handler, OtherForm, form_of
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
    """A line of the route table: method, path, the handler that answers, and the permission that it asks for.

    A batched handler is given the request as it came and answers bytes through one statement that also checks the
    key; any other is called with what its parameters name: `call`, the subject of its permission, `body`, `query`, ids,
    `request` for what is in none of these. What it returns is encoded, unless it is a Response.
    """

    method: str
    path: str
    handler: Handler
    permission: Any
    status: int = 200
    headers: Headers = ()  # of every answer, refusals too

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
    def is_body_optional(self) -> bool:
        """Whether the body may be left out."""
        return self.handler in _BODY_OPTIONAL

    @property
    def query(self) -> Any:
        """The type of the query parameters, None where there are none."""
        return self.batched.query if self.batched else self.hints.get("query")

    @property
    def answer(self) -> Any:
        """The type of the answer; NoneType where it has no body."""
        answer = self.batched.answer if self.batched else self.hints["return"]
        while (wrapper := get_origin(answer)) and wrapper in (*WRAPPERS, self.streamed):
            answer = get_args(answer)[0]
        return answer

    @property
    def other_form(self) -> OtherForm | None:
        """The media type beside JSON that the handler says it has."""
        return form_of(self.handler)

    @property
    def is_reading(self) -> bool:
        """Whether the route changes nothing."""
        return self.method == "GET"

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of the path that the handler answers: HEAD goes with a GET whose headers tell something."""
        has_head = self.is_reading and (self.streamed is FileResponse or self.has_headers)
        return (self.method, "HEAD") if has_head else (self.method,)

    @property
    def has_headers(self) -> bool:
        """Whether the answer has headers of its own."""
        answer = None if self.batched else self.hints["return"]
        return get_origin(get_args(answer)[0] if self.answers_after_commit else answer) is WithHeaders

    @property
    def is_repeatable(self) -> bool:
        """Whether an Idempotency-Key holds: where one transaction makes the answer, and it is all in its body."""
        return self.method == "POST" and not (self.answers_after_commit or self.receives or self.has_headers)

    @cached_property
    def receives(self) -> str | None:
        """The media type of a body that streams in; None where the body is JSON or none."""
        return _RECEIVED.get(self.handler)

    @property
    def shown_once(self) -> "ShownOnce | None":
        """What the handler makes, where the answer shows a key or a secret of it that no other answer may show."""
        return _SHOWN_ONCE.get(self.handler)

    @property
    def request_headers(self) -> tuple[Header, ...]:
        """The headers that the handler reads."""
        return _HEADERS.get(self.handler, ())

    @cached_property
    def answers_after_commit(self) -> bool:
        """Whether the handler's answer is got when its transaction is over."""
        return not self.batched and get_origin(self.hints["return"]) is AfterCommit

    @cached_property
    def streamed(self) -> type[StreamedResponse[Any]] | None:
        """The kind of stream that answers, None where the answer comes whole."""
        kind = None if self.batched else get_origin(self.hints["return"])
        return kind if isinstance(kind, type) and issubclass(kind, StreamedResponse) else None

    @cached_property
    def is_server_sent(self) -> bool:
        """Whether the answer goes on, as server-sent events."""
        return not self.batched and get_origin(self.hints["return"]) is EventStreamResponse

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


class ShownOnce(NamedTuple):
    """A kind of thing, and the path of its id in the answer that shows its key or secret."""

    kind: str
    path: tuple[str, ...]

    def made_by(self, body: bytes) -> Made:
        """Return what the answer `body` says was made."""
        found = msgspec.json.decode(body)
        for name in self.path:
            found = found[name]
        return Made(self.kind, UUID(found))


WRAPPERS = (AfterCommit, WithHeaders, ReceivesBody)
_RECEIVED: dict[Handler, str] = {}
_HEADERS: dict[Handler, tuple[Header, ...]] = {}
_BODY_OPTIONAL: set[Handler] = set()
_RAISES: dict[Handler, tuple[type[Problem], ...]] = {}
_SHOWN_ONCE: dict[Handler, ShownOnce] = {}
_BATCHED: dict[Handler, "Batched"] = {}


def raises(*errors: type[Problem]) -> Callable[[Handler], Handler]:
    """Say which refusals a handler makes; they appear in the OpenAPI document."""

    def note(handler: Handler) -> Handler:
        _RAISES[handler] = errors
        return handler

    return note


def receives(media_type: str, *headers: Header) -> Callable[[Handler], Handler]:
    """Mark a handler as one that takes a stream of bytes; it returns ReceivesBody."""

    def note(handler: Handler) -> Handler:
        _RECEIVED[handler] = media_type
        return reads(*headers)(handler)

    return note


def reads(*headers: Header) -> Callable[[Handler], Handler]:
    """Say which headers a handler reads; they appear in the OpenAPI document."""

    def note(handler: Handler) -> Handler:
        _HEADERS[handler] = headers
        return handler

    return note


def shows_once(kind: str, *path: str) -> Callable[[Handler], Handler]:
    """Mark a handler whose answer shows a key or a secret of a thing whose id stands at `path` in it.

    The request repeated with its Idempotency-Key is refused by the name of that thing (docs/contract.md#conventions).
    """

    def note(handler: Handler) -> Handler:
        _SHOWN_ONCE[handler] = ShownOnce(kind, path)
        return handler

    return note


def body_optional(handler: Handler) -> Handler:
    """Mark a handler whose body may be left out; it is then taken as one whose `content` says nothing."""
    _BODY_OPTIONAL.add(handler)
    return handler


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
