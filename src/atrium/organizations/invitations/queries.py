"""The SQL of invitations."""

from atrium.organizations.invitations.conditions import IS_BACKED, IS_OPEN, IS_PROOF

# The role and state of the membership that an invitation may reactivate, locked until the end of the transaction.
# Parameters: $1 organization_id, $2 actor_id
# Returns: role, active
INVITED_MEMBERSHIP = """
select role, deactivated_at is null as active from memberships where organization_id = $1 and actor_id = $2 for update
"""

# The inviter's current role. The command line has no account and counts as a super_admin.
# Parameters: $1 organization_id, $2 actor_id or null
# Returns: role
ROLE_OF_INVITER = """
select case when $2::uuid is null then 'super_admin' else
    (select role from memberships where organization_id = $1 and actor_id = $2 and deactivated_at is null) end
"""

# Parameters: $1 invitation_id, $2 organization_id, $3 email, $4 role, $5 token_hash, $6 invited_by, $7 created_at,
# $8 expires_at, $9 mail_token_hash
ADD_INVITATION = """
insert into invitations (invitation_id, organization_id, email, role, token_hash, invited_by, created_at, expires_at,
                         mail_token_hash)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""

# The spaces of an organization, of those given, that the actor is admin of.
# Parameters: $1 organization_id, $2 actor_id, $3 actor's kind, $4 space_ids
# Returns: space_id
MANAGED_SPACES = """
select s.space_id from spaces s join lateral role_in($2, $3, s.space_id) own on own.role = 'admin'
where s.organization_id = $1 and s.space_id = any($4::uuid[])
"""

# Parameters: $1 invitation_id, $2 space_id, $3 role
ADD_INVITATION_SPACE = "insert into invitation_spaces (invitation_id, space_id, role) values ($1, $2, $3)"

# Grant the roles of an invitation in spaces. Its inviter is an admin of the organization, and so of every space. A
# higher role is kept.
# Parameters: $1 invitation_id, $2 actor_id, $3 now
# Returns: space_id, name, before, after
GRANT_INVITED = """
insert into space_grants (space_id, actor_id, role, created_at)
select g.space_id, $2, g.role, $3
from invitation_spaces g join spaces s using (space_id)
where g.invitation_id = $1 and s.deleted_at is null
on conflict (space_id, actor_id) do update set role = greatest(space_grants.role, excluded.role)
returning space_id, (select s.name from spaces s where s.space_id = space_grants.space_id) as name,
          (select g.role from space_grants g where g.space_id = space_grants.space_id and g.actor_id = $2) as before,
          role as after
"""

# The invitation as shown to the holder of its token, in any state. `has_account` and `name` are set while it is
# pending. `has_account`: the address has an account that the token does not open (as in ACCOUNT_STATE); `name`: of an
# account that was prepared in this organization.
# Parameters: $1 token_hash, $2 now
# Returns: organization_name, invited_by, email, role, expires_at, state, has_account, name
INVITATION_PREVIEW = f"""
select o.name as organization_name, inviter.name as invited_by, i.email, i.role, i.expires_at, known.state,
       known.state = 'pending' and coalesce(account.is_claimed, false) as has_account,
       case when known.state = 'pending' and not account.is_claimed and account.is_here then account.name end as name
from invitations i join organizations o using (organization_id)
left join actors inviter on inviter.actor_id = i.invited_by
join lateral (select case when i.accepted_at is not null then 'accepted' when i.revoked_at is not null then 'revoked'
                          when i.expires_at <= $2 then 'expired' when {IS_BACKED} then 'pending'
                          else 'revoked' end as state) known on true
left join lateral (
    select coalesce(here.pending_name, a.name) as name, here.actor_id is not null as is_here,
           (p.signed_in_at is not null or exists (select from api_keys k where k.actor_id = p.person_id)
            or exists (select from memberships m where m.actor_id = p.person_id
                       and m.organization_id <> i.organization_id and m.active_when_proven is null))
           and (not {IS_PROOF} or exists (select from memberships m where m.actor_id = p.person_id
                                          and m.deactivated_at is null)) as is_claimed
    from people p join actors a on a.actor_id = p.person_id
    left join memberships here on here.actor_id = p.person_id and here.organization_id = i.organization_id
    where lower(p.email) = lower(i.email)) account on true
where i.token_hash = $1 or i.mail_token_hash = $1
"""

# A removed person cannot come back through an earlier invitation.
# Parameters: $1 organization_id, $2 person_id, $3 now
END_INVITATIONS = """
update invitations set expires_at = $3, revoked_at = $3
where organization_id = $1 and accepted_at is null and expires_at > $3
  and lower(email) = (select lower(email) from people where person_id = $2)
"""

# Parameters: $1 token_hash, $2 now
# Returns: invitation_id
INVITATION = f"select invitation_id from invitations i where (token_hash = $1 or mail_token_hash = $1) and {IS_OPEN}"

# Everything else that changes members locks their organization first.
# Parameters: $1 token_hash
LOCK_ORGANIZATION = """
select from organizations
where organization_id = (select organization_id from invitations where token_hash = $1 or mail_token_hash = $1)
for key share
"""

# Parameters: $1 token_hash, $2 accepted_at
# Returns: invitation_id, organization_id, email, role, invited_by, by_mail, is_proof
TAKE_INVITATION = f"""
update invitations i set accepted_at = $2
where (token_hash = $1 or mail_token_hash = $1) and {IS_OPEN}
returning invitation_id, organization_id, email, role, invited_by, coalesce(mail_token_hash = $1, false) as by_mail,
          {IS_PROOF} as is_proof
"""

# Invitations with their spaces.
# Returns: invitation_id, organization_id, email, role, created_at, expires_at, spaces
INVITATIONS = """select invitation_id, organization_id, email, role, created_at, expires_at,
       (select coalesce(json_agg(json_build_object('space_id', g.space_id, 'role', g.role) order by g.space_id), '[]')
        from invitation_spaces g join spaces s using (space_id)
        where g.invitation_id = i.invitation_id and s.deleted_at is null)::text as spaces
from invitations i
"""

# Parameters: $1 organization_id, $2 now, $3 the last invitation_id of the previous page, $4 limit
# Returns: invitation_id, organization_id, email, role, created_at, expires_at, spaces
OPEN_INVITATIONS = f"""
{INVITATIONS}where organization_id = $1 and {IS_OPEN} and invitation_id > $3
order by invitation_id limit $4
"""

# Parameters: $1 organization_id, $2 now, $3 invitation_id
# Returns: invitation_id, organization_id, email, role, created_at, expires_at, spaces
OPEN_INVITATION = f"""
{INVITATIONS}where organization_id = $1 and {IS_OPEN} and invitation_id = $3
for update
"""

# The open invitations of an organization to one mailbox. Those of earlier releases may be several.
# Parameters: $1 organization_id, $2 now, $3 email
# Returns: invitation_id, organization_id, email, role, created_at, expires_at, spaces
OPEN_INVITATIONS_TO = f"""
{INVITATIONS}where organization_id = $1 and {IS_OPEN} and lower(email collate "C") = lower($3::text collate "C")
order by invitation_id
for update
"""

# Parameters: $1 invitation_id, $2 now
END_INVITATION = "update invitations set expires_at = $2, revoked_at = $2 where invitation_id = $1"

# Delete invitations that ended long ago: accepted, revoked or expired.
# Parameters: $1 latest end
DELETE_OLD = """
with ended as (
    select invitation_id from invitations where least(accepted_at, revoked_at, expires_at) < $1
), spaces_of as (
    delete from invitation_spaces where invitation_id in (select invitation_id from ended)
)
delete from invitations where invitation_id in (select invitation_id from ended)
"""

# Parameters: $1 api_key_id, of a key or a session; $2 now
# Returns: exists
KEY_WORKS = """
select exists (
    select from api_keys where api_key_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2))
"""
