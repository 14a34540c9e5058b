"""The endpoints that the router finds: a route of the API, a page, and OPTIONS of any path."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from atrium.kit.errors import CLOSE, Problem
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Headers, Response
from atrium.kit.http.route import Route
from atrium.kit.process.deferred import import_in_thread
from atrium.routes.subjects import FETCHERS
from atrium.server.asgi import Receive, Send
from atrium.server.bodies import streamed_body
from atrium.server.dialects import dialect_of
from atrium.server.pipeline import body_of, respond
from atrium.server.responses import JSON, send_complete, send_reply
from atrium.server.service import Service
from atrium.server.streaming import EventStream


class AsgiRequest(NamedTuple):
    """A request without its body, with the ASGI `receive` and `send`."""

    request: Request
    receive: Receive
    send: Send
    is_head: bool


PARAMETERS = frozenset(
    {"call", "request", "query", "body"}
)  # of a handler, besides the subject and the ids in its path
Endpoint: TypeAlias = Callable[[Service, AsgiRequest], Awaitable[None]]
PageHandler: TypeAlias = Callable[[Request], Awaitable[Response]]
PageHandlers: TypeAlias = Mapping[str, PageHandler]


def route_endpoint(route: Route) -> Endpoint:
    """Return the endpoint of a route of the API."""
    dialect, takes_body, is_plain = dialect_of(route.path), not route.is_read_only, route.batched is not None

    async def endpoint(service: Service, asgi_request: AsgiRequest) -> None:
        request, receive, send, is_head = asgi_request
        if dialect.modules:
            await import_in_thread(dialect.modules)
        if route.receives:
            request = request._replace(stream=streamed_body(receive))
        elif takes_body:
            request = request._replace(body=await body_of(service, route, request, receive))
        try:
            reply = await respond(service, route, request)
        except Problem as error:
            error.headers += route.headers + (CLOSE if route.receives else ())
            raise
        if isinstance(reply, EventStream):
            return await (reply.send_head(send) if is_head else reply.send(receive, send))
        if is_plain and not is_head:
            return await send_complete(send, reply.status, JSON, reply.body)
        media_type = reply.media_type or dialect.media_type
        reply = reply._replace(headers=reply.headers + route.headers, media_type=media_type)
        return await send_reply(reply, service, receive, send, is_head=is_head)

    return endpoint


def require_known_parameters(route: Route) -> None:
    """Raise TypeError for a parameter of the handler that is not in PARAMETERS, not the subject and not in the path."""
    fetcher = FETCHERS.get(route.permission.subject)
    subject = {fetcher.name} if fetcher else set()
    unknown = route.parameter_names - PARAMETERS - subject - {*route.path_names}
    if unknown and not route.batched:
        raise TypeError(f"{route.handler.__name__} has parameters that are not in {route.path}: {sorted(unknown)}")


def page_endpoint(page: PageHandler) -> Endpoint:
    """Return the endpoint of a page."""

    async def endpoint(service: Service, asgi_request: AsgiRequest) -> None:
        reply = await page(asgi_request.request)
        await send_reply(reply, service, asgi_request.receive, asgi_request.send, is_head=asgi_request.is_head)

    return endpoint


def options_endpoint(methods: Iterable[str], headers: Headers = ()) -> Endpoint:
    """Return the endpoint of OPTIONS for a path that has `methods`."""
    reply = Response(204, b"", (("allow", ", ".join([*methods, "OPTIONS"])), *headers))

    async def endpoint(service: Service, asgi_request: AsgiRequest) -> None:
        await send_reply(reply, service, asgi_request.receive, asgi_request.send, is_head=False)

    return endpoint
