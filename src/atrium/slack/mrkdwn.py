"""Convert Slack's mrkdwn to Markdown.

What is Markdown in the result (code, links, mentions, marks of emphasis) is put behind placeholders, so that the
rest can be escaped.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from uuid import UUID

from atrium.kit.text.types import ActorId
from atrium.slack.escaping import escape, escape_inline, escape_label

CODE = re.compile(r"```(?!`)(?P<block>.+?)(?<!`)```|(?<!`)`(?P<span>[^`\n]+)`(?!`)", re.DOTALL)
ANGLE = re.compile(r"<(?P<target>[@#!][^<>|\n]*|[A-Za-z][A-Za-z0-9+.-]*:[^<>|\n]*)(?:\|(?P<label>[^<>\n]*))?>")
URL = re.compile(r"\bhttps?://[A-Za-z0-9.:-]+(?:[/?#][^\s<>\x00]*)?(?<![.,:;!?'\"*_~)\]}])")
OPENS, CLOSES = r"(?<![^\W_])(?<![%s/\\])%s(?=[^\s%s])", r"(?<=\S)%s(?=$|[\s.,;:!?)\]}'\"*_~\x00-])"
# Marks of emphasis, and Markdown's. Bold comes first: the marks of the others may stand inside. Slack has no `**`, but
# tools such as Grafana write it.
EMPHASIS = tuple(
    (
        re.compile(OPENS % (mark, marks, mark) + rf"([^{mark}\n]*)" + CLOSES % marks + rf"(?![{mark}])", re.MULTILINE),
        markdown,
    )
    for mark, marks, markdown in (("*", r"\*\*", "**"), ("*", r"\*", "**"), ("_", "_", "_"), ("~", "~", "~~"))
)
ENTITY = re.compile(r"&(lt|gt|amp);")
CHARACTERS = {"lt": "<", "gt": ">", "amp": "&"}
PLACEHOLDER = re.compile(r"\x00(\d+)\x00")
NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL cannot store NUL or lone surrogates
NEWLINE = re.compile(r"\r\n?")
LINKED = ("http:", "https:", "mailto:", "ftp:", "tel:")


@dataclass(frozen=True)
class Names:
    """The names that a text can refer to: the actor of each Slack user and the name of each channel, by Slack's ids."""

    people: Mapping[str, UUID]
    channels: Mapping[str, str]

    @cached_property
    def actors(self) -> frozenset[UUID]:
        """Return the actors that a text may mention."""
        return frozenset(self.people.values())

    def creator(self, user: str) -> ActorId | None:
        """Return the actor of a Slack user, or None if it is unknown."""
        return ActorId(self.people[user]) if user in self.people else None

    def mention(self, user: str, label: str = "") -> str:
        """Return the Markdown that mentions a Slack user, or only names it if it is unknown."""
        known = self.people.get(user)
        return f"<@{known}>" if known else escape_inline(f"@{(label or user).removeprefix('@')}")

    def channel(self, key: str, label: str = "") -> str:
        """Return the Markdown that names a channel."""
        return escape_inline(f"#{label or self.channels.get(key, key)}")


@dataclass
class Finished:
    """The pieces of a text that are Markdown already."""

    pieces: list[str] = field(default_factory=list)

    def hold(self, markdown: str) -> str:
        """Return a placeholder for a piece of Markdown."""
        self.pieces.append(markdown)
        return f"\x00{len(self.pieces) - 1}\x00"

    def hold_urls(self, text: str) -> str:
        """Hold the addresses in a text, as Markdown links them without any marks."""
        return URL.sub(lambda found: self.hold(found[0]), text)

    @property
    def marks(self) -> str:
        """Return the finished marks of emphasis."""
        return "".join(mark[0] for _, mark in EMPHASIS if mark in self.pieces)

    def put_back(self, text: str) -> str:
        """Return a text with the pieces in place of their placeholders."""
        return PLACEHOLDER.sub(lambda found: self.pieces[int(found[1])], text)


def to_markdown(mrkdwn: str, names: Names) -> str:
    """Return the text as Markdown. Mentions of known people become `<@id>` (docs/contract.md#messages-and-blocks)."""
    text, finished = _read(mrkdwn, names)
    return finished.put_back(escape(text, marks=finished.marks))


def to_plain_text(mrkdwn: str, names: Names) -> str:
    """Return the text as Markdown without escapes, for a place that shows no Markdown."""
    text, finished = _read(mrkdwn, names)
    return finished.put_back(text)


def storable(text: str) -> str:
    """Return the text with U+FFFD in place of characters that cannot be stored."""
    return NOT_STORABLE.sub("\ufffd", text)


def link(url: str, label: str) -> str:
    """Return a Markdown link with its label, which is Markdown of one line, or the URL alone without one."""
    text = " ".join(label.split())
    if not url or not text or text == url:
        return text or url
    target = f"<{url}>" if re.search(r"[()\s]", url) else url
    return f"[{escape_label(text)}]({target})"


def _read(mrkdwn: str, names: Names) -> tuple[str, Finished]:
    finished = Finished()
    text = CODE.sub(lambda found: _code(found, finished), NEWLINE.sub("\n", storable(mrkdwn)))
    text = _unescaped(ANGLE.sub(lambda found: finished.hold(_angle(found, names)), text))
    text = finished.hold_urls(text)
    for pattern, mark in EMPHASIS:
        text = pattern.sub(partial(_emphasized, finished, mark), text)
    return text, finished


def _emphasized(finished: Finished, mark: str, found: "re.Match[str]") -> str:
    """Replace the marks, unless another emphasis begins or ends between them."""
    inside = Counter(finished.pieces[int(nr)] for nr in PLACEHOLDER.findall(found[1]))
    if any(inside[other] % 2 for _, other in EMPHASIS):
        return found[0]
    return f"{finished.hold(mark)}{found[1]}{finished.hold(mark)}"


def _code(found: "re.Match[str]", finished: Finished) -> str:
    """Render code as it was typed, without the links that Slack adds. The fences of a block of several lines get their
    own lines, as Markdown reads the text after a fence as the name of a language."""
    typed = _unescaped(ANGLE.sub(lambda angle: angle["label"] or angle["target"], found[0]))
    if found["block"] is None or "\n" not in typed:
        return finished.hold(typed)
    before = "" if found.start() == 0 or found.string[found.start() - 1] == "\n" else "\n"
    after = "" if found.end() == len(found.string) or found.string[found.end()] == "\n" else "\n"
    inside = typed[3:-3]
    opens, closes = "" if inside.startswith("\n") else "\n", "" if inside.endswith("\n") else "\n"
    return before + finished.hold(f"```{opens}{inside}{closes}```") + after


def _angle(found: "re.Match[str]", names: Names) -> str:
    target, label = _unescaped(found["target"]), _unescaped(found["label"] or "")
    kind, rest = target[0], target[1:]
    if kind == "@":
        return names.mention(rest, label)
    if kind == "#":
        return names.channel(rest, label)
    if kind == "!":
        return escape_inline(_command(rest, label))
    return _link(target, label)


def _command(command: str, label: str) -> str:
    """Render `!here`, `!subteam^S1|@team` or `!date^1392734382^{date}|Feb 18`."""
    name, *arguments = command.split("^")
    if name == "date":
        return label
    return f"@{(label or (arguments[0] if arguments else name)).removeprefix('@')}"


def _link(url: str, label: str) -> str:
    if not label or label == url:
        return url
    if not url.lower().startswith(LINKED):
        return escape_inline(f"{label} ({url})")
    return link(url, escape_inline(label))


def _unescaped(text: str) -> str:
    return ENTITY.sub(lambda found: CHARACTERS[found[1]], text)
