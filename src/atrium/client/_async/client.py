"""The client, from which you get everything else."""

from collections.abc import AsyncGenerator, Sequence
from typing import Self
from uuid import UUID

import httpx

from atrium.client._async.connection import AsyncConnection
from atrium.client._async.room import AsyncRoom
from atrium.client._async.webhooks import AsyncWebhooks
from atrium.client.model import Actor, Event, Organization, Profile, RoomInfo, SearchResult, Space
from atrium.client.retries import Retries

Id = UUID | str


class AsyncAtrium(AsyncConnection):
    """A client for an Atrium server, with the permissions of the key.

    `url` is the server's URL, `key` is an organization key or a personal key, and `timeout` is in seconds per request.
    Close the client with `aclose`, or use it as a context manager.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = 30.0,
        retries: Retries | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(url, key, timeout=timeout, retries=retries or Retries(), transport=transport)

    async def __aenter__(self) -> Self:
        return self

    def room(self, room_id: Id) -> AsyncRoom:
        """Return the room with that id, without a request."""
        return AsyncRoom(self, UUID(str(room_id)))

    def webhooks(self, organization_id: Id) -> AsyncWebhooks:
        """Return the webhooks of an organization, without a request."""
        return AsyncWebhooks(self, UUID(str(organization_id)))

    async def profile(self) -> Profile:
        """Return the person who owns the personal key."""
        return await self.request("GET", "/v1/me/profile", Profile)

    def organizations(self) -> AsyncGenerator[Organization]:
        """Yield the organizations of the person who owns the personal key."""
        return self.iterate("/v1/me/organizations", "organizations", Organization)

    def spaces(self, organization_id: Id) -> AsyncGenerator[Space]:
        """Yield the spaces that the caller has access to."""
        return self.iterate(f"/v1/organizations/{organization_id}/spaces", "spaces", Space)

    def rooms(self, space_id: Id) -> AsyncGenerator[RoomInfo]:
        """Yield the rooms of a space."""
        return self.iterate(f"/v2/spaces/{space_id}/rooms", "rooms", RoomInfo)

    async def actors(self, organization_id: Id, ids: Sequence[UUID]) -> list[Actor]:
        """Return people and integrations by id, including those who have left. At most 100 ids."""
        path, query = f"/v1/organizations/{organization_id}/actors", {"ids": ",".join(map(str, ids))}
        return (await self.request("GET", path, dict[str, list[Actor]], query=query))["actors"]

    def search(self, organization_id: Id, query: str) -> AsyncGenerator[SearchResult]:
        """Yield search results, best first. It fetches pages as needed: stop iterating when you have enough."""
        return self.iterate(
            f"/v2/organizations/{organization_id}/search", "results", SearchResult, {"q": query, "limit": "50"}
        )

    def events(
        self, *, organization_id: Id | None = None, room_id: Id | None = None, last_event_id: str | None = None
    ) -> AsyncGenerator[Event]:
        """Yield live events that the caller has access to, indefinitely.

        To resume within a day, pass the id of the last event that you processed as `last_event_id`. The client
        reconnects when a connection breaks and resumes where it stopped. Each connection starts with an event of kind
        `hello`. After an event of kind `reset`, events may be missing: reload what you display. Raise APIError,
        Unreachable.
        """
        only = {
            "organization_id": str(organization_id) if organization_id else None,
            "room_id": str(room_id) if room_id else None,
        }
        return self.listen(only, last_event_id)
