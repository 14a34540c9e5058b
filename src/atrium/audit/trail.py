"""Entries of the audit log, each written in the transaction of its change (docs/contract.md#audit-log)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from atrium.audit import queries
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection

AuditedFields = Mapping[str, Any] | msgspec.Struct


@dataclass(frozen=True, kw_only=True)
class Origin:
    """The actor of a change and its client: `actor_kind` is person, integration or system."""

    actor_kind: str
    actor_id: UUID | None
    actor_name: str
    at: datetime
    api_key_id: UUID | None = None
    address: str | None = None
    request_id: str | None = None


@dataclass(frozen=True)
class Target:
    """The resource that was changed: kind, id, and its name at that time."""

    kind: str
    id: UUID
    name: str | None = None


@dataclass(frozen=True)
class Change:
    """An entry to write: an action such as `space.created`, its target, and what it changed.

    Without an organization, each organization that `person_id`, or else the actor, belongs to gets the entry. `before`
    and `after` are as the API shows the target, without secrets.
    """

    action: str
    target: Target
    organization_id: UUID | None = None
    before: AuditedFields | None = None
    after: AuditedFields | None = None
    person_id: UUID | None = field(default=None, kw_only=True)


def system(name: str, at: datetime) -> Origin:
    """Return the origin of a change that no request caused."""
    return Origin(actor_kind="system", actor_id=None, actor_name=name, at=at)


async def record(db: Connection, origin: Origin, change: Change) -> None:
    """Write the entry of a change."""
    before, after = changed_fields(_fields(change.before), _fields(change.after))
    who = (origin.actor_kind, origin.actor_id, origin.actor_name, origin.api_key_id, origin.address, origin.request_id)
    what = (change.action, change.target.kind, change.target.id, change.target.name, _json(before), _json(after))
    if change.organization_id is None:
        await db.execute(queries.ADD_TO_OWN, origin.at, *who, *what, change.person_id or origin.actor_id)
    else:
        await db.execute(queries.ADD, new_id(origin.at), change.organization_id, origin.at, *who, *what)


def changed_fields(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """Return the fields that differ, or all fields if one side is None."""
    if before is None or after is None:
        return before, after
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {name: before.get(name) for name in names}, {name: after.get(name) for name in names}


def _fields(audited: AuditedFields | None) -> Mapping[str, Any] | None:
    fields: Mapping[str, Any] | None = msgspec.to_builtins(audited)
    return fields


def _json(fields: Mapping[str, Any] | None) -> str | None:
    return None if fields is None else msgspec.json.encode(fields).decode()
