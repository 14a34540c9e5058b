"""A typed client for Atrium's public API, sync (`Atrium`) and async (`AsyncAtrium`). It imports no server code.

from atrium.client import Atrium

with Atrium("http://127.0.0.1:8700", "atrp_…") as atrium:
    room = atrium.room("01936f4e-8f2a-7c31-9d4b-5e6f70819203")
    for message in room.messages():
        print(message.sent_at, message.text)
    room.send("Hello from the API")
"""

from atrium.client import errors, hooks, webhooks
from atrium.client._async.client import AsyncAtrium
from atrium.client._async.hooks import AsyncWebhooks
from atrium.client._async.incoming import AsyncIncomingWebhooks
from atrium.client._async.room import AsyncRoom, AsyncThread
from atrium.client._sync.client import Atrium
from atrium.client._sync.hooks import Webhooks
from atrium.client._sync.incoming import IncomingWebhooks
from atrium.client._sync.room import Room, Thread
from atrium.client.errors import (
    AtriumError,
    BadRequest,
    Conflict,
    Forbidden,
    IdempotencyMismatch,
    InvalidSignature,
    NotFound,
    Problem,
    RateLimited,
    Refused,
    ServerError,
    StaleDelivery,
    TooLarge,
    Unauthenticated,
    UnexpectedAnswer,
    Unreachable,
)
from atrium.client.model import (
    Actor,
    Attachment,
    Block,
    Event,
    Found,
    Message,
    Organization,
    Position,
    Profile,
    Reaction,
    RoomInfo,
    RoomPage,
    Space,
)
from atrium.client.retries import NEVER, Retries

__all__ = [
    "NEVER",
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
    "Found",
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
    "Refused",
    "Retries",
    "Room",
    "RoomInfo",
    "RoomPage",
    "ServerError",
    "Space",
    "StaleDelivery",
    "Thread",
    "TooLarge",
    "Unauthenticated",
    "UnexpectedAnswer",
    "Unreachable",
    "Webhooks",
    "errors",
    "hooks",
    "webhooks",
]
