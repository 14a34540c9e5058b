"""A request: the key or session in its headers, and decoding of its body and query, with errors that name the field or
the parameter."""

import re
from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, Generic, NamedTuple, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import UNSET, UnsetType

from atrium.kit.errors import FieldError, InvalidRequest, Unauthenticated, UnsupportedEncoding, invalid_parameter
from atrium.kit.http.idempotency import hash_of_body
from atrium.kit.http.peer import UNKNOWN_NETWORK

MAX_BODY = 1 << 20
T = TypeVar("T")
SESSION_COOKIE = "atrium_session"
HOST = "__Host-"  # browsers accept a cookie with this prefix from this host only, over https
SESSION_PREFIX = "atrs_"


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a create or update request. Unknown fields are errors."""


class Content(Body, Generic[T]):
    """The `content` wrapper of create and update requests under `/v1`."""

    content: T


Limit = Annotated[int, msgspec.Meta(ge=1, le=200, description="entries per page")]
Cursor = Annotated[str | None, msgspec.Meta(description="`next_cursor` of the previous page")]


class Paging(msgspec.Struct, kw_only=True):
    """The query parameters of a list."""

    limit: Limit = 50
    cursor: Cursor = None


class Request(NamedTuple):
    """A request before anything is decoded or looked up."""

    path_parameters: Mapping[str, str]
    query_string: bytes
    headers: Mapping[bytes, bytes]
    body: bytes = b""
    address: str | None = None  # of the client, also behind trusted proxies
    request_id: str = ""
    network: str = UNKNOWN_NETWORK  # that limits count the client by
    stream: AsyncIterator[bytes] | None = None

    @property
    def bearer(self) -> str:
        """Return the key in the Authorization header, or else the session in the cookie. Raise Unauthenticated."""
        return token_of(self.headers)

    @property
    def uses_cookie(self) -> bool:
        """Return whether a cookie identifies the caller; browsers also send it with requests that other sites make."""
        return b"authorization" not in self.headers and session_in(self.headers.get(b"cookie", b"")) is not None

    @property
    def idempotency_key(self) -> str | None:
        """Return the Idempotency-Key header. Raise InvalidRequest if it cannot be stored."""
        raw = self.headers.get(b"idempotency-key")
        if raw is None:
            return None
        if not 1 <= len(raw) <= 255 or not raw.isascii() or not raw.decode().isprintable():
            raise invalid_parameter("Idempotency-Key", "must be 1 to 255 printable ASCII characters")
        return raw.decode()

    @property
    def media_type(self) -> str:
        """Return the media type of the body without parameters; JSON by default."""
        declared = self.headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
        return declared or "application/json"

    @property
    def body_hash(self) -> bytes:
        """Return the hash that identifies the body under an idempotency key."""
        return hash_of_body(self.body)

    def prefers(self, media_type: str, *, over: str) -> bool:
        """Return whether the header Accept prefers a text format to another media type."""
        weights = dict(_weights(self.headers.get(b"accept", b"").decode("latin-1")))
        return weights.get(media_type, weights.get("text/*", 0.0)) > weights.get(over, 0.0)


def _weights(accept: str) -> Iterator[tuple[str, float]]:
    """Yield the media types in an Accept header with their weights."""
    for item in accept.lower().split(","):
        media_type, _, parameters = item.partition(";")
        weight = re.search(r"\bq=([01](?:\.\d{0,3})?)", parameters)
        yield media_type.strip(), float(weight[1]) if weight else 1.0


@lru_cache(4096)
def token_in(authorization: bytes) -> str:
    """Return the key in an Authorization header. Raise Unauthenticated if there is none."""
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("Send your key in the header `Authorization: Bearer <API_KEY>`.")
    return token.strip()


def cookie_in(cookies: bytes, name: str) -> str | None:
    """Return the value of a cookie in a Cookie header, or None (docs/decisions/0001-libraries.md)."""
    for pair in cookies.decode("latin-1").split(";"):
        found, _, value = pair.strip().partition("=")
        if found == name:
            return value
    return None


def host_cookies(cookies: bytes) -> bytes:
    """Return a Cookie header with only the cookies that have the prefix `__Host-`, which is removed.

    Any other host of the domain can set the remaining ones.
    """
    pairs = (pair.strip() for pair in cookies.split(b";"))
    return b"; ".join(pair.removeprefix(HOST.encode()) for pair in pairs if pair.startswith(HOST.encode()))


def session_in(cookies: bytes) -> str | None:
    """Return the session token in a Cookie header, or None.

    An API key is not accepted there: another host could set it to make a browser act for another account.
    """
    token = cookie_in(cookies, SESSION_COOKIE) if cookies else None
    return token if token and token.startswith(SESSION_PREFIX) else None


def token_of(headers: Mapping[bytes, bytes]) -> str:
    """Return the key in the Authorization header, or else the session in the cookie. Raise Unauthenticated."""
    authorization = headers.get(b"authorization")
    if authorization is None and (token := session_in(headers.get(b"cookie", b""))):
        return token
    return token_in(authorization or b"")


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
    require_uncompressed(request)
    return decode_body(request.body, kind)


def require_uncompressed(request: Request) -> None:
    """Raise UnsupportedEncoding for a compressed body."""
    given = request.headers.get(b"content-encoding")
    if given is not None and given.strip().lower() not in (b"identity", b""):
        raise UnsupportedEncoding


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
