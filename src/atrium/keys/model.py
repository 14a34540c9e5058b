"""The types of keys' limits and of personal keys."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.kit.http.request import Body
from atrium.kit.text.types import ApiKeyId, Name, Timestamp
from atrium.permissions import Scope

Scopes = Annotated[
    list[Scope],
    Meta(min_length=1, max_length=len(Scope), description="what the key may do; null for all its actor may"),
]
AllowedNetworks = Annotated[
    list[str],
    Meta(
        min_length=1,
        max_length=50,
        examples=[["203.0.113.0/24", "2001:db8::/32"]],
        description="the networks (CIDR) from which the key may be used; null for all",
    ),
]
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


class KeyRotation(Body):
    """The fields of a rotation."""

    expires_at: Annotated[
        Timestamp | UnsetType | None,
        Meta(description="when the new key expires, null for never; by default, when the old one does"),
    ] = UNSET


class PersonalKey(Struct, frozen=True):
    """A personal key, without the key itself."""

    api_key_id: ApiKeyId
    name: Annotated[str, Meta(examples=["Laptop"])]
    last_four: Annotated[str, Meta(description="the key's last characters", examples=["x7Qa"])]
    created_at: Timestamp
    expires_at: Timestamp | None
    last_used_at: Annotated[Timestamp | None, Meta(description="to the minute")]
    scopes: Scopes | None
    allowed_networks: AllowedNetworks | None


class PersonalKeyRules(Struct, frozen=True):
    """What an organization requires of the personal keys that it allows."""

    max_lifetime_days: MaxLifetimeDays | None
    require_networks: NetworksRequired


class ShownPersonalKey(Struct, frozen=True):
    """A personal key with the key itself, which is shown only once."""

    api_key: PersonalKey
    key: Annotated[str, Meta(examples=["atrp_4fGh1kLm9pQrStUvWxYz0123456789AbCdEf"])]


class PersonalKeyCreate(LimitsToSet):
    """A personal key to create."""

    name: Name


class PersonalKeyUpdate(LimitsToNarrow):
    """The fields of a personal key to change."""

    name: Name | UnsetType = UNSET
