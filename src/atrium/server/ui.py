"""The web application: one page for all its paths, and the files of that page. If it was not built, a page says so."""

import gzip
import re
import secrets
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from atrium.kit.errors import NotFound
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Headers, Response
from atrium.kit.settings import Settings
from atrium.server.endpoints import PageHandlers
from atrium.server.reference import html_page, sign_in_page

BUILT = files("atrium.server") / "ui"
UNBUILT = files("atrium.server") / "pages" / "unbuilt.html"
# Paths that never belong to the application.
OTHERS = re.compile(r"/(v\d+|scim|docs|health|metrics|openapi\.json)(/|$)")
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}
# Mantine writes a style sheet of the theme at run time; it has the nonce, so `unsafe-inline` is not needed.
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
FOREVER = "public, max-age=31536000, immutable"  # a file's name changes with its content
FILE_HEADERS: Headers = (("x-content-type-options", "nosniff"), ("cross-origin-resource-policy", "same-origin"))
PAGE_HEADERS: Headers = (
    *FILE_HEADERS, ("cache-control", "no-cache"), ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(self), microphone=(self), display-capture=(self), geolocation=()"),
)  # fmt: skip


def is_built() -> bool:
    """Return whether the application has been built."""
    return (BUILT / "index.html").is_file()


def offers_application(settings: Settings) -> bool:
    """Return whether the application is served."""
    return settings.web_application and is_built()


def ui_pages(settings: Settings) -> PageHandlers:
    """Return the pages of the application by path; without one, those that replace it."""
    if offers_application(settings):
        return {"/": home, "/sign-in": home, "/assets/{name}": asset, "/icon.svg": icon, "/{path...}": page}
    return {"/": no_home, "/sign-in": plain_sign_in}


async def home(_request: Request) -> Response:
    """Return the page that starts the application."""
    return _page()


async def no_home(_request: Request) -> Response:
    """Return a page that says why there is no application."""
    return _html(UNBUILT.read_text(), "default-src 'none'; style-src 'self'; frame-ancestors 'none'")


async def plain_sign_in(_request: Request) -> Response:
    """Return the sign-in page of a server without the application."""
    return sign_in_page()


async def asset(request: Request) -> Response:
    """Return a file of the application. Its content never changes, because its name contains a hash of it."""
    return _file(request, f"assets/{request.path_parameters['name']}", FOREVER)


async def icon(request: Request) -> Response:
    """Return the icon for the browser's tab."""
    return _file(request, "icon.svg", "public, max-age=86400")


async def page(request: Request) -> Response:
    """Return the application for any of its paths. Raise NotFound if the client is not a browser."""
    wants_page = b"text/html" in request.headers.get(b"accept", b"")
    if OTHERS.match(request.path_parameters["path"]) or not wants_page:
        raise NotFound
    return _page()


def _page() -> Response:
    nonce = secrets.token_urlsafe(16)
    return _html(_index().replace("{nonce}", nonce), POLICY.replace("{nonce}", nonce))


def _html(text: str, policy: str) -> Response:
    return html_page(text, (*PAGE_HEADERS, ("content-security-policy", policy)))


def _file(request: Request, name: str, caching: str) -> Response:
    path = PurePosixPath(name)
    media_type = MEDIA_TYPES.get(path.suffix)
    if media_type is None or ".." in path.parts or not (BUILT / name).is_file():
        raise NotFound
    headers = (*FILE_HEADERS, ("cache-control", caching), ("vary", "accept-encoding"))
    if b"gzip" not in request.headers.get(b"accept-encoding", b""):
        return Response(200, _content(name), headers, media_type=media_type)
    return Response(200, _compressed(name), (*headers, ("content-encoding", "gzip")), media_type=media_type)


@cache
def _index() -> str:
    return (BUILT / "index.html").read_text()


@cache
def _content(name: str) -> bytes:
    return (BUILT / name).read_bytes()


@cache
def _compressed(name: str) -> bytes:
    return gzip.compress(_content(name), 9)
