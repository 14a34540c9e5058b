"""Accounts that one organization made and another one adds: their owners accept, and prove that the address is theirs.

An inviter knows the invitation's token, and a directory chooses the addresses. So an account may have been created, and
its keys be held, by someone who does not own its address, and its owner may not want to belong to the organization. An
organization that adds the account of another one therefore gets a pending membership, which counts for nothing until
the owner accepts it (`pending.py`).
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from atrium.kit.mail.queue import enqueue_mail
from atrium.kit.postgres.database import Connection
from atrium.organizations import pending_queries, queries
from atrium.people import queries as people
from atrium.permissions import OrganizationRole

ADDED = """{name} added this address to its people on Atrium. Your account belongs to another organization, and nothing
about it changes until you accept.

Sign in and choose Accept or Decline in your settings:

{base}/settings

You can ignore this email. {name} then learns nothing about you.
"""


class Addition(NamedTuple):
    """The name and the address of a person as an organization gives them, and whether they are to be active."""

    name: str
    email: str
    active: bool


async def join_by_address(
    db: Connection, organization_id: UUID, person_id: UUID, added: Addition, *, base_url: str, now: datetime
) -> None:
    """Add the account of an address to an organization as a member, unless it is one.

    An account of no other organization joins without its former credentials: the address may have another owner than
    when they were made. An account of another organization gets a pending membership, and its owner an email.
    """
    await db.execute(people.LOCK, person_id)
    found = await db.fetchrow(queries.ACCOUNT_STATE, person_id, organization_id)
    if found["is_member"]:
        return
    member = (person_id, organization_id, OrganizationRole.MEMBER, now)
    if found["is_elsewhere"]:
        await db.execute(pending_queries.ADD_PENDING, *member, *added)
        await _notify_owner(db, organization_id, added, base_url=base_url, now=now)
        return
    await db.execute(people.FORGET_PROOF, person_id)
    await hand_over(db, person_id, now)
    await db.execute(queries.ADD_MEMBER, *member, None if added.active else now)


async def _notify_owner(
    db: Connection, organization_id: UUID, added: Addition, *, base_url: str, now: datetime
) -> None:
    """Email the owner, at most once a day: the organization can remove the account and add it again."""
    name = await db.fetchval(pending_queries.NAME_TO_ANNOUNCE, organization_id, added.email, now)
    if added.active and name is not None:
        text = ADDED.format(name=name, base=base_url)
        subject = f"{name} added you"
        await enqueue_mail(db, to=added.email, subject=subject, text=text, now=now, organization_id=organization_id)


async def adopt(
    db: Connection, person_id: UUID, now: datetime, *, except_key: UUID | None = None, with_identities: bool = True
) -> bool:
    """Hand the account over to the person who verified its address: end the credentials that it had before.

    Args:
        except_key: the key or session to keep, if the verification came with one.
        with_identities: whether the identities at the provider end too.

    Returns:
        False if the address was verified before; nothing changes then.
    """
    await db.execute(people.LOCK, person_id)
    if await db.fetchval(people.MARK_PROVEN, person_id, now) is None:
        return False
    await hand_over(db, person_id, now, except_key=except_key, with_identities=with_identities)
    return True


async def reopen(db: Connection, person_id: UUID, now: datetime) -> bool:
    """Let the owner of an account that works nowhere accept by verifying its address: nothing else could let them in.

    They join the organization that added the account first, and may have to verify an address that was verified before,
    because it may have another owner since then. Return False for an account that works or that none has added.
    """
    await db.execute(people.LOCK, person_id)
    organization_id = await db.fetchval(pending_queries.WAITS_FOR_OWNER, person_id)
    if organization_id is None:
        return False
    await db.execute(people.FORGET_PROOF, person_id)
    await adopt(db, person_id, now)
    await db.execute(pending_queries.ACCEPT_PENDING, person_id, organization_id)
    return True


async def hand_over(
    db: Connection, person_id: UUID, now: datetime, *, except_key: UUID | None = None, with_identities: bool = True
) -> None:
    """End everything with which anyone could act as a person, except the key `except_key`."""
    await end_credentials(db, person_id, now, except_key=except_key)
    if with_identities:
        await db.execute(people.END_IDENTITIES, person_id)


async def end_credentials(
    db: Connection, person_id: UUID, now: datetime, *, except_key: UUID | None = None, with_password: bool = True
) -> None:
    """Revoke the keys, sessions, password and links of a person, on every process, except the key `except_key`."""
    await db.execute(people.END_KEYS, person_id, now, except_key)
    await db.execute(people.END_LINKS, person_id, now)
    if with_password:
        await db.execute(people.FORGET_HASH, person_id)
