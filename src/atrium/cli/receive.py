"""`atrium receive`: a reference receiver, to test webhooks with and to copy from."""

import asyncio
import json
import signal
from collections import deque
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple

import typer
from aiohttp import web
from rich.json import JSON
from rich.text import Text

from atrium.cli.errors import CommandError
from atrium.cli.output import console, print_json_line
from atrium.cli.printable import printable
from atrium.kit.clock import rfc3339, utc_now
from atrium.webhooks.delivery.signing import verify

MAX_BODY = 1 << 20
REMEMBERED = 100_000  # delivery ids, far more than are ever retried at a time
COLORS = {"verified": "green", "refused": "bold red", "duplicate": "yellow"}

Secret = Annotated[
    str | None, typer.Option(envvar="ATRIUM_WEBHOOK_SECRET", metavar="S", help="The webhook's secret, whsec_….")
]
SecretFile = Annotated[
    typer.FileText | None,
    typer.Option("--secret-file", metavar="FILE", help="A file with the secret; - for standard input."),
]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any free port.")]
Host = Annotated[str, typer.Option(help="Address to listen on.")]
Fail = Annotated[int, typer.Option(min=0, metavar="N", help="Respond with 500 to the first N verified deliveries.")]
Delay = Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Wait before each response.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print only one JSON object per line.")]


def receive(
    *,
    secret: Secret = None,
    secret_file: SecretFile = None,
    port: Port = 8701,
    host: Host = "127.0.0.1",
    fail: Fail = 0,
    delay: Delay = 0.0,
    as_json: AsJson = False,
) -> None:
    """Receive webhooks on any path: verify and print each delivery. Respond with 200, or 401 if the signature is
    wrong."""
    if secret_file is not None:
        secret = secret_file.read().strip()
    if not secret:
        raise CommandError("no secret: set ATRIUM_WEBHOOK_SECRET or pass --secret-file with the webhook's secret")
    asyncio.run(_listen(Receiver(secret, fail, delay, as_json), host, port))


class Result(NamedTuple):
    """The result of a delivery, and the status of the response."""

    outcome: Literal["verified", "refused", "duplicate"]
    status: int
    reason: str | None = None


@dataclass(frozen=True)
class DeliveryRecord:
    """A delivery as it is printed."""

    received_at: str
    outcome: str
    status: int
    why: str | None
    event: str | None
    delivery_id: str | None
    subject: str | None
    path: str
    body: Any


@dataclass
class Receiver:
    """Verifies deliveries. One that got a 200 is a duplicate if it is received again."""

    secret: str
    failures_left: int
    delay: float
    as_json: bool
    _seen: set[str] = field(default_factory=set)
    _in_order: deque[str] = field(default_factory=deque)

    async def answer(self, request: web.Request) -> web.Response:
        """Print a request and return its response."""
        body = await request.read()  # the raw bytes, because the signature covers them
        result = self._verify(request, body)
        record = _record(request, body, result)
        print_json_line(vars(record)) if self.as_json else _show(record)
        await asyncio.sleep(self.delay)
        return web.Response(status=result.status, text=f"{result.reason or result.outcome}\n")

    def _verify(self, request: web.Request, body: bytes) -> Result:
        signature = request.headers.get("X-Service-Signature")
        if signature is None:
            return Result("refused", 401, "X-Service-Signature is missing")
        if not verify(self.secret, body, signature):
            return Result("refused", 401, "X-Service-Signature does not match")
        if self.failures_left:
            self.failures_left -= 1
            return Result("verified", 500, "failing because of --fail")
        delivery_id = request.headers.get("X-Service-Delivery")
        if delivery_id in self._seen:
            return Result("duplicate", 200, "seen before")
        if delivery_id is not None:
            self._remember(delivery_id)
        return Result("verified", 200)

    def _remember(self, delivery_id: str) -> None:
        self._seen.add(delivery_id)
        self._in_order.append(delivery_id)
        if len(self._in_order) > REMEMBERED:
            self._seen.discard(self._in_order.popleft())


async def _listen(receiver: Receiver, host: str, port: int) -> None:
    app = web.Application(client_max_size=MAX_BODY)
    app.router.add_post("/{path:.*}", receiver.answer)
    runner = web.AppRunner(app, access_log=None, auto_decompress=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as error:
            reason = str(error.strerror or error).rpartition(": ")[2]
            raise CommandError(f"cannot listen on {host}:{port}: {reason}") from None
        stop = asyncio.Event()
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, stop.set)
        at = f"[{host}]" if ":" in host else host
        console(stderr=receiver.as_json).print(
            f"Receiving on [bold]http://{at}:{runner.addresses[0][1]}[/] (press Ctrl-C to stop)"
        )
        await stop.wait()
    finally:
        await runner.cleanup()


def _record(request: web.Request, body: bytes, result: Result) -> DeliveryRecord:
    content = None if result.outcome == "refused" else _content(body)  # an unverified body is not printed
    return DeliveryRecord(
        received_at=rfc3339(utc_now()),
        outcome=result.outcome,
        status=result.status,
        why=result.reason,
        event=request.headers.get("X-Service-Event"),
        delivery_id=request.headers.get("X-Service-Delivery"),
        subject=_subject(content),
        path=request.raw_path,
        body=content,
    )


def _content(body: bytes) -> Any:
    """Return the JSON of the body, or its text if it is not JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body.decode(errors="replace")


def _subject(content: Any) -> str | None:
    subject = content.get("subject") if isinstance(content, dict) else None
    return f"{subject.get('type')} {subject.get('id')}" if isinstance(subject, dict) else None


def _show(record: DeliveryRecord) -> None:
    out = console()
    parts = (record.event, record.subject, record.delivery_id and f"delivery {record.delivery_id}")
    about = "  ".join(printable(part).replace("\n", " ") for part in parts if part)
    note = f"  ({record.why})" if record.why else ""
    outcome = (f"{record.outcome:9}", COLORS[record.outcome])
    out.print(Text.assemble((record.received_at[11:23], "dim"), "  ", outcome, f"  {record.status}  {about}{note}"))
    if isinstance(record.body, str):
        out.print(Text(printable(record.body)))
    elif record.body is not None and record.outcome == "verified":
        out.print(JSON(printable(json.dumps(record.body, ensure_ascii=False))))
