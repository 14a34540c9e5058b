"""Create the first organization of an empty server: by `atrium init`, or by the link that `atrium serve` prints."""

from datetime import datetime

import msgspec
from msgspec import Struct

from atrium.audit import trail
from atrium.audit.trail import Change, Target
from atrium.bootstrap import queries
from atrium.integrations.actions import add_integration
from atrium.keys.actions import issue_key
from atrium.keys.caller import Call
from atrium.keys.tokens import PERSONAL_PREFIX
from atrium.kit.errors import Forbidden
from atrium.kit.postgres.database import Connection
from atrium.kit.text.types import ActorId, OrganizationId, RoomId, SpaceId
from atrium.organizations.actions import add_member, add_organization
from atrium.organizations.model import SpaceGrant
from atrium.people.actions import add_person, make_sign_in_link
from atrium.permissions import OrganizationRole, SpaceRole
from atrium.rooms.actions import add_room
from atrium.rooms.model import RoomType
from atrium.sessions.actions import as_owner, create_session
from atrium.sessions.model import Way
from atrium.sessions.queries import SET_HASH
from atrium.sessions.reach import Account
from atrium.spaces.actions import add_space
from atrium.spaces.model import Visibility


class SetUpRefused(Forbidden):
    """The token is not the one that `atrium serve` printed at its last start, or the server has an organization."""

    code = "set_up_refused"
    title = "The link is not valid, or the server is already set up"


class NewOrganization(Struct, frozen=True):
    """A new organization: its super_admin, its first space and room."""

    organization_id: OrganizationId
    person_id: ActorId
    space_id: SpaceId
    room_id: RoomId


async def is_empty(db: Connection) -> bool:
    """Return whether the server has no organization."""
    return not await db.fetchval(queries.HAS_ORGANIZATION)


async def lock_if_empty(db: Connection) -> bool:
    """Return whether the server has no organization; until the transaction ends, no other one creates it."""
    await db.execute(queries.LOCK)
    return await is_empty(db)


async def create_first_organization(
    db: Connection, *, organization: str, email: str, name: str, now: datetime
) -> NewOrganization:
    """Add an organization with its super_admin, a space and a room."""
    organization_id = await add_organization(db, name=organization, now=now)
    person_id = await add_person(db, name=name, email=email, now=now, proven=True)
    await add_member(db, organization_id, person_id, role=OrganizationRole.SUPER_ADMIN, now=now)
    space_id = await add_space(
        db, organization_id, name="General", description="", visibility=Visibility.OPEN, created_by=person_id, now=now
    )
    room_id = await add_room(
        db, space_id, name="general", description="", room_type=RoomType.CHAT, created_by=person_id, now=now
    )
    return NewOrganization(organization_id, person_id, space_id, room_id)


def _creation_change(created: NewOrganization, organization: str, name: str) -> Change:
    """Describe the new organization for the audit log."""
    return Change(
        "organization.created",
        Target("organization", created.organization_id, organization),
        created.organization_id,
        after={"name": organization, "super_admin": {"person_id": str(created.person_id), "name": name}},
    )


async def set_up_server(
    call: Call, *, organization: str, name: str, email: str, password_hash: str
) -> tuple[NewOrganization, str]:
    """Create the first organization and sign its super_admin in. Return the token of the session too. Raise
    SetUpRefused."""
    if not await lock_if_empty(call.db):
        raise SetUpRefused
    created = await create_first_organization(call.db, organization=organization, email=email, name=name, now=call.now)
    await call.db.execute(SET_HASH, created.person_id, password_hash, call.now)
    account = Account(created.person_id, name, email, password_hash, active=True)
    await as_owner(call, account).record(_creation_change(created, organization, name))
    session = await create_session(call, account, Way.SET_UP)
    return created, session.token


async def set_up_with_keys(
    db: Connection, base_url: str, *, organization: str, email: str, name: str, now: datetime
) -> dict[str, str]:
    """Create the first organization with an organization key, a personal key and a sign-in link; return all and ids."""
    created = await create_first_organization(db, organization=organization, email=email, name=name, now=now)
    await trail.record(db, trail.system("atrium init", now), _creation_change(created, organization, name))
    person_id = created.person_id
    personal = await issue_key(
        db, prefix=PERSONAL_PREFIX, owner=person_id, name="First key", created_by=person_id, now=now
    )
    integration = await add_integration(
        db,
        created.organization_id,
        name="First integration",
        description="Created by atrium init",
        role=OrganizationRole.ADMIN,
        spaces=[SpaceGrant(created.space_id, SpaceRole.ADMIN)],
        created_by=person_id,
        now=now,
    )
    return {name: str(value) for name, value in msgspec.structs.asdict(created).items()} | {
        "organization_key": integration.key,
        "personal_key": personal.key,
        "sign_in_url": await make_sign_in_link(db, person_id, base_url=base_url, now=now),
    }
