"""Where a query looks and whom it names: among what the caller reaches, nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.search import queries
from atrium.search.documents import ORGANIZATION, ROOM, SPACE
from atrium.search.matching import MOST_PLACES, any_of
from atrium.search.words import words_of

MYSELF = "me"


@dataclass(frozen=True)
class Scope:
    """Where to look: `mark` is what the index is asked for (nothing, where nothing is reached), `rooms` narrows it."""

    mark: str
    rooms: list[UUID] | None = None


async def scope_of(call: Call, organization_id: UUID, places: Sequence[str]) -> Scope:
    """Everything that the caller reaches, or the rooms and spaces that are named."""
    who = (organization_id, call.caller.actor_id, call.caller.kind)
    if not places:
        reached = await call.db.fetch(queries.REACHED_SPACES, *who)
        return Scope(_narrowest(organization_id, set(), {row["space_id"] for row in reached}))
    found = [
        row
        for row in await call.db.fetch(queries.REACHED_ROOMS, *who)
        if any(
            _is_called(place, row["name"], row["room_id"]) or _is_called(place, row["space_name"], row["space_id"])
            for place in places
        )
    ]
    rooms = [row["room_id"] for row in found]
    return Scope(_narrowest(organization_id, set(rooms), {row["space_id"] for row in found}), rooms)


def _narrowest(organization_id: UUID, rooms: set[UUID], spaces: set[UUID]) -> str:
    """The narrowest circle that can be named in a few words. What it holds too much is left out afterwards."""
    if not spaces:
        return ""
    if 0 < len(rooms) <= MOST_PLACES:
        return any_of(ROOM, rooms)
    return any_of(SPACE, spaces) if len(spaces) <= MOST_PLACES else any_of(ORGANIZATION, [organization_id])


async def senders_of(call: Call, organization_id: UUID, names: Sequence[str]) -> list[UUID]:
    """The members, present and past, people and integrations, that are named."""
    rows = await call.db.fetch(queries.ACTORS, organization_id)
    found = [row["actor_id"] for row in rows if any(_is_sender(name, row) for name in names)]
    return [*found, call.caller.actor_id] if MYSELF in map(str.lower, names) else found


def _is_sender(asked: str, row: Record) -> bool:
    email: str | None = row["email"]
    if email is not None and asked.lower() == email.lower():
        return True
    return str(row["actor_id"]) == asked.lower() or _holds(_words(row["name"]), _words(asked))


def _is_called(asked: str, name: str, identifier: UUID) -> bool:
    if str(identifier) == asked.lower():
        return True
    return _words(asked) == _words(name) if _words(asked) else asked.strip() == name.strip()


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    starts = range(len(words) - len(part) + 1) if part else ()
    return any(words[start : start + len(part)] == part for start in starts)


def _words(text: str) -> list[str]:
    return [word.folded for word in words_of(text)]
