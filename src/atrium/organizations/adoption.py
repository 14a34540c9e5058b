"""Accounts that somebody else made: an organization comes by them by proof of the mailbox, never by the address alone.

Whoever invites holds a token, whoever provisions chooses addresses: so anybody may have made the account of an address
that is not theirs, and hold keys to it. Until its owner has shown that they read its mail, an organization that names
the address gives it a membership that waits.
"""

from datetime import datetime
from uuid import UUID

from atrium.kit.database import Connection
from atrium.organizations import queries
from atrium.people import queries as people
from atrium.permissions import OrganizationRole


async def join_by_address(
    db: Connection, organization_id: UUID, person_id: UUID, *, role: OrganizationRole, active: bool, now: datetime
) -> None:
    """Add the account that has an address to the organization that names it; if it is a member, nothing changes.

    A proven account joins. One that belongs to nobody else joins without its former credentials. Any other one has no
    access until its mailbox is proven.
    """
    await db.execute(people.LOCK, person_id)
    found = await db.fetchrow(queries.STANDING, person_id, organization_id)
    if found["is_member"]:
        return
    waits = found["is_elsewhere"] and not found["is_proven"]
    if not (waits or found["is_proven"]):
        await end_credentials(db, person_id, now)
    since = None if active and not waits else now
    await db.execute(queries.ADD_BY_ADDRESS, person_id, organization_id, role, now, since, active if waits else None)


async def adopt(db: Connection, person_id: UUID, now: datetime, *, but: UUID | None = None) -> bool:
    """Give the account to whoever has just proven its mailbox: former credentials end, waiting memberships begin.

    Args:
        but: the key or session that goes on, where the proof came with one.

    Returns:
        False where the mailbox was proven before, which leaves everything as it is.
    """
    await db.execute(people.LOCK, person_id)
    if await db.fetchval(people.MARK_PROVEN, person_id, now) is None:
        return False
    await end_credentials(db, person_id, now, but=but)
    await db.execute(queries.ADMIT_WAITING, person_id)
    return True


async def end_credentials(
    db: Connection, person_id: UUID, now: datetime, *, but: UUID | None = None, with_password: bool = True
) -> None:
    """End the keys, sessions, password and links of a person, on every process; `but` one key where it is given."""
    await db.execute(people.END_KEYS, person_id, now, but)
    await db.execute(people.END_LINKS, person_id, now)
    if with_password:
        await db.execute(people.FORGET_HASH, person_id)


async def is_awaited(db: Connection, person_id: UUID) -> bool:
    """Return whether an organization waits for the proof of the account's mailbox."""
    waits: bool = await db.fetchval(queries.IS_AWAITED, person_id)
    return waits
