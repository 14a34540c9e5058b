"""Import people, then rooms, then messages, each batch in its own transaction. An interrupted import can be run again:
it recognizes what exists by its ids. An import sends no webhooks (docs/contract.md#messages-and-blocks)."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from uuid import UUID

from atrium.imports import queries
from atrium.imports.archive import Archive
from atrium.imports.contents import ChannelContents, ExportContents
from atrium.imports.messages import import_messages
from atrium.imports.run import Count, Counters, Destination, Run
from atrium.imports.slack import Author
from atrium.kit.clock import from_ms
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection
from atrium.kit.text.names import numbered
from atrium.kit.text.types import SpaceId, first_name
from atrium.organizations.adoption import Addition, join_by_address
from atrium.people.queries import LOCK_BY_EMAIL
from atrium.rooms.actions import add_room
from atrium.rooms.model import RoomType
from atrium.rooms.reach import RoomNameTaken
from atrium.slack.mrkdwn import Names, to_plain_text

PEOPLE, CHANNELS = "slack/people", "slack/channels"
PEOPLE_PER_BATCH = 1000
BOT = "Imported from Slack; has no key"


class WrongDestination(Exception):
    """The export cannot be imported into this destination; the message says why."""


@asynccontextmanager
async def exclusive_import(db: Connection, into: Destination, waiting: Callable[[], None]) -> AsyncIterator[None]:
    """Run as the only import into the organization; call `waiting` if another one must finish first."""
    if not await db.fetchval(queries.TRY_LOCK, into.organization_id):
        waiting()
        await db.execute(queries.LOCK, into.organization_id, timeout=None)
    try:
        yield
    finally:
        if not db.is_closed():
            await db.execute(queries.UNLOCK, into.organization_id)


async def require_destination(db: Connection, into: Destination, export: ExportContents) -> None:
    """Raise WrongDestination if the organization or space does not exist, the space belongs to another organization,
    or a channel was imported into another space before."""
    target = await db.fetchrow(queries.DESTINATION, into.organization_id, into.space_id)
    if not target["has_organization"]:
        raise WrongDestination(f"organization {into.organization_id} does not exist")
    if target["space_of"] is None:
        raise WrongDestination(f"space {into.space_id} does not exist")
    if target["space_of"] != into.organization_id:
        raise WrongDestination(f"space {into.space_id} does not belong to organization {into.organization_id}")
    channels = _channel_names(export)
    for row in await db.fetch(queries.KNOWN_ROOMS, into.organization_id, CHANNELS, list(channels)):
        if row["space_id"] != into.space_id:
            raise WrongDestination(
                f"#{channels[row['external_id']]} was imported into space {row['space_id']} before; use that space"
            )


async def import_export(run: Run, archive: Archive, export: ExportContents) -> Counters:
    """Import everything that does not exist yet. Raise WrongDestination."""
    await require_destination(run.db, run.into, export)
    people = await _import_people(run, export.authors)
    names = Names(people, _channel_names(export))
    rooms = await _create_rooms(run, export.channels, names)
    for contents in export.channels:
        await import_messages(run, archive, contents, rooms[contents.channel.id], names)
    return run.counters


def _channel_names(export: ExportContents) -> dict[str, str]:
    return {contents.channel.id: contents.channel.name for contents in export.channels}


async def _import_people(run: Run, authors: Mapping[str, Author]) -> dict[str, UUID]:
    """Create people as members and bots as integrations without a key; return their ids by Slack's id."""
    known = await known_people(run, authors)
    await _better_names(run, [authors[key] for key in known])
    for key in known:
        _people_count(run, authors[key]).count(added=False)
    missing = [author for key, author in authors.items() if key not in known]
    # Of several accounts with one address, the person becomes the active one.
    new = [(author, new_id(run.now)) for author in sorted(missing, key=lambda author: not author.active)]
    for start in range(0, len(new), PEOPLE_PER_BATCH):
        async with run.db.transaction():
            for author, created_id in new[start : start + PEOPLE_PER_BATCH]:
                is_new = await _import_author(run, author, created_id)
                _people_count(run, author).count(added=is_new)
            await run.record()
    return await known_people(run, authors)


async def _better_names(run: Run, known: Iterable[Author]) -> None:
    """Name people by their names, whom an earlier export knew by their ids only."""
    named = [(author.key, author.id_as_name, author.name) for author in known if author.name != author.id_as_name]
    if named:
        where = (run.into.organization_id, PEOPLE)
        await run.db.execute(queries.BETTER_NAMES, *where, *map(list, zip(*named, strict=True)))


def _people_count(run: Run, author: Author) -> Count:
    return run.counters.bots if author.is_bot else run.counters.people


async def _import_author(run: Run, author: Author, created_id: UUID) -> bool:
    """Create the author, or use the person with that email address. Return whether there was none."""
    known = None if author.is_bot else await run.db.fetchrow(LOCK_BY_EMAIL, author.email)
    if known is not None and known["is_same"]:
        await _link_known_person(run, author, known["person_id"])
        return False
    statement = queries.ADD_BOT if author.is_bot else queries.ADD_PERSON
    about = BOT if author.is_bot else author.email if known is None else None
    who = (run.into.organization_id, PEOPLE, author.key, created_id, author.name)
    await run.db.execute(statement, *who, about, run.now, None if author.active else run.now)
    return True


async def _link_known_person(run: Run, author: Author, person_id: UUID) -> None:
    """Use the existing person with that email address. An existing membership does not change."""
    where, added = run.into.organization_id, Addition(author.name, author.email or "", author.active)
    await join_by_address(run.db, where, person_id, added, base_url=run.base_url, now=run.now)
    await run.db.execute(queries.ADD_IMPORTED, where, PEOPLE, author.key, person_id)


async def known_people(run: Run, keys: Iterable[str]) -> dict[str, UUID]:
    """Return the people and bots that were imported before, by Slack's id."""
    rows = await run.db.fetch(queries.KNOWN, run.into.organization_id, PEOPLE, list(keys))
    return {row["external_id"]: row["internal_id"] for row in rows}


async def _create_rooms(run: Run, channels: Iterable[ChannelContents], names: Names) -> dict[str, UUID]:
    """Return the room of each channel by Slack's id; create those that do not exist."""
    rooms = await known_rooms(run, names.channels)
    for contents in channels:
        key = contents.channel.id
        if key in rooms:
            run.counters.rooms.count(added=False)
            continue
        async with run.db.transaction():
            rooms[key] = await _create_room(run, contents, names)
            run.counters.rooms.count(added=True)
            await run.record()
    return rooms


async def known_rooms(run: Run, channels: Iterable[str]) -> dict[str, UUID]:
    """Return the rooms that were imported before and still exist, by Slack's id of their channel."""
    rows = await run.db.fetch(queries.KNOWN_ROOMS, run.into.organization_id, CHANNELS, list(channels))
    return {row["external_id"]: row["room_id"] for row in rows}


async def _create_room(run: Run, contents: ChannelContents, names: Names) -> UUID:
    channel = contents.channel
    room_id = await _add_numbered_room(run, contents, names)
    if channel.archived:
        await run.db.execute(queries.ARCHIVE_ROOM, room_id, run.now)
    await run.db.execute(queries.ADD_IMPORTED, run.into.organization_id, CHANNELS, channel.id, room_id)
    return room_id


async def _add_numbered_room(run: Run, contents: ChannelContents, names: Names) -> UUID:
    """Add the room with the channel's name, or with that and the first number that makes it unique in the space."""
    channel = contents.channel
    created_at = from_ms(contents.created_us // 1000) if contents.created_us else run.now
    for name in numbered(first_name(channel.name, otherwise=channel.id)):
        with suppress(RoomNameTaken):
            return await add_room(
                run.db,
                SpaceId(run.into.space_id),
                name=name,
                room_type=RoomType.CHAT,
                now=created_at,
                description=to_plain_text(channel.description, names)[:2000],
                created_by=names.creator(channel.creator),
            )
    raise AssertionError("numbered() is infinite")
