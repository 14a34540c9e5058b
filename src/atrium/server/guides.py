"""The guides as web pages, rendered from Markdown, without scripts and without requests to other hosts."""

import asyncio
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from atrium.kit.errors import NotFound
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Headers, Response
from atrium.kit.process.deferred import Deferred
from atrium.server.reference import html_page
from atrium.server.router import PageHandlers

if TYPE_CHECKING:
    from atrium.server import markdown
else:
    markdown = Deferred("atrium.server.markdown")

# Links into docs/, so that the texts are both in docs/ and in the wheel.
TEXTS = files("atrium.server") / "texts"
SECTIONS = (
    ("Get started", ("start",)),
    ("Build", ("history", "search", "webhooks", "typescript-client", "tools", "keys")),
    ("Operate", ("operating", "cluster", "directory", "slack")),
    ("Reference", ("settings", "commands", "performance", "architecture", "contributing")),
)
NAMES = tuple(name for _, names in SECTIONS for name in names)
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Headers = (
    ("content-security-policy", POLICY), ("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"),
)  # fmt: skip


async def index(_request: Request) -> Response:
    """Return the list of guides."""
    return html_page(await asyncio.to_thread(_index), HEADERS)  # the first request renders the Markdown


async def guide(request: Request) -> Response:
    """Return a guide."""
    name = request.path_parameters["name"]
    if name not in NAMES:
        raise NotFound
    return html_page(await asyncio.to_thread(_guide, name), HEADERS)


GUIDE_PAGES: PageHandlers = {"/docs/guides": index, "/docs/guides/{name}": guide}


def source(name: str) -> str:
    """Return the Markdown of a guide."""
    inside = TEXTS / "guides" / f"{name}.md"
    return (inside if inside.is_file() else TEXTS / f"{name}.md").read_text(encoding="utf-8")


@cache
def rendered_guide(name: str) -> "markdown.RenderedMarkdown":
    """Return a guide, rendered."""
    return markdown.render(source(name), _link)


def _link(target: str) -> str:
    """Return the target of a link: the page of a Markdown file, or the target itself."""
    path, mark, fragment = target.partition("#")
    if "://" in path or not path.endswith(".md"):
        return target
    return f"/docs/guides/{path.rpartition('/')[2].removesuffix('.md').lower()}{mark}{fragment}"


@cache
def _index() -> str:
    shelves = "".join(
        f"<h2>{title}</h2>\n<ul class='shelf'>{''.join(map(_card, names))}</ul>" for title, names in SECTIONS
    )
    lead = "<p>Atrium's tests run every command and program in these guides.</p>"
    return _page("Guides", _navigation(""), f"<h1>Guides</h1>\n{lead}\n{shelves}", "")


def _card(name: str) -> str:
    about = rendered_guide(name)
    return f'<li><a href="/docs/guides/{name}"><strong>{about.title}</strong><span>{about.lead}</span></a></li>'


@cache
def _guide(name: str) -> str:
    shown = rendered_guide(name)
    contents = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in shown.sections)
    aside = f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>{contents}</ul></nav>'
    return _page(
        shown.title, _navigation(name), shown.body + _next_link(name), aside if len(shown.sections) > 1 else ""
    )


def _navigation(here: str) -> str:
    shelves = ((title, "".join(_entry(name, here) for name in names)) for title, names in SECTIONS)
    return "".join(f"<h2>{title}</h2><ul>{entries}</ul>" for title, entries in shelves)


def _entry(name: str, here: str) -> str:
    current = ' aria-current="page"' if name == here else ""
    return f'<li><a href="/docs/guides/{name}"{current}>{rendered_guide(name).title}</a></li>'


def _next_link(name: str) -> str:
    """Return a link to the next guide."""
    after = NAMES[NAMES.index(name) + 1 :][:1]
    links = "".join(f'<a href="/docs/guides/{each}">Next: {rendered_guide(each).title}</a>' for each in after)
    return f'<p class="onward">{links}</p>' if links else ""


def _page(title: str, navigation: str, body: str, aside: str) -> str:
    page = (files("atrium.server") / "pages" / "guide.html").read_text(encoding="utf-8")
    parts = {"{title}": title, "{navigation}": navigation, "{aside}": aside, "{body}": body}
    for place, part in parts.items():  # the body comes last, so that nothing in it is replaced
        page = page.replace(place, part)
    return page
