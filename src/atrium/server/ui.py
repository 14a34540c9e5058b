"""The web application as a browser gets it: one page for every address of its own, and the files that the page is made
of. Where it was not built, the page says so, and everything else works."""

import gzip
import re
import secrets
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from atrium.kit.errors import NotFound
from atrium.kit.settings import Settings
from atrium.server.reference import sign_in_page

BUILT = files("atrium.server") / "ui"
UNBUILT = files("atrium.server") / "pages" / "unbuilt.html"
# Addresses that are never the application's.
OTHERS = re.compile(r"/(v\d+|scim|docs|health|metrics|bench|openapi\.json)(/|$)")
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}
# Mantine writes a style sheet of the theme at run time; it bears the nonce, so `unsafe-inline` is not needed.
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
FOREVER = "public, max-age=31536000, immutable"  # a file's name changes with what is in it
FILE_HEADERS = {"x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin"}
PAGE_HEADERS = FILE_HEADERS | {
    "cache-control": "no-cache", "referrer-policy": "same-origin", "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(self), display-capture=(self), geolocation=()",
}  # fmt: skip


def is_built() -> bool:
    """Whether the application is there to be served."""
    return (BUILT / "index.html").is_file()


def offers_application(settings: Settings) -> bool:
    """Whether the application is served."""
    return settings.web_application and is_built()


def ui_handlers(settings: Settings) -> list[HTTPRouteHandler]:
    """The handlers of the application; without one, of the pages that stand in for it."""
    if offers_application(settings):
        return [home, sign_in, asset, icon, page]
    return [no_home, plain_sign_in]


@get("/", include_in_schema=False)
async def home() -> Response[str]:
    """Where everybody begins."""
    return _page()


@get("/sign-in", include_in_schema=False)
async def sign_in() -> Response[str]:
    """Where people sign in, and where the links in their mails lead."""
    return _page()


@get("/", include_in_schema=False)
async def no_home() -> Response[str]:
    """Says that there is no application here, and why."""
    return _answer(UNBUILT.read_text(), "default-src 'none'; style-src 'self'; frame-ancestors 'none'")


@get("/sign-in", include_in_schema=False)
async def plain_sign_in() -> Response[str]:
    """Where people sign in without the application."""
    return sign_in_page()


@get("/assets/{name:str}", include_in_schema=False)
async def asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """A part of the application, under a name that no other content ever has."""
    return _file(request, f"assets/{name}", FOREVER)


@get("/icon.svg", include_in_schema=False)
async def icon(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The sign in the browser's tab."""
    return _file(request, "icon.svg", "public, max-age=86400")


@get("/{path:path}", include_in_schema=False)
async def page(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[str]:
    """Any address of the application: it knows itself what to show there. For a program there is nothing here."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if OTHERS.match(path) or not wants_page:
        raise NotFound
    return _page()


def _page() -> Response[str]:
    nonce = secrets.token_urlsafe(16)
    return _answer(_index().replace("{nonce}", nonce), POLICY.replace("{nonce}", nonce))


def _answer(text: str, policy: str) -> Response[str]:
    return Response(text, media_type=MediaType.HTML, headers=PAGE_HEADERS | {"content-security-policy": policy})


def _file(request: Request[Any, Any, Any], name: str, caching: str) -> Response[bytes]:
    path = PurePosixPath(name)
    media_type = MEDIA_TYPES.get(path.suffix)
    if media_type is None or ".." in path.parts or not (BUILT / name).is_file():
        raise NotFound
    headers = FILE_HEADERS | {"cache-control": caching, "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(_content(name), media_type=media_type, headers=headers)
    return Response(_packed(name), media_type=media_type, headers=headers | {"content-encoding": "gzip"})


@cache
def _index() -> str:
    return (BUILT / "index.html").read_text()


@cache
def _content(name: str) -> bytes:
    return (BUILT / name).read_bytes()


@cache
def _packed(name: str) -> bytes:
    return gzip.compress(_content(name), 9)
