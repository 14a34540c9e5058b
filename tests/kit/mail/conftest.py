"""Fixtures of tests of mail."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import psycopg
import pytest

from atrium.kit.settings import Settings
from atrium.migrations import migrate
from tests.kit.mail.mailbox import Mailbox, Run, smtp_server, with_empty_mailbox


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
def smtp(mailbox: Mailbox) -> Iterator[str]:
    with smtp_server(mailbox) as url:
        yield url


@pytest.fixture(scope="module")
def database(settings: Settings) -> Iterator[str]:
    """Return settings of a database whose mail no other process sends."""
    name = f"mail_{os.urandom(4).hex()}"
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url, autocommit=True) as db:
        db.execute(f"create database {name}")
    url = settings.database_url.replace("/atrium?", f"/{name}?")
    migrate(url)
    yield url
    with psycopg.connect(settings.database_url, autocommit=True) as db:
        db.execute(f"drop database {name} with (force)")


@pytest.fixture
def run(database: str) -> Run:
    """Return a function that runs a test's steps with a pool of connections to a database without mail."""

    def with_pool(steps: Callable[[Any], Awaitable[Any]]) -> Any:
        async def go() -> Any:
            async with with_empty_mailbox(database) as pool:
                return await steps(pool)

        return asyncio.run(go())

    return with_pool
