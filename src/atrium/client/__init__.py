"""A typed client for Atrium's public API, sync (`Atrium`) and async (`AsyncAtrium`). It imports no server code.

from atrium.client import Atrium

with Atrium("http://127.0.0.1:8700", "atrp_…") as atrium:
    room = atrium.room("01936f4e-8f2a-7c31-9d4b-5e6f70819203")
    for message in room.messages():
        print(message.sent_at, message.text)
    room.send("Hello from the API")
"""

from atrium.client import errors, webhook_types, webhooks
from atrium.client._async.client import AsyncAtrium
from atrium.client._async.incoming import AsyncIncomingWebhooks
from atrium.client._async.room import AsyncRoom, AsyncThread
from atrium.client._async.webhooks import AsyncWebhooks
from atrium.client._sync.client import Atrium
from atrium.client._sync.incoming import IncomingWebhooks
from atrium.client._sync.room import Room, Thread
from atrium.client._sync.webhooks import Webhooks
from atrium.client.errors import (
    APIError,
    AtriumError,
    BadRequest,
    Conflict,
    Forbidden,
    IdempotencyMismatch,
    InvalidSignature,
    NotFound,
    Problem,
    RateLimited,
    ServerError,
    StaleDelivery,
    TooLarge,
    Unauthenticated,
    UnexpectedResponse,
    Unreachable,
)
from atrium.client.model import (
    Actor,
    Attachment,
    Block,
    Event,
    Message,
    Organization,
    Position,
    Profile,
    Reaction,
    RoomInfo,
    RoomPage,
    SearchResult,
    Space,
)
from atrium.client.retries import NO_RETRIES, Retries

__all__ = [
    "NO_RETRIES",
    "APIError",
    "Actor",
    "AsyncAtrium",
    "AsyncIncomingWebhooks",
    "AsyncRoom",
    "AsyncThread",
    "AsyncWebhooks",
    "Atrium",
    "AtriumError",
    "Attachment",
    "BadRequest",
    "Block",
    "Conflict",
    "Event",
    "Forbidden",
    "IdempotencyMismatch",
    "IncomingWebhooks",
    "InvalidSignature",
    "Message",
    "NotFound",
    "Organization",
    "Position",
    "Problem",
    "Profile",
    "RateLimited",
    "Reaction",
    "Retries",
    "Room",
    "RoomInfo",
    "RoomPage",
    "SearchResult",
    "ServerError",
    "Space",
    "StaleDelivery",
    "Thread",
    "TooLarge",
    "Unauthenticated",
    "UnexpectedResponse",
    "Unreachable",
    "Webhooks",
    "errors",
    "webhook_types",
    "webhooks",
]
