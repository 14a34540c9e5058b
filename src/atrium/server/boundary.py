"""The boundary of every request: identify, reach, decode, act, encode; one transaction; the same order everywhere.

A stranger learns nothing: 401 comes before 404, 404 before 403, and both before any word on the body.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import asyncpg
import msgspec

from atrium.audit import queries as audit
from atrium.blocks.actions import reach_block
from atrium.keys.caller import NOBODY, Call, Caller, identify, require_person
from atrium.keys.tokens import checked_hash
from atrium.kit import idempotency
from atrium.kit.database import IN_THE_WAY, Connection, connection
from atrium.kit.errors import Conflict, Forbidden, InvalidRequest, Problem, Unauthenticated, Unavailable
from atrium.kit.headers import Headers
from atrium.kit.origin import require_same_origin
from atrium.kit.peer import client_address
from atrium.kit.texts import UUID_TEXT, uuid_parameter
from atrium.kit.web import Afterwards, Answer, Incoming, Route, ServerSent, Streamed, decode_body, decode_query
from atrium.messages.actions import reach_message
from atrium.organizations.reach import reach_organization
from atrium.permissions import Subject
from atrium.rooms.reach import reach_room
from atrium.server.service import Service
from atrium.server.streaming import EventStream, open_stream
from atrium.spaces.reach import reach_space


class Reply(NamedTuple):
    """A successful answer: its status and its JSON, or what it is streamed from."""

    status: int
    body: bytes
    streamed: Streamed[Any] | None = None
    headers: Headers = ()


Outcome: TypeAlias = Reply | Afterwards[Any] | ServerSent[Any]


async def answer(service: Service, route: Route, request: Incoming) -> Reply | EventStream:
    """Answer a request. Raises a Problem where it is refused; what lacked a right is told to the audit trail."""
    try:
        if route.method != "GET" and request.is_by_cookie:
            require_same_origin(request.headers, service.settings)
        if route.batched:
            return await _answer_batched(service, route, request)
        return await _answer_alone(service, route, request)
    except (Unauthenticated, Forbidden) as refused:
        await _note_refusal(service, route, request, refused)
        raise


async def _answer_alone(service: Service, route: Route, request: Incoming) -> Reply | EventStream:
    try:
        async with connection(service.pool, writing=route.method != "GET") as db:
            reply = await _answer_in(db, service, route, request)
        if isinstance(reply, Afterwards):
            return _encoded(route, await reply.get(service.pool, service.clock))
    except asyncpg.IntegrityConstraintViolationError as error:
        raise Conflict("Another request changed the same thing at the same time; try again.") from error
    except IN_THE_WAY as error:
        raise Unavailable("Another request was in the way; try again.") from error
    if isinstance(reply, ServerSent):
        return await open_stream(service.hub, reply.wanted)
    return reply


async def _note_refusal(service: Service, route: Route, request: Incoming, refused: Problem) -> None:
    try:
        key_hash = checked_hash(request.bearer)
    except Unauthenticated:
        return  # nobody's key
    target = next((UUID(text) for text in request.path.values() if UUID_TEXT.fullmatch(text)), None)
    what = {"method": route.method, "path": route.path, "status": refused.status, "code": refused.code}
    async with connection(service.pool, writing=True) as db:
        await db.execute(
            audit.ADD_REFUSED, key_hash, service.clock(), _address(service, request), request.request_id,
            route.permission.subject.name.lower(), target, msgspec.json.encode(what).decode(),
        )  # fmt: skip


def _address(service: Service, request: Incoming) -> str | None:
    return client_address(request.peer, request.headers.get(b"x-forwarded-for"), service.settings.trusted_proxies)


async def _answer_batched(service: Service, route: Route, request: Incoming) -> Reply:
    try:
        return Reply(route.status, await route.handler(service.batches, request))
    except InvalidRequest:
        # Whoever may not be here learns that first, and nothing of what is wrong with the request.
        async with connection(service.pool, writing=False) as db:
            await _reach(await _call(db, service, route, request), route, _ids(request))
        raise


async def _answer_in(db: Connection, service: Service, route: Route, request: Incoming) -> Outcome:
    call = await _call(db, service, route, request)
    ids = _ids(request)
    arguments = await _reach(call, route, ids)
    claim = _claim(call, route, request, ids)
    if claim:
        secret, key = request.bearer, request.body_hash
        seen = await idempotency.claim(db, claim, body_hash=key, secret=secret, now=call.now)
        if seen:
            return Reply(*seen)
    reply = await _act(call, route, request, {**ids, **arguments})
    if claim and isinstance(reply, Reply):
        await idempotency.remember(db, claim, idempotency.Answer(reply.status, reply.body), secret=request.bearer)
    return reply


async def _act(call: Call, route: Route, request: Incoming, known: Mapping[str, Any]) -> Outcome:
    arguments = {"call": call, "request": request, **known}
    if route.query is not None:
        arguments["query"] = decode_query(request.query_string, route.query)
    if route.body is not None:
        arguments["body"] = decode_body(request.body, route.body)
    result = await route.handler(**{name: arguments[name] for name in route.parameter_names})
    if isinstance(result, Afterwards | ServerSent):
        return result
    return _encoded(route, result)


def _encoded(route: Route, result: Any) -> Reply:
    if isinstance(result, Answer):
        return _encoded(route, result.content)._replace(headers=result.headers)
    if isinstance(result, Streamed):
        return Reply(route.status, b"", result)
    return Reply(route.status, b"" if result is None else msgspec.json.encode(result))


async def _call(db: Connection, service: Service, route: Route, request: Incoming) -> Call:
    now = service.clock()
    caller = await _caller(db, service, route, request, now)
    return Call(
        db, caller, now, service.settings, service.outbound, writing=route.method != "GET",
        address=_address(service, request), request_id=request.request_id, headers=request.headers,
    )  # fmt: skip


async def _caller(db: Connection, service: Service, route: Route, request: Incoming, now: datetime) -> Caller:
    """Who calls. Where nobody has to, whoever sends a key is held to it, but a cookie that is stale is no key."""
    by_key = route.permission.subject is not Subject.ANYONE or b"authorization" in request.headers
    if not by_key and not request.is_by_cookie:
        return NOBODY
    try:
        caller = await identify(db, checked_hash(request.bearer), now)
    except Unauthenticated:
        if by_key:
            raise
        return NOBODY
    service.uses.note(caller.api_key_id)
    return caller


async def _reach(call: Call, route: Route, ids: Mapping[str, Any]) -> dict[str, Any]:
    """The subject of the request under the name that handlers know it by."""
    permission = route.permission
    match permission.subject:
        case Subject.PERSON:
            require_person(call.caller)
        case Subject.ORGANIZATION:
            return {"organization": await reach_organization(call, ids["organization_id"], permission)}
        case Subject.SPACE:
            return {"space": await reach_space(call, ids["space_id"], permission)}
        case Subject.ROOM:
            return {"room": await reach_room(call, ids["room_id"], permission)}
        case Subject.MESSAGE:
            return {"message": await reach_message(call, ids["room_id"], ids["message_id"], permission)}
        case Subject.BLOCK:
            return {"block": await reach_block(call, ids["block_id"], permission)}
    return {}


def _ids(request: Incoming) -> dict[str, Any]:
    return {name: uuid_parameter(name, text) if name.endswith("_id") else text for name, text in request.path.items()}


def _claim(call: Call, route: Route, request: Incoming, ids: Mapping[str, Any]) -> idempotency.Claim | None:
    key = request.idempotency_key if route.method == "POST" else None
    if key is None or call.caller is NOBODY or route.is_answered_afterwards or route.has_headers:
        return None
    named = [value for value in ids.values() if isinstance(value, UUID)]  # the last is what the path ends at
    scope: UUID = named[-1] if named else call.caller.actor_id
    return idempotency.Claim(scope, call.caller.actor_id, route.handler.__name__, key)
