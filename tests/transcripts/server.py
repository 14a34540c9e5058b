"""A transcription server that follows the public description of the API."""

import io
import wave
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from aiohttp import web

from tests.conftest import run_in_thread


@dataclass
class ReceivedRequest:
    """A request as the server received it."""

    path: str
    raw_path: str
    headers: dict[str, str]
    fields: dict[str, str] = field(default_factory=dict)
    filename: str | None = None
    media_type: str | None = None
    sound: bytes = b""
    size: int = 0


Answer: TypeAlias = Callable[[ReceivedRequest], Awaitable[web.StreamResponse] | web.StreamResponse]


@asynccontextmanager
async def running_transcriber(
    answer: Answer,
) -> AsyncIterator[tuple[str, list[ReceivedRequest]]]:
    requests: list[ReceivedRequest] = []

    async def handle(received: web.Request) -> web.StreamResponse:
        one = ReceivedRequest(received.path, received.raw_path, dict(received.headers))
        if received.content_type == "multipart/form-data":
            async for part in await received.multipart():
                content = await part.read(decode=False)
                if part.name == "file":
                    one.filename, one.media_type, one.size = part.filename, part.headers["Content-Type"], len(content)
                    with wave.open(io.BytesIO(content)) as file:
                        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 16_000)
                        one.sound = file.readframes(file.getnframes())
                else:
                    assert part.name not in one.fields
                    one.fields[part.name] = content.decode()
        requests.append(one)
        made = answer(one)
        return made if isinstance(made, web.StreamResponse) else await made

    app = web.Application(client_max_size=1 << 26)
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}", requests
    finally:
        await runner.cleanup()


@contextmanager
def running_transcriber_in_thread(answer: Answer) -> Iterator[str]:
    """Run the server in another thread; yield its URL."""
    stack = AsyncExitStack()
    url, _ = run_in_thread(stack.enter_async_context(running_transcriber(answer)))
    try:
        yield url
    finally:
        run_in_thread(stack.aclose())
