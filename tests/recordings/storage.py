"""Media in S3 and in folders."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import httpx
import pytest
from moto.server import ThreadedMotoServer

from atrium.cleanup.actions import clean_up
from atrium.server.app import create_app
from tests.conftest import FakeClock, free_port, new_organization, own_postgres

CREDENTIALS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
World = Callable[[httpx.AsyncClient, FakeClock, Any, dict[str, str]], Awaitable[None]]


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """Yield the URL of a storage in a bucket of an S3 server."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=free_port())
    server.start()
    host, port = server.get_host_and_port()
    own = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
    boto3.client("s3", endpoint_url=f"http://{host}:{port}", **own).create_bucket(Bucket="media")
    yield f"s3://media/atrium?endpoint=http://{host}:{port}"
    server.stop()


def under_a_clock(act: World) -> None:
    """Run against a server with a clock that the test moves, and its own database and folder."""
    with own_postgres() as settings:
        api, clock = (
            new_organization(settings, "http://atrium.test"),
            FakeClock(datetime.now(UTC) + timedelta(minutes=1)),
        )

        async def run() -> None:
            app = create_app(settings, clock)
            async with app.lifespan():
                transport = httpx.ASGITransport(app=app)
                own = {"authorization": f"Bearer {api.personal_key}"}
                async with httpx.AsyncClient(transport=transport, base_url="http://atrium.test", headers=own) as client:
                    await act(client, clock, app.service, {"space": api.space_id, "room": api.room_id})

        asyncio.run(run())


async def rounds(service: Any, clock: FakeClock) -> None:
    """Run the chores now, and again once discarded objects may be deleted."""
    await clean_up(service.pool, service.storage, service.settings, service.clock, service.clock())
    clock.at += timedelta(minutes=11)
    await clean_up(service.pool, service.storage, service.settings, service.clock, service.clock())


def stored_folders(service: Any) -> set[str]:
    """Return the folders of the storage."""
    return {each.name for each in (service.settings.data_dir / "media").iterdir()}
