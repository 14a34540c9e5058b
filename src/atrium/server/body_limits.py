"""Authenticate the caller before a large body is read, so that unauthenticated clients cannot exhaust memory."""

from atrium.incoming.api import PATH as INCOMING
from atrium.incoming.reach import require_webhook
from atrium.keys.caller import identify
from atrium.keys.tokens import checked_hash
from atrium.kit.errors import TooLarge, Unauthenticated
from atrium.kit.http.request import Request
from atrium.kit.http.route import Route
from atrium.kit.postgres.database import connection
from atrium.permissions import Subject
from atrium.server.service import Service


async def require_sender(service: Service, route: Route, request: Request) -> None:
    """Raise unless the request is from a known caller.

    Raises:
        Unauthenticated: if the route requires a key, or the key that was sent is not valid
        Forbidden: if the key is too narrow
        IncomingWebhookNotFound: if the key is in the URL of an incoming webhook
        TooLarge: if the route requires no key
    """
    needs_key = route.permission.subject is not Subject.ANYONE or b"authorization" in request.headers
    async with connection(service.pool, writing=False) as db:
        if not needs_key and route.path.startswith(INCOMING):
            await require_webhook(db, request.path_parameters["token"])
            return
        try:
            await identify(
                db, checked_hash(request.bearer), service.clock(), scope=route.permission.scope, address=request.address
            )
        except Unauthenticated:
            if needs_key:
                raise
            raise TooLarge("Without a key, a body has at most 64 KiB.") from None
