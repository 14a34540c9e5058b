"""The message format of Slack's incoming webhooks. Unknown fields are ignored: tools send many that only Slack uses
(channels, icons, colors)."""

from typing import Annotated, Any, TypeAlias
from urllib.parse import parse_qs

from msgspec import Meta, Struct

from atrium.kit.errors import InvalidRequest
from atrium.kit.http.decoding import decode_body

FORM = "application/x-www-form-urlencoded"
Text: TypeAlias = str | None
Scalar: TypeAlias = str | int | float | bool | None
Json: TypeAlias = dict[str, Any]


class SlackField(Struct, frozen=True):
    """A line of an attachment."""

    title: Scalar = None
    value: Scalar = None


class SlackAction(Struct, frozen=True):
    """A button. It does nothing in Atrium, but its URL is shown."""

    text: Scalar = None
    url: Text = None


class SlackAttachment(Struct, frozen=True):
    """An attachment, as Grafana, Alertmanager and other tools send it."""

    pretext: Text = None
    title: Text = None
    title_link: Text = None
    author_name: Text = None
    text: Text = None
    fallback: Text = None
    fields: list[SlackField] | None = None
    actions: list[SlackAction] | None = None
    blocks: list[Json] | None = None
    image_url: Text = None
    thumb_url: Text = None
    footer: Text = None


class SlackMessage(Struct, frozen=True):
    """A message in Slack's format. Unknown fields are ignored."""

    text: Annotated[Text, Meta(description="mrkdwn", examples=["Disk *full* on <https://example.org|db1>"])] = None
    blocks: list[Json] | None = None
    attachments: list[SlackAttachment] | None = None


def read_form(body: bytes) -> SlackMessage:
    """Return the message in a form's `payload`. JSON with the content type of a form is accepted too. Raise
    InvalidRequest."""
    if body.lstrip().startswith(b"{"):
        return decode_body(body, SlackMessage)
    try:
        payload = parse_qs(body.decode("ascii")).get("payload", [])
    except (UnicodeDecodeError, ValueError):
        payload = []
    if not payload:
        raise InvalidRequest("The form has no field `payload` with the message as JSON.")
    return decode_body(payload[0].encode("utf-8", "surrogatepass"), SlackMessage)
