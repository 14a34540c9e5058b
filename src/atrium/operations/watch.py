"""What is kept of each request once it is answered: a count, a line in the log where one is asked for, a trace."""

import asyncio
import re
import time
from collections.abc import Mapping
from typing import Any, Self

import structlog

from atrium.kit.asked import Asked
from atrium.kit.peer import client_address
from atrium.kit.settings import Settings
from atrium.operations.shared import Ledger
from atrium.operations.tally import Tally
from atrium.operations.traces import Tracer

log = structlog.get_logger()
METHODS = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"))
PROBES = frozenset(("/healthz", "/readyz", "/metrics"))
LINES_A_SECOND = 100
GIVEN_ID = re.compile(rb"[A-Za-z0-9._:/+=-]{1,128}")
UNTAKEN = "none"  # the route of what no route takes, so that paths made up by anyone are not kept
ANY_PATH = "/{path}"  # the route of the web application's pages; what it refuses, no route takes


class Watch:
    """Looks at every request that this process answers. While it is entered, its counts are written down for others."""

    def __init__(self, settings: Settings, tally: Tally) -> None:
        self.tally, self.ledger, self.tracer = tally, Ledger(settings, tally), Tracer.of(settings)
        self._shared, self._writing = settings.measures, list[asyncio.Task[None]]()
        self._proxies, self._slow = settings.trusted_proxies, settings.slow_request.total_seconds()
        self._all, self._from = settings.access_log == "all", 600 if settings.access_log == "off" else 400
        self._second, self._lines, self._left_out = 0, 0, 0

    async def __aenter__(self) -> Self:
        if self._shared:
            self._writing.append(asyncio.create_task(self.ledger.keep()))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._writing:
            task.cancel()
        await asyncio.gather(*self._writing, return_exceptions=True)
        if self.tracer is not None:
            await self.tracer.end()

    def answered(self, asked: Asked, scope: Mapping[str, Any]) -> None:
        """Keep what is to be kept of a request."""
        method = scope["method"] if scope["method"] in METHODS else "OTHER"
        if asked.route == UNTAKEN:
            template = scope.get("path_template") or UNTAKEN
            asked.route = UNTAKEN if template == ANY_PATH and asked.status >= 400 else template
        self.tally.request(method, asked.route, asked.status, asked.seconds)
        if self._all or asked.status >= self._from or (asked.seconds > self._slow and self._from == 400):
            self._write(asked, scope)
        if self.tracer is not None:
            self.tracer.request(asked, method, dict(scope["headers"]))

    def _write(self, asked: Asked, scope: Mapping[str, Any]) -> None:
        if asked.route in PROBES:
            log.debug("probe", route=asked.route, status=asked.status)
            return
        if not self._all and not self._has_room():
            return
        level = log.error if asked.status >= 500 else log.warning if asked.seconds > self._slow else log.info
        level("request", **self._line(asked, scope))

    def _has_room(self) -> bool:
        """Whether one more line fits into this second; a crowd of refusals shall not fill the disk."""
        second = int(time.monotonic())
        if second != self._second:
            if self._left_out:
                log.warning("requests were left out of the log", requests=self._left_out)
            self._second, self._lines, self._left_out = second, 0, 0
        self._lines += 1
        self._left_out += self._lines > LINES_A_SECOND
        return self._lines <= LINES_A_SECOND

    def _line(self, asked: Asked, scope: Mapping[str, Any]) -> dict[str, Any]:
        headers, peer = dict(scope["headers"]), scope["client"][0] if scope.get("client") else None
        given = headers.get(b"x-request-id", b"")
        line = {
            "request_id": asked.request_id, "method": scope["method"][:16], "route": asked.route,
            "status": asked.status, "milliseconds": round(asked.seconds * 1000, 1),
            "address": client_address(peer, headers.get(b"x-forwarded-for"), self._proxies),
            "api_key_id": asked.api_key_id and str(asked.api_key_id),
            "actor_id": asked.actor_id and str(asked.actor_id),
            "client_request_id": given.decode() if GIVEN_ID.fullmatch(given) else None,
        }  # fmt: skip
        return {name: value for name, value in line.items() if value is not None}
