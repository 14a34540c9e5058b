"""Texts from Slack are shown as Slack shows them: what means nothing there means nothing in Markdown."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from atrium.slack.escaping import escape
from atrium.slack.mrkdwn import Names, to_markdown
from atrium.slack.rich_text import inline

MARKDOWN = MarkdownIt("commonmark").enable(["strikethrough", "table"])
PIECES = [
    "a",
    "b ",
    "é",
    "1",
    "x*y",
    "*",
    "_",
    "__",
    "~",
    "~~",
    "```",
    "`",
    "\n",
    "\n\n",
    " ",
    "    ",
    "\t",
    "- ",
    "+ ",
    "* ",
]
PIECES += [
    "1. ",
    "2) ",
    "# ",
    "> ",
    "| a | b |",
    "---",
    "===",
    "|-|-|",
    "&lt;",
    "&",
    "<b>",
    "</b>",
    "<!--",
    "[x](y)",
    "[a]: b",
]
PIECES += [
    "](",
    "![",
    "[ ] ",
    "\\",
    ".",
    ",",
    "(",
    ")",
    "!",
    "__init__.py",
    "src/*.py, test/*.py",
    "<http://a.b>",
    "* * *",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=30)
NOBODY = Names({}, {})


def shown_text(markdown: str) -> str:
    """Return the text that a reader sees, without white space, which Markdown may change."""
    return compact("".join(_texts(MARKDOWN.parse(markdown))))


def _texts(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        yield from _texts(token.children) if token.children else [token.content if token.type != "inline" else ""]


def compact(text: str) -> str:
    return "".join(text.split())


@pytest.mark.contract("Client, agents and incoming webhooks 18")
@given(TEXTS.filter(lambda text: "\x00" not in text))
def test_plain_text_is_shown_as_it_is(text: str) -> None:
    assert shown_text(escape(text, plain=True)) == compact(text)


@pytest.mark.contract("Client, agents and incoming webhooks 18")
@given(TEXTS.filter(lambda text: not re.search(r"[\x00\ud800-\udfff]", text)))
def test_the_text_of_rich_text_is_shown_as_it_is(text: str) -> None:
    pieces = [{"type": "text", "text": part} for part in re.split(r"(?<=b )", text)]
    assert shown_text(inline({"elements": pieces}, NOBODY, Counter())) == compact(text)


@pytest.mark.contract("Client, agents and incoming webhooks 18")
@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "b ",
                "x*y",
                "* ",
                "2*3*4",
                "__init__.py",
                "src/*.py, test/*.py",
                "~/a",
                "\n",
                "# ",
                "+ ",
                "|-|-|",
                "&lt;b&gt;",
                "[x](y)",
                "[a]: b",
                "![",
                "\\",
                "```",
                "===",
                "    ",
            ]
        ),
        max_size=9,
    )
)
def test_what_is_no_mrkdwn_is_no_markdown(parts: list[str]) -> None:
    text = " ".join(parts)
    expected = text.replace("&lt;", "<").replace("&gt;", ">")
    if text.count("```") < 2:
        assert shown_text(to_markdown(text, NOBODY)) == compact(expected)
