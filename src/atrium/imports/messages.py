"""A channel's messages into its room, a batch a transaction, under the room's lock as a send would be."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from atrium.imports import queries
from atrium.imports.archive import Archive
from atrium.imports.mrkdwn import Names
from atrium.imports.plan import Row, imported_id, rows_of, seq_of
from atrium.imports.run import Run, Tally
from atrium.imports.slack import SlackMessage
from atrium.imports.survey import SurveyedChannel, Thread, messages_of
from atrium.kit.database import Connection, Record
from atrium.rooms.queries import LOCK
from atrium.search.indexing import index_from

ROWS_A_BATCH = 1000
Roots = dict[int, UUID]


async def bring_messages(run: Run, archive: Archive, each: SurveyedChannel, room_id: UUID, names: Names) -> None:
    """Write the messages of a channel that are not in its room yet."""
    thread, rows, waiting = each.thread, list[Row](), 0
    for message, nth in _told_apart(run.tally, archive, each):
        waiting += 1
        if nth is not None:
            root_us = thread.top_of(message.time_us, message.root_us)
            rows += rows_of(message, room_id, names, root_us=root_us, nth=nth)
            run.tally.cleaned += message.cleaned
        if len(rows) >= ROWS_A_BATCH:
            await _write(run, room_id, rows, thread)
            run.advance(waiting)
            rows, waiting = [], 0
    if rows:
        await _write(run, room_id, rows, thread)
    run.advance(waiting)


def _told_apart(tally: Tally, archive: Archive, each: SurveyedChannel) -> Iterator[tuple[SlackMessage, int | None]]:
    """The messages with their number among the different ones of the same ts; None for one that was there before."""
    shared, heard = each.shared_times, dict[int, list[tuple[str, str]]]()
    for day in each.days:
        for message in sorted(messages_of(archive, day), key=lambda found: found.time_us):
            if message.time_us not in shared:
                yield message, 0
                continue
            others, said = heard.setdefault(message.time_us, []), (message.author.key, message.mrkdwn)
            tally.repeated += said in others
            yield message, None if said in others else len(others)
            others += [] if said in others else [said]


async def _write(run: Run, room_id: UUID, rows: Sequence[Row], thread: Thread) -> None:
    db = run.db
    async with db.transaction():
        await db.execute(LOCK, room_id)
        roots = await _find_roots(db, room_id, rows, thread)
        written = await db.fetch(queries.ADD_MESSAGES, room_id, *_columns(rows, roots))
        added = {row["message_id"] for row in written if row["added"]}
        await _count_replies(db, room_id, written)
        if added:
            await db.execute(queries.MOVE_HEAD, room_id, seq_of(max(added)), max(added))
            await index_from(db, room_id, min(added))
            await db.execute(queries.LOWER_CREATED_AT, room_id, min(row.sent_at for row in rows))
        await db.execute(queries.NOTE_CHANGE, room_id)
    _take_stock(run.tally, rows, roots, added)


async def _find_roots(db: Connection, room_id: UUID, rows: Sequence[Row], thread: Thread) -> Roots:
    """The ids of the threads' first messages: those of this export, and those that an earlier one brought."""
    asked = {row.root_us: imported_id(room_id, row.root_us) for row in rows if row.root_us}
    roots = {root_us: root_id for root_us, root_id in asked.items() if root_us in thread.roots}
    elsewhere = {root_id: root_us for root_us, root_id in asked.items() if root_us not in roots}
    for found in await db.fetch(queries.ROOTS, room_id, list(elsewhere)) if elsewhere else ():
        roots[elsewhere[found["message_id"]]] = found["root_id"]
    return roots


def _columns(rows: Sequence[Row], roots: Roots) -> tuple[list[object], ...]:
    return (
        [row.message_id for row in rows],
        [row.user_id for row in rows],
        [roots.get(row.root_us) for row in rows],
        [row.text for row in rows],
        [f"{{{','.join(map(str, row.mentions))}}}" for row in rows],
        [row.reactions for row in rows],
        [row.sent_at for row in rows],
        [row.edited_at for row in rows],
    )


async def _count_replies(db: Connection, room_id: UUID, written: Sequence[Record]) -> None:
    """Also of messages just added: a reply may stand in an earlier day file than what it answers."""
    roots = {row["thread_root_id"] or row["message_id"] for row in written}
    await db.execute(queries.COUNT_REPLIES, room_id, list(roots))


def _take_stock(tally: Tally, rows: Sequence[Row], roots: Roots, added: set[UUID]) -> None:
    for row in rows:
        is_new, has_root = row.message_id in added, row.root_us in roots
        tally.crowded_out += row.crowded_out if is_new else 0
        if row.part:
            tally.continued += is_new
            continue
        tally.messages.take(added=is_new)
        tally.reactions.take(added=is_new, number=row.reacted)
        if has_root:
            tally.replies.take(added=is_new)
        else:
            tally.orphans += row.answers and is_new
