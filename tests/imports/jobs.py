"""Imports as the API shows them."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.imports.export import slack_message, ts, write_zip
from tests.imports.harness import importer, upload_async
from tests.webhooks.harness import Harness

COUNT = 3_200  # of messages, in batches of 1,000
# What an import writes, without ids of people and rooms, which differ between two imports.
WRITTEN = """
select r.name as room, m.sent_at, m.text, m.reply_count, m.last_reply_at, m.reactions::text, a.name,
       root.sent_at as root_at
from messages m join rooms r using (room_id) join actors a on a.actor_id = m.user_id
left join messages root on root.room_id = m.room_id and root.message_id = m.thread_root_id
where r.space_id = $1 order by r.name, m.sent_at, m.message_id
"""
# The next transaction of an import that records its counters for the third time waits for this lock.
PAUSED = """
create function pause() returns trigger language plpgsql as $$
begin
    if (new.counters->'messages'->>'added')::int > 2000 then perform pg_advisory_xact_lock(17); end if;
    return new;
end $$;
create trigger pause before update of counters on imports for each row execute function pause();
"""
WAITING = "select pid from pg_locks where locktype = 'advisory' and objid = 17 and not granted"


def export(folder: Path) -> Path:
    messages = [
        slack_message(nr, f"m{nr}", **({"thread_ts": ts(nr - nr % 10)} if nr % 10 else {})) for nr in range(COUNT)
    ]
    return write_zip(folder / "export.zip", {f"general/2017-07-{14 + nr}.json": messages[nr::3] for nr in range(3)})


async def read(harness: Harness, url: str) -> dict[str, Any]:
    return dict((await harness.client.get(url)).raise_for_status().json())


async def upload_and_start(harness: Harness, path: Path) -> str:
    url = await upload_async(harness, path)
    async with importer(harness) as worker:
        assert await worker.run_next()
    (await harness.client.post(f"{url}/start")).raise_for_status()
    return url


async def written_rows(harness: Harness) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await harness.db.fetch(WRITTEN, UUID(harness.made["space_id"]))]


async def in_the_middle(harness: Harness) -> int:
    """Wait until an import is in the transaction of its third batch; return the process id of its session."""
    async with asyncio.timeout(60):
        while (pid := await harness.db.fetchval(WAITING)) is None:
            await asyncio.sleep(0.01)
    return int(pid)
