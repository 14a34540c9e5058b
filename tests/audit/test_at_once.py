"""Of two requests for a change at the same time the audit log shows one after the other, each with what was there before
it."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import product
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from atrium.audit.queries import LOCK_SUBJECT
from atrium.kit.clock import utc_now
from atrium.kit.http.route import Route
from atrium.permissions import Subject
from tests.audit.entries import (
    ELSEWHERE,
    EXAMPLES_OF_TEXT,
    ON_ITS_WAY,
    READ_BY_POST,
    SAME_AS_BEFORE,
    Json,
    request_entries,
)
from tests.before_it_commits import before_it_commits
from tests.cli.running import run
from tests.conftest import Api
from tests.contract.tour import World, handler_name, tour
from tests.permissions.callers import Caller, Standing
from tests.permissions.examples import Ids, fresh, furnish, request_as

WITHOUT_ENTRY = EXAMPLES_OF_TEXT | ELSEWHERE | ON_ITS_WAY | READ_BY_POST | SAME_AS_BEFORE
CALLER = Caller("super_admin", Standing.HERE)
# They end the key that requests them, or need an empty server.
OTHERS = {"end_current_session", "end_own_sessions", "end_own_session", "create_set_up"}


@pytest.mark.contract("Audit log 4")
@pytest.mark.parametrize("method", ["DELETE", "PATCH", "POST", "PUT"])
def test_two_requests_at_the_same_time_have_the_entries_of_two_in_turn(api: Api, method: str) -> None:
    """A directory's request that changes nothing has no entry."""
    world = furnish(api)
    routes = [each for each in tour() if each.method == method and handler_name(each) not in WITHOUT_ENTRY | OTHERS]
    assert routes
    wrong = {}
    for route in routes:
        client = api.integration if route.permission.subject is Subject.DIRECTORY else api.person
        ids = fresh(world, route, CALLER, client)
        before = len(request_entries(api))
        answers = asyncio.run(twice(world, route, client, ids))
        succeeded = [each for each in answers if each.is_success]
        added = request_entries(api)[: len(request_entries(api)) - before]
        complete = len(added) == len(succeeded) or (route.permission.subject is Subject.DIRECTORY and len(added) < 2)
        if not complete or not in_turn(added) or (method == "DELETE" and len(succeeded) != 1):
            wrong[handler_name(route)] = (
                [each.status_code for each in answers],
                [(each["before"], each["after"]) for each in added],
            )
        assert all(each.status_code < 500 or each.status_code == 503 for each in answers), handler_name(route)
    assert not wrong


@pytest.mark.contract("Audit log 4")
def test_a_change_and_an_action_at_the_same_time_have_the_entries_of_two_in_turn(api: Api) -> None:
    """Such as rotating a key while its name is changed."""
    world, wrong, pairs = furnish(api), list[str](), 0
    routes = [each for each in tour() if handler_name(each) not in WITHOUT_ENTRY]
    for change, action in product(routes, routes):
        if (change.method, action.method) == ("PATCH", "POST") and action.path.rpartition("/")[0] == change.path:
            pairs += 1
            wrong += [
                " then ".join(map(handler_name, each))
                for each in ((change, action), (action, change))
                if not same_in_turn(world, *each)
            ]
    assert pairs > 4
    assert not wrong


def same_in_turn(world: World, first: Route, second: Route) -> bool:
    """Return whether two requests for the same resource at the same time have the entries of two in turn."""
    client = world.api.person
    ids = {**fresh(world, first, CALLER, client), **fresh(world, second, CALLER, client)}
    before = len(request_entries(world.api))
    change, action = (partial(request_as, world, each, client, ids) for each in (first, second))
    asyncio.run(both(change, action, world.api))
    added = request_entries(world.api)[: len(request_entries(world.api)) - before]
    assert len(added) == 2, (handler_name(first), handler_name(second))
    return in_turn(added)


@pytest.mark.contract("Audit log 4")
def test_an_operator_changes_what_a_request_under_way_leaves(api: Api) -> None:
    person_id, _ = api.new_person()
    change = {"content": {"role": "guest"}}
    request = partial(api.person.patch, f"{api.organization}/members/{person_id}", json=change)
    command = partial(run, api, "people", "role", person_id, "admin", "--organization", api.organization_id)
    asyncio.run(both(request, command, api))
    later, earlier = request_entries(api)[:2]
    assert (earlier["after"], later["before"], later["after"]) == (
        {"role": "guest"},
        {"role": "guest"},
        {"role": "admin"},
    )


def in_turn(added: list[Json]) -> bool:
    """Return whether the later of two entries begins with what the earlier one left, if both changed the same."""
    if len(added) < 2 or added[0]["target"] != added[1]["target"] or None in (added[0]["before"], added[1]["after"]):
        return True
    later, earlier = added[0]["before"], added[1]["after"]
    return all(later[name] == earlier[name] for name in later.keys() & earlier.keys())


@pytest.mark.contract("Audit log 4")
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
    assert datetime.fromisoformat(request_entries(api)[0]["at"]) >= until.replace(
        microsecond=until.microsecond // 1000 * 1000
    )


async def twice(world: World, route: Route, client: httpx.Client, ids: Ids) -> list[httpx.Response]:
    """Send a request, and send it again before the first is committed; return both responses."""
    answers = list[httpx.Response]()

    def ask() -> None:
        answers.append(request_as(world, route, client, ids))

    await both(ask, ask, world.api)
    return answers


async def both(first: Callable[[], Any], second: Callable[[], Any], api: Api) -> None:
    """Do the second before the first is committed."""
    async with before_it_commits(api, first) as then:
        await then(asyncio.to_thread(second))
