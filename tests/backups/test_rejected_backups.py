"""An incomplete or unsuitable backup is rejected with a reason, and nothing changes."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import psycopg
import pytest

from atrium.kit.encryption import installation_cipher
from atrium.kit.postgres.embedded import embedded_postgres, sole_server
from atrium.kit.settings import Settings
from tests.backups.places import Place, in_a_folder, with_postgresql
from tests.conftest import new_organization, prepared_folder, running_server

KEY = "an environment's key of 32 characters"
TABLES = "select count(*) from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')"


@pytest.fixture(scope="module")
def backup_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Create a backup of a small installation with a key and a media file."""
    file = tmp_path_factory.mktemp("backups") / "complete"
    with prepared_folder() as folder:
        place = Place(Settings(data_dir=folder, port=0, rate_limit=0))
        installation_cipher(place.settings)  # creates the key, as the worker does when it starts
        with running_server(place.settings) as running, embedded_postgres(folder) as url:
            api = new_organization(place.settings.with_changes(database_url=url), running.url)
            api.send("hello")
            posted = api.person.post(f"/v2/rooms/{api.room_id}/attachments", content=b"bytes" * 1000)
            assert posted.status_code == 201
            api.close()
            place.succeeds("backup", file)
    yield file


def rewritten(backup_file: Path, changed: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Write the backup with changed entries and valid checksums."""
    with ZipFile(backup_file) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    change(entries)
    with ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in entries.items():
            new.writestr(name, content)
    return changed


def manifest_with(**fields: Any) -> Callable[[dict[str, bytes]], None]:
    def change(entries: dict[str, bytes]) -> None:
        entries["manifest.json"] = json.dumps(json.loads(entries["manifest.json"]) | fields).encode()

    return change


def media_in(entries: dict[str, bytes]) -> str:
    return next(name for name in entries if name.startswith("media/"))


def flip_bit(content: bytes) -> bytes:
    """Flip one bit in the rows of a table."""
    at = content.index(b"tables/messages") + 40
    return content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]


DAMAGED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "half": (lambda content: content[: len(content) // 2], "it is truncated"),
    "all but the last byte": (lambda content: content[:-1], "it is truncated"),
    "a flipped bit": (flip_bit, "it is damaged: tables/messages cannot be read"),
    "nothing": (lambda _: b"", "it is not an Atrium backup"),
    "a text": (lambda _: b"select 1;\n" * 100, "it is not an Atrium backup"),
}
CHANGED: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "another archive": (dict.clear, "it is not an Atrium backup"),
    "no manifest": (lambda e: e.pop("manifest.json") and None, "it is not an Atrium backup"),
    "half a manifest": (lambda e: e.update({"manifest.json": b'{"format": 1'}), "its manifest cannot be read"),
    "a table too few": (lambda e: e.pop("tables/messages") and None, "do not match its manifest"),
    "an entry too many": (lambda e: e.update({"../../passwd": b"x"}), "do not match its manifest"),
    "no key": (lambda e: e.pop("secret.key") and None, "do not match its manifest"),
    "too large a key": (lambda e: e.update({"secret.key": b"x" * 5000}), "secret.key is too large"),
    "too large a piece": (lambda e: e.update({media_in(e): bytes(9 << 20)}), "is too large"),
    "a later format": (manifest_with(format=2, release="7.1"), "it was created by Atrium 7.1"),
    "a later schema": (manifest_with(revision="9999", release="7.1"), "it was created by a later release, Atrium 7.1"),
}

# Errors that only the database finds.
UNSUITABLE: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "other rows": (lambda e: e.update({"tables/messages": b"x\n"}), "table messages cannot be restored"),
    "a key that is no text": (lambda e: e.update({"secret.key": b"\xff"}), "its key is not text"),
    "fewer rows": (lambda e: e.update({"tables/messages": b""}), "table messages has 0 rows, not 1"),
    "a schema of nobody's": (manifest_with(revision="0000"), "The database is of another release"),
}


def assert_left_empty(place: Place, backup_file: Path) -> None:
    """Assert that nothing is left, and that the unchanged backup can be restored."""
    assert not (place.folder / "secret.key").exists()
    assert not list((place.folder / "media").glob("*/*"))
    with psycopg.connect(place.settings.database_url or "") as db:
        assert db.execute(TABLES).fetchone() == (0,)
    place.succeeds("restore", backup_file)
    assert len(list((place.folder / "media").glob("*/*"))) == 1
    assert (place.folder / "secret.key").exists()


@pytest.mark.contract("Backups, packages, upgrades 2")
@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_rejected(what: str, backup_file: Path, tmp_path: Path) -> None:
    damage, error = DAMAGED[what]
    (tmp_path / "file").write_bytes(damage(backup_file.read_bytes()))
    place = Place(Settings(data_dir=tmp_path / "data"))
    assert error in place.fails("restore", tmp_path / "file")
    assert not place.folder.exists()


@pytest.mark.contract("Backups, packages, upgrades 2")
@pytest.mark.parametrize("what", CHANGED)
def test_a_file_that_does_not_match_its_manifest_is_rejected(what: str, backup_file: Path, tmp_path: Path) -> None:
    change, error = CHANGED[what]
    place = Place(Settings(data_dir=tmp_path / "data"))
    assert error in place.fails("restore", rewritten(backup_file, tmp_path / "file", change))
    assert not place.folder.exists()


@pytest.mark.contract("Backups, packages, upgrades 2")
def test_an_unsuitable_backup_leaves_nothing_behind(backup_file: Path, tmp_path: Path, settings: Settings) -> None:
    with with_postgresql(settings) as place:
        for what, (change, error) in UNSUITABLE.items():
            assert error in place.fails("restore", rewritten(backup_file, tmp_path / what, change))
        assert_left_empty(place, backup_file)


@pytest.mark.contract("Backups, packages, upgrades 3")
def test_a_restore_needs_an_empty_database_and_folder(backup_file: Path, settings: Settings) -> None:
    with with_postgresql(settings) as place:
        with psycopg.connect(place.settings.database_url or "", autocommit=True) as db:
            db.execute("create table others ()")
            assert "has tables already" in place.fails("restore", backup_file)
            db.execute("drop table others")
        (place.folder / "media" / "a").mkdir(parents=True)
        (place.folder / "media" / "a" / "b").write_bytes(b"x")
        assert "contains media already" in place.fails("restore", backup_file)
        (place.folder / "media" / "a" / "b").unlink()
        (place.folder / "secret.key").write_text("another key")
        assert "move that file away" in place.fails("restore", backup_file)
        (place.folder / "secret.key").unlink()
        assert_left_empty(place, backup_file)
        assert "already" in place.fails("restore", backup_file)


def test_a_folder_in_use_does_not_change(backup_file: Path) -> None:
    with in_a_folder() as place, sole_server(place.folder):
        assert "Another Atrium server is using" in place.fails("restore", backup_file)
        assert "The file is intact" in place.run("restore", "--check", backup_file).stderr


@pytest.mark.contract("Backups, packages, upgrades 3")
def test_a_key_from_the_environment_is_not_in_the_backup(backup_file: Path, settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "file"
    with with_postgresql(settings, secret_key=KEY) as place:
        assert "unset it" in place.fails("restore", backup_file)
        place.succeeds("init", "--organization", "Acme", "--email", "ada@example.org")
        assert "It does not contain ATRIUM_SECRET_KEY" in place.run("backup", file).stderr
        assert KEY.encode() not in b"".join(ZipFile(file).read(name) for name in ZipFile(file).namelist())
    with with_postgresql(settings) as place:
        assert "set ATRIUM_SECRET_KEY to the value used when the backup was created" in place.fails("restore", file)
    with with_postgresql(settings, secret_key=KEY.upper()) as place:
        assert "ATRIUM_SECRET_KEY" in place.fails("restore", file)
        place.succeeds("restore", file, "--any-key")
    with with_postgresql(settings, secret_key=KEY) as place:
        place.succeeds("restore", file)
        assert not (place.folder / "secret.key").exists()


@pytest.mark.contract("Backups, packages, upgrades 4")
def test_a_backup_is_written_completely_or_not_at_all(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place:
        assert "nothing to back up" in place.fails("backup", tmp_path / "file")
        place.succeeds("init", "--organization", "Acme", "--email", "ada@example.org")
        assert "No such file or directory" in place.fails("backup", tmp_path / "nowhere" / "file")
        place.succeeds("backup", tmp_path / "file")
        assert "already exists" in place.fails("backup", tmp_path / "file")
        with psycopg.connect(place.settings.database_url or "", autocommit=True) as db:
            db.execute("update alembic_version set version_num = '9999'")
        assert "later release" in place.fails("backup", tmp_path / "other")
    with in_a_folder() as place:
        assert "there is no database" in place.fails("backup", tmp_path / "other")
        assert not place.folder.exists()
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
