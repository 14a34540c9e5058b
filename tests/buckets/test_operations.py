"""What operators do with buckets: add and list them, assign organizations, move rooms."""

import json
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from atrium.kit.postgres.hosts import APPLICATION
from atrium.kit.settings import Settings
from atrium.migrations.buckets import OWN_ONLY, TABLES
from atrium.rooms.buckets import StillRunning, create_bucket
from tests.buckets.content import fill, read, served
from tests.buckets.test_routing import WAITING
from tests.cli.test_keys import as_json, invoked, newest_entry, run
from tests.conftest import fresh_database
from tests.contract.tour import subscription
from tests.faults.receivers import loopback, respond_204, send_raw
from tests.wait_until import wait_until

FAILS = b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"
OF_ALL = [each for each in TABLES if each not in OWN_ONLY]


def rows(settings: Settings) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of each table, of all buckets together."""
    with psycopg.connect(settings.database_url or "") as db:
        return {
            each: db.execute(f"select t::text from every_bucket.{each} t order by 1".encode()).fetchall()
            for each in OF_ALL
        }


def count(settings: Settings, schema: str, room: str) -> int:
    """Return how many messages of a room are in a schema."""
    with psycopg.connect(settings.database_url or "") as db:
        [[number]] = db.execute(
            f"select count(*) from {schema}.messages where room_id = %s".encode(), [room]
        ).fetchall()
        return int(number)


def test_a_moved_room_reads_exactly_as_before(two_buckets: Settings) -> None:
    with loopback() as there:
        with served(two_buckets) as api:
            rooms = fill(api, there.receiver(respond_204))
            before = read(api, rooms)
            assert "stop every atrium serve" in run(api, "buckets", "move", rooms[0], "0")[1]
        stored = rows(two_buckets)
        assert (count(two_buckets, "bucket_1", rooms[0]), count(two_buckets, "public", rooms[0])) == (8, 0)
        assert run(api, "buckets", "move", rooms[0], "0") == ("general is in bucket 0.\n", "")
        assert run(api, "buckets", "move", rooms[1], "1")[1] == ""
        assert (count(two_buckets, "bucket_1", rooms[0]), count(two_buckets, "public", rooms[0])) == (0, 8)
        assert rows(two_buckets) == stored
        with served(two_buckets, like=api) as again:
            assert read(again, rooms) == before
            entry = newest_entry(again)
            assert (entry["action"], entry["before"], entry["after"]) == ("room.moved", {"bucket": 0}, {"bucket": 1})
            sent = again.send("after the move")
            assert again.person.get(again.messages).json()["messages"][0]["message_id"] == sent["message_id"]


def test_what_waits_for_a_webhook_moves_with_its_room_in_its_order(two_buckets: Settings) -> None:
    with loopback() as there, served(two_buckets) as api:
        room, content = api.room_id, {"name": "x", "endpoint_url": there.receiver(send_raw(FAILS)).url}
        ordered = content | {"ordering": "room", "subscriptions": [subscription(room)]}
        made = api.person.post(f"{api.organization}/webhooks", json={"content": ordered})
        assert made.status_code == 201, made.text
        sent = [api.send(f"{nr}")["message_id"] for nr in range(5)]
        wait_until(lambda: _waiting(two_buckets, "bucket_1")[:1] == [(sent[0], 1)], "the first has failed")
    waiting = _waiting(two_buckets, "bucket_1")
    assert waiting == [(each, int(each == sent[0])) for each in sent]
    assert run(api, "buckets", "move", room, "0")[1] == ""
    assert _waiting(two_buckets, "bucket_1") == []
    assert _waiting(two_buckets, "public") == waiting


def _waiting(settings: Settings, schema: str) -> list[tuple[object, ...]]:
    """Return the messages of the deliveries that wait in a bucket, in their order, with the attempts made."""
    with psycopg.connect(settings.database_url or "") as db:
        return db.execute(
            f"select convert_from(body, 'UTF8')::jsonb #>> '{{data,message_id}}', attempts_made "
            f"from {schema}.due_deliveries join {schema}.deliveries using (webhook_id, delivery_id) "
            "order by position".encode()
        ).fetchall()


def test_a_bucket_is_added_when_nothing_runs(settings: Settings) -> None:
    with fresh_database(settings) as own, served(own) as api:
        before = as_json(api, "buckets", "list")
        assert sum(each["rooms"] for each in before) == 1
        api.send("a process that has started is connected")
        assert "stop every atrium serve and atrium worker first" in run(api, "buckets", "add")[1]
        assert len(as_json(api, "buckets", "list")) == len(before)


def test_a_process_that_starts_while_a_bucket_is_added_is_reported(two_buckets: Settings) -> None:
    """It may have read the list of buckets before."""
    url = two_buckets.database_url or ""
    with ThreadPoolExecutor(1) as command, psycopg.connect(url) as other:
        other.execute("lock table buckets in exclusive mode")
        added = command.submit(create_bucket, url)
        wait_until(lambda: other.execute(WAITING).fetchone() == (1,), "the bucket is being added")
        with psycopg.connect(url, application_name=APPLICATION):
            other.commit()
            with pytest.raises(StillRunning, match="added bucket 2; restart every atrium serve and worker"):
                added.result()
    assert len(counted(two_buckets)) == 3


def test_new_rooms_go_into_an_added_bucket(settings: Settings) -> None:
    with fresh_database(settings) as own:
        with served(own) as api:
            number = len(as_json(api, "buckets", "list"))
        assert run(api, "buckets", "add") == (f"Added bucket {number}. Start the servers and workers again.\n", "")
        with served(own, like=api) as again:
            again.send("first")
            room = again.new_room()["room_id"]
            again.person.post(f"/v2/rooms/{room}/messages", json={"text": "second"})
            listed = as_json(again, "buckets", "list")
            assert [each["bucket"] for each in listed] == list(range(number + 1))
            assert listed[number]["rooms"] == 1
            assert count(own, f"bucket_{number}", room) == 1


def test_new_rooms_of_an_organization_go_into_its_bucket(two_buckets: Settings) -> None:
    with served(two_buckets) as api:
        assert run(api, "buckets", "assign", "Acme", "0") == ("New rooms of Acme go into bucket 0.\n", "")
        entry = newest_entry(api)
        assert (entry["action"], entry["before"], entry["after"]) == (
            "organization.assigned", {"bucket": None}, {"bucket": 0},
        )  # fmt: skip
        for _ in range(3):
            api.new_room()
        listed = as_json(api, "buckets", "list")
        assert [(each["rooms"], each["organizations"]) for each in listed] == [(3, ["Acme"]), (1, [])]
        assert run(api, "buckets", "assign", "Acme", "--any")[1] == ""
        assert as_json(api, "buckets", "list")[0]["organizations"] == []
        assert run(api, "buckets", "assign", "Acme", "7")[1] == "there is no bucket 7; there are 0, 1"
        assert run(api, "buckets", "assign", "Acme")[1] == "choose a bucket, or --any"


def test_the_worker_counts_what_is_in_each_bucket(two_buckets: Settings) -> None:
    with served(two_buckets) as api:
        api.send("one")
    with psycopg.connect(two_buckets.database_url or "") as db:
        db.execute("analyze bucket_1.messages")
        db.commit()
    with served(two_buckets, like=api):
        wait_until(lambda: counted(two_buckets) == [0, 1], "the worker has counted")


def counted(settings: Settings) -> list[int]:
    with psycopg.connect(settings.database_url or "") as db:
        return [number for (number,) in db.execute("select messages from buckets order by bucket")]


def doctors_finding(settings: Settings) -> dict[str, str]:
    output, _ = invoked("doctor", "--json", **settings.environment())
    [finding] = [each for each in json.loads(output) if each["check"] == "buckets"]
    return {"verdict": finding["verdict"], "summary": finding["summary"]}


def test_doctor_says_what_connections_to_all_buckets_lack(two_buckets: Settings) -> None:
    assert doctors_finding(two_buckets) == {"verdict": "ok", "summary": "2"}
    with psycopg.connect(two_buckets.database_url or "", autocommit=True) as db:
        db.execute("alter table public.messages add column later int")
        db.execute("drop view every_bucket.mentions")
        db.execute("create view every_bucket.mentions as select * from public.mentions")
        lacking = "2, but the views over them lack bucket_1.mentions, messages.later"
        assert doctors_finding(two_buckets) == {"verdict": "warn", "summary": lacking}
        db.execute(f"alter role current_user in database {db.info.dbname} reset search_path".encode())
    assert doctors_finding(two_buckets) == {
        "verdict": "warn", "summary": "2, but the search_path of the role finds only one",
    }  # fmt: skip
