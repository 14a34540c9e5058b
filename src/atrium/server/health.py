"""What probes and scrapers ask for: `/healthz`, `/readyz` and `/metrics`; no key of the API is asked for."""

import hmac
from collections.abc import Callable
from typing import Any

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler

from atrium.kit.errors import NotFound, Unauthenticated
from atrium.kit.headers import bearer_in
from atrium.operations.metrics import exposition
from atrium.operations.readiness import require_ready
from atrium.server.service import Service

FRESH = {"cache-control": "no-store"}


def health_handlers(service: Callable[[], Service]) -> list[HTTPRouteHandler]:
    """The handlers of these paths."""

    @get("/healthz", include_in_schema=False)
    async def healthz() -> Response[dict[str, str]]:
        return Response({"status": "ok"}, headers=FRESH)

    @get("/readyz", include_in_schema=False)
    async def readyz() -> Response[dict[str, str]]:
        await require_ready(service().pool)
        return Response({"status": "ready"}, headers=FRESH)

    @get("/metrics", include_in_schema=False)
    async def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
        opened = service()
        _require_token(opened.settings.metrics_token, request)
        accept = request.headers.get("accept", "")
        body, media_type = await exposition(opened.instrumentation.pages, opened.pool, opened.clock(), accept)
        return Response(body, media_type=media_type, headers=FRESH)

    return [healthz, readyz, metrics]


def _require_token(token: str | None, request: Request[Any, Any, Any]) -> None:
    """Raises NotFound where metrics are not shown here, Unauthenticated for another token."""
    if token is None:
        raise NotFound
    given = bearer_in(request.headers.get("authorization", "").encode("latin-1"))
    if not hmac.compare_digest(given.encode(), token.encode()):
        raise Unauthenticated("This is not the token of ATRIUM_METRICS_TOKEN.")
