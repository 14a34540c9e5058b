"""The SQL of keys."""

# Parameters: $1 api_key_id, $2 actor_id, $3 name, $4 key_hash, $5 last_four, $6 created_by, $7 created_at,
# $8 expires_at, $9 scopes, $10 allowed_networks
ADD = """
insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_by, created_at, expires_at, scopes,
                      allowed_networks)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text[]::cidr[])
"""

# Parameters: $1 api_key_id, $2 key_hash, $3 last_four, $4 expires_at, $5 now
REPLACE = """
update api_keys set key_hash = $2, last_four = $3, expires_at = $4, expiry_mailed_at = $5, issued_at = $5
where api_key_id = $1 and revoked_at is null
"""

# Parameters: $1 api_key_id, $2 revoked_at
REVOKE = "update api_keys set revoked_at = $2 where api_key_id = $1 and revoked_at is null"

# Parameters: $1 api_key_id, $2 organization_id
BAR = "update api_keys set barred_in = array_append(barred_in, $2) where api_key_id = $1 and revoked_at is null"

# Parameters: $1 api_key_id, $2 now, $3 expires_at, $4 scopes, $5 allowed_networks
SET_LIMITS = """
update api_keys set expires_at = $3, scopes = $4, allowed_networks = $5::text[]::cidr[],
                    expiry_mailed_at = case when expires_at is distinct from $3 then $2 else expiry_mailed_at end
where api_key_id = $1 and revoked_at is null
"""

# Nobody else changes the key until the transaction ends: limits that two requests narrow are narrowed by both.
# Parameters: $1 api_key_id
LOCK = "select from api_keys where api_key_id = $1 for no key update"

# Parameters: $1 api_key_id, $2 name
RENAME = "update api_keys set name = $2 where api_key_id = $1"

# Parameters: $1 api_key_id
# Returns: expires_at, scopes, allowed_networks
LIMITS_OF_KEY = """
select expires_at, scopes, allowed_networks::text[] from api_keys where api_key_id = $1 and not is_session
"""

# Parameters: $1 api_key_id
# Returns: is_session
IS_SESSION = "select is_session from api_keys where api_key_id = $1"

# Parameters: $1 api_key_id
# Returns: is_revoked
IS_REVOKED = "select revoked_at is not null as is_revoked from api_keys where api_key_id = $1"

# Parameters: $1 key_hash, $2 now
# Returns: actor_id, api_key_id
ACTOR_OF_KEY = """
select actor_id, api_key_id from api_keys
where key_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)
"""

# Rows that name the actor can be added meanwhile.
# Parameters: $1 actor_id
LOCK_OWNER = "select from actors where actor_id = $1 for no key update"

# Parameters: $1 actor_id
# Returns: count
COUNT_KEYS = "select count(*) from api_keys where actor_id = $1 and revoked_at is null and not is_session"

# Parameters: $1 actor_id, $2 revoked_at
# Returns: api_key_id, name
REVOKE_PERSONAL_KEYS = """
update api_keys set revoked_at = $2 where actor_id = $1 and revoked_at is null and not is_session
returning api_key_id, name
"""

# Parameters: $1 actor_id, $2 the last api_key_id of the previous page, $3 limit
# Returns: api_key_id, name, last_four, created_at, expires_at, last_used_at, scopes, allowed_networks
PERSONAL_KEYS = """
select api_key_id, name, last_four, created_at, expires_at, last_used_at, scopes,
       allowed_networks::text[]
from api_keys
where actor_id = $1 and revoked_at is null and not is_session and api_key_id > $2
order by api_key_id limit $3
"""

# Parameters: $1 actor_id, $2 api_key_id
# Returns: api_key_id, name, last_four, created_at, expires_at, last_used_at, scopes, allowed_networks
PERSONAL_KEY = """
select api_key_id, name, last_four, created_at, expires_at, last_used_at, scopes,
       allowed_networks::text[]
from api_keys
where actor_id = $1 and revoked_at is null and not is_session and api_key_id = $2
"""

# A key was not used in the part of its first minute before it was created.
# A use that is further ahead than clocks may differ was stored before the clock was set back.
# Parameters: $1 api_key_ids, $2 last_used_at (a full minute)
RECORD_USE = """
update api_keys set last_used_at = greatest($2, created_at)
where api_key_id = any($1::uuid[]) and (
    last_used_at is null or last_used_at not between $2 and $2::timestamptz + interval '2 minutes')
"""

# No policy for keys of the actor is set until the transaction ends.
# Parameters: $1 actor_id
LOCK_POLICIES = """
select from organizations o join memberships m using (organization_id)
where m.actor_id = $1 and m.deactivated_at is null
order by o.organization_id for share of o
"""

# No policy of the organization is set until the transaction ends.
# Parameters: $1 organization_id
LOCK_POLICY = "select from organizations where organization_id = $1 for share"

# The organizations in which the key's actor is active, and why the rules of each for new keys do not allow the key.
# Parameters: $1 api_key_id
# Returns: organization_id, reasons
REASONS_AGAINST_KEY = """
select m.organization_id,
       key_policy_reasons(p.rules, a.kind, m.role, coalesce(k.issued_at, k.created_at), k.expires_at,
                          k.allowed_networks) as reasons
from api_keys k join actors a using (actor_id) join memberships m using (actor_id)
left join key_policies p using (organization_id)
where k.api_key_id = $1 and m.deactivated_at is null
"""

# The rules for new keys of the organizations in which a person is active, without those that allow no personal key of
# theirs, each once.
# Parameters: $1 actor_id
# Returns: max_lifetime_days, require_networks
RULES_FOR_PERSON = """
select distinct (p.rules).max_lifetime_days, coalesce((p.rules).require_networks, false) as require_networks
from memberships m left join key_policies p using (organization_id)
where m.actor_id = $1 and m.deactivated_at is null
  and 'personal_keys' <> all(key_policy_reasons(p.rules, 'person', m.role, null, null, null))
order by max_lifetime_days, require_networks
"""

# Parameters: $1 api_key_id
# Returns: is_key_under_policy
IS_KEY_UNDER_POLICY = """
select not k.is_session and exists (
           select from memberships m join key_policies p using (organization_id)
           where m.actor_id = k.actor_id and m.deactivated_at is null) as is_key_under_policy
from api_keys k where k.api_key_id = $1
"""
