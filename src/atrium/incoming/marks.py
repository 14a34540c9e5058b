"""Texts of Slack as Markdown."""

import re

from atrium.imports.mrkdwn import Names, to_markdown
from atrium.messages.model import mentions_in

CUT = "…"
BRACKETS = re.compile(r"([\[\]\\])")


def markdown(mrkdwn: str) -> str:
    """Markdown of a text in mrkdwn; `<@id>` of one of our own actors stays a mention."""
    own = {str(actor): actor for actor in mentions_in(mrkdwn)}
    return to_markdown(mrkdwn, Names(own, {}))


def link(url: str, label: str) -> str:
    """A link in Markdown, under its label; the address alone where there is none."""
    shown = " ".join(label.split())
    if not url or not shown or shown == url:
        return shown or url
    target = f"<{url}>" if re.search(r"[()\s]", url) else url
    escaped = BRACKETS.sub(r"\\\1", shown)
    return f"[{escaped}]({target})"


def clipped(text: str, most: int) -> str:
    """The text within its bound, without the character that no text may hold; an ellipsis tells of what is cut off."""
    kept = text.replace("\x00", "\ufffd")
    return kept if len(kept) <= most else kept[: most - len(CUT)] + CUT
