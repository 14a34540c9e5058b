"""Mail is stored with the change it reports, sent once, and survives every fault of the mail server."""

import asyncio
import email
import email.policy
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from atrium.kit.mail.queue import (
    CLAIM_DURATION,
    RETRY_DELAYS,
    ClaimedMail,
    StoredMail,
    delete_old_mail,
    enqueue_mail,
    list_mail,
    message_of,
    next_attempt,
    read_mail,
    send_due_mail,
)
from atrium.kit.mail.smtp import SmtpServer, parse_sender, parse_smtp_url
from atrium.kit.postgres.database import open_pool
from atrium.kit.settings import Settings
from atrium.migrations import migrate
from tests.conftest import free_port

SENDER = "Atrium <atrium@example.org>"
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
PASSWORD = "p@ss/w:rd é"
PASSWORD_IN_URL = "p%40ss%2Fw%3Ard%20%C3%A9"
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")  # it is loopback


class Mailbox:
    """Store what a real SMTP server receives; addresses select its failures."""

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


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
def smtp(mailbox: Mailbox) -> Iterator[str]:
    with smtp_server(mailbox) as url:
        yield url


@pytest.fixture(scope="module")
def database(settings: Settings) -> Iterator[str]:
    """Return settings of a database whose mail no other process sends."""
    name = f"mail_{os.urandom(4).hex()}"
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url, autocommit=True) as db:
        db.execute(f"create database {name}")
    url = settings.database_url.replace("/atrium?", f"/{name}?")
    migrate(url)
    yield url
    with psycopg.connect(settings.database_url, autocommit=True) as db:
        db.execute(f"drop database {name} with (force)")


@asynccontextmanager
async def emptied(database: str) -> AsyncIterator[Any]:
    pool = await open_pool(database, size=8)
    try:
        await pool.execute("truncate mails")
        yield pool
    finally:
        await pool.close()


Run = Callable[[Callable[[Any], Awaitable[Any]]], Any]


@pytest.fixture
def run(database: str) -> Run:
    """Return a function that runs a test's steps with a pool of connections to a database without mail."""

    def with_pool(steps: Callable[[Any], Awaitable[Any]]) -> Any:
        async def go() -> Any:
            async with emptied(database) as pool:
                return await steps(pool)

        return asyncio.run(go())

    return with_pool


async def put(
    pool: Any, to: str = "ada@example.org", subject: str = "Hello", text: str = "Hi.", now: datetime = NOW
) -> None:
    async with pool.acquire() as db, db.transaction():
        await enqueue_mail(db, to=to, subject=subject, text=text, now=now)


async def stored(pool: Any) -> dict[str, StoredMail]:
    """Return the stored mails by recipient."""
    async with pool.acquire() as db:
        return {each.to: each for each in await list_mail(db, limit=None)}


def test_a_mail_arrives_as_it_was_written(run: Run, smtp: str, mailbox: Mailbox) -> None:
    text = "Grüße 👋\n.\n..two dots\n" + "long " * 400 + "\nend"

    async def steps(pool: Any) -> StoredMail:
        await put(pool, "ada@example.org", "Räume — 部屋", text)
        assert await send_due_mail(pool, smtp, SENDER, NOW) == 1
        return (await stored(pool))["ada@example.org"]

    shown = run(steps)
    ((recipient, message),) = mailbox.taken
    assert recipient == message["To"] == "ada@example.org"
    assert message["Subject"] == "Räume — 部屋"
    assert message["From"] == SENDER
    assert message["Message-ID"] == f"<{shown.mail_id}@example.org>"
    assert message["Date"].datetime == NOW
    assert message.get_content_type() == "text/plain"
    assert message.get_content_charset() == "utf-8"
    assert message.get_content().replace("\r\n", "\n").rstrip("\n") == text
    assert (shown.state, shown.sent_at, shown.attempts, shown.last_error) == (
        "sent",
        "2026-11-21T09:00:00.000Z",
        1,
        None,
    )


def test_an_address_may_contain_any_letters(run: Run, smtp: str, mailbox: Mailbox) -> None:
    async def steps(pool: Any) -> None:
        await put(pool, "jürgen@bücher.example")
        await send_due_mail(pool, smtp, SENDER, NOW)

    run(steps)
    assert mailbox.recipients == ["jürgen@bücher.example"]


def test_a_mail_of_a_failed_transaction_is_not_sent(run: Run, smtp: str, mailbox: Mailbox) -> None:
    async def steps(pool: Any) -> int:
        with suppress(ZeroDivisionError):
            async with pool.acquire() as db, db.transaction():
                await enqueue_mail(db, to="ada@example.org", subject="s", text="t", now=NOW)
                raise ZeroDivisionError
        return await send_due_mail(pool, smtp, SENDER, NOW)

    assert run(steps) == 0
    assert mailbox.taken == []


@pytest.mark.parametrize("break_", ["\r\n", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_a_subject_cannot_inject_a_header(run: Run, smtp: str, mailbox: Mailbox, break_: str) -> None:
    async def steps(pool: Any) -> None:
        await put(pool, subject=f"Hello{break_}Bcc: eve@example.org{break_}{break_}body")
        await send_due_mail(pool, smtp, SENDER, NOW)

    run(steps)
    ((_, message),) = mailbox.taken
    assert message["Bcc"] is None
    assert message["Subject"] == "Hello Bcc: eve@example.org body"
    assert mailbox.recipients == ["ada@example.org"]


@pytest.mark.parametrize(
    "address", ["a,eve@example.org", "a@b,eve@example.org", "a@b>\r\nBcc:e@f", "<a@b>", "no address", "@"]
)
def test_an_invalid_recipient_is_rejected_and_stored(run: Run, smtp: str, mailbox: Mailbox, address: str) -> None:
    async def steps(pool: Any) -> dict[str, StoredMail]:
        await put(pool, address)
        await put(pool)
        assert await send_due_mail(pool, smtp, SENDER, NOW) == 1
        return await stored(pool)

    found = run(steps)
    assert found[address].state == "refused"
    assert "is not an email address" in (found[address].last_error or "")
    assert mailbox.recipients == ["ada@example.org"]


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=200))
def test_any_text_is_one_mail_to_one_address_or_raises_value_error(to: str, subject: str, text: str) -> None:
    with suppress(ValueError):
        mail = ClaimedMail(uuid4(), f"a{to}@example.org", " ".join(subject.split()), text, NOW, 0)
        raw = message_of(mail, SENDER).as_bytes()
        head = email.message_from_bytes(raw, policy=email.policy.default)
        assert len(head["To"].addresses) == len(head["From"].addresses) == 1
        assert set(head.keys()) == {
            "Message-ID", "Date", "From", "To", "Subject", "Auto-Submitted", "Content-Type",
            "Content-Transfer-Encoding", "MIME-Version",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("to", "error"), [("nobody@example.org", "550 5.1.1 no such user"), ("spam@example.org", "554 5.7.1 not wanted")]
)
def test_a_permanent_rejection_is_not_retried(run: Run, smtp: str, mailbox: Mailbox, to: str, error: str) -> None:
    async def steps(pool: Any) -> dict[str, StoredMail]:
        await put(pool, to)
        await put(pool)
        assert await send_due_mail(pool, smtp, SENDER, NOW) == 1
        assert await send_due_mail(pool, smtp, SENDER, NOW + timedelta(days=2)) == 0
        return await stored(pool)

    found = run(steps)
    assert (found[to].state, found[to].last_error, found[to].attempts) == ("refused", error, 1)
    assert mailbox.recipients == ["ada@example.org"]
    assert mailbox.connections == 1


def test_a_temporary_rejection_is_retried_after_a_pause(run: Run, smtp: str, mailbox: Mailbox) -> None:
    async def steps(pool: Any) -> StoredMail:
        await put(pool)
        mailbox.down = True
        assert await send_due_mail(pool, smtp, SENDER, NOW) == 0
        mailbox.down = False
        assert await send_due_mail(pool, smtp, SENDER, NOW + timedelta(seconds=59)) == 0
        waiting = (await stored(pool))["ada@example.org"]
        assert await send_due_mail(pool, smtp, SENDER, NOW + timedelta(seconds=61)) == 1
        return waiting

    waiting = run(steps)
    assert (waiting.state, waiting.last_error, waiting.attempts) == ("waiting", "451 4.3.0 try again later", 1)
    assert (waiting.next_attempt_at or "").startswith("2026-11-21T09:01:00")


def test_a_server_that_comes_back_receives_all_mail(run: Run, mailbox: Mailbox) -> None:
    port = free_port()

    async def steps(pool: Any) -> None:
        for number in range(25):
            await put(pool, f"p{number}@example.org")
        for _ in range(3):  # nothing listens; one batch at a time
            assert await send_due_mail(pool, f"smtp://127.0.0.1:{port}", SENDER, NOW) == 0
        found = await stored(pool)
        assert {each.state for each in found.values()} == {"waiting"}
        assert all("127.0.0.1" in (each.last_error or "") for each in found.values())
        with smtp_server(mailbox, port) as url:
            assert await send_due_mail(pool, url, SENDER, NOW) == 0
            assert await send_due_mail(pool, url, SENDER, NOW + timedelta(minutes=2)) == 25

    run(steps)
    assert sorted(mailbox.recipients) == sorted(f"p{number}@example.org" for number in range(25))
    assert mailbox.connections == 3  # one per batch of ten


def test_mails_behind_a_lost_connection_do_not_count_as_tried(run: Run, smtp: str, mailbox: Mailbox) -> None:
    async def steps(pool: Any) -> dict[str, StoredMail]:
        await put(pool, "first@example.org")
        await put(pool, "closing@example.org", now=NOW + timedelta(milliseconds=1))
        await put(pool, "third@example.org", now=NOW + timedelta(milliseconds=2))
        at = NOW + timedelta(seconds=1)
        assert await send_due_mail(pool, smtp, SENDER, at) == 1
        found = await stored(pool)
        assert await send_due_mail(pool, smtp, SENDER, at) == 1
        return found

    found = run(steps)
    assert (found["closing@example.org"].state, found["closing@example.org"].attempts) == ("waiting", 1)
    assert (found["third@example.org"].state, found["third@example.org"].attempts) == ("waiting", 0)
    assert mailbox.recipients == ["first@example.org", "third@example.org"]


def test_pauses_grow_to_an_hour_and_retries_end_after_three_days() -> None:
    at, attempts, pauses = NOW, 0, []
    while (following := next_attempt(attempts, at)) is not None:
        pauses.append(following - at)
        at, attempts = following, attempts + 1
    assert pauses[:5] == [timedelta(minutes=each) for each in (1, 5, 30, 60, 60)]
    assert set(pauses[3:]) == {timedelta(hours=1)}
    assert timedelta(days=2, hours=23) < at - NOW <= timedelta(days=3)


def test_after_the_last_retry_the_mail_is_stored_with_the_reason(run: Run) -> None:
    url = f"smtp://127.0.0.1:{free_port()}"

    async def steps(pool: Any) -> StoredMail:
        await put(pool)
        await pool.execute("update mails set attempts = $1", len(RETRY_DELAYS))
        await send_due_mail(pool, url, SENDER, NOW)
        return (await stored(pool))["ada@example.org"]

    found = run(steps)
    assert (found.state, found.next_attempt_at) == ("refused", None)
    assert (found.last_error or "").startswith(f"gave up after {len(RETRY_DELAYS) + 1} attempts: ")


def test_concurrent_senders_send_each_mail_once(run: Run, smtp: str, mailbox: Mailbox) -> None:
    async def steps(pool: Any) -> list[int]:
        for number in range(60):
            await put(pool, f"p{number}@example.org")
        return await asyncio.gather(*(send_due_mail(pool, smtp, SENDER, NOW) for _ in range(4)))

    sent = run(steps)
    assert sum(sent) == 60
    assert sorted(mailbox.recipients) == sorted(f"p{number}@example.org" for number in range(60))


def test_a_sender_that_dies_loses_nothing(run: Run, smtp: str, mailbox: Mailbox) -> None:
    """Its claimed mails are free again when the claim expires; until then no other sender takes them."""

    async def steps(pool: Any) -> None:
        await put(pool)
        await pool.execute("update mails set next_attempt_at = $1", NOW + CLAIM_DURATION)  # as after a claim
        assert await send_due_mail(pool, smtp, SENDER, NOW) == 0
        assert await send_due_mail(pool, smtp, SENDER, NOW + CLAIM_DURATION) == 1

    run(steps)
    assert mailbox.recipients == ["ada@example.org"]


def test_a_stopped_sender_releases_the_mails_it_has_not_tried(run: Run) -> None:
    async def steps(pool: Any) -> None:
        for number in range(5):
            await put(pool, f"p{number}@example.org")
        greeted = asyncio.Event()

        async def silent(_reader: Any, _writer: Any) -> None:
            greeted.set()
            await asyncio.sleep(60)

        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        sending = asyncio.create_task(send_due_mail(pool, f"smtp://127.0.0.1:{port}", SENDER, NOW))
        await greeted.wait()
        await asyncio.sleep(0.2)  # connected, and waiting for the greeting
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        server.close()
        due = await pool.fetchval("select count(*) from mails where next_attempt_at <= $1", NOW + timedelta(seconds=30))
        assert due == 5

    run(steps)


def authenticator(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    return AuthResult(success=(data.login, data.password) == (b"ada", PASSWORD.encode()), handled=False)


def test_it_authenticates_if_the_server_requires_it(run: Run, mailbox: Mailbox) -> None:
    async def steps(pool: Any) -> None:
        options = {"authenticator": authenticator, "auth_required": True, "auth_require_tls": False}
        with smtp_server(mailbox, **options) as url:
            await put(pool)
            signed_in = url.replace("//", f"//ada:{PASSWORD_IN_URL}@")
            assert await send_due_mail(pool, signed_in, SENDER, NOW) == 1

    run(steps)
    assert mailbox.recipients == ["ada@example.org"]


def test_a_wrong_password_keeps_the_mail_pending_and_is_never_shown(
    run: Run, mailbox: Mailbox, capfd: pytest.CaptureFixture[str]
) -> None:
    async def steps(pool: Any) -> StoredMail:
        options = {"authenticator": authenticator, "auth_required": True, "auth_require_tls": False}
        with smtp_server(mailbox, **options) as url:
            await put(pool)
            assert await send_due_mail(pool, url.replace("//", "//ada:hunter2@"), SENDER, NOW) == 0
        return (await stored(pool))["ada@example.org"]

    found = run(steps)
    output = "".join(capfd.readouterr())
    assert (found.state, found.last_error) == ("waiting", "535 the mail server rejected the username or password")
    assert "rejected the username or password" in output
    assert "hunter2" not in output + str(found)


def test_with_required_encryption_nothing_is_sent_in_the_clear(run: Run, smtp: str, mailbox: Mailbox) -> None:
    async def steps(pool: Any) -> str:
        await put(pool)
        assert await send_due_mail(pool, f"{smtp}?starttls=true", SENDER, NOW) == 0
        return (await stored(pool))["ada@example.org"].state

    assert run(steps) == "waiting"
    assert mailbox.taken == []


def test_mail_older_than_30_days_is_deleted(run: Run) -> None:
    async def steps(pool: Any) -> set[str]:
        await put(pool, "old@example.org", now=NOW - timedelta(days=30, seconds=1))
        await put(pool, "new@example.org", now=NOW - timedelta(days=29))
        await delete_old_mail(pool, NOW)
        return set(await stored(pool))

    assert run(steps) == {"new@example.org"}


def test_one_mail_is_read_by_its_id(run: Run) -> None:
    async def steps(pool: Any) -> None:
        await put(pool, text="secret link")
        async with pool.acquire() as db:
            (listed,) = await list_mail(db, limit=10)
            assert await read_mail(db, listed.mail_id) == listed
            assert listed.text == "secret link"
            assert await read_mail(db, uuid4()) is None

    run(steps)


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.org", SmtpServer("mail.example.org", 25)),
        ("smtp://mail.example.org:2525/", SmtpServer("mail.example.org", 2525)),
        ("smtps://mail.example.org", SmtpServer("mail.example.org", 465, tls=True, starttls=False)),
        ("smtp://h:587?starttls=true", SmtpServer("h", 587, starttls=True)),
        ("smtp://h?starttls=false", SmtpServer("h", 25, starttls=False)),
        ("smtp://h?starttls=auto", SmtpServer("h", 25)),
        ("smtp://[::1]:25", SmtpServer("::1", 25)),
        (f"smtps://ada%40x:{PASSWORD_IN_URL}@h:1", SmtpServer("h", 1, True, False, "ada@x", PASSWORD)),
    ],
)  # fmt: skip
def test_a_mail_server_is_configured_with_a_url(url: str, server: SmtpServer) -> None:
    assert parse_smtp_url(url) == server


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost:25", "http://h", "smtp://", "smtp://:25", "smtp://h:port", "smtp://h:99999", "smtp://h:0",
        "smtp://ada@h", "smtp://ada:hunter2/x@h", "smtp://ada:hunter2#x@h", "smtp://ada:hunter2?x@h", "smtp://h/path",
        "smtp://h?starttls=maybe", "smtp://h?tls=true", "smtps://h?starttls=true", "smtp://ada:hunter2@[h", "smtp://h#x",
    ],
)  # fmt: skip
def test_any_other_url_is_rejected_without_repeating_it(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("ATRIUM_SMTP_URL", url)
    with pytest.raises(ValidationError) as refused:
        Settings()
    assert "smtp_url" in str(refused.value)
    assert "hunter2" not in str(refused.value)


@given(st.text(alphabet="smtp:/@[]?#=%alu 0123456789é", max_size=30))
def test_any_text_is_a_mail_server_or_raises_value_error(text: str) -> None:
    with suppress(ValueError):
        assert parse_smtp_url(f"smtp://{text}").host


def test_the_password_is_not_shown_with_the_settings() -> None:
    settings = Settings(smtp_url="smtp://ada:hunter2@h")
    assert "hunter2" not in f"{settings!r}{settings}{parse_smtp_url(settings.smtp_url or '')}"
    assert settings.environment()["ATRIUM_SMTP_URL"] == "smtp://ada:hunter2@h"


@pytest.mark.parametrize(
    ("text", "name"), [("a@b", ""), ("Atrium <a@b>", "Atrium"), ('"Acme, Inc." <a@b>', "Acme, Inc.")]
)
def test_a_sender_is_an_address_with_or_without_a_name(text: str, name: str) -> None:
    sender = parse_sender(text)
    assert (sender.display_name, sender.addr_spec) == (name, "a@b")


@pytest.mark.parametrize("text", ["", "atrium", "a@b, c@d", "A\nBcc: x <a@b>", "a@b\r\nBcc: e@f", "<a@b> x"])
def test_any_other_sender_is_rejected(text: str) -> None:
    with pytest.raises(ValidationError, match="mail_from"):
        Settings(mail_from=text)
