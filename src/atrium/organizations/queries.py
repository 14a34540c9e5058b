"""The SQL of organizations and their members."""

# Parameters: $1 organization_id, $2 name, $3 created_at
ADD = "insert into organizations (organization_id, name, created_at) values ($1, $2, $3)"

# Parameters: $1 organization_id, $2 actor_id
# Returns: organization_id, name, created_at, role
REACH = """
select o.organization_id, o.name, o.created_at, m.role
from organizations o join memberships m using (organization_id)
where o.organization_id = $1 and m.actor_id = $2 and m.deactivated_at is null
"""

# Parameters: $1 organization_id, $2 name
RENAME = "update organizations set name = $2 where organization_id = $1"

# `imported`: came with imported history, and can still be invited, as in MEMBER_WITH_EMAIL. People whose membership is
# pending are shown with the name and the address that the organization gave.
# Parameters: $1 organization_id, $2 the last person_id of the previous page, $3 limit
# Returns: person_id, name, email, role, active, created_at, imported
MEMBERS = """
select person_id, coalesce(m.pending_name, a.name) as name,
       case when m.active_when_proven is null then p.email else m.pending_email end as email, m.role,
       m.deactivated_at is null as active, m.created_at,
       person_id in (select internal_id from imported where scope_id = $1 and source = 'slack/people')
       and (m.active_when_proven is not null or p.signed_in_at is null
            and not exists (select from api_keys k where k.actor_id = person_id)) as imported
from memberships m join people p on p.person_id = m.actor_id join actors a on a.actor_id = m.actor_id
where m.organization_id = $1 and person_id > $2
order by person_id limit $3
"""

# Parameters: $1 organization_id, $2 person_id
# Returns: person_id, name, email, role, active, created_at, imported
MEMBER = """
select person_id, coalesce(m.pending_name, a.name) as name,
       case when m.active_when_proven is null then p.email else m.pending_email end as email, m.role,
       m.deactivated_at is null as active, m.created_at,
       person_id in (select internal_id from imported where scope_id = $1 and source = 'slack/people')
       and (m.active_when_proven is not null or p.signed_in_at is null
            and not exists (select from api_keys k where k.actor_id = person_id)) as imported
from memberships m join people p on p.person_id = m.actor_id join actors a on a.actor_id = m.actor_id
where m.organization_id = $1 and person_id = $2
"""

# A removed person is known by the audit entry of the removal.
# Parameters: $1 organization_id, $2 actor_ids, $3 with role and email
# Returns: actor_id, actor_type, name, active, imported, role, email
ACTORS = """
select a.actor_id, a.kind as actor_type, coalesce(m.pending_name, a.name) as name,
       m.actor_id is not null and m.deactivated_at is null as active,
       p.person_id is not null
       and a.actor_id in (select internal_id from imported where scope_id = $1 and source = 'slack/people')
       and (m.active_when_proven is not null or p.signed_in_at is null
            and not exists (select from api_keys k where k.actor_id = a.actor_id)) as imported,
       case when $3::bool then m.role end as role,
       case when $3 then case when m.active_when_proven is null then p.email else m.pending_email end end as email
from actors a
left join memberships m on m.organization_id = $1 and m.actor_id = a.actor_id
left join people p on p.person_id = m.actor_id
where a.actor_id = any($2::uuid[])
  and (m.actor_id is not null
       or exists (select from audit_entries e where e.organization_id = $1 and e.target_id = a.actor_id
                  and e.action = 'member.removed'))
order by a.actor_id
"""

# Serializes changes of the last super_admins.
# Parameters: $1 organization_id
LOCK = "select from organizations where organization_id = $1 for update"

# Wait until changes of members are complete, because a row that names the organization waits for them anyway. Others
# may do the same at the same time.
# Parameters: $1 organization_id
LOCK_FOR_NEW = "select from organizations where organization_id = $1 for key share"

# People only: an integration that is super_admin can be revoked, and no one can sign in as it.
# Parameters: $1 organization_id, $2 actor_id that does not count
# Returns: count
OTHER_SUPER_ADMINS = """
select count(*) from memberships join people on person_id = actor_id
where organization_id = $1 and actor_id <> $2 and role = 'super_admin' and deactivated_at is null
"""

# Parameters: $1 actor_id, $2 organization_id, $3 role, $4 created_at, $5 deactivated_at
ADD_MEMBER = """
insert into memberships (actor_id, organization_id, role, created_at, deactivated_at) values ($1, $2, $3, $4, $5)
on conflict (actor_id, organization_id) do nothing
"""

# Parameters: $1 organization_id, $2 actor_id, $3 role, $4 is active, $5 now
CHANGE_MEMBER = """
update memberships
set role = $3, active_when_proven = case when active_when_proven is not null then $4::boolean end,
    deactivated_at = case when not $4 or active_when_proven is not null then coalesce(deactivated_at, $5) end
where organization_id = $1 and actor_id = $2
"""

# The state of an account before it joins. Memberships that are pending elsewhere do not count. Of an unused account no
# one has ever had a key or signed in.
# Parameters: $1 actor_id, $2 organization_id
# Returns: is_member, is_elsewhere, works, is_unused
ACCOUNT_STATE = """
select exists (select from memberships where actor_id = $1 and organization_id = $2) as is_member,
       exists (select from memberships where actor_id = $1 and organization_id <> $2
               and active_when_proven is null) as is_elsewhere,
       exists (select from memberships where actor_id = $1 and deactivated_at is null) as works,
       signed_in_at is null and not exists (select from api_keys where actor_id = $1) as is_unused
from people where person_id = $1
"""

# The state of a membership; of a pending one, the state that it will have.
# Parameters: $1 organization_id, $2 actor_id
# Returns: is_active
TO_BE_ACTIVE = """
select coalesce(active_when_proven, deactivated_at is null) as is_active from memberships
where organization_id = $1 and actor_id = $2
"""

# Whether an account whose address is not verified joins an organization that it does not belong to yet.
# Parameters: $1 actor_id, $2 organization_id
# Returns: joins_unproven
JOINS_UNPROVEN = """
select mailbox_proven_at is null
   and not exists (select from memberships where actor_id = $1 and organization_id = $2 and active_when_proven is null)
       as joins_unproven
from people where person_id = $1
"""

# Parameters: $1 person_id, $2 email
# Returns: exists
IS_ADDRESS_OF = """
select exists (select from people where person_id = $1 and lower(email) = lower($2)
               and lower(email collate "C") = lower($2 collate "C"))
"""

# Parameters: $1 organization_id, $2 actor_id, $3 role
REINSTATE = """
update memberships
set role = $3, deactivated_at = null, active_when_proven = null, pending_name = null, pending_email = null
where organization_id = $1 and actor_id = $2 and deactivated_at is not null
"""

# Parameters: $1 organization_id, $2 actor_id
REMOVE_MEMBER = "delete from memberships where organization_id = $1 and actor_id = $2"

# Parameters: $1 organization_id, $2 actor_id
REMOVE_GRANTS = """
delete from space_grants
where actor_id = $2 and space_id in (select space_id from spaces where organization_id = $1)
"""

# An imported person who has never had a key or signed in can still be invited, and so can one whose membership is
# pending.
# Parameters: $1 organization_id, $2 email
# Returns: role, claimed
MEMBER_WITH_EMAIL = """
select m.role, m.active_when_proven is null
       and (p.signed_in_at is not null or exists (select from api_keys k where k.actor_id = p.person_id)) as claimed
from memberships m join people p on p.person_id = m.actor_id
where m.organization_id = $1 and lower(p.email) = lower($2)
"""

# An admin reads the mail to an address: the links in it prove nothing, and neither does what was proven before.
# Parameters: $1 email
END_PROOF = """
with invited as (
    update invitations set mail_token_hash = null where lower(email) = lower($1) and mail_token_hash is not null
), signed_in as (
    update sessions set proven_email = null where lower(proven_email) = lower($1)
)
update people set mailbox_proven_at = null where lower(email) = lower($1) and mailbox_proven_at is not null
"""

# Mail to people who belong, or are invited, to this organization and no other, with at most the role of the caller, and
# about no other organization. Pending memberships do not count, and neither do another organization's invitations of a
# member: any organization can give one to any address.
# Parameters: $1 organization_id, $2 role of the caller, $3 now, $4 the last mail_id of the previous page, $5 limit,
# $6 mail_id or null
# Returns: mail_id, to, subject, text, created_at, sent_at, next_attempt_at, last_error, state
MAILS = """
select mail_id, recipient as to, subject, body as text, created_at, sent_at, next_attempt_at, last_error,
       case when sent_at is not null then 'sent' when next_attempt_at is null then 'refused' else 'waiting' end as state
from mails
cross join lateral (
    select exists (select from people p join memberships m on m.actor_id = p.person_id
                   where lower(p.email) = lower(recipient) and m.organization_id = $1
                     and m.active_when_proven is null) as is_member) of
where mail_id < $4 and ($6::uuid is null or mail_id = $6)
  and (mails.organization_id is null or mails.organization_id = $1)
  and (of.is_member
       or exists (select from invitations i where lower(i.email) = lower(recipient) and i.organization_id = $1))
  and not exists (select from people p join memberships m on m.actor_id = p.person_id
                  where lower(p.email) = lower(recipient) and m.active_when_proven is null
                    and (m.organization_id <> $1 or m.role > $2))
  and not exists (select from invitations i
                  where lower(i.email) = lower(recipient) and i.accepted_at is null and i.expires_at > $3
                    and case when i.organization_id = $1 then i.role > $2 else not of.is_member end)
order by mail_id desc limit $5
"""

# Returns: organization_id, name, created_at
EVERY_ORGANIZATION = "select organization_id, name, created_at from organizations order by organization_id"

# By id or email address.
# Parameters: $1 organization_id, $2 person_id or email
# Returns: person_id
MEMBER_BY_ID_OR_EMAIL = """
select person_id from memberships join people on person_id = actor_id
where organization_id = $1 and (person_id::text = lower($2) or lower(email) = lower($2))
"""

# The personal keys of the members of an organization, to which MEMBER_KEYS and MEMBER_KEY add which of them.
_MEMBER_KEYS = """
select k.api_key_id, k.name, k.last_four, k.created_at, k.expires_at, k.last_used_at, k.scopes,
       k.allowed_networks::text[], p.person_id, a.name as person_name
from memberships m join people p on p.person_id = m.actor_id join actors a on a.actor_id = m.actor_id
join api_keys k on k.actor_id = m.actor_id
where m.organization_id = $1 and m.deactivated_at is null and k.revoked_at is null and not k.is_session
  and ($1 = any(k.barred_in)) is not true"""

# Parameters: $1 organization_id, $2 the last api_key_id of the previous page, $3 limit, $4 person_id, null for all
# Returns: api_key_id, name, last_four, created_at, expires_at, last_used_at, scopes, allowed_networks, person_id,
# person_name
MEMBER_KEYS = f"""{_MEMBER_KEYS}
  and k.api_key_id > $2 and ($4::uuid is null or p.person_id = $4)
order by k.api_key_id limit $3
"""

# Parameters: $1 organization_id, $2 api_key_id
# Returns: api_key_id, name, last_four, created_at, expires_at, last_used_at, scopes, allowed_networks, person_id,
# person_name
MEMBER_KEY = f"""{_MEMBER_KEYS}
  and k.api_key_id = $2
"""

# Whether a person belongs to another organization too, active or not. Pending memberships do not count.
# Parameters: $1 organization_id, $2 actor_id
# Returns: exists
BELONGS_ELSEWHERE = """
select exists (select from memberships where actor_id = $2 and organization_id <> $1 and active_when_proven is null)
"""
