"""The environment of a benchmark: a fresh data folder, databases in its PostgreSQL, and `atrium serve` processes."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psycopg
from psycopg.sql import SQL, Identifier

from bench.load import BenchError

ATRIUM = Path(sys.executable).with_name("atrium")
ROOT = Path(__file__).parent.parent
SERVE = [sys.executable, "-m", "bench.ceiling", "serve"]  # `atrium serve` with one more route
GIB = 1 << 30
STARTS_WITHIN = 60.0
# The limit is never reached but is counted, because its cost is part of the measurement.
PRODUCTION = {"ATRIUM_RATE_LIMIT": "1000000000"}


@dataclass(frozen=True)
class Database:
    """A database of the run: its URL, its folder, and what `atrium init` created."""

    url: str
    folder: Path
    organization_key: str
    personal_key: str
    person_id: str
    space_id: str


@contextmanager
def scratch_folder(wanted: Path | None, need_gib: int) -> Iterator[Path]:
    """Create a folder and remove it at the end. Raise BenchError if the disk has too little space."""
    if wanted is not None and wanted.exists() and any(wanted.iterdir()):
        raise BenchError(f"{wanted} is not empty; the benchmark removes its folder at the end")
    parent = wanted.parent if wanted else Path("/var/tmp")
    free = shutil.disk_usage(parent).free
    if free < need_gib * GIB:
        raise BenchError(f"this run needs {need_gib} GiB in {parent}; {free / GIB:.1f} are free (--quick needs less)")
    folder = wanted or Path(tempfile.mkdtemp(prefix="atb-", dir=parent))
    folder.mkdir(exist_ok=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_database(cluster: str, folder: Path, name: str) -> Database:
    """Create another database in the cluster, with the schema and a first organization."""
    with psycopg.connect(cluster, autocommit=True) as db:
        db.execute(SQL("create database {}").format(Identifier(name)))
    url = cluster.replace("/atrium?", f"/{name}?")
    database_folder = folder / name
    database_folder.mkdir()
    result = subprocess.run(
        [ATRIUM, "init", "--organization", "Bench", "--email", "bench@example.org", "--json"],
        env=_process_environment(url, database_folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if result.returncode:
        raise BenchError(f"atrium init failed: {result.stderr}")
    created = json.loads(result.stdout)
    return Database(url, database_folder, **{name: created[name] for name in list(Database.__dataclass_fields__)[2:]})


@contextmanager
def running_server(database: Database, **settings: str) -> Iterator[str]:
    """Run `atrium serve` with production defaults on loopback and yield its URL. Stop it as Ctrl-C would."""
    port = free_port()
    own = {"ATRIUM_PORT": str(port), **{f"ATRIUM_{name.upper()}": value for name, value in settings.items()}}
    log_file = database.folder / f"serve-{port}.log"
    with log_file.open("w") as log:
        process = subprocess.Popen(
            SERVE,
            env=_process_environment(database.url, database.folder) | own,
            stdout=log,
            stderr=log,
            cwd=ROOT,
            start_new_session=True,
        )
    try:
        _wait_until_up(f"http://127.0.0.1:{port}", process, log_file)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()


def _process_environment(url: str, folder: Path) -> dict[str, str]:
    """Return this process's environment variables with the settings of the benchmark and no others."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")}
    return outer | PRODUCTION | {"ATRIUM_DATABASE_URL": url, "ATRIUM_DATA_DIR": str(folder)}


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_up(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise BenchError(f"atrium serve ended: {log.read_text()}")
        try:
            with urlopen(url + "/readyz", timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise BenchError(f"atrium serve did not come up within a minute: {log.read_text()}")
