"""`/v1/invitations`: preview an invitation, and accept it, with a key for the API or a password to sign in with."""

from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import NOBODY, Call, Caller, require_person
from atrium.kit.clock import Clock
from atrium.kit.errors import invalid_field
from atrium.kit.http.origin import require_same_origin
from atrium.kit.http.request import Body, Content
from atrium.kit.http.responses import AfterCommit, WithHeaders
from atrium.kit.postgres.database import Pool, connection
from atrium.kit.text.types import ActorId, Name, OrganizationId
from atrium.organizations.invitations import preview_invitation as preview_invitation_of
from atrium.organizations.invitations import require_invitation
from atrium.organizations.model import InvitationPreview
from atrium.sessions import invitations, passwords
from atrium.sessions.actions import create_session
from atrium.sessions.cookies import session_cookie
from atrium.sessions.model import NewPassword, Way


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


async def preview_invitation(call: Call, body: Content[InvitationToken]) -> PreviewedInvitation:
    """Read an invitation with its token: the organization, the inviter, the invited address, and whether it can be
    accepted. Every unknown token gets the same 404."""
    return PreviewedInvitation(await preview_invitation_of(call.db, body.content.token, call.now))


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
    organization_id, account = await invitations.accept_invitation(call, body.content.token, body.content.name, caller)
    key = await invitations.issue_first_key(call, account) if caller is None else None
    return _respond_with(WithHeaders(AcceptedInvitation(organization_id, account.person_id, key)))


async def _with_password(
    call: Call, content: InvitationAccept, password: str, caller: Caller | None
) -> AfterCommit[WithHeaders[AcceptedInvitation]]:
    if caller is not None:
        raise invalid_field("/content/password", "is only for new accounts; you are already signed in")
    require_same_origin(call.headers, call.settings)
    await require_invitation(call.db, content.token, call.now)

    async def produce(pool: Pool, _clock: Clock) -> WithHeaders[AcceptedInvitation]:
        fresh = await passwords.hash_password(password)
        async with connection(pool, writing=True) as db:
            present = replace(call, db=db)
            organization_id, account = await invitations.accept_invitation(
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
