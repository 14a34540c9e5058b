"""The SQL of pending memberships."""

# Parameters: $1 actor_id, $2 organization_id, $3 role, $4 created_at, $5 pending_name, $6 pending_email,
# $7 active_when_proven
ADD_PENDING = """
insert into memberships (actor_id, organization_id, role, created_at, deactivated_at, pending_name, pending_email,
                         active_when_proven)
values ($1, $2, $3, $4, $4, $5, $6, $7)
on conflict (actor_id, organization_id) do nothing
"""

# The organization's name, unless it has sent mail to this address within a day.
# Parameters: $1 organization_id, $2 email, $3 now
# Returns: name
NAME_TO_ANNOUNCE = """
select name from organizations o
where organization_id = $1 and not exists (
    select from mails m where m.organization_id = $1 and lower(recipient) = lower($2)
    and m.created_at > $3::timestamptz - interval '1 day')
"""

# The pending memberships that their person can accept: the organization gave the address that the account has. Only
# ASCII letters are compared without case, as when people sign in.
_ACCEPTABLE = """m.active_when_proven and p.person_id = m.actor_id
  and lower(p.email collate "C") = lower(m.pending_email collate "C")"""

# Parameters: $1 actor_id, $2 the last organization_id of the previous page, $3 limit
# Returns: organization_id, name, created_at
PENDING = f"""
select organization_id, o.name, m.created_at
from memberships m join organizations o using (organization_id), people p
where m.actor_id = $1 and organization_id > $2 and {_ACCEPTABLE}
order by organization_id limit $3
"""

# Parameters: $1 actor_id, $2 organization_id
# Returns: role
ACCEPT_PENDING = f"""
update memberships m set deactivated_at = null, active_when_proven = null, pending_name = null, pending_email = null
from people p where m.actor_id = $1 and m.organization_id = $2 and {_ACCEPTABLE}
returning m.role
"""

# Parameters: $1 actor_id, $2 organization_id, $3 now
# Returns: pending_name
DECLINE_PENDING = """
update memberships set active_when_proven = false, deactivated_at = $3
where actor_id = $1 and organization_id = $2 and active_when_proven
returning pending_name
"""

# The organization that was the first to add an account that works nowhere.
# Parameters: $1 actor_id
# Returns: organization_id
WAITS_FOR_OWNER = f"""
select m.organization_id from memberships m, people p
where m.actor_id = $1 and {_ACCEPTABLE}
  and not exists (select from memberships other where other.actor_id = $1 and other.deactivated_at is null)
order by m.created_at, m.organization_id limit 1
"""

# Whether the address of a person was verified, or the session of this request began with a proof of it: by an identity
# at the provider, or by an emailed link.
# Parameters: $1 person_id, $2 api_key_id
# Returns: is_proven, is_proven_by_session, is_by_identity
PROOF = """
select p.mailbox_proven_at is not null as is_proven,
       coalesce(lower(s.proven_email collate "C") = lower(p.email collate "C"), false) as is_proven_by_session,
       coalesce(s.signed_in_by = 'oidc', false) as is_by_identity
from people p left join sessions s on s.session_id = $2
where p.person_id = $1
"""
