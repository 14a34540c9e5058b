"""Find what a query asks for among what the caller reaches."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple
from uuid import UUID

from msgspec import Meta

from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.paging import Page, cut, decode_cursor
from atrium.kit.rows import as_struct
from atrium.kit.web import Paging
from atrium.organizations.reach import Organization
from atrium.search import queries
from atrium.search.documents import SENDER, what_is_said
from atrium.search.excerpts import Excerpt, Highlighter
from atrium.search.language import Asked, read_query
from atrium.search.matching import all_facts, any_of, rank_queries, together, words_query
from atrium.search.model import SearchResult, TranscriptResult
from atrium.search.places import Scope, scope_of, senders_of
from atrium.search.words import Stemmer, stemmer

Score = Annotated[int, Meta(ge=0, lt=2**31)]


class Sought(NamedTuple):
    """A query with what its names mean."""

    asked: Asked
    scope: Scope
    senders: list[UUID] | None
    stems: Stemmer


async def find_results(
    call: Call, organization: Organization, text: str, paging: Paging
) -> Page[SearchResult | TranscriptResult]:
    """Return a page of results, best first. Raises InvalidRequest."""
    asked = read_query(text)
    behind = decode_cursor(paging.cursor, tuple[Score, UUID]) if paging.cursor is not None else (None, None)
    sought = await _resolved(call, organization, asked)
    if sought is None:
        return [], None
    rows = await _rows(call, organization, sought, behind, paging.limit + 1)
    page, cursor = cut(rows, paging.limit, lambda row: (row["score"], str(row["message_id"])))
    return await _results(call, sought, page), cursor


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


async def _results(call: Call, sought: Sought, page: Sequence[Record]) -> list[SearchResult | TranscriptResult]:
    light = Highlighter(sought.asked.positive, sought.stems)
    said = [what_is_said(row["text"], row["blocks"]) for row in page]
    await sought.stems.learn(call.db, light.unsure(said))
    return [_result(row, light.excerpt(text)) for row, text in zip(page, said, strict=True)]


def _result(row: Record, excerpt: Excerpt) -> SearchResult | TranscriptResult:
    if row["recording_id"] is None:
        return as_struct({**row, "type": "message", "excerpt": excerpt}, SearchResult)
    start = row["start_ms"] / 1000
    return as_struct({**row, "type": "transcript", "start": start, "excerpt": excerpt}, TranscriptResult)
