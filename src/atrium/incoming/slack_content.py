"""Convert a message in Slack's format to a text and blocks."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import msgspec

from atrium.blocks.model import TypedContent
from atrium.incoming.blockkit import MAX_BLOCKS, as_blocks, image, is_url
from atrium.incoming.markdown import link, markdown, truncate
from atrium.incoming.slack import SlackAttachment, SlackField, SlackMessage

MAX_TEXT = 40_000  # characters


class Content(NamedTuple):
    """The content of a message; both fields may be empty."""

    text: str
    blocks: list[TypedContent]


def to_content(message: SlackMessage) -> Content:
    """Return the text followed by each attachment, and Block Kit and images as blocks.

    In Slack, the `text` of a message with `blocks` is only for notifications, so it is dropped.
    """
    attachments = message.attachments or []
    blocks = as_blocks(message.blocks or [])
    first = "" if blocks else markdown(message.text or "")
    passages = [first, *(_passage(each) for each in attachments)]
    blocks += as_blocks(chain.from_iterable(each.blocks or [] for each in attachments))
    blocks += [msgspec.convert(found, TypedContent) for each in attachments for found in _images(each)]
    return Content(truncate("\n\n".join(filter(None, passages)).strip(), MAX_TEXT), blocks[:MAX_BLOCKS])


def _passage(attachment: SlackAttachment) -> str:
    lines = [*_lines(attachment)]
    if not any(lines) and not attachment.blocks and not attachment.image_url:
        lines = [markdown(attachment.fallback or "")]
    return "\n\n".join(filter(None, (line.strip() for line in lines)))


def _lines(attachment: SlackAttachment) -> Iterator[str]:
    yield markdown(attachment.pretext or "")
    yield markdown(attachment.author_name or "")
    if title := " ".join(markdown(attachment.title or "").split()):
        yield f"**{_linked(attachment.title_link, title)}**"
    yield markdown(attachment.text or "")
    yield "\n".join(filter(None, (_field(each) for each in attachment.fields or [])))
    buttons = [each for each in attachment.actions or [] if is_url(each.url)]
    yield " · ".join(_linked(each.url, _as_text(each.text)) for each in buttons)
    footer = " ".join(markdown(attachment.footer or "").split())
    yield f"_{footer}_" if footer else ""


def _field(field: SlackField) -> str:
    title, value = _as_text(field.title).strip(), markdown(_as_text(field.value)).strip()
    return f"- **{title}**: {value}" if title and value else f"- {title or value}" if title or value else ""


def _linked(url: str | None, label: str) -> str:
    return link(url, label) if url and is_url(url) else label


def _as_text(given: str | float | bool | None) -> str:
    return "" if given is None else str(given)


def _images(attachment: SlackAttachment) -> Iterator[dict[str, object]]:
    alt = attachment.title or attachment.fallback or ""
    yield from image(attachment.image_url or attachment.thumb_url, alt)
