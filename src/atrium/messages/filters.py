"""The words of filters that messages of a room are compared with. A process keeps those that it has read; each change
of them gives them a new version, and SEND refuses a message that was compared with another version than it finds."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from atrium.kit.postgres.database import Connection, Pool
from atrium.messages import queries
from atrium.messages.filter_words import FilterWords, Text
from atrium.messages.requests import SendRequest

MAX_WORDS, MAX_ROOMS = 200_000, 50_000  # in a process, which then reads them again


class Filters(NamedTuple):
    """The words of the filters of a room or a space."""

    version: UUID
    words: FilterWords


_spaces: dict[UUID, UUID] = {}  # of rooms that have filters, or had some
_filters: dict[UUID, Filters] = {}  # of rooms and spaces


def with_words_found(request: SendRequest) -> SendRequest:
    """Return a message with the words that it has of its room's filters, as far as this process knows of these."""
    known = _known(request.room_id)
    if not known:
        return request
    return request._replace(filters=_versions(known), found=_as_array(_found_in(request.text, known)))


async def words_found(db: Connection, room_id: UUID, text: str) -> set[str]:
    """Return the words that a text has of a room's filters."""
    return _found_in(text, await _read(db, room_id))


async def load_filters(db: "Connection | Pool", room_id: UUID, outdated: str | None) -> None:
    """Learn the filters of a room, unless another request has done so meanwhile."""
    if _versions(_known(room_id)) == outdated:
        await _read(db, room_id)


def _known(room_id: UUID) -> list[Filters]:
    """Return the filters that messages of a room are compared with: those of the room, and those of its space."""
    if (space_id := _spaces.get(room_id)) is None:
        return []
    return [_filters[subject] for subject in sorted((room_id, space_id)) if subject in _filters]


def _versions(filters: Iterable[Filters]) -> str | None:
    """Return the versions of filters as SEND reads them, or None without filters."""
    return " ".join(str(each.version) for each in filters) or None


def _found_in(text: str, filters: Iterable[Filters]) -> set[str]:
    read = Text(text)
    return set[str]().union(*(each.words.found_in(read) for each in filters))


async def _read(db: "Connection | Pool", room_id: UUID) -> list[Filters]:
    rows = await db.fetch(queries.FILTERED, room_id)
    found = {row["subject_id"]: await _filters_of(db, row["subject_id"], row["version"]) for row in rows}
    if len(_spaces) > MAX_ROOMS or sum(each.words.count for each in _filters.values()) > MAX_WORDS:
        _spaces.clear()
        _filters.clear()
    for row in rows:
        _spaces[room_id] = row["space_id"]
        _filters.pop(row["subject_id"], None)
    _filters.update((subject_id, filters) for subject_id, filters in found.items() if filters is not None)
    return _known(room_id)


async def _filters_of(db: "Connection | Pool", subject_id: UUID, version: UUID | None) -> Filters | None:
    """Return the filters of a room or a space. If their words change meanwhile, these have another version."""
    if version is None:
        return None
    known = _filters.get(subject_id)
    if known is not None and known.version == version:
        return known
    return Filters(version, FilterWords(await db.fetchval(queries.FILTER_WORDS, subject_id)))


def _as_array(words: Iterable[str]) -> str:
    """Return words in PostgreSQL's array notation."""
    quoted = (word.replace("\\", "\\\\").replace('"', '\\"') for word in words)
    return "{" + ",".join(f'"{word}"' for word in quoted) + "}"
