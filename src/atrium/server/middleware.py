"""The outermost layer of the server: request ids, rate limits, one rendering of errors, and the short way of the
batched routes and the streams.

A batched route is answered here, ahead of the router, because the way through the router was measured to cost more
than the whole answer (see docs/decisions/0004-front.md), and a stream, because whatever stands around it stays for as
long as it does; every route stands in the router too.
"""

import itertools
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from time import perf_counter
from typing import Any

import structlog
from litestar.utils import normalize_path

from atrium.incoming.api import PATH as INCOMING
from atrium.keys.tokens import checked_hash, hash_of
from atrium.kit.answers import Binary, Reply
from atrium.kit.errors import InternalError, Problem, RateLimited, Unauthenticated
from atrium.kit.headers import bearer_of, host_cookies
from atrium.kit.rate_limit import RateLimit, Spent
from atrium.kit.request_context import REQUEST_CONTEXT, RequestContext
from atrium.kit.settings import Settings
from atrium.kit.web import Incoming, Route
from atrium.operations.instrumentation import PROBES
from atrium.server.cors import cors_headers
from atrium.server.dialects import dialect_of
from atrium.server.head import as_get
from atrium.server.pipeline import answer, body_of
from atrium.server.service import Service
from atrium.server.streaming import EventStream

log = structlog.get_logger()
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Header = tuple[bytes, bytes]
Headers = list[Header]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

REQUEST_ID = "atrium.request_id"
JSON = b"application/json"
NOSNIFF = (b"x-content-type-options", b"nosniff")
NO_STORE = (b"cache-control", b"private, no-store")  # of answers that say no otherwise, as media does
API_PATHS = ("/v1/", "/v2/", "/scim/")
BENCH_PATH = "/bench/ceiling"
BENCH_BODY = b'{"messages":"' + b"x" * (16 * 1024 - 15) + b'"}'


class Middleware:
    """An ASGI application around the router."""

    def __init__(self, router: App, routes: Sequence[Route], service: Callable[[], Service]) -> None:
        self.router, self._service = router, service
        self._short: dict[str, list[tuple[Route, re.Pattern[str]]]] = {}
        for route in routes:
            if route.batched or route.is_server_sent:
                self._short.setdefault(route.method, []).append((route, _pattern(route.path)))
        self._own_heads = [_pattern(route.path) for route in routes if route.streamed is Binary]
        self._prefix, self._count = secrets.token_hex(6), itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] != "http":
            return await self.router(scope, receive, send)
        service, request_id = self._service(), f"{self._prefix}{next(self._count):012x}"
        context = RequestContext(request_id, perf_counter(), client=_client(scope))
        scope[REQUEST_ID], outer = request_id, REQUEST_CONTEXT.set(context)
        service.instrumentation.counters.in_flight += 1
        service.connections.begin(context)
        try:
            await self._answer(context, scope, receive, send)
        finally:
            service.connections.end(context)
            service.instrumentation.counters.in_flight -= 1
            service.instrumentation.record(context, scope)
            if context.status == 401 and context.key_hash is not None:
                service.buckets.forget(context.key_hash)
            REQUEST_CONTEXT.reset(outer)
        return None

    async def _answer(self, context: RequestContext, scope: Scope, receive: Receive, send: Send) -> None:
        service = self._service()
        headers: Headers = [(b"x-request-id", context.request_id.encode()), *cors_headers(service.settings, scope)]
        send = _with_headers(send, headers, context, scope["path"])
        if scope["method"] == "HEAD":
            scope, receive, send = self._without_head(scope, receive, send)
        try:
            sent = _sent(scope, service.settings)
            if service.limit is not None and (key_hash := _counted_by(scope["path"], sent)) is not None:
                context.key_hash = key_hash
                _take_from_limit(service.limit, await service.buckets.find(key_hash), headers)
            if short := self._short_way(scope["method"], scope["path"]):
                context.route = short[0].path
                reply = await _reply(service, short[0], incoming(scope, short[1], sent), receive)
                if isinstance(reply, EventStream):
                    await reply(scope, receive, send)
                else:
                    await _send(send, reply.status, JSON, reply.body)
            elif service.settings.bench and scope["path"] == BENCH_PATH:
                await _send(send, 200, JSON, BENCH_BODY)
            else:
                await self.router(scope, receive, send)
        except Exception as error:
            service.instrumentation.counters.rate_limited += isinstance(error, RateLimited)
            await _send_problem(send, scope, as_problem(error, context.request_id))

    def _without_head(self, scope: Scope, receive: Receive, send: Send) -> tuple[Scope, Receive, Send]:
        """A GET in place of a HEAD, but where the route answers HEAD itself."""
        if any(own.fullmatch(scope["path"]) for own in self._own_heads):
            return scope, receive, send
        return as_get(scope, send)

    def _short_way(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """The batched route or the stream that a request is for, with the ids in its path."""
        for route, pattern in self._short.get(method, ()):
            if found := pattern.fullmatch(path):
                return route, found.groupdict()
        return None


def _client(scope: Scope) -> tuple[str, int] | None:
    """The other end of the connection; the HTTP server gives its port as text."""
    client = scope.get("client")
    return (client[0], int(client[1])) if client else None


async def _reply(service: Service, route: Route, request: Incoming, receive: Receive) -> Reply | EventStream:
    """The answer of a batched route, or the stream that it opens."""
    if route.method != "GET":
        request = request._replace(body=await body_of(service, route, request, receive))
    return await answer(service, route, request)


def incoming(scope: Scope, path: Mapping[str, str], headers: Mapping[bytes, bytes]) -> Incoming:
    """A request as the pipeline takes it, without its body."""
    peer = scope["client"][0] if scope.get("client") else None
    return Incoming(path, scope["query_string"], headers, b"", peer, scope[REQUEST_ID])


def _sent(scope: Scope, settings: Settings) -> dict[bytes, bytes]:
    """The headers, over https without the cookies that another host of the domain could have set."""
    sent = dict(scope["headers"])
    if b"cookie" in sent and settings.is_https:
        sent[b"cookie"] = host_cookies(sent[b"cookie"])
        scope["headers"] = list(sent.items())
    return sent


def _counted_by(path: str, sent: Mapping[bytes, bytes]) -> bytes | None:
    """The key that a request is counted by: that of an incoming webhook's URL, else the bearer's; None for no key.

    The path is read as the router reads it, to which slashes more or less are the same URL.
    """
    if path.endswith("/") or "//" in path:
        path = normalize_path(path)
    if path.startswith(INCOMING):
        return hash_of(path.removeprefix(INCOMING))
    if (b"authorization" not in sent and b"cookie" not in sent) or path in PROBES:
        return None
    try:
        return checked_hash(bearer_of(sent))
    except Unauthenticated:
        return None  # no key of ours: whoever asks for one refuses it


def _take_from_limit(limit: RateLimit, bucket: bytes, headers: Headers) -> None:
    """Count the request against a bucket. Raises RateLimited."""
    spent: Spent = limit.spend(bucket)
    headers.append((b"ratelimit-policy", limit.policy))
    headers.append((b"ratelimit", b'"key";r=%d;t=%d' % (spent.remaining, spent.reset)))
    if not spent.allowed:
        headers.append((b"retry-after", b"%d" % spent.reset))
        raise RateLimited


def as_problem(error: Exception, request_id: str) -> Problem:
    """The problem that an exception is to the caller; what is not one is logged as a fault of ours."""
    if isinstance(error, Problem):
        return error
    log.error("request failed", request_id=request_id, exc_info=error)
    return InternalError("The server failed to answer; its log has the details under this request id.")


async def _send_problem(send: Send, scope: Scope, problem: Problem) -> None:
    dialect = dialect_of(scope["path"])
    own = [(name.encode(), value.encode()) for name, value in problem.headers]
    body = dialect.render(problem, scope[REQUEST_ID])
    await _send(send, problem.status, dialect.error_type.encode(), body, own)


async def _send(send: Send, status: int, media_type: bytes, body: bytes, headers: Sequence[Header] = ()) -> None:
    headers = [(b"content-type", media_type), (b"content-length", b"%d" % len(body)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _with_headers(send: Send, headers: Headers, context: RequestContext, path: str) -> Send:
    """`send` that adds the headers of every answer and the defaults that it lacks, and notes when it begins."""
    defaults = (NOSNIFF, NO_STORE) if path.startswith(API_PATHS) else (NOSNIFF,)

    def sending(message: Any) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            context.begin_response(message["status"])
            own = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *headers, *(each for each in defaults if each[0] not in own)]
        return send(message)

    return sending


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path))
