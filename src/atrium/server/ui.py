"""The web application: one page for all its paths, and its files. If it was not built, a page explains that."""

import gzip
import re
import secrets
from functools import cache, partial
from importlib.resources import files
from pathlib import PurePosixPath

from atrium.kit.errors import NotFound
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Headers, Response
from atrium.kit.settings import Settings
from atrium.server.reference import html_page, sign_in_page
from atrium.server.router import PageHandlers

BUILD_DIR = files("atrium.server") / "ui"
NOT_BUILT_PAGE = files("atrium.server") / "pages" / "unbuilt.html"
PUBLIC = ("icon.svg", "icon.png", "manifest.webmanifest")  # files whose names do not change
# Paths that never belong to the application.
RESERVED_PATHS = re.compile(r"/(v\d+|scim|docs|health|metrics|openapi\.json)(/|$)")
MEDIA_TYPES = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip
# Mantine writes a style sheet of the theme at run time; it has the nonce, so `unsafe-inline` is not needed.
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
ENCODINGS = ("br", "gzip")  # the smallest first
FOREVER = "public, max-age=31536000, immutable"  # a file's name changes with its content
FILE_HEADERS: Headers = (("x-content-type-options", "nosniff"), ("cross-origin-resource-policy", "same-origin"))
PAGE_HEADERS: Headers = (
    *FILE_HEADERS, ("cache-control", "no-cache"), ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(self), microphone=(self), display-capture=(self), geolocation=()"),
)  # fmt: skip


def is_built() -> bool:
    """Return whether the application has been built."""
    return (BUILD_DIR / "index.html").is_file()


def offers_application(settings: Settings) -> bool:
    """Return whether the application is served."""
    return settings.web_application and is_built()


def ui_pages(settings: Settings) -> PageHandlers:
    """Return the pages of the application by path; without one, those that replace it."""
    if offers_application(settings):
        public = {f"/{name}": partial(public_file, name) for name in PUBLIC}
        return {"/": home, "/sign-in": sign_in, "/assets/{name}": asset, **public, "/{path...}": page}
    return {"/": not_built_home, "/sign-in": sign_in_without_application}


async def home(_request: Request) -> Response:
    """Return the page that starts the application."""
    return _page(_index())


async def sign_in(_request: Request) -> Response:
    """Return the same page without the outline of a room."""
    return _page(_index().replace('<div id="outline"', '<div id="outline" hidden'))


async def not_built_home(_request: Request) -> Response:
    """Return a page that explains why there is no application."""
    return _html(NOT_BUILT_PAGE.read_text(), "default-src 'none'; style-src 'self'; frame-ancestors 'none'")


async def sign_in_without_application(_request: Request) -> Response:
    """Return the sign-in page of a server without the application."""
    return sign_in_page()


async def asset(request: Request) -> Response:
    """Return a file of the application. Its content never changes, because its name contains a hash of it."""
    return _file(request, f"assets/{request.path_parameters['name']}", FOREVER)


async def public_file(name: str, request: Request) -> Response:
    """Return a file with a fixed name, such as the icon for the browser's tab."""
    return _file(request, name, "public, max-age=86400")


async def page(request: Request) -> Response:
    """Return the application for any of its paths. Raise NotFound if the client is not a browser."""
    wants_page = b"text/html" in request.headers.get(b"accept", b"")
    if RESERVED_PATHS.match(request.path_parameters["path"]) or not wants_page:
        raise NotFound
    return _page(_index())


def _page(text: str) -> Response:
    nonce = secrets.token_urlsafe(16)
    return _html(text.replace("{nonce}", nonce), POLICY.replace("{nonce}", nonce))


def _html(text: str, policy: str) -> Response:
    return html_page(text, (*PAGE_HEADERS, ("content-security-policy", policy)))


def _file(request: Request, name: str, caching: str) -> Response:
    path = PurePosixPath(name)
    media_type = MEDIA_TYPES.get(path.suffix)
    if media_type is None or ".." in path.parts or not (BUILD_DIR / name).is_file():
        raise NotFound
    headers = (*FILE_HEADERS, ("cache-control", caching), ("vary", "accept-encoding"))
    accepted = request.headers.get(b"accept-encoding", b"").decode("latin-1")
    for encoding, content in ((each, _compressed(name, each)) for each in ENCODINGS if each in accepted):
        if content:
            return Response(200, content, (*headers, ("content-encoding", encoding)), media_type=media_type)
    return Response(200, _content(name), headers, media_type=media_type)


@cache
def _index() -> str:
    return (BUILD_DIR / "index.html").read_text()


@cache
def _content(name: str) -> bytes:
    return (BUILD_DIR / name).read_bytes()


@cache
def _compressed(name: str, encoding: str) -> bytes | None:
    """Return a file's content in the encoding; None where the build made no copy in it."""
    if encoding == "gzip":
        return gzip.compress(_content(name), 9)
    copy = BUILD_DIR / f"{name}.br"
    return copy.read_bytes() if copy.is_file() else None
