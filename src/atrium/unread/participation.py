"""Record thread participants and mentions, shortly after messages are sent.

Queries also read messages that are not recorded yet, so counts are exact although sending writes nothing. A pass every
30 seconds is cheaper than writing on each send.
"""

from uuid import UUID

from atrium.kit.postgres.database import Connection, Pool
from atrium.unread import queries

ROOMS_PER_BATCH, MESSAGES_PER_BATCH = 200, 5000


async def record_participation(pool: Pool) -> None:
    """Record participation and mentions since the last run, in all rooms."""
    while await pool.fetchval(queries.RECORD, ROOMS_PER_BATCH, MESSAGES_PER_BATCH):
        pass


async def record_participation_from(db: Connection, room_id: UUID, oldest: UUID) -> None:
    """Record the messages from `oldest` on again, in the transaction of an import."""
    await db.execute(queries.REWIND, room_id, UUID(int=oldest.int - 1))
