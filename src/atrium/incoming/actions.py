"""Create and revoke incoming webhooks, and post to them."""

from uuid import UUID

from msgspec import Struct

from atrium.audit.trail import Change, Target
from atrium.incoming import queries
from atrium.incoming.model import IncomingWebhook
from atrium.incoming.reach import PREFIX, IncomingWebhookNotFound, find_incoming_webhook, require_webhook
from atrium.integrations.actions import add_integration
from atrium.integrations.queries import WITHDRAW_ALL
from atrium.keys.actions import revoke_key
from atrium.keys.caller import Call
from atrium.keys.queries import RECORD_USE
from atrium.keys.tokens import hash_of
from atrium.kit.errors import invalid_field
from atrium.kit.http.request import Request
from atrium.messages.requests import prepare_send
from atrium.messages.sending import send_message
from atrium.organizations.model import SpaceGrant
from atrium.organizations.queries import LOCK_FOR_NEW
from atrium.permissions import OrganizationRole, SpaceRole
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import require_open
from atrium.slack.content import Content

NOT_FOUND_OUTCOMES = ("unauthenticated", "room_not_found", "forbidden")


async def create(call: Call, room: ReachedRoom, name: str) -> tuple[IncomingWebhook, str]:
    """Create an incoming webhook with its own integration. Return it with the token of its URL.

    Raise RoomArchived.
    """
    require_open(room)
    await call.lock(LOCK_FOR_NEW, room.organization_id)
    issued = await add_integration(
        call.db,
        room.organization_id,
        name=name,
        description=f"Incoming webhook of the room {room.name}",
        role=OrganizationRole.GUEST,
        spaces=[SpaceGrant(room.space_id, SpaceRole.MEMBER)],
        created_by=call.caller.actor_id,
        now=call.now,
        prefix=PREFIX,
    )
    await call.db.execute(queries.ADD, issued.api_key_id, room.room_id)
    created = await find_incoming_webhook(call, room, issued.api_key_id)
    await call.record(_change("incoming_webhook.created", room, created, after=created))
    return created, issued.key


async def revoke(call: Call, room: ReachedRoom, incoming_webhook_id: UUID) -> None:
    """Revoke an incoming webhook immediately; its messages keep its name. Raise IncomingWebhookNotFound."""
    found = await find_incoming_webhook(call, room, incoming_webhook_id)
    await revoke_key(call.db, found.incoming_webhook_id, now=call.now)
    await call.db.execute(WITHDRAW_ALL, found.integration_id)
    await call.record(_change("incoming_webhook.revoked", room, found, before=found))


async def post(call: Call, token: str, content: Content, request: Request) -> None:
    """Send a message as the webhook's integration. Raise IncomingWebhookNotFound, RoomArchived, InvalidRequest,
    MessageTooLarge."""
    row = await require_webhook(call.db, token)
    if not content.text and not content.blocks:
        raise invalid_field("/text", "a message needs a text, blocks or attachments with content")
    message = prepare_send(hash_of(token), row["room_id"], content.text, content.blocks, request)
    result = await send_message(call.db, message, call.now)
    if result.outcome in NOT_FOUND_OUTCOMES:
        raise IncomingWebhookNotFound
    result.require_body()
    await call.db.execute(RECORD_USE, [row["incoming_webhook_id"]], call.now.replace(second=0, microsecond=0))


def _change(
    action: str,
    room: ReachedRoom,
    webhook: IncomingWebhook,
    *,
    before: Struct | None = None,
    after: Struct | None = None,
) -> Change:
    target = Target("incoming_webhook", webhook.incoming_webhook_id, webhook.name)
    return Change(action, target, room.organization_id, before=before, after=after)
