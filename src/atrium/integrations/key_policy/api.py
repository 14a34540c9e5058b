"""`/v1/organizations/{organization_id}/key-policy`: what the organization allows of keys."""

from msgspec import Struct

from atrium.integrations.key_policy import actions
from atrium.integrations.key_policy.actions import KeyPolicy, KeyPolicyEffect, KeyPolicyToSet
from atrium.keys.caller import Call
from atrium.kit.http.request import Content
from atrium.organizations.reach import Organization


class KeyPolicyAnswer(Struct, frozen=True):
    """A key policy."""

    key_policy: KeyPolicy


async def read_key_policy(call: Call, organization: Organization) -> KeyPolicyAnswer:
    """Read the organization's rules for keys."""
    return KeyPolicyAnswer(await actions.find_policy(call, organization.organization_id))


async def put_key_policy(call: Call, organization: Organization, body: Content[KeyPolicyToSet]) -> KeyPolicyEffect:
    """Set what the organization allows of keys: how long they live, whose personal keys, and whether from any network.

    The rules apply immediately to keys that are created, rotated or extended. Keys that do not fit go on until
    `enforce_at`, and are then rejected with 403 `key_policy`: an organization key completely, a personal key in this
    organization only. Rules that become looser apply immediately to all keys. Sessions are not affected. The response
    lists the keys that do not fit. A key can make the policy stricter; to loosen it, sign in.
    """
    return await actions.set_policy(call, organization, body.content)


async def preview_key_policy(call: Call, organization: Organization, body: Content[KeyPolicyToSet]) -> KeyPolicyEffect:
    """Preview this policy: the keys that would not fit it. Nothing is changed."""
    return await actions.preview_policy(call, organization.organization_id, body.content)
