"""Reads that a replica answers are as fresh as those of the primary, however far it is behind.

The replica stops repeating the log at random: mostly for less time than a read waits, sometimes for longer. What a
read would lack, if it did not wait, is what these tests look for: one's own writes, and the end of someone's access.
"""

import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

import psycopg
import pytest

from atrium.kit.postgres.replicas import CATCH_UP_TIMEOUT
from tests.conftest import Api, free_port, new_organization, running_server
from tests.faults.cluster import Node, running_cluster
from tests.operations.scrape import scrape, total
from tests.wait_until import wait_until

METRICS = "replica-reads-metrics"
OWN_WRITES, PART, ROUNDS = 1000, 250, 40


@pytest.fixture(scope="module")
def api_and_replica() -> Iterator[tuple[Api, Node]]:
    """Yield an organization on a server whose reads a replica answers, and that replica."""
    with running_cluster(synchronous=False) as (cluster, settings):
        changed = settings.with_changes(
            database_url=cluster.primary.url,
            database_replicas=cluster.replica.url,
            metrics_token=METRICS,
            port=free_port(),
            workers=1,  # so that /metrics has counted everything
        )
        with running_server(changed) as running:
            api = new_organization(changed, running.url)
            _wait_for_replica(api)
            yield api, cluster.replica
            api.close()


class Counted(NamedTuple):
    """Reads by the server that answered them."""

    replica: int
    primary: int


def _count_reads(api: Api) -> Counted:
    seen = scrape(f"{api.url}/metrics", METRICS)
    return Counted(*(int(total(seen, "atrium_replica_reads_total", answered_by=by)) for by in Counted._fields))


@contextmanager
def read_counts(api: Api) -> Iterator[list[int]]:
    """Yield a list that has, afterwards, how many reads the replica and the primary answered."""
    counts, before = list[int](), _count_reads(api)
    yield counts
    counts.extend(after - earlier for after, earlier in zip(_count_reads(api), before, strict=True))


def _wait_for_replica(api: Api) -> None:
    reading = api.person

    def answers() -> bool:
        with read_counts(api) as counts:
            assert reading.get(api.messages).status_code == 200
        return counts == [1, 0]

    wait_until(answers, "the replica answers")


@contextmanager
def lagging_replica(replica: Node) -> Iterator[None]:
    """Let the replica stop again and again."""
    ended = threading.Event()

    def run() -> None:
        chance = random.Random(18)
        with psycopg.connect(replica.url, autocommit=True) as db:
            while not ended.is_set():
                db.execute("select pg_wal_replay_pause()")
                time.sleep(CATCH_UP_TIMEOUT * (3 if chance.random() < 0.005 else chance.random() / 2))
                db.execute("select pg_wal_replay_resume()")
                time.sleep(CATCH_UP_TIMEOUT / 10)

    with ThreadPoolExecutor(1) as executor:
        running = executor.submit(run)
        try:
            yield
        finally:
            ended.set()
            running.result(30)


@pytest.mark.contract("Operations 4")
def test_one_reads_ones_own_writes(api_and_replica: tuple[Api, Node], capsys: pytest.CaptureFixture[str]) -> None:
    api, replica = api_and_replica
    member = api.client(api.new_person()[1])
    root = member.post(api.messages, json={"text": "root"}).json()["message_id"]
    thread = f"/v2/rooms/{api.room_id}/threads/{root}/messages"
    written = found = by_replica = 0
    cursor = dict[str, str]()
    with lagging_replica(replica):
        while written < OWN_WRITES or by_replica < OWN_WRITES // 2:
            assert written < 20 * OWN_WRITES, "the replica answers almost nothing"
            with read_counts(api) as counts:
                for number in range(PART):
                    parent = {"parent_id": root} if number % 3 == 0 else {}
                    sent = member.post(api.messages, json={"text": f"number {number}", **parent}).json()["message_id"]
                    if parent:
                        page = member.get(thread, params=cursor).json()
                        cursor = {f"cursor_{name}": page[f"next_cursor_{name}"] for name in ("sent_at", "message_id")}
                    else:
                        query = {"limit": 10, "top_level": str(number % 3 == 1).lower()}
                        page = member.get(api.messages, params=query).json()
                    found += sent in {each["message_id"] for each in page["messages"]}
            written, by_replica = written + PART, by_replica + counts[0]
    assert found == written
    with capsys.disabled():
        print(f"\nown writes read back: {found:,} of {written:,}; a lagging replica answered {by_replica:,} reads")


@pytest.mark.contract("Operations 5")
def test_what_ends_has_ended(api_and_replica: tuple[Api, Node]) -> None:
    """A key that is revoked or rotated, a person who is removed, a message that is deleted, a room that is deleted."""
    api, replica = api_and_replica
    admin = api.person
    with lagging_replica(replica):
        for _ in range(ROUNDS):
            space = api.new_space("private")
            room = api.new_room(space)["room_id"]
            messages = f"/v2/rooms/{room}/messages"
            person_id, key = api.new_person()
            member = api.client(key)
            assert member.get(messages).status_code == 404
            assert admin.put(f"/v1/spaces/{space}/members/{person_id}", json={"content": {"role": "member"}}).is_success
            assert member.get(messages).status_code == 200

            sent = member.post(messages, json={"text": "regretted"}).json()["message_id"]
            assert member.delete(f"{messages}/{sent}").is_success
            assert "regretted" not in member.get(messages).text

            made = api.new_integration([{"space_id": space, "role": "member"}])
            integration = api.client(made["key"])
            assert integration.get(messages).status_code == 200
            rotated = admin.post(f"{api.organization}/api-keys/{made['api_key']['api_key_id']}/rotate")
            assert rotated.is_success, rotated.text
            assert integration.get(messages).status_code == 401
            fresh = api.client(rotated.json()["key"])
            assert fresh.get(messages).status_code == 200
            assert admin.delete(f"{api.organization}/api-keys/{rotated.json()['api_key']['api_key_id']}").is_success
            assert fresh.get(messages).status_code == 401

            assert admin.delete(f"/v1/spaces/{space}/members/{person_id}").is_success
            assert member.get(messages).status_code == 404
            assert admin.get(messages).status_code == 200
            assert admin.delete(f"/v2/rooms/{room}").is_success
            assert admin.get(messages).status_code == 404


@pytest.mark.contract("Operations 6")
def test_nobody_reads_what_was_sent_after_their_removal(api_and_replica: tuple[Api, Node]) -> None:
    """Pages are read all the time while someone is removed, and others go on sending."""
    api, replica = api_and_replica
    admin = api.person

    def read_until_removed(key: str, messages: str) -> set[str]:
        seen, reading = set[str](), api.client(key)
        for _ in range(10_000):
            page = reading.get(messages, params={"limit": 20})
            if page.status_code == 404:
                return seen
            seen |= {each["text"] for each in page.json()["messages"]}
        raise AssertionError("never removed")

    with lagging_replica(replica), ThreadPoolExecutor(2) as executor:
        for _ in range(ROUNDS // 2):
            space = api.new_space("private")
            messages = f"/v2/rooms/{api.new_room(space)['room_id']}/messages"
            person_id, key = api.new_person()
            member = f"/v1/spaces/{space}/members/{person_id}"
            assert admin.put(member, json={"content": {"role": "member"}}).is_success
            seen = [executor.submit(read_until_removed, key, messages) for _ in range(2)]
            for number in range(15):
                assert admin.post(messages, json={"text": f"before {number}"}).is_success
            assert admin.delete(member).is_success
            for number in range(15):
                assert admin.post(messages, json={"text": f"after {number}"}).is_success
            assert not [text for each in seen for text in each.result(60) if text.startswith("after")]


@pytest.mark.contract("Operations 7")
@pytest.mark.parametrize("fault", ["hangs", "is gone"])
def test_the_primary_answers_for_a_replica_that(fault: str, api_and_replica: tuple[Api, Node]) -> None:
    api, replica = api_and_replica
    if fault == "hangs":
        replica.signal(signal.SIGSTOP)
    else:
        replica.end()
    try:
        reading = api.person
        assert reading.post(api.messages, json={"text": fault}).is_success
        with read_counts(api) as counts:
            for _ in range(100):
                assert fault in reading.get(api.messages).text
        assert counts == [0, 100]
    finally:
        if fault == "hangs":
            replica.signal(signal.SIGCONT)
        else:
            replica.start()
    _wait_for_replica(api)
