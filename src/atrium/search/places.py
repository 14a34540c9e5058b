"""The rooms, spaces and senders that a query names, among what the caller can access."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.postgres.database import Record
from atrium.search import queries
from atrium.search.documents import ORGANIZATION, ROOM, SPACE
from atrium.search.matching import MAX_PLACES, any_of
from atrium.search.words import words_of

MYSELF = "me"


@dataclass(frozen=True)
class Scope:
    """The scope of a search: `mark` restricts the index query (empty if the caller has access to nothing), `rooms`
    narrows it."""

    mark: str
    rooms: list[UUID] | None = None


async def scope_of(call: Call, organization_id: UUID, places: Sequence[str]) -> Scope:
    """Return the rooms and spaces that are named, or everything that the caller can access."""
    who = (organization_id, call.caller.actor_id, call.caller.kind)
    if not places:
        reached = await call.db.fetch(queries.ACCESSIBLE_SPACES, *who)
        return Scope(_narrowest(organization_id, set(), {row["space_id"] for row in reached}))
    found = [
        row
        for row in await call.db.fetch(queries.ACCESSIBLE_ROOMS, *who)
        if any(
            _is_named(place, row["name"], row["room_id"]) or _is_named(place, row["space_name"], row["space_id"])
            for place in places
        )
    ]
    rooms = [row["room_id"] for row in found]
    return Scope(_narrowest(organization_id, set(rooms), {row["space_id"] for row in found}), rooms)


def _narrowest(organization_id: UUID, rooms: set[UUID], spaces: set[UUID]) -> str:
    """Return the narrowest restriction that takes few words. Hits beyond the scope are dropped later."""
    if not spaces:
        return ""
    if 0 < len(rooms) <= MAX_PLACES:
        return any_of(ROOM, rooms)
    return any_of(SPACE, spaces) if len(spaces) <= MAX_PLACES else any_of(ORGANIZATION, [organization_id])


async def senders_of(call: Call, organization_id: UUID, names: Sequence[str]) -> list[UUID]:
    """Return the ids of the current and former members, people and integrations, that are named."""
    rows = await call.db.fetch(queries.ACTORS, organization_id)
    found = [row["actor_id"] for row in rows if any(_is_sender(name, row) for name in names)]
    return [*found, call.caller.actor_id] if MYSELF in map(str.lower, names) else found


def _is_sender(wanted: str, row: Record) -> bool:
    email: str | None = row["email"]
    if email is not None and wanted.lower() == email.lower():
        return True
    return str(row["actor_id"]) == wanted.lower() or _contains(_words(row["name"]), _words(wanted))


def _is_named(wanted: str, name: str, identifier: UUID) -> bool:
    if str(identifier) == wanted.lower():
        return True
    return _words(wanted) == _words(name) if _words(wanted) else wanted.strip() == name.strip()


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    starts = range(len(words) - len(part) + 1) if part else ()
    return any(words[start : start + len(part)] == part for start in starts)


def _words(text: str) -> list[str]:
    return [word.folded for word in words_of(text)]
