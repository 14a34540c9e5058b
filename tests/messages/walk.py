"""The contract's walk through a room's history, as any client would write it (docs/contract.md#room-messages)."""

from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import UUID

import httpx

from atrium.kit.clock import from_ms, parse_time, rfc3339, to_ms

Query = dict[str, str]
Page = dict[str, Any]

ID_TIME_SHIFT = 80


def next_query(page: Page, created_at: str) -> Query | None:
    """Return the next request after `page`; None at the end of the walk."""
    if page["shard_has_more"]:
        return {
            "cursor_sent_at": page["next_cursor_sent_at"],
            "cursor_message_id": page["next_cursor_message_id"],
        }
    if parse_time(page["next_partition_cursor"]) < parse_time(created_at):
        return None
    return {"cursor_sent_at": page["next_partition_cursor"]}


def walk(client: httpx.Client, room_id: str, **also: Any) -> Iterator[tuple[Query, Page]]:
    """Yield every request of a walk, with its answer. `also` is added to every request: `limit=7`, `top_level="true"`."""
    created_at = client.get(f"/v2/rooms/{room_id}").raise_for_status().json()["created_at"]
    query: Query | None = {}
    while query is not None:
        page = client.get(f"/v2/rooms/{room_id}/messages", params=query | also).raise_for_status().json()
        yield query, page
        query = next_query(page, created_at)


async def awalk(client: httpx.AsyncClient, room_id: str, **also: Any) -> AsyncIterator[tuple[Query, Page]]:
    """Like `walk`, for an async client; changes between two steps happen between two requests."""
    created_at = (await client.get(f"/v2/rooms/{room_id}")).raise_for_status().json()["created_at"]
    query: Query | None = {}
    while query is not None:
        answer = await client.get(f"/v2/rooms/{room_id}/messages", params=query | also)
        page = answer.raise_for_status().json()
        yield query, page
        query = next_query(page, created_at)


def messages_of(steps: Iterator[tuple[Query, Page]]) -> list[dict[str, Any]]:
    """Return all messages of a walk, in the order of arrival."""
    return [message for _, page in steps for message in page["messages"]]


def ids_of(page: Page) -> list[str]:
    """Return the ids of a page, in order. As text they compare as the ids do."""
    return [message["message_id"] for message in page["messages"]]


def ms_of(message_id: str) -> int:
    """Return the milliseconds in a message id."""
    return UUID(message_id).int >> ID_TIME_SHIFT


def position(query: Query) -> int:
    """Return the position in history before which a request's messages are, as a number; infinity without a cursor."""
    if not query:
        return 1 << 128
    if "cursor_message_id" in query:
        return UUID(query["cursor_message_id"]).int
    return (to_ms(parse_time(query["cursor_sent_at"])) + 1) << ID_TIME_SHIFT


def at(ms: int) -> str:
    """Format milliseconds as the contract writes a time."""
    return rfc3339(from_ms(ms))
