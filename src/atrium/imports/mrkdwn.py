"""Convert Slack's mrkdwn to Markdown.

Code and `<...>` are replaced with placeholders first, so that emphasis is not converted inside them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from atrium.kit.text.types import ActorId

CODE = re.compile(r"```(?P<block>.+?)```|`(?P<span>[^`\n]+)`", re.DOTALL)
ANGLE = re.compile(r"<(?P<target>[@#!][^<>|\n]*|[A-Za-z][A-Za-z0-9+.-]*:[^<>|\n]*)(?:\|(?P<label>[^<>\n]*))?>")
CLOSES = r"(?<=\S)%s(?=$|[\s.,;:!?)\]}'\"*_~\x00-])"
BOLD = re.compile(r"(?<![\w*/\\])\*(?=[^\s*])([^*\n]*)" + CLOSES % r"\*", re.MULTILINE)
STRIKE = re.compile(r"(?<![\w~/\\])~(?=[^\s~])([^~\n]*)" + CLOSES % "~", re.MULTILINE)
ENTITY = re.compile(r"&(lt|gt|amp);")
CHARACTERS = {"lt": "<", "gt": ">", "amp": "&"}
PLACEHOLDER = re.compile(r"\x00(\d+)\x00")
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


def to_markdown(mrkdwn: str, names: Names) -> str:
    """Return the text as Markdown. Mentions of known people become `<@id>` (docs/contract.md#messages-and-blocks)."""
    replaced: list[str] = []

    def placeholder(rendered: str) -> str:
        replaced.append(rendered)
        return f"\x00{len(replaced) - 1}\x00"

    text = CODE.sub(_code(placeholder), mrkdwn.replace("\x00", "\ufffd"))
    text = ANGLE.sub(lambda found: placeholder(_angle(found, names)), text)
    text = STRIKE.sub(r"~~\1~~", BOLD.sub(r"**\1**", text))
    return PLACEHOLDER.sub(lambda found: replaced[int(found[1])], _unescaped(text))


def _code(placeholder: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    """Render code as it was typed, without the links that Slack adds. The fences of a block of several lines get their
    own lines, as Markdown reads the text after a fence as the name of a language."""

    def render(found: re.Match[str]) -> str:
        typed = _unescaped(ANGLE.sub(lambda angle: angle["label"] or angle["target"], found[0]))
        if found["block"] is None or "\n" not in typed:
            return placeholder(typed)
        before = "" if found.start() == 0 or found.string[found.start() - 1] == "\n" else "\n"
        after = "" if found.end() == len(found.string) or found.string[found.end()] == "\n" else "\n"
        inside = typed[3:-3]
        opens, closes = "" if inside.startswith("\n") else "\n", "" if inside.endswith("\n") else "\n"
        return placeholder(f"{before}```{opens}{inside}{closes}```{after}")

    return render


def _angle(found: re.Match[str], names: Names) -> str:
    target, label = _unescaped(found["target"]), _unescaped(found["label"] or "")
    kind, rest = target[0], target[1:]
    if kind == "@":
        return f"<@{names.people[rest]}>" if rest in names.people else f"@{(label or rest).removeprefix('@')}"
    if kind == "#":
        return f"#{label or names.channels.get(rest, rest)}"
    if kind == "!":
        return _command(rest, label)
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
        return f"{label} ({url})"
    shown = re.sub(r"([\[\]\\])", r"\\\1", label)
    return f"[{shown}](<{url}>)" if re.search(r"[()\s]", url) else f"[{shown}]({url})"


def _unescaped(text: str) -> str:
    return ENTITY.sub(lambda found: CHARACTERS[found[1]], text)
