"""`atrium serve`: run the service on this machine."""

import asyncio
import contextlib
import os
import resource
import socket
import sys
from contextlib import ExitStack, nullcontext
from typing import Annotated

import typer
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from atrium.bootstrap.actions import is_empty
from atrium.bootstrap.token import forget_token, new_token
from atrium.cli.errors import CommandError
from atrium.cli.http_processes import HttpProcesses
from atrium.cli.installation import DataDir, open_database, settings_with
from atrium.cli.output import console
from atrium.cli.supervised_database import supervised_database
from atrium.cli.worker import supervised_worker
from atrium.kit.postgres.database import is_connection_error
from atrium.kit.postgres.embedded import FolderInUse, sole_server
from atrium.kit.postgres.hosts import connect
from atrium.kit.process.logs import configure_logs
from atrium.kit.settings import Settings
from atrium.operations.counter_pages import delete_all_pages
from atrium.operations.traces import TracingNotInstalled, require_extra
from atrium.server.app import SUPERVISOR
from atrium.server.ui import offers_application
from atrium.worker import maintain_partitions

RESERVED_FILES = 300  # file descriptors per HTTP process that are not connections
TARGET = "atrium.server.app:create_http_process_app"


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on [ATRIUM_HOST; 127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on [ATRIUM_PORT; 8700].")] = None,
    data_dir: DataDir = None,
    workers: Annotated[int | None, typer.Option(help="HTTP processes [ATRIUM_WORKERS; 2].")] = None,
) -> None:
    """Run the server: the API, the web application and a worker.

    PostgreSQL runs in the data folder unless ATRIUM_DATABASE_URL is set.
    """
    settings = settings_with(host=host, port=port, data_dir=data_dir, workers=workers)
    with ExitStack() as stack:
        if settings.database_url is None:
            try:
                stack.enter_context(sole_server(settings.data_dir))
            except FolderInUse as error:
                raise CommandError(str(error)) from None
        _require_free(settings.host, settings.port)
        if settings.metrics_port is not None:
            _require_free(settings.metrics_host, settings.metrics_port)
        _require_traces(settings)
        _run(stack.enter_context(open_database(settings)), embedded=settings.database_url is None)


def _run(settings: Settings, *, embedded: bool) -> None:
    configure_logs(settings.log_format, settings.log_level)
    startup_message = asyncio.run(_prepare(settings))
    max_connections = min(1000 + settings.streams, max(_raise_open_files() - RESERVED_FILES, 100))
    delete_all_pages(settings)
    os.environ[SUPERVISOR] = str(os.getpid())
    os.environ.update(settings.environment())  # the HTTP processes read their settings there
    server = HttpProcesses(
        TARGET, address=settings.host, port=settings.port, interface=Interfaces.ASGI, workers=settings.workers,
        loop=Loops.uvloop, factory=True, websockets=False, backpressure=max_connections,
        log_level=LogLevels.warning, workers_kill_timeout=20, respawn_failed_workers=True,
        http=HTTPModes.http1, http1_settings=HTTP1Settings(header_read_timeout=30_000, max_buffer_size=64 << 10),
    )  # fmt: skip
    server.on_startup(lambda: console().print(startup_message))
    with supervised_database(settings.data_dir.resolve()) if embedded else nullcontext(), supervised_worker():
        server.serve()
    console().print("Atrium has stopped.")


async def _prepare(settings: Settings) -> str:
    """Prepare the database, and return the text to print when the server is ready."""
    try:
        await maintain_partitions(settings)
        return await _startup_message(settings)
    except Exception as error:
        if is_connection_error(error):
            raise CommandError(f"the connection to the database was lost during the start: {error}") from None
        raise


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


def _raise_open_files() -> int:
    """Raise the limit of open files, of which each stream is one, as far as allowed. Return the limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


def _require_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"cannot listen on {host}:{port}: {error.strerror}; choose another port with --port"
            ) from None


def _require_traces(settings: Settings) -> None:
    try:
        require_extra(settings)
    except TracingNotInstalled as error:
        raise CommandError(str(error)) from None
