"""Sign and send a delivery, once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from uuid import UUID

import msgspec
import structlog

from atrium.kit.clock import Clock, rfc3339
from atrium.kit.encryption import SecretCipher
from atrium.kit.network.outbound import Exchange, Outbound
from atrium.kit.postgres.database import Record, is_out_of_room
from atrium.webhooks.authentication.access_tokens import AccessTokens
from atrium.webhooks.authentication.post import Outgoing, send
from atrium.webhooks.delivery.headers import signed_headers, with_custom
from atrium.webhooks.model import Attempt

INTERNAL_ERROR = "an internal error; the log of the server has the details"
log = structlog.get_logger()


@dataclass(frozen=True)
class ClaimedDelivery:
    """A delivery that this worker has leased.

    `attempts_made` counts the attempts of the current schedule, `logged` all attempts in the log. `time_limit` is in
    seconds, and so is `begins_in`: how long to wait for the webhook's rate. `organization_id` and `leased_until` are
    None for one that is not queued.
    """

    webhook_id: UUID
    delivery_id: UUID
    attempts_made: int
    logged: int
    manual: bool
    due_at: datetime
    event_type: str
    body: bytes
    endpoint_url: str
    headers: bytes
    secret: bytes
    old_secret: bytes | None
    old_secret_until: datetime | None
    time_limit: int | None
    authentication: bytes | None
    organization_id: UUID | None = None
    begins_in: float = 0.0
    leased_until: datetime | None = None


@dataclass(frozen=True)
class AttemptResult:
    """The result of an attempt, and when it ended."""

    exchange: Exchange
    log: Attempt
    ended_at: datetime

    @property
    def as_json(self) -> str:
        """Return the attempt as the log stores it."""
        return msgspec.json.encode(self.log).decode()


def claimed_delivery(row: Record) -> ClaimedDelivery:
    """Read a row of CLAIM."""
    return ClaimedDelivery(**dict(row))


def require_readable(claimed: ClaimedDelivery, vault: SecretCipher) -> None:
    """Raise WrongKey if what a delivery is sent with cannot be decrypted."""
    for sealed in (claimed.secret, claimed.headers, claimed.authentication):
        if sealed is not None:
            vault.decrypt(sealed)


async def attempt(
    claimed: ClaimedDelivery, *, vault: SecretCipher, outbound: Outbound, tokens: AccessTokens, clock: Clock
) -> AttemptResult:
    """Sign and send a delivery. Any response, or none, is a result, not an error.

    Raise WrongKey if the secret cannot be decrypted.
    """
    began = clock()
    own = signed_headers(
        claimed.event_type, claimed.delivery_id, claimed.body, secrets=_secrets(claimed, vault, began), now=began
    )
    custom = msgspec.json.decode(vault.decrypt(claimed.headers), type=dict[str, str])
    outgoing = Outgoing(
        claimed.endpoint_url, with_custom(own, custom), claimed.body, claimed.time_limit or outbound.timeout
    )
    credentials = None if claimed.authentication is None else vault.decrypt(claimed.authentication)
    exchange = await _exchange(claimed, outgoing, credentials, outbound=outbound, tokens=tokens)
    entry = Attempt(
        claimed.logged + 1,
        rfc3339(began),
        exchange.duration_ms,
        exchange.response_code,
        exchange.error,
        exchange.excerpt,
        own,
        exchange.timing,
    )
    return AttemptResult(exchange, entry, clock())


async def _exchange(
    claimed: ClaimedDelivery, outgoing: Outgoing, credentials: bytes | None, *, outbound: Outbound, tokens: AccessTokens
) -> Exchange:
    """Send a delivery. Any error fails the attempt: one that is not recorded would be repeated forever.

    Raise OSError if this machine has no room for another connection, which is no attempt.
    """
    started = monotonic()
    try:
        return await send(
            outgoing,
            authentication=credentials,
            version=claimed.authentication or b"",
            outbound=outbound,
            tokens=tokens,
        )
    except Exception as error:
        if is_out_of_room(error):
            raise
        log.error("an attempt failed with an internal error", webhook_id=str(claimed.webhook_id), exc_info=error)
        return Exchange(None, INTERNAL_ERROR, "", round((monotonic() - started) * 1000))


def _secrets(claimed: ClaimedDelivery, vault: SecretCipher, now: datetime) -> Sequence[str]:
    """Return the secrets to sign with; during an overlap, the old one first (docs/contract.md#webhook-details)."""
    secrets = [vault.decrypt(claimed.secret).decode()]
    old = vault.readable(claimed.old_secret)
    if old is not None and claimed.old_secret_until is not None and now < claimed.old_secret_until:
        secrets.insert(0, old.decode())
    return secrets
