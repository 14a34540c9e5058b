"""`/healthz` and `/readyz` for probes, `/metrics` for scrapers. None of them needs an API key."""

import hmac
from collections.abc import Callable

import msgspec

from atrium.kit.errors import NotFound, Unauthenticated
from atrium.kit.http.request import Request, token_in
from atrium.kit.http.responses import Response
from atrium.operations.metrics import exposition
from atrium.operations.readiness import DatabaseState, database_state, require_ready
from atrium.server.router import PageHandlers
from atrium.server.service import Service

FRESH = (("cache-control", "no-store"),)


def health_pages(service: Callable[[], Service]) -> PageHandlers:
    """Return these pages by path."""

    async def healthz(_request: Request) -> Response:
        return _status("ok")

    async def readyz(_request: Request) -> Response:
        running = service()
        await require_ready(running.pool)
        return _status("ready", await database_state(running.pool, running.settings.database_url or ""))

    async def metrics(request: Request) -> Response:
        running = service()
        _require_token(running.settings.metrics_token, request)
        accept = request.headers.get(b"accept", b"").decode("latin-1")
        body, media_type = await exposition(running.pool, running.clock(), accept)
        return Response(200, body, (*FRESH, ("content-type", media_type)))

    return {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}


def _status(status: str, database: DatabaseState | None = None) -> Response:
    body = {"status": status} if database is None else {"status": status, "database": database}
    return Response(200, msgspec.json.encode(body), FRESH, media_type="application/json")


def _require_token(token: str | None, request: Request) -> None:
    """Raise NotFound if metrics are not public, Unauthenticated for a wrong token."""
    if token is None:
        raise NotFound
    given = token_in(request.headers.get(b"authorization", b""))
    if not hmac.compare_digest(given.encode(), token.encode()):
        raise Unauthenticated("The token is not the one in ATRIUM_METRICS_TOKEN.")
