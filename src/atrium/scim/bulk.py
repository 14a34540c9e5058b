"""Bulk requests (RFC 7644, section 3.7): several operations in one request, which succeed or fail independently."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from atrium.keys.caller import Call
from atrium.kit.errors import Conflict, Problem
from atrium.kit.text.types import UUID_TEXT
from atrium.organizations import queries as organization_queries
from atrium.organizations.reach import Organization
from atrium.scim import groups, users
from atrium.scim.dialect import BASE, MAX_OPERATIONS, error_of
from atrium.scim.errors import ResourceNotFound, ScimError, TooManyOperations
from atrium.scim.kinds import Entry, Members

Json = dict[str, Any]
BULK_RESPONSE = "urn:ietf:params:scim:api:messages:2.0:BulkResponse"
PATH = re.compile(r"/?(?P<kind>Users|Groups)(?:/(?P<id>[^/]+))?/?", re.I)
REFERENCE = "bulkId:"
CREATED, OK, NO_CONTENT = 201, 200, 204


class Operation(NamedTuple):
    """An operation of the request."""

    method: str
    path: str
    bulk_id: str | None
    version: str | None
    data: Json
    references: frozenset[str]


class Outcome(NamedTuple):
    """The outcome of an operation."""

    status: int
    entry: Entry | None = None
    problem: Problem | None = None


async def run(call: Call, organization: Organization, payload: Json) -> Json:
    """Run a bulk request and return its response. An operation that refers to another's `bulkId` waits for that one;
    after `failOnErrors` failures no more operations run. Raise ScimError, TooManyOperations."""
    named = {name.lower(): value for name, value in payload.items()}
    waiting = dict(enumerate(_operations(named.get("operations"))))
    # Users lock this exclusively and groups share it: two bulks that start with a group could deadlock.
    await call.lock(organization_queries.LOCK, organization.organization_id)
    limit = named.get("failonerrors")
    created_ids: dict[str, str] = {}
    outcomes: dict[int, Json] = {}
    failed = 0
    while waiting and not (isinstance(limit, int) and limit > 0 and failed >= limit):
        number = _next(waiting)
        operation = waiting.pop(number)
        outcome = await _try(call, organization, operation, created_ids)
        if outcome.entry is not None and operation.bulk_id is not None:
            created_ids[operation.bulk_id] = str(outcome.entry.id)
        failed += outcome.problem is not None
        outcomes[number] = _shown(call, operation, outcome)
    return {"schemas": [BULK_RESPONSE], "Operations": [outcomes[number] for number in sorted(outcomes)]}


def _operations(found: object) -> list[Operation]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ScimError.of("Operations must be a list of operations.", "invalidSyntax")
    if len(found) > MAX_OPERATIONS:
        raise TooManyOperations
    return [_operation({name.lower(): value for name, value in each.items()}) for each in found]


def _operation(named: Json) -> Operation:
    data = named.get("data")
    texts = [named.get(name) for name in ("bulkid", "version")]
    bulk_id, version = (each if isinstance(each, str) else None for each in texts)
    method, path = str(named.get("method", "")).upper(), str(named.get("path", ""))
    data = data if isinstance(data, dict) else {}
    return Operation(method, path, bulk_id, version, data, frozenset(_references(path, data)) - {bulk_id})


def _next(waiting: dict[int, Operation]) -> int:
    """Return the first operation without unresolved references; in a cycle, the first one, which then fails."""
    pending = {operation.bulk_id for operation in waiting.values() if operation.method == "POST"}
    ready = (number for number, each in waiting.items() if not pending & each.references)
    return next(ready, min(waiting))


def _references(path: str, data: Json) -> Iterator[str]:
    for text in _texts([path.rpartition("/")[2], data]):
        if text.startswith(REFERENCE):
            yield text.removeprefix(REFERENCE)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _resolve(value: Any, created_ids: dict[str, str]) -> Any:
    """Return a value with the ids for each `bulkId:`. Raise ScimError if one is unknown."""
    if isinstance(value, list):
        return [_resolve(each, created_ids) for each in value]
    if isinstance(value, dict):
        return {name: _resolve(each, created_ids) for name, each in value.items()}
    if isinstance(value, str) and value.startswith(REFERENCE):
        if value.removeprefix(REFERENCE) not in created_ids:
            raise ScimError.of(f"No operation created {value}.", "invalidValue")
        return created_ids[value.removeprefix(REFERENCE)]
    return value


async def _try(call: Call, organization: Organization, operation: Operation, created_ids: dict[str, str]) -> Outcome:
    """Run an operation in a savepoint, which is rolled back if it fails."""
    try:
        async with call.db.transaction():
            return await _do(call, organization, operation, created_ids)
    except Problem as problem:
        return Outcome(problem.status, problem=problem)
    except asyncpg.IntegrityConstraintViolationError:
        conflict = Conflict("A concurrent request changed the same resource. Retry.")
        return Outcome(conflict.status, problem=conflict)


async def _do(call: Call, organization: Organization, operation: Operation, created_ids: dict[str, str]) -> Outcome:
    at = PATH.fullmatch(operation.path)
    if at is None or (operation.method == "POST") is not (at["id"] is None):
        raise ScimError.of(f"{operation.method} {operation.path} is not a valid operation.", "invalidPath")
    if operation.method == "POST" and operation.bulk_id is None:
        raise ScimError.of("A POST requires a bulkId.", "invalidValue")
    data: Json = _resolve(operation.data, created_ids)
    if at["kind"].lower() == "users":
        return await _do_user(call, organization, operation, _id(at["id"], created_ids), data)
    return await _do_group(call, organization, operation, _id(at["id"], created_ids), data)


def _id(text: str | None, created_ids: dict[str, str]) -> UUID:
    if text is None:
        return UUID(int=0)
    resolved = str(_resolve(text, created_ids))
    if not UUID_TEXT.fullmatch(resolved):
        raise ResourceNotFound
    return UUID(resolved)


async def _do_user(call: Call, organization: Organization, operation: Operation, user: UUID, data: Json) -> Outcome:
    version = operation.version
    match operation.method:
        case "POST":
            return Outcome(CREATED, await users.create_user(call, organization, data))
        case "PUT":
            return Outcome(OK, await users.replace_user(call, organization, user, data, version))
        case "PATCH":
            return Outcome(OK, await users.patch_user(call, organization, user, data, version))
        case "DELETE":
            await users.delete_user(call, organization, user, version)
            return Outcome(NO_CONTENT)
    raise ScimError.of(f"{operation.method!r} is not a supported method.", "invalidValue")


async def _do_group(call: Call, organization: Organization, operation: Operation, group: UUID, data: Json) -> Outcome:
    version, status = operation.version, OK
    match operation.method:
        case "POST":
            group, status = await groups.create_group(call, organization, data), CREATED
        case "PUT":
            await groups.replace_group(call, organization, group, data, version)
        case "PATCH":
            await groups.patch_group(call, organization, group, data, version)
        case "DELETE":
            await groups.delete_group(call, organization, group, version)
            return Outcome(NO_CONTENT)
        case _:
            raise ScimError.of(f"{operation.method!r} is not a supported method.", "invalidValue")
    return Outcome(status, await groups.read_group(call, organization, group, members=Members.NONE))


def _shown(call: Call, operation: Operation, outcome: Outcome) -> Json:
    shown: Json = {"method": operation.method, "status": str(outcome.status)}
    if operation.bulk_id is not None:
        shown["bulkId"] = operation.bulk_id
    if outcome.entry is not None:
        shown |= {"location": outcome.entry.location, "version": outcome.entry.etag}
    elif operation.method != "POST":
        shown["location"] = f"{call.settings.base_url}{BASE}/{operation.path.strip('/')}"
    if outcome.problem is not None:
        shown["response"] = error_of(outcome.problem)
    return shown
