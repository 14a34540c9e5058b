"""The client: where everything begins."""

from collections.abc import Generator, Sequence
from typing import Self
from uuid import UUID

import httpx

from atrium.client._sync.connection import Connection
from atrium.client._sync.hooks import Webhooks
from atrium.client._sync.room import Room
from atrium.client.model import Actor, Event, Found, Organization, Profile, RoomInfo, Space
from atrium.client.retries import Retries

Id = UUID | str


class Atrium(Connection):
    """An Atrium server, as whoever owns the key sees it.

    `url` is the server's address, `key` an organization or a personal key, `timeout` in seconds for each request.
    Close it with `close`, or use it as a context manager.
    """

    def __init__(
        self, url: str, key: str, *, timeout: float = 30.0, retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:  # fmt: skip
        super().__init__(url, key, timeout=timeout, retries=retries or Retries(), transport=transport)

    def __enter__(self) -> Self:
        return self

    def room(self, room_id: Id) -> Room:
        """The room with that id."""
        return Room(self, UUID(str(room_id)))

    def webhooks(self, organization_id: Id) -> Webhooks:
        """The webhooks of an organization."""
        return Webhooks(self, UUID(str(organization_id)))

    def profile(self) -> Profile:
        """The person behind a personal key."""
        return self.ask("GET", "/v1/me/profile", Profile)

    def organizations(self) -> Generator[Organization]:
        """The organizations of the person behind a personal key."""
        return self.each("/v1/me/organizations", "organizations", Organization)

    def spaces(self, organization_id: Id) -> Generator[Space]:
        """The spaces that the caller reaches."""
        return self.each(f"/v1/organizations/{organization_id}/spaces", "spaces", Space)

    def rooms(self, space_id: Id) -> Generator[RoomInfo]:
        """The rooms of a space."""
        return self.each(f"/v2/spaces/{space_id}/rooms", "rooms", RoomInfo)

    def actors(self, organization_id: Id, ids: Sequence[UUID]) -> list[Actor]:
        """People and integrations by their ids, also those who left. At most 200 ids."""
        path, query = f"/v1/organizations/{organization_id}/actors", {"ids": ",".join(map(str, ids))}
        return (self.ask("GET", path, dict[str, list[Actor]], query=query))["actors"]

    def search(self, organization_id: Id, query: str) -> Generator[Found]:
        """What the caller reaches and the query finds, best first, page after page: leave when you have enough."""
        return self.each(f"/v2/organizations/{organization_id}/search", "results", Found, {"q": query, "limit": "50"})

    def events(
        self, *, organization_id: Id | None = None, room_id: Id | None = None, last_event_id: str | None = None
    ) -> Generator[Event]:
        """What happens where the caller reaches, as it happens, without an end.

        Pass the id of the last event that you are done with as `last_event_id` to go on behind it, within a day. A
        connection that breaks is taken up again where it was. Each begins with an event of kind `hello`; with `reset`,
        something may have been missed, so read anew what you show. Raises Refused, Unreachable.
        """
        only = {
            "organization_id": str(organization_id) if organization_id else None,
            "room_id": str(room_id) if room_id else None,
        }
        return self.listen(only, last_event_id)
