"""What the key policies of organizations require of a key. `integrations/key_policy` sets them."""

from typing import Literal
from uuid import UUID

from atrium.keys import queries
from atrium.keys.caller import Call, KeyPolicyForbids
from atrium.kit.errors import Forbidden
from atrium.kit.postgres.database import Connection

Reason = Literal["max_lifetime", "personal_keys", "networks"]
WHY: dict[Reason, str] = {
    "max_lifetime": "The key must expire within the time that the organization allows.",
    "networks": "The key must be limited to networks, none of them wider than /8 (IPv4) or /16 (IPv6).",
    "personal_keys": "The organization does not allow personal keys of people with your role.",
}


async def require_allowed(db: Connection, api_key_id: UUID) -> None:
    """Raise KeyPolicyForbids for a new, rotated or extended key, if no organization of its actor allows it.

    A personal key that only some of them allow works in these. The caller must have locked the policies, before the key
    and its owner, so that a policy is set before or after the key is changed.
    """
    rows = await db.fetch(queries.REASONS_AGAINST_KEY, api_key_id)
    if rows and all(row["reasons"] for row in rows):
        reasons = sorted({reason for row in rows for reason in row["reasons"]})
        raise KeyPolicyForbids(" ".join(WHY[reason] for reason in reasons), reasons=reasons)


async def require_session_under_policy(call: Call) -> None:
    """Raise Forbidden for a key of a person one of whose organizations has a policy.

    Who signs in is not limited by policies, so no key may make it possible.
    """
    if await call.db.fetchval(queries.IS_KEY_UNDER_POLICY, call.caller.api_key_id):
        raise Forbidden("One of your organizations has a key policy. Sign in to set a password, with a link by email.")
