"""The types of a key's limits, in bodies and responses."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from atrium.kit.http.request import Body
from atrium.kit.text.types import Timestamp
from atrium.permissions import Scope

Scopes = Annotated[
    list[Scope],
    Meta(min_length=1, max_length=len(Scope), description="what the key may do; null for all its actor may"),
]
AllowedNetworks = Annotated[
    list[str],
    Meta(
        min_length=1, max_length=50, examples=[["203.0.113.0/24", "2001:db8::/32"]],
        description="the networks (CIDR) from which the key may be used; null for all",
    ),
]  # fmt: skip
MaxLifetimeDays = Annotated[
    int, Meta(ge=1, le=3650, description="from the creation or rotation of a key until it expires; null for any time")
]
NetworksRequired = Annotated[
    bool, Meta(description="whether keys need `allowed_networks`, none wider than /8 (IPv4) or /16 (IPv6)")
]


class LimitsToSet(Body, kw_only=True):
    """The limits of a new key."""

    expires_at: Timestamp | None = None
    scopes: Scopes | None = None
    allowed_networks: AllowedNetworks | None = None


class LimitsToNarrow(Body, kw_only=True):
    """Changed limits of a key."""

    expires_at: Timestamp | UnsetType | None = UNSET
    scopes: Scopes | UnsetType | None = UNSET
    allowed_networks: AllowedNetworks | UnsetType | None = UNSET
