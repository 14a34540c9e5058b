"""The types of incoming webhooks."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.text.types import ActorId, ApiKeyId, RoomId, Timestamp


class IncomingWebhook(Struct, frozen=True):
    """A URL by which tools post messages to a room. The URL itself is not included."""

    incoming_webhook_id: ApiKeyId
    room_id: RoomId
    name: Annotated[str, Meta(description="its integration's name", examples=["Grafana"])]
    integration_id: Annotated[ActorId, Meta(description="the `user_id` of its messages")]
    last_four: Annotated[str, Meta(description="the URL's last characters", examples=["x7Qa"])]
    created_by: ActorId | None
    created_at: Timestamp
    last_used_at: Annotated[Timestamp | None, Meta(description="to the minute")]
