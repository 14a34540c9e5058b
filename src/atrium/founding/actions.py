"""The first organization is founded, by whoever runs the machine: by `atrium init`, or by the link that `atrium serve`
prints."""

from datetime import datetime

from msgspec import Struct

from atrium.audit.trail import Change, Target
from atrium.founding import queries
from atrium.keys.caller import Call
from atrium.kit.database import Connection
from atrium.kit.errors import Forbidden
from atrium.kit.texts import ActorId, OrganizationId, RoomId, SpaceId
from atrium.organizations.actions import add_member, add_organization
from atrium.people.actions import add_person
from atrium.permissions import OrganizationRole
from atrium.rooms.actions import add_room
from atrium.rooms.model import RoomType
from atrium.sessions.actions import acting_as, begin_session
from atrium.sessions.model import Way
from atrium.sessions.queries import SET_HASH
from atrium.sessions.reach import Account
from atrium.spaces.actions import add_space
from atrium.spaces.model import Visibility


class SetUpRefused(Forbidden):
    """The token is not the one that `atrium serve` printed at its last start, or the server has an organization."""

    code = "set_up_refused"
    title = "The link is not the one that the server printed, or the server is set up already"


class Founded(Struct, frozen=True):
    """What a new organization begins with: its super_admin, and a first space with a first room."""

    organization_id: OrganizationId
    person_id: ActorId
    space_id: SpaceId
    room_id: RoomId


async def is_empty(db: Connection) -> bool:
    """Whether there is no organization yet."""
    return not await db.fetchval(queries.ANY)


async def is_first(db: Connection) -> bool:
    """The same, and until the transaction ends nobody else founds one."""
    await db.execute(queries.LOCK)
    return await is_empty(db)


async def found(db: Connection, *, organization: str, email: str, name: str, now: datetime) -> Founded:
    """An organization with its super_admin, a space and a room."""
    organization_id = await add_organization(db, name=organization, now=now)
    person_id = await add_person(db, name=name, email=email, now=now, proven=True)
    await add_member(db, organization_id, person_id, role=OrganizationRole.SUPER_ADMIN, now=now)
    space_id = await add_space(
        db, organization_id, name="General", description="", visibility=Visibility.OPEN, created_by=person_id, now=now
    )
    room_id = await add_room(
        db, space_id, name="general", description="", room_type=RoomType.CHAT, created_by=person_id, now=now
    )
    return Founded(organization_id, person_id, space_id, room_id)


def founded_change(made: Founded, organization: str, name: str) -> Change:
    """What the audit trail is told."""
    return Change(
        "organization.created", Target("organization", made.organization_id, organization), made.organization_id,
        after={"name": organization, "super_admin": {"person_id": str(made.person_id), "name": name}},
    )  # fmt: skip


async def set_up_server(
    call: Call, *, organization: str, name: str, email: str, password_hash: str
) -> tuple[Founded, str]:
    """Create the first organization and sign its super_admin in. Returns the token of the session too. Raises
    SetUpRefused."""
    if not await is_first(call.db):
        raise SetUpRefused
    made = await found(call.db, organization=organization, email=email, name=name, now=call.now)
    await call.db.execute(SET_HASH, made.person_id, password_hash, call.now)
    account = Account(made.person_id, name, email, password_hash, active=True)
    await acting_as(call, account).record(founded_change(made, organization, name))
    begun = await begin_session(call, account, Way.SET_UP)
    return made, begun.token
