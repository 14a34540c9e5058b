"""Convert a message in Slack's format to a text and blocks, for incoming webhooks and for imports."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import msgspec

from atrium.blocks.model import TypedContent
from atrium.slack.blockkit import MAX_BLOCKS, BlockKit, cut, is_url
from atrium.slack.model import Json, SlackAttachment, SlackField, SlackMessage, Text, text_of
from atrium.slack.mrkdwn import link
from atrium.slack.rich_text import literal_texts, plain_text

MAX_TEXT = 40_000  # characters


class Content(NamedTuple):
    """The content of a message; both fields may be empty."""

    text: str
    blocks: list[TypedContent]


def to_content(message: SlackMessage, kit: BlockKit | None = None) -> Content:
    """Return the text, cut to MAX_TEXT, and blocks."""
    text, blocks = convert(message, kit or BlockKit())
    return Content(cut(text.strip(), MAX_TEXT), blocks)


def convert(message: SlackMessage, kit: BlockKit) -> Content:
    """Return the text followed by each attachment, and Block Kit and images as blocks.

    In Slack, the `text` of a message with `blocks` is only for notifications, so it is dropped.
    """
    attachments = [each for each in message.attachments or [] if each]
    blocks = kit.as_blocks(message.blocks or [])
    first = "" if blocks else kit.markdown(text_of(message.text))
    passages = [first, *(_passage(each, kit) for each in attachments)]
    blocks += kit.as_blocks(chain.from_iterable(each.blocks or [] for each in attachments))
    blocks += [msgspec.convert(found, TypedContent) for each in attachments for found in _images(each, kit)]
    if len(blocks) > MAX_BLOCKS:
        kit.skipped["block beyond the first 100"] += len(blocks) - MAX_BLOCKS
    return Content("\n\n".join(filter(None, passages)), blocks[:MAX_BLOCKS])


def without_repetition(message: SlackMessage) -> SlackMessage:
    """Return the message without its blocks if they say nothing that its text does not: what people write in Slack has
    its text in both forms."""
    blocks = [each for each in message.blocks or [] if each]
    text = _compact(text_of(message.text))
    if not blocks or not all(each.get("type") == "rich_text" and _is_in(text, each) for each in blocks):
        return message
    return SlackMessage(message.text, None, message.attachments)


def _is_in(text: str, block: Json) -> bool:
    start = 0
    for piece in map(_compact, literal_texts(block)):
        found = text.find(piece, start)
        if found < 0:
            return False
        start = found + len(piece)
    return True


def _compact(text: str) -> str:
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return "".join(text.split())


def _passage(attachment: SlackAttachment, kit: BlockKit) -> str:
    lines = [*_lines(attachment, kit)]
    if not any(lines) and not attachment.blocks and not attachment.image_url:
        lines = [kit.markdown(text_of(attachment.fallback))]
    return "\n\n".join(filter(None, (line.strip() for line in lines)))


def _lines(attachment: SlackAttachment, kit: BlockKit) -> Iterator[str]:
    yield kit.markdown(text_of(attachment.pretext))
    yield _linked(attachment.author_link, kit.markdown(text_of(attachment.author_name)))
    if title := " ".join(kit.markdown(text_of(attachment.title)).split()):
        yield f"**{_linked(attachment.title_link, title)}**"
    yield kit.markdown(text_of(attachment.text))
    yield "\n".join(filter(None, (_field(each, kit) for each in attachment.fields or [] if each)))
    buttons = [kit.button(text_of(each.text), each.url) for each in attachment.actions or [] if each]
    yield " · ".join(filter(None, buttons))
    footer = " ".join(kit.markdown(text_of(attachment.footer)).split())
    yield f"_{footer}_" if footer else ""


def _field(field: SlackField, kit: BlockKit) -> str:
    title, value = plain_text(text_of(field.title)).strip(), kit.markdown(text_of(field.value)).strip()
    return f"- **{title}**: {value}" if title and value else f"- {title or value}" if title or value else ""


def _linked(url: Text, label: str) -> str:
    return link(str(url), label) if label and is_url(url) else label


def _images(attachment: SlackAttachment, kit: BlockKit) -> Iterator[dict[str, object]]:
    alt = text_of(attachment.title) or text_of(attachment.fallback)
    yield from kit.image(attachment.image_url or attachment.thumb_url, alt)
