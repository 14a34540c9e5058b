"""Markdown as HTML, with anchors at headings, tables that scroll, highlighted code and rewritten links."""

import html
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

Link = Callable[[str], str]
FORMATTER = HtmlFormatter(nowrap=True)


class RenderedMarkdown(NamedTuple):
    """A rendered text: its title, its first paragraph, its sections as (anchor, heading), and its HTML."""

    title: str
    lead: str
    sections: list[tuple[str, str]]
    body: str


def render(text: str, link: Link) -> RenderedMarkdown:
    """Render a text as HTML. `link` returns the target of each link."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", _render_fence)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    tokens = parser.parse(text)
    sections = list(_add_anchors(tokens))
    _rewrite_links(tokens, link)
    return RenderedMarkdown(
        _first(tokens, "heading_open"), _first(tokens, "paragraph_open"), sections, _rendered(parser, tokens)
    )


def options(info: str) -> dict[str, str]:
    """Return the options after the language of a fenced block, `file=a.py background=8700`; one without `=` is ''."""
    return dict(word.partition("=")[::2] for word in shlex.split(info))


def _rendered(parser: MarkdownIt, tokens: Sequence[Token]) -> str:
    return str(parser.renderer.render(tokens, parser.options, {}))


def _add_anchors(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Give each heading an anchor, and yield the sections, which are the second-level headings."""
    taken = set[str]()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        words = _plain(inline)
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        while anchor in taken:
            anchor += "-1"
        taken.add(anchor)
        opening.attrSet("id", anchor)
        if opening.tag == "h2":
            yield anchor, html.escape(words)


def _rewrite_links(tokens: Sequence[Token], link: Link) -> None:
    for token in tokens:
        if token.type == "link_open":
            token.attrSet("href", link(str(token.attrGet("href"))))
        _rewrite_links(token.children or [], link)


def _first(tokens: Sequence[Token], kind: str) -> str:
    """Return the text of the first heading or paragraph, without markup."""
    found = (inline for opening, inline in pairwise(tokens) if opening.type == kind)
    return html.escape(next((_plain(each) for each in found), ""))


def _plain(inline: Token) -> str:
    return "".join(each.content if each.type != "softbreak" else " " for each in inline.children or [])


def _render_fence(_renderer: Any, tokens: Sequence[Token], number: int, *_more: Any) -> str:
    token = tokens[number]
    language, _, info = token.info.strip().partition(" ")
    try:
        highlighted = str(highlight(token.content, get_lexer_by_name(language), FORMATTER))
    except ClassNotFound:
        highlighted = html.escape(token.content)
    kind = "output" if language == "text" else "code"
    return f'{_label(options(info))}<pre class="{kind}"><code>{highlighted}</code></pre>\n'


def _label(options: dict[str, str]) -> str:
    """Return the label of a block: its file name, or that it runs in another terminal."""
    words = options.get("file") or ("in another terminal" if "background" in options else "")
    return f'<p class="label">{html.escape(words)}</p>' if words else ""


def _open_table(_renderer: Any, *_: Any) -> str:
    return '<div class="scroll"><table>\n'


def _close_table(_renderer: Any, *_: Any) -> str:
    return "</table></div>\n"
