"""Write a channel's messages to its room, one batch per transaction, under the room's lock as for a send."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from atrium.imports import queries
from atrium.imports.archive import Archive
from atrium.imports.contents import ChannelContents, Thread
from atrium.imports.plan import Row, imported_id, rows_of, seq_of
from atrium.imports.run import Counters, Run
from atrium.imports.scan import messages_of
from atrium.imports.slack import ExportedMessage
from atrium.kit.postgres.database import Connection, Record
from atrium.rooms.queries import LOCK
from atrium.search.indexing import index_from
from atrium.slack.mrkdwn import Names
from atrium.unread.participation import record_participation_from

ROWS_PER_BATCH = 1000
Roots = dict[int, UUID]


async def import_messages(run: Run, archive: Archive, contents: ChannelContents, room_id: UUID, names: Names) -> None:
    """Write the messages of a channel that are not in its room yet."""
    thread, rows, waiting = contents.thread, list[Row](), 0
    for message, nth in numbered(run.counters, archive, contents):
        waiting += 1
        if nth is not None:
            root_us = thread.top_of(message.time_us, message.root_us)
            rows += rows_of(message, room_id, names, root_us=root_us, nth=nth)
            run.counters.cleaned += message.cleaned
        if len(rows) >= ROWS_PER_BATCH:
            await _write(run, room_id, rows, thread)
            run.advance(waiting)
            rows, waiting = [], 0
    if rows:
        await _write(run, room_id, rows, thread)
    run.advance(waiting)


def numbered(
    counters: Counters, archive: Archive, contents: ChannelContents
) -> Iterator[tuple[ExportedMessage, int | None]]:
    """Yield each message with its number among the different ones with the same ts, or None for a duplicate."""
    shared, seen = contents.shared_times, dict[int, list[tuple[object, ...]]]()
    for day in contents.days:
        for message in sorted(messages_of(archive, day), key=lambda found: found.time_us):
            if message.time_us not in shared:
                yield message, 0
                continue
            others, content = seen.setdefault(message.time_us, []), (message.author.key, message.content, message.files)
            counters.repeated += content in others
            yield message, None if content in others else len(others)
            others += [] if content in others else [content]


async def _write(run: Run, room_id: UUID, rows: Sequence[Row], thread: Thread) -> None:
    db = run.db
    async with db.transaction():
        await db.execute(LOCK, room_id)
        roots = await _find_roots(db, room_id, rows, thread)
        written = await db.fetch(queries.ADD_MESSAGES, room_id, *_columns(rows, roots))
        added = {row["message_id"] for row in written if row["added"]}
        await _count_replies(db, room_id, written)
        if written:
            await record_participation_from(db, room_id, min(row["message_id"] for row in written))
        if added:
            await db.execute(queries.MOVE_HEAD, room_id, seq_of(max(added)), max(added))
            await index_from(db, room_id, min(added))
            await db.execute(queries.LOWER_CREATED_AT, room_id, min(row.sent_at for row in rows))
        await db.execute(queries.NOTE_CHANGE, room_id)
        _count(run.counters, rows, roots, added)
        await run.record()


async def _find_roots(db: Connection, room_id: UUID, rows: Sequence[Row], thread: Thread) -> Roots:
    """Return the ids of the threads' first messages, from this export or an earlier one."""
    wanted = {row.root_us: imported_id(room_id, row.root_us) for row in rows if row.root_us}
    roots = {root_us: root_id for root_us, root_id in wanted.items() if root_us in thread.roots}
    elsewhere = {root_id: root_us for root_us, root_id in wanted.items() if root_us not in roots}
    for found in await db.fetch(queries.ROOTS, room_id, list(elsewhere)) if elsewhere else ():
        roots[elsewhere[found["message_id"]]] = found["root_id"]
    return roots


def _columns(rows: Sequence[Row], roots: Roots) -> tuple[list[object], ...]:
    return (
        [row.message_id for row in rows],
        [row.user_id for row in rows],
        [roots.get(row.root_us) for row in rows],
        [row.text for row in rows],
        [row.blocks for row in rows],
        [f"{{{','.join(map(str, row.mentions))}}}" for row in rows],
        [row.reactions for row in rows],
        [row.sent_at for row in rows],
        [row.edited_at for row in rows],
    )


async def _count_replies(db: Connection, room_id: UUID, written: Sequence[Record]) -> None:
    """Count the replies, also of messages just added: a reply may be in an earlier day file than its root."""
    roots = {row["thread_root_id"] or row["message_id"] for row in written}
    await db.execute(queries.COUNT_REPLIES, room_id, list(roots))


def _count(counters: Counters, rows: Sequence[Row], roots: Roots, added: set[UUID]) -> None:
    for row in rows:
        is_new, has_root = row.message_id in added, row.root_us in roots
        counters.crowded_out += row.crowded_out if is_new else 0
        counters.blocks_cut += row.blocks_cut if is_new else 0
        if row.part:
            counters.continued += is_new
            continue
        counters.messages.count(added=is_new)
        counters.reactions.count(added=is_new, number=row.reacted)
        if has_root:
            counters.replies.count(added=is_new)
        else:
            counters.orphans += row.is_reply and is_new
