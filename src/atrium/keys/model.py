"""The types of personal keys."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.text.types import ApiKeyId, Timestamp


class PersonalKey(Struct, frozen=True):
    """A personal key, without the key itself."""

    api_key_id: ApiKeyId
    name: Annotated[str, Meta(examples=["Laptop"])]
    last_four: Annotated[str, Meta(description="the key's last characters", examples=["x7Qa"])]
    created_at: Timestamp
    expires_at: Timestamp | None
    last_used_at: Annotated[Timestamp | None, Meta(description="to the minute")]


class ShownPersonalKey(Struct, frozen=True):
    """A personal key with the key itself, which is shown only once."""

    api_key: PersonalKey
    key: Annotated[str, Meta(examples=["atrp_4fGh1kLm9pQrStUvWxYz0123456789AbCdEf"])]
