"""`/metrics` on a separate port of the delivery worker, which responds while the HTTP processes are overloaded."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import structlog

from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Pool
from atrium.kit.process.deferred import Deferred
from atrium.kit.settings import Settings
from atrium.operations.metrics import exposition

if TYPE_CHECKING:
    from aiohttp import web
else:
    web = Deferred("aiohttp.web")

log = structlog.get_logger()
RETRY_DELAY = 5.0  # seconds; a worker that has just exited may still occupy the port


@asynccontextmanager
async def metrics_port(settings: Settings, pool: Pool, clock: Clock) -> AsyncIterator[None]:
    """Serve /metrics inside the block, if a port is configured."""
    if settings.metrics_port is None:
        yield
        return

    async def metrics(request: web.Request) -> web.Response:
        body, media_type = await exposition(pool, clock(), request.headers.get("accept", ""))
        return web.Response(body=body, headers={"content-type": media_type, "cache-control": "no-store"})

    app = web.Application()
    app.router.add_get("/metrics", metrics)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    listening = asyncio.create_task(_listen(runner, settings.metrics_host, settings.metrics_port))
    try:
        yield
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await runner.cleanup()


async def _listen(runner: "web.AppRunner", host: str, port: int) -> None:
    while True:
        try:
            return await web.TCPSite(runner, host, port).start()
        except OSError as error:
            log.warning("cannot listen on the metrics port", host=host, port=port, error=str(error))
        await asyncio.sleep(RETRY_DELAY)
