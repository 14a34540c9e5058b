"""The pipeline of every request: authenticate the caller, reach the subject, decode, act, encode; ARCHITECTURE.md has
the details.

A caller without access learns nothing: 401 comes before 404, 404 before 403, and all of them before an error in the
body.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

import asyncpg
import msgspec

from atrium.audit import queries as audit
from atrium.keys.caller import NOBODY, Call, Caller, identify
from atrium.keys.tokens import checked_hash
from atrium.kit.errors import Conflict, Forbidden, InvalidRequest, Problem, Unauthenticated, Unavailable
from atrium.kit.http import idempotency
from atrium.kit.http.origin import require_same_origin
from atrium.kit.http.request import Request, decode_query
from atrium.kit.http.responses import (
    AfterCommit,
    EventStreamResponse,
    ReceivesBody,
    Response,
    StreamedResponse,
    WithHeaders,
)
from atrium.kit.http.route import Route
from atrium.kit.postgres.database import RETRYABLE, Connection, connection, is_partition_new, is_unavailable
from atrium.kit.text.types import UUID_TEXT, path_id
from atrium.permissions import READ_SCOPES, Subject
from atrium.routes.subjects import REACH
from atrium.server.asgi import Receive
from atrium.server.bodies import read_body
from atrium.server.body_limits import require_sender
from atrium.server.decoding import decoded_body
from atrium.server.service import Service
from atrium.server.streaming import EventStream, open_stream
from atrium.server.write_only import result_without_content

Deferred: TypeAlias = AfterCommit[Any] | ReceivesBody[Any] | EventStreamResponse[Any]
T = TypeVar("T")


async def respond(service: Service, route: Route, request: Request) -> Response | EventStream:
    """Return the response to a request. Raise a Problem if it fails; denied requests are recorded in the audit log."""
    try:
        try:
            if request.uses_cookie and not route.is_read_only:
                require_same_origin(request.headers, service.settings)
            if route.batched:
                return await _respond_batched(service, route, request)
            return await _respond_unbatched(service, route, request)
        except (Unauthenticated, Forbidden) as error:
            await _record_denial(service, route, request, error)
            raise
    except Exception as error:
        _raise_problem_of(error)
        raise


async def body_of(service: Service, route: Route, request: Request, receive: Receive) -> bytes:
    """Return the body of a request. Raise a Problem if it is too large or cut off, or large and from an unknown
    caller."""
    try:
        return await read_body(receive, request.headers, lambda: require_sender(service, route, request))
    except Unauthenticated as error:
        await _record_denial(service, route, request, error)
        raise


async def _respond_unbatched(service: Service, route: Route, request: Request) -> Response | EventStream:
    reply = await _in_transaction(service, route, lambda db: _respond_in(db, service, route, request))
    if isinstance(reply, AfterCommit):
        return _reply(route, await reply.produce(service.pool, service.clock))
    if isinstance(reply, ReceivesBody):
        return await _receive(service, route, request, reply)
    if isinstance(reply, EventStreamResponse):
        return await open_stream(service.hub, reply.subscription)
    return reply


async def _receive(service: Service, route: Route, request: Request, receiving: ReceivesBody[Any]) -> Response:
    """Receive the body, then authenticate the caller and reach the subject again: both may have changed meanwhile."""
    if request.stream is None:
        raise ValueError("a route that receives a body needs a stream")
    received = await receiving.receive(service.pool, request.stream)

    async def finish(db: Connection) -> Response:
        call = await _open_call(db, service, route, request)
        [subject] = (await _reach(call, route, _ids(request))).values()
        return _reply(route, await receiving.finish(call, subject, received))

    return await _in_transaction(service, route, finish)


async def _in_transaction(service: Service, route: Route, act: Callable[[Connection], Awaitable[T]]) -> T:
    async with connection(service.pool, writing=not route.is_read_only) as db:
        if service.replicas is not None and route.reads_replica:
            return await service.replicas.read(db, act)
        return await act(db)


def _raise_problem_of(error: Exception) -> None:
    """Raise Conflict or Unavailable for an error that another request, or the state of the database, caused."""
    if isinstance(error, RETRYABLE) or is_partition_new(error):
        raise Unavailable("The request conflicted with a concurrent one. Retry it.") from None
    if isinstance(error, asyncpg.IntegrityConstraintViolationError):
        raise Conflict("A concurrent request changed the same resource. Retry the request.") from error
    if is_unavailable(error):
        raise Unavailable from error


async def _record_denial(service: Service, route: Route, request: Request, error: Problem) -> None:
    try:
        key_hash = checked_hash(request.bearer)
    except Unauthenticated:
        return  # not a key of this server
    target = next((UUID(text) for text in request.path_parameters.values() if UUID_TEXT.fullmatch(text)), None)
    what = {"method": route.method, "path": route.path, "status": error.status, "code": error.code}
    is_invalid_key = error.status == Unauthenticated.status
    denial = (key_hash, route.handler, None if is_invalid_key else target, error.code)
    now = service.clock()
    if not service.denials.add(denial, now):
        return
    async with connection(service.pool, writing=True) as db:
        await db.execute(audit.LOCK_REFUSED, key_hash)
        await db.execute(
            audit.ADD_REFUSED,
            key_hash,
            now,
            request.address,
            request.request_id,
            route.permission.subject.name.lower(),
            target,
            msgspec.json.encode(what).decode(),
            is_invalid_key,
        )


async def _respond_batched(service: Service, route: Route, request: Request) -> Response:
    try:
        return Response(route.status, await route.handler(service.batches, request))
    except InvalidRequest:
        # 401, 404 and 403 come first, and say nothing about the error in the request.
        async with connection(service.pool, writing=False) as db:
            await _reach(await _open_call(db, service, route, request), route, _ids(request))
        raise


async def _respond_in(db: Connection, service: Service, route: Route, request: Request) -> Response | Deferred:
    call = await _open_call(db, service, route, request)
    ids = _ids(request)
    if route.is_exclusive:
        await db.execute(audit.LOCK_SUBJECT, _subject_id(call, request))
        # The key may have ended meanwhile. The new time keeps the audit log in the order in which they went on.
        call = await _open_call(db, service, route, request)
    arguments = await _reach(call, route, ids)
    if call.writing:
        call = replace(call, require_still_allowed=_still_allowed(call, service, route, request, arguments))
    key = _idempotency_key(call, route, request)
    if key:
        stored = await idempotency.claim(db, key, body_hash=request.body_hash, secret=request.bearer, now=call.now)
        await call.require_still_allowed()
        if stored:
            return Response(*stored)
    reply = await _act(call, route, request, {**ids, **arguments})
    if key and isinstance(reply, Response):
        await _store(db, route, key, reply, secret=request.bearer)
    return reply


def _still_allowed(
    call: Call, service: Service, route: Route, request: Request, subject: Mapping[str, Any]
) -> Callable[[], Awaitable[None]]:
    """Return a check for a request that waited for a lock: whether its caller may still make it, in the same role."""

    async def check() -> None:
        current = await _open_call(call.db, service, route, request)
        if _role(await _reach(current, route, _ids(request))) != _role(subject):
            raise Unavailable("Your role has just been changed. Retry the request.")

    return check


def _role(subject: Mapping[str, Any]) -> Any:
    """Return the caller's role in the subject, None for a subject without roles."""
    return next((getattr(each, "role", None) for each in subject.values()), None)


async def _store(
    db: Connection, route: Route, key: idempotency.IdempotencyKey, reply: Response, *, secret: str
) -> None:
    if route.shows_once:
        await idempotency.store_created(db, key, route.shows_once.created_resource(reply.body))
    else:
        await idempotency.store_response(db, key, idempotency.StoredResponse(reply.status, reply.body), secret=secret)


async def _act(call: Call, route: Route, request: Request, known: Mapping[str, Any]) -> Response | Deferred:
    arguments = {"call": call, "request": request, **known}
    if route.query is not None:
        arguments["query"] = decode_query(request.query_string, route.query)
    if route.body is not None:
        arguments["body"] = await decoded_body(route, request, lambda reader: _run_handler(reader, arguments))
    running = _run_handler(route, arguments)
    result = await (running if _may_read(call, route) else result_without_content(running, route, request))
    if isinstance(result, AfterCommit | ReceivesBody | EventStreamResponse | Response):
        return result
    return _reply(route, result)


def _may_read(call: Call, route: Route) -> bool:
    """Return whether the caller's key may read what the route writes."""
    scopes, needed = call.caller.scopes, READ_SCOPES.get(route.permission.scope)
    return scopes is None or needed is None or needed in scopes


async def _run_handler(route: Route, arguments: Mapping[str, Any]) -> Any:
    return await route.handler(**{name: arguments[name] for name in route.parameter_names})


def _reply(route: Route, result: Any) -> Response:
    if isinstance(result, StreamedResponse):
        return Response(result.status, b"", result.headers, result)
    value, headers = (result.value, result.headers) if isinstance(result, WithHeaders) else (result, ())
    if isinstance(result, WithHeaders) and result.raw_body is not None and route.alternative:
        return Response(route.status, result.raw_body, headers, media_type=route.alternative.media_type)
    return Response(route.status, b"" if value is None else msgspec.json.encode(value), headers)


async def _open_call(db: Connection, service: Service, route: Route, request: Request) -> Call:
    now = service.clock()
    caller = await _authenticate(db, service, route, request, now)
    return Call(
        db,
        caller,
        now,
        service.settings,
        service.outbound,
        service.storage,
        writing=not route.is_read_only,
        address=request.address,
        network=request.network,
        request_id=request.request_id,
        headers=request.headers,
        require_still_allowed=partial(_require_valid_key, db, service, route, request),
    )


async def _require_valid_key(db: Connection, service: Service, route: Route, request: Request) -> None:
    await _authenticate(db, service, route, request, service.clock())


async def _authenticate(db: Connection, service: Service, route: Route, request: Request, now: datetime) -> Caller:
    """Return the caller. If the route needs none, a key must still be valid, but an expired session is ignored."""
    by_key = route.permission.subject is not Subject.ANYONE or b"authorization" in request.headers
    if not by_key and not request.uses_cookie:
        return NOBODY
    try:
        caller = await identify(
            db, checked_hash(request.bearer), now, scope=route.permission.scope, address=request.address
        )
    except Unauthenticated:
        if by_key:
            raise
        return NOBODY
    service.uses.record(caller.api_key_id)
    return caller


async def _reach(call: Call, route: Route, ids: Mapping[str, Any]) -> dict[str, Any]:
    """Return the subject of the request, if it has one, keyed by the name of the handler's parameter."""
    permission = route.permission
    if permission.subject in (Subject.ANYONE, Subject.ACTOR):
        return {}
    subject = REACH[permission.subject]
    return {subject.name: await subject.reach(call, *(ids[name] for name in subject.ids), permission)}


def _ids(request: Request) -> dict[str, Any]:
    return {name: path_id(text) if name.endswith("_id") else text for name, text in request.path_parameters.items()}


def _idempotency_key(call: Call, route: Route, request: Request) -> idempotency.IdempotencyKey | None:
    key = request.idempotency_key if route.method == "POST" else None
    if key is None or call.caller is NOBODY or not route.is_repeatable:
        return None
    return idempotency.IdempotencyKey(_subject_id(call, request), call.caller.actor_id, route.handler.__name__, key)


def _subject_id(call: Call, request: Request) -> UUID:
    """Return the last id in the path, or that of the caller."""
    named = [text for text in request.path_parameters.values() if UUID_TEXT.fullmatch(text)]
    return UUID(named[-1]) if named else call.caller.actor_id
