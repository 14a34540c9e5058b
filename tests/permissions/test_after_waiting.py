"""A request that waited for another is carried out only if its caller may still make it: a key or a role that ended
meanwhile counts."""

import asyncio
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import httpx
import pytest

from atrium.audit.queries import LOCK_SUBJECT
from atrium.kit.http.route import Route
from atrium.kit.text.types import UUID_TEXT
from atrium.permissions import OrganizationRole, Subject
from tests.audit.entries import READ_BY_POST
from tests.before_it_commits import WAITING
from tests.conftest import Api
from tests.contract.tour import World, handler_name, tour
from tests.permissions.callers import Caller, Standing
from tests.permissions.examples import fresh, furnish, request_as

LOCKED_TABLES = (
    "actors", "people", "api_keys", "webhooks", "groups", "spaces", "rooms", "room_heads",
    "recordings", "messages", "blocks", "imports", "invitations", "incoming_webhooks",
)  # fmt: skip

# One statement authenticates, permits and locks: it waits only for changes of the same room that are in progress.
IN_ONE_STATEMENT = {"send_message"}
OWN_MARKERS = {"put_read_marker", "put_thread_read_marker"}  # nobody else has them


class Ending(NamedTuple):
    """How a right ends, and the statuses of a request that may not be made without it."""

    statement: str
    statuses: tuple[int, ...]


REVOKED = Ending("update api_keys set revoked_at = now() where key_hash = sha256($1::text::bytea)", (401,))
DEMOTED = Ending(
    """
    update memberships set role = 'guest' where actor_id = (
        select actor_id from api_keys where key_hash = sha256($1::text::bytea))
    """,
    (403, 404),
)


@pytest.mark.contract("Roles and keys 16")
def test_of_several_concurrent_rotations_of_a_key_with_itself_one_succeeds(api: Api) -> None:
    """The others were sent with a key that was rotated when their turn came."""
    key = api.new_person()[1]
    path = f"/v1/me/integrations/{api.client(key).get('/v1/me/integrations').json()['integrations'][0]['api_key_id']}"
    assert outcomes_of_rotations(api, key, path) == [200, 401, 401, 401]


@pytest.mark.contract("Roles and keys 16")
def test_of_several_concurrent_rotations_of_an_organization_key_with_itself_one_succeeds(api: Api) -> None:
    made = api.new_integration(role="admin")
    # An admin's key is rotated by a super_admin only: this integration becomes one.
    api.sql(
        "update memberships set role = 'super_admin' where actor_id = $1::text::uuid",
        made["api_key"]["integration_id"],
    )
    path = f"{api.organization}/api-keys/{made['api_key']['api_key_id']}"
    assert outcomes_of_rotations(api, made["key"], path) == [200, 401, 401, 401]


def outcomes_of_rotations(api: Api, key: str, path: str) -> list[int]:
    """Let four rotations wait for a key's row; return their statuses, sorted."""
    client = api.client(key)

    async def run() -> list[int]:
        db = await asyncpg.connect(api.settings.database_url)
        async with db.transaction():
            await db.execute("select from api_keys where api_key_id = $1 for update", UUID(path.rpartition("/")[2]))
            tasks = [asyncio.create_task(asyncio.to_thread(client.post, f"{path}/rotate")) for _ in range(4)]
            while len(await db.fetch(WAITING)) < len(tasks):
                await asyncio.sleep(0.01)
        await db.close()
        return sorted(answer.status_code for answer in await asyncio.gather(*tasks))

    return asyncio.run(run())


@pytest.mark.contract("Roles and keys 16")
@pytest.mark.parametrize("ending", [REVOKED, DEMOTED], ids=["revoked", "demoted"])
def test_a_request_whose_caller_lost_the_right_while_it_waited_is_rejected(api: Api, ending: Ending) -> None:
    world, waited, wrong = furnish(api), set[str](), dict[str, Any]()
    for route in tour():
        if route.method == "GET" or route.permission.subject is Subject.ANYONE:
            continue
        if ending is DEMOTED and not (route.permission.organization or route.permission.space):
            continue
        if handler_name(route) in IN_ONE_STATEMENT | OWN_MARKERS | READ_BY_POST:
            continue
        for _ in range(2):  # what waited the first time may have been the worker
            answer = asyncio.run(after_waiting(world, route, new_caller(world, route), ending))
            if answer is None:
                break
            waited.add(handler_name(route))
            if answer.status_code in ending.statuses:
                break
        else:
            wrong[handler_name(route)] = (answer.status_code, answer.text[:200])
    assert len(waited) > 30, sorted(waited)
    assert not wrong, "\n".join(f"{name}: {answer}" for name, answer in wrong.items())


def new_caller(world: World, route: Route) -> Caller:
    """Return a super_admin of their own for a route; for the directory an integration."""
    api = world.api
    if route.permission.subject is Subject.DIRECTORY:
        made = api.new_integration(role="admin")
        return Caller("directory", Standing.HERE, made["key"], made["api_key"]["integration_id"], is_person=False)
    actor_id, key = api.new_person("super_admin")
    return Caller("super_admin", Standing.HERE, key, actor_id, role=OrganizationRole.SUPER_ADMIN)


async def after_waiting(world: World, route: Route, caller: Caller, ending: Ending) -> httpx.Response | None:
    """Send a request while its resources are locked, end the caller's right, and unlock them. Return the response,
    None if the request did not wait."""
    api = world.api
    client = api.client(caller.key)
    ids = fresh(world, route, caller, client)
    db = await asyncpg.connect(api.settings.database_url)
    async with db.transaction():
        path = world.path(route, **{each: ids[each] for each in ids if each in route.path_names})
        subjects = [part for part in path.split("/") if UUID_TEXT.fullmatch(part)] or [caller.actor_id]
        await db.execute(LOCK_SUBJECT, UUID(subjects[-1]))
        await db.execute("select from organizations for update")  # as a change of a member does
        for table in LOCKED_TABLES:
            await db.execute(f"select from {table} for no key update")
        task = asyncio.create_task(asyncio.to_thread(request_as, world, route, client, ids))
        while not (blocked := await db.fetch(WAITING)) and not task.done():
            await asyncio.sleep(0.01)
        assert caller.key
        await db.execute(ending.statement, caller.key)
    await db.close()
    answer = await task
    client.close()
    return answer if blocked else None
