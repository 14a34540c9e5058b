"""When an invitation can be accepted, and what its token proves: conditions for the statements that read invitations as
`i`."""

# The inviter may still give its role, as `require_may_assign` has it. The command line has no account, and gives any.
IS_BACKED = """(i.invited_by is null or exists (
    select from memberships inviter
    where inviter.organization_id = i.organization_id and inviter.actor_id = i.invited_by
      and inviter.deactivated_at is null
      and (inviter.role = 'super_admin' or inviter.role = 'admin' and i.role not in ('admin', 'super_admin'))))"""

# The holder of the token whose hash is $1 reads the mail of the invited address, or has it from the operator.
IS_PROOF = "(coalesce(i.mail_token_hash = $1, false) or i.invited_by is null)"

# $2 is the current time.
IS_OPEN = f"i.accepted_at is null and i.expires_at > $2 and {IS_BACKED}"
