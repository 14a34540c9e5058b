"""The OpenAPI 3.1 document, generated from the route table and the types of its handlers."""

import inspect
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import NoneType
from typing import Any, get_origin

import msgspec

from atrium import __version__
from atrium.blocks.reach import Block
from atrium.blocks.schema import block_union
from atrium.event_payloads import event_unions, live_events_table
from atrium.event_types.api import catalogue
from atrium.keys.caller import InsufficientScope, NetworkNotAllowed
from atrium.kit.errors import (
    PROBLEM_JSON,
    BodyCut,
    Conflict,
    Forbidden,
    InvalidRequest,
    Problem,
    ProblemDetails,
    RateLimited,
    TooLarge,
    Unauthenticated,
    Unavailable,
    UnsupportedEncoding,
)
from atrium.kit.http.examples import example_of
from atrium.kit.http.idempotency import AlreadyDone, IdempotencyKeySealed, IdempotencyMismatch
from atrium.kit.http.origin import ForgedRequest
from atrium.kit.http.request import SESSION_COOKIE
from atrium.kit.http.responses import FileResponse, Header
from atrium.kit.http.route import Route
from atrium.permissions import Subject
from atrium.routes.subjects import REACH
from atrium.server.decoding import reader_of
from atrium.server.openapi_webhooks import operation_of

Json = dict[str, Any]
REF = "#/components/schemas/{name}"
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Valid for 24 hours. A request with the same key and the same body gets the first response again, "
    "and nothing is created twice. The same key with another body is an error (422).",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]*$"},
}


def document(routes: Iterable[Route]) -> Json:
    """Return the complete document."""
    routes = [route for route in routes if route.permission.subject is not Subject.DIRECTORY]
    schemas, components = _schemas(routes)
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Atrium", "version": __version__, "description": DESCRIPTION},
        "servers": [{"url": "/"}],
        "security": [{"key": []}, {"session": []}],
        "tags": [_tag(name) for name in dict.fromkeys(map(_feature, routes))],
        "paths": paths,
        "webhooks": {each.event_type: {"post": operation_of(each, REF)} for each in catalogue().event_types},
        "components": {"schemas": components, "securitySchemes": SCHEMES},
    }


SCHEMES = {
    "key": {"type": "http", "scheme": "bearer"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": f"over https `__Host-{SESSION_COOKIE}`",
    },
}

DESCRIPTION = """Organizations, spaces, rooms, messages, threads and blocks, in one REST API.

Send your key in the header `Authorization: Bearer <API_KEY>`. A key that begins with `atro_` acts as an integration of
an organization, one that begins with `atrp_` as the person who owns it. A signed-in browser sends a cookie instead; a
request that changes something must then come from a page of this server. Errors are `application/problem+json`; their
`code` is stable, and `/docs/problems` explains each of them.

Directories provision people and groups with SCIM 2.0 under `/scim/v2`, which is described at
`/scim/v2/ServiceProviderConfig`, `/scim/v2/Schemas` and `/scim/v2/ResourceTypes`.
"""


def _schemas(routes: list[Route]) -> tuple[dict[Any, Json], Json]:
    """Return the JSON Schema of each type in the routes, and the components: what they refer to, and the unions."""
    named = [kind for route in routes for kind in (*route.bodies, None if route.is_event_stream else route.response)]
    types = [kind for kind in named if kind not in (None, NoneType, bytes)]
    types = list({str(kind): kind for kind in [*types, ProblemDetails]}.values())
    unions = {Block.__name__: block_union(), **event_unions()}
    found, components = msgspec.json.schema_components([*types, *unions.values()], ref_template=REF)
    described = dict(zip(unions, found[len(types) :], strict=True))
    described[Block.__name__] |= {"title": Block.__name__, "description": Block.__doc__}
    return dict(zip(map(str, types), found, strict=False)), {**components, **described}


def _operation(route: Route, schemas: dict[Any, Json]) -> Json:
    summary, _, more = inspect.cleandoc(route.handler.__doc__ or "").partition("\n")
    operation: Json = {
        "operationId": route.handler.__name__,
        "tags": [_feature(route)],
        "summary": summary.removesuffix("."),
        "description": "\n\n".join(_description(route, more.strip() or summary)),
        "parameters": [*_path_parameters(route), *_query_parameters(route)],
        "responses": {**_successes(route, schemas), **_error_responses(route)},
    }
    if content := _body(route, schemas):
        operation["requestBody"] = {"required": not route.is_body_optional, "content": content}
    operation["parameters"] += [LAST_EVENT_ID] if route.is_event_stream else map(_header_parameter, route.reads_headers)
    if route.permission.subject is Subject.ANYONE:
        operation["security"] = [{}, {"key": []}, {"session": []}]
    elif route.is_repeatable:
        operation["parameters"].append(IDEMPOTENCY_KEY)
    return operation


def _description(route: Route, text: str) -> Iterator[str]:
    yield text
    if route.is_event_stream:
        yield live_events_table()
    if reader_of(route):
        yield "Read-only fields may be included if they are unchanged."


def _body(route: Route, schemas: dict[Any, Json]) -> Json:
    """Return the request body in each of its media types."""
    if route.receives is not None:
        return {route.receives: BYTES}
    if route.body is None:
        return {}
    known = [schemas[str(kind)] for kind in route.bodies]
    media = {"schema": known[0] if len(known) == 1 else {"anyOf": known}, "example": example_of(route.body)}
    return {"application/json": media, **_alternative(route, is_body=True)}


def _feature(route: Route) -> str:
    return route.handler.__module__.split(".")[1]


def _tag(feature: str) -> Json:
    return {"name": feature, "description": import_module(f"atrium.{feature}").__doc__}


def _path_parameters(route: Route) -> list[Json]:
    uuid: Json = {"type": "string", "format": "uuid"}
    text: Json = {"type": "string", "minLength": 1, "maxLength": 64, "examples": ["👍"]}
    return [
        {"name": name, "in": "path", "required": True, "schema": uuid if name.endswith("_id") else text}
        for name in route.path_names
    ]


def _query_parameters(route: Route) -> list[Json]:
    if route.query is None:
        return []
    _, components = msgspec.json.schema_components([route.query], ref_template=REF)
    properties: dict[str, Json] = components[route.query.__name__]["properties"]
    return [_query_parameter(name, dict(schema)) for name, schema in properties.items()]


def _query_parameter(name: str, schema: Json) -> Json:
    description = schema.pop("description", "")
    if "anyOf" in schema:  # a parameter is omitted, never null
        types = [each for each in schema["anyOf"] if each.get("type") != "null"]
        schema = {**types[0], **{key: value for key, value in schema.items() if key not in ("anyOf", "default")}}
    described = {"description": description, "required": False, "allowEmptyValue": True, "schema": schema}
    return {"name": name, "in": "query", **described}


EVENTS = """retry: 1000
id: 9f3a01c2.1795252033460.1208:1208:
event: hello
data: {}

id: 9f3a01c2.1795252034125.1208:1208:.1211:1211:.90
event: typing
data: {"room_id": "01936f4e-8f2a-7c31-9d4b-5e6f70819203", "user_id": "01936f4e-8f2a-7c31-9d4b-5e6f70819204"}

"""
LAST_EVENT_ID = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "description": "The `id` of the last event that you received; the stream continues after it.",
    "schema": {"type": "string", "maxLength": 8192, "pattern": "^[!-~]*$"},
}


def _header_parameter(header: Header) -> Json:
    schema = {"type": "string", "examples": [header.example]}
    described = {"description": header.description, "required": header.required, "schema": schema}
    return {"name": header.name, "in": "header", **described}


def _successes(route: Route, schemas: dict[Any, Json]) -> dict[str, Json]:
    """Return the responses that are not errors, including those to conditions and ranges."""
    found = {str(route.status): _success(route, schemas)}
    if route.streamed is FileResponse:
        found["206"] = {**found["200"], "description": "The bytes of the requested range."}
        found["304"] = {"description": "Not modified.", "headers": REQUEST_ID}
    return found


def _success(route: Route, schemas: dict[Any, Json]) -> Json:
    headers = REQUEST_ID | (SET_COOKIE if route.has_headers else {}) | (LOCATION if route.status == 302 else {})
    if route.is_event_stream:
        media: Json = {"schema": {"type": "string"}, "example": EVENTS}
        return {"description": "The stream.", "headers": headers, "content": {"text/event-stream": media}}
    if route.response is NoneType:
        return {"description": "Success, without a body.", "headers": headers}
    if route.streamed is FileResponse:
        return {"description": "The bytes.", "headers": headers, "content": {"*/*": BYTES}}
    media = {"schema": schemas[str(route.response)], "example": example_of(route.response)}
    media_type = route.streamed.media_type if route.streamed else "application/json"
    described = inspect.cleandoc(_origin(route.response).__doc__ or "")
    content = {media_type: media, **_alternative(route, is_body=False)}
    return {"description": described, "headers": headers, "content": content}


def _alternative(route: Route, *, is_body: bool) -> Json:
    """Return the media type besides JSON of the request body (`is_body`) or of the response."""
    other = route.alternative
    if other is None or is_body != (other.read is not None):
        return {}
    return {other.media_type: {"schema": {"type": "string"}, "example": other.example}}


BYTES: Json = {"schema": {"type": "string", "format": "binary"}, "example": "…"}
SET_COOKIE = {"Set-Cookie": {"description": "a cookie that scripts cannot read", "schema": {"type": "string"}}}
LOCATION = {"Location": {"description": "the URL to continue at", "schema": {"type": "string"}}}
REQUEST_ID = {"X-Request-Id": {"description": "the id of this request in the log", "schema": {"type": "string"}}}


def _error_responses(route: Route) -> dict[str, Json]:
    """Return a response per status, with an example per code."""
    by_status: dict[str, list[type[Problem]]] = {}
    for error in dict.fromkeys(_errors(route)):
        by_status.setdefault(str(error.status), []).append(error)
    return {status: _error_response(errors) for status, errors in sorted(by_status.items())}


def _errors(route: Route) -> list[type[Problem]]:
    permission = route.permission
    errors: list[type[Problem]] = [InvalidRequest, RateLimited, Unavailable, *route.raises]
    if permission.subject in REACH:
        errors += REACH[permission.subject].errors
    errors += [Unauthenticated, Forbidden, InsufficientScope, NetworkNotAllowed]
    if not route.is_read_only:
        errors += [Conflict, TooLarge, BodyCut, ForgedRequest]
    if route.body is not None:
        errors += [UnsupportedEncoding]
    if route.is_repeatable:
        errors += [IdempotencyMismatch, AlreadyDone if route.shows_once else IdempotencyKeySealed]
    return errors


def _error_response(errors: list[type[Problem]]) -> Json:
    examples = {
        error.code: {"summary": error.title, "value": msgspec.to_builtins(error().details("c0ffee0000000001"))}
        for error in errors
    }
    described = "; or: ".join(inspect.cleandoc(error.__doc__ or error.title).replace("\n", " ") for error in errors)
    media = {"schema": {"$ref": REF.format(name="ProblemDetails")}, "examples": examples}
    return {"description": described, "headers": REQUEST_ID, "content": {PROBLEM_JSON: media}}


def _origin(kind: Any) -> Any:
    return get_origin(kind) or kind
