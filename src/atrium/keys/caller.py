"""The caller: the person or integration behind a key, looked up for every request."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from atrium.audit import trail
from atrium.audit.trail import Change, Origin
from atrium.kit.errors import Forbidden, Unauthenticated
from atrium.kit.http.request_context import note_scope, set_caller
from atrium.kit.network.outbound import Outbound
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage
from atrium.kit.text.types import ActorId, ApiKeyId
from atrium.permissions import Scope

# Parameters: $1 key_hash, $2 now, $3 scope, $4 address
# Returns: actor_id, kind, name, api_key_id, scopes, exceeded, barred
CALLER = "select * from caller_of($1, $2, $3, $4::text::inet)"


class InsufficientScope(Forbidden):
    """The scopes of the key do not include what the request needs. They are checked first, so this does not say whether
    what the path names exists or the key has access to it."""

    code = "insufficient_scope"
    title = "The scopes of this key do not include this"


class NetworkNotAllowed(Forbidden):
    """The key may be used only from certain networks, and your address is in none of them."""

    code = "network_not_allowed"
    title = "This key may not be used from your network"


class KeyPolicyForbids(Forbidden):
    """The key policy of the organization does not allow this key: it lives too long, may be used from all networks, or
    is personal; or an admin has revoked it there. For a key that is created, rotated or extended, `reasons` are in the
    error."""

    code = "key_policy"
    title = "The key policy of the organization does not allow this key"


LIMIT_ERRORS: dict[str, type[Forbidden]] = {
    error.code: error for error in (InsufficientScope, NetworkNotAllowed, KeyPolicyForbids)
}


class ActorKind(StrEnum):
    """A person, or an integration (an identity of an organization for its software)."""

    PERSON = "person"
    INTEGRATION = "integration"


@dataclass(frozen=True)
class Caller:
    """The actor of a request, and its key."""

    actor_id: ActorId
    kind: ActorKind
    name: str
    api_key_id: ApiKeyId
    scopes: Sequence[str] | None = None  # None for a key that may do all that its actor may
    barred: Sequence[UUID] | None = None  # the organizations whose policies, or admins, do not allow the key

    def has_scope(self, scope: Scope) -> bool:
        """Return whether the key may do this. The usage of the key shows that it was needed."""
        note_scope(scope)
        return self.scopes is None or scope in self.scopes

    def require_not_barred(self, organization_id: UUID) -> None:
        """Raise KeyPolicyForbids if the policy of the organization does not allow the key. Check the access first."""
        if self.barred and organization_id in self.barred:
            raise KeyPolicyForbids

    def require_not_barred_anywhere(self) -> None:
        """Raise KeyPolicyForbids if the policy of one of the caller's organizations does not allow the key."""
        if self.barred:
            raise KeyPolicyForbids(
                "The key policy of one of your organizations does not allow this key. Sign in instead."
            )

    def require_no_scopes(self) -> None:
        """Raise InsufficientScope for a key with scopes, where a request without a key is possible too."""
        note_scope("*")
        if self.scopes is not None:
            raise InsufficientScope("This request needs a key without scopes.")

    def require_scope(self, scope: Scope) -> None:
        """Raise InsufficientScope unless the key may do this, for requests whose content decides the scope."""
        if not self.has_scope(scope):
            raise InsufficientScope(f"This request needs a key with the scope {scope}.")


NOBODY = Caller(ActorId(UUID(int=0)), ActorKind.PERSON, "", ApiKeyId(UUID(int=0)))


async def _always_allowed() -> None:
    """Raise nothing: an operator may always go on."""


@dataclass(frozen=True)
class Call:
    """The context of a request: its connection (in a transaction unless it is a GET), its caller, its time.

    `require_still_allowed` raises the error of a request whose caller's key or role has ended since it started.
    """

    db: Connection
    caller: Caller
    now: datetime
    settings: Settings
    outbound: Outbound
    storage: Storage
    writing: bool
    address: str | None
    network: str
    request_id: str
    headers: Mapping[bytes, bytes]
    require_still_allowed: Callable[[], Awaitable[None]] = _always_allowed

    async def lock(self, statement: str, *arguments: object) -> Record | None:
        """Execute a statement that locks rows, and return its row. Raise the error of a caller whose access ended while
        it waited: of several locks, the last must be taken so. Lock before the first change."""
        locked: Record | None = await self.db.fetchrow(statement, *arguments)
        await self.require_still_allowed()
        return locked

    @property
    def origin(self) -> Origin:
        """Return the caller as the audit log records it."""
        who = self.caller
        key_id = None if who.api_key_id == NOBODY.api_key_id else who.api_key_id
        return Origin(
            actor_kind=who.kind,
            actor_id=who.actor_id,
            actor_name=who.name,
            at=self.now,
            api_key_id=key_id,
            address=self.address,
            request_id=self.request_id,
        )

    async def record(self, change: Change) -> None:
        """Write a change of this request to the audit log."""
        await trail.record(self.db, self.origin, change)


async def identify(db: Connection, key_hash: bytes, now: datetime, *, scope: str | None, address: str | None) -> Caller:
    """Return the caller with a key that suffices for `scope` (see Permission) and may be used from `address`.

    Raise Unauthenticated, InsufficientScope, NetworkNotAllowed (docs/contract.md#conventions).
    """
    row = await db.fetchrow(CALLER, key_hash, now, scope, address)
    if row is None:
        raise Unauthenticated("The key is unknown, expired or revoked, or its account is deactivated.")
    set_caller(row["api_key_id"], row["actor_id"])
    if row["exceeded"] is not None:
        raise LIMIT_ERRORS[row["exceeded"]](_why(row["exceeded"], scope, address))
    return Caller(row["actor_id"], ActorKind(row["kind"]), row["name"], row["api_key_id"], row["scopes"], row["barred"])


def _why(exceeded: str, scope: str | None, address: str | None) -> str:
    if exceeded == KeyPolicyForbids.code:
        return "The key policy of the organization does not allow this key."
    if exceeded == NetworkNotAllowed.code:
        return f"This key may not be used from {address or 'an unknown address'}."
    if scope is None:
        return "This request needs a key without scopes."
    return f"This request needs a key with the scope {scope}."


def require_person(caller: Caller) -> None:
    """Raise Forbidden for an organization key (docs/contract.md#caller-endpoints)."""
    if caller.kind is not ActorKind.PERSON:
        raise Forbidden("This request requires a personal key; organization keys do not belong to a person.")
