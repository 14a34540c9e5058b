"""`/v1/me/integrations`: the caller's own keys."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys import actions, reach
from atrium.keys.caller import Call
from atrium.keys.model import (
    KeyRotation,
    PersonalKey,
    PersonalKeyCreate,
    PersonalKeyRules,
    PersonalKeyUpdate,
    ShownPersonalKey,
)
from atrium.keys.usage import KeyUsage, find_usage
from atrium.kit.http.request import Content, Paging


class PersonalKeyAnswer(Struct, frozen=True):
    """A personal key, without the key itself."""

    api_key: PersonalKey


class PersonalKeyList(Struct, frozen=True):
    """A page of the caller's own keys."""

    integrations: list[PersonalKey]
    next_cursor: str | None
    rules: Annotated[
        list[PersonalKeyRules],
        Meta(description="a key that is created, rotated or extended must fit one of them; none if no key is allowed"),
    ]


async def list_own_keys(call: Call, query: Paging) -> PersonalKeyList:
    """List your API keys, oldest first, without the keys themselves, and the rules for them.

    `rules` are those of the key policies of your organizations, without organizations that do not allow personal keys
    of yours. A key that fits the rules of one organization can be created, and does not work in the others.
    """
    owner_id = call.caller.actor_id
    page, cursor = await reach.list_personal_keys(call, owner_id, query)
    return PersonalKeyList(page, cursor, await reach.list_rules(call, owner_id))


async def create_own_key(call: Call, body: Content[PersonalKeyCreate]) -> ShownPersonalKey:
    """Create an API key that acts as you. Only this response contains it.

    A key has no wider limits than the key that creates it: it expires no later, and may be used from no other networks.
    You can have at most 50 keys.
    """
    return await actions.create_personal_key(call, call.caller.actor_id, body.content)


async def update_own_key(call: Call, api_key_id: UUID, body: Content[PersonalKeyUpdate]) -> PersonalKeyAnswer:
    """Change the name or the expiry of one of your keys, or narrow its scopes and networks.

    Scopes and networks cannot be widened: create another key for that.
    """
    return PersonalKeyAnswer(await actions.update_personal_key(call, call.caller.actor_id, api_key_id, body.content))


async def read_own_key_usage(call: Call, api_key_id: UUID) -> KeyUsage:
    """Read the use of one of your keys in the last 90 days, by day and route, and its addresses.

    The counts are a few seconds old. `forbidden` are responses with 403; a request for something that the key has no
    access to (404) counts as a request only. Choose scopes for the key by them: no request since `counted_since`
    needed `unused_scopes`.
    """
    key = await reach.find_personal_key(call, call.caller.actor_id, api_key_id)
    return await find_usage(call, key.api_key_id, key.scopes)


async def revoke_own_key(call: Call, api_key_id: UUID) -> None:
    """Revoke one of your keys; it stops working immediately."""
    await actions.revoke_personal_key(call, call.caller.actor_id, api_key_id)


async def rotate_own_key(call: Call, api_key_id: UUID, body: Content[KeyRotation]) -> ShownPersonalKey:
    """Rotate one of your keys: the new one is shown once, the old one stops working immediately.

    An expired key requires a new `expires_at`. The new key cannot outlast the key that makes the request.
    """
    return await actions.rotate_personal_key(call, call.caller.actor_id, api_key_id, body.content.expires_at)
