"""`/scim/v2/Users`, `/scim/v2/Groups`, `.search` and `/Bulk`."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from atrium.keys.caller import Call
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Response
from atrium.kit.process.deferred import Deferred
from atrium.kit.text.types import UUID_TEXT
from atrium.scim.dialect import LIST_RESPONSE
from atrium.scim.errors import ResourceNotFound
from atrium.scim.etags import if_match, if_none_match, names
from atrium.scim.reach import Directory

if TYPE_CHECKING:
    from scim2_models import ResponseParameters as Selection

    from atrium.scim import bulk, groups, kinds, listing, requests, users
else:
    bulk, groups, kinds = Deferred("atrium.scim.bulk"), Deferred("atrium.scim.groups"), Deferred("atrium.scim.kinds")
    listing, requests = Deferred("atrium.scim.listing"), Deferred("atrium.scim.requests")
    users = Deferred("atrium.scim.users")

BOTH = ("User", "Group")


async def list_users(call: Call, organization: Directory, request: Request) -> Response:
    """List the users that match."""
    return await _search_response(call, organization, ("User",), requests.query(request.query_string))


async def create_user(call: Call, organization: Directory, request: Request) -> Response:
    """Create a user, or take over the organization's own person with that name or address."""
    selection = requests.selection("User", request.query_string)
    entry = await users.create_user(call, organization, requests.json_object(request.body))
    return _resource_response(entry, selection, 201)


async def search_users(call: Call, organization: Directory, request: Request) -> Response:
    """List the users that match the search in the body."""
    return await _search_response(call, organization, ("User",), requests.json_object(request.body))


async def read_user(call: Call, organization: Directory, user: str, request: Request) -> Response:
    """Read a user."""
    selection = requests.selection("User", request.query_string)
    entry = await users.read_user(call, organization, _id(user))
    return _conditional_response(entry, selection, request)


async def replace_user(call: Call, organization: Directory, user: str, request: Request) -> Response:
    """Replace a user."""
    selection = requests.selection("User", request.query_string)
    payload = requests.json_object(request.body)
    return _resource_response(
        await users.replace_user(call, organization, _id(user), payload, if_match(request)), selection
    )


async def patch_user(call: Call, organization: Directory, user: str, request: Request) -> Response:
    """Change a user with operations."""
    selection = requests.selection("User", request.query_string)
    payload = requests.json_object(request.body)
    return _resource_response(
        await users.patch_user(call, organization, _id(user), payload, if_match(request)), selection
    )


async def delete_user(call: Call, organization: Directory, user: str, request: Request) -> None:
    """Remove a user from the organization."""
    await users.delete_user(call, organization, _id(user), if_match(request))


async def list_directory_groups(call: Call, organization: Directory, request: Request) -> Response:
    """List the groups that match."""
    return await _search_response(call, organization, ("Group",), requests.query(request.query_string))


async def create_group(call: Call, organization: Directory, request: Request) -> Response:
    """Create a group."""
    selection = requests.selection("Group", request.query_string)
    group_id = await groups.create_group(call, organization, requests.json_object(request.body))
    entry = await groups.read_group(call, organization, group_id, members=listing.members_for(selection))
    return _resource_response(entry, selection, 201)


async def search_groups(call: Call, organization: Directory, request: Request) -> Response:
    """List the groups that match the search in the body."""
    return await _search_response(call, organization, ("Group",), requests.json_object(request.body))


async def read_group(call: Call, organization: Directory, group: str, request: Request) -> Response:
    """Read a group with its members."""
    selection = requests.selection("Group", request.query_string)
    entry = await groups.read_group(call, organization, _id(group), members=listing.members_for(selection))
    return _conditional_response(entry, selection, request)


async def replace_group(call: Call, organization: Directory, group: str, request: Request) -> Response:
    """Replace a group."""
    selection = requests.selection("Group", request.query_string)
    await groups.replace_group(call, organization, _id(group), requests.json_object(request.body), if_match(request))
    entry = await groups.read_group(call, organization, _id(group), members=listing.members_for(selection))
    return _resource_response(entry, selection)


async def patch_group(call: Call, organization: Directory, group: str, request: Request) -> Response:
    """Change a group with operations. The response contains the group only if attributes are requested."""
    selection = requests.selection("Group", request.query_string)
    await groups.patch_group(call, organization, _id(group), requests.json_object(request.body), if_match(request))
    requested = bool(selection.attributes or selection.excluded_attributes)
    members = listing.members_for(selection) if requested else kinds.Members.NONE
    entry = await groups.read_group(call, organization, _id(group), members=members)
    return _resource_response(entry, selection) if requested else Response(204, b"", (("etag", entry.etag),))


async def delete_group(call: Call, organization: Directory, group: str, request: Request) -> None:
    """Delete a group."""
    await groups.delete_group(call, organization, _id(group), if_match(request))


async def list_directory(call: Call, organization: Directory, request: Request) -> Response:
    """List the users and groups that match."""
    return await _search_response(call, organization, BOTH, requests.query(request.query_string))


async def search_directory(call: Call, organization: Directory, request: Request) -> Response:
    """List the users and groups that match the search in the body."""
    return await _search_response(call, organization, BOTH, requests.json_object(request.body))


async def run_bulk(call: Call, organization: Directory, request: Request) -> Response:
    """Run several operations; each succeeds or fails independently."""
    answer = await bulk.run(call, organization, requests.json_object(request.body))
    return Response(200, msgspec.json.encode(answer))


async def _search_response(
    call: Call, organization: Directory, kinds: tuple[str, ...], parameters: dict[str, Any]
) -> Response:
    request = requests.search(kinds, parameters)
    found = await listing.search(call, organization, kinds, request)
    answer = {
        "schemas": [LIST_RESPONSE],
        "totalResults": found.total,
        "startIndex": found.start,
        "itemsPerPage": len(found.page),
        "Resources": [entry.shown(request) for entry in found.page],
    }
    return Response(200, msgspec.json.encode(answer))


def _conditional_response(entry: "kinds.Entry", selection: "Selection[Any]", request: Request) -> Response:
    known = if_none_match(request)
    if known is not None and names(known, entry.etag):
        return Response(304, b"", (("etag", entry.etag),))
    return _resource_response(entry, selection)


def _resource_response(entry: "kinds.Entry", selection: "Selection[Any]", status: int = 200) -> Response:
    headers = (("etag", entry.etag), ("location" if status == 201 else "content-location", entry.location))
    return Response(status, msgspec.json.encode(entry.shown(selection)), headers)


def _id(text: str) -> UUID:
    """Return the id in a path. Raise ResourceNotFound if it is not a UUID."""
    if not UUID_TEXT.fullmatch(text):
        raise ResourceNotFound
    return UUID(text)
