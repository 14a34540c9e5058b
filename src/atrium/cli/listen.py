"""`atrium webhooks listen`: forward a server's deliveries to a program under development."""

import asyncio
import platform
import signal
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

import httpx
import typer
from aiohttp import web

from atrium.cli.client_errors import TEMPORARY_ERRORS, command_error
from atrium.cli.errors import CommandError
from atrium.cli.follow import follow
from atrium.cli.forwarder import Forwarder
from atrium.cli.help_text import command_group
from atrium.client import (
    NO_RETRIES,
    APIError,
    AsyncAtrium,
    AsyncWebhooks,
    AtriumError,
    Forbidden,
    InvalidSignature,
    NotFound,
)
from atrium.client.webhook_types import ACTIVE, PAUSED, SUCCEEDED, NewWebhook, Subscription, messages_in
from atrium.client.webhooks import standard_signature, verify
from atrium.events import WebhookEventKind

MAX_BODY = 1 << 20
MAX_SPACES = 100  # as many as a webhook may subscribe to
FORWARDED_HEADERS = ("x-service-", "webhook-", "content-type")
STATUS_INTERVAL = 5.0  # seconds
UNREACHABLE_MACHINE = (
    "the server cannot reach this machine. Use --webhook ID to follow the log of an existing webhook instead."
)

ForwardTo = Annotated[str, typer.Option("--forward-to", metavar="URL", help="The local URL to forward deliveries to.")]
Url = Annotated[str, typer.Option(metavar="SERVER", help="The server to listen to.")]
Key = Annotated[str | None, typer.Option(envvar="ATRIUM_KEY", metavar="KEY", help="A key of an organization admin.")]
OfOrganization = Annotated[UUID | None, typer.Option(metavar="ID", help="Required if the key's owner is in several.")]
OfSpace = Annotated[
    UUID | None, typer.Option(metavar="ID", help="Only this space. Default: all spaces that the key can access.")
]
OfRoom = Annotated[UUID | None, typer.Option(metavar="ID", help="Only this room.")]
OfWebhook = Annotated[UUID | None, typer.Option(metavar="ID", help="Follow this webhook's log; do not create one.")]
Secret = Annotated[
    str | None, typer.Option(metavar="S", help="With --webhook: sign forwarded deliveries with this secret.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object per line on standard output.")]


app = command_group("Receive webhooks during development.")


@app.command()
def listen(
    *, forward_to: ForwardTo, url: Url = "http://127.0.0.1:8700", key: Key = None, organization: OfOrganization = None,
    space: OfSpace = None, room: OfRoom = None, webhook: OfWebhook = None, secret: Secret = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Forward a server's events of sent messages to a URL, until Ctrl-C.

    This creates a temporary webhook and deletes it at the end. Atrium gets the
    response of the URL, so it retries failures.

    A server on another machine cannot reach this one. In this case, follow the
    log of an existing webhook with --webhook.
    """
    if not key:
        raise CommandError("no key: pass --key or set ATRIUM_KEY to a key of an organization admin")
    for option, given in (("--forward-to", forward_to), ("--url", url)):
        _require_url(option, given)
    if (space and room) or (webhook and (space or room)):
        raise CommandError("choose one of --space, --room and --webhook")
    if secret is not None:
        _require_secret(secret, webhook)
    scope = Scope(organization, space, room)
    server = AsyncAtrium(url, key, retries=NO_RETRIES)  # the user sees the error and can run the command again
    try:
        asyncio.run(_run(server, Forwarder(forward_to, as_json=as_json), scope, webhook, secret))
    except AtriumError as error:
        raise command_error(error) from None


def _require_url(option: str, given: str) -> None:
    try:
        parsed = httpx.URL(given)
    except httpx.InvalidURL as error:
        raise CommandError(f"{option}: {given} is not a URL: {error}") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise CommandError(f"{option}: {given} is not a URL such as http://localhost:3000/hook")


def _require_secret(secret: str, webhook: UUID | None) -> None:
    if webhook is None:
        raise CommandError("--secret requires --webhook; a temporary webhook has its own secret")
    try:
        standard_signature(secret, "", "0", b"")
    except ValueError:
        raise CommandError("--secret is not a webhook secret, which is whsec_ and base64") from None


@dataclass(frozen=True)
class Scope:
    """The events to listen to: of a space, a room, or by default all spaces."""

    organization: UUID | None
    space: UUID | None
    room: UUID | None


async def _run(
    server: AsyncAtrium, forwarder: Forwarder, scope: Scope, webhook: UUID | None, secret: str | None
) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # closing the terminal deletes the webhook too
        loop.add_signal_handler(each, stop.set)
    async with server, forwarder:
        organization = scope.organization or await _only_organization(server)
        webhooks = server.webhooks(organization)
        if webhook is not None:
            await _until(stop, follow(webhooks, webhook, forwarder, secret))
            return
        subscriptions = await _subscriptions(server, organization, scope)
        async with (
            _run_receiver(forwarder) as receiver,
            _temporary_webhook(webhooks, receiver, subscriptions) as created,
        ):
            forwarder.begin(webhook_id=str(created.webhook.id), secret=created.secret)
            await _until(stop, _keep_active(webhooks, created.webhook.id, forwarder))


async def _until(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Do the work until `stop`, or until it fails."""
    doing, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    await asyncio.wait((doing, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    doing.cancel()
    with suppress(asyncio.CancelledError):
        await doing


async def _only_organization(server: AsyncAtrium) -> UUID:
    try:
        found = [each async for each in server.organizations()]
    except Forbidden:
        raise CommandError("this is an organization's key: pass --organization ID") from None
    if len(found) != 1:
        raise CommandError(f"the key's owner is in {len(found)} organizations: choose one with --organization ID")
    return found[0].organization_id


async def _subscriptions(server: AsyncAtrium, organization: UUID, scope: Scope) -> list[Subscription]:
    if scope.room is not None:
        return messages_in(rooms=[scope.room])
    spaces = [scope.space] if scope.space else [each.space_id async for each in server.spaces(organization)]
    if not spaces:
        raise CommandError("the key has no access to a space: choose one with --space, or a room with --room")
    return messages_in(spaces=spaces[:MAX_SPACES])


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
            self._forwarder.report(headers, None, f"rejected: {error}")
            return web.Response(status=401)
        if headers.get("X-Service-Event") == WebhookEventKind.PING:
            return web.Response()  # sent by this command to test whether Atrium can reach the receiver
        status, response = await self._forwarder.forward(headers, body)
        return web.Response(status=status, body=response)


@asynccontextmanager
async def _run_receiver(forwarder: Forwarder) -> AsyncIterator[Receiver]:
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
async def _temporary_webhook(
    webhooks: AsyncWebhooks, receiver: Receiver, subscriptions: Sequence[Subscription]
) -> AsyncIterator[NewWebhook]:
    """Create a temporary webhook. Raise CommandError if its deliveries cannot reach this machine."""
    try:
        created = await webhooks.create(
            name=f"atrium webhooks listen on {platform.node()}"[:100], endpoint_url=receiver.url,
            description="Temporary: deleted when the command ends.", subscriptions=subscriptions,
        )  # fmt: skip
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


async def _keep_active(webhooks: AsyncWebhooks, webhook_id: UUID, forwarder: Forwarder) -> None:
    """Keep the webhook from being paused by a local program that keeps failing."""
    while True:
        await asyncio.sleep(STATUS_INTERVAL)
        with suppress(*TEMPORARY_ERRORS):
            if (await webhooks.read(webhook_id)).status == PAUSED:
                await webhooks.set_status(webhook_id, ACTIVE)
                forwarder.note("Atrium had paused the webhook after ten failures in a row; it is active again.")
