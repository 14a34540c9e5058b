"""An import's writing: people, then rooms, then messages, each batch in a transaction of its own. Cut off anywhere, it
is run again; what is there already is known by its ids. It fires no webhooks (docs/contract.md#messages-and-blocks)."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from uuid import UUID

from atrium.imports import queries
from atrium.imports.archive import Archive
from atrium.imports.messages import bring_messages
from atrium.imports.mrkdwn import Names, to_markdown
from atrium.imports.run import Destination, Run, Tally
from atrium.imports.slack import Author
from atrium.imports.survey import Survey, SurveyedChannel
from atrium.kit.clock import from_ms
from atrium.kit.database import Connection
from atrium.kit.ids import new_id
from atrium.kit.texts import SpaceId, first_name
from atrium.organizations.adoption import join_by_address
from atrium.people.queries import BY_EMAIL
from atrium.permissions import OrganizationRole
from atrium.rooms.actions import add_room
from atrium.rooms.model import RoomType

PEOPLE, CHANNELS = "slack/people", "slack/channels"
PEOPLE_A_BATCH = 1000
BOT = "Came with an import from Slack; it has no key"


class WrongDestination(Exception):
    """The export cannot go where it was told to; the text says why."""


@asynccontextmanager
async def sole_import(db: Connection, into: Destination, waiting: Callable[[], None]) -> AsyncIterator[None]:
    """Be the only import into the organization; `waiting` is called where another has to end first."""
    if not await db.fetchval(queries.TRY_LOCK, into.organization_id):
        waiting()
        await db.execute(queries.LOCK, into.organization_id, timeout=None)
    try:
        yield
    finally:
        if not db.is_closed():
            await db.execute(queries.UNLOCK, into.organization_id)


async def require_destination(db: Connection, into: Destination, survey: Survey) -> None:
    """Raises WrongDestination for an unknown organization or space, one of another, or channels that are elsewhere."""
    target = await db.fetchrow(queries.TARGET, into.organization_id, into.space_id)
    if not target["has_organization"]:
        raise WrongDestination(f"there is no organization {into.organization_id}")
    if target["space_of"] is None:
        raise WrongDestination(f"there is no space {into.space_id}")
    if target["space_of"] != into.organization_id:
        raise WrongDestination(f"the space {into.space_id} is not of the organization {into.organization_id}")
    channels = {each.channel.id: each.channel.name for each in survey.channels}
    for row in await db.fetch(queries.KNOWN_ROOMS, into.organization_id, CHANNELS, list(channels)):
        if row["space_id"] != into.space_id:
            raise WrongDestination(
                f"#{channels[row['external_id']]} was imported into the space {row['space_id']} before; name that one"
            )


async def import_export(run: Run, archive: Archive, survey: Survey) -> Tally:
    """Bring in all that is not there yet. Raises WrongDestination."""
    await require_destination(run.db, run.into, survey)
    people = await _take_people(run, survey.authors)
    names = Names(people, {each.channel.id: each.channel.name for each in survey.channels})
    rooms = await _open_rooms(run, survey.channels, names)
    for each in survey.channels:
        await bring_messages(run, archive, each, rooms[each.channel.id], names)
    return run.tally


async def _take_people(run: Run, authors: Mapping[str, Author]) -> dict[str, UUID]:
    """Everyone who speaks or is spoken of, by Slack's id: people as members, bots as integrations without a key."""
    known = await _known_people(run, authors)
    fresh = [(author, new_id(run.now)) for key, author in authors.items() if key not in known]
    for start in range(0, len(fresh), PEOPLE_A_BATCH):
        async with run.db.transaction():
            for author, fresh_id in fresh[start : start + PEOPLE_A_BATCH]:
                await _take(run, author, fresh_id)
    people = await _known_people(run, authors)
    made = {fresh_id for _, fresh_id in fresh}
    for key, author in authors.items():
        (run.tally.bots if author.is_bot else run.tally.people).take(added=people[key] in made)
    return people


async def _take(run: Run, author: Author, fresh_id: UUID) -> None:
    known = None if author.is_bot else await run.db.fetchval(BY_EMAIL, author.email)
    if known is not None:
        await _take_known(run, author, known)
        return
    statement = queries.TAKE_BOT if author.is_bot else queries.TAKE_PERSON
    about = BOT if author.is_bot else author.email
    who = (run.into.organization_id, PEOPLE, author.key, fresh_id, author.name)
    await run.db.execute(statement, *who, about, run.now, None if author.active else run.now)


async def _take_known(run: Run, author: Author, person_id: UUID) -> None:
    """A person known by that address is taken as they are; a membership that they hold already stays as it is."""
    where, role = run.into.organization_id, OrganizationRole.MEMBER
    await join_by_address(run.db, where, person_id, role=role, active=author.active, now=run.now)
    await run.db.execute(queries.REMEMBER, where, PEOPLE, author.key, person_id)


async def _known_people(run: Run, keys: Iterable[str]) -> dict[str, UUID]:
    rows = await run.db.fetch(queries.KNOWN, run.into.organization_id, PEOPLE, list(keys))
    return {row["external_id"]: row["internal_id"] for row in rows}


async def _open_rooms(run: Run, channels: Iterable[SurveyedChannel], names: Names) -> dict[str, UUID]:
    """The room of each channel, by Slack's id of it; made where it is not there."""
    rows = await run.db.fetch(queries.KNOWN_ROOMS, run.into.organization_id, CHANNELS, list(names.channels))
    rooms: dict[str, UUID] = {row["external_id"]: row["room_id"] for row in rows}
    for each in channels:
        run.tally.rooms.take(added=each.channel.id not in rooms)
        if each.channel.id not in rooms:
            async with run.db.transaction():
                rooms[each.channel.id] = await _open_room(run, each, names)
    return rooms


async def _open_room(run: Run, each: SurveyedChannel, names: Names) -> UUID:
    channel, opens = each.channel, from_ms(each.opens_us // 1000) if each.opens_us else run.now
    room_id = await add_room(
        run.db, SpaceId(run.into.space_id), name=first_name(channel.name, otherwise=channel.id),
        room_type=RoomType.CHAT, now=opens,
        description=to_markdown(channel.description, names)[:2000], created_by=names.creator(channel.creator),
    )  # fmt: skip
    if channel.archived:
        await run.db.execute(queries.ARCHIVE_ROOM, room_id, run.now)
    await run.db.execute(queries.REMEMBER, run.into.organization_id, CHANNELS, channel.id, room_id)
    return room_id
