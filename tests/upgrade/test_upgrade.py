"""A database of the first release is upgraded at the next start: no data is lost, keys stay valid."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import psycopg
import pytest

from atrium.client import Atrium
from atrium.kit.clock import parse_time, rfc3339, utc_now
from atrium.kit.settings import Settings
from atrium.migrations.upgrade import changing_schema, upgrade
from atrium.operations.readiness import newest_revision
from tests.backups.places import Place, with_postgresql
from tests.conftest import running_server

FIRST_RELEASE = (Path(__file__).parent / "first_release.sql").read_bytes()
ALICE, GONE = "atrp_FirstRelease0000000000000Alice2t6Nzb", "atrp_FirstRelease00000000000000Gone2uensW"
TOOL = "atro_FirstRelease00000000000000Tool4blecO"
ORGANIZATION, SPACE, BOARD, ROOM, BUDGET = (f"01900000-0000-7000-a000-{n:012}" for n in (1, 10, 11, 12, 13))
ROOMS = """
insert into rooms (room_id, space_id, name, description, room_type, created_by, created_at, deleted_at)
select format('01900000-0000-7000-a000-%%s', lpad(nr::text, 12, '0'))::uuid, space_id, room.name, '', 'chat', created_by,
       '2025-10-02Z'::timestamptz + nr * interval '1 hour', case when room.name = 'GENERAL' then '2025-10-09Z'::timestamptz end
from spaces, unnest(%s::text[]) with ordinality as room (name, nr) where space_id = %s
"""
NAMES = "select name from rooms where space_id = %s order by created_at"
COUNTED = "insert into key_usage select api_key_id, %s, 'GET', '/', '{}', 1, 0, 0 from api_keys"
KEYS = "/v1/me/integrations"
REVISION = "select version_num from alembic_version"


def revision_of(place: Place) -> str:
    with psycopg.connect(place.settings.database_url or "") as db:
        [[revision]] = db.execute(REVISION).fetchall()
        return str(revision)


@contextmanager
def first_release(settings: Settings) -> Iterator[Place]:
    """Return settings of a database from the first release."""
    with with_postgresql(settings) as place:
        with changing_schema(place.settings.database_url or "") as connection:
            upgrade(connection, "0001")
        with psycopg.connect(place.settings.database_url or "") as db:
            db.execute(FIRST_RELEASE)
        assert revision_of(place) == "0001"
        yield place


def bearer(url: str, key: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"authorization": f"Bearer {key}"}, timeout=30)


def assert_intact(url: str) -> None:
    """The API returns everything that the first release stored."""
    with Atrium(url, ALICE) as atrium:
        history = list(atrium.room(ROOM).messages())
        thread = list(atrium.room(ROOM).thread(history[-10].message_id).messages())
    assert len(history) == 300
    times = [message.sent_at for message in history]
    assert times == sorted(times, reverse=True)
    texts = [message.text for message in history]
    assert texts[:2] == ["", "Changed"]
    assert texts[2:] == [f'Note {n} of "G" \\ Ünïcode' for n in range(298, 0, -1)]
    root = history[-10]
    assert (root.reply_count, len(root.blocks), len(root.mentions), len(root.reactions)) == (2, 1, 1, 1)
    assert [reply.message_id for reply in thread] == [history[-20].message_id, history[-30].message_id]
    with bearer(url, ALICE) as alice, bearer(url, TOOL) as tool, bearer(url, GONE) as gone:
        assert alice.get(f"/v2/rooms/{ROOM}/blocks").json()["blocks"][0]["content"] == {"text": "Engines", "level": 2}
        members = alice.get(f"/v1/organizations/{ORGANIZATION}/members").json()["members"]
        assert {each["name"] for each in members} >= {"Alice"}
        assert tool.get(f"/v2/rooms/{ROOM}/messages").status_code == 200
        assert tool.post(f"/v2/rooms/{ROOM}/messages", json={"text": "x"}).status_code == 403
        assert tool.get(f"/v2/rooms/{BUDGET}/messages").status_code == 404
        assert alice.get(f"/v2/rooms/{BUDGET}/messages").status_code == 200
        assert gone.get(f"/v2/rooms/{ROOM}/messages").status_code == 401


def test_the_server_starts_on_a_database_of_the_first_release(settings: Settings) -> None:
    with first_release(settings) as place:
        with running_server(place.settings) as running:
            assert_intact(running.url)
            with bearer(running.url, ALICE) as alice:
                sent = alice.post(f"/v2/rooms/{ROOM}/messages", json={"text": "Still here"})
                assert sent.status_code == 201
                newest = alice.get(f"/v2/rooms/{ROOM}/messages").json()["messages"][0]
                assert newest["message_id"] == sent.json()["message_id"]
        assert revision_of(place) == newest_revision()


@pytest.mark.parametrize("first", [None, 0, 3])
def test_old_keys_are_counted_since_counting_began(settings: Settings, first: int | None) -> None:
    """Not later than the day after the first that has counts, or else since the upgrade."""
    midnight = utc_now().replace(hour=0, minute=0, second=0, microsecond=0)
    with first_release(settings) as place:
        with changing_schema(place.settings.database_url or "") as connection:
            upgrade(connection, "0037")
        with psycopg.connect(place.settings.database_url or "") as db:
            for days in () if first is None else range(first + 1):
                db.execute(COUNTED, (midnight - timedelta(days=days),))
        before = utc_now()
        with running_server(place.settings) as running, bearer(running.url, ALICE) as alice:
            [own] = alice.get(KEYS).json()["integrations"]
            new = alice.post(KEYS, json={"content": {"name": "new"}}).json()["api_key"]
            since, since_new = (
                alice.get(f"{KEYS}/{key['api_key_id']}/usage").json()["counted_since"] for key in (own, new)
            )
        assert since_new == new["created_at"]
        if first:
            assert since == rfc3339(midnight - timedelta(days=first - 1))
        else:
            assert before <= parse_time(since) + timedelta(milliseconds=1) <= parse_time(since_new)


def test_rooms_with_equal_names_are_numbered(settings: Settings) -> None:
    with first_release(settings) as place, psycopg.connect(place.settings.database_url or "") as db:
        before = ["general", "GENERAL", "General (2)", " general ", "Ärger", "ärger", "Ärger\u200b"]
        db.execute(ROOMS, (before, SPACE))
        db.commit()
        with changing_schema(place.settings.database_url or "") as connection:
            upgrade(connection)
        names = [name for (name,) in db.execute(NAMES, (SPACE,))]
    after = ["general (3)", "GENERAL", "General (2)", " general (4)", "Ärger", "ärger (2)", "Ärger\u200b (3)"]
    assert names == ["General", *after]


def test_a_backup_of_the_first_release_is_restored(settings: Settings, tmp_path: Path) -> None:
    with first_release(settings) as old:
        old.run_process("backup", tmp_path / "before-the-upgrade").succeeded()
        assert revision_of(old) == "0001"
    with with_postgresql(settings) as new:
        new.run_process("restore", tmp_path / "before-the-upgrade").succeeded()
        assert revision_of(new) == newest_revision()
        with running_server(new.settings) as running:
            assert_intact(running.url)
