"""A real SMTP server on loopback, and mails to send."""

import email
import email.policy
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from atrium.kit.mail.queue import (
    StoredMail,
    enqueue_mail,
    list_mail,
)
from atrium.kit.postgres.database import open_pool
from tests.conftest import free_port

SENDER = "Atrium <atrium@example.org>"
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
PASSWORD = "p@ss/w:rd é"
PASSWORD_IN_URL = "p%40ss%2Fw%3Ard%20%C3%A9"


class Mailbox:
    """Store the mails that a real SMTP server receives; addresses select its failures."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, EmailMessage]] = []
        self.connections = 0
        self.down = False

    async def handle_EHLO(  # noqa: N802
        self, _server: Any, session: Any, _envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if address.startswith("nobody"):
            return "550 5.1.1 no such user"
        if address.startswith("busy") or self.down:
            return "451 4.3.0 try again later"
        if address.startswith("closing"):
            return "421 4.3.2 closing"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        for address in envelope.rcpt_tos:
            if address.startswith("spam"):
                return "554 5.7.1 not wanted"
            message = email.message_from_bytes(envelope.content, policy=email.policy.default)
            assert isinstance(message, EmailMessage)
            self.taken.append((address, message))
        return "250 taken"

    @property
    def recipients(self) -> list[str]:
        return [recipient for recipient, _ in self.taken]


@contextmanager
def smtp_server(mailbox: Mailbox, port: int = 0, **options: Any) -> Iterator[str]:
    """Run a real SMTP server on loopback; yield its URL."""
    controller = Controller(mailbox, hostname="127.0.0.1", port=port or free_port(), enable_SMTPUTF8=True, **options)
    controller.start()
    try:
        yield f"smtp://127.0.0.1:{controller.port}"
    finally:
        controller.stop()


@asynccontextmanager
async def with_empty_mailbox(database: str) -> AsyncIterator[Any]:
    pool = await open_pool(database, size=8)
    try:
        await pool.execute("truncate mails")
        yield pool
    finally:
        await pool.close()


Run = Callable[[Callable[[Any], Awaitable[Any]]], Any]


async def put(
    pool: Any, to: str = "ada@example.org", subject: str = "Hello", text: str = "Hi.", now: datetime = NOW
) -> None:
    async with pool.acquire() as db, db.transaction():
        await enqueue_mail(db, to=to, subject=subject, text=text, now=now)


async def stored_mails(pool: Any) -> dict[str, StoredMail]:
    """Return the stored mails by recipient."""
    async with pool.acquire() as db:
        return {each.to: each for each in await list_mail(db, limit=None)}
