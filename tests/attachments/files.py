"""Pictures, and attachments of a room."""

import io
from typing import Any

import httpx
from PIL import Image

from tests.conftest import Api

Json = dict[str, Any]


def picture(width: int, height: int, kind: str = "PNG", **more: Any) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(out, kind, **more)
    return out.getvalue()


def attach(
    api: Api, content: bytes, client: httpx.Client | None = None, room_id: str | None = None, **query: str
) -> Json:
    where = f"/v2/rooms/{room_id or api.room_id}/attachments"
    made = (client or api.person).post(where, content=content, params=query)
    assert made.status_code == 201, made.text
    return dict(made.json())


def metadata_of(made: Json) -> Json:
    """Return an attachment as messages show it."""
    return {name: made[name] for name in ("attachment_id", "name", "media_type", "size", "width", "height")}
