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
from typing import Any

import msgspec
import structlog

from atrium.keys.tokens import checked_hash
from atrium.kit.errors import PROBLEM_JSON, InternalError, Problem, RateLimited, TooLarge, Unauthenticated
from atrium.kit.headers import bearer_of
from atrium.kit.rate_limit import RateLimit, Spent
from atrium.kit.web import MAX_BODY, Incoming, Route
from atrium.server.boundary import answer
from atrium.server.service import Service
from atrium.server.streaming import EventStream

log = structlog.get_logger()
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

REQUEST_ID = "atrium.request_id"
JSON = b"application/json"
BENCH_PATH = "/bench/ceiling"
BENCH_BODY = b'{"messages":"' + b"x" * (16 * 1024 - 15) + b'"}'


class Front:
    """An ASGI application around the router."""

    def __init__(self, router: App, routes: Sequence[Route], service: Callable[[], Service]) -> None:
        self.router, self._service = router, service
        self._short: dict[str, list[tuple[Route, re.Pattern[str]]]] = {}
        for route in routes:
            if route.batched or route.is_server_sent:
                self._short.setdefault(route.method, []).append((route, _pattern(route.path)))
        self._prefix, self._count = secrets.token_hex(6), itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] != "http":
            return await self.router(scope, receive, send)
        request_id = scope[REQUEST_ID] = f"{self._prefix}{next(self._count):012x}"
        headers: Headers = [(b"x-request-id", request_id.encode())]
        try:
            service, sent = self._service(), dict(scope["headers"])
            if service.limit is not None and (b"authorization" in sent or b"cookie" in sent):
                _take_from_limit(service.limit, sent, headers)
            if short := self._short_way(scope["method"], scope["path"]):
                body = b"" if scope["method"] == "GET" else await read_body(receive)
                reply = await answer(service, short[0], incoming(scope, short[1], sent, body))
                if isinstance(reply, EventStream):
                    await reply(scope, receive, _with_headers(send, headers))
                else:
                    await _send(send, reply.status, JSON, reply.body, headers)
            elif service.settings.bench and scope["path"] == BENCH_PATH:
                await _send(send, 200, JSON, BENCH_BODY, headers)
            else:
                await self.router(scope, receive, _with_headers(send, headers))
        except Exception as error:
            await send_problem(send, as_problem(error, request_id), request_id, headers)
        return None

    def _short_way(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """The batched route or the stream that a request is for, with the ids in its path."""
        for route, pattern in self._short.get(method, ()):
            if found := pattern.fullmatch(path):
                return route, found.groupdict()
        return None


def incoming(scope: Scope, path: Mapping[str, str], headers: Mapping[bytes, bytes], body: bytes) -> Incoming:
    """A request as the boundary takes it."""
    peer = scope["client"][0] if scope.get("client") else None
    return Incoming(path, scope["query_string"], headers, body, peer, scope[REQUEST_ID])


def _take_from_limit(limit: RateLimit, sent: Mapping[bytes, bytes], headers: Headers) -> None:
    """Count the request against its key. Raises RateLimited."""
    try:
        key_hash = checked_hash(bearer_of(sent))
    except Unauthenticated:
        return  # no key of ours: whoever asks for one refuses it
    spent: Spent = limit.spend(key_hash)
    headers.append((b"ratelimit-policy", limit.policy))
    headers.append((b"ratelimit", b'"key";r=%d;t=%d' % (spent.remaining, spent.reset)))
    if not spent.allowed:
        headers.append((b"retry-after", b"%d" % spent.reset))
        raise RateLimited


async def read_body(receive: Receive) -> bytes:
    """The whole body. Raises TooLarge above 1 MiB, without reading on."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if sum(map(len, parts)) > MAX_BODY:
            raise TooLarge
        if not message.get("more_body"):
            return b"".join(parts)


def as_problem(error: Exception, request_id: str) -> Problem:
    """The problem that an exception is to the caller; what is not one is logged as a fault of ours."""
    if isinstance(error, Problem):
        return error
    log.error("request failed", request_id=request_id, exc_info=error)
    return InternalError("The server failed to answer; its log has the details under this request id.")


def problem_body(problem: Problem, request_id: str) -> bytes:
    """The RFC 9457 body of a problem."""
    return msgspec.json.encode(problem.details(request_id))


async def send_problem(send: Send, problem: Problem, request_id: str, headers: Headers) -> None:
    """Answer with an RFC 9457 body."""
    body = problem_body(problem, request_id)
    own = [(name.encode(), value.encode()) for name, value in problem.headers]
    await _send(send, problem.status, PROBLEM_JSON.encode(), body, headers + own)


async def _send(send: Send, status: int, media_type: bytes, body: bytes, headers: Headers) -> None:
    headers = [(b"content-type", media_type), (b"content-length", b"%d" % len(body)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _with_headers(send: Send, headers: Headers) -> Send:
    async def wrapped(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *headers]}
        await send(message)

    return wrapped


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path))
