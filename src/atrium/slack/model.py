"""The types of a message in Slack's format, and how one is read from JSON.

Tools send what Slack takes, so nothing is refused for the type of one of its parts: numbers and booleans are texts, and
what cannot be read is left out.
"""

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias, cast

from msgspec import Meta, Struct

Text: TypeAlias = str | int | float | bool | None
Json: TypeAlias = dict[str, Any]


class SlackField(Struct, frozen=True):
    """A line of an attachment."""

    title: Text = None
    value: Text = None


class SlackAction(Struct, frozen=True):
    """A button. It does nothing in Atrium, but its URL is shown."""

    text: Text = None
    url: Text = None


class SlackAttachment(Struct, frozen=True):
    """An attachment, as Grafana, Alertmanager and other tools send it."""

    pretext: Text = None
    title: Text = None
    title_link: Text = None
    author_name: Text = None
    author_link: Text = None
    text: Text = None
    fallback: Text = None
    fields: Sequence[SlackField | None] | None = None
    actions: Sequence[SlackAction | None] | None = None
    blocks: Sequence[Json | None] | None = None
    image_url: Text = None
    thumb_url: Text = None
    footer: Text = None


class SlackMessage(Struct, frozen=True):
    """A message in Slack's format. Unknown fields are ignored."""

    text: Annotated[Text, Meta(description="mrkdwn", examples=["Disk *full* on <https://example.org|db1>"])] = None
    blocks: Sequence[Json | None] | None = None
    attachments: Sequence[SlackAttachment | None] | None = None


ATTACHMENT_TEXTS = ("pretext", "title", "title_link", "author_name", "author_link", "text", "fallback", "image_url",
                    "thumb_url", "footer")  # fmt: skip


def text_of(given: Any) -> str:
    """Return a text, number or boolean as text, and that of a text object; nothing for anything else."""
    if isinstance(given, dict):
        given = given.get("text")
    return str(given) if isinstance(given, str | int | float) else ""


def read_message(entry: Json) -> SlackMessage:
    """Return the message in a JSON object. What is not of its type is left out."""
    attachments = [_attachment(each) for each in objects(entry.get("attachments"))]
    return SlackMessage(_text(entry, "text"), objects(entry.get("blocks")) or None, attachments or None)


def _attachment(entry: Json) -> SlackAttachment:
    texts = {name: _text(entry, name) for name in ATTACHMENT_TEXTS}
    fields = [SlackField(_text(each, "title"), _text(each, "value")) for each in objects(entry.get("fields"))]
    actions = [SlackAction(_text(each, "text"), _text(each, "url")) for each in objects(entry.get("actions"))]
    blocks = objects(entry.get("blocks"))
    return SlackAttachment(**texts, fields=fields or None, actions=actions or None, blocks=blocks or None)


def read_attachment(entry: Json) -> SlackAttachment | None:
    """Return the attachment whose parts stand at the top level of a message, which Slack takes too. The text and the
    blocks there are those of the message, and a fallback is for messages without a text."""
    others = {"text": None, "blocks": None} | ({"fallback": None} if entry.get("text") else {})
    found = _attachment(entry | others)
    return None if found == SlackAttachment() else found


def objects(given: Any) -> list[Json]:
    """Return the objects in a list; nothing if it is none."""
    return [cast("Json", each) for each in given if isinstance(each, dict)] if isinstance(given, list) else []


def _text(entry: Json, name: str) -> str | None:
    return text_of(entry.get(name)) or None
