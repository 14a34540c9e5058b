"""A room with something of everything, and a search for its remains in every table."""

import base64
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from atrium.cleanup.actions import clean_up
from atrium.kit.postgres.database import open_pool
from atrium.kit.storage import open_storage
from atrium.search.indexing import index_batch
from atrium.transcripts.indexing import index_transcripts
from atrium.unread.participation import record_participation
from atrium.worker import maintain_partitions
from tests.contract.tour import subscription
from tests.recordings.media import TUS, webm
from tests.webhooks.harness import Harness

EVENTS = (
    "MESSAGE_SENT", "MESSAGE_EDITED", "MESSAGE_DELETED", "REACTION_ADDED", "ROOM_CREATED", "ROOM_UPDATED",
    "ROOM_DELETED", "ROOM_RECORDING_READY", "ROOM_RECORDING_TRANSCRIPT_PUBLISHED", "SPACE_MEMBER_REMOVED",
)  # fmt: skip
WITH_MESSAGE = ("MESSAGE_SENT", "MESSAGE_EDITED")
IMPORTED = "insert into imported (scope_id, source, external_id, internal_id) values ($1, 'slack', $2, $3)"
TABLES = """
select relname::text from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1
"""
ROWS = "select t::text from {} t where t::text ~* $1 limit 3"


class Named:
    """The content of a room: words that nothing else has, names, and ids."""

    def __init__(self, nr: int) -> None:
        self.nr = nr
        self.word, self.name = f"quokka{nr:02}x", f"axolotl{nr:02}x"
        self.room_id, self.ids = "", set[str]()


async def fill_room(harness: Harness, space_id: str, nr: int) -> Named:
    """Create a room with threads, reactions, mentions, a page, files and a recording with transcripts."""
    room = Named(nr)
    own = {"name": room.name, "description": room.name, "room_type": "video"}
    room.room_id = (await _post(harness, f"/v2/spaces/{space_id}/rooms", own))["room_id"]
    await _fill_messages(harness, room)
    await _fill_page(harness, room)
    await _fill_recordings(harness, room)
    hook = await _post(harness, f"/v2/rooms/{room.room_id}/incoming-webhooks", {"name": "Grafana"})
    assert (await harness.client.post(hook["url"], json={"text": room.word})).is_success
    await harness.db.execute(IMPORTED, UUID(harness.made["organization_id"]), f"C{nr}", UUID(room.room_id))
    return room


async def _post(harness: Harness, path: str, body: Any, **headers: str) -> dict[str, Any]:
    content = {"content": body} if isinstance(body, bytes) else {"json": body}
    answer = await harness.client.post(path, headers=headers, **content)
    assert answer.is_success, answer.text
    return dict(answer.json()) if answer.content else {}


async def _fill_messages(harness: Harness, room: Named) -> None:
    path, mention = f"/v2/rooms/{room.room_id}", f"<@{harness.made['person_id']}>"
    file = await _post(harness, f"{path}/attachments?name={room.word}.txt", room.word.encode())
    sent = {"text": f"{room.word} {mention}", "attachments": [file["attachment_id"]]}
    root = await _post(harness, f"{path}/messages", sent, **{"idempotency-key": "once"})
    reply = await _post(
        harness, f"{path}/messages", {"text": f"{room.word} {mention}", "parent_id": root["message_id"]}
    )
    edited = await harness.client.patch(f"{path}/messages/{reply['message_id']}", json={"text": f"new {room.word}"})
    reacted = await harness.client.put(f"{path}/messages/{root['message_id']}/reactions/👍")
    read = await harness.client.put(f"{path}/read-marker", json={"message_id": root["message_id"]})
    thread = f"{path}/threads/{root['message_id']}/read-marker"
    read_thread = await harness.client.put(thread, json={"message_id": reply["message_id"]})
    typing = await harness.client.post(f"{path}/typing")
    for answer in (edited, reacted, read, read_thread, typing):
        assert answer.is_success, answer.text
    room.ids |= {file["attachment_id"], root["message_id"], reply["message_id"]}


async def _fill_page(harness: Harness, room: Named) -> None:
    path = f"/v2/rooms/{room.room_id}"
    file = await _post(harness, f"{path}/attachments?name={room.word}.txt", room.word.encode())
    content = {"url": f"http://atrium.test{file['url']}", "attachment_id": file["attachment_id"]}
    blocks = [await _post(harness, f"{path}/blocks", {"type": "file", "content": content})]
    for _ in range(2):
        made = {"type": "heading", "content": {"text": room.word, "level": 1}}
        blocks.append(await _post(harness, f"{path}/blocks", made))
    assert (await harness.client.delete(f"/v2/blocks/{blocks[-1]['block_id']}")).is_success
    room.ids |= {file["attachment_id"], *(each["block_id"] for each in blocks)}


async def _fill_recordings(harness: Harness, room: Named) -> None:
    path = f"/v2/rooms/{room.room_id}"
    for _ in range(2):
        made = await _post(harness, f"{path}/recordings?name={room.name}.webm", webm(100))
        segments = [{"start": 0, "end": 1, "text": room.word}]
        for version in ({}, {"version": 1}):
            put = f"/v2/recordings/{made['recording_id']}/transcript"
            answer = await harness.client.put(put, json={"segments": segments, **version})
            assert answer.is_success, answer.text
        room.ids.add(made["recording_id"])
    assert (await harness.client.delete(f"/v2/recordings/{made['recording_id']}")).is_success
    name = base64.b64encode(f"{room.name}.webm".encode()).decode()
    upload = {**TUS, "upload-length": "100", "upload-metadata": f"filename {name}"}
    begun = await harness.client.post(f"{path}/uploads", headers=upload)
    begun.raise_for_status()
    parts = {**TUS, "upload-offset": "0", "content-type": "application/offset+octet-stream"}
    assert (await harness.client.patch(begun.headers["location"], content=webm(50), headers=parts)).is_success
    room.ids.add(begun.headers["location"].rsplit("/", 1)[1])


def subscriptions_to(space_id: str) -> list[dict[str, Any]]:
    """Return subscriptions to all events of a space, with their messages."""
    include = {"include": ["message"]}
    return [
        {**subscription(space_id, "SPACE"), "subscription_type": f"WEBHOOK_SUBSCRIPTION_TYPE_{event}"}
        | (include if event in WITH_MESSAGE else {})
        for event in EVENTS
    ]


async def work(harness: Harness) -> None:
    """Let the worker deliver and index everything."""
    while await harness.worker.deliver_due():
        pass
    async with await open_pool(harness.settings.database_url or "", size=1) as pool:
        while await index_batch(pool, ("english",)):
            pass
        await record_participation(pool)
        await index_transcripts(pool, ("english",))


async def next_runs(harness: Harness) -> None:
    """Let the worker remove deleted rows: now, and again when media is removed from the storage."""
    async with await open_pool(harness.settings.database_url or "", size=2) as pool:
        for minutes in (1, 11):
            harness.pass_time(minutes=minutes)
            await maintain_partitions(harness.settings, harness.clock)
            await clean_up(pool, open_storage(harness.settings), harness.settings, harness.clock, harness.clock())


async def rows_with(harness: Harness, texts: Sequence[str]) -> dict[str, list[str]]:
    """Return some rows of each table that have one of the texts in any column, also in bytes."""
    pattern = "|".join(form for text in texts for form in (text, text.encode().hex()))
    pool = await open_pool(harness.settings.database_url or "", size=1)
    found = {}
    for (table,) in await pool.fetch(TABLES):
        rows = [row[0] for row in await pool.fetch(ROWS.format(table), pattern)]
        found |= {table: rows} if rows else {}
    await pool.close()
    return found


def files_of(harness: Harness, room: Named) -> set[str]:
    """Return the folders of the media storage that belong to a room."""
    folder = harness.settings.data_dir / "media"
    return {each.name for each in folder.iterdir()} & room.ids if folder.is_dir() else set()
