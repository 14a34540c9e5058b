"""The SQL of key policies."""

# Parameters: $1 organization_id
# Returns: max_lifetime_days, personal_keys, require_networks, set_at, enforce_at, enforced_lifetime_days,
# enforced_personal_keys, enforced_networks, earlier
POLICY = """
select max_lifetime_days, personal_keys, require_networks, set_at, enforce_at, enforced_lifetime_days,
       enforced_personal_keys, enforced_networks, earlier
from key_policies where organization_id = $1
"""

# Parameters: $1 organization_id, $2 max_lifetime_days, $3 personal_keys, $4 require_networks, $5 set_at, $6 enforce_at,
# $7 enforced_lifetime_days, $8 enforced_personal_keys, $9 enforced_networks, $10 earlier
SET = """
insert into key_policies (organization_id, max_lifetime_days, personal_keys, require_networks, set_at, enforce_at,
                          enforced_lifetime_days, enforced_personal_keys, enforced_networks, earlier)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (organization_id) do update
set max_lifetime_days = $2, personal_keys = $3, require_networks = $4, set_at = $5, enforce_at = $6,
    enforced_lifetime_days = $7, enforced_personal_keys = $8, enforced_networks = $9, earlier = $10
"""

# Parameters: $1 organization_id
REMOVE = "delete from key_policies where organization_id = $1"

# Have the policy read with each request of a member, or no longer. Open event streams read their access again.
# Parameters: $1 organization_id, $2 when it was set, null without one
NOTE = """
update memberships set key_policy_at = $2 where organization_id = $1 and key_policy_at is distinct from $2
"""

# The working keys of an organization and of its members that rules do not allow, those that were used last first.
# `stopped` are those that do not work now. The counts are of all of them.
# Parameters: $1 organization_id, $2 now, $3 max_lifetime_days, $4 personal_keys, $5 require_networks, $6 set_at,
# $7 enforce_at, $8 enforced_lifetime_days, $9 enforced_personal_keys, $10 enforced_networks, $11 earlier, $12 limit
# Returns: api_key_id, is_personal, name, last_four, owner_id, owner_name, expires_at, last_used_at, reasons, stopped,
# organization_keys, personal_keys
AFFECTED = """
select api_key_id, kind = 'person' as is_personal, name, last_four, actor_id as owner_id, owner_name, expires_at,
       last_used_at, reasons,
       $7 <= $2 or made >= $6
       or key_policy_reasons($8, $9, $10, kind, role, made, expires_at, allowed_networks) <> '{}'
       or earlier_rules_stop($11, kind, role, made, expires_at, allowed_networks) as stopped,
       count(*) filter (where kind = 'integration') over () as organization_keys,
       count(*) filter (where kind = 'person') over () as personal_keys
from (select k.*, a.kind, a.name as owner_name, m.role, given.made,
             key_policy_reasons($3, $4, $5, a.kind, m.role, given.made, k.expires_at, k.allowed_networks) as reasons
      from memberships m join actors a using (actor_id) join api_keys k using (actor_id)
      cross join lateral (select coalesce(k.issued_at, k.created_at) as made) given
      where m.organization_id = $1 and m.deactivated_at is null and k.revoked_at is null and not k.is_session
        and (k.expires_at is null or k.expires_at > $2) and ($1 = any(k.barred_in)) is not true
        and not exists (select from incoming_webhooks w where w.incoming_webhook_id = k.api_key_id)) k
where reasons <> '{}'
order by last_used_at desc nulls last, api_key_id limit $12
"""
