"""Durations and settings: a process reads what the operator wrote, or rejects it by name."""

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from atrium.kit.settings import LOOPBACK, Settings, duration


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("10d", timedelta(days=10)),
        ("90m", timedelta(minutes=90)),
        ("1h30m", timedelta(minutes=90)),
        ("250ms", timedelta(milliseconds=250)),
        ("1m5s250ms", timedelta(seconds=65.25)),
        ("30s", timedelta(seconds=30)),
    ],
)
def test_a_duration_is_written_as_numbers_with_units(text: str, length: timedelta) -> None:
    assert duration(text) == length


@pytest.mark.parametrize("text", ["", "10", "d", "10 d", "-1d", "1.5h", "1d ", "1w", "1D", "1h30", "99999999999d"])
def test_any_other_duration_is_rejected(text: str) -> None:
    with pytest.raises(ValueError):
        duration(text)


@given(st.text(alphabet="0123456789 msdh.-", max_size=20))
def test_any_text_is_a_duration_or_raises_value_error(text: str) -> None:
    with suppress(ValueError):
        assert duration(text) >= timedelta(0)


@pytest.mark.parametrize("window", ["0s", "0d", "0ms", "99999999999d", "ten days"])
def test_an_invalid_history_window_is_rejected(monkeypatch: pytest.MonkeyPatch, window: str) -> None:
    monkeypatch.setenv("ATRIUM_HISTORY_WINDOW", window)
    with pytest.raises(ValidationError, match="history_window"):
        Settings()


@given(st.integers(1, 3_000_000_000_000))
def test_another_process_reads_the_same_window(ms: int) -> None:
    settings = Settings(history_window=timedelta(milliseconds=ms))
    assert settings.window_ms == ms
    assert duration(settings.environment()["ATRIUM_HISTORY_WINDOW"]) == settings.history_window


def test_another_process_reads_the_same_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(history_window=timedelta(seconds=90), workers=3, port=1234, rate_limit=0, web_application=False)
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    assert Settings() == settings


def test_changes_are_validated_like_the_environment() -> None:
    with pytest.raises(ValidationError, match="workers"):
        Settings().with_changes(workers=0)


@pytest.mark.contract("Webhook details 16")
@pytest.mark.parametrize(
    ("changes", "is_allowed"),
    [
        ({}, True),
        ({"host": "localhost"}, True),
        ({"host": "::1"}, True),
        ({"host": "0.0.0.0"}, False),
        ({"public_url": "https://chat.example.org"}, False),
        ({"public_url": "http://127.0.0.1:8700"}, False),
        ({"trusted_proxies": ("127.0.0.1/32",)}, False),
    ],
)
def test_loopback_is_allowed_only_if_the_server_is_not_public(changes: dict[str, object], is_allowed: bool) -> None:
    settings = Settings().with_changes(webhook_allow_networks=("10.0.0.0/8",), **changes)
    assert set(LOOPBACK) <= set(settings.allowed_networks) if is_allowed else len(settings.allowed_networks) == 1
