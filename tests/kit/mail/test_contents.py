"""Mail is stored with the change it reports, and arrives as it was written, at one address."""

import email
import email.policy
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.kit.mail.queue import (
    ClaimedMail,
    StoredMail,
    delete_old_mail,
    enqueue_mail,
    list_mail,
    message_of,
    read_mail,
    send_due_mail,
)
from tests.kit.mail.mailbox import NOW, SENDER, Mailbox, Run, put, stored_mails


@pytest.mark.contract("Webhook details 26")
def test_a_mail_arrives_as_it_was_written(run: Run, smtp: str, mailbox: Mailbox) -> None:
    text = "Grüße 👋\n.\n..two dots\n" + "long " * 400 + "\nend"

    async def steps(pool: Any) -> StoredMail:
        await put(pool, "ada@example.org", "Räume — 部屋", text)
        assert await send_due_mail(pool, smtp, SENDER, NOW) == 1
        return (await stored_mails(pool))["ada@example.org"]

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
    assert (shown.state, shown.attempts, shown.last_error) == ("sent", 1, None)
    assert shown.sent_at is not None
    assert shown.sent_at.startswith("2026-11-21T09:0"), "the time of the clock, and how long it took"


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
        return await stored_mails(pool)

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
            "Message-ID",
            "Date",
            "From",
            "To",
            "Subject",
            "Auto-Submitted",
            "Content-Type",
            "Content-Transfer-Encoding",
            "MIME-Version",
        }


def test_mail_older_than_30_days_is_deleted(run: Run) -> None:
    async def steps(pool: Any) -> set[str]:
        await put(pool, "old@example.org", now=NOW - timedelta(days=30, seconds=1))
        await put(pool, "new@example.org", now=NOW - timedelta(days=29))
        await delete_old_mail(pool, NOW)
        return set(await stored_mails(pool))

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
