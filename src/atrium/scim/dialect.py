"""The dialect of `/scim/v2`: its media type, its limits and its errors (RFC 7644, sections 3.1 and 3.12).

The library's models take seconds to import, and organizations without a directory do not need them. Therefore nothing
that the route table imports from this folder imports the library; the rest is imported with the first request.
"""

from typing import Any

import msgspec

from atrium.kit.errors import Problem
from atrium.kit.http.dialects import Dialect

SCIM_JSON = "application/scim+json"
BASE = "/scim/v2"
ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"
LIST_RESPONSE = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
MAX_OPERATIONS, MAX_BYTES = 500, 1 << 20


def error_of(problem: Problem) -> dict[str, Any]:
    """Return a problem in the SCIM error schema."""
    fields = {"status": str(problem.status), "scimType": getattr(problem, "scim_type", None), "detail": problem.detail}
    return {"schemas": [ERROR], **{name: value for name, value in fields.items() if value is not None}}


def _render(problem: Problem, _request_id: str) -> bytes:
    return msgspec.json.encode(error_of(problem))


SCIM = Dialect(BASE, SCIM_JSON, SCIM_JSON, _render, modules=("atrium.scim.bulk", "atrium.scim.listing"))
