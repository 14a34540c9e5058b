"""Convert the pieces of Slack's rich text to Markdown."""

from collections import Counter
from collections.abc import Iterator

from atrium.slack.escaping import escape, escape_inline
from atrium.slack.model import Json, objects, text_of
from atrium.slack.mrkdwn import Finished, Names, link, storable

UNKNOWN = "\x00"  # in no text
KNOWN = ("rich_text", "rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted", "text",
         "link", "emoji", "user", "channel", "usergroup", "broadcast", "date", "color")  # fmt: skip
MARKS = (("strike", "~~"), ("italic", "_"), ("bold", "**"))


def inline(element: Json, names: Names, skipped: Counter[str]) -> str:
    """Return the Markdown of the pieces of an element. What cannot be converted is counted in `skipped`."""
    finished = Finished()
    text = "".join(_piece(each, names, finished, skipped) for each in objects(element.get("elements")))
    return finished.put_back(escape(text, plain=True, marks=finished.marks))


def plain_text(text: str) -> str:
    """Return the Markdown that shows a text as it is; addresses in it are links."""
    finished = Finished()
    return finished.put_back(escape(finished.hold_urls(storable(text)), plain=True))


def unstyled(element: Json) -> str:
    """Return the text of the pieces of an element, for code."""
    return "".join(text_of(each.get("text")) or text_of(each.get("url")) for each in objects(element.get("elements")))


def literal_texts(block: Json) -> Iterator[str]:
    """Yield the texts and addresses that a block of rich text consists of, in order; UNKNOWN for an unknown piece."""
    waiting = [block]
    while waiting:
        piece = waiting.pop()
        if piece.get("type") not in KNOWN:
            yield UNKNOWN
        yield from filter(None, (text_of(piece.get("url")), text_of(piece.get("text"))))
        waiting += reversed(objects(piece.get("elements")))


def _piece(piece: Json, names: Names, finished: Finished, skipped: Counter[str]) -> str:
    kind, style = piece.get("type"), piece.get("style")
    if kind == "text":
        text = storable(text_of(piece.get("text")))
        is_code = isinstance(style, dict) and style.get("code") is True
        text = _code(text, finished) if is_code and text.strip() else finished.hold_urls(text)
    elif markdown := _reference(piece, names):
        text = finished.hold(storable(markdown))
    else:
        skipped[f"element {kind}" if isinstance(kind, str) else "element"] += 1
        return ""
    return _styled(text, style, finished) if isinstance(style, dict) else text


def _reference(piece: Json, names: Names) -> str:
    """Return the Markdown of anything but text."""

    def value(name: str) -> str:
        return text_of(piece.get(name))

    match piece.get("type"):
        case "link":
            return link(value("url"), escape_inline(value("text")))
        case "emoji":
            tone = value("skin_tone")
            return f":{value('name')}:" + (f":skin-tone-{tone}:" if tone else "")
        case "user":
            return names.mention(value("user_id"))
        case "channel":
            return names.channel(value("channel_id"))
        case "usergroup":
            return escape_inline(f"@{value('usergroup_id')}")
        case "broadcast":
            return escape_inline(f"@{value('range')}")
        case "date":
            return escape_inline(value("fallback") or value("timestamp"))
        case "color":
            return escape_inline(value("value"))
        case _:
            return ""


def _code(text: str, finished: Finished) -> str:
    core = text.strip()
    mark = "``" if "`" in core else "`"
    space = " " if "`" in core else ""
    return text.replace(core, finished.hold(f"{mark}{space}{core}{space}{mark}"), 1)


def _styled(text: str, style: Json, finished: Finished) -> str:
    core = text.strip()
    marks = [mark for name, mark in MARKS if style.get(name) is True] if core else []
    styled = core
    for mark in marks:
        styled = f"{finished.hold(mark)}{styled}{finished.hold(mark)}"
    return text.replace(core, styled, 1) if marks else text
