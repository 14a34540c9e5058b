"""Search over what the caller reaches."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.web import Paging
from atrium.organizations.reach import Organization
from atrium.search.model import SearchResult, TranscriptResult
from atrium.search.results import find_results


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


class SearchResultList(Struct, frozen=True):
    """A page of what was found, best first."""

    results: list[SearchResult | TranscriptResult]
    next_cursor: str | None


async def search(call: Call, organization: Organization, query: SearchQuery) -> SearchResultList:
    """Search the messages that you reach, and what is said in recordings, best first, then newest first.

    Every word has to be in a message (or said within a few sentences of a transcript), in any form that the
    server's languages know; accents and case make no difference, the last word may be unfinished. `"…"` asks for
    words in this form and order, `-` leaves out, `or` parts alternatives. `in:` names a room or a space and `from:`
    a sender (or `me`), by name or id; `from:` by mail address too; names with spaces go in quotes. `before:`,
    `after:` and `on:` take dates (UTC). `has:` takes link, attachment, reaction, thread, code, block or a type of
    block. Deleted messages are never found; a new one within seconds.
    """
    return SearchResultList(*await find_results(call, organization, query.q, query))
