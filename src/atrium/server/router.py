"""The router, a tree of path segments that finds the endpoint of a request, and the endpoints: a route of the API, a
page, and OPTIONS of any path.

It serves every path, including those of the hot requests. A path without parameters comes before one with parameters,
a literal segment before a parameter, and extra slashes make no difference. HEAD finds the endpoint of GET.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from atrium.kit.errors import CLOSE, MethodNotAllowed, NotFound, Problem
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Headers, Response
from atrium.kit.http.route import Route
from atrium.kit.process.deferred import import_in_thread
from atrium.routes.subjects import REACH
from atrium.server.asgi import Receive, Send
from atrium.server.bodies import streamed_body
from atrium.server.dialects import dialect_of
from atrium.server.pipeline import body_of, respond
from atrium.server.responses import JSON, send_complete, send_reply
from atrium.server.service import Service
from atrium.server.streaming import EventStream

CACHE_SIZE, MAX_CACHED_LENGTH = 1 << 12, 200  # paths, and characters; the same rooms are requested again and again
REST = "...}"  # ends a last segment such as `{path...}`, which takes all segments that are left
PARAMETERS = frozenset(
    {"call", "request", "query", "body"}
)  # of a handler, besides the subject and the ids in its path


class AsgiRequest(NamedTuple):
    """A request without its body, with the ASGI `receive` and `send`."""

    request: Request
    receive: Receive
    send: Send
    is_head: bool


Endpoint: TypeAlias = Callable[[Service, AsgiRequest], Awaitable[None]]
PageHandler: TypeAlias = Callable[[Request], Awaitable[Response]]
PageHandlers: TypeAlias = Mapping[str, PageHandler]


class Match(NamedTuple):
    """The endpoint for a request, the path that it was added with, and the parameters in the request's path."""

    endpoint: Endpoint
    template: str
    parameters: Mapping[str, str]


class _Node:
    """A segment: what may follow it, and the endpoints by method of the path that ends with it."""

    __slots__ = ("endpoints", "literals", "parameter", "takes_rest")

    def __init__(self, *, takes_rest: bool = False) -> None:
        self.literals: dict[str, _Node] = {}
        self.parameter: _Node | None = None
        self.takes_rest = takes_rest
        self.endpoints: dict[str, tuple[Endpoint, str, tuple[str, ...]]] = {}

    def child(self, segment: str) -> "_Node":
        """Return the node of a following segment, which is added if needed."""
        if not segment.startswith("{"):
            return self.literals.setdefault(segment, _Node())
        if self.parameter is None:
            self.parameter = _Node(takes_rest=segment.endswith(REST))
        return self.parameter


class Router:
    """Endpoints by method and path."""

    def __init__(self) -> None:
        self._root = _Node()
        self._plain: dict[str, _Node] = {}
        self._find_cached = lru_cache(CACHE_SIZE)(self._find)

    def add(self, method: str, path: str, endpoint: Endpoint) -> None:
        """Add an endpoint. `path` may have parameters: `/v2/rooms/{room_id}`."""
        node, names = self._root, []
        if "{" not in path:
            node = self._plain.setdefault(path, _Node())
        else:
            for segment in _segments(path):
                node = node.child(segment)
                if segment.startswith("{"):
                    names.append(segment.strip("{}."))
        node.endpoints[method] = (endpoint, path.replace(REST, "}"), tuple(names))

    def find(self, method: str, path: str) -> Match:
        """Return the endpoint of a request. Raise NotFound, MethodNotAllowed."""
        return (self._find_cached if len(path) <= MAX_CACHED_LENGTH else self._find)(method, path)

    def _find(self, method: str, path: str) -> Match:
        node, values = self._locate(path)
        if method == "HEAD" and method not in node.endpoints:
            method = "GET"
        if method not in node.endpoints:
            error = MethodNotAllowed()
            error.headers += (("allow", ", ".join(node.endpoints)),)
            raise error
        endpoint, template, names = node.endpoints[method]
        return Match(endpoint, template, dict(zip(names, values, strict=True)))

    def _locate(self, path: str) -> tuple[_Node, list[str]]:
        if path.endswith("/") or "//" in path:
            path = normalize(path)
        if path in self._plain:
            return self._plain[path], []
        node, values = self._root, list[str]()
        segments = path.split("/")[1:]
        for nr, segment in enumerate(segments):
            following = node.literals.get(segment)
            if following is None:
                following = node.parameter
                if following is None:
                    raise NotFound
                values.append("/" + "/".join(segments[nr:]) if following.takes_rest else segment)
            node = following
            if node.takes_rest:
                break
        if not node.endpoints:
            raise NotFound
        return node, values


def normalize(path: str) -> str:
    """Return a path with one slash before each segment and none at its end."""
    return "/" + "/".join(_segments(path))


def _segments(path: str) -> list[str]:
    return [segment for segment in path.split("/") if segment]


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
    reach = REACH.get(route.permission.subject)
    subject = {reach.name} if reach else set()
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
