-- Return why rules do not allow a key: none if they do. `made` is when its secret was made, `held` the role of its
-- actor. Called by barring_organizations, and when a key or a policy is set.
create or replace function key_policy_reasons(
    rules key_rules, kind actor_kind, held organization_role, made timestamptz, ends timestamptz, networks cidr[])
returns text[] language sql stable parallel safe as $$
    select array_remove(array[
        case when rules.max_lifetime_days is not null
                  and (ends is null or ends > made + make_interval(hours => 24 * rules.max_lifetime_days))
                 then 'max_lifetime' end,
        case when kind = 'person'
                  and (rules.personal_keys = 'none' or rules.personal_keys = 'admins' and held < 'admin')
                 then 'personal_keys' end,
        case when rules.require_networks and not are_limit(networks) then 'networks' end], null)
$$;
