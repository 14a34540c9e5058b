"""While a backup is taken nothing leaves the storage; what is not there is told."""

import asyncio
from pathlib import Path
from typing import Any

import httpx

from atrium.backups.database import holding
from atrium.kit.settings import Settings
from tests.backups.places import with_postgresql
from tests.conftest import FakeClock, new_organization
from tests.recordings.test_storage import rounds, stored, under_a_clock


def test_what_is_given_up_stays_until_the_backup_is_over() -> None:
    async def act(client: httpx.AsyncClient, clock: FakeClock, service: Any, ids: dict[str, str]) -> None:
        posted = await client.post(f"/v2/rooms/{ids['room']}/attachments", content=b"x")
        attachment = posted.json()["attachment_id"]
        body = {"text": "x", "attachments": [attachment]}
        message = (await client.post(f"/v2/rooms/{ids['room']}/messages", json=body)).json()["message_id"]
        with holding(service.settings.database_url):
            await client.delete(f"/v2/rooms/{ids['room']}/messages/{message}")
            await rounds(service, clock)
            assert stored(service) == {attachment}
        async with asyncio.timeout(60):  # the lock is let go when the database has seen that whoever held it is gone
            while stored(service):
                await rounds(service, clock)

    under_a_clock(act)


def test_media_that_is_missing_is_told_and_the_rest_is_there(settings: Settings, tmp_path: Path) -> None:
    with with_postgresql(settings) as place:
        place.does("init", "--organization", "Acme", "--email", "ada@example.org")
        api = new_organization(place.settings, "http://atrium.test")
        lost, kept = ("00000000-0000-0000-0000-00000000000" + end for end in "12")
        for piece in (lost, kept):
            api.sql("insert into media_parts (object, starts_at, size, part) values ($1, 0, 3, $1)", piece)
        (place.folder / "media" / kept).mkdir(parents=True)
        (place.folder / "media" / kept / kept).write_bytes(b"abc")
        told = place.run("backup", tmp_path / "file").stderr
        assert f"1 pieces of media are missing in the storage, and so in the backup: {lost}/{lost}" in told
    with with_postgresql(settings) as place:
        assert "1 pieces of media were missing" in place.run("restore", tmp_path / "file").stderr
        assert [each.read_bytes() for each in (place.folder / "media").glob("*/*")] == [b"abc"]
