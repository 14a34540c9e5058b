"""The types of personal keys."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.keys.limit_types import (
    AllowedNetworks,
    LimitsToNarrow,
    LimitsToSet,
    MaxLifetimeDays,
    NetworksRequired,
    Scopes,
)
from atrium.kit.text.types import ApiKeyId, Name, Timestamp


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
