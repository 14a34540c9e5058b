"""Which bucket rooms are in, for the operator."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

import msgspec
import psycopg

from atrium.audit.trail import Change, Target
from atrium.buckets import queries
from atrium.buckets.transactions import in_bucket
from atrium.keys.caller import Call
from atrium.kit.postgres.hosts import writable
from atrium.kit.postgres.rows import as_structs
from atrium.migrations import buckets as schemas
from atrium.migrations.buckets import TABLES, schema_of
from atrium.organizations.reach import Organization
from atrium.rooms.reach import RoomNotFound

# Deliveries that have ended stay where they are: the log of a webhook is read from every bucket.
OF_ROOMS = [each for each in TABLES if each not in ("packing", "deliveries", "due_deliveries")]


class BucketInfo(msgspec.Struct, frozen=True):
    """A bucket: its rooms, the estimated number of their messages, the bytes that its tables and indexes take, the
    tablespace of PostgreSQL that they are in, and the organizations whose new rooms are in it."""

    bucket: int
    rooms: int
    messages: int
    bytes: int
    tablespace: str
    organizations: Sequence[str]


class StillRunning(Exception):
    """Other processes of Atrium are connected to the database. Each knows the buckets, and where rooms are, from before
    a change."""


class BucketNotFound(Exception):
    """There is no bucket with that number."""


class CannotPlace(Exception):
    """The tablespace is unknown, the role may not use it, or it has no room for the bucket."""


@contextmanager
def _changing_buckets(url: str) -> Iterator[psycopg.Connection]:
    from atrium.migrations.script import driver_of  # noqa: PLC0415 - half a second, which the other functions don't need
    from atrium.migrations.upgrade import changing_schema  # noqa: PLC0415

    with changing_schema(url) as connection:
        db = driver_of(connection)
        _require_stopped(_connections(db))
        yield db


def _connections(db: psycopg.Connection) -> int:
    [[number]] = db.execute(queries.PROCESSES.encode()).fetchall()
    return int(number)


def create_bucket(url: str) -> int:
    """Add a bucket to the database; return its number. Raise StillRunning, and psycopg.Error.

    StillRunning may come after the change: a process that has started meanwhile does not know of the bucket.
    """
    with _changing_buckets(url) as db:
        number = schemas.add_bucket(db)
        db.execute(queries.COUNT_MESSAGES.encode())
    with psycopg.connect(url, **writable(url)) as db:
        if _connections(db):
            raise StillRunning(f"added bucket {number}; restart every atrium serve and worker: one has just started")
    return number


def place_bucket(url: str, bucket: int, tablespace: str) -> None:
    """Move all tables and indexes of a bucket to a tablespace of PostgreSQL, or none of them, and make new ones there.

    Raise StillRunning, BucketNotFound, CannotPlace, and psycopg.Error.
    """
    with _changing_buckets(url) as db:
        _require_one_of(schemas.numbers(db), bucket)
        try:
            schemas.place_bucket(db, bucket, tablespace)
        except psycopg.Error as error:
            raise CannotPlace(error.diag.message_primary or str(error)) from None


async def list_buckets(call: Call) -> list[BucketInfo]:
    """Return all buckets."""
    return as_structs(await call.db.fetch(queries.LIST, list(TABLES)), BucketInfo)


async def assign_bucket(call: Call, organization: Organization, bucket: int | None) -> None:
    """Choose the bucket of all new rooms of an organization; None for the one with the fewest messages. Raise
    BucketNotFound."""
    await _require_bucket(call, bucket)
    before = await call.db.fetchval(queries.OF_ORGANIZATION, organization.organization_id)
    await call.db.execute(queries.ASSIGN, organization.organization_id, bucket)
    target = Target("organization", organization.organization_id, organization.name)
    await call.record(
        Change("organization.assigned", target, organization.organization_id, {"bucket": before}, {"bucket": bucket})
    )


async def move_room(call: Call, room_id: UUID, bucket: int) -> str:
    """Move a room with all that is in it to another bucket; return its name. Raise StillRunning, BucketNotFound,
    RoomNotFound."""
    await call.db.execute(queries.LOCK)
    await _require_bucket(call, bucket)
    room = await call.db.fetchrow(queries.ROOM, room_id)
    if room is None:
        raise RoomNotFound
    _require_stopped(await call.db.fetchval(queries.PROCESSES))  # who looks for the room from now on, waits
    if room["bucket"] == bucket:
        return str(room["name"])
    here, there = schema_of(room["bucket"]), schema_of(bucket)
    moves = await call.db.fetch(queries.MOVES, OF_ROOMS, here, there)
    moves += await call.db.fetch(queries.MOVES_OF_WAITING, here, there)
    async with in_bucket(call.db, bucket):  # where triggers look
        for row in moves:
            await call.db.execute(row["statement"], room_id)
    await call.db.execute(queries.MOVE, room_id, bucket)
    before, after = {"bucket": room["bucket"]}, {"bucket": bucket}
    await call.record(
        Change("room.moved", Target("room", room_id, room["name"]), room["organization_id"], before, after)
    )
    return str(room["name"])


def _require_stopped(connections: int) -> None:
    if connections:
        raise StillRunning(
            f"stop every atrium serve and atrium worker first: they have {connections} connections to the database"
        )


async def _require_bucket(call: Call, bucket: int | None) -> None:
    if bucket is not None:
        _require_one_of([row["bucket"] for row in await call.db.fetch(queries.NUMBERS)], bucket)


def _require_one_of(buckets: Sequence[int], bucket: int) -> None:
    if bucket not in buckets:
        raise BucketNotFound(f"there is no bucket {bucket}; there are {', '.join(map(str, buckets))}")
