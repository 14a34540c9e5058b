"""The server that `atrium serve` runs: HTTP processes, a worker, and the watch over the embedded database."""

import asyncio
import os
import signal
from contextlib import nullcontext

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from atrium.bootstrap.actions import is_empty
from atrium.bootstrap.token import forget_token, new_token
from atrium.cli.errors import CommandError
from atrium.cli.output import console
from atrium.cli.supervised_database import supervised_database
from atrium.cli.worker import supervised_worker
from atrium.kit.postgres.database import is_out_of_room, is_unavailable
from atrium.kit.postgres.hosts import connect
from atrium.kit.process.failures import log_failure
from atrium.kit.process.logs import configure_logs
from atrium.kit.process.open_files import max_connections, raise_open_files
from atrium.kit.settings import Settings
from atrium.operations.traces import TracingNotInstalled, require_extra
from atrium.server.app import SUPERVISOR
from atrium.server.ui import offers_application
from atrium.worker import maintain_partitions

TARGET = "atrium.server.app:create_http_process_app"


def run_server(settings: Settings, *, embedded: bool) -> None:
    """Run the server on a database that is ready, until it is stopped. Raise CommandError."""
    _require_traces(settings)
    configure_logs(settings.log_format, settings.log_level)
    startup_message = asyncio.run(_prepare(settings))
    backpressure = max_connections(raise_open_files(), settings.streams)
    os.environ[SUPERVISOR] = str(os.getpid())
    os.environ.update(settings.environment())  # the HTTP processes read their settings there
    os.register_at_fork(after_in_child=end_by_signal)
    server = Granian(
        TARGET, address=settings.host, port=settings.port, interface=Interfaces.ASGI, workers=settings.workers,
        loop=Loops.uvloop, factory=True, websockets=False, backpressure=backpressure,
        log_level=LogLevels.warning, workers_kill_timeout=20, respawn_failed_workers=True,
        http=HTTPModes.http1, http1_settings=HTTP1Settings(header_read_timeout=30_000, max_buffer_size=64 << 10),
    )  # fmt: skip
    server.on_startup(lambda: console().print(startup_message))
    with supervised_database(settings.data_dir.resolve()) if embedded else nullcontext(), supervised_worker():
        server.serve()
    console().print("Atrium has stopped.")


def end_by_signal() -> None:
    """Let a stop signal end a new HTTP process while it starts. Its parent's handler would ignore the signal."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


async def _prepare(settings: Settings) -> str:
    """Prepare the database, and return the text to print when the server is ready."""
    try:
        await _maintain_partitions(settings)
        return await _startup_message(settings)
    except Exception as error:
        if is_unavailable(error):
            raise CommandError(f"the database was not available during the start: {error}") from None
        raise


async def _maintain_partitions(settings: Settings) -> None:
    """Maintain the partitions. Without room, the server starts for those who read, and the worker tries again."""
    try:
        await maintain_partitions(settings)
    except Exception as error:
        if not is_out_of_room(error):
            raise
        log_failure("the partitions could not be maintained", error)


async def _startup_message(settings: Settings) -> str:
    """Return the server's URL and, while the server is empty, how to set it up."""
    message = f"Atrium is running at [bold]{settings.base_url}[/] (API reference: /docs)"
    db = await connect(settings.database_url or "")
    try:
        empty = await is_empty(db)
    finally:
        await db.close()
    forget_token(settings)
    if not empty:
        return message
    message += "\nNo organization yet. Create one with [bold]atrium init[/]"
    if not offers_application(settings):
        return f"{message}."
    return f"{message}, or open this link:\n{settings.base_url}/sign-in#set-up={new_token(settings)}"


def _require_traces(settings: Settings) -> None:
    try:
        require_extra(settings)
    except TracingNotInstalled as error:
        raise CommandError(str(error)) from None
