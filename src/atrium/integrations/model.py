"""The types of integrations and their keys."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.keys.model import AllowedNetworks, LimitsToNarrow, LimitsToSet, Scopes
from atrium.kit.text.types import ActorId, ApiKeyId, Description, Name, OrganizationId, Timestamp
from atrium.organizations.model import SpaceGrant
from atrium.permissions import OrganizationRole

SpaceGrants = Annotated[list[SpaceGrant], Meta(max_length=1000, description="the spaces it can access, with its role")]


class ApiKey(Struct, frozen=True):
    """An organization key and the integration that it acts as, without the key itself."""

    api_key_id: ApiKeyId
    integration_id: Annotated[ActorId, Meta(description="the `user_id` of messages sent with the key")]
    organization_id: OrganizationId
    name: Annotated[str, Meta(description="the integration's name", examples=["Deploy bot"])]
    description: str
    organization_role: OrganizationRole
    spaces: list[SpaceGrant]
    last_four: Annotated[str, Meta(description="the key's last characters", examples=["x7Qa"])]
    created_by: ActorId | None
    created_at: Timestamp
    expires_at: Timestamp | None
    last_used_at: Annotated[Timestamp | None, Meta(description="to the minute")]
    key_name: Annotated[str, Meta(description="the name of this key, by default the integration's")]
    scopes: Scopes | None
    allowed_networks: AllowedNetworks | None


class ShownApiKey(Struct, frozen=True):
    """An organization key with the key itself, which is shown only once."""

    api_key: ApiKey
    key: Annotated[str, Meta(examples=["atro_4fGh1kLm9pQrStUvWxYz0123456789AbCdEf"])]


class ApiKeyCreate(LimitsToSet):
    """An integration to create, with its key."""

    name: Name
    spaces: SpaceGrants
    description: Description = ""
    organization_role: OrganizationRole = OrganizationRole.MEMBER


class FurtherKeyCreate(LimitsToSet):
    """Another key of an integration."""

    key_name: Name


class ApiKeyUpdate(LimitsToNarrow):
    """The fields of an integration and of this key to change.

    `spaces` replaces the list of spaces that the integration can access.
    """

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    organization_role: OrganizationRole | UnsetType = UNSET
    spaces: SpaceGrants | UnsetType = UNSET
    key_name: Name | UnsetType = UNSET
