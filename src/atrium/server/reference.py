"""What a browser finds without a key: the OpenAPI document, the API reference (no request leaves this server), the
list of problems, and where a sign-in link leads."""

import html
import inspect
import re
from collections.abc import Callable
from importlib.resources import files

import msgspec
from litestar import MediaType, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

from atrium.kit.errors import NotFound, Problem
from atrium.people.actions import hash_of_link
from atrium.people.queries import SIGN_IN_LINK
from atrium.routes import ROUTES
from atrium.server.openapi import document
from atrium.server.service import Service

ASSETS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:"
HTML_HEADERS = {"content-security-policy": POLICY, "x-content-type-options": "nosniff"}
OWN = files("atrium.server") / "pages"


def reference_handlers(service: Callable[[], Service]) -> list[HTTPRouteHandler]:
    """The handlers of these pages."""

    @get("/", include_in_schema=False)
    async def home() -> Redirect:
        return Redirect("/docs")

    @get("/openapi.json", include_in_schema=False)
    async def openapi() -> Response[bytes]:
        body = msgspec.json.encode(document(ROUTES))
        return Response(body, media_type="application/json")

    @get("/docs", include_in_schema=False)
    async def reference() -> Response[str]:
        return _page((OWN / "reference.html").read_text())

    @get("/docs/assets/{name:str}", include_in_schema=False)
    async def asset(name: str) -> Response[bytes]:
        if name in ("reference.js", "reference.css"):
            return Response((OWN / name).read_bytes(), media_type=f"text/{name[10:].replace('js', 'javascript')}")
        if name not in ASSETS:
            raise NotFound
        return Response((files("swagger_ui") / "static" / name).read_bytes(), media_type=ASSETS[name])

    @get("/docs/problems", include_in_schema=False)
    async def problems() -> Response[str]:
        return _page((OWN / "problems.html").read_text().replace("{rows}", "\n".join(map(_row, problem_classes()))))

    @get("/sign-in", include_in_schema=False)
    async def sign_in(token: str = "") -> Response[str]:
        opened = service()
        found = await opened.pool.fetchrow(SIGN_IN_LINK, hash_of_link(token), opened.clock())
        said = f"This link is yours, {found['name']}." if found else "This link is unknown, used or expired."
        return _page((OWN / "sign-in.html").read_text().replace("{said}", html.escape(said)))

    return [home, openapi, reference, asset, problems, sign_in]


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


def _page(text: str) -> Response[str]:
    return Response(text, media_type=MediaType.HTML, headers=HTML_HEADERS)
