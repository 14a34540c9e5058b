"""The fixtures of all tests: an embedded PostgreSQL for the run, a real server with two HTTP processes, and organizations.

Each test has its own organization, so that no test sees another's data.
"""

import asyncio
import atexit
import os
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import asyncpg
import httpx
import hypothesis
import psycopg
import pytest

from atrium.bootstrap.actions import set_up_with_keys as set_up
from atrium.kit.clock import Clock, utc_now
from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.process.memory import tune_garbage_collector
from atrium.kit.settings import Settings
from atrium.migrations import migrate
from atrium.server.app import create_app
from atrium.webhooks.queue.queries import HAS_EVENTS
from tests.cheap_hashes import hash_cheaply
from tests.tiers import pytest_addoption, pytest_ignore_collect  # noqa: F401 - pytest calls them
from tests.wait_until import wait_until

EMPTY = "empty"  # the template of other databases
UNREACHABLE_URL = "http://127.0.0.1:9"  # the transcription service; each attempt is retried a minute later
MEMORY = Path("/dev/shm")
SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"
T = TypeVar("T")
hash_cheaply()
tune_garbage_collector()  # collecting takes an eighth of the time in which pytest finds the tests
hypothesis.settings.register_profile("atrium", deadline=None)  # the machine may be busy
hypothesis.settings.load_profile("atrium")
TLS = ssl.create_default_context()  # created once, because each httpx client would spend 45 ms on it
ROOM_NUMBERS = count(1)
_IDLE: dict[str, asyncpg.Connection] = {}  # by the URL of its database
ATRIUM = Path(sys.executable).with_name("atrium")
WITH_CHEAP_HASHES = (sys.executable, "-P", str(Path(__file__).with_name("cheap_hashes.py")))


def free_port() -> int:
    """Return a port that no one listens on. The system gives it to no one else before it is used: it is below those
    that it chooses for connections and for port 0."""
    while True:
        port = 10_000 + secrets.randbelow(22_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def scratch_folder(parent: Path = Path("/tmp")) -> Iterator[Path]:
    """Yield a folder with a short path (for a UNIX socket) that the database's own user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="atrium-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class RunningServer:
    """A running `atrium serve`."""

    url: str
    settings: Settings
    process: subprocess.Popen[str]
    output: Path


@contextmanager
def running_server(settings: Settings, **environment: str) -> Iterator[RunningServer]:
    """Run `atrium serve` on loopback in its own process group; stop it as Ctrl-C would."""
    port = settings.port or free_port()
    settings = settings.with_changes(port=port)
    output = settings.data_dir / f"serve-{port}.log"
    with output.open("w") as log:
        process = subprocess.Popen(
            [*WITH_CHEAP_HASHES, "serve"],
            env={**os.environ, **settings.environment(), **environment},
            text=True,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(url, process, output)
        yield RunningServer(url, settings, process, output)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_until_up(url: str, process: subprocess.Popen[str], output: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(f"atrium serve ended: {output.read_text()}")
        try:
            httpx.get(f"{url}/docs/problems", timeout=2, verify=TLS)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("atrium serve did not come up within a minute")


@cache
def _databases() -> Path:
    """Return where databases of tests are: in memory if it has room, as creating one on a disk takes 30 times as
    long."""
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 4 << 30
    return MEMORY if has_room else Path("/tmp")


@cache
def _template_folder() -> Path:
    """Return a data folder with a migrated empty database and a template of it. Created once, as that takes seconds."""
    folder = Path(tempfile.mkdtemp(prefix="atrium-", dir=_databases()))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with embedded_postgres(folder) as url:
        migrate(url)
        with psycopg.connect(url, dbname="postgres", autocommit=True) as db:
            db.execute(f"create database {EMPTY} template atrium".encode())
    with (folder / "postgres" / "postgresql.conf").open("a") as file:
        file.write("fsync = off\nmax_wal_size = '256MB'\n")  # tests kill processes, never the machine
    return folder


@contextmanager
def prepared_folder() -> Iterator[Path]:
    """Yield a data folder of the test's own with a migrated empty database that no server runs."""
    with scratch_folder(_databases()) as folder:
        prepare(folder)
        yield folder


def prepare(folder: Path) -> None:
    """Put a migrated empty database, which no server runs, into a data folder."""
    subprocess.run(["cp", "-a", _template_folder() / "postgres", folder], check=True)


@contextmanager
def own_postgres() -> Iterator[Settings]:
    """Yield settings of the test's own PostgreSQL with a migrated empty database."""
    with prepared_folder() as folder, embedded_postgres(folder) as url:
        yield Settings(data_dir=folder, database_url=url, port=0, workers=1, rate_limit=0)


@pytest.fixture(scope="session")
def settings() -> Iterator[Settings]:
    """Yield settings of a migrated empty database that lasts for the run."""
    with own_postgres() as made:
        yield made.with_changes(workers=2, transcriber=UNREACHABLE_URL)


@contextmanager
def fresh_database(settings: Settings) -> Iterator[Settings]:
    """Yield settings of a new database that no other worker polls."""
    url, name = settings.database_url or "", f"test_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"create database {name} template {EMPTY} strategy file_copy".encode())
    try:
        yield settings.with_changes(database_url=url.replace("/atrium?", f"/{name}?"), port=free_port())
    finally:
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(f"drop database {name} with (force)".encode())


@pytest.fixture(scope="session")
def server(settings: Settings) -> Iterator[RunningServer]:
    """Run `atrium serve --workers 2` for the run, without a rate limit."""
    with running_server(settings) as running:
        yield running


@dataclass
class Api:
    """A test's own organization, and clients that send requests as its actors."""

    url: str
    settings: Settings
    organization_id: str
    person_id: str
    space_id: str
    room_id: str
    organization_key: str
    personal_key: str
    sign_in_url: str
    _clients: list[httpx.Client] = field(default_factory=list)

    def client(self, key: str | None) -> httpx.Client:
        """Return a client that sends `key`, or none."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        made = httpx.Client(base_url=self.url, headers=headers, timeout=30, verify=TLS)
        self._clients.append(made)
        return made

    @property
    def person(self) -> httpx.Client:
        """Return the super_admin's client."""
        return self.client(self.personal_key)

    @property
    def integration(self) -> httpx.Client:
        """Return the client of the integration that `init` creates: organization admin, admin of the first space."""
        return self.client(self.organization_key)

    @property
    def organization(self) -> str:
        return f"/v1/organizations/{self.organization_id}"

    @property
    def messages(self) -> str:
        return f"/v2/rooms/{self.room_id}/messages"

    def sql(self, statement: str, *arguments: Any) -> list[asyncpg.Record]:
        """Run a statement directly in the database, to set up or check states that the API does not offer."""
        return run_in_thread(_in_database(self.settings, lambda db: db.fetch(statement, *arguments)))

    def wait_for_queue(self) -> None:
        """Wait until the events up to now are queued for webhooks."""
        wait_until(lambda: self.sql(HAS_EVENTS)[0]["exists"] is False, "all events are queued")

    def new_person(self, role: str = "member", email: str | None = None) -> tuple[str, str]:
        """Add a person through an invitation; return their id and a personal key."""
        email = email or f"p{os.urandom(6).hex()}@example.org"
        response = self.person.post(
            f"{self.organization}/invitations", json={"content": {"email": email, "role": role}}
        )
        assert response.status_code == 201, response.text
        body = {"content": {"token": response.json()["token"], "name": email.partition("@")[0]}}
        taken = self.client(None).post("/v1/invitations/accept", json=body)
        assert taken.status_code == 201, taken.text
        return taken.json()["person_id"], taken.json()["key"]

    def new_integration(self, spaces: list[dict[str, str]] | None = None, role: str = "member") -> dict[str, Any]:
        """Create an integration; return the response that shows its key."""
        content = {"name": "Another", "spaces": spaces or [], "organization_role": role}
        made = self.person.post(f"{self.organization}/api-keys", json={"content": content})
        assert made.status_code == 201, made.text
        return made.json()

    def new_room(self, space_id: str | None = None, **fields: Any) -> dict[str, Any]:
        """Create a room; return it. Its name is its own, as no two rooms of a space have the same."""
        body = {"name": f"room {next(ROOM_NUMBERS)}", **fields}
        made = self.person.post(f"/v2/spaces/{space_id or self.space_id}/rooms", json=body)
        assert made.status_code == 201, made.text
        return made.json()

    def new_space(self, visibility: str = "open") -> str:
        """Create a space; return its id."""
        content = {"name": "space", "visibility": visibility}
        made = self.person.post(f"{self.organization}/spaces", json={"content": content})
        assert made.status_code == 201, made.text
        return made.json()["space"]["space_id"]

    def send(self, text: str = "hello", **fields: Any) -> dict[str, Any]:
        """Send a message to the first room as the super_admin; return it."""
        sent = self.person.post(self.messages, json={"text": text, **fields})
        assert sent.status_code == 201, sent.text
        return sent.json()

    def close(self) -> None:
        for client in self._clients:
            client.close()


@cache
def _thread() -> asyncio.AbstractEventLoop:
    """Return an event loop that runs in a thread of its own: this one may have a loop already, as with a browser."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="tests", daemon=True).start()
    return loop


def run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` in the event loop of another thread."""
    return asyncio.run_coroutine_threadsafe(work, _thread()).result()


async def _in_database(settings: Settings, act: Callable[[Any], Any]) -> Any:
    """Call `act` with a connection, which the next call uses again: the first enum costs a connection 50 ms."""
    url = settings.database_url or ""
    db = _IDLE.pop(url, None)
    if db is None or db.is_closed():
        db = await asyncpg.connect(url)
    try:
        return await act(db)
    finally:
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):  # its server may have ended
            await db.reset()
        if _IDLE.setdefault(url, db) is not db:
            await db.close()


def new_organization(settings: Settings, url: str, name: str = "Acme") -> Api:
    """Create an organization as `atrium init` does."""

    async def act(db: Any) -> dict[str, str]:
        async with db.transaction():
            email = f"super{os.urandom(6).hex()}@example.org"
            return await set_up(db, url, organization=name, email=email, name="Ada", now=utc_now())

    return Api(url, settings, **run_in_thread(_in_database(settings, act)))


@pytest.fixture
def api(server: RunningServer) -> Iterator[Api]:
    """Create an organization on the running server."""
    made = new_organization(server.settings, server.url)
    yield made
    made.close()


@pytest.fixture
def outsider(server: RunningServer) -> Iterator[Api]:
    """Create another organization on the same server."""
    made = new_organization(server.settings, server.url, "Others")
    yield made
    made.close()


@asynccontextmanager
async def in_process_client(settings: Settings, clock: Clock) -> AsyncIterator[httpx.AsyncClient]:
    """Run the application in this process with a clock of the test; yield a client without a key."""
    app = create_app(settings, clock)
    async with app.lifespan():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://atrium.test") as client:
            yield client


class FakeClock:
    """A clock that stands still until the test moves it."""

    def __init__(self, at: Any) -> None:
        self.at = at

    def __call__(self) -> Any:
        return self.at
