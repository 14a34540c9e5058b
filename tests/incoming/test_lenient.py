"""Payloads that Slack accepts are accepted: a rejected alert is lost."""

from typing import Any

import httpx
import pytest

from tests.conftest import TLS, Api
from tests.incoming.hooks import messages, new_hook

FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.mark.contract("Client, agents and incoming webhooks 17")
@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (
            {"attachments": [{"pretext": "p", "fields": [{"title": "Source", "value": "x"}, None]}]},
            "p\n\n- **Source**: x",
        ),
        (
            {"attachments": [{"title": 5, "text": True, "footer": 1.5, "fields": {}, "actions": "x"}, None, "y"]},
            "**5**\n\nTrue\n\n_1.5_",
        ),
        ({"text": 5}, "5"),
        ({"text": {"type": "mrkdwn", "text": "*b*"}}, "**b**"),
        ({"text": "t", "attachments": "x", "blocks": [None, 7, {"type": None}]}, "t"),
        ({"text": "t", "attachments": {}, "blocks": {}, "channel": 7}, "t"),
        ({"fallback": "f", "fields": [{"title": "a", "value": 1}]}, "- **a**: 1"),
        ({"fallback": "only"}, "only"),
        ({"text": "t", "fallback": "not again", "fields": [{"value": "v"}]}, "- v\n\nt"),
        ({"attachments": [{"text": "src/*.py, test/*.py"}]}, r"src/\*.py, test/*.py"),
    ],
)
def test_parts_of_other_types_are_read_or_left_out(api: Api, payload: Any, text: str) -> None:
    answer = httpx.post(new_hook(api)["url"], json=payload, timeout=30, verify=TLS)
    assert (answer.status_code, answer.text) == (200, "ok")
    assert sorted(messages(api)[0]["text"].split("\n\n")) == sorted(text.split("\n\n"))


@pytest.mark.contract("Client, agents and incoming webhooks 17")
@pytest.mark.parametrize(
    ("body", "headers", "text"),
    [
        (b'{"text":"a\nb\tc"}', {}, "a\nb\tc"),
        (b'{"text":"a\r\nb"}', FORM, "a\nb"),
        ('payload={"text":"größe"}'.encode(), FORM, "größe"),
        (b'payload={"text":"a & b = 100%; a"}', FORM, "a & b = 100%; a"),
        (b'payload={"text":"a\nb"}', FORM, "a\nb"),
        (b'{"text":"payload=x"}', FORM, "payload=x"),
        (b"payload=%7B%22text%22%3A%22gr%C3%B6%C3%9Fe+a%22%7D", {"content-type": "application/json"}, "größe a"),
        (b"\xef\xbb\xbf" + b'{"text":"marked"}', {}, "marked"),
    ],
)
def test_bodies_as_scripts_write_them_are_read(api: Api, body: bytes, headers: dict[str, str], text: str) -> None:
    answer = httpx.post(new_hook(api)["url"], content=body, headers=headers, timeout=30, verify=TLS)
    assert (answer.status_code, answer.text) == (200, "ok")
    assert messages(api)[0]["text"] == text
