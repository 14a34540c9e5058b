"""Idle connections to receivers, for the next requests to the same place."""

import asyncio
import ssl
from time import monotonic
from typing import NamedTuple, TypeAlias

from atrium.kit.network.receiver_connection import ReceiverConnection

Key: TypeAlias = tuple[str, str | None, int | None, ssl.SSLContext | None]
IDLE_SECONDS = 15.0


class _Idle(NamedTuple):
    connection: ReceiverConnection
    since: float


class Pool:
    """At most `limit` idle connections, each for 15 to 30 seconds."""

    def __init__(self, limit: int) -> None:
        self._limit, self._count = limit, 0
        self._idle: dict[Key, list[_Idle]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def take(self, key: Key) -> ReceiverConnection | None:
        """Return the connection to a place that became idle last, if there is one."""
        idle = self._idle.get(key, ())
        while idle:
            self._count -= 1
            if (connection := idle.pop().connection).is_reusable:
                return connection
        return None

    def put(self, key: Key, connection: ReceiverConnection) -> None:
        """Keep a connection for the next request, or close it if there are enough."""
        if self._count >= self._limit:
            return connection.abort()
        self._count += 1
        self._idle.setdefault(key, []).append(_Idle(connection, monotonic()))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._close_old)
        return None

    def close(self) -> None:
        """Close all."""
        if self._timer is not None:
            self._timer.cancel()
        self._close_until(float("inf"))

    def _close_old(self) -> None:
        self._close_until(monotonic() - IDLE_SECONDS)
        self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._close_old) if self._idle else None

    def _close_until(self, end: float) -> None:
        for key, idle in list(self._idle.items()):
            remaining = [each for each in idle if each.since > end and each.connection.is_reusable]
            for connection in {each.connection for each in idle} - {each.connection for each in remaining}:
                connection.abort()
            self._count -= len(idle) - len(remaining)
            if remaining:
                self._idle[key] = remaining
            else:
                del self._idle[key]
