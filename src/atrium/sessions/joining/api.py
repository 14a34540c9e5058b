"""`/v1/invitations` and `/v1/me/pending-memberships`: join an organization."""

from dataclasses import replace
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import NOBODY, Call, Caller, require_person
from atrium.kit.clock import Clock
from atrium.kit.errors import invalid_field
from atrium.kit.http.origin import require_same_origin
from atrium.kit.http.request import Body, Content, Paging
from atrium.kit.http.responses import AfterCommit, WithHeaders
from atrium.kit.postgres.database import Pool, connection
from atrium.kit.text.types import ActorId, Name, OrganizationId
from atrium.organizations import pending
from atrium.organizations.invitations import reach
from atrium.organizations.membership import Member
from atrium.organizations.model import InvitationPreview
from atrium.organizations.pending import PendingMembership
from atrium.sessions.actions import create_session
from atrium.sessions.cookies import session_cookie
from atrium.sessions.joining import actions
from atrium.sessions.model import NewPassword, Way
from atrium.sessions.passwords import hashing


class InvitationAccept(Body):
    """The token of an invitation, a name, and, to sign in with a browser, a password for the new account."""

    token: Annotated[str, Meta(min_length=1, max_length=200)]
    name: Name
    password: NewPassword | None = None


class AcceptedInvitation(Struct, frozen=True):
    """The account and its first personal key, which is shown only once; null with a password, for an existing account,
    or if the key policy does not allow it."""

    organization_id: OrganizationId
    person_id: ActorId
    key: Annotated[str | None, Meta(examples=["atrp_4fGh1kLm9pQrStUvWxYz0123456789AbCdEf"])]


class InvitationToken(Body):
    """The token of an invitation."""

    token: Annotated[str, Meta(min_length=1, max_length=200)]


class PreviewedInvitation(Struct, frozen=True):
    """An invitation, for the holder of its token."""

    invitation: InvitationPreview


class PendingMembershipList(Struct, frozen=True):
    """A page of pending memberships."""

    pending_memberships: list[PendingMembership]
    next_cursor: str | None


class AcceptedMembership(Struct, frozen=True):
    """Your membership, which is active now."""

    member: Member


async def preview_invitation(call: Call, body: Content[InvitationToken]) -> PreviewedInvitation:
    """Read an invitation with its token: the organization, the inviter, the invited address, and whether it can be
    accepted. Every unknown token gets the same 404."""
    return PreviewedInvitation(await reach.preview_invitation(call.db, body.content.token, call.now))


async def accept_invitation(
    call: Call, body: Content[InvitationAccept]
) -> AfterCommit[WithHeaders[AcceptedInvitation]]:
    """Accept an invitation with its token.

    Without a key, this creates an account. With a password, the response sets a session cookie; otherwise it contains
    the first personal key, unless the key policy of the organization does not allow it: then sign in by a link. To join
    with an existing account, send your personal key, which must have no scopes, or sign in first.
    """
    caller = None if call.caller is NOBODY else call.caller
    if caller is not None:
        require_person(call.caller)
        call.caller.require_no_scopes()
        call.caller.require_not_barred_anywhere()
    if body.content.password is not None:
        return await _with_password(call, body.content, body.content.password, caller)
    organization_id, account = await actions.accept_invitation(call, body.content.token, body.content.name, caller)
    key = await actions.issue_first_key(call, account) if caller is None else None
    return _respond_with(WithHeaders(AcceptedInvitation(organization_id, account.person_id, key)))


async def _with_password(
    call: Call, content: InvitationAccept, password: str, caller: Caller | None
) -> AfterCommit[WithHeaders[AcceptedInvitation]]:
    if caller is not None:
        raise invalid_field("/content/password", "is only for new accounts; you are already signed in")
    require_same_origin(call.headers, call.settings)
    await reach.require_invitation(call.db, content.token, call.now)

    async def produce(pool: Pool, _clock: Clock) -> WithHeaders[AcceptedInvitation]:
        fresh = await hashing.hash_password(password)
        async with connection(pool, writing=True) as db:
            present = replace(call, db=db)
            organization_id, account = await actions.accept_invitation(
                present, content.token, content.name, None, password_hash=fresh
            )
            created = await create_session(present, account, Way.INVITATION)
        accepted = AcceptedInvitation(organization_id, account.person_id, None)
        return WithHeaders(accepted, *session_cookie(created.token, call.settings))

    return AfterCommit(produce)


def _respond_with(answer: WithHeaders[AcceptedInvitation]) -> AfterCommit[WithHeaders[AcceptedInvitation]]:
    async def produce(_pool: Pool, _clock: Clock) -> WithHeaders[AcceptedInvitation]:
        return answer

    return AfterCommit(produce)


async def list_pending_memberships(call: Call, query: Paging) -> PendingMembershipList:
    """List the organizations that have added your account, and wait for your answer."""
    return PendingMembershipList(*await pending.list_pending(call, query))


async def accept_pending_membership(call: Call, organization_id: UUID) -> AcceptedMembership:
    """Join an organization that has added your account. Its rules then hold for your keys, and its admins see them.

    Your address must be verified, or the session must have begun with an emailed link or through the identity provider.
    In the second case, your other sessions, your keys and your password end: someone else may have created them.
    """
    return AcceptedMembership(await actions.accept_pending(call, organization_id))


async def decline_pending_membership(call: Call, organization_id: UUID) -> None:
    """Decline to join an organization that has added your account. Its directory then shows you as inactive; if it
    activates you again, you are asked again."""
    await pending.decline_pending(call, organization_id)
