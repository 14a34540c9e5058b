"""A real receiver on loopback in the test's event loop, which records every request."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

from aiohttp import web
from standardwebhooks import Webhook as StandardWebhook


@dataclass(frozen=True)
class Received:
    """A request as it arrived."""

    headers: dict[str, str]
    body: bytes

    @property
    def delivery_id(self) -> str:
        return self.headers["X-Service-Delivery"]


def assert_verified(received: Received, secret: str) -> None:
    """Verify with an independent library, and with openssl alone."""
    signature = received.headers["X-Service-Signature"]
    command = ["openssl", "dgst", "-sha256", "-hmac", secret]
    output = subprocess.run(command, input=received.body, capture_output=True, check=True).stdout.decode()
    assert signature == "sha256=" + output.split("= ")[1].strip()
    # The library compares the timestamp with the real time; besides that, it checks the signature.
    verifier = StandardWebhook(secret)
    made = verifier.sign(
        received.headers["webhook-id"],
        datetime.fromtimestamp(int(received.headers["webhook-timestamp"])),
        received.body.decode(),
    )
    assert made in received.headers["webhook-signature"].split(" ")


@dataclass
class Receiver:
    """Answer with `status`, or with the result of `answer` for a request, once allowed."""

    url: str = ""
    status: int = 200
    answer: Callable[[Received], int] | None = None
    received: list[Received] = field(default_factory=list)
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.may_answer.set()

    async def take(self, request: web.Request) -> web.Response:
        taken = Received(dict(request.headers), await request.read())
        self.received.append(taken)
        await self.may_answer.wait()
        return web.Response(status=self.answer(taken) if self.answer else self.status, text="taken")


@asynccontextmanager
async def running_receiver() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    async with running_endpoint(receiver.take) as receiver.url:
        yield receiver


@asynccontextmanager
async def running_endpoint(take: Callable[[web.Request], Awaitable[web.Response]]) -> AsyncIterator[str]:
    """Run a server that answers every request with `take`; yield its URL."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", take)
    runner = web.AppRunner(app, shutdown_timeout=0.1)  # a test may leave requests without an answer
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    finally:
        await runner.cleanup()
