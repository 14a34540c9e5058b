"""The settings accept valid mail servers and senders only."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from atrium.kit.mail.smtp import SmtpServer, parse_sender, parse_smtp_url
from atrium.kit.settings import Settings
from tests.kit.mail.mailbox import PASSWORD, PASSWORD_IN_URL


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
)
def test_a_mail_server_is_configured_with_a_url(url: str, server: SmtpServer) -> None:
    assert parse_smtp_url(url) == server


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:25",
        "http://h",
        "smtp://",
        "smtp://:25",
        "smtp://h:port",
        "smtp://h:99999",
        "smtp://h:0",
        "smtp://ada@h",
        "smtp://ada:hunter2/x@h",
        "smtp://ada:hunter2#x@h",
        "smtp://ada:hunter2?x@h",
        "smtp://h/path",
        "smtp://h?starttls=maybe",
        "smtp://h?tls=true",
        "smtps://h?starttls=true",
        "smtp://ada:hunter2@[h",
        "smtp://h#x",
    ],
)
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
