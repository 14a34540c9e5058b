"""Transcriptions and imports of organizations take turns."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from atrium.bootstrap.actions import set_up_with_keys as set_up
from atrium.imports.jobs import Importer
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage
from tests.conftest import UNREACHABLE_URL
from tests.transcripts.harness import add_recording, hello, transcriber
from tests.transcripts.server import running_transcriber
from tests.webhooks.harness import NOON, Harness, with_harness

REQUEST = "select ask_for_transcription($1, $2, null, null, $3)"
ENDED = "select organization_id from transcriptions join rooms using (room_id) join spaces using (space_id) order by ended_at"
ADD_IMPORT = """
insert into imports (import_id, organization_id, space_id, name, size, created_by, created_at, due_at)
values ($1, $2, $3, 'export.zip', 100, $4, $5, $5)
"""
ENDED_IMPORTS = "select organization_id from imports where ended_at is not null order by ended_at"


async def organizations(harness: Harness) -> tuple[dict[str, Any], dict[str, Any]]:
    async with harness.db.transaction():
        other = await set_up(
            harness.db, "http://atrium.test", organization="Other", email="grace@other.example", name="Grace", now=NOON
        )
    return harness.made, other


@pytest.mark.contract("Conventions 8")
def test_one_recording_waits_for_one_of_another_organization_not_for_all(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        many, one = await organizations(harness)
        for made in (many, many, many, one):
            recording_id = await add_recording(harness, room_id=made["room_id"])
            await harness.db.execute(REQUEST, UUID(made["room_id"]), recording_id, harness.clock())
            harness.pass_time(seconds=1)
        async with running_transcriber(hello) as (url, _), transcriber(harness, url) as worker:
            for _ in range(4):
                assert await worker.transcribe_next()
                harness.pass_time(seconds=1)
        served = [str(row["organization_id"]) for row in await harness.db.fetch(ENDED)]
        assert served == [each["organization_id"] for each in (many, one, many, many)]

    with_harness(settings, act)


@pytest.mark.contract("Conventions 8")
def test_one_import_waits_for_one_of_another_organization_not_for_all(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        many, one = await organizations(harness)
        for made in (many, many, many, one):
            ids = (UUID(made[name]) for name in ("organization_id", "space_id", "person_id"))
            await harness.db.execute(ADD_IMPORT, uuid4(), *ids, harness.clock())
            harness.pass_time(seconds=1)
        harness.pass_time(days=2)
        async with transcriber(harness, UNREACHABLE_URL) as worker:
            storage = open_storage(harness.settings)
            importer = Importer(worker._pool, lambda: storage, harness.settings, harness.clock)
            for _ in range(4):
                assert await importer.run_next()
                harness.pass_time(seconds=1)
        served = [str(row["organization_id"]) for row in await harness.db.fetch(ENDED_IMPORTS)]
        assert served == [each["organization_id"] for each in (many, one, many, many)]

    with_harness(settings, act)
