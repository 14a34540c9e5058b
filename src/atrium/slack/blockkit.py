"""Convert Slack's Block Kit to Atrium's blocks. A block without a counterpart becomes text, an empty one is dropped;
what cannot be converted is counted by its type."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import msgspec

from atrium.blocks.model import TypedContent
from atrium.kit.text.types import WebLink
from atrium.messages.model import mentions_in
from atrium.slack.escaping import escape_inline
from atrium.slack.model import Json, objects, text_of
from atrium.slack.mrkdwn import Names, link, storable, to_markdown
from atrium.slack.rich_text import inline, plain_text, unstyled

MAX_BLOCKS, MAX_LINE, MAX_PASSAGE, MAX_ITEMS = 100, 2000, 40_000, 500  # blocks, characters, characters, items
MAX_ROWS, MAX_CELLS = 100, 20  # of a table, as in Slack: each row is as wide as the widest
ELLIPSIS = "…"
UNKNOWN = Names({}, {})


@dataclass(frozen=True)
class BlockKit:
    """A conversion: the names that texts refer to (of actors by their ids, if there are none), and what is skipped."""

    names: Names | None = None
    skipped: Counter[str] = field(default_factory=Counter)

    def markdown(self, mrkdwn: str) -> str:
        """Return the Markdown of a text in mrkdwn. `<@id>` with the id of an actor stays a mention."""
        names = self.names or Names({str(actor): actor for actor in mentions_in(mrkdwn)}, {})
        return to_markdown(mrkdwn, names)

    def as_blocks(self, blocks: Iterable[Json | None]) -> list[TypedContent]:
        """Return Atrium's blocks, at most MAX_BLOCKS."""
        found = list(chain.from_iterable(self._block(each) for each in blocks if each))
        if len(found) > MAX_BLOCKS:
            self.skipped["block beyond the first 100"] += len(found) - MAX_BLOCKS
        return [msgspec.convert(each, TypedContent) for each in found[:MAX_BLOCKS]]

    def image(self, url: Any, alt: str = "", caption: str = "") -> Iterator[Json]:
        """Yield an image block if the URL is valid."""
        if is_url(url):
            yield _typed("image", url=url, alt=cut(_line(alt), MAX_LINE), caption=cut(_line(caption), MAX_LINE))
        elif url:
            self.skipped["image"] += 1

    def button(self, label: str, url: Any) -> str:
        """Return the link of a button; one without a URL does nothing here."""
        if is_url(url):
            return link(url, escape_inline(storable(label)))
        self.skipped["button"] += 1
        return ""

    def _block(self, block: Json) -> Iterator[Json]:
        match block.get("type"):
            case "header":
                return self._header(block)
            case "section":
                return self._section(block)
            case "divider":
                return iter([_typed("divider")])
            case "image":
                return self.image(block.get("image_url"), text_of(block.get("alt_text")), text_of(block.get("title")))
            case "context":
                return self._context(block)
            case "actions":
                return self._actions(block)
            case "markdown":
                return _paragraph(text_of(block.get("text")))
            case "table":
                return self._table(block)
            case "rich_text":
                return self._rich_text(block)
            case kind:
                self.skipped[f"block {kind}" if isinstance(kind, str) else "block"] += 1
                return iter(())

    def _header(self, block: Json) -> Iterator[Json]:
        if text := _line(self._text(block.get("text"))):
            yield _typed("heading", text=cut(text, MAX_LINE), level=2)

    def _section(self, block: Json) -> Iterator[Json]:
        given = block.get("fields")
        fields = [self._text(each) for each in given] if isinstance(given, list) else []
        yield from _paragraph("\n\n".join(filter(None, [self._text(block.get("text")), *fields])))
        if isinstance(accessory := block.get("accessory"), dict):
            yield from self._accessory(accessory)

    def _accessory(self, element: Json) -> Iterator[Json]:
        if element.get("type") == "image":
            return self.image(element.get("image_url"), text_of(element.get("alt_text")))
        return _paragraph(self._element(element))

    def _context(self, block: Json) -> Iterator[Json]:
        yield from _paragraph(" · ".join(filter(None, map(self._context_element, objects(block.get("elements"))))))

    def _context_element(self, element: Json) -> str:
        if element.get("type") != "image":
            return self._text(element)
        url, alt = element.get("image_url"), escape_inline(storable(text_of(element.get("alt_text"))))
        return link(str(url), alt) if is_url(url) else alt

    def _actions(self, block: Json) -> Iterator[Json]:
        yield from _paragraph(" · ".join(filter(None, map(self._element, objects(block.get("elements"))))))

    def _element(self, element: Json) -> str:
        kind = element.get("type")
        if kind == "button" or is_url(element.get("url")):
            return self.button(text_of(element.get("text")), element.get("url"))
        self.skipped[f"element {kind}" if isinstance(kind, str) else "element"] += 1
        return ""

    def _table(self, block: Json) -> Iterator[Json]:
        given = block.get("rows")
        lists = [row for row in given if isinstance(row, list)] if isinstance(given, list) else []
        if len(lists) > MAX_ROWS or any(len(row) > MAX_CELLS for row in lists):
            self.skipped["cell beyond 100 rows or 20 columns of a table"] += 1
        rows = [[self._cell(cell) for cell in objects(row[:MAX_CELLS])] for row in lists[:MAX_ROWS]]
        if not rows:
            return
        width = max(map(len, rows))
        lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
        yield from _paragraph("\n".join([lines[0], f"|{'---|' * width}", *lines[1:]]))

    def _cell(self, cell: Json) -> str:
        if cell.get("type") == "rich_text":
            text = " ".join(map(self._inline, objects(cell.get("elements"))))
        else:
            text = plain_text(text_of(cell))
        return re.sub(r"(?<!\\)\|", r"\|", _line(text))

    def _rich_text(self, block: Json) -> Iterator[Json]:
        for each in objects(block.get("elements")):
            match each.get("type"):
                case "rich_text_list":
                    items = [cut(_line(self._inline(item)), MAX_LINE) for item in objects(each.get("elements"))]
                    if len(items) > MAX_ITEMS:
                        self.skipped["item beyond the first 500 of a list"] += len(items) - MAX_ITEMS
                    yield _typed("list", items=items[:MAX_ITEMS], ordered=each.get("style") == "ordered")
                case "rich_text_preformatted":
                    yield _typed("code", text=cut(unstyled(each), MAX_PASSAGE))
                case "rich_text_quote":
                    yield _typed("quote", text=cut(self._inline(each), MAX_PASSAGE))
                case "rich_text_section":
                    yield from _paragraph(self._inline(each))
                case kind:
                    self.skipped[f"element {kind}" if isinstance(kind, str) else "element"] += 1

    def _inline(self, element: Json) -> str:
        return inline(element, self.names or UNKNOWN, self.skipped)

    def _text(self, given: Any) -> str:
        """Return the Markdown of a text object, which is mrkdwn unless it is plain text."""
        is_plain = isinstance(given, dict) and given.get("type") == "plain_text"
        return plain_text(text_of(given)) if is_plain else self.markdown(text_of(given))


def is_url(url: Any) -> bool:
    """Return whether a page may link to the URL."""
    try:
        msgspec.convert(url, WebLink)
    except msgspec.ValidationError:
        return False
    return bool(storable(url) == url)


def cut(text: str, max_length: int) -> str:
    """Return the text, cut to `max_length` characters with an ellipsis, without characters that cannot be stored."""
    valid = storable(text)
    return valid if len(valid) <= max_length else valid[: max_length - len(ELLIPSIS)] + ELLIPSIS


def _typed(kind: str, **content: Any) -> Json:
    return {"type": kind, "content": content}


def _paragraph(text: str) -> Iterator[Json]:
    if text.strip():
        yield _typed("paragraph", text=cut(text, MAX_PASSAGE))


def _line(text: str) -> str:
    return " ".join(text.split())
