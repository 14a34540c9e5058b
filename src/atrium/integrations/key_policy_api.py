"""`/v1/organizations/{organization_id}/key-policy`: what the organization allows of keys."""

from msgspec import Struct

from atrium.audit.trail import Target
from atrium.keys import policy
from atrium.keys.caller import Call
from atrium.keys.policy import KeyPolicy, KeyPolicyEffect, KeyPolicyToSet
from atrium.kit.http.request import Content
from atrium.organizations.queries import LOCK
from atrium.organizations.reach import Organization


class KeyPolicyAnswer(Struct, frozen=True):
    """A key policy."""

    key_policy: KeyPolicy


async def read_key_policy(call: Call, organization: Organization) -> KeyPolicyAnswer:
    """Read what the organization allows of keys."""
    return KeyPolicyAnswer(await policy.find_policy(call, organization.organization_id))


async def put_key_policy(call: Call, organization: Organization, body: Content[KeyPolicyToSet]) -> KeyPolicyEffect:
    """Set what the organization allows of keys: how long they live, whose personal keys, and whether from any network.

    The rules apply immediately to keys that are created, rotated or extended. Keys that do not fit go on until
    `enforce_at`, and are then rejected with 403 `key_policy`: an organization key completely, a personal key in this
    organization only. Rules that become looser apply immediately to all keys. Sessions are not affected. The response
    lists the keys that do not fit. A key can make the policy stricter; to loosen it, sign in.
    """
    await call.lock(LOCK, organization.organization_id)
    target = Target("organization", organization.organization_id, organization.name)
    return await policy.set_policy(call, target, body.content)


async def preview_key_policy(call: Call, organization: Organization, body: Content[KeyPolicyToSet]) -> KeyPolicyEffect:
    """Return what setting this policy would respond, with the keys that do not fit. It changes nothing."""
    return await policy.preview_policy(call, organization.organization_id, body.content)
