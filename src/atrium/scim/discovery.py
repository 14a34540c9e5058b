"""`/scim/v2/ServiceProviderConfig`, `/Schemas` and `/ResourceTypes`: the service's self-description."""

from typing import TYPE_CHECKING, Any

import msgspec

from atrium.keys.caller import Call
from atrium.kit.errors import Forbidden
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Response
from atrium.kit.process.deferred import Deferred
from atrium.scim.dialect import BASE, LIST_RESPONSE
from atrium.scim.errors import ResourceNotFound

if TYPE_CHECKING:
    from scim2_models import Resource

    from atrium.scim import resources
else:
    resources = Deferred("atrium.scim.resources")

Json = dict[str, Any]


async def read_configuration(call: Call) -> Response:
    """Read the supported SCIM features."""
    return _one(_document(call, "ServiceProviderConfig", "", resources.CONFIG))


async def list_schemas(call: Call, request: Request) -> Response:
    """List the schemas of users and groups."""
    return _all(request, [_document(call, "Schema", f"/{each.id}", each) for each in resources.PROVIDER.schemas])


async def read_schema(call: Call, schema: str) -> Response:
    """Read a schema."""
    found = [each for each in resources.PROVIDER.schemas if str(each.id).lower() == schema.lower()]
    return _one(*(_document(call, "Schema", f"/{each.id}", each) for each in found))


async def list_resource_types(call: Call, request: Request) -> Response:
    """List the resource types."""
    return _all(
        request, [_document(call, "ResourceType", f"/{each.id}", each) for each in resources.PROVIDER.resource_types]
    )


async def read_resource_type(call: Call, resource_type: str) -> Response:
    """Read a resource type."""
    found = [each for each in resources.PROVIDER.resource_types if str(each.id).lower() == resource_type.lower()]
    return _one(*(_document(call, "ResourceType", f"/{each.id}", each) for each in found))


def _document(call: Call, kind: str, where: str, resource: "Resource[Any]") -> Json:
    plural = "" if kind == "ServiceProviderConfig" else "s"
    location = f"{call.settings.base_url}{BASE}/{kind}{plural}{where}"
    return {**resource.model_dump(), "meta": {"resourceType": kind, "location": location}}


def _one(*found: Json) -> Response:
    if not found:
        raise ResourceNotFound
    return Response(200, msgspec.json.encode(found[0]))


def _all(request: Request, found: list[Json]) -> Response:
    if b"filter=" in request.query_string:
        raise Forbidden("Filters are not supported here (RFC 7644, section 4).")
    answer = {
        "schemas": [LIST_RESPONSE],
        "totalResults": len(found),
        "startIndex": 1,
        "itemsPerPage": len(found),
        "Resources": found,
    }
    return Response(200, msgspec.json.encode(answer))
