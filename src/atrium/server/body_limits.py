"""Who sends a large body: looked up before the body is read, so that strangers take no memory."""

from atrium.incoming.api import PATH as INCOMING
from atrium.incoming.reach import require_webhook
from atrium.keys.caller import identify
from atrium.keys.tokens import checked_hash
from atrium.kit.database import connection
from atrium.kit.errors import TooLarge, Unauthenticated
from atrium.kit.web import Incoming, Route
from atrium.permissions import Subject
from atrium.server.service import Service


async def require_sender(service: Service, route: Route, request: Incoming) -> None:
    """Raise unless somebody whom the server knows sends the request.

    Raises:
        Unauthenticated: where the route needs a key, or one was sent that does not work
        IncomingWebhookNotFound: where a webhook's URL is the key
        TooLarge: where the route needs no key
    """
    needs_key = route.permission.subject is not Subject.ANYONE or b"authorization" in request.headers
    async with connection(service.pool, writing=False) as db:
        if not needs_key and route.path.startswith(INCOMING):
            await require_webhook(db, request.path["token"])
            return
        try:
            await identify(db, checked_hash(request.bearer), service.clock())
        except Unauthenticated:
            if needs_key:
                raise
            raise TooLarge("Without a key, a body has at most 64 KiB.") from None
