"""The audit stream has each entry of the audit log once, whichever process is killed, and nothing else."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import httpx
import psutil
import psycopg
import pytest

from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from tests.conftest import Api, RunningServer
from tests.faults.receivers import Receiver, loopback, respond_204
from tests.faults.running import LET_LEASES_END, kill_all, organization_on, postmaster_of, running_atrium
from tests.messages.concurrent import callers
from tests.wait_until import wait_until

CALLERS, CHANGES, ROUNDS = 8, 250, 2


def subscribe(api: Api, url: str) -> None:
    wanted = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_ORGANIZATION",
        "subject_id": api.organization_id,
        "subscription_type": "WEBHOOK_SUBSCRIPTION_TYPE_AUDIT_ENTRY",
    }
    content = {"name": "SIEM", "endpoint_url": url, "subscriptions": [wanted]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text


async def change_until_killed(api: Api, rooms: list[str], strike: Callable[[], None]) -> list[str]:
    """Rename rooms without pause, call `strike` after some responses; return the acknowledged names."""
    acknowledged: list[str] = []
    struck = False

    async def call(room: str, client: httpx.AsyncClient) -> None:
        nonlocal struck
        for turn in range(100_000):
            name = f"{room} {turn} {len(acknowledged)}"
            try:
                answer = await client.patch(f"/v2/rooms/{room}", json={"name": name})
            except httpx.TransportError:
                return
            if answer.status_code == 200:
                acknowledged.append(name)
            elif struck:
                return
            if len(acknowledged) >= CHANGES and not struck:
                struck = True
                await asyncio.to_thread(strike)

    async with callers(api, len(rooms)) as clients:
        await asyncio.gather(*map(call, rooms, clients))
    return acknowledged


def kill_everything(running: RunningServer) -> None:
    """Kill the server, its HTTP processes and worker, and PostgreSQL."""
    server, postmaster = psutil.Process(running.process.pid), postmaster_of(running.settings)
    kill_all([server, *server.children(recursive=True), postmaster, *postmaster.children(recursive=True)])


def entries(api: Api) -> dict[str, dict[str, Any]]:
    """Return the audit log by the id of the entry."""
    lines = api.person.get(f"{api.organization}/audit-log/export").text.splitlines()
    return {entry["entry_id"]: entry for entry in map(json.loads, lines)}


def settle(settings: Settings) -> None:
    """Wait until nothing is left to deliver. Leases of killed workers end, as if a minute had passed."""
    with embedded_postgres(settings.data_dir) as url, psycopg.connect(url, autocommit=True) as db:

        def is_settled() -> bool:
            db.execute(LET_LEASES_END)
            row = db.execute("select count(*) from due_deliveries").fetchone()
            return row == (0,)

        wait_until(is_settled, "every delivery ends", 120)


def received_entries(receiver: Receiver) -> dict[str, dict[str, Any]]:
    """Return the received bodies by the id of the entry. Each has one delivery, which may arrive several times."""
    deliveries: dict[str, set[str]] = defaultdict(set)
    bodies = {}
    for request in receiver.requests:
        data = json.loads(request.body)["data"]
        bodies[data["entry_id"]] = data
        deliveries[data["entry_id"]].add(request.delivery_id)
    assert {len(each) for each in deliveries.values()} == {1}
    return bodies


@pytest.mark.contract("Events and deliveries 4")
def test_every_audit_entry_is_streamed_once_after_everything_was_killed(own_folder: Settings) -> None:
    acknowledged: list[str] = []
    with loopback() as here:
        receiver = here.receiver(respond_204)
        with running_atrium(own_folder) as running:
            api = organization_on(running)
            rooms = [api.new_room()["room_id"] for _ in range(CALLERS)]
            earlier = set(entries(api))
            subscribe(api, receiver.url)
        for _ in range(ROUNDS):
            with running_atrium(own_folder) as running:
                acknowledged += asyncio.run(change_until_killed(api, rooms, lambda: kill_everything(running)))
        with running_atrium(own_folder):
            logged = {key: entry for key, entry in entries(api).items() if key not in earlier}
            settle(own_folder)
    names = {entry["after"]["name"] for entry in logged.values() if entry["action"] == "room.updated"}
    assert set(acknowledged) <= names
    assert received_entries(receiver) == logged
