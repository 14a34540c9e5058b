"""A message as Slack's incoming webhooks take it. What is not named here is let pass: tools send much that is Slack's
alone (channels, icons, colors)."""

from typing import Annotated, Any, TypeAlias
from urllib.parse import parse_qs

from msgspec import Meta, Struct

from atrium.kit.decoding import decode_body
from atrium.kit.errors import InvalidRequest

FORM = "application/x-www-form-urlencoded"
Text: TypeAlias = str | None
Shown: TypeAlias = str | int | float | bool | None
Json: TypeAlias = dict[str, Any]


class SlackField(Struct, frozen=True):
    """A line of an attachment."""

    title: Shown = None
    value: Shown = None


class SlackAction(Struct, frozen=True):
    """A button; it does nothing here, but its address is shown."""

    text: Shown = None
    url: Text = None


class SlackAttachment(Struct, frozen=True):
    """A piece set apart, as Grafana, Alertmanager and others send it."""

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
    """A message in Slack's format; fields that are not named here are let pass."""

    text: Annotated[Text, Meta(description="mrkdwn", examples=["Disk *full* on <https://example.org|db1>"])] = None
    blocks: list[Json] | None = None
    attachments: list[SlackAttachment] | None = None


def read_form(body: bytes) -> SlackMessage:
    """The message in a form's `payload`; JSON that was posted without saying so is taken too. Raises InvalidRequest."""
    if body.lstrip().startswith(b"{"):
        return decode_body(body, SlackMessage)
    try:
        payload = parse_qs(body.decode("ascii")).get("payload", [])
    except (UnicodeDecodeError, ValueError):
        payload = []
    if not payload:
        raise InvalidRequest("The form has no field payload that holds the message as JSON.")
    return decode_body(payload[0].encode("utf-8", "surrogatepass"), SlackMessage)
