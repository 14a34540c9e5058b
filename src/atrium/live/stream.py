"""What one client is told from its first line on: where it stands, what it missed, then what happens."""

from collections.abc import AsyncIterator

from atrium.events import TRANSIENT, LiveEventKind
from atrium.live.hub import Hub
from atrium.live.listener import Listener
from atrium.live.model import Event, Position
from atrium.live.reading import ReadBy, read_unseen

PAGE, PAGE_BYTES = 1000, 2 << 20  # events of a catch-up read at once, and about how many bytes of them
MOST_MISSED = 5  # pages; who missed more is told to read anew
RETRY_MS = 1000


async def told(hub: Hub, listener: Listener, present: Position) -> AsyncIterator[bytes]:
    """The lines of a stream that joined at `present`: first what was missed since its last event id, if it has one."""
    asked = listener.wanted.last_event_id
    last = Position.read(asked) if asked else present
    if last is None or not last.can_be_resumed(present, hub.clock()):
        yield _first(LiveEventKind.RESET, present)
    else:
        yield _first(LiveEventKind.HELLO, last)
        if asked:
            async for chunk in _missed(hub, listener, last, present):
                yield chunk
    async for chunk in listener.chunks():
        yield chunk


def _first(kind: LiveEventKind, position: Position) -> bytes:
    return f"retry: {RETRY_MS}\nid: {position}\nevent: {kind}\ndata: {{}}\n\n".encode()


async def _missed(hub: Hub, listener: Listener, last: Position, present: Position) -> AsyncIterator[bytes]:
    """What became visible since: first the rest of the batch that was cut, then all up to where the stream joined."""
    steps = [last] if last.upto is not None else []
    steps.append(last._replace(seen=last.upto or last.seen, upto=present.seen, seq=0))
    pages = 0
    for step in steps:
        at, more = step, True
        while more:
            if (pages := pages + 1) > MOST_MISSED:
                yield _first(LiveEventKind.RESET, present)
                return
            events, more = await _page(hub, listener, at)
            yield b"".join(
                event.rendered(at._replace(seq=event.seq))
                for event in events
                if event.kind not in TRANSIENT and listener.hears(event)
            )
            at = at._replace(seq=events[-1].seq) if more else at
    yield f"id: {present}\n\n".encode()


async def _page(hub: Hub, listener: Listener, at: Position) -> tuple[list[Event], bool]:
    reach = listener.reach
    by = ReadBy(list(reach.spaces), [reach.actor_id] if reach.actor_id else [], list(reach.organizations))
    async with hub.catching_up:
        events, more, _ = await read_unseen(
            hub.pool, by, seen=at.seen, upto=at.upto, after=at.seq, most=PAGE, most_bytes=PAGE_BYTES
        )
    return events, more
