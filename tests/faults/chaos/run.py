"""One run: load, rounds of kills, rest, checks."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from typing import Any, LiteralString, TypeAlias

import psycopg

from atrium.kit.postgres.hosts import writable
from atrium.kit.settings import Settings
from tests.conftest import Api
from tests.contract.tour import subscription
from tests.faults.chaos.checks import check
from tests.faults.chaos.load import Load
from tests.faults.chaos.record import Followed, Record
from tests.faults.chaos.service import KINDS, Service, kill_part, running_service
from tests.faults.running import LET_LEASES_END, answers, organization_on
from tests.webhooks.receiver import running_endpoint

SENDERS, REPLIERS, WALKERS, STREAMS = 4, 2, 1, 3
ENOUGH = 20  # messages that are acknowledged before the next round
IN_THE_MIDST = 0.3  # the share of rounds that kill while the server still recovers from the previous kill
LIMIT = 240.0  # seconds; far more than needed, it only ends a run whose server does not come back
# No event counts as failed; on a busy machine, attempts that time out would rightly pause the webhook.
SETTINGS = {"retry_schedule": ",".join(["1s"] * 20), "pause_counts": "exhausted"}
STATE = """
select webhooks.status::text, failure_count, (select count(*) from due_deliveries), (select count(*) from deliveries)
from webhooks
"""


class DidNotRecover(Exception):
    """The service did not come back."""


Condition: TypeAlias = Callable[[], Coroutine[Any, Any, bool]]
Faults: TypeAlias = Callable[[Service, Load], Awaitable[None]]


async def run(settings: Settings, kinds: Sequence[str], seed: int, report: Callable[[str], None]) -> Record:
    """Kill the server of `settings`, whose folder is new, a round for each of `kinds`; return the record."""
    chance = random.Random(seed)

    async def rounds(service: Service, load: Load) -> None:
        for number, kind in enumerate(kinds, start=1):
            await _round(service, load, kind, chance)
            report(f"round {number} of {len(kinds)}: {kind}; {len(load.record.acknowledged)} acknowledged")

    return await run_through(rounds, settings.with_changes(**SETTINGS), seed, report)


async def run_through(faults: Faults, settings: Settings, seed: int, report: Callable[[str], None]) -> Record:
    """Run a new server under load through `faults`; return the record."""
    record = Record(streams=[Followed(number) for number in range(STREAMS)])
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(running_service(settings))
        await until(lambda: asyncio.to_thread(answers, service.url), "the server comes up")
        api = await asyncio.to_thread(organization_on, service.running)
        load = Load(api, record, seed)
        await _subscribe(api, await stack.enter_async_context(running_endpoint(load.receive)))
        following = [asyncio.create_task(load.follow(each)) for each in record.streams]
        try:
            await _under_load(service, load, faults)
            await _wait_until_quiet(service, load)
            await asyncio.to_thread(check, api, record)
        except DidNotRecover as error:
            record.violations.append(str(error))
        finally:
            await _end(following, record)
        report(record.report(service.starts))
        if record.violations or record.stream_violations:
            report(f"webhooks, with what waits and what there is: {await asyncio.to_thread(_ask, settings, STATE)}")
            report(service.log.read_text()[-20_000:])
    return record


async def _subscribe(api: Api, url: str) -> None:
    content = {"name": "hook", "endpoint_url": url, "subscriptions": [subscription(api.room_id)]}
    made = await asyncio.to_thread(api.person.post, f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text


async def _under_load(service: Service, load: Load, faults: Faults) -> None:
    record = load.record
    async with load.client() as client:
        while not all(each.received for each in record.streams):
            await load.send_one(client, "first", f"first {len(record.acknowledged)}")
            await asyncio.sleep(0.2)
    clients = [asyncio.create_task(each) for each in _clients(load)]
    try:
        await faults(service, load)
        await progress(record, "the last fault")
        load.ending.set()
        await asyncio.wait(clients, timeout=LIMIT)
    finally:
        await _end(clients, record)


async def _end(tasks: list[asyncio.Task[None]], record: Record) -> None:
    for each in tasks:
        each.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    record.violations += [f"a client of the test failed: {each!r}" for each in ended if isinstance(each, Exception)]


def _clients(load: Load) -> list[Coroutine[Any, Any, None]]:
    senders = [load.send(number) for number in range(SENDERS)]
    repliers = [load.send(SENDERS + number, replies=True) for number in range(REPLIERS)]
    return [*senders, *repliers, *(load.walk() for _ in range(WALKERS))]


def kinds_of(rounds: int, seed: int) -> list[str]:
    """Return the kinds to kill in `rounds` rounds: each kind as often as the others, in a random order."""
    kinds, chance = list[str](), random.Random(seed)
    while len(kinds) < rounds:
        kinds += chance.sample(list(KINDS), len(KINDS))
    return kinds[:rounds]


async def _round(service: Service, load: Load, kind: str, chance: random.Random) -> None:
    if chance.random() > IN_THE_MIDST:
        await progress(load.record, "the round before")
    await asyncio.sleep(chance.uniform(0, 1))
    await until(lambda: asyncio.to_thread(kill_part, service, kind, chance), f"there is a {kind} to kill")
    load.record.kills[kind] += 1


async def progress(record: Record, after: str) -> None:
    """Wait until some more messages are acknowledged. Raise DidNotRecover."""
    enough = len(record.acknowledged) + ENOUGH

    async def has_enough() -> bool:
        return len(record.acknowledged) >= enough

    await until(has_enough, f"messages are acknowledged after {after} ({dict(record.kills)})")


async def _wait_until_quiet(service: Service, load: Load) -> None:
    """Wait until every stream has the last message and everything was delivered."""
    record, settings = load.record, service.settings
    async with load.client() as client:
        last = await load.send_one(client, "last", "last")

    async def have_all_received() -> bool:
        return all(each.knows(last) for each in record.streams)

    async def are_all_delivered() -> bool:
        await asyncio.to_thread(_ask, settings, LET_LEASES_END)
        return all(each in record.delivery_ids for each in record.acknowledged)

    await until(have_all_received, "every stream has the last message")
    await until(are_all_delivered, "every acknowledged message is delivered", every=1.0)


def _ask(settings: Settings, statement: LiteralString) -> object:
    try:
        url = settings.database_url or f"postgresql://postgres@/atrium?host={settings.data_dir / 'postgres'}"
        with psycopg.connect(url, **writable(url)) as db:
            done = db.execute(statement)
            return done.fetchall() if done.description else done.statusmessage
    except psycopg.OperationalError as error:
        return str(error)


async def until(condition: Condition, what: str, every: float = 0.05) -> None:
    """Wait until a condition holds. Raise DidNotRecover."""
    try:
        async with asyncio.timeout(LIMIT):
            while not await condition():
                await asyncio.sleep(every)
    except TimeoutError:
        raise DidNotRecover(f"never: {what}") from None
