"""The SQL of key policies.

`next_key_policy` returns the policy as it is after these rules are set.
"""

# Parameters: $1 organization_id
# Returns: max_lifetime_days, personal_keys, require_networks, enforce_at
POLICY = "select (rules).*, enforce_at from key_policies where organization_id = $1"

# Parameters: $1 organization_id, $2 now, $3 max_lifetime_days, $4 personal_keys, $5 require_networks, $6 enforce_at
# Returns: max_lifetime_days, personal_keys, require_networks, enforce_at (null without rules)
NEXT = """
select (rules).*, case when rules <> row(null, 'allowed', false)::key_rules then enforce_at end as enforce_at
from next_key_policy($1, row($3, $4, $5)::key_rules, $6, $2)
"""

# Whether a key could do more, or longer, than before.
# Parameters: $1 organization_id, $2 now, $3 max_lifetime_days, $4 personal_keys, $5 require_networks, $6 enforce_at
# Returns: loosens
LOOSENS = """
select looser_of(current.rules, next.rules) <> current.rules
       or current.enforce_at > $2 and next.enforce_at > current.enforce_at as loosens
from key_policy_of($1, $2) current, next_key_policy($1, row($3, $4, $5)::key_rules, $6, $2) next
"""

# Parameters: $1 organization_id, $2 now, $3 max_lifetime_days, $4 personal_keys, $5 require_networks, $6 enforce_at
SET = """
insert into key_policies (organization_id, rules, set_at, enforce_at, rules_before)
select organization_id, rules, set_at, enforce_at, rules_before
from next_key_policy($1, row($3, $4, $5)::key_rules, $6, $2)
on conflict (organization_id) do update
set rules = excluded.rules, set_at = excluded.set_at, enforce_at = excluded.enforce_at,
    rules_before = excluded.rules_before
"""

# Parameters: $1 organization_id
REMOVE = "delete from key_policies where organization_id = $1"

# Have the policy read with each request of a member, or no longer. Open event streams read their access again.
# Parameters: $1 organization_id, $2 when it was set, null without one
NOTE = """
update memberships set key_policy_at = $2 where organization_id = $1 and key_policy_at is distinct from $2
"""

# The working keys of an organization and of its members that rules do not allow, those that were used last first.
# `stopped` are those that would not work now. The counts are of all of them.
# Parameters: $1 organization_id, $2 now, $3 max_lifetime_days, $4 personal_keys, $5 require_networks, $6 enforce_at,
# $7 limit
# Returns: api_key_id, is_personal, name, last_four, owner_id, owner_name, expires_at, last_used_at, reasons, stopped,
# organization_keys, personal_keys
AFFECTED = """
select api_key_id, kind = 'person' as is_personal, name, last_four, actor_id as owner_id, owner_name, expires_at,
       last_used_at, reasons,
       key_policy_reasons(rules_now, kind, role, made, expires_at, allowed_networks) <> '{}' as stopped,
       count(*) filter (where kind = 'integration') over () as organization_keys,
       count(*) filter (where kind = 'person') over () as personal_keys
from (select k.*, a.kind, a.name as owner_name, m.role, given.made, rules_for(next, given.made, $2) as rules_now,
             key_policy_reasons(next.rules, a.kind, m.role, given.made, k.expires_at, k.allowed_networks) as reasons
      from next_key_policy($1, row($3, $4, $5)::key_rules, $6, $2) next
      join memberships m using (organization_id) join actors a using (actor_id) join api_keys k using (actor_id)
      cross join lateral (select coalesce(k.issued_at, k.created_at) as made) given
      where m.deactivated_at is null and k.revoked_at is null and not k.is_session
        and (k.expires_at is null or k.expires_at > $2) and ($1 = any(k.barred_in)) is not true
        and not exists (select from incoming_webhooks w where w.incoming_webhook_id = k.api_key_id)) k
where reasons <> '{}'
order by last_used_at desc nulls last, api_key_id limit $7
"""
