"""A backup or restore that fails leaves nothing behind."""

import os
import select
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
from atrium.kit.encryption import KEY_FILE, installation_cipher
from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage
from tests.backups.places import Place, in_a_folder, with_postgresql
from tests.conftest import ATRIUM, free_port
from tests.recordings.storage import CREDENTIALS
from tests.wait_until import wait_until

KEY = "an environment's key of 32 characters"
PIECE = "insert into media_parts (object, starts_at, size, part) values (%(id)s, 0, %(size)s, %(id)s)"
WEBHOOK = """
insert into webhooks (
    webhook_id, organization_id, name, description, endpoint_url, headers, status, secret, created_at)
select gen_random_uuid(), organization_id, 'x', '', 'https://x.test', %(sealed)s, 'WEBHOOK_STATUS_ACTIVE', %(sealed)s,
    now()
from organizations
"""
# Fails at the commit of the transaction that creates alembic_version, after everything else.
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


def initialize(place: Place) -> psycopg.Connection:
    """Create an installation; return a connection to its database."""
    place.succeeds("init", "--organization", "Acme", "--email", "ada@example.org")
    return psycopg.connect(place.settings.database_url or "", autocommit=True)


def put(place: Place, db: psycopg.Connection, size: int, content: bytes | None) -> str:
    """Add a media part of `size` to the database and `content` to the storage; return its name."""
    piece = str(uuid4())
    db.execute(PIECE, {"id": piece, "size": size})
    if content is not None:
        (place.folder / "media" / piece).mkdir(parents=True)
        (place.folder / "media" / piece / piece).write_bytes(content)
    return f"{piece}/{piece}"


def add_sealed_webhook(place: Place, db: psycopg.Connection) -> None:
    """Add a webhook whose secret is encrypted with the key of the installation."""
    db.execute(WEBHOOK, {"sealed": installation_cipher(place.settings).encrypt(b"secret")})


def test_a_backup_needs_the_key_of_the_webhook_secrets(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, initialize(place) as db:
        add_sealed_webhook(place, db)
        key = (place.folder / KEY_FILE).read_text()
        (place.folder / KEY_FILE).unlink()
        assert f"{place.folder / KEY_FILE} does not exist" in place.fails("backup", tmp_path / "file")
        (place.folder / KEY_FILE).write_text("another key")
        assert f"{place.folder / KEY_FILE} does not decrypt" in place.fails("backup", tmp_path / "file")
        outside = Place(place.settings.with_changes(secret_key=KEY))
        assert "ATRIUM_SECRET_KEY does not decrypt" in outside.fails("backup", tmp_path / "file")
        assert not list(tmp_path.iterdir())
        Place(place.settings.with_changes(secret_key=key)).succeeds("backup", tmp_path / "file")


def test_any_key_restores_a_backup_whose_secrets_cannot_be_decrypted(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, initialize(place) as db:
        add_sealed_webhook(place, db)
        place.succeeds("backup", tmp_path / "file")
    with ZipFile(tmp_path / "file") as old, ZipFile(tmp_path / "changed", "w") as new:
        for name in old.namelist():
            new.writestr(name, b"another key" if name == "secret.key" else old.read(name))
    with with_postgresql(settings) as place:
        assert "its own key does not decrypt" in place.fails("restore", tmp_path / "changed")
        assert not (place.folder / KEY_FILE).exists()
        place.succeeds("restore", "--any-key", tmp_path / "changed")


def test_damaged_media_is_reported_and_an_empty_storage_is_rejected(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, initialize(place) as db:
        put(place, db, 3, None)
        put(place, db, 3, None)
        failed = place.run_process("backup", tmp_path / "file").assert_failure()
        assert f"none of the 2 media parts that the database refers to is in {place.folder / 'media'}" in failed
        damaged = {put(place, db, 3, b""), put(place, db, 3, b"ab")}
        intact = put(place, db, 3, b"abc")
        warnings = place.run("backup", tmp_path / "file").stderr
        assert "2 media parts are missing" in warnings
        assert "2 media parts are damaged" in warnings
        assert all(each in warnings for each in damaged)
    with with_postgresql(settings) as place:
        assert "2 media parts were damaged" in place.run("restore", tmp_path / "file").stderr
        assert [each.name for each in (place.folder / "media").iterdir()] == [intact.partition("/")[0]]


def test_tables_of_other_owners_are_left_out(settings: Settings, tmp_path: Path) -> None:
    other_role = f"other_role_{uuid4().hex}"
    with with_postgresql(settings) as place, initialize(place) as db:
        db.execute(f"create role {other_role}".encode())
        db.execute("create table [bold]theirs (n int)".replace("[bold]theirs", '"[bold]theirs\x1b"').encode())
        db.execute(f'alter table "[bold]theirs\x1b" owner to {other_role}'.encode())
        warnings = place.run("backup", tmp_path / "file").stderr
        assert "owned by another role are not in the backup: [bold]theirs\N{REPLACEMENT CHARACTER}" in warnings
        assert "has tables already" in place.fails("restore", tmp_path / "file")
        db.execute(f"drop owned by {other_role}".encode())
        db.execute(f"drop role {other_role}".encode())
    assert not [name for name in ZipFile(tmp_path / "file").namelist() if "theirs" in name]


def test_a_commit_that_fails_leaves_nothing_behind(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, initialize(place) as db:
        (place.folder / KEY_FILE).write_text("a key")
        put(place, db, 3, b"abc")
        place.succeeds("backup", tmp_path / "file")
        assert database.is_restored(place.settings.database_url or "")
    with (
        with_postgresql(settings) as place,
        psycopg.connect(place.settings.database_url or "", autocommit=True) as db,
    ):
        db.execute(FAIL_AT_COMMIT)
        assert "no commit today" in place.fails("restore", tmp_path / "file")
        assert not database.is_restored(place.settings.database_url or "")
        assert not (place.folder / KEY_FILE).exists()
        assert not list((place.folder / "media").glob("*/*"))
        db.execute("drop event trigger arms")
        place.succeeds("restore", tmp_path / "file")
        assert (place.folder / KEY_FILE).read_text() == "a key"


def test_media_that_cannot_be_removed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    storage = open_storage(Settings(storage=f"s3://media/a?endpoint=http://127.0.0.1:{free_port()}"))
    folders = sorted(str(uuid4()) for _ in range(3))
    with ZipFile(tmp_path / "file", "w") as archive:
        for folder in folders:
            archive.writestr(f"media/{folder}/{folder}", b"x")
        assert media.remove_all(storage, archive) == folders


def test_an_archive_with_another_compression_is_rejected(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "file", "w", ZIP_BZIP2) as archive:
        archive.writestr("atrium-backup", b"x" * 1000)
    with (
        (tmp_path / "file").open("rb") as file,
        pytest.raises(BrokenBackup, match="compression method"),
        open_backup(file),
    ):
        pass


@contextmanager
def start(place: Place, *words: str | Path, stdin: int | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command without reading its standard output. Reset SIGHUP, which tests run with nohup would ignore."""
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


def wait_for_a_lock(db: psycopg.Connection) -> None:
    """Wait until a statement waits for a lock."""
    waiting = "select from pg_locks where not granted"
    wait_until(lambda: db.execute(waiting).fetchone() is not None, "a statement waits", 120)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP])
def test_a_stopped_backup_leaves_no_file(sent: signal.Signals, settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, initialize(place) as db:
        db.autocommit = False
        db.execute("lock table messages in access exclusive mode")
        with start(place, "backup", tmp_path / "file") as process:
            wait_for_a_lock(db)
            assert [each.suffix for each in tmp_path.iterdir()] == [".partial"]
            process.send_signal(sent)
            assert process.wait(60) not in (0, -sent)
        assert not list(tmp_path.iterdir())


def wait_for_a_full_pipe(process: subprocess.Popen[bytes]) -> None:
    """Wait until the standard output of a process takes no more."""
    descriptor = os.open(f"/proc/{process.pid}/fd/1", os.O_WRONLY | os.O_NONBLOCK)
    try:
        wait_until(lambda: not select.select([], [descriptor], [], 0)[1], "the pipe is full", 120)
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("full", [False, True])
def test_a_stopped_backup_leaves_no_database_server(full: bool) -> None:
    with in_a_folder() as place:
        place.succeeds("init", "--organization", "Acme", "--email", "ada@example.org")
        with embedded_postgres(place.folder.resolve()) as url, psycopg.connect(url, autocommit=True) as db:
            put(place, db, 1 << 20, os.urandom(1 << 20))  # more than the buffer of a pipe
        with start(place, "backup", "-") as process:
            assert process.stdout is not None
            process.stdout.read(1)
            if full:
                wait_for_a_full_pipe(process)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) not in (0, -signal.SIGTERM)
        assert not (place.folder / "postgres" / "postmaster.pid").exists()


def test_a_stopped_restore_leaves_nothing(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, initialize(place) as db:
        (place.folder / KEY_FILE).write_text("a key")
        put(place, db, 3, b"abc")
        place.succeeds("backup", tmp_path / "file")
    with with_postgresql(settings) as place, psycopg.connect(place.settings.database_url or "") as db:
        db.execute(FAIL_AT_COMMIT.replace("raise 'no commit today'", "perform pg_advisory_xact_lock(77); return new"))
        db.commit()
        db.execute("select pg_advisory_xact_lock(77)")
        with start(place, "restore", tmp_path / "file") as process:
            wait_for_a_lock(db)
            assert (place.folder / KEY_FILE).exists()
            process.send_signal(signal.SIGTERM)
            assert process.wait(90) not in (0, -signal.SIGTERM)
        assert not (place.folder / KEY_FILE).exists()
        assert not list((place.folder / "media").glob("*/*"))
        assert not database.is_restored(place.settings.database_url or "")


def test_full_standard_output_is_an_error_and_standard_input_is_read(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place, initialize(place):
        environment = {**os.environ, **place.settings.environment()}
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [ATRIUM, "backup", "-"], check=False, env=environment, stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert done.returncode == 1
        assert "backup failed: standard output: No space left on device" in done.stderr
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
