"""An empty server is set up once, by the person who has the setup link that it printed."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import asyncpg
import httpx
import pytest

from atrium.bootstrap.token import is_token, new_token
from atrium.kit.settings import Settings
from atrium.server.ui import is_built
from tests.conftest import FakeClock, in_process_client, new_organization, own_postgres, run_in_thread, running_server

START = datetime(2026, 11, 21, 9, tzinfo=UTC)
OWN = {"sec-fetch-site": "same-origin"}
FIELDS = {"organization": "Acme", "name": "Ada", "email": "ada@example.org", "password": "a good long password"}


@pytest.fixture(scope="module")
def own_settings() -> Iterator[Settings]:
    """Return settings with an empty database."""
    with own_postgres() as made:
        yield made


async def make_empty(settings: Settings) -> None:
    db = await asyncpg.connect(settings.database_url)
    await db.execute("truncate organizations, actors, sign_in_attempts cascade")
    await db.close()


@asynccontextmanager
async def empty(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """Run an empty server."""
    await make_empty(settings)
    async with in_process_client(settings, FakeClock(START)) as client:
        yield client


async def set_up(client: httpx.AsyncClient, token: str, **headers: str) -> httpx.Response:
    return await client.post("/v1/set-up", json={"content": {**FIELDS, "token": token}}, headers=headers or OWN)


@pytest.mark.contract("Web application 32")
def test_the_setup_link_works_once(own_settings: Settings) -> None:
    async def act() -> None:
        async with empty(own_settings) as client:
            assert (await client.get("/v1/set-up")).json() == {"needed": True}
            old, token = new_token(own_settings), new_token(own_settings)
            for refused in (await set_up(client, old), await set_up(client, "guessed")):
                assert (refused.status_code, refused.json()["code"]) == (403, "set_up_refused")
            assert (await set_up(client, token, **{"sec-fetch-site": "cross-site"})).json()["code"] == "forged_request"
            made = await set_up(client, token)
            assert made.status_code == 201, made.text
            assert (await client.get("/v1/me/profile")).json()["email"] == FIELDS["email"]
            home = f"/v1/organizations/{made.json()['organization_id']}"
            assert (await client.get(home)).json()["organization"]["name"] == "Acme"
            entries = (await client.get(f"{home}/audit-log")).json()["entries"]
            created = next(each for each in entries if each["action"] == "organization.created")
            assert created["actor"]["name"] == "Ada"
            assert "password" not in str(created)
            assert (await client.get("/v1/set-up")).json() == {"needed": False}
            assert (await set_up(client, token)).json()["code"] == "set_up_refused"
            assert (await set_up(client, new_token(own_settings))).json()["code"] == "set_up_refused"

    asyncio.run(act())


@pytest.mark.contract("Web application 32")
def test_only_one_of_many_concurrent_setup_requests_succeeds(own_settings: Settings) -> None:
    async def act() -> None:
        async with empty(own_settings) as client:
            token = new_token(own_settings)
            answers = await asyncio.gather(*(set_up(client, token) for _ in range(6)))
            assert sorted(each.status_code for each in answers) == [201, 403, 403, 403, 403, 403]

    asyncio.run(act())


def test_guessing_a_setup_token_is_slowed_down(own_settings: Settings) -> None:
    async def act() -> None:
        async with empty(own_settings) as client:
            token = new_token(own_settings)
            statuses = [(await set_up(client, "guessed")).status_code for _ in range(20)]
            assert statuses == [403] * 20
            refused = await set_up(client, token)
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_attempts")
            assert refused.headers["retry-after"] == "30"

    asyncio.run(act())


def test_no_setup_token_is_valid_before_one_is_created(own_settings: Settings) -> None:
    other = own_settings.with_changes(port=1)
    assert not is_token(other, "")
    assert not is_token(other, "x")


def test_the_server_prints_a_setup_link_while_it_is_empty(own_settings: Settings) -> None:
    run_in_thread(make_empty(own_settings))
    with running_server(own_settings) as running:
        log = running.output.read_text()
        assert "atrium init" in log
        link = re.search(r"^(\S+)/sign-in#set-up=(\S+)$", log, re.M)
        assert bool(link) == is_built()
        if link:
            assert link[1] == running.url
            answer = httpx.post(
                f"{running.url}/v1/set-up", json={"content": {**FIELDS, "token": link[2]}}, headers=OWN, timeout=60
            )
            assert answer.status_code == 201, answer.text
        else:
            new_organization(own_settings, running.url).close()
    with running_server(own_settings.with_changes(port=running.settings.port)) as running:
        assert "set-up" not in running.output.read_text()
