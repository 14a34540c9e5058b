"""The types of integrations and their keys."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.text.types import ActorId, ApiKeyId, OrganizationId, Timestamp
from atrium.organizations.model import SpaceGrant
from atrium.permissions import OrganizationRole


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


class ShownApiKey(Struct, frozen=True):
    """An organization key with the key itself, which is shown only once."""

    api_key: ApiKey
    key: Annotated[str, Meta(examples=["atro_4fGh1kLm9pQrStUvWxYz0123456789AbCdEf"])]
