"""Ids of everything except messages: UUIDv7, so that their order is the order of creation."""

import secrets
from datetime import datetime
from uuid import UUID

from atrium.kit.clock import to_ms


def new_id(at: datetime) -> UUID:
    """Return a new id whose first 48 bits are the milliseconds of `at` since 1970 (RFC 9562, section 5.7)."""
    return UUID(int=to_ms(at) << 80 | 7 << 76 | secrets.randbits(12) << 64 | 0b10 << 62 | secrets.randbits(62))
