"""What a browser finds without a key: the OpenAPI document, the API reference (no request leaves this server), the
list of problems, and the sign-in page."""

import html
import inspect
import re
from functools import cache
from importlib.resources import files

import msgspec
from litestar import MediaType, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from atrium.kit.errors import NotFound, Problem
from atrium.routes import ROUTES
from atrium.server.openapi import document

SWAGGER_ASSETS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
OWN_ASSETS = {
    "reference.js": "text/javascript", "reference.css": "text/css",
    "sign-in.js": "text/javascript", "sign-in.css": "text/css", "guides.css": "text/css",
}  # fmt: skip
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'"
)
HTML_HEADERS = {"content-security-policy": POLICY, "x-content-type-options": "nosniff"}
# Where people type passwords, nothing comes from elsewhere, nothing stands in the page itself, and nobody frames it.
SIGN_IN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
SIGN_IN_HEADERS = HTML_HEADERS | {
    "content-security-policy": SIGN_IN_POLICY, "referrer-policy": "same-origin", "cache-control": "no-store",
}  # fmt: skip
PAGES = files("atrium.server") / "pages"


def reference_handlers() -> list[HTTPRouteHandler]:
    """The handlers of these pages."""
    return [openapi, reference, asset, problems]


@get("/openapi.json", include_in_schema=False)
async def openapi() -> Response[bytes]:
    """The OpenAPI document."""
    return Response(_document(), media_type="application/json")


@get("/docs", include_in_schema=False)
async def reference() -> Response[str]:
    """The API reference, drawn from the document."""
    return _page(_own("reference.html"))


def sign_in_page() -> Response[str]:
    """Where people sign in, and where the links in their mails lead, as long as there is no application for it."""
    return Response(_own("sign-in.html"), media_type=MediaType.HTML, headers=SIGN_IN_HEADERS)


@get("/docs/assets/{name:str}", include_in_schema=False)
async def asset(name: FromPath[str]) -> Response[bytes]:
    """What the pages are drawn with."""
    if name in OWN_ASSETS:
        return Response((PAGES / name).read_bytes(), media_type=OWN_ASSETS[name])
    if name in SWAGGER_ASSETS:
        return Response((files("swagger_ui") / "static" / name).read_bytes(), media_type=SWAGGER_ASSETS[name])
    raise NotFound


@get("/docs/problems", include_in_schema=False)
async def problems() -> Response[str]:
    """What each code of a problem means."""
    return _page(_own("problems.html").replace("{rows}", "\n".join(map(_row, problem_classes()))))


@cache
def _document() -> bytes:
    return msgspec.json.encode(document(ROUTES))


def problem_classes() -> list[type[Problem]]:
    """Every problem that the service can answer with, by status and code."""
    found, waiting = {Problem}, [Problem]
    while waiting:
        children = waiting.pop().__subclasses__()
        found.update(children)
        waiting.extend(children)
    named = {each.code: each for each in found if each is not Problem}
    return sorted(named.values(), key=lambda each: (each.status, each.code))


def _row(problem: type[Problem]) -> str:
    meaning = _with_code(" ".join(inspect.cleandoc(problem.__doc__ or "").split()))
    return (
        f'<tr id="{problem.code}"><td><code>{problem.code}</code></td><td>{problem.status}</td><td>{meaning}</td></tr>'
    )


def _with_code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _own(name: str) -> str:
    return (PAGES / name).read_text()


def _page(text: str) -> Response[str]:
    return Response(text, media_type=MediaType.HTML, headers=HTML_HEADERS)
