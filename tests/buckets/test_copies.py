"""Backups and plain dumps of a database with two buckets."""

import subprocess
from pathlib import Path

import psycopg

from atrium.kit.postgres.programs import program
from atrium.kit.settings import Settings
from tests.backups.places import Place, with_postgresql
from tests.buckets.content import contents, fill, read, served
from tests.faults.receivers import loopback, respond_204

PATH = "show search_path"
PARTITIONED = """
select (select count(*) from public.deliveries where tableoid <> 'public.deliveries_other'::regclass),
       (select count(*) from bucket_1.deliveries where tableoid <> 'bucket_1.deliveries_other'::regclass)
"""


def test_a_backup_of_two_buckets_is_restored(two_buckets: Settings, settings: Settings, tmp_path: Path) -> None:
    with loopback() as there:
        with served(two_buckets) as api:
            rooms = fill(api, there.receiver(respond_204))
            before = read(api, rooms)
            Place(two_buckets).succeeds("backup", tmp_path / "under-way")
        Place(two_buckets).succeeds("backup", tmp_path / "file")
        stored = contents(two_buckets)
        for room in rooms:
            place = Place(two_buckets, {"ATRIUM_KEY": api.personal_key})
            place.succeeds("export", room, "--output", tmp_path / room)
            assert len((tmp_path / room).read_text().splitlines()) == 8
        assert "16 messages" in Place(two_buckets).run("restore", "--check", tmp_path / "file").stderr
        with with_postgresql(settings) as place:
            place.succeeds("restore", tmp_path / "file")
            assert contents(place.settings) == stored
            assert "has tables already" in place.fails("restore", tmp_path / "file")
            with served(place.settings, like=api) as again:
                assert read(again, rooms) == before
                again.send("after the restoration")
                assert len(read(again, rooms)) == len(before) + 1
            assert _buckets_of_deliveries(place.settings) == {0: 8, 1: 9}


def _buckets_of_deliveries(settings: Settings) -> dict[int, int]:
    """Return how many deliveries are in the partitions by day of each bucket."""
    with psycopg.connect(settings.database_url or "") as db:
        [[zero, one]] = db.execute(PARTITIONED).fetchall()
    return {0: zero, 1: one}


def test_a_plain_dump_of_two_buckets_is_restored(two_buckets: Settings, settings: Settings) -> None:
    with loopback() as there:
        with served(two_buckets) as api:
            rooms = fill(api, there.receiver(respond_204))
            before = read(api, rooms)
        stored = contents(two_buckets)
        dump = [program("pg_dump"), two_buckets.database_url or ""]
        dumped = subprocess.run(dump, check=True, capture_output=True).stdout
        with with_postgresql(settings) as place:
            url = place.settings.database_url or ""
            psql = [program("psql"), "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null", url]
            restored = subprocess.run(psql, input=dumped, capture_output=True, check=False)
            assert restored.returncode == 0, restored.stderr.decode()
            assert contents(place.settings) == stored
            with psycopg.connect(url) as db:
                assert db.execute(PATH).fetchone() != ("every_bucket, public",), "a dump has no settings of roles"
            copied = place.settings.with_changes(data_dir=two_buckets.data_dir)
            with served(copied, like=api) as again, psycopg.connect(url) as db:
                assert db.execute(PATH).fetchone() == ("every_bucket, public",)
                assert read(again, rooms) == before
