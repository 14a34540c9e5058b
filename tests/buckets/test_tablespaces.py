"""A bucket on a disk of its own."""

import psycopg
import pytest

from atrium.kit.settings import Settings
from atrium.migrations.upgrade import changing_schema, upgrade
from atrium.rooms.buckets import CannotPlace, create_bucket, place_bucket
from tests.buckets.content import fill, read, served
from tests.cli.test_keys import as_json, run
from tests.conftest import fresh_database
from tests.faults.receivers import loopback, respond_204

# Each kind of relation with rows in a schema (tables, indexes, TOAST tables), with the tablespaces they are in; null is
# that of the database.
PLACES = """
select distinct case when c.oid = t.oid then 'toast' else c.relkind::text end, spcname
from pg_class owner left join pg_class t on t.oid = owner.reltoastrelid
join pg_class c on c.oid in (owner.oid, t.oid) left join pg_tablespace s on s.oid = c.reltablespace
where owner.relnamespace = %s::regnamespace and owner.relkind in ('r', 'i')
"""


def places(settings: Settings, schema: str) -> set[tuple[str, str | None]]:
    with psycopg.connect(settings.database_url or "") as db:
        return set(db.execute(PLACES, [schema]).fetchall())


def all_in(tablespace: str | None) -> set[tuple[str, str | None]]:
    return {(kind, tablespace) for kind in ("r", "i", "toast")}


def test_a_bucket_goes_to_another_disk_and_comes_back(other_disk: str, two_buckets: Settings) -> None:
    with loopback() as there, served(two_buckets) as api:
        rooms = fill(api, there.receiver(respond_204))
        before = read(api, rooms)
        assert "stop every atrium serve" in run(api, "buckets", "place", "1", other_disk)[1]
    assert run(api, "buckets", "place", "1", other_disk) == ("Bucket 1 is in the tablespace other_disk.\n", "")
    assert places(two_buckets, "bucket_1") == all_in(other_disk)
    assert places(two_buckets, "public") == all_in(None)
    assert [each["tablespace"] for each in as_json(api, "buckets", "list")] == ["pg_default", other_disk]
    with served(two_buckets, like=api) as again:
        assert read(again, rooms) == before
    assert run(api, "buckets", "place", "1", "pg_default")[1] == ""
    assert places(two_buckets, "bucket_1") == all_in(None)


@pytest.mark.usefixtures("later")
def test_what_comes_later_is_on_the_disk_of_the_bucket(other_disk: str, two_buckets: Settings) -> None:
    url = two_buckets.database_url or ""
    place_bucket(url, 1, other_disk)
    with changing_schema(url) as connection:
        upgrade(connection)  # to a revision with another index
    with psycopg.connect(url) as db:
        db.execute("set search_path = bucket_1, public")
        db.execute("select keep_deliveries(now() + interval '9 days', 30)")
        assert db.execute("show default_tablespace").fetchone() == (other_disk,)
    assert places(two_buckets, "bucket_1") == all_in(other_disk)
    assert places(two_buckets, "public") == all_in(None)


def test_the_only_bucket_can_be_on_another_disk_than_the_rest(other_disk: str, settings: Settings) -> None:
    with fresh_database(settings) as own:
        place_bucket(own.database_url or "", 0, other_disk)
        assert places(own, "public") == all_in(None) | all_in(other_disk)
        number = create_bucket(own.database_url or "")
        assert places(own, f"bucket_{number}") == all_in(None)


def test_a_bucket_without_a_place_stays_where_it_is(two_buckets: Settings) -> None:
    with pytest.raises(CannotPlace, match='tablespace "nowhere" does not exist'):
        place_bucket(two_buckets.database_url or "", 1, "nowhere")
    assert places(two_buckets, "bucket_1") == all_in(None)
