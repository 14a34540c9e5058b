"""The usage of a key: its requests on each day, their networks, and the scopes that they needed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest

from atrium.cleanup.actions import clean_up
from atrium.keys import usage_queries, uses
from atrium.keys.uses import Kind, UseCounts
from atrium.kit.postgres.database import open_pool
from atrium.permissions import Scope
from atrium.server.app import create_app
from tests.conftest import Api, FakeClock, in_process_client
from tests.contract.tour import CLOSED, assert_problem, subscription
from tests.keys.limits import integration_key, own_key, place
from tests.live.client import listen, streams
from tests.recordings.media import TUS, video_room
from tests.wait_until import wait_until

Json = dict[str, Any]
ROOM = "/v2/rooms/{room_id}"
MESSAGES = f"{ROOM}/messages"
NOW = datetime.now(UTC).replace(hour=12, minute=0)


def usage_of(api: Api, shown: Json) -> Json:
    answer = api.person.get(f"{place(api, shown)}/usage")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def usage_at(api: Api, shown: Json, at: datetime) -> Json:
    """Return the response of a server whose clock shows `at`."""
    answers = []

    async def read(client: httpx.AsyncClient) -> None:
        answers.append((await client.get(f"{place(api, shown)}/usage")).json())

    use(api, api.personal_key, read, at)
    return dict(answers[0])


def rows(usage: Json) -> list[tuple[Any, ...]]:
    """Return the counts: the day, the request, the scope, and the numbers."""
    return [
        (
            each["day"],
            f"{each['method']} {each['route']}",
            each["scope"],
            (each["requests"], each["forbidden"], each["limited"]),
        )
        for each in usage["usage"]
    ]


def day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def use(
    api: Api, key: str, act: Callable[[httpx.AsyncClient], Awaitable[None]], at: datetime = NOW, **more: Any
) -> None:
    """Run `act` with a client that sends `key`, and end the server, which writes what it counted."""

    async def scenario() -> None:
        async with in_process_client(api.settings.with_changes(**more), FakeClock(at)) as client:
            client.headers["authorization"] = f"Bearer {key}"
            await act(client)

    asyncio.run(scenario())


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16", "Scopes and networks 17")
@pytest.mark.parametrize("make", [own_key, integration_key])
def test_requests_are_counted_by_day_and_route_with_those_that_were_rejected(
    api: Api, make: Callable[..., Json]
) -> None:
    shown, bot = make(api, scopes=["messages:read", "messages:write", "search"]), api.new_integration()
    narrow, elsewhere = f"{api.organization}/api-keys", f"/v2/rooms/{uuid4()}/messages"
    sent = api.send("root")["message_id"]

    async def act(client: httpx.AsyncClient) -> None:
        statuses = [
            (await client.get(api.messages)).status_code,
            (await client.get(api.messages)).status_code,
            (await client.get(f"/v2/rooms/{api.room_id}/threads/{sent}/messages")).status_code,
            (await client.head(api.messages)).status_code,
            (await client.post(api.messages, json={"text": "a"})).status_code,
            (await client.get(f"/v2/rooms/{api.room_id}")).status_code,
            (await client.get(elsewhere)).status_code,
            (await client.get(narrow)).status_code,
            (await client.get("/v1/no/such/path")).status_code,
            (await client.get("/docs")).status_code,
        ]
        assert statuses == [200, 200, 200, 200, 201, 200, 404, 403, 404, 200]

    use(api, shown["key"], act)
    use(api, shown["key"], act, NOW - timedelta(days=1))
    read = usage_of(api, shown)
    assert rows(read) == [
        (day(at), *counted)
        for at in (NOW, NOW - timedelta(days=1))
        for counted in [
            ("GET /v1/organizations/{organization_id}/api-keys", None, (1, 1, 0)),
            (f"GET {ROOM}", None, (1, 0, 0)),
            (f"GET {MESSAGES}", "messages:read", (4, 0, 0)),
            (f"POST {MESSAGES}", "messages:write", (1, 0, 0)),
            (f"GET {ROOM}/threads/{{parent_id}}/messages", "messages:read", (1, 0, 0)),
        ]
    ]
    assert [each["needs_all_scopes"] for each in read["usage"][:4]] == [True, False, False, False]
    assert read["unused_scopes"] == ["search"]
    unused = {"usage": [], "addresses": [], "unused_scopes": list(Scope)}
    assert usage_of(api, bot) == {"counted_since": bot["api_key"]["created_at"], **unused}


@pytest.mark.contract("Scopes and networks 18")
def test_an_old_key_is_counted_since_the_first_of_the_days(api: Api) -> None:
    shown = own_key(api)
    assert usage_of(api, shown)["counted_since"] == shown["api_key"]["created_at"]
    api.sql(
        "update api_keys set created_at = now() - interval '1 year' where api_key_id = $1",
        UUID(shown["api_key"]["api_key_id"]),
    )
    assert usage_at(api, shown, NOW)["counted_since"] == f"{day(NOW - timedelta(days=89))}T00:00:00.000Z"


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16")
def test_a_key_outside_its_networks_is_counted_with_its_address(api: Api) -> None:
    shown = own_key(api, allowed_networks=["192.0.2.0/24"])
    client = api.client(shown["key"])
    for path in (api.messages, f"/v2/rooms/{api.room_id}", "/v1/me/profile"):
        assert assert_problem(client.get(path), 403)["code"] == "network_not_allowed"
    wait_until(lambda: len(usage_of(api, shown)["usage"]) == 3, "the requests are counted")
    wait_until(lambda: usage_of(api, shown)["addresses"], "the address is noted after them")
    read = usage_of(api, shown)
    assert {each[3] for each in rows(read)} == {(1, 1, 0)}
    assert [each["address"] for each in read["addresses"]] == ["127.0.0.1"]


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16")
def test_an_event_stream_is_counted_while_it_is_open(api: Api) -> None:
    shown = own_key(api)

    async def scenario() -> None:
        async with streams(listen(api.url, shown["key"])):
            counted = await asyncio.to_thread(wait_until, lambda: rows(usage_of(api, shown)))
            assert [each[1:] for each in counted] == [("GET /v2/events", "messages:read", (1, 0, 0))]

    asyncio.run(scenario())


@pytest.mark.contract("Scopes and networks 17")
def test_scopes_that_the_content_of_requests_needed_are_not_unused(api: Api) -> None:
    shown, room = own_key(api), video_room(api)
    webhook = {
        "content": {
            "name": "w",
            "endpoint_url": CLOSED,
            "subscriptions": [subscription(api.room_id, include=["message"])],
        }
    }

    async def act(client: httpx.AsyncClient) -> None:
        begun = await client.post(f"/v2/rooms/{room}/uploads", headers={**TUS, "upload-length": "100000"})
        assert begun.status_code == 201, begun.text
        made = await client.post(f"{api.organization}/webhooks", json=webhook)
        assert made.status_code == 201, made.text

    use(api, shown["key"], act)
    read = usage_of(api, shown)
    assert [each[2] for each in rows(read)] == ["webhooks:manage", "recordings:write"]
    needed = {"webhooks:manage", "recordings:write", "messages:read"}
    assert set(read["unused_scopes"]) == {*Scope} - needed


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16")
def test_requests_over_the_rate_limit_are_counted_with_their_route(api: Api, settings: Any) -> None:
    shown, turns = own_key(api), 8

    async def act(client: httpx.AsyncClient) -> None:
        answers = [await client.get(api.messages) for _ in range(turns)]
        answers += [await client.get("/v1/no/such/path") for _ in range(2)]
        assert {answer.status_code for answer in answers[-4:]} == {429}

    use(api, shown["key"], act, rate_limit=1, port=api.settings.port + 1)
    [(_, request, scope, (requests, forbidden, limited))] = rows(usage_of(api, shown))
    assert (request, scope, requests, forbidden) == (f"GET {MESSAGES}", "messages:read", turns, 0)
    assert 1 <= limited < turns


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16")
def test_the_newest_twenty_addresses_are_shown_newest_first(api: Api) -> None:
    shown = own_key(api)
    proxied = {"trusted_proxies": [ip_network("127.0.0.0/8")]}

    def from_addresses(numbers: Sequence[int]) -> Callable[[httpx.AsyncClient], Awaitable[None]]:
        async def act(client: httpx.AsyncClient) -> None:
            for number in numbers:
                answer = await client.get(api.messages, headers={"x-forwarded-for": f"198.51.100.{number}"})
                assert answer.status_code == 200

        return act

    for at, numbers in enumerate([range(25), [3, 30], [3]]):
        use(api, shown["key"], from_addresses(numbers), NOW + timedelta(seconds=at), **proxied)
    seen = usage_of(api, shown)["addresses"]
    assert [each["address"] for each in seen[:2]] == ["198.51.100.3", "198.51.100.30"]
    assert {each["address"] for each in seen[2:]} == {f"198.51.100.{number}" for number in range(7, 25)}
    stored = api.sql("select from key_addresses where api_key_id = $1", UUID(shown["api_key"]["api_key_id"]))
    assert len(stored) == 20


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16")
def test_sessions_are_not_counted_and_other_peoples_usage_is_not_found(api: Api, outsider: Api) -> None:
    own, bot = own_key(api), integration_key(api)
    _, member = api.new_person()
    for shown in (own, bot):
        assert_problem(api.client(member).get(f"{place(api, shown)}/usage"), 403 if shown is bot else 404)
        assert_problem(outsider.person.get(f"{place(api, shown)}/usage"), 404)
    assert_problem(api.person.get(f"{api.organization}/api-keys/{own['api_key']['api_key_id']}/usage"), 404)
    session = uuid4()
    api.sql(
        "insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_at, is_session) "
        "values ($1, $2, 's', $3, 'xxxx', now(), true)",
        session,
        UUID(api.person_id),
        session.bytes,
    )

    async def scenario() -> None:
        counts = UseCounts()
        for key in (session, UUID(own["api_key"]["api_key_id"])):
            counts.count(key, Kind("GET", MESSAGES, ()), 200, "127.0.0.1")
        pool = await open_pool(api.settings.database_url or "", size=1)
        await counts.flush(pool, NOW)
        await pool.close()

    asyncio.run(scenario())
    assert len(usage_of(api, own)["usage"]) == 1
    for table in ("key_usage", "key_addresses"):
        assert api.sql(f"select from {table} where api_key_id = $1", session) == []


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16")
def test_processes_add_up_and_counts_that_were_not_written_are_written_later(api: Api) -> None:
    keys = [own_key(api) for _ in range(10)]
    ids = [UUID(shown["api_key"]["api_key_id"]) for shown in keys]
    routes = [MESSAGES, ROOM, *map(str, range(100))]

    def count_uses(order: Sequence[UUID]) -> UseCounts:
        counts = UseCounts()
        for api_key_id in order:
            for route in routes:
                counts.count(api_key_id, Kind("GET", route, ("search",)), 403, "127.0.0.1")
        return counts

    async def scenario() -> None:
        closed = await open_pool(api.settings.database_url or "", size=1)
        await closed.close()
        pool = await open_pool(api.settings.database_url or "", size=4)
        for _ in range(5):
            processes = [count_uses(order) for order in (ids, ids[::-1], ids, ids[::-1])]
            for process in processes[:2]:
                with suppress(asyncpg.InterfaceError):
                    await process.flush(closed, NOW)
                process.count(ids[0], Kind("GET", ROOM, ("search",)), 200, None)
            for _ in range(2):
                await asyncio.gather(*(process.flush(pool, NOW) for process in processes))
        await pool.close()

    asyncio.run(scenario())
    for shown in keys:
        more = 10 if shown is keys[0] else 0
        assert sorted(each[3] for each in rows(usage_of(api, shown))) == [*[(20, 20, 0)] * 101, (20 + more, 20, 0)]


def test_addresses_that_were_not_written_are_written_later_the_newest_last(api: Api) -> None:
    shown = own_key(api)

    async def scenario() -> None:
        pool, counts = await open_pool(api.settings.database_url or "", size=1), UseCounts()
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
            counts.count(UUID(shown["api_key"]["api_key_id"]), Kind("GET", ROOM, ()), 200, address)
        await pool.execute("alter table key_addresses rename to key_addresses_away")
        with pytest.raises(asyncpg.UndefinedTableError):
            await counts.flush(pool, NOW)
        await pool.execute("alter table key_addresses_away rename to key_addresses")
        counts.count(UUID(shown["api_key"]["api_key_id"]), Kind("GET", ROOM, ()), 200, "192.0.2.1")
        await counts.flush(pool, NOW)
        await pool.close()

    asyncio.run(scenario())
    seen = [each["address"] for each in usage_of(api, shown)["addresses"]]
    assert seen == ["192.0.2.1", "192.0.2.3", "192.0.2.2"]


def test_older_addresses_are_locked_in_order_before_they_are_forgotten(api: Api) -> None:
    key = UUID(own_key(api)["api_key"]["api_key_id"])
    lock = "select from key_addresses where api_key_id = $1 and address = $2::text::inet for update nowait"
    for number in range(22, 0, -1):
        at = NOW + timedelta(seconds=number)
        api.sql("insert into key_addresses values ($1, $2::text::inet, $3)", key, f"192.0.2.{number}", at)

    async def scenario() -> None:
        pool = await open_pool(api.settings.database_url or "", size=2)
        async with pool.acquire() as adding, adding.transaction():
            await adding.execute(lock, key, "192.0.2.1")
            forgetting = asyncio.create_task(pool.execute(usage_queries.FORGET_OLDER_ADDRESSES, [key], 20))
            waits = "select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))"
            while not await adding.fetch(waits):
                await asyncio.sleep(0.01)
            await adding.execute(lock, key, "192.0.2.2")
        await forgetting
        await pool.close()

    asyncio.run(scenario())
    assert len(api.sql("select from key_addresses where api_key_id = $1", key)) == 20


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16")
def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uses, "MAX_WAITING", 3)
    counts = UseCounts()
    for turn in range(2):
        for number in range(5):
            for address in range(100):
                key = UUID(int=number)
                counts.count(key, Kind("GET", ROOM, ()), 200, str(ip_address(address)))
        assert list(counts._counts.values()) == [[100 * (turn + 1), 0, 0]] * 3
    newest = [str(ip_address(address)) for address in range(80, 100)]
    assert [list(seen) for seen in counts._addresses.values()] == [newest] * 3


@pytest.mark.contract("Scopes and networks 15", "Scopes and networks 16")
def test_usage_is_deleted_after_ninety_days(api: Api) -> None:
    shown = own_key(api)

    async def act(client: httpx.AsyncClient) -> None:
        assert (await client.get(api.messages)).status_code == 200

    async def clean() -> None:
        app = create_app(api.settings, FakeClock(NOW))
        async with app.lifespan():
            service = app.service
            await clean_up(service.pool, None, service.settings, service.clock, service.clock())

    for days in (91, 90, 89, 0):
        use(api, shown["key"], act, NOW - timedelta(days=days))
    read = usage_at(api, shown, NOW)
    assert [each[0] for each in rows(read)] == [day(NOW - timedelta(days=days)) for days in (0, 89)]
    asyncio.run(clean())
    stored = api.sql("select day from key_usage where api_key_id = $1", UUID(shown["api_key"]["api_key_id"]))
    assert {row["day"] for row in stored} == {(NOW - timedelta(days=days)).date() for days in (90, 89, 0)}
