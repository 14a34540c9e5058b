"""What a key was used for: its requests by day and route, where they came from, and the scopes that none needed."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys import usage_queries as queries
from atrium.keys.caller import Call
from atrium.keys.uses import MAX_ADDRESSES
from atrium.kit.clock import rfc3339
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import Timestamp
from atrium.permissions import Scope

RETENTION = timedelta(days=90)
Count = Annotated[int, Meta(ge=0)]


class UsageOfRoute(Struct, frozen=True):
    """The requests with a key to one route on one day (UTC)."""

    day: Annotated[str, Meta(examples=["2026-11-21"], extra_json_schema={"format": "date"})]
    method: Annotated[str, Meta(examples=["GET"])]
    route: Annotated[str, Meta(description="with parameters", examples=["/v2/rooms/{room_id}/messages"])]
    scope: Annotated[Scope | None, Meta(description="that a key with scopes needs for it; null if none does")]
    needs_all_scopes: Annotated[bool, Meta(description="whether only a key without scopes may make these requests")]
    requests: Annotated[Count, Meta(description="all of them")]
    forbidden: Annotated[Count, Meta(description="rejected with 403")]
    limited: Annotated[Count, Meta(description="rejected with 429, by the rate limit")]


class SeenAddress(Struct, frozen=True):
    """An address from which a key was used."""

    address: Annotated[str, Meta(examples=["203.0.113.7"])]
    last_seen_at: Timestamp


class KeyUsage(Struct, frozen=True):
    """What a key was used for in the last 90 days, newest first."""

    counted_since: Annotated[
        Timestamp,
        Meta(description="when counting began: the first of these days or, if that was later, the creation of the key"),
    ]
    usage: list[UsageOfRoute]
    addresses: Annotated[list[SeenAddress], Meta(description="the last 20")]
    unused_scopes: Annotated[
        list[Scope], Meta(description="scopes of the key, or all scopes if it has none, that no request needed")
    ]


async def find_usage(call: Call, api_key_id: UUID, scopes: Sequence[Scope] | None) -> KeyUsage:
    """Return the usage of a key with these scopes, until a few seconds ago. The caller must have checked access."""
    since = call.now - RETENTION
    first = (since + timedelta(days=1)).date()  # 90 days, today included
    counted_since = await call.db.fetchval(queries.COUNTED_SINCE, api_key_id, first)
    rows = await call.db.fetch(queries.USAGE, api_key_id, first)
    needed = {row["scope"] for row in await call.db.fetch(queries.NEEDED_SCOPES, api_key_id, first)}
    addresses = await call.db.fetch(queries.ADDRESSES, api_key_id, since, MAX_ADDRESSES)
    unused = [scope for scope in Scope if (scopes is None or scope in scopes) and scope not in needed]
    seen = [as_struct(row, SeenAddress) for row in addresses]
    return KeyUsage(rfc3339(counted_since), as_structs(rows, UsageOfRoute), seen, unused)
