"""Count each request to a route of the API with its key: for the usage that the manager of the key sees."""

from atrium.keys.use_counts import Kind
from atrium.kit.http.request_context import RequestContext
from atrium.permissions import ANY_SCOPE
from atrium.routes import ROUTES
from atrium.server.service import Service


def _needed(scope: str | None) -> tuple[str, ...]:
    return () if scope == ANY_SCOPE else ("*" if scope is None else scope,)


_KINDS = {
    (method, route.path): Kind(route.method, route.path, _needed(route.permission.scope))
    for route in ROUTES
    for method in (("GET", "HEAD") if route.method == "GET" else (route.method,))
}


def count_use(service: Service, context: RequestContext, method: str) -> None:
    """Count a request when its response begins, unless its key is unknown or its path is not of the API."""
    if context.api_key_id is None:
        return
    kind = _KINDS.get((method, context.route))
    if kind is None:
        return
    if context.scopes:  # those that the content of the request needed, too
        kind = kind._replace(scopes=(*kind.scopes, *sorted(context.scopes - {*kind.scopes})))
    service.use_counts.count(context.api_key_id, kind, context.status, context.address)
