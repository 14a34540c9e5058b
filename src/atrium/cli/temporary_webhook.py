"""The webhook of `atrium webhooks listen`, with a receiver on this machine; it is deleted when the command ends."""

import asyncio
import platform
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from uuid import UUID

import httpx
from aiohttp import web

from atrium.cli.client_errors import TEMPORARY_ERRORS
from atrium.cli.errors import CommandError
from atrium.cli.forwarder import Forwarder
from atrium.client import APIError, AsyncWebhooks, AtriumError, InvalidSignature, NotFound
from atrium.client.webhook_types import ACTIVE, PAUSED, SUCCEEDED, NewWebhook, Subscription
from atrium.client.webhooks import verify
from atrium.events import WebhookEventKind

MAX_BODY = 1 << 20
FORWARDED_HEADERS = ("x-service-", "webhook-", "content-type")
STATUS_INTERVAL = 5.0  # seconds
UNREACHABLE_MACHINE = (
    "the server cannot reach this machine. Use --webhook ID to follow the log of an existing webhook instead."
)


class Receiver:
    """The endpoint of the temporary webhook; deliveries wait until its secret is known."""

    def __init__(self, forwarder: Forwarder) -> None:
        self._forwarder = forwarder
        self.secret: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        """Verify a delivery and forward it; Atrium gets the local program's response."""
        body = await request.read()  # exactly the bytes that were signed
        forwarded = [(n, v) for n, v in request.headers.items() if n.lower().startswith(FORWARDED_HEADERS)]
        headers = httpx.Headers(forwarded)
        try:
            verify(await self.secret, body, headers)
        except InvalidSignature as error:
            self._forwarder.reject(headers, str(error))
            return web.Response(status=401)
        if headers.get("X-Service-Event") == WebhookEventKind.PING:
            return web.Response()  # sent by this command to test whether Atrium can reach the receiver
        status, response = await self._forwarder.forward(headers, body)
        return web.Response(status=status, body=response)


@asynccontextmanager
async def run_receiver(forwarder: Forwarder) -> AsyncIterator[Receiver]:
    """Run a receiver on a free port of this machine."""
    receiver, app = Receiver(forwarder), web.Application(client_max_size=MAX_BODY)
    app.router.add_post("/", receiver.answer)
    runner = web.AppRunner(app, access_log=None, auto_decompress=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
        yield receiver
    finally:
        await runner.cleanup()


@asynccontextmanager
async def temporary_webhook(
    webhooks: AsyncWebhooks, receiver: Receiver, subscriptions: Sequence[Subscription]
) -> AsyncIterator[NewWebhook]:
    """Create a temporary webhook. Raise CommandError if its deliveries cannot reach this machine."""
    try:
        created = await webhooks.create(
            name=f"atrium webhooks listen on {platform.node()}"[:100],
            endpoint_url=receiver.url,
            description="Temporary: deleted when the command ends.",
            subscriptions=subscriptions,
        )
    except APIError as error:
        raise CommandError(UNREACHABLE_MACHINE) if error.code == "forbidden_endpoint" else error from None
    receiver.secret.set_result(created.secret)
    try:
        # A server behind a proxy that is not in its settings allows loopback, and would deliver to its own machine.
        if (await webhooks.test(created.webhook.id)).status != SUCCEEDED:
            raise CommandError(UNREACHABLE_MACHINE)
        yield created
    finally:
        await _delete(webhooks, created.webhook.id)


async def _delete(webhooks: AsyncWebhooks, webhook_id: UUID) -> None:
    try:
        with suppress(NotFound):
            await webhooks.delete(webhook_id)
    except AtriumError as error:
        raise CommandError(f"the temporary webhook {webhook_id} could not be deleted: {error}") from None


async def keep_active(webhooks: AsyncWebhooks, webhook_id: UUID, forwarder: Forwarder) -> None:
    """Keep the webhook from being paused by a local program that keeps failing."""
    while True:
        await asyncio.sleep(STATUS_INTERVAL)
        with suppress(*TEMPORARY_ERRORS):
            if (await webhooks.read(webhook_id)).status == PAUSED:
                await webhooks.set_status(webhook_id, ACTIVE)
                forwarder.printer.note("Atrium had paused the webhook after ten failures in a row; it is active again.")
