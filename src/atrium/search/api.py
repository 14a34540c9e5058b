"""Search over what the caller reaches."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import ActorKind, Call
from atrium.kit.database import Record
from atrium.kit.paging import cut, decode_cursor
from atrium.kit.rows import as_struct
from atrium.kit.texts import ActorId, MessageId, RoomId, SpaceId, Timestamp
from atrium.kit.web import Paging
from atrium.organizations.reach import Organization
from atrium.search import queries
from atrium.search.documents import SENDER, what_is_said
from atrium.search.excerpts import Excerpt, Highlighter
from atrium.search.language import Asked, read_query
from atrium.search.matching import all_facts, any_of, rank_queries, together, words_query
from atrium.search.places import Scope, scope_of, senders_of
from atrium.search.words import Stemmer, stemmer

Score = Annotated[int, Meta(ge=0, lt=2**31)]


class SearchQuery(Paging, kw_only=True):
    """What to search for."""

    q: Annotated[
        str,
        Meta(
            min_length=1, max_length=1000, examples=["engine from:ada after:2026-11-01"],
            description='words (any form of a word finds it; the last may be unfinished), "phrases", -left out, or; '
            "and in:room from:name before:2026-11-21 after: on: has:link",
        ),
    ]  # fmt: skip


class ResultType(StrEnum):
    """What was found."""

    MESSAGE = "message"


class SearchResult(Struct, frozen=True):
    """Something found. There may be other types than `message` one day; leave out what you do not know."""

    type: ResultType
    score: Annotated[int, Meta(description="higher is better; to be compared within one query only")]
    message_id: MessageId
    room_id: RoomId
    room_name: Annotated[str, Meta(examples=["general"])]
    space_id: SpaceId
    space_name: Annotated[str, Meta(examples=["Engineering"])]
    user_id: ActorId
    sender_type: ActorKind
    sender_name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    thread_root_id: Annotated[MessageId | None, Meta(description="the thread that it is a reply in")]
    sent_at: Timestamp
    edited_at: Timestamp | None
    excerpt: Excerpt


class SearchResultList(Struct, frozen=True):
    """A page of what was found, best first."""

    results: list[SearchResult]
    next_cursor: str | None


class Sought(NamedTuple):
    """A query with what its names mean."""

    asked: Asked
    scope: Scope
    senders: list[UUID] | None
    stems: Stemmer


NOTHING = SearchResultList([], None)


async def search(call: Call, organization: Organization, query: SearchQuery) -> SearchResultList:
    """Search the messages that you reach, best first, then newest first.

    Every word has to be in a message, in any form that the server's languages know; accents and case make no
    difference, the last word may be unfinished. `"…"` asks for words in this form and order, `-` leaves out, `or` parts
    alternatives. `in:` names a room or a space and `from:` a sender (or `me`), by name or id; `from:` by mail address
    too; names with spaces go in quotes. `before:`, `after:` and `on:` take dates (UTC). `has:` takes link, attachment,
    reaction, thread, code, block or a type of block. Deleted messages are never found; a new one within seconds.
    """
    asked = read_query(query.q)
    behind = decode_cursor(query.cursor, tuple[Score, UUID]) if query.cursor is not None else (None, None)
    sought = await _resolved(call, organization, asked)
    if sought is None:
        return NOTHING
    rows = await _rows(call, organization, sought, behind, query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: (row["score"], str(row["message_id"])))
    return SearchResultList(await _results(call, sought, page), cursor)


async def _resolved(call: Call, organization: Organization, asked: Asked) -> Sought | None:
    """The query with its names looked up; None where nothing can be found."""
    if asked.is_empty:
        return None
    scope = await scope_of(call, organization.organization_id, asked.places)
    senders = await senders_of(call, organization.organization_id, asked.senders) if asked.senders else None
    if not scope.mark or senders == []:
        return None
    stems = stemmer(call.settings.search_languages)
    await stems.learn(call.db, {term.words[0] for group in asked.groups for term in group if len(term.words) == 1})
    return Sought(asked, scope, senders, stems)


async def _rows(
    call: Call, organization: Organization, sought: Sought, behind: tuple[int | None, UUID | None], limit: int
) -> list[Record]:
    asked, scope, senders, stems = sought
    sent_by = any_of(SENDER, senders) if senders else ""
    match = together([scope.mark, words_query(asked.groups, stems), sent_by, *all_facts(asked.facts)])
    rank = rank_queries(asked.groups, stems)
    rows: list[Record] = await call.db.fetch(
        queries.SEARCH, organization.organization_id, call.caller.actor_id, call.caller.kind, match, *rank, scope.rooms,
        senders, _first_id(asked.since_ms), _first_id(asked.until_ms), "reaction" in asked.facts,
        "thread" in asked.facts, *behind, limit,
    )  # fmt: skip
    return rows


def _first_id(ms: int) -> UUID:
    """No id of that time or later is smaller."""
    return UUID(int=ms << 80)


async def _results(call: Call, sought: Sought, page: Sequence[Record]) -> list[SearchResult]:
    light = Highlighter(sought.asked.positive, sought.stems)
    said = [what_is_said(row["text"], row["blocks"]) for row in page]
    await sought.stems.learn(call.db, light.unsure(said))
    return [
        as_struct({**row, "type": ResultType.MESSAGE, "excerpt": light.excerpt(text)}, SearchResult)
        for row, text in zip(page, said, strict=True)
    ]
