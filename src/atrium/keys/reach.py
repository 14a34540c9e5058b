"""Fetch the keys of one person."""

from uuid import UUID

from atrium.keys import queries
from atrium.keys.caller import Call
from atrium.keys.model import PersonalKey, PersonalKeyRules
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.rows import as_struct, as_structs


class ApiKeyNotFound(NotFound):
    """The key does not exist or is revoked, or the caller may not manage it."""

    code = "api_key_not_found"
    title = "API key not found"


async def list_personal_keys(call: Call, owner_id: UUID, paging: Paging) -> ListPage[PersonalKey]:
    """Return a page of a person's keys, oldest first."""
    rows = await call.db.fetch(queries.PERSONAL_KEYS, owner_id, after(paging.cursor), paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["api_key_id"])
    return as_structs(page, PersonalKey), cursor


async def list_rules(call: Call, owner_id: UUID) -> list[PersonalKeyRules]:
    """Return the rules for personal keys in the organizations that allow those of a person."""
    return as_structs(await call.db.fetch(queries.RULES_FOR_PERSON, owner_id), PersonalKeyRules)


async def find_personal_key(call: Call, owner_id: UUID, api_key_id: UUID) -> PersonalKey:
    """Return the person's key with that id. Raise ApiKeyNotFound."""
    row = await call.db.fetchrow(queries.PERSONAL_KEY, owner_id, api_key_id)
    if row is None:
        raise ApiKeyNotFound
    return as_struct(row, PersonalKey)
