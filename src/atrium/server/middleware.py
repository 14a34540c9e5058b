"""The outermost layer of the server: request ids, rate limits, the headers of every response, and error rendering."""

import itertools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from time import perf_counter
from typing import Any

import structlog

from atrium.incoming.api import PATH as INCOMING
from atrium.keys.tokens import checked_hash, hash_of
from atrium.keys.uses import Kind
from atrium.kit.errors import (
    InternalError,
    MethodNotAllowed,
    NotFound,
    Problem,
    RateLimited,
    Unauthenticated,
    Unavailable,
)
from atrium.kit.http.peer import FORWARDED_FOR, Networks, client_address, client_network, joined
from atrium.kit.http.request import Request, host_cookies, token_of
from atrium.kit.http.request_context import REQUEST_CONTEXT, RequestContext
from atrium.kit.metrics import IN_FLIGHT, RATE_LIMITED
from atrium.kit.process.failures import log_unavailable
from atrium.kit.settings import Settings
from atrium.operations.instrumentation import PROBES
from atrium.permissions import ANY_SCOPE
from atrium.routes import ROUTES
from atrium.server.asgi import Receive, Scope, Send, run_lifespan
from atrium.server.dialects import dialect_of
from atrium.server.rate_limit import RateLimit, RateLimitState
from atrium.server.responses import Header, encode, send_complete
from atrium.server.router import AsgiRequest, Router, normalize
from atrium.server.service import Service

log = structlog.get_logger()
NOSNIFF = (b"x-content-type-options", b"nosniff")
NO_STORE = (b"cache-control", b"private, no-store")  # unless the response has another, as media does
API_PATHS = ("/v1/", "/v2/", "/scim/")
ANY_ORIGIN = "*"
EXPOSED_HEADERS = (
    b"access-control-expose-headers",
    b"X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, Location, "
    b"Content-Range, Tus-Resumable, Tus-Version, Upload-Offset, Upload-Length, Upload-Expires",
)
PREFLIGHT = (
    (b"access-control-allow-methods", b"GET, HEAD, POST, PUT, PATCH, DELETE"),
    (b"access-control-allow-headers", b"Authorization, Content-Type, Idempotency-Key, Last-Event-ID, If-Match, "
     b"If-None-Match, Range, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset"),
    (b"access-control-max-age", b"600"),
)  # fmt: skip


class Middleware:
    """The ASGI application: the steps around the endpoint that `router` finds for a request.

    It has a `service` while `lifespan` is entered.
    """

    service: Service

    def __init__(self, router: Router, serving: Callable[[], AbstractAsyncContextManager[Service]]) -> None:
        self.router, self._serving = router, serving
        self._prefix, self._count = secrets.token_hex(6), itertools.count(1)

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Serve from the start of the HTTP server until its end."""
        async with self._serving() as self.service:
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        if scope["type"] == "lifespan":
            return await run_lifespan(self.lifespan(), receive, send)
        service, request_id = self.service, f"{self._prefix}{next(self._count):012x}"
        context = RequestContext(request_id, perf_counter(), client=_client(scope))
        outer = REQUEST_CONTEXT.set(context)
        IN_FLIGHT.inc()
        try:
            await self._respond(context, scope, receive, send)
        finally:
            if not context.has_response:
                _count_use(service, context, scope["method"])
            IN_FLIGHT.dec()
            service.instrumentation.record(context, scope)
            if context.status == 401 and context.key_hash is not None:
                service.rate_buckets.evict(context.key_hash)
            REQUEST_CONTEXT.reset(outer)
        return None

    async def _respond(self, context: RequestContext, scope: Scope, receive: Receive, send: Send) -> None:
        service, path, is_head = self.service, scope["path"], scope["method"] == "HEAD"
        headers = [(b"x-request-id", context.request_id.encode()), *_cors_headers(service.settings, scope)]

        def begin(status: int) -> None:
            context.begin_response(status)
            _count_use(service, context, scope["method"])

        send = _with_headers(send, headers, begin, path)
        try:
            request_headers = _request_headers(scope, service.settings)
            if service.limit is not None and (key_hash := _rate_limit_key(path, request_headers)) is not None:
                context.key_hash = key_hash
                await self._take(service.limit, key_hash, context, scope, headers)
            endpoint, context.route, parameters = self.router.find(scope["method"], path)
            request = _request(context, scope, parameters, request_headers, service.settings.trusted_proxies)
            await endpoint(service, AsgiRequest(request, receive, send, is_head))
        except Exception as error:
            if isinstance(error, RateLimited):
                RATE_LIMITED.inc()
            problem = _as_problem(error, context.request_id)
            if context.has_response:  # the HTTP server cuts it off, so that the client sees that it is not complete
                context.status = problem.status
            else:
                await _send_problem(send, path, problem, context.request_id, is_head=is_head)

    async def _take(
        self, limit: RateLimit, key_hash: bytes, context: RequestContext, scope: Scope, headers: list[Header]
    ) -> None:
        """Take the request from its bucket. Raise RateLimited, and note the key and the route for its usage."""
        bucket = await self.service.rate_buckets.find(key_hash)
        try:
            _apply_rate_limit(limit, bucket.name, headers)
        except RateLimited:
            context.api_key_id = bucket.api_key_id
            with suppress(NotFound, MethodNotAllowed):
                context.route = self.router.find(scope["method"], scope["path"]).template
            raise


def _client(scope: Scope) -> tuple[str, int] | None:
    """Return the address and port of the client; the HTTP server gives the port as text."""
    client = scope.get("client")
    return (client[0], int(client[1])) if client else None


def _request(
    context: RequestContext,
    scope: Scope,
    parameters: Mapping[str, str],
    headers: Mapping[bytes, bytes],
    trusted: Networks,
) -> Request:
    """Return a request for the pipeline, without its body."""
    peer = context.client[0] if context.client else None
    context.address = client_address(peer, joined(scope["headers"], FORWARDED_FOR), trusted)
    network = client_network(context.address, peer)
    return Request(parameters, scope["query_string"], headers, b"", context.address, context.request_id, network)


def _request_headers(scope: Scope, settings: Settings) -> dict[bytes, bytes]:
    """Return the headers; over https, without the cookies that another host of the domain could have set."""
    request_headers = dict(scope["headers"])
    if b"cookie" in request_headers and settings.is_https:
        request_headers[b"cookie"] = host_cookies(request_headers[b"cookie"])
    return request_headers


def _rate_limit_key(path: str, request_headers: Mapping[bytes, bytes]) -> bytes | None:
    """Return the hash of the key that the rate limit counts a request for, None without a key.

    It is the key in an incoming webhook's URL, or the caller's. Extra slashes in the path make no difference, as in the
    router.
    """
    if path.endswith("/") or "//" in path:
        path = normalize(path)
    if path.startswith(INCOMING):
        return hash_of(path.removeprefix(INCOMING))
    if (b"authorization" not in request_headers and b"cookie" not in request_headers) or path in PROBES:
        return None
    try:
        return checked_hash(token_of(request_headers))
    except Unauthenticated:
        return None  # the pipeline raises Unauthenticated if the route needs a key


def _apply_rate_limit(limit: RateLimit, bucket: bytes, headers: list[Header]) -> None:
    """Take the request from a bucket. Raise RateLimited."""
    state: RateLimitState = limit.take(bucket)
    headers.append((b"ratelimit-policy", limit.policy))
    headers.append((b"ratelimit", b'"key";r=%d;t=%d' % (state.remaining, state.reset)))
    if not state.allowed:
        headers.append((b"retry-after", b"%d" % state.reset))
        raise RateLimited


def _as_problem(error: Exception, request_id: str) -> Problem:
    """Return an error as a Problem. Any other exception is logged as an error of the server, and why something is not
    available, once a minute.

    The Problem has no traceback: its frames would refer to it again, and keep the request's connection open until the
    garbage collector finds them.
    """
    if isinstance(error, Problem):
        if isinstance(error, Unavailable) and error.__cause__ is not None:
            log_unavailable("requests are answered 503", error.__cause__, code=error.code)
        return error.with_traceback(None)
    log.error("request failed", request_id=request_id, exc_info=error)
    return InternalError("The server encountered an error. Its log has details for this request id.")


async def _send_problem(send: Send, path: str, problem: Problem, request_id: str, *, is_head: bool) -> None:
    dialect = dialect_of(path)
    body = dialect.render(problem, request_id)
    await send_complete(
        send, problem.status, dialect.error_type.encode(), body, encode(problem.headers), is_head=is_head
    )


def _with_headers(send: Send, headers: list[Header], begin: Callable[[int], None], path: str) -> Send:
    """Return a `send` that adds `headers` and missing defaults to the response, and calls `begin` with its status."""
    defaults = (NOSNIFF, NO_STORE) if path.startswith(API_PATHS) else (NOSNIFF,)

    def sending(message: Any) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            begin(message["status"])
            own = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *headers, *(each for each in defaults if each[0] not in own)]
        return send(message)

    return sending


def _cors_headers(settings: Settings, scope: Scope) -> list[Header]:
    """Return the headers that allow the origin of a request to read the response, if it may: with keys, never with
    cookies, because `Access-Control-Allow-Credentials` is never sent."""
    allowed = settings.cors_origins
    if not allowed:
        return []
    found = dict(scope["headers"])
    origin = found.get(b"origin", b"").decode("latin-1")
    if not origin or (origin not in allowed and ANY_ORIGIN not in allowed):
        return [(b"vary", b"Origin")]
    headers = [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"Origin"), EXPOSED_HEADERS]
    if scope["method"] == "OPTIONS" and b"access-control-request-method" in found:
        headers += PREFLIGHT
    return headers


def _needed(scope: str | None) -> tuple[str, ...]:
    return () if scope == ANY_SCOPE else ("*" if scope is None else scope,)


_KINDS = {
    (method, route.path): Kind(route.method, route.path, _needed(route.permission.scope))
    for route in ROUTES
    for method in (("GET", "HEAD") if route.method == "GET" else (route.method,))
}


def _count_use(service: Service, context: RequestContext, method: str) -> None:
    """Count a request for the usage of its key, which the key's manager sees, when its response begins: unless its key
    is unknown or its path is not of the API."""
    if context.api_key_id is None:
        return
    kind = _KINDS.get((method, context.route))
    if kind is None:
        return
    if context.scopes:  # those that the content of the request needed, too
        kind = kind._replace(scopes=(*kind.scopes, *sorted(context.scopes - {*kind.scopes})))
    service.use_counts.count(context.api_key_id, kind, context.status, context.address)
