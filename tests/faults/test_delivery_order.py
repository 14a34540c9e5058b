"""An ordered webhook gets the events of each room in order, while its receiver fails, hangs and answers late and
everything is killed."""

import asyncio
import json
import random
from collections import defaultdict

import httpx
import psutil
import psycopg
import pytest

from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from tests.conftest import Api, RunningServer
from tests.faults.receivers import OK, Receiver, Request, loopback
from tests.faults.running import LET_LEASES_END, kill_all, organization_on, postmaster_of, running_atrium, worker_of
from tests.messages.concurrent import callers, send
from tests.wait_until import wait_until

ROOMS, MESSAGES, KILLS = 20, 12, 3
FAILED = b"HTTP/1.1 500 Error\r\nContent-Length: 0\r\n\r\n"


class Moody:
    """Behaves as the dice say: answers immediately or late, fails, or never answers."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self.accepted: set[str] = set()

    async def __call__(self, receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await receiver.take(reader)
            request = receiver.requests[-1]
            mood = self._dice.random()
            if mood < 0.04:
                await reader.read()  # until the worker gives up
                return
            if mood < 0.3:
                await asyncio.sleep(self._dice.random() / 20)
            succeeds = mood < 0.9
            writer.write(OK if succeeds else FAILED)
            if succeeds:
                self.accepted.add(request.delivery_id)


def subscribe(api: Api, url: str) -> None:
    wanted = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_SPACE",
        "subject_id": api.space_id,
        "subscription_type": "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT",
    }
    content = {
        "name": "mirror",
        "endpoint_url": url,
        "subscriptions": [wanted],
        "ordering": "room",
        "retry_schedule": [1] * 10,
        "time_limit": 1,
    }
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text


async def send_in_each(api: Api, rooms: list[str]) -> dict[str, list[str]]:
    """Send in all rooms concurrently; return the messages of each, in order."""
    async with callers(api, len(rooms)) as clients:
        of_each = await asyncio.gather(*(_send_all(client, room) for client, room in zip(clients, rooms, strict=True)))
    return dict(zip(rooms, of_each, strict=True))


async def _send_all(client: httpx.AsyncClient, room: str) -> list[str]:
    return [(await send(client, room))["message_id"] for _ in range(MESSAGES)]


def arrivals(requests: list[Request], messages: dict[str, list[str]]) -> dict[str, list[int]]:
    """Return the messages that arrived in each room, in the order of arrival; 0 is the first that was sent."""
    arrived: dict[str, list[int]] = defaultdict(list)
    for request in requests:
        room = json.loads(request.body)["subject"]["id"]
        arrived[room].append(messages[room].index(request.message_id))
    return arrived


def kill_worker(running: RunningServer) -> None:
    """Kill the worker, and end its leases before the server starts another."""
    server, worker = psutil.Process(running.process.pid), worker_of(running)
    server.suspend()
    kill_all([worker])
    end_leases(running.settings)
    server.resume()


def end_leases(settings: Settings) -> None:
    """Make the deliveries of killed workers due, as if a minute had passed. No worker may run."""
    with embedded_postgres(settings.data_dir) as url, psycopg.connect(url, autocommit=True) as db:
        db.execute(LET_LEASES_END)


@pytest.mark.contract("Events and deliveries 27")
def test_each_room_is_delivered_in_order_while_everything_is_killed(own_folder: Settings) -> None:
    settings, moody = own_folder.with_changes(pause_counts="exhausted"), Moody(seed=20)
    with loopback() as here:
        receiver = here.receiver(moody)
        with running_atrium(settings) as running:
            api = organization_on(running)
            rooms = [api.new_room()["room_id"] for _ in range(ROOMS)]
            subscribe(api, receiver.url)
            messages = asyncio.run(send_in_each(api, rooms))
            for nr in range(KILLS):
                due = ROOMS * MESSAGES * (nr + 1) // (KILLS + 2)
                wait_until(lambda due=due: len(moody.accepted) >= due, "some are delivered")
                kill_worker(running)
            server, postmaster = psutil.Process(running.process.pid), postmaster_of(settings)
            kill_all([server, *server.children(recursive=True), postmaster, *postmaster.children(recursive=True)])
            before = list(receiver.requests)
        end_leases(settings)
        with running_atrium(settings):
            wait_until(lambda: len(moody.accepted) == ROOMS * MESSAGES, "every message is delivered", 120)
    for of_room in arrivals(before, messages).values():
        assert of_room == sorted(of_room), "a killed worker repeats no message after a later one"
    for of_room in arrivals(receiver.requests, messages).values():
        # A crashed database may have lost what was recorded last, and repeats it.
        assert list(dict.fromkeys(of_room)) == list(range(MESSAGES)), "each comes first after those before it"
