"""Decode request bodies and query strings into their types, with errors that name the field or the parameter."""

import re
from codecs import BOM_UTF8
from typing import Any, TypeVar, get_origin
from urllib.parse import parse_qsl

import msgspec
from msgspec import UNSET, UnsetType

from atrium.kit.errors import FieldError, InvalidRequest, UnsupportedEncoding, invalid_parameter
from atrium.kit.http.request import Content, Request
from atrium.kit.http.route import Route

T = TypeVar("T")
NO_FIELDS = b"{}"


def decode_body(body: bytes, kind: type[T]) -> T:
    """Decode a JSON body, with or without a byte-order mark. Raise InvalidRequest that points to the field."""
    try:
        return _decoder(kind).decode(body[len(BOM_UTF8) :] if body.startswith(BOM_UTF8) else body)
    except msgspec.ValidationError as error:
        raise _to_invalid_request(str(error), pointer=True) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        detail = str(error) or "nested too deeply"
        raise InvalidRequest(f"The body is not JSON: {detail}", errors=[FieldError(detail, pointer="")]) from None


def read_json(request: Request, kind: type[T]) -> T:
    """Decode the JSON body of a request. Raise InvalidRequest, UnsupportedEncoding."""
    _require_uncompressed(request)
    return decode_body(request.body, kind)


def _require_uncompressed(request: Request) -> None:
    given = request.headers.get(b"content-encoding")
    if given is not None and given.strip().lower() not in (b"identity", b""):
        raise UnsupportedEncoding


def read_body(route: Route, request: Request) -> Any:
    """Decode the body of a request, in any media type of its route. Raise InvalidRequest, UnsupportedEncoding."""
    _require_uncompressed(request)
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


def decode_query(query_string: bytes, kind: type[T]) -> T:
    """Decode a query string; an empty parameter counts as absent. Raise InvalidRequest that names the parameter."""
    try:
        pairs = parse_qsl(query_string.decode("ascii"), errors="strict")
    except (UnicodeDecodeError, ValueError):
        raise InvalidRequest("The query string is not percent-encoded UTF-8.") from None
    for name, text in pairs:
        if "\x00" in text:
            raise invalid_parameter(name, "contains a NUL character")
    try:
        found = msgspec.convert(dict(pairs), kind, strict=False)
    except msgspec.ValidationError as error:
        raise _to_invalid_request(str(error), pointer=False) from None
    for name, text in pairs:  # msgspec reads the word null as None
        if getattr(found, name, text) is None:
            raise invalid_parameter(name, "cannot be null; omit it")
    return found


_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}


def _decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    if kind not in _decoders:
        _decoders[kind] = msgspec.json.Decoder(kind)
    return _decoders[kind]


def _to_invalid_request(message: str, *, pointer: bool) -> InvalidRequest:
    """Return a message of msgspec as an error: `Expected ... - at `$.content.name`` points to /content/name."""
    detail, _, where = message.partition(" - at `$")
    steps = re.findall(r"\.([^.\[`]+)|\[(\d+|\.\.\.)\]", where)
    names = [name or index for name, index in steps]
    if "..." in names:  # msgspec does not say which element of a list it is; the pointer leads to the list
        names = names[: names.index("...")]
    elif found := re.search(r"(?:unknown|required) field `([^`]*)`", detail):
        names.append(found[1])
    if pointer:
        path = "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names)
        return InvalidRequest(f"{path or 'The body'}: {detail}", errors=[FieldError(detail, pointer=path)])
    name = names[0] if names else "query"
    return InvalidRequest(f"{name}: {detail}", errors=[FieldError(detail, parameter=name)])


def given(value: T | UnsetType) -> T | None:
    """Return the value of an optional field, None if it is absent."""
    return None if value is UNSET else value
