"""Of two requests for a change at the same time the audit log shows one after the other, each with what was there before
it."""

import asyncio
from datetime import datetime
from uuid import UUID

import asyncpg
import httpx
import pytest

from atrium.audit.queries import LOCK_SUBJECT
from atrium.kit.clock import utc_now
from atrium.kit.http.route import Route
from atrium.permissions import Subject
from tests.audit.test_trail import EXAMPLES_OF_TEXT, ON_ITS_WAY, READ_BY_POST, SAME_AS_BEFORE, Json, requested
from tests.before_it_commits import before_it_commits
from tests.conftest import Api
from tests.contract.test_openapi import named, tour
from tests.contract.tour import World
from tests.permissions.callers import Caller, Standing
from tests.permissions.examples import Ids, fresh, furnished, request_as

WITHOUT_ENTRY = EXAMPLES_OF_TEXT | ON_ITS_WAY | READ_BY_POST | SAME_AS_BEFORE
CALLER = Caller("super_admin", Standing.HERE)
# They end the key that requests them, or need an empty server.
OTHERS = {"end_current_session", "end_own_sessions", "end_own_session", "create_set_up"}


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "POST", "PUT"])
def test_two_requests_at_the_same_time_have_the_entries_of_two_in_turn(api: Api, method: str) -> None:
    """A directory's request that changes nothing has no entry."""
    world = furnished(api)
    routes = [each for each in tour() if each.method == method and named(each) not in WITHOUT_ENTRY | OTHERS]
    assert routes
    wrong = {}
    for route in routes:
        client = api.integration if route.permission.subject is Subject.DIRECTORY else api.person
        ids = fresh(world, route, CALLER, client)
        before = len(requested(api))
        answers = asyncio.run(twice(world, route, client, ids))
        succeeded = [each for each in answers if each.is_success]
        added = requested(api)[: len(requested(api)) - before]
        complete = len(added) == len(succeeded) or (route.permission.subject is Subject.DIRECTORY and len(added) < 2)
        if not complete or not in_turn(added) or (method == "DELETE" and len(succeeded) != 1):
            wrong[named(route)] = (
                [each.status_code for each in answers],
                [(each["before"], each["after"]) for each in added],
            )
        assert all(each.status_code < 500 or each.status_code == 503 for each in answers), named(route)
    assert not wrong


def in_turn(added: list[Json]) -> bool:
    """Return whether the later of two entries begins with what the earlier one left, if both changed the same."""
    if len(added) < 2 or added[0]["target"] != added[1]["target"] or None in (added[0]["before"], added[1]["after"]):
        return True
    later, earlier = added[0]["before"], added[1]["after"]
    return all(later[name] == earlier[name] for name in later.keys() & earlier.keys())


def test_a_change_that_waited_is_in_the_log_when_it_went_on(api: Api) -> None:
    """Otherwise it would stand before the change that it waited for."""
    client, room = api.person, f"/v2/rooms/{api.room_id}"

    async def wait() -> datetime:
        db = await asyncpg.connect(api.settings.database_url)
        async with db.transaction():
            await db.execute(LOCK_SUBJECT, UUID(api.room_id))
            change = asyncio.create_task(asyncio.to_thread(client.patch, room, json={"name": "later"}))
            while not await db.fetch(
                "select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))"
            ):
                await asyncio.sleep(0.01)
            until = utc_now()
        assert (await change).status_code == 200
        await db.close()
        return until

    until = asyncio.run(wait())
    assert datetime.fromisoformat(requested(api)[0]["at"]) >= until.replace(
        microsecond=until.microsecond // 1000 * 1000
    )


async def twice(world: World, route: Route, client: httpx.Client, ids: Ids) -> list[httpx.Response]:
    """Send a request, and send it again before the first is committed; return both responses."""
    answers = list[httpx.Response]()

    def ask() -> None:
        answers.append(request_as(world, route, client, ids))

    async with before_it_commits(world.api, ask) as then:
        await then(asyncio.to_thread(ask))
    return answers
