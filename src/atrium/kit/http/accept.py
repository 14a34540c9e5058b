"""The header Accept."""

import re
from collections.abc import Iterator

from atrium.kit.http.request import Request


def prefers(request: Request, media_type: str, *, over: str) -> bool:
    """Return whether the header Accept prefers a text format to another media type."""
    weights = dict(_weights(request.headers.get(b"accept", b"").decode("latin-1")))
    return weights.get(media_type, weights.get("text/*", 0.0)) > weights.get(over, 0.0)


def _weights(accept: str) -> Iterator[tuple[str, float]]:
    """Yield the media types in an Accept header with their weights."""
    for item in accept.lower().split(","):
        media_type, _, parameters = item.partition(";")
        weight = re.search(r"\bq=([01](?:\.\d{0,3})?)", parameters)
        yield media_type.strip(), float(weight[1]) if weight else 1.0
