"""The application: the route table on Litestar, behind the front; the reference beside it."""

import gc
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from litestar import HttpMethod, Litestar, Request, Response
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import ASGIApp

from atrium.kit.clock import Clock, utc_now
from atrium.kit.errors import PROBLEM_JSON, MethodNotAllowed, NotFound, Problem
from atrium.kit.logs import configure_logs
from atrium.kit.settings import Settings
from atrium.kit.web import Route
from atrium.routes import ROUTES
from atrium.server.boundary import answer
from atrium.server.front import REQUEST_ID, App, Front, Scope, as_problem, incoming, problem_body, read_body
from atrium.server.reference import reference_handlers
from atrium.server.service import Service, open_service, supervised
from atrium.server.streaming import EventStream
from atrium.server.ui import ui_handlers

SUPERVISOR = "ATRIUM_SUPERVISOR"  # the process id of `atrium serve`, for the HTTP processes it starts


def create_app(settings: Settings | None = None, clock: Clock = utc_now, *, supervisor: int | None = None) -> Front:
    """The whole server as one ASGI application."""
    chosen = settings or Settings()
    opened: list[Service] = []

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        async with open_service(chosen, clock) as service, supervised(service, supervisor):
            opened.append(service)
            yield

    def service() -> Service:
        return opened[-1]

    litestar = Litestar(
        [*_options(), *(_handler(each, service) for each in ROUTES), *reference_handlers(), *ui_handlers()],
        lifespan=[lifespan],
        exception_handlers={Exception: _refuse},
        openapi_config=None,
        logging_config=None,
    )
    return Front(cast("App", litestar), ROUTES, service)


def create_worker_app() -> Front:
    """The application of one HTTP process of `atrium serve`; its settings come from the environment."""
    configure_logs()
    gc.freeze()  # what is there by now stays; looking through it again and again was 6 % of a process's work
    gc.set_threshold(50_000, 20, 20)
    return create_app(supervisor=int(os.environ[SUPERVISOR]))


def _handler(each: Route, service: Callable[[], Service]) -> HTTPRouteHandler:
    async def handle(request: Request[None, None, Any]) -> ASGIApp:
        body = b"" if each.method == "GET" else await read_body(request.receive)
        headers = dict(request.scope["headers"])
        scope = cast("Scope", request.scope)
        reply = await answer(service(), each, incoming(scope, request.path_params, headers, body))
        if isinstance(reply, EventStream):
            return cast("ASGIApp", reply)
        if reply.streamed:
            parts = reply.streamed.parts(service().pool, service().clock)
            return ASGIStreamingResponse(iterator=parts, media_type=reply.streamed.media_type)
        return ASGIResponse(
            body=reply.body, status_code=reply.status, media_type="application/json", headers=reply.headers
        )

    handle.__name__ = each.handler.__name__
    path = each.path.replace("}", ":str}")
    return HTTPRouteHandler(path, http_method=HttpMethod(each.method), status_code=200)(handle)


def _options() -> list[HTTPRouteHandler]:
    """OPTIONS of every path; the router's own would name one method alone where a path has several handlers."""
    methods: dict[str, list[str]] = {}
    for each in ROUTES:
        methods.setdefault(each.path, []).append(each.method)
    return [_options_of(path, ", ".join([*taken, "OPTIONS"])) for path, taken in methods.items()]


def _options_of(path: str, allow: str) -> HTTPRouteHandler:
    async def options() -> ASGIResponse:
        return ASGIResponse(status_code=204, headers={"allow": allow})

    return HTTPRouteHandler(path.replace("}", ":str}"), http_method=HttpMethod.OPTIONS, status_code=200)(options)


def _refuse(request: Request[None, None, Any], error: Exception) -> Response[bytes]:
    """The answer to an exception: problem+json, whichever way it came."""
    request_id = cast("Scope", request.scope)[REQUEST_ID]
    problem = as_problem(_own(error), request_id)
    headers = dict(problem.headers) | _allowed(error)
    body = problem_body(problem, request_id)
    return Response(body, status_code=problem.status, media_type=PROBLEM_JSON, headers=headers)


def _own(error: Exception) -> Exception:
    """The router's refusals as problems of ours."""
    if not isinstance(error, HTTPException):
        return error
    found: dict[int, type[Problem]] = {404: NotFound, 405: MethodNotAllowed}
    return found.get(error.status_code, Problem)() if error.status_code < 500 else error


def _allowed(error: Exception) -> dict[str, str]:
    headers = (error.headers if isinstance(error, HTTPException) else None) or {}
    return {name.lower(): value for name, value in headers.items() if name.lower() == "allow"}
