"""Find messages and transcripts among what the caller can access."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple
from uuid import UUID

from msgspec import Meta

from atrium.keys.caller import Call
from atrium.kit.http.paging import decode_cursor, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.organizations.reach import Organization
from atrium.search import queries
from atrium.search.documents import SENDER, searchable_text
from atrium.search.excerpts import Excerpt, Highlighter
from atrium.search.language import Query, read_query
from atrium.search.matching import all_facts, all_of, any_of, rank_queries, words_query
from atrium.search.model import Order, SearchResult, SearchResultList, TranscriptResult
from atrium.search.places import Scope, scope_of, senders_of
from atrium.search.words import Stemmer, stemmer

Score = Annotated[int, Meta(ge=0, lt=2**31)]
MAX_COUNT = 1000  # results that are counted


class ResolvedQuery(NamedTuple):
    """A query with its names resolved to ids."""

    query: Query
    scope: Scope
    senders: list[UUID] | None
    stems: Stemmer


class PageStart(NamedTuple):
    """The start of a page: in this order, after the result with this score and id (null on the first page)."""

    order: Order
    score: int | None = None
    result_id: UUID | None = None


async def find_results(
    call: Call, organization: Organization, text: str, order: Order, paging: Paging
) -> SearchResultList:
    """Return a page of results. Raise InvalidRequest."""
    query = read_query(text)
    place = _place(order, paging.cursor)
    resolved = await _resolve(call, organization, query)
    rows = [] if resolved is None else await _rows(call, organization, resolved, place, paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, _by_score if order == "best" else _by_time)
    count = rows[0]["count"] if rows else None if paging.cursor else 0
    return SearchResultList(
        results=await _results(call, resolved, page) if resolved else [],
        next_cursor=cursor,
        count=count and min(count, MAX_COUNT),
        capped=(count or 0) > MAX_COUNT,
    )


def _place(order: Order, cursor: str | None) -> PageStart:
    """Return where the page begins. Raise InvalidRequest, also for a cursor of the other order."""
    if cursor is None:
        return PageStart(order)
    if order == "newest":
        return PageStart(order, 0, decode_cursor(cursor, UUID))
    return PageStart(order, *decode_cursor(cursor, tuple[Score, UUID]))


def _by_score(row: Record) -> tuple[int, str]:
    return row["score"], str(row["message_id"])


def _by_time(row: Record) -> str:
    return str(row["message_id"])


async def _resolve(call: Call, organization: Organization, query: Query) -> ResolvedQuery | None:
    """Look up the names of a query. Return None if nothing can match."""
    if query.is_empty:
        return None
    scope = await scope_of(call, organization.organization_id, query.places)
    senders = await senders_of(call, organization.organization_id, query.senders) if query.senders else None
    if not scope.mark or senders == []:
        return None
    stems = stemmer(call.settings.search_languages)
    await stems.load(call.db, {term.words[0] for group in query.groups for term in group if len(term.words) == 1})
    return ResolvedQuery(query, scope, senders, stems)


async def _rows(
    call: Call, organization: Organization, resolved: ResolvedQuery, place: PageStart, limit: int
) -> list[Record]:
    query, scope, senders, stems = resolved
    sent_by = any_of(SENDER, senders) if senders else ""
    match = all_of([scope.mark, words_query(query.groups, stems), sent_by, *all_facts(query.facts)])
    rank = rank_queries(query.groups, stems) if place.order == "best" else ("", "")
    rows: list[Record] = await call.db.fetch(
        queries.SEARCH, organization.organization_id, call.caller.actor_id, call.caller.kind, match, *rank, scope.rooms,
        senders, _first_id(query.since_ms), _first_id(query.until_ms), "reaction" in query.facts,
        "thread" in query.facts, place.score, place.result_id, limit, MAX_COUNT + 1,
    )  # fmt: skip
    return rows


def _first_id(ms: int) -> UUID:
    """Return the lower bound of ids from that time on."""
    return UUID(int=ms << 80)


async def _results(
    call: Call, resolved: ResolvedQuery, page: Sequence[Record]
) -> list[SearchResult | TranscriptResult]:
    highlighter = Highlighter(resolved.query.positive, resolved.stems)
    texts = [searchable_text(row["text"], row["blocks"]) for row in page]
    await resolved.stems.load(call.db, highlighter.words_to_load(texts))
    return [_result(row, highlighter.excerpt(text)) for row, text in zip(page, texts, strict=True)]


def _result(row: Record, excerpt: Excerpt) -> SearchResult | TranscriptResult:
    if row["recording_id"] is None:
        return as_struct({**row, "type": "message", "excerpt": excerpt}, SearchResult)
    start = row["start_ms"] / 1000
    return as_struct({**row, "type": "transcript", "start": start, "excerpt": excerpt}, TranscriptResult)
