"""What a client receives: its position, the events that it missed, then new events."""

from collections.abc import AsyncIterator

from atrium.events import TRANSIENT, LiveEventKind
from atrium.live.event_log import LogFilter, read_unseen
from atrium.live.hub import Hub
from atrium.live.listener import Listener
from atrium.live.model import Event, StreamPosition

PAGE, PAGE_BYTES = 1000, 2 << 20  # events of a catch-up read together, and about how many bytes of them
MAX_MISSED = 5  # pages; a client that missed more gets `reset`
RETRY_MS = 1000


async def chunks_of(hub: Hub, listener: Listener, present: StreamPosition) -> AsyncIterator[bytes]:
    """Yield the lines of a stream that joined at `present`, first the events since its last event id, if it has one."""
    last_id = listener.subscription.last_event_id
    last = StreamPosition.parse(last_id) if last_id else present
    if last is None or not last.can_be_resumed(present, hub.clock()):
        yield _first(LiveEventKind.RESET, present)
    else:
        yield _first(LiveEventKind.HELLO, last)
        if last_id:
            async for chunk in _catch_up(hub, listener, last, present):
                yield chunk
    async for chunk in listener.chunks():
        yield chunk


def _first(kind: LiveEventKind, position: StreamPosition) -> bytes:
    return f"retry: {RETRY_MS}\nid: {position}\nevent: {kind}\ndata: {{}}\n\n".encode()


async def _catch_up(
    hub: Hub, listener: Listener, last: StreamPosition, present: StreamPosition
) -> AsyncIterator[bytes]:
    """Yield the events since `last`: the rest of an interrupted batch, then everything up to `present`."""
    steps = [last] if last.until is not None else []
    steps.append(last._replace(seen=last.until or last.seen, until=present.seen, seq=0))
    pages = 0
    for step in steps:
        at, more = step, True
        while more:
            if (pages := pages + 1) > MAX_MISSED:
                yield _first(LiveEventKind.RESET, present)
                return
            events, more = await _page(hub, listener, at)
            yield b"".join(
                event.render(at._replace(seq=event.seq))
                for event in events
                if event.kind not in TRANSIENT and listener.receives(event)
            )
            at = at._replace(seq=events[-1].seq) if more else at
    yield f"id: {present}\n\n".encode()


async def _page(hub: Hub, listener: Listener, at: StreamPosition) -> tuple[list[Event], bool]:
    access = listener.access
    by = LogFilter(list(access.spaces), [access.actor_id] if access.actor_id else [], list(access.organizations))
    async with hub.catching_up.place(listener.owner):
        events, more, _ = await read_unseen(
            hub.pool, by, seen=at.seen, until=at.until, after=at.seq, max_events=PAGE, max_bytes=PAGE_BYTES
        )
    return events, more
