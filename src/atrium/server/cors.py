"""Cross-origin requests from browsers (`ATRIUM_CORS_ORIGINS`): with keys, never with cookies, because
`Access-Control-Allow-Credentials` is never sent."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from atrium.kit.settings import Settings

Header: TypeAlias = tuple[bytes, bytes]
ANY = "*"
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


def cors_headers(settings: Settings, scope: Mapping[str, Any]) -> list[Header]:
    """Return the headers that allow the origin of a request to read the response, if it may."""
    allowed = settings.cors_origins
    if not allowed:
        return []
    found = dict(scope["headers"])
    origin = found.get(b"origin", b"").decode("latin-1")
    if not origin or (origin not in allowed and ANY not in allowed):
        return [(b"vary", b"Origin")]
    headers = [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"Origin"), EXPOSED_HEADERS]
    if scope["method"] == "OPTIONS" and b"access-control-request-method" in found:
        headers += PREFLIGHT
    return headers
