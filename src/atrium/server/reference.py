"""Pages that need no key: the OpenAPI document, the API reference (which loads nothing from other servers), the list of
problem codes, and the sign-in page."""

import html
import inspect
import re
from functools import cache
from importlib.resources import files

import msgspec

from atrium.kit.errors import NotFound, Problem
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Headers, Response
from atrium.routes import ROUTES
from atrium.server.openapi import document
from atrium.server.router import PageHandlers

SWAGGER_ASSETS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
OWN_ASSETS = {
    "reference.js": "text/javascript", "reference.css": "text/css",
    "sign-in.js": "text/javascript", "sign-in.css": "text/css", "guides.css": "text/css",
}  # fmt: skip
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'"
)
NOSNIFF = ("x-content-type-options", "nosniff")
# Pages with password fields load nothing from other hosts, contain no inline scripts, and cannot be framed.
SIGN_IN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
SIGN_IN_HEADERS = (
    ("content-security-policy", SIGN_IN_POLICY), NOSNIFF, ("referrer-policy", "same-origin"),
    ("cache-control", "no-store"),
)  # fmt: skip
PAGES = files("atrium.server") / "pages"


async def openapi(_request: Request) -> Response:
    """Return the OpenAPI document."""
    return Response(200, _document(), media_type="application/json")


async def reference(_request: Request) -> Response:
    """Return the API reference, which reads the OpenAPI document."""
    return _page(_own("reference.html"))


def sign_in_page() -> Response:
    """Return the sign-in page of a server without the web application. Links in emails lead there too."""
    return html_page(_own("sign-in.html"), SIGN_IN_HEADERS)


async def asset(request: Request) -> Response:
    """Return a script or style sheet of these pages."""
    name = request.path_parameters["name"]
    if name in OWN_ASSETS:
        return Response(200, (PAGES / name).read_bytes(), media_type=OWN_ASSETS[name])
    if name in SWAGGER_ASSETS:
        return Response(200, (files("swagger_ui") / "static" / name).read_bytes(), media_type=SWAGGER_ASSETS[name])
    raise NotFound


async def problems(_request: Request) -> Response:
    """Return the list of error codes and their meanings."""
    return _page(_own("problems.html").replace("{rows}", "\n".join(map(_row, problem_classes()))))


REFERENCE_PAGES: PageHandlers = {
    "/openapi.json": openapi, "/docs": reference, "/docs/assets/{name}": asset, "/docs/problems": problems,
}  # fmt: skip


def html_page(text: str, headers: Headers) -> Response:
    """Return a page of HTML."""
    return Response(200, text.encode(), headers, media_type="text/html")


@cache
def _document() -> bytes:
    return msgspec.json.encode(document(ROUTES))


def problem_classes() -> list[type[Problem]]:
    """Return every error of the API, by status and code."""
    found, waiting = {Problem}, [Problem]
    while waiting:
        children = waiting.pop().__subclasses__()
        found.update(children)
        waiting.extend(children)
    named = {each.code: each for each in found if each is not Problem}
    return sorted(named.values(), key=lambda problem: (problem.status, problem.code))


def _row(problem: type[Problem]) -> str:
    meaning = _with_code(" ".join(inspect.cleandoc(problem.__doc__ or "").split()))
    return (
        f'<tr id="{problem.code}"><td><code>{problem.code}</code></td><td>{problem.status}</td><td>{meaning}</td></tr>'
    )


def _with_code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _own(name: str) -> str:
    return (PAGES / name).read_text()


def _page(text: str) -> Response:
    return html_page(text, (("content-security-policy", POLICY), NOSNIFF))
