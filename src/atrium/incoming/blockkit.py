"""Convert Slack's Block Kit to Atrium's blocks. A block without a counterpart becomes text, an empty one is dropped."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, cast

import msgspec

from atrium.blocks.model import TypedContent
from atrium.incoming.markdown import link, markdown, truncate
from atrium.incoming.slack import Json
from atrium.kit.text.types import WebLink

MAX_BLOCKS, MAX_LINE, MAX_PASSAGE, MAX_ITEMS = 100, 2000, 40_000, 500  # blocks, characters, characters, items
MARKS = (("code", "`"), ("strike", "~~"), ("italic", "_"), ("bold", "**"))


def as_blocks(blocks: Iterable[Json]) -> list[TypedContent]:
    """Return Atrium's blocks, at most MAX_BLOCKS."""
    found = chain.from_iterable(_block(each) for each in blocks)
    return [msgspec.convert(each, TypedContent) for each, _ in zip(found, range(MAX_BLOCKS), strict=False)]


def image(url: Any, alt: str = "", caption: str = "") -> Iterator[Json]:
    """Yield an image block if the URL is valid."""
    if is_url(url):
        yield _typed("image", url=url, alt=truncate(_line(alt), MAX_LINE), caption=truncate(_line(caption), MAX_LINE))


def is_url(url: Any) -> bool:
    """Return whether a page may link to the URL."""
    try:
        msgspec.convert(url, WebLink)
    except msgspec.ValidationError:
        return False
    return True


def _typed(kind: str, **content: Any) -> Json:
    return {"type": kind, "content": content}


def _paragraph(text: str) -> Iterator[Json]:
    if text.strip():
        yield _typed("paragraph", text=truncate(text, MAX_PASSAGE))


def _line(text: str) -> str:
    return " ".join(text.split())


def _block(block: Json) -> Iterator[Json]:
    kind = block.get("type")
    return BLOCKS[kind](block) if isinstance(kind, str) and kind in BLOCKS else iter(())


def _header(block: Json) -> Iterator[Json]:
    if text := _line(_text(block.get("text"))):
        yield _typed("heading", text=truncate(text, MAX_LINE), level=2)


def _section(block: Json) -> Iterator[Json]:
    fields = [_text(each) for each in _list(block.get("fields"))]
    yield from _paragraph("\n\n".join(each for each in [_text(block.get("text")), *fields] if each))
    accessory = _dict(block.get("accessory"))
    if accessory.get("type") == "image":
        yield from image(accessory.get("image_url"), str(accessory.get("alt_text") or ""))
    else:
        yield from _paragraph(_button(accessory))


def _divider(_: Json) -> Iterator[Json]:
    yield _typed("divider")


def _image(block: Json) -> Iterator[Json]:
    yield from image(block.get("image_url"), str(block.get("alt_text") or ""), _text(block.get("title")))


def _context(block: Json) -> Iterator[Json]:
    elements = [_dict(each) for each in _list(block.get("elements"))]
    yield from _paragraph(" · ".join(filter(None, (_text(each) for each in elements))))


def _actions(block: Json) -> Iterator[Json]:
    yield from _paragraph(" · ".join(filter(None, (_button(_dict(each)) for each in _list(block.get("elements"))))))


def _markdown(block: Json) -> Iterator[Json]:
    yield from _paragraph(str(block.get("text") or ""))


def _rich_text(block: Json) -> Iterator[Json]:
    for each in map(_dict, _list(block.get("elements"))):
        match each.get("type"):
            case "rich_text_list":
                items = [truncate(_line(_inline(_dict(item))), MAX_LINE) for item in _list(each.get("elements"))]
                yield _typed("list", items=items[:MAX_ITEMS], ordered=each.get("style") == "ordered")
            case "rich_text_preformatted":
                yield _typed("code", text=truncate(_inline(each, plain=True), MAX_PASSAGE))
            case "rich_text_quote":
                yield _typed("quote", text=truncate(_inline(each), MAX_PASSAGE))
            case "rich_text_section":
                yield from _paragraph(_inline(each))


def _inline(element: Json, *, plain: bool = False) -> str:
    return "".join(_piece(_dict(each), plain=plain) for each in _list(element.get("elements")))


def _piece(piece: Json, *, plain: bool) -> str:
    match piece.get("type"):
        case "text":
            text = str(piece.get("text") or "")
        case "link":
            text = link(str(piece.get("url") or ""), str(piece.get("text") or ""))
        case "emoji":
            text = f":{piece.get('name')}:"
        case "user" | "usergroup" | "channel":
            text = f"@{next((piece[key] for key in ('user_id', 'usergroup_id', 'channel_id') if key in piece), '')}"
        case "broadcast":
            text = f"@{piece.get('range')}"
        case _:
            return ""
    style, core = _dict(piece.get("style")), text.strip()
    marks = [] if plain or not core else [mark for name, mark in MARKS if style.get(name) is True]
    for mark in marks:
        core = f"{mark}{core}{mark}"
    return text.replace(text.strip(), core, 1) if marks else text


def _text(given: Any) -> str:
    """Return the Markdown of a text object, which is mrkdwn unless it is plain text."""
    holder = {"text": given} if isinstance(given, str) else _dict(given)
    text = holder.get("text")
    if not isinstance(text, str):
        return ""
    return text if holder.get("type") == "plain_text" else markdown(text)


def _button(element: Json) -> str:
    return link(element["url"], _text(element.get("text"))) if is_url(element.get("url")) else ""


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _dict(given: Any) -> Json:
    return cast("Json", given) if isinstance(given, dict) else {}


BLOCKS: dict[str, Callable[[Json], Iterator[Json]]] = {
    "header": _header, "section": _section, "divider": _divider, "image": _image, "context": _context,
    "actions": _actions, "markdown": _markdown, "rich_text": _rich_text,
}  # fmt: skip
