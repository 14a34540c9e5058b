"""`atrium webhooks listen`: show a server's events, and forward them to a program under development."""

import asyncio
import signal
from asyncio import FIRST_COMPLETED, create_task
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

import httpx
import typer

from atrium.cli.client_errors import command_error
from atrium.cli.errors import CommandError
from atrium.cli.event_choice import MessageFilter, Scope, as_filter, chosen_types, filters_in, subscriptions
from atrium.cli.event_names import Names
from atrium.cli.event_printer import Display, EventPrinter
from atrium.cli.follow import follow
from atrium.cli.forwarder import Forwarder
from atrium.cli.help_text import command_group
from atrium.cli.output import Color
from atrium.cli.temporary_webhook import keep_active, run_receiver, temporary_webhook
from atrium.client import NO_RETRIES, AsyncAtrium, AtriumError, Forbidden
from atrium.client.webhook_types import Subscription
from atrium.client.webhooks import standard_signature
from atrium.events import WebhookEventKind
from atrium.kit.network.addresses import InexactURL, require_exact
from atrium.rooms.model import RoomType
from atrium.webhooks.model import SenderType, SubjectType, SubscriptionType, ThreadPlace

MAX_SUBSCRIPTIONS = 100  # of a webhook
MESSAGES = (WebhookEventKind.MESSAGE_SENT,)

ForwardTo = Annotated[
    str | None, typer.Option("--forward-to", metavar="URL", help="The local URL to forward deliveries to.")
]
Url = Annotated[str, typer.Option(metavar="SERVER", help="The server to listen to.")]
Key = Annotated[str | None, typer.Option(envvar="ATRIUM_KEY", metavar="KEY", help="A key of an organization admin.")]
OfOrganization = Annotated[UUID | None, typer.Option(metavar="ID", help="Required if the key's owner is in several.")]
OfSpace = Annotated[
    UUID | None, typer.Option(metavar="ID", help="Only this space. Default: all spaces that the key can access.")
]
OfRoom = Annotated[UUID | None, typer.Option(metavar="ID", help="Only this room.")]
OfTypes = Annotated[
    list[str] | None,
    typer.Option("--event", metavar="TYPE", help="Events of this type or pattern, such as 'message_*'. Repeatable."),
]
FromSenders = Annotated[
    list[str] | None,
    typer.Option("--sender", metavar="ID|EMAIL", help="Only messages of this person or integration. Repeatable."),
]
Mentioning = Annotated[
    list[str] | None,
    typer.Option("--mention", metavar="ID|EMAIL", help="Only messages that mention them. Repeatable."),
]
WithWords = Annotated[
    list[str] | None, typer.Option("--word", metavar="WORD", help="Only messages with this word. Repeatable.")
]
InThreads = Annotated[ThreadPlace | None, typer.Option(help="Only messages outside threads, or only replies.")]
FromType = Annotated[SenderType | None, typer.Option(help="Only messages of people, or of integrations.")]
InRoomType = Annotated[RoomType | None, typer.Option(help="Only events of rooms of this type.")]
OnlyFailed = Annotated[
    bool, typer.Option("--failed", help="Show only what the local program rejects. All is forwarded.")
]
OfWebhook = Annotated[UUID | None, typer.Option(metavar="ID", help="Follow this webhook's log; do not create one.")]
Secret = Annotated[
    str | None, typer.Option(metavar="S", help="With --webhook: sign forwarded deliveries with this secret.")
]
Verbose = Annotated[bool, typer.Option("--verbose", help="Show the body of each event too.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object per line on standard output.")]
Colors = Annotated[Color, typer.Option("--color", help="When to use colors.")]


app = command_group("Receive webhooks during development.")


@app.command()
def listen(
    *, forward_to: ForwardTo = None, url: Url = "http://127.0.0.1:8700", key: Key = None,
    organization: OfOrganization = None, space: OfSpace = None, room: OfRoom = None, event: OfTypes = None,
    sender: FromSenders = None, mention: Mentioning = None, word: WithWords = None, thread: InThreads = None,
    sender_type: FromType = None, room_type: InRoomType = None, webhook: OfWebhook = None, secret: Secret = None,
    failed: OnlyFailed = False, verbose: Verbose = False, as_json: AsJson = False, color: Colors = Color.AUTO,
) -> None:  # fmt: skip
    """Show a server's events and forward them to a URL, until Ctrl-C.

    By default, these are the sent messages. This creates a temporary webhook
    and deletes it at the end. Atrium gets the response of the URL, so it
    retries failures.

    A server on another machine cannot reach this one. In this case, follow the
    log of an existing webhook with --webhook.
    """
    chosen = MessageFilter(sender or (), mention or (), word or (), thread, sender_type, room_type)
    listening = Listening(Scope(organization, space, room), event or (), chosen, forward_to, webhook, secret)
    display = Display(as_json=as_json, verbose=verbose, only_failed=failed, color=color)
    _require_valid(listening, display, url, key)
    server = AsyncAtrium(url, key or "", retries=NO_RETRIES)  # the user sees the error and can run the command again
    try:
        asyncio.run(_run(server, listening, display))
    except AtriumError as error:
        raise command_error(error) from None


@dataclass(frozen=True)
class Listening:
    """What to listen to, and where to forward it."""

    scope: Scope
    events: Sequence[str]
    messages: MessageFilter
    forward_to: str | None
    webhook: UUID | None
    secret: str | None


def _require_valid(listening: Listening, display: Display, url: str, key: str | None) -> None:
    """Raise CommandError for options that are invalid or contradict each other."""
    if not key:
        raise CommandError("no key: pass --key or set ATRIUM_KEY to a key of an organization admin")
    _require_url("--url", url)
    if listening.forward_to is not None:
        _require_exact_url("--forward-to", listening.forward_to)
    scope, webhook = listening.scope, listening.webhook
    if (scope.space and scope.room) or (webhook and (scope.space or scope.room)):
        raise CommandError("choose one of --space, --room and --webhook")
    if webhook and listening.messages != MessageFilter():
        raise CommandError("a webhook of --webhook has its own filters: of its events, choose with --event")
    if display.only_failed and listening.forward_to is None:
        raise CommandError("--failed requires --forward-to")
    if listening.secret is not None:
        _require_secret(listening.secret, webhook)


def _require_url(option: str, given: str) -> None:
    try:
        parsed = httpx.URL(given)
    except httpx.InvalidURL as error:
        raise CommandError(f"{option}: {given} is not a URL: {error}") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise CommandError(f"{option}: {given} is not a URL such as http://localhost:3000/hook")


def _require_exact_url(option: str, given: str) -> None:
    _require_url(option, given)
    try:
        require_exact(given)
    except InexactURL as error:
        raise CommandError(f"{option}: {error}") from None


def _require_secret(secret: str, webhook: UUID | None) -> None:
    if webhook is None:
        raise CommandError("--secret requires --webhook; a temporary webhook has its own secret")
    try:
        standard_signature(secret, "", "0", b"")
    except ValueError:
        raise CommandError("--secret is not a webhook secret, which is whsec_ and base64") from None


async def _run(server: AsyncAtrium, listening: Listening, display: Display) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # closing the terminal deletes the webhook too
        loop.add_signal_handler(each, stop.set)
    async with server:
        organization = listening.scope.organization or await _only_organization(server)
        async with (
            EventPrinter(Names(server, organization), display) as printer,
            Forwarder(listening.forward_to, printer) as forwarder,
        ):
            if listening.webhook is None:
                await _listen(server, organization, listening, forwarder, stop)
                return
            patterns = listening.events or ("*",)
            webhooks = server.webhooks(organization)
            await _until(stop, follow(webhooks, listening.webhook, forwarder, listening.secret, patterns), printer)


async def _listen(
    server: AsyncAtrium, organization: UUID, listening: Listening, forwarder: Forwarder, stop: asyncio.Event
) -> None:
    """Show the events of a temporary webhook."""
    printer, webhooks = forwarder.printer, server.webhooks(organization)
    found = await _subscriptions(server, organization, listening)
    async with (
        run_receiver(forwarder) as receiver,
        temporary_webhook(webhooks, receiver, found[:MAX_SUBSCRIPTIONS]) as created,
    ):
        types = dict.fromkeys(each.subscription_type for each in found)
        printer.begin(
            [SubscriptionType(each).event_type for each in types],
            webhook_id=str(created.webhook.id), secret=created.secret, forward_to=forwarder.url,
        )  # fmt: skip
        if len(found) > MAX_SUBSCRIPTIONS:
            printer.note(f"A webhook has at most {MAX_SUBSCRIPTIONS} subscriptions, and these are {len(found)}: "
                         "some spaces are left out. Choose one with --space.")  # fmt: skip
        await _until(stop, keep_active(webhooks, created.webhook.id, forwarder), printer)


async def _until(stop: asyncio.Event, work: Coroutine[Any, Any, None], printer: EventPrinter) -> None:
    """Do the work until `stop`, until it fails, or until nothing can be printed."""
    doing, stopping = create_task(work), create_task(stop.wait())
    await asyncio.wait((doing, stopping, printer.printing), return_when=FIRST_COMPLETED)
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


async def _subscriptions(server: AsyncAtrium, organization: UUID, listening: Listening) -> list[Subscription]:
    scope, chosen = listening.scope, await as_filter(server, organization, listening.messages)
    types = chosen_types(listening.events or MESSAGES, scope.subjects, filters_in(chosen))
    targets = await _targets(server, organization, scope)
    # A program gets what a webhook sends by default. Without one, the texts come with the events.
    found = subscriptions(types, targets, chosen, texts=listening.forward_to is None)
    if not found:
        raise CommandError("the key has no access to a space: choose one with --space, or a room with --room")
    return found


async def _targets(server: AsyncAtrium, organization: UUID, scope: Scope) -> list[tuple[SubjectType, UUID]]:
    if scope.room is not None:
        return [(SubjectType.ROOM, scope.room)]
    if scope.space is not None:
        return [(SubjectType.SPACE, scope.space)]
    spaces = [(SubjectType.SPACE, each.space_id) async for each in server.spaces(organization)]
    return [(SubjectType.ORGANIZATION, organization), *spaces]
