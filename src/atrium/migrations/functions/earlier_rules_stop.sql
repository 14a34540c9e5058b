-- Return whether one of the rules in `key_policies.earlier` stops a key. Called by barring_organizations, and when a
-- policy is set.
create or replace function earlier_rules_stop(
    earlier jsonb, kind actor_kind, held organization_role, made timestamptz, ends timestamptz, networks cidr[])
returns boolean language sql stable parallel safe as $$
    select exists (
        select from jsonb_to_recordset(earlier) as rules (since timestamptz, days integer, personal personal_keys_rule,
                                                          with_networks boolean)
        where made >= since and key_policy_reasons(days, personal, with_networks, kind, held, made, ends, networks) <> '{}')
$$;
