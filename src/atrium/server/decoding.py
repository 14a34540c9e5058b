"""Decode the body of a request, in any form that its route accepts; a PATCH may repeat unchanged read-only fields
(docs/contract.md#conventions)."""

from collections.abc import Awaitable, Callable
from typing import Any, get_args, get_origin
from uuid import UUID

import msgspec

from atrium.keys.caller import Call
from atrium.kit.errors import InvalidRequest
from atrium.kit.http.request import Content, Request, decode_body, require_uncompressed
from atrium.kit.http.route import Route
from atrium.organizations.api import MemberAnswer
from atrium.organizations.reach import Organization, find_member
from atrium.permissions import LIST_MEMBERS
from atrium.routes import ROUTES


async def _read_member(call: Call, organization: Organization, person_id: UUID) -> MemberAnswer:
    """Return a member as in the list of members; there is no route for a single member."""
    return MemberAnswer(await find_member(call.db, organization.organization_id, person_id))


MEMBER = "/v1/organizations/{organization_id}/members/{person_id}"
READERS = {route.path: route for route in ROUTES if route.method == "GET" and not route.batched}
READERS[MEMBER] = Route("GET", MEMBER, _read_member, LIST_MEMBERS)
ABSENT = object()
NO_FIELDS = b"{}"


def reader_of(route: Route) -> Route | None:
    """Return the route that reads the resource that a route changes, or None."""
    is_update = route.method == "PATCH" and route.body is not None and not route.path.startswith("/scim/")
    return READERS.get(route.path) if is_update else None


async def decoded_body(route: Route, request: Request, read: Callable[[Route], Awaitable[Any]]) -> Any:
    """Return the body of a request, without read-only fields and objects of an update that repeat the result of `read`.

    Raise InvalidRequest, which names an unknown field that has another value, and UnsupportedEncoding.
    """
    try:
        return _decoded(route, request)
    except InvalidRequest:
        reader, body = reader_of(route), _json_object(request.body)
        if reader is None or body is None:
            raise
        wrapped = get_origin(route.body) is Content
        known = _fields(get_args(route.body)[0] if wrapped else route.body)
        given = body.get("content") if wrapped else body
        if not isinstance(given, dict) or not given.keys() - known:
            raise
        present = _resource(await read(reader))
        changes = {
            name: value
            for name, value in given.items()
            if present.get(name, ABSENT) != value or (name in known and not isinstance(value, dict))
        }
        return decode_body(msgspec.json.encode({**body, "content": changes} if wrapped else changes), route.body)


def _decoded(route: Route, request: Request) -> Any:
    """Decode the body of a request, in any media type of its route. Raise InvalidRequest, UnsupportedEncoding."""
    require_uncompressed(request)
    other = route.alternative
    if other and other.read and (other.reads_json or request.media_type == other.media_type):
        return other.read(request.body)
    if route.is_action:
        return _read_action(route, request.body or (NO_FIELDS if route.is_body_optional else b""))
    return decode_body(request.body, route.body)


def _read_action(route: Route, body: bytes) -> Any:
    """Decode a body whose fields are in `content` or not, as the type that the handler takes."""
    wrapped, plain = route.bodies
    takes_content = get_origin(route.body) is Content
    if "content" in decode_body(body, dict[str, Any]):
        found = decode_body(body, wrapped)
        return found if takes_content else found.content
    fields = decode_body(body, plain)
    return Content(fields) if takes_content else fields


def _fields(kind: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def _json_object(body: bytes) -> dict[str, Any] | None:
    try:
        return decode_body(body, dict[str, Any])
    except InvalidRequest:
        return None


def _resource(response: Any) -> dict[str, Any]:
    """Return the fields of a resource as in a response, without the wrapper of `/v1`."""
    shown: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(response))
    inner = next(iter(shown.values()))
    return inner if len(shown) == 1 and isinstance(inner, dict) else shown
