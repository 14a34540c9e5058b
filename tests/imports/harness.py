"""Upload exports as a browser does, and a worker of the test that runs them."""

import base64
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from atrium.imports.jobs import Importer
from atrium.kit.postgres.database import open_pool
from atrium.kit.storage import open_storage
from tests.conftest import Api
from tests.recordings.media import TUS
from tests.webhooks.harness import Harness

Json = dict[str, Any]
OFFSET = {**TUS, "content-type": "application/offset+octet-stream"}
ENDED = ("done", "failed", "canceled")


def upload_headers(path: Path) -> dict[str, str]:
    """Return the headers that begin the upload of a file."""
    name = base64.b64encode(path.name.encode()).decode()
    return {**TUS, "upload-length": str(path.stat().st_size), "upload-metadata": f"filename {name}"}


def begin(api: Api, path: Path, client: httpx.Client | None = None, space_id: str | None = None) -> httpx.Response:
    """Create an import without sending its file."""
    where = {"space_id": space_id or api.space_id}
    return (client or api.person).post(f"{api.organization}/imports", params=where, headers=upload_headers(path))


def send(api: Api, url: str, content: bytes, offset: int = 0) -> httpx.Response:
    """Send bytes of the file of an import."""
    return api.person.patch(url, content=content, headers={**OFFSET, "upload-offset": str(offset)})


def upload(api: Api, path: Path) -> str:
    """Upload a file; return the URL of the import."""
    begun = begin(api, path)
    assert begun.status_code == 201, begun.text
    sent = send(api, begun.headers["location"], path.read_bytes())
    assert sent.status_code == 204, sent.text
    return str(begun.headers["location"])


def wait_for(api: Api, url: str, *statuses: str) -> Json:
    """Wait for the worker of the server; return the import."""
    deadline = time.monotonic() + 120
    while (found := dict(api.person.get(url).json()))["status"] not in statuses:
        assert time.monotonic() < deadline and found["status"] not in ENDED, found
        time.sleep(0.05)
    return found


def import_by_upload(api: Api, path: Path) -> tuple[Json, Json]:
    """Upload, check and import a file; return the import after its check and at its end."""
    url = upload(api, path)
    ready = wait_for(api, url, "ready")
    started = api.person.post(f"{url}/start")
    assert started.status_code == 202, started.text
    return ready, wait_for(api, url, "done")


async def upload_async(harness: Harness, path: Path) -> str:
    """Upload a file to a harness; return the URL of the import."""
    organization = f"/v1/organizations/{harness.made['organization_id']}"
    where = {"space_id": harness.made["space_id"]}
    begun = await harness.client.post(f"{organization}/imports", params=where, headers=upload_headers(path))
    assert begun.status_code == 201, begun.text
    url = str(begun.headers["location"])
    content = path.read_bytes()  # noqa: ASYNC240 - a small file
    sent = await harness.client.patch(url, content=content, headers={**OFFSET, "upload-offset": "0"})
    assert sent.status_code == 204, sent.text
    return url


@asynccontextmanager
async def importer(harness: Harness) -> AsyncIterator[Importer]:
    """Yield a worker's importer that uses the clock of the test."""
    pool = await open_pool(harness.settings.database_url or "", size=4)
    storage: Callable[[], Any] = lambda: open_storage(harness.settings)  # noqa: E731
    try:
        yield Importer(pool, storage, harness.settings, harness.clock)
    finally:
        await pool.close()
