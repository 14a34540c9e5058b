"""`/v2/rooms/{room_id}/incoming-webhooks`, and the URLs themselves."""

from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.incoming import actions, reach
from atrium.incoming.model import IncomingWebhook
from atrium.keys.caller import Call
from atrium.kit.clock import Clock
from atrium.kit.http.request import Body, Paging, Request
from atrium.kit.http.responses import PlainText
from atrium.kit.postgres.database import Pool
from atrium.kit.text.types import Name
from atrium.rooms.model import ReachedRoom
from atrium.slack.content import to_content
from atrium.slack.model import SlackMessage

PATH = "/v2/incoming-webhooks/"


class Posted(StrEnum):
    """The response body. Grafana and Alertmanager treat any other text as a failure."""

    OK = "ok"


class IncomingWebhookCreate(Body):
    """An incoming webhook to create."""

    name: Name


class ShownIncomingWebhook(IncomingWebhook, frozen=True, kw_only=True):
    """An incoming webhook with its URL, which is shown only once. The URL allows posting and nothing else."""

    url: Annotated[
        str, Meta(examples=["https://atrium.example.org/v2/incoming-webhooks/atrh_4fGh1kLm9pQrStUvWxYz0123456789AbCd"])
    ]


class IncomingWebhookList(Struct, frozen=True):
    """A page of incoming webhooks."""

    incoming_webhooks: list[IncomingWebhook]
    next_cursor: str | None


async def list_incoming_webhooks(call: Call, room: ReachedRoom, query: Paging) -> IncomingWebhookList:
    """List the room's incoming webhooks, oldest first."""
    return IncomingWebhookList(*await reach.list_incoming_webhooks(call, room, query))


async def create_incoming_webhook(call: Call, room: ReachedRoom, body: IncomingWebhookCreate) -> ShownIncomingWebhook:
    """Create a URL to which existing tools can post in Slack's message format. It is shown only once.

    Its messages carry the name of its own integration, which can only post in the room's space.
    """
    made, token = await actions.create(call, room, body.name)
    fields = {name: getattr(made, name) for name in IncomingWebhook.__struct_fields__}
    return ShownIncomingWebhook(**fields, url=f"{call.settings.base_url}{PATH}{token}")


async def revoke_incoming_webhook(call: Call, room: ReachedRoom, incoming_webhook_id: UUID) -> None:
    """Revoke an incoming webhook. Its URL stops working immediately; its messages keep its name."""
    await actions.revoke(call, room, incoming_webhook_id)


async def post_to_incoming_webhook(call: Call, token: str, body: SlackMessage, request: Request) -> PlainText[Posted]:
    """Post a message in the format of Slack's incoming webhooks. The response is `ok`.

    `text` and attachments become Markdown, Block Kit becomes blocks; Slack-only fields (channel, icon, color) are
    ignored. A form with the JSON in its field `payload` is accepted too. An `Idempotency-Key` works as for any message.
    """
    await reach.require_webhook(call.db, token)  # before the body costs anything
    await actions.post(call, token, to_content(body), request)
    return PlainText(_ok)


async def _ok(_pool: Pool, _clock: Clock) -> AsyncIterator[bytes]:
    yield Posted.OK.encode()
