"""`atrium serve`: run the service on this machine."""

import fcntl
import os
import shutil
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Annotated

import typer

from atrium.cli.errors import CommandError
from atrium.cli.installation import DataDir, open_database, settings_with
from atrium.kit.postgres.embedded import FolderInUse, sole_server
from atrium.kit.process.memory import paused_garbage_collector

MEMORY = Path("/dev/shm")  # noqa: S108 - the folder in it has a random name
METRICS, ABANDONED_AFTER = "atrium-metrics-", 1.0  # seconds in which a server locks the folder that it has made


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
        if settings.measures:
            stack.enter_context(_shared_metrics())
        with paused_garbage_collector(), ThreadPoolExecutor(1) as meanwhile:
            server = meanwhile.submit(import_module, "atrium.cli.http_server")  # while PostgreSQL starts
            running = stack.enter_context(open_database(settings))
        server.result().run_server(running, embedded=settings.database_url is None)


def _require_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"cannot listen on {host}:{port}: {error.strerror}; choose another port with --port"
            ) from None


@contextmanager
def _shared_metrics() -> Iterator[None]:
    """Let the processes of the server count their metrics in one folder; prometheus-client must not be imported yet.

    The files are mapped into memory, and writing a page for which a disk has no room would end the process. So they are
    on no disk, if possible. The folder is locked while the server runs: a server that was killed leaves it, and the
    next one removes it.
    """
    parent = MEMORY if MEMORY.is_dir() else Path(gettempdir())
    for left in parent.glob(f"{METRICS}*"):
        _remove_abandoned(left)
    with TemporaryDirectory(prefix=METRICS, dir=parent, ignore_cleanup_errors=True) as folder, _locked(Path(folder)):
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


def _remove_abandoned(folder: Path) -> None:
    """Remove a folder of this user that no server has locked, and that none is about to lock."""
    with suppress(OSError):
        found = folder.lstat()
        if found.st_uid == os.geteuid() and time.time() - found.st_mtime > ABANDONED_AFTER:
            with _locked(folder):
                shutil.rmtree(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which ends with the process. Raise BlockingIOError if another process holds it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
