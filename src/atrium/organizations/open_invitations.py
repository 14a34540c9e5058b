"""When an invitation can be accepted: conditions for the statements that read invitations as `i`."""

# The inviter may still give its role, as `require_may_assign` has it. The command line has no account, and gives any.
IS_BACKED = """(i.invited_by is null or exists (
    select from memberships inviter
    where inviter.organization_id = i.organization_id and inviter.actor_id = i.invited_by
      and inviter.deactivated_at is null
      and (inviter.role = 'super_admin' or inviter.role = 'admin' and i.role not in ('admin', 'super_admin'))))"""

# $2 is the current time.
IS_OPEN = f"i.accepted_at is null and i.expires_at > $2 and {IS_BACKED}"
