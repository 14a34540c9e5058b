"""Count the additions of an import without writing anything."""

from collections.abc import Mapping
from uuid import UUID

from atrium.imports import job_queries as queries
from atrium.imports.actions import known_people, known_rooms, require_destination
from atrium.imports.archive import Archive
from atrium.imports.contents import ChannelContents, ExportContents
from atrium.imports.messages import numbered
from atrium.imports.plan import first_id
from atrium.imports.run import Counters, Run
from atrium.imports.slack import Author

IDS_PER_QUERY = 5000


async def check_export(run: Run, archive: Archive, export: ExportContents) -> Counters:
    """Count the people, rooms and messages that are new, and those that exist already. `run.advance` is called with the
    number of day files done. Raise WrongDestination."""
    await require_destination(run.db, run.into, export)
    await _count_people(run, export.authors)
    rooms = await known_rooms(run, [contents.channel.id for contents in export.channels])
    for contents in export.channels:
        room_id = rooms.get(contents.channel.id)
        run.counters.rooms.count(added=room_id is None)
        await _count_messages(run, archive, contents, room_id)
        run.advance(len(contents.days))
    return run.counters


async def _count_people(run: Run, authors: Mapping[str, Author]) -> None:
    known = await known_people(run, authors)
    emails = [author.email.lower() for author in authors.values() if author.email]
    accounts = {row["email"] for row in await run.db.fetch(queries.KNOWN_EMAILS, emails)}
    for key, author in authors.items():
        email = author.email.lower() if author.email and not author.is_bot else None
        counter = run.counters.bots if author.is_bot else run.counters.people
        is_new = key not in known and email not in accounts
        counter.count(added=is_new)
        if email is not None:
            accounts.add(email)  # others with this address are the same person


async def _count_messages(run: Run, archive: Archive, contents: ChannelContents, room_id: UUID | None) -> None:
    ids = list[UUID]()
    for message, nth in numbered(run.counters, archive, contents):
        if nth is None:
            continue
        run.counters.cleaned += message.cleaned
        if room_id is None:
            run.counters.messages.count(added=True)
            continue
        ids.append(first_id(room_id, message.time_us, nth))
        if len(ids) == IDS_PER_QUERY:
            await _count_known(run, room_id, ids)
            ids = []
    if room_id is not None:
        await _count_known(run, room_id, ids)


async def _count_known(run: Run, room_id: UUID, ids: list[UUID]) -> None:
    known = await run.db.fetchval(queries.COUNT_MESSAGES, room_id, ids)
    run.counters.messages.count(added=False, number=known)
    run.counters.messages.count(added=True, number=len(ids) - known)
