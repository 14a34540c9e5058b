"""Search in what the caller can access."""

from typing import Annotated

from msgspec import Meta

from atrium.keys.caller import Call
from atrium.kit.http.request import Paging
from atrium.organizations.reach import Organization
from atrium.search.model import Order, SearchResultList
from atrium.search.results import find_results


class SearchQuery(Paging, kw_only=True):
    """The query parameters of a search."""

    q: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=1000,
            examples=["engine from:ada after:2026-11-01"],
            description='words (in any form; the last one may be incomplete), "phrases", -excluded, or; '
            "and in:room from:name before:2026-11-21 after: on: has:link",
        ),
    ]
    order: Annotated[
        Order, Meta(description="best: by relevance, then newest first. newest: newest first, not ranked")
    ] = "best"


async def search(call: Call, organization: Organization, query: SearchQuery) -> SearchResultList:
    """Search the messages and transcripts that you can access.

    A message (or a few sentences of a transcript) must contain every word, in any form that the server's languages
    know. Accents and case are ignored, and the last word may be incomplete. `"…"` finds words in this form and order,
    `-` excludes, `or` separates alternatives. `in:` names a room or a space, `from:` a sender (or `me`), by name or id;
    `from:` also takes an email address. Put names with spaces in quotes. `before:`, `after:` and `on:` take dates
    (UTC). `has:` takes link, attachment, reaction, thread, code, block or a type of block. Deleted messages are never
    found; new ones are found within seconds.

    The first page has the number of all results, which is exact up to 1000, where counting stops. A cursor continues
    the order that it comes from.
    """
    return await find_results(call, organization, query.q, query.order, query)
