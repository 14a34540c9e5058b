"""While a backup is taken no media is deleted, and missing media is reported."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from atrium.backups.database import lock_media
from atrium.kit.settings import Settings
from tests.backups.places import with_postgresql
from tests.conftest import FakeClock, new_organization
from tests.recordings.storage import rounds, stored_folders, under_a_clock


@pytest.mark.contract("Backups, packages, upgrades 4")
def test_deleted_media_stays_until_the_backup_is_finished() -> None:
    async def act(client: httpx.AsyncClient, clock: FakeClock, service: Any, ids: dict[str, str]) -> None:
        posted = await client.post(f"/v2/rooms/{ids['room']}/attachments", content=b"x")
        attachment = posted.json()["attachment_id"]
        body = {"text": "x", "attachments": [attachment]}
        message = (await client.post(f"/v2/rooms/{ids['room']}/messages", json=body)).json()["message_id"]
        with lock_media(service.settings.database_url):
            await client.delete(f"/v2/rooms/{ids['room']}/messages/{message}")
            await rounds(service, clock)
            assert stored_folders(service) == {attachment}
        async with asyncio.timeout(60):  # the lock is released once the database notices the closed connection
            while stored_folders(service):
                await rounds(service, clock)

    under_a_clock(act)


def test_missing_media_is_reported_and_the_rest_is_restored(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place:
        place.succeeds("init", "--organization", "Acme", "--email", "ada@example.org")
        api = new_organization(place.settings, "http://atrium.test")
        lost, present = ("00000000-0000-0000-0000-00000000000" + end for end in "12")
        for piece in (lost, present):
            api.sql("insert into media_parts (object, starts_at, size, part) values ($1, 0, 3, $1)", piece)
        (place.folder / "media" / present).mkdir(parents=True)
        (place.folder / "media" / present / present).write_bytes(b"abc")
        warning = place.run("backup", tmp_path / "file").stderr
        assert f"1 media parts are missing from the storage and are not in the backup: {lost}/{lost}" in warning
    with with_postgresql(settings) as place:
        assert "1 media parts were missing" in place.run("restore", tmp_path / "file").stderr
        assert [each.read_bytes() for each in (place.folder / "media").glob("*/*")] == [b"abc"]
