"""Convert Slack's texts to Markdown."""

import re

from atrium.imports.mrkdwn import Names, to_markdown
from atrium.messages.model import mentions_in

ELLIPSIS = "…"
BRACKETS = re.compile(r"([\[\]\\])")


def markdown(mrkdwn: str) -> str:
    """Return the Markdown of a text in mrkdwn. `<@id>` with the id of an actor stays a mention."""
    own = {str(actor): actor for actor in mentions_in(mrkdwn)}
    return to_markdown(mrkdwn, Names(own, {}))


def link(url: str, label: str) -> str:
    """Return a Markdown link with its label, or the URL alone without one."""
    text = " ".join(label.split())
    if not url or not text or text == url:
        return text or url
    target = f"<{url}>" if re.search(r"[()\s]", url) else url
    escaped = BRACKETS.sub(r"\\\1", text)
    return f"[{escaped}]({target})"


def truncate(text: str, max_length: int) -> str:
    """Return the text, cut to `max_length` characters with an ellipsis, and with NUL characters replaced."""
    valid = text.replace("\x00", "\ufffd")
    return valid if len(valid) <= max_length else valid[: max_length - len(ELLIPSIS)] + ELLIPSIS
