"""Adopt accounts that someone else created: they join an organization only when their email address is verified.

An inviter knows the invitation's token, and a directory chooses the addresses. So an account may have been created, and
its keys be held, by someone who does not own its address. Until its owner has verified the address, an organization
that adds it gives the account a pending membership.
"""

from datetime import datetime
from uuid import UUID

from atrium.kit.postgres.database import Connection
from atrium.organizations import queries
from atrium.people import queries as people
from atrium.permissions import OrganizationRole


async def join_by_address(
    db: Connection, organization_id: UUID, person_id: UUID, *, role: OrganizationRole, active: bool, now: datetime
) -> None:
    """Add the account of an address to an organization, unless it is a member.

    A verified account that works elsewhere joins. An account of no other organization joins without its former
    credentials. Any other account has no access until its email address is verified, again if it works nowhere: the
    address may have another owner by then.
    """
    await db.execute(people.LOCK, person_id)
    found = await db.fetchrow(queries.ACCOUNT_STATE, person_id, organization_id)
    if found["is_member"]:
        return
    is_known = found["is_proven"] and found["works"]
    is_pending = found["is_elsewhere"] and not is_known
    if not is_known:
        await db.execute(people.FORGET_PROOF, person_id)
    if not (is_known or is_pending):
        await hand_over(db, person_id, now)
    since = None if active and not is_pending else now
    await db.execute(
        queries.ADD_BY_ADDRESS, person_id, organization_id, role, now, since, active if is_pending else None
    )


async def adopt(db: Connection, person_id: UUID, now: datetime, *, except_key: UUID | None = None) -> bool:
    """Hand the account over to the person who verified its address: revoke credentials, activate pending memberships.

    Args:
        except_key: the key or session to keep, if the verification came with one.

    Returns:
        False if the address was verified before; nothing changes then.
    """
    await db.execute(people.LOCK, person_id)
    if await db.fetchval(people.MARK_PROVEN, person_id, now) is None:
        return False
    await hand_over(db, person_id, now, except_key=except_key)
    await db.execute(queries.ACTIVATE_PENDING, person_id)
    return True


async def hand_over(db: Connection, person_id: UUID, now: datetime, *, except_key: UUID | None = None) -> None:
    """End everything with which anyone could act as a person, except the key `except_key`."""
    await end_credentials(db, person_id, now, except_key=except_key)
    await db.execute(people.END_IDENTITIES, person_id)


async def end_credentials(
    db: Connection, person_id: UUID, now: datetime, *, except_key: UUID | None = None, with_password: bool = True
) -> None:
    """Revoke the keys, sessions, password and links of a person, on every process, except the key `except_key`."""
    await db.execute(people.END_KEYS, person_id, now, except_key)
    await db.execute(people.END_LINKS, person_id, now)
    if with_password:
        await db.execute(people.FORGET_HASH, person_id)


async def has_pending_membership(db: Connection, person_id: UUID) -> bool:
    """Return whether the account has a pending membership."""
    is_pending: bool = await db.fetchval(queries.HAS_PENDING_MEMBERSHIP, person_id)
    return is_pending
