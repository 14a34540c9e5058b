"""Read the posts of tools to the URL of an incoming webhook.

A post that Slack takes must not be refused, since the tool does not try again. So this reads more than the rest of the
API: forms whose payload is not encoded, and line breaks and tabs inside a JSON string, as shell scripts write them.
"""

import json
from codecs import BOM_UTF8
from typing import Any
from urllib.parse import parse_qs

from msgspec.structs import replace

from atrium.kit.errors import FieldError, InvalidRequest
from atrium.slack.model import SlackMessage, read_attachment, read_message

FORM = "application/x-www-form-urlencoded"
PAYLOAD = "payload="


def read_post(body: bytes) -> SlackMessage:
    """Return the message in a JSON body or in a form's `payload`, with any media type. Raise InvalidRequest."""
    try:
        text = body.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"The body is not UTF-8: {error.reason}") from None
    is_json = text.lstrip().startswith("{") or PAYLOAD not in text
    return _message(text if is_json else _payload(text.strip()))


def _payload(form: str) -> str:
    """Return the payload of a form; its own text if that is not percent-encoded."""
    found = parse_qs(form).get("payload", [""])
    as_typed = form.partition(PAYLOAD)[2]
    return as_typed if as_typed.startswith("{") and not _is_json(found[0]) else found[0]


def _is_json(text: str) -> bool:
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _message(text: str) -> SlackMessage:
    try:
        found: Any = json.loads(text, strict=False, parse_constant=str)
        json.dumps(found, ensure_ascii=False).encode()  # refuses lone surrogates
    except (ValueError, RecursionError) as error:
        detail = str(error) or "nested too deeply"
        raise InvalidRequest(f"The message is not JSON: {detail}", errors=[FieldError(detail, pointer="")]) from None
    if not isinstance(found, dict):
        raise InvalidRequest("The body is not a JSON object.", errors=[FieldError("Expected an object", pointer="")])
    message, own = read_message(found), read_attachment(found)
    return replace(message, attachments=[own, *(message.attachments or [])]) if own else message
