"""Mail is sent once, and survives every fault of the mail server."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult

from atrium.kit.mail.queue import (
    CLAIM_DURATION,
    RETRY_DELAYS,
    StoredMail,
    next_attempt,
    send_due_mail,
)
from tests.conftest import free_port
from tests.kit.mail.mailbox import NOW, PASSWORD, PASSWORD_IN_URL, SENDER, Mailbox, Run, put, smtp_server, stored_mails

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")  # it is loopback


@pytest.mark.parametrize(
    ("to", "error"), [("nobody@example.org", "550 5.1.1 no such user"), ("spam@example.org", "554 5.7.1 not wanted")]
)
def test_a_permanent_rejection_is_not_retried(run: Run, smtp: str, mailbox: Mailbox, to: str, error: str) -> None:
    async def steps(pool: Any) -> dict[str, StoredMail]:
        await put(pool, to)
        await put(pool)
        assert await send_due_mail(pool, smtp, SENDER, NOW) == 1
        assert await send_due_mail(pool, smtp, SENDER, NOW + timedelta(days=2)) == 0
        return await stored_mails(pool)

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
        waiting = (await stored_mails(pool))["ada@example.org"]
        assert await send_due_mail(pool, smtp, SENDER, NOW + timedelta(seconds=61)) == 1
        return waiting

    waiting = run(steps)
    assert (waiting.state, waiting.last_error, waiting.attempts) == ("waiting", "451 4.3.0 try again later", 1)
    assert (waiting.next_attempt_at or "").startswith("2026-11-21T09:01:00")


@pytest.mark.contract("Webhook details 26")
def test_a_server_that_comes_back_receives_all_mail(run: Run, mailbox: Mailbox) -> None:
    port = free_port()

    async def steps(pool: Any) -> None:
        for number in range(25):
            await put(pool, f"p{number}@example.org")
        for _ in range(3):  # nothing listens; one batch at a time
            assert await send_due_mail(pool, f"smtp://127.0.0.1:{port}", SENDER, NOW) == 0
        found = await stored_mails(pool)
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
        found = await stored_mails(pool)
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
        return (await stored_mails(pool))["ada@example.org"]

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
        return (await stored_mails(pool))["ada@example.org"]

    found = run(steps)
    output = "".join(capfd.readouterr())
    assert (found.state, found.last_error) == ("waiting", "535 the mail server rejected the username or password")
    assert "rejected the username or password" in output
    assert "hunter2" not in output + str(found)


def test_with_required_encryption_nothing_is_sent_in_the_clear(run: Run, smtp: str, mailbox: Mailbox) -> None:
    async def steps(pool: Any) -> str:
        await put(pool)
        assert await send_due_mail(pool, f"{smtp}?starttls=true", SENDER, NOW) == 0
        return (await stored_mails(pool))["ada@example.org"].state

    assert run(steps) == "waiting"
    assert mailbox.taken == []
