"""Count and trace each request, and log it if the settings say so."""

import re
import time
from collections.abc import Mapping
from typing import Any, Self

import structlog

from atrium.kit.http.peer import FORWARDED_FOR, client_address, joined
from atrium.kit.http.request_context import RequestContext
from atrium.kit.metrics import REQUESTS
from atrium.kit.settings import Settings
from atrium.operations.traces import Tracer

log = structlog.get_logger()
METHODS = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"))
PROBES = frozenset(("/healthz", "/readyz", "/metrics"))
MAX_LINES_PER_SECOND = 100
CLIENT_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:/+=-]{1,128}")
NO_ROUTE = "none"  # the label of requests without a route, so that made-up paths take no memory
ANY_PATH = "/{path}"  # the route of the web application's pages; its errors count as requests without a route


class Instrumentation:
    """Metrics, log lines and traces of requests. On exit, the last traces are sent."""

    def __init__(self, settings: Settings) -> None:
        self.tracer = Tracer.of(settings)
        self._proxies, self._slow = settings.trusted_proxies, settings.slow_request.total_seconds()
        self._log_all, self._min_status = settings.access_log == "all", 600 if settings.access_log == "off" else 400
        self._second, self._lines, self._dropped = 0, 0, 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.tracer is not None:
            await self.tracer.end()

    def record(self, context: RequestContext, scope: Mapping[str, Any]) -> None:
        """Count a request after its response, and log and trace it if configured."""
        method = scope["method"] if scope["method"] in METHODS else "OTHER"
        if context.route == ANY_PATH and context.status >= 400:
            context.route = NO_ROUTE
        REQUESTS.labels(method, context.route, f"{context.status // 100}xx").observe(context.seconds)
        if (
            self._log_all
            or context.status >= self._min_status
            or (context.seconds > self._slow and self._min_status == 400)
        ):
            self._write(context, scope)
        if self.tracer is not None:
            self.tracer.request(context, method, dict(scope["headers"]))

    def _write(self, context: RequestContext, scope: Mapping[str, Any]) -> None:
        if context.route in PROBES:
            log.debug("probe", route=context.route, status=context.status)
            return
        if not self._log_all and not self._has_room():
            return
        level = log.error if context.status >= 500 else log.warning if context.seconds > self._slow else log.info
        level("request", **self._line(context, scope))

    def _has_room(self) -> bool:
        """Return whether the limit of log lines per second allows another line."""
        second = int(time.monotonic())
        if second != self._second:
            if self._dropped:
                log.warning("request log lines were dropped", requests=self._dropped)
            self._second, self._lines, self._dropped = second, 0, 0
        self._lines += 1
        self._dropped += self._lines > MAX_LINES_PER_SECOND
        return self._lines <= MAX_LINES_PER_SECOND

    def _line(self, context: RequestContext, scope: Mapping[str, Any]) -> dict[str, Any]:
        headers, peer = dict(scope["headers"]), scope["client"][0] if scope.get("client") else None
        header = headers.get(b"x-request-id", b"")
        line = {
            "request_id": context.request_id,
            "method": scope["method"][:16],
            "route": context.route,
            "status": context.status,
            "milliseconds": round(context.seconds * 1000, 1),
            "address": client_address(peer, joined(scope["headers"], FORWARDED_FOR), self._proxies),
            "api_key_id": context.api_key_id and str(context.api_key_id),
            "actor_id": context.actor_id and str(context.actor_id),
            "client_request_id": header.decode() if CLIENT_REQUEST_ID.fullmatch(header) else None,
        }
        return {name: value for name, value in line.items() if value is not None}
