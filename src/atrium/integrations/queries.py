"""The SQL of integrations."""

# Triggers note in the membership whether its organization has a key policy (note_key_policy), and tell streams of the
# new access (notify_of_membership, notify_of_grant).
# Parameters: $1 integration_id, $2 organization_id, $3 name, $4 description, $5 role, $6 created_by, $7 now,
# $8 space_ids, $9 the role in each of them
ADD = """
with actor as (
    insert into actors (actor_id, kind, name, created_at) values ($1, 'integration', $3, $7)
), integration as (
    insert into integrations (integration_id, organization_id, description, created_by) values ($1, $2, $4, $6)
), membership as (
    insert into memberships (actor_id, organization_id, role, created_at) values ($1, $2, $5, $7)
)
insert into space_grants (space_id, actor_id, role, created_at)
select space_id, $1, role, $7 from unnest($8::uuid[], $9::space_role[]) given (space_id, role)
"""

# Parameters: $1 actor_id, $2 name
RENAME = "update actors set name = $2 where actor_id = $1"

# Rename the keys that have the integration's name.
# Parameters: $1 integration_id, $2 name, $3 the name until now
RENAME_KEYS = "update api_keys set name = $2 where actor_id = $1 and name = $3 and revoked_at is null"

# Parameters: $1 integration_id, $2 description
DESCRIBE = "update integrations set description = $2 where integration_id = $1"

# Parameters: $1 organization_id, $2 actor_id, $3 role
CHANGE_ROLE = "update memberships set role = $3 where organization_id = $1 and actor_id = $2"

# Parameters: $1 actor_id of the integration, $2 actor_id of the caller, $3 the caller's kind
# Returns: exists
EXCEEDS_ACCESS = """
select exists (
    select from space_grants g join spaces s using (space_id)
    where g.actor_id = $1 and s.deleted_at is null
      and not exists (select from role_in($2, $3, g.space_id) held where held.role >= g.role))
"""

# Parameters: $1 actor_id
WITHDRAW_ALL = "delete from space_grants where actor_id = $1"

# The keys of the integrations of an organization, to which KEYS and KEY add which of them.
_KEYS = """
select k.api_key_id, i.integration_id, i.organization_id, a.name, i.description, m.role as organization_role,
       (select coalesce(json_agg(json_build_object('space_id', g.space_id, 'role', g.role) order by g.space_id), '[]')
        from space_grants g join spaces s using (space_id)
        where g.actor_id = k.actor_id and s.deleted_at is null)::text as spaces,
       k.last_four, k.created_by, k.created_at, k.expires_at, k.last_used_at, k.name as key_name, k.scopes,
       k.allowed_networks::text[]
from api_keys k join integrations i on i.integration_id = k.actor_id join actors a using (actor_id)
join memberships m on m.actor_id = k.actor_id and m.organization_id = i.organization_id
where i.organization_id = $1 and k.revoked_at is null
  and not exists (select from incoming_webhooks w where w.incoming_webhook_id = k.api_key_id)"""

# Parameters: $1 organization_id, $2 the last api_key_id of the previous page, $3 limit, $4 integration_id, null for all
# Returns: api_key_id, integration_id, organization_id, name, description, organization_role, spaces, last_four,
# created_by, created_at, expires_at, last_used_at, key_name, scopes, allowed_networks
KEYS = f"""{_KEYS}
  and k.api_key_id > $2 and ($4::uuid is null or k.actor_id = $4)
order by k.api_key_id limit $3
"""

# Parameters: $1 organization_id, $2 api_key_id
# Returns: api_key_id, integration_id, organization_id, name, description, organization_role, spaces, last_four,
# created_by, created_at, expires_at, last_used_at, key_name, scopes, allowed_networks
KEY = f"""{_KEYS}
  and k.api_key_id = $2
"""

# The organization role of an integration that has keys.
# Parameters: $1 organization_id, $2 integration_id
# Returns: role
ROLE = """
select m.role from memberships m
where m.organization_id = $1 and m.actor_id = $2 and m.deactivated_at is null
  and exists (select from api_keys k where k.actor_id = $2 and k.revoked_at is null
              and not exists (select from incoming_webhooks w where w.incoming_webhook_id = k.api_key_id))
  and exists (select from integrations i where i.integration_id = $2)
"""

# Keys that have begun their last week or their last day, unless a mail said so or their expiry was set since then.
# Concurrent callers get each of them once.
# Parameters: $1 now, $2 limit
# Returns: name, last_four, expires_at, actor_name, organization_id, is_integration, addresses
CLAIM_EXPIRING = """
with ending as (
    select api_key_id from api_keys
    where revoked_at is null and not is_session
      and expiry_mail_is_due(expires_at, coalesce(expiry_mailed_at, created_at), $1)
    order by expires_at, api_key_id limit $2 for no key update skip locked
), claimed as (
    update api_keys k set expiry_mailed_at = $1 from ending where k.api_key_id = ending.api_key_id
    returning k.actor_id, k.name, k.last_four, k.expires_at
)
select claimed.name, claimed.last_four, claimed.expires_at, a.name as actor_name, home.organization_id,
       i.integration_id is not null as is_integration,
       case when home.organization_id is null then '{}'
            when i.integration_id is not null then array(select admin_addresses(home.organization_id))
            else array(select p.email from people p where p.person_id = claimed.actor_id and p.email is not null)
       end as addresses
from claimed join actors a using (actor_id) left join integrations i on i.integration_id = claimed.actor_id
left join lateral (select m.organization_id from memberships m
                   where m.actor_id = claimed.actor_id and m.deactivated_at is null
                   order by m.organization_id limit 1) home on true
"""

# Parameters: $1 api_key_id
# Returns: actor_id, name, organization_id
KEY_OWNER = """
select a.actor_id, a.name, i.organization_id
from api_keys k join actors a using (actor_id) left join integrations i on i.integration_id = a.actor_id
where k.api_key_id = $1 and k.revoked_at is null and not k.is_session
  and not exists (select from incoming_webhooks w where w.incoming_webhook_id = k.api_key_id)
"""
