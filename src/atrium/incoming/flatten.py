"""A message of Slack's format as a message of ours: a text and blocks."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import msgspec

from atrium.blocks.model import TypedContent
from atrium.incoming.blockkit import MOST_BLOCKS, as_blocks, image, is_address
from atrium.incoming.marks import clipped, link, markdown
from atrium.incoming.slack import SlackAttachment, SlackField, SlackMessage

MOST_TEXT = 40_000


class Content(NamedTuple):
    """The content of a message; both fields may be empty."""

    text: str
    blocks: list[TypedContent]


def flattened(message: SlackMessage) -> Content:
    """The text, then each attachment as a passage of it; Block Kit and pictures as blocks.

    As Slack has it, `text` beside `blocks` is what a notification shows: where the blocks say something, it goes.
    """
    attachments = message.attachments or []
    blocks = as_blocks(message.blocks or [])
    first = "" if blocks else markdown(message.text or "")
    passages = [first, *(_passage(each) for each in attachments)]
    blocks += as_blocks(chain.from_iterable(each.blocks or [] for each in attachments))
    blocks += [msgspec.convert(found, TypedContent) for each in attachments for found in _pictures(each)]
    return Content(clipped("\n\n".join(filter(None, passages)).strip(), MOST_TEXT), blocks[:MOST_BLOCKS])


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
    buttons = [each for each in attachment.actions or [] if is_address(each.url)]
    yield " · ".join(_linked(each.url, _shown(each.text)) for each in buttons)
    footer = " ".join(markdown(attachment.footer or "").split())
    yield f"_{footer}_" if footer else ""


def _field(field: SlackField) -> str:
    title, value = _shown(field.title).strip(), markdown(_shown(field.value)).strip()
    return f"- **{title}**: {value}" if title and value else f"- {title or value}" if title or value else ""


def _linked(url: str | None, label: str) -> str:
    return link(url, label) if url and is_address(url) else label


def _shown(given: str | float | bool | None) -> str:
    return "" if given is None else str(given)


def _pictures(attachment: SlackAttachment) -> Iterator[dict[str, object]]:
    alt = attachment.title or attachment.fallback or ""
    yield from image(attachment.image_url or attachment.thumb_url, alt)
